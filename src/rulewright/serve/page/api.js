// Talking to the server: JSON over HTTP, and a socket that reconnects.

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

function whole(b) {
  for (const [key, usual] of Object.entries(USUAL)) b.sheet[key] = b.sheet[key].map((row) => ({ ...usual, ...row }));
  return b;
}

const books = new Map();
export async function book(name) {
  if (!books.has(name)) books.set(name, ask("GET", `/api/books/${encodeURIComponent(name)}`).then(whole));
  try {
    return await books.get(name);
  } catch (problem) {
    books.delete(name);  // next time it may be there
    throw problem;
  }
}

// The exact edition that a table was opened with, which may be older than the one on the shelf.
export async function bookOf(table, name, digest) {
  const shelved = await book(name).catch(() => null);
  return shelved && shelved.digest === digest ? shelved : ask("GET", `/api/tables/${table}/book`).then(whole);
}

export class Line {
  // One table's socket. Calls `onstate` with every state and `onerror` with every error.
  constructor(table, token, onstate, onerror, onlink) {
    Object.assign(this, { table, token, onstate, onerror, onlink, tries: 0, closed: false });
    this.open();
  }
  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = this.token ? `?token=${encodeURIComponent(this.token)}` : "";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live${query}`);
    this.socket.onopen = () => { this.tries = 0; this.onlink(true); };
    this.socket.onmessage = (event) => {
      const said = JSON.parse(event.data);
      if (said.state) this.onstate(this.whole(said.state));
      else if (said.error) this.onerror(said);
    };
    this.socket.onclose = (event) => {
      if (this.closed || event.code >= 4000) return;
      this.onlink(false);
      this.tries += 1;
      setTimeout(() => this.open(), Math.min(5000, 200 * 2 ** this.tries));
    };
  }
  whole(state) {
    // After the first state the server tells only what is new of the log; lines that were taken back are told anew.
    const first = state.log.length ? state.log[0].n : state.lines;
    this.log = [...(this.log || []).filter((line) => line.n < first), ...state.log].slice(-100);
    return { ...state, log: this.log };
  }
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.onerror({ error: "network", message: "Not connected; trying again." });
  }
  close() { this.closed = true; this.socket.close(); }
}

// Seats of this browser: which token opens which table.
export const seats = {
  all: () => JSON.parse(localStorage.getItem("rulewright-seats") || "[]"),
  keep(entry) {
    const kept = seats.all().filter((s) => !(s.table === entry.table && s.token === entry.token));
    localStorage.setItem("rulewright-seats", JSON.stringify([entry, ...kept].slice(0, 40)));
  },
};
