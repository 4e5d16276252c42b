// Talking to the server: JSON over HTTP, and a socket that reconnects and puts differences together.

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Line} LogLine */

/** @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>} */
export async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw { error: "network", message: "The server does not answer." };
  }
  const data = await answer.json().catch(() => ({ error: "network", message: "The server answered with something else than JSON." }));
  if (!answer.ok) throw data;
  return data;
}

// The server leaves out what is as usual; these are the usual values.
const USUAL = {
  fields: { of: [], counts: [], holds: null, seen: "all", low: -1e9, high: 1e9, shown: true },
  zones: { of: null, seen: "all", shown: true },
  maps: { upward: true },
};

/** @param {any} b @returns {Book} */
function whole(b) {
  for (const [key, usual] of Object.entries(USUAL)) b.sheet[key] = b.sheet[key].map((/** @type {any} */ row) => ({ ...usual, ...row }));
  b.looks = b.looks || {};
  return b;
}

/** @type {Map<string, Promise<Book>>} */
const books = new Map();

/** @param {string} name @returns {Promise<Book>} */
export async function book(name) {
  if (!books.has(name)) books.set(name, ask("GET", `/api/books/${encodeURIComponent(name)}`).then(whole));
  try {
    return await /** @type {Promise<Book>} */ (books.get(name));
  } catch (problem) {
    books.delete(name); // next time it may be there
    throw problem;
  }
}

/** The exact edition that a table was opened with, which may be older than the one on the shelf. @param {string} table @param {string} name @param {string} digest */
export async function bookOf(table, name, digest) {
  const shelved = await book(name).catch(() => null);
  return shelved && shelved.digest === digest ? shelved : ask("GET", `/api/tables/${table}/book`).then(whole);
}

/**
 * Put a difference into what was known: objects by key, lists by index with "#" for their length, everything else
 * as it is. What a difference does not name stays the same object, so that nothing is drawn again for it.
 * @param {any} known @param {any} change @returns {any}
 */
export function patched(known, change) {
  if (change === null || typeof change !== "object" || !("~" in change)) return change;
  const { "~": some, "#": length, "-": gone } = change;
  if (Array.isArray(known)) {
    const list = length === undefined ? [...known] : known.slice(0, length);
    for (const [at, value] of Object.entries(some)) list[Number(at)] = patched(known[Number(at)], value);
    return list;
  }
  const made = { ...known };
  for (const key of gone || []) delete made[key];
  for (const [key, value] of Object.entries(some)) made[key] = patched((known || {})[key], value);
  return made;
}

// One table's socket.
export class Line {
  /**
   * @param {string} table @param {string|null} token
   * @param {{state: (s: State) => void, error: (e: any) => void, link: (up: boolean) => void, talk?: (said: any) => void}} on
   */
  constructor(table, token, on) {
    this.table = table;
    this.token = token;
    this.on = on;
    this.tries = 0;
    this.closed = false;
    /** @type {LogLine[]} */
    this.log = [];
    /** @type {any} */
    this.last = null;
    /** @type {any} */
    this.unsent = null;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams({ changes: "1", ...(this.token ? { token: this.token } : {}) });
    this.socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live?${query}`);
    this.socket.onopen = () => {
      this.tries = 0;
      this.on.link(true);
      if (this.unsent) this.send(this.unsent);
      this.unsent = null;
    };
    this.socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      if (this.closed || event.code >= 4000) return;
      this.on.link(false);
      this.last = null;
      this.tries += 1;
      setTimeout(() => this.open(), Math.min(5000, 200 * 2 ** this.tries));
    };
  }

  /** @param {any} said */
  heard(said) {
    if (said.state) this.take(said.state);
    else if (said.change && this.last) this.take(patched(this.last, said.change));
    else if (said.error) this.on.error(said);
    else if (this.on.talk) this.on.talk(said);
  }

  // After the first state the server tells only what is new of the log; lines that were taken back are told anew.
  /** @param {any} state */
  take(state) {
    this.last = state;
    const first = state.log.length ? state.log[0].n : state.lines;
    this.log = [...this.log.filter((line) => line.n < first), ...state.log];
    this.on.state({ ...state, log: this.log });
  }

  /** What cannot be sent yet is when the line is there: it says which state it is about. @param {any} message */
  send(message) {
    if (this.socket && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.unsent = message;
  }

  close() {
    this.closed = true;
    if (this.socket) this.socket.close();
  }
}
