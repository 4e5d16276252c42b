// The table: everything a seat sees, and its decision.
import { $, h, notice } from "./dom.js";
import { ask, book, Line, seats } from "./api.js";
import { Board } from "./board.js";
import { piles, strip, sheets } from "./sheets.js";
import { Decision } from "./decision.js";
import { openAt, page } from "./book.js";
import { logLines } from "./log.js";

export async function table(main, id, token) {
  const first = await ask("GET", `/api/tables/${id}${token ? `?token=${encodeURIComponent(token)}` : ""}`);
  const b = await book(first.book);
  $("#where").textContent = b.title;
  if (token && first.seat !== null) {
    const me = first.players[first.seat];
    seats.keep({ table: id, token, book: b.name, title: b.title, name: me ? me.name : `Seat ${first.seat + 1}` });
  }
  const view = new Table(main, b, first, id, token);
  return () => view.close();
}

class Table {
  constructor(main, b, state, id, token) {
    Object.assign(this, { main, b, id, token, state: null, picked: null });
    this.build();
    this.show(state);
    this.line = new Line(id, token, (s) => this.show(s), (e) => this.problem(e), (up) => this.link(up));
  }

  build() {
    this.board = new Board(this.b, (thing) => this.decision.pick(thing));
    this.decision = new Decision((index) => this.choose(index), (thing) => this.hover(thing));
    const tools = $("#tools");
    const read = h("button", { class: "icon", "aria-expanded": "false", title: "Rulebook (R)", onclick: () => this.drawer() }, "Rules");
    this.undo = h("button", { class: "icon", disabled: true, title: "Take back (U)", onclick: () => this.takeBack() }, "Undo");
    this.share = h("button", { class: "icon", title: "Links to this table", onclick: () => this.links() }, "Links");
    this.read = read;
    tools.prepend(this.undo, this.share, read);
    this.parts = {
      strip: h("section", { class: "strip", "aria-label": "Turn order" }),
      board: h("section", { class: "board", "aria-label": "Map" }, this.board.element),
      sheets: h("section", { class: "sheets", "aria-label": "Actors" }),
      piles: h("section", { class: "piles", "aria-label": "Cards" }),
      decision: h("section", { class: "decide", "aria-label": "Your decision" }, this.decision.element),
      log: h("section", { class: "log", "aria-label": "What happened" }),
      drawer: h("aside", { class: "drawer", hidden: true, "aria-label": "Rulebook", tabindex: "0" }),
    };
    const p = this.parts;
    this.main.className = "table" + (this.board.empty ? " mapless" : "");
    this.main.replaceChildren(p.strip, h("div", { class: "left" }, p.board, p.piles), h("div", { class: "right" }, p.decision, p.sheets, p.log), p.drawer);
    this.keys = (event) => this.key(event);
    addEventListener("keydown", this.keys);
  }

  show(state) {
    if (this.state && state.version < this.state.version) return;
    const before = this.state;
    this.state = state;
    const options = state.decision && state.decision.mine ? state.decision.options : [];
    const lit = this.decision.show(state, this.names());
    strip(this.parts.strip, state, this.b);
    this.board.show(state, lit);
    sheets(this.parts.sheets, state, this.b, lit, (thing) => this.decision.pick(thing));
    piles(this.parts.piles, state, this.b, lit, (thing) => this.decision.pick(thing), (name) => this.whyNot(name));
    logLines(this.parts.log, state, before, (entry) => this.why(entry));
    this.undo.disabled = !state.can_undo;
    this.main.classList.toggle("mine", options.length > 0);
    if (!this.parts.drawer.hidden) this.follow();
    if (state.result && !(before && before.result)) this.over();
  }

  names() {
    return this.state.players;
  }

  choose(index) {
    this.decision.busy();
    this.line.send({ choose: index, version: this.state.version });
  }

  takeBack() {
    this.line.send({ undo: true, version: this.state.version });
  }

  problem(error) {
    this.decision.ready();
    notice(error.message, true);
  }

  link(up) {
    document.body.classList.toggle("offline", !up);
    if (!up) notice("The connection is gone; trying again.", true);
  }

  hover(thing) {
    this.board.point(thing);
  }

  async why(entry) {
    const query = this.token ? `?token=${encodeURIComponent(this.token)}` : "";
    try {
      const told = await ask("GET", `/api/tables/${this.id}/why/${entry.n}${query}`);
      this.drawer(true);
      openAt(this.parts.drawer, told.file, told.line);
      notice(`${told.text}`);
    } catch (problem) {
      notice(problem.message, true);
    }
  }

  async whyNot(name) {
    const query = new URLSearchParams({ name, ...(this.token ? { token: this.token } : {}) });
    try {
      const told = await ask("GET", `/api/tables/${this.id}/whynot?${query}`);
      notice(told.reasons.join(" "));
      if (told.file) {
        this.drawer(true);
        openAt(this.parts.drawer, told.file, told.line);
      }
    } catch (problem) {
      notice(problem.message, true);
    }
  }

  drawer(open) {
    const drawer = this.parts.drawer;
    const now = open === undefined ? drawer.hidden : open;
    if (now && !drawer.firstChild) drawer.append(h("button", { class: "close", "aria-label": "Close the rulebook", onclick: () => this.drawer(false) }, "×"), page(this.b));
    drawer.hidden = !now;
    this.read.setAttribute("aria-expanded", String(now));
    this.main.classList.toggle("reading-along", now);
    if (now) this.follow();
  }

  follow() {
    const last = [...this.state.log].reverse().find((l) => l.line && ![9, 10, 1].includes(l.kind));
    if (last) openAt(this.parts.drawer, last.file, last.line);
  }

  links() {
    const invites = JSON.parse(sessionStorage.getItem(`invites-${this.id}`) || "[]");
    const box = h("dialog", { class: "sheet-dialog" },
      h("h2", {}, "Links"),
      invites.map((s) => h("p", {}, `${s.name}: `, h("input", { readonly: true, value: location.origin + s.link, onclick: (e) => e.target.select(), "aria-label": `Link for ${s.name}` }))),
      h("p", {}, "Watch: ", h("input", { readonly: true, value: `${location.origin}/#/table/${this.id}`, onclick: (e) => e.target.select(), "aria-label": "Link for spectators" })),
      this.state.result ? h("p", {}, h("a", { href: `#/replay/${this.id}` }, "Replay"), " · ", h("a", { href: `/api/tables/${this.id}/replay`, download: `${this.b.name}.replay.json` }, "Download the replay")) : null,
      h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));
    document.body.append(box);
    box.addEventListener("close", () => box.remove());
    box.showModal();
  }

  over() {
    const { result, seat } = this.state;
    const mine = seat === null ? null : result.scores[seat];
    const word = mine === 1 ? "You won" : mine === 2 ? "A draw" : mine === 0 ? "You lost" : "The match is over";
    notice(`${word}: ${result.ending}`);
  }

  key(event) {
    if (event.target.matches("input, select, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "r" || event.key === "R") this.drawer();
    else if ((event.key === "u" || event.key === "U") && !this.undo.disabled) this.takeBack();
    else if (this.decision.key(event)) event.preventDefault();
  }

  close() {
    this.line.close();
    removeEventListener("keydown", this.keys);
  }
}
