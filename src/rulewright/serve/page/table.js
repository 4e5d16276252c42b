// The table: everything a seat sees, and its decision.
import { $, h, notice } from "./dom.js";
import { ask, bookOf, Line, seats } from "./api.js";
import { Board } from "./board.js";
import { piles } from "./cards.js";
import { sheets, strip } from "./sheets.js";
import { Decision } from "./decision.js";
import { openAt, page } from "./book.js";
import { logLines } from "./log.js";
import { since } from "./since.js";
import { EVENT } from "./names.js";

const TABS = [["play", "Table"], ["cards", "Cards"], ["actors", "Actors"], ["log", "Log"]];

export async function table(main, id, token) {
  const first = await ask("GET", `/api/tables/${id}${token ? `?token=${encodeURIComponent(token)}` : ""}`);
  const b = await bookOf(id, first.book, first.digest);
  if (token && first.seat !== null) {
    const me = first.players[first.seat];
    seats.keep({ table: id, token, book: b.name, title: b.title, name: me ? me.name : `Seat ${first.seat + 1}` });
  }
  return () => {
    $("#where").textContent = b.title;
    const view = new Table(main, b, first, id, token);
    return () => view.close();
  };
}

// The panels of a table, which the replay viewer uses as well. `middle` is what stands where decisions do.
export function lay(main, board, middle, extra = "") {
  const part = (name, label, ...inside) => h("section", { class: name, "aria-label": label }, ...inside);
  const parts = {
    strip: part("strip", "Turn order and phase"), board: part("board", "Map", board.element), sheets: part("sheets", "Actors"),
    piles: part("piles", "Cards"), decision: part("decide", "Your decision", middle), since: part("since", "What changed"), log: part("log", "What happened"),
    drawer: h("aside", { class: "drawer", hidden: true, "aria-label": "Rulebook", tabindex: "0" }),
  };
  for (const scrolls of [parts.sheets, parts.piles, parts.since, parts.strip]) scrolls.setAttribute("tabindex", "0");
  const bookHasCards = board.b.sheet.zones.length > 0;
  const tabs = h("nav", { class: "tabs", "aria-label": "Parts of the table" }, TABS.filter(([key]) => key !== "cards" || bookHasCards).map(([key, label]) => h("button", {
    data: { tab: key }, "aria-pressed": key === "play" ? "true" : "false",
    onclick: (e) => { main.dataset.tab = key; for (const t of tabs.children) t.setAttribute("aria-pressed", String(t === e.currentTarget)); },
  }, label)));
  main.dataset.tab = "play";
  main.className = `table ${extra}${board.empty ? " mapless" : ""}${bookHasCards ? "" : " cardless"}`;
  main.replaceChildren(parts.strip, parts.drawer, parts.sheets, h("div", { class: "middle" }, parts.board, parts.piles), h("div", { class: "right" }, parts.decision, parts.since, parts.log), tabs);
  return parts;
}

class Table {
  constructor(main, b, state, id, token) {
    Object.assign(this, { main, b, id, token, state: null });
    this.board = new Board(b, (thing) => this.decision.pick(thing));
    this.decision = new Decision(b, (index) => this.choose(index), (things) => this.board.point(things), (name) => this.whyNot(name));
    const tool = (label, title, act) => h("button", { class: "icon", title, onclick: act }, label);
    this.undo = tool("Undo", "Take back (U)", () => this.takeBack());
    this.read = tool("Rules", "Rulebook, opened at the rule that just fired (R)", () => this.drawer());
    this.read.setAttribute("aria-expanded", "false");
    $("#tools").prepend(this.undo, tool("Share", "Links to this table, replay", () => this.links()), this.read);
    this.parts = lay(main, this.board, this.decision.element, "playing");
    this.keys = (event) => this.key(event);
    addEventListener("keydown", this.keys);
    this.show(state);
    this.line = new Line(id, token, (s) => this.show(s), (e) => this.problem(e), (up) => this.link(up));
  }

  show(state) {
    if (this.state && state.version < this.state.version) return;
    if (this.state && state.version === this.state.version) return this.decision.ready();
    const before = this.state;
    this.state = state;
    Object.assign(this.main.dataset, { table: this.id, version: state.version });
    const p = this.parts, pick = (thing) => this.decision.pick(thing), whyNot = (name) => this.whyNot(name);
    const lit = this.decision.show(state);
    strip(p.strip, state, this.b);
    this.board.show(state, lit);
    sheets(p.sheets, state, this.b, lit, pick);
    piles(p.piles, state, this.b, lit, pick, whyNot);
    since(p.since, state, this.b);
    logLines(p.log, state, before, this.b, (entry) => this.why(entry));
    this.undo.disabled = !state.can_undo;
    this.main.classList.toggle("mine", Boolean(state.decision && state.decision.mine));
    this.main.classList.toggle("over", Boolean(state.result));
    for (const [tab, kind] of [["cards", "Card"], ["actors", "Actor"]]) {
      const button = $(`[data-tab="${tab}"]`, this.main);
      if (button) button.classList.toggle("glows", [...lit.keys()].some((key) => key.startsWith(kind)));
    }
    if (!p.drawer.hidden) this.follow();
    if (state.result && !(before && before.result)) this.over();
  }

  choose(index) {
    if (this.decision.isBusy()) return;
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

  query(more = {}) {
    return new URLSearchParams({ ...more, ...(this.token ? { token: this.token } : {}) });
  }

  async why(entry) {
    try {
      const told = await ask("GET", `/api/tables/${this.id}/why/${entry.n}?${this.query()}`);
      this.drawer(true, told);
      notice([told.cites.join(", ") || told.title, told.text].filter(Boolean).join(": "));
    } catch (problem) {
      notice(problem.message, true);
    }
  }

  async whyNot(name) {
    notice(`${name}: looking into the rules ...`, false, [""]);
    try {
      const told = await ask("GET", `/api/tables/${this.id}/whynot?${this.query({ name })}`);
      const rule = told.file ? [h("button", { onclick: () => this.drawer(true, told) }, `Open the rule${told.cites.length ? ` ${told.cites[0]}` : ""}`)] : [];
      notice(`${name}: ${told.reasons.join(" ")}`, false, rule.length ? rule : [""]);
    } catch (problem) {
      notice(problem.message, true);
    }
  }

  drawer(open, at = null) {
    const drawer = this.parts.drawer;
    const now = open === undefined ? drawer.hidden : open;
    if (now && !drawer.firstChild) drawer.append(h("button", { class: "close", "aria-label": "Close the rulebook", onclick: () => { this.drawer(false); this.read.focus(); } }, "×"), page(this.b));
    drawer.hidden = !now;
    this.read.setAttribute("aria-expanded", String(now));
    this.main.classList.toggle("reading-along", now);
    if (now && at) openAt(drawer, at.file, at.line);
    else if (now) this.follow();
  }

  // The rule that just fired: of the newest line that is not merely a step or a choice.
  follow() {
    const last = [...this.state.log].reverse().find((l) => l.line && ![EVENT.STEP, EVENT.CHOSEN, EVENT.FORCED].includes(l.kind));
    if (last) openAt(this.parts.drawer, last.file, last.line);
  }

  links() {
    const invites = JSON.parse(sessionStorage.getItem(`invites-${this.id}`) || "[]");
    const row = (label, link) => h("p", {}, h("label", {}, label, h("input", { readonly: true, value: link, onclick: (e) => e.target.select() })));
    const box = h("dialog", { class: "sheet-dialog", "aria-label": "Links to this table" },
      h("h2", {}, "Links"),
      invites.map((s) => row(`For ${s.name} (a secret: whoever has it plays that seat)`, location.origin + s.link)),
      row("For spectators", `${location.origin}/#/table/${this.id}`),
      this.state.result ? h("p", { class: "actions" }, h("a", { class: "button", href: `#/replay/${this.id}` }, "Watch the replay"), h("a", { class: "button", href: `/api/tables/${this.id}/replay`, download: `${this.b.name}.replay.json` }, "Download the replay")) : null,
      h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));
    document.body.append(box);
    box.addEventListener("close", () => box.remove());
    box.showModal();
  }

  over() {
    const links = h("p", { class: "actions" }, h("a", { class: "button", href: `#/replay/${this.id}` }, "Replay"), h("a", { class: "button", href: `#/new/${encodeURIComponent(this.b.name)}` }, "Play again"), h("a", { class: "button", href: "#/" }, "Shelf"));
    this.decision.list.replaceChildren(h("li", {}, links));
  }

  key(event) {
    if (event.target.matches("input, select, textarea") || event.metaKey || event.ctrlKey || event.altKey) return;
    const scrolls = event.target.closest && event.target.closest(".lines, .drawer, .sheets, .piles, .since, .strip");
    if (["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(event.key) && scrolls && !event.target.closest(".options")) return;
    if (event.key === "r" || event.key === "R") this.drawer();
    else if ((event.key === "u" || event.key === "U") && !this.undo.disabled) this.takeBack();
    else if (this.decision.key(event)) event.preventDefault();
  }

  close() {
    this.line.close();
    removeEventListener("keydown", this.keys);
    document.body.classList.remove("offline");
  }
}
