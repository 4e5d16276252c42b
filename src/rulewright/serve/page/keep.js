// What this browser keeps: seats, invitations, a name, settings. Nothing of it leaves the browser but seats' own tokens.

/** @typedef {import("./types.js").KeptSeat} KeptSeat */

const SEATS = "rulewright-seats";
const MOST = 400;
/* Seats kept: years of evenings, and far below what a browser gives one page. */

/** @param {string} key @param {any} usual @returns {any} */
function read(key, usual) {
  try {
    return JSON.parse(localStorage.getItem(key) || "") ?? usual;
  } catch {
    return usual;
  }
}

/** @param {string} key @param {any} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden store: the page works on, it only forgets.
  }
}

// Which token opens which table; one browser may hold several seats of one table.
export const seats = {
  /** @returns {KeptSeat[]} */
  all: () => read(SEATS, []),
  /** @param {string} table @returns {KeptSeat[]} */
  at: (table) => seats.all().filter((s) => s.table === table),
  /** @param {KeptSeat} entry */
  keep(entry) {
    const rest = seats.all().filter((s) => !(s.table === entry.table && s.token === entry.token));
    write(SEATS, [entry, ...rest].slice(0, MOST));
  },
  /** A seat that somebody else has now. @param {string} table @param {number} seat */
  leave(table, seat) {
    write(SEATS, seats.all().filter((s) => s.table !== table || s.seat !== seat));
  },
  /** @param {string} table */
  forget(table) {
    write(SEATS, seats.all().filter((s) => s.table !== table));
  },
  // The seat that this tab sits at: a table may be open in two tabs, once for each seat.
  /** @param {string} table @returns {string|null} */
  here(table) {
    const kept = sessionStorage.getItem(`rulewright-here-${table}`);
    return kept !== null ? kept : (seats.at(table)[0] || { token: null }).token;
  },
  /** @param {string} table @param {string} token */
  sit: (table, token) => sessionStorage.setItem(`rulewright-here-${table}`, token),
};

// Links for others, kept by whoever opened the table so that they can be found again.
export const invites = {
  /** @param {string} table @returns {any[]} */
  of: (table) => read(`rulewright-invites-${table}`, []),
  /** @param {string} table @param {any[]} links */
  keep: (table, links) => write(`rulewright-invites-${table}`, links),
};

export const settings = {
  /** @returns {{speed: number, sound: boolean, notify: boolean, quiet: boolean, name: string}} */
  all: () => ({ speed: 1, sound: false, notify: false, quiet: false, name: "", ...read("rulewright-settings", {}) }),
  /** @param {Record<string, any>} some */
  set: (some) => write("rulewright-settings", { ...settings.all(), ...some }),
};

/** Tables whose goal was shown already. @param {string} book */
export const met = (book) => read("rulewright-met", []).includes(book);
/** @param {string} book */
export const meet = (book) => write("rulewright-met", [...new Set([...read("rulewright-met", []), book])]);
