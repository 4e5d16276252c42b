// A table as the page knows it: the true state, what the stage shows of it, and what the person is about to do.
import { Ahead } from "./ahead.js";
import { remember } from "./gifts.js";
import { Guide } from "./guide.js";
import { ask, Line } from "./api.js";
import { notice, unnotice } from "./dom.js";
import { invites, seats, settings } from "./keep.js";
import { EVENT, isOwn, lifeBar, lifeOf } from "./names.js";
import { vainly } from "./prices.js";
import { Reckoning } from "./reckoning.js";
import { farewell, isMild, keyOf, litBy } from "./options.js";
import { Stage } from "./stage.js";
import { isShown, sentence } from "./sentence.js";
import { NOTHING, SOMETHING, deedsOf, partOf } from "./tell.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./tell.js").Deed} Deed */

const UNSEEN = 300;
/* Milliseconds after a new decision in which a click or key was meant for what stood there before. */
const PAGE = 1000;
/* Lines of a log that the server tells at once. */

export class Model {
  /** @param {Book} b @param {State} state @param {string} id @param {string|null} token @param {() => void} redraw */
  constructor(b, state, id, token, redraw) {
    this.b = b;
    this.id = id;
    this.token = token;
    this.redraw = redraw;
    /** @type {State} */
    this.state = state;
    /** @type {Deed[]} */
    this.deeds = [];
    this.busy = this.fresh = this.offline = false;
    /** @type {string|null} */
    this.filter = null;
    this.passed = "";
    /** @type {Set<string>} */
    this.pointed = new Set();
    /** @type {Option[][]} */
    this.shown = [];
    /** @type {any} */
    this.at = null;
    this.reading = false;
    /** @type {{sums: Map<number, number>}[]} */
    this.history = [];
    /** @type {Map<number, number>} */
    this.peaks = new Map();
    /** @type {{key: number, n: number, end: number, text: string}[]} */
    this.told = [];
    this.tellings = 0;
    this.dialog = "";
    this.heardTalk = 0;
    /** @type {{n: number, view: View}|null} */
    this.chose = null;
    /** @type {any[]} */
    this.talk = [];
    /** @type {number[]} */
    this.here = [];
    this.speed = settings.all().speed;
    this.stage = new Stage(b, () => this.redraw(), (deed) => this.tell(deed), () => this.speed);
    /** @type {any} */
    this.freshTimer = 0;
    /** @type {State["log"]} */
    this.lines = state.log;
    this.follow(state);
    this.stage.last = this.deeds.findLast((d) => isShown(d, b, state.view)) || null;
    /** @type {Line|null} */
    this.line = null;
    /** @type {any} */
    this.sentOver = null;
    this.reckoning = new Reckoning(b, id, () => this.query(), () => this.redraw());
    this.guide = new Guide(id, b.guide);
    this.ahead = new Ahead(id, () => this.query(), () => this.redraw());
    this.ahead.fresh = () => this.fresh;
    /** @type {import("./gifts.js").Seen} */
    this.gifts = new Map();
    this.ahead.vainly = (told) => vainly(b.sheet.fields, told);
    this.ahead.learn = (told) => remember(this.state, b, told, lifeOf(b), this.gifts);
    this.ahead.follow(state);
  }

  connect() {
    this.line = new Line(this.id, this.token, {
      state: (s) => this.take(s), error: (e) => this.problem(e), link: (up) => this.link(up), talk: (said) => this.heard(said),
    });
  }

  /** Whether the match is over and its last deeds have been shown: the end is the last of them. */
  get ended() { return Boolean(this.state.result) && !this.stage.playing; }

  /** The deeds of the log: how it ended is not told before it is shown. */
  get logged() { return this.ended ? this.deeds : this.deeds.filter((d) => d.kind !== "end"); }

  // ------------------------------------------------------------ what comes in
  /** @param {State} state */
  take(state) {
    const before = this.state;
    if (state.version < before.version) return;
    if (state.version === before.version && state.seat === before.seat) {
      // The same again, over a new line: what was chosen on the old one may be lost. Over the same line it is still on its way.
      if (!this.line || this.line.socket !== this.sentOver) this.busy = false;
      this.gather(state);
      this.redraw();
      return;
    }
    const old = before.lines, shownView = this.stage.view || before.view;
    this.state = state;
    this.gather(state);
    this.busy = false;
    this.filter = null;
    this.pointed = new Set();
    this.ahead.follow(state);
    this.follow(state);
    if (!isSameChoice(before, state)) this.isFresh();
    if (this.reading) this.at = this.ruleNow();
    if (state.lines > old && state.seat === before.seat) {
      const deeds = this.since(old);
      this.notePassed(deeds);
      this.stage.play(deeds, shownView);
    } else this.stage.end();
    this.callOut(before);
    this.redraw();
  }

  // The lines of all states together; what was taken back goes.
  /** @param {State} state */
  gather(state) {
    if (state.version < (this.state || state).version) this.reckoning.forget();
    const first = state.log.length ? state.log[0].n : state.lines, before = this.lines.filter((l) => l.n < first);
    const gap = before.length && state.log.length ? before[before.length - 1].n + 1 : first;
    this.lines = [...before, ...state.log];
    this.state = { ...state, log: this.lines };
    this.deeds = deedsOf(this.lines, this.b, state.view, asksMidway(state));
    if (gap < first) this.mend(gap, first);
  }

  /** Whoever was away for long asks for the lines in between. @param {number} from @param {number} to */
  async mend(from, to) {
    const seat = this.state.seat;
    const found = await this.fetchLines(from, to).catch(() => []);
    if (!found.length || seat !== this.state.seat) return;
    this.lines = [...this.lines.filter((l) => l.n < from), ...found, ...this.lines.filter((l) => l.n >= to)];
    this.retell();
  }

  /** @param {number} from @param {number} to */
  async fetchLines(from, to) {
    const found = [];
    for (let after = from; after < to; after += PAGE) found.push(...await ask("GET", `/api/tables/${this.id}/log?${this.query({ after: String(after) })}`));
    return found.filter((l) => l.n < to);
  }

  retell() {
    this.state = { ...this.state, log: this.lines };
    this.deeds = deedsOf(this.lines, this.b, this.state.view, asksMidway(this.state));
    this.redraw();
  }

  /** @param {State} state */
  follow(state) {
    const life = lifeOf(this.b), sums = new Map();
    for (const actor of state.view.actors) {
      const bar = lifeBar(actor, life, state.view);
      if (!bar) continue;
      this.peaks.set(actor.id, Math.max(this.peaks.get(actor.id) || 0, bar.now, bar.top));
      if (actor.in_play) sums.set(actor.side, (sums.get(actor.side) || 0) + Math.max(0, bar.now));
    }
    if (sums.size) this.history.push({ sums });
    if (!this.deeds.length) this.deeds = deedsOf(this.lines, this.b, state.view, asksMidway(state));
  }

  /** Deeds with lines from a number on, with those lines only. @param {number} n @returns {Deed[]} */
  since(n) {
    return this.deeds.filter((d) => d.end >= n).map((d) => partOf(d, n)).filter((d) => d.lines.length && isShown(d, this.b, this.state.view));
  }

  isFresh() {
    clearTimeout(this.freshTimer);
    this.fresh = true;
    const end = () => { this.fresh = false; this.redraw(); };
    // Options that odds may still sort are not yet where they will stand: once more as long, then they stay.
    this.freshTimer = setTimeout(() => { if (this.ahead.awaited) this.freshTimer = setTimeout(end, UNSEEN); else end(); }, UNSEEN);
  }

  // A turn that was passed for you is told, and stays told until you have seen it.
  /** @param {Deed[]} deeds */
  notePassed(deeds) {
    const { view } = this.state;
    const mine = deeds.filter((d) => d.kind === "pass" && d.forced && view.actors[d.who] && isOwn(view.actors[d.who], view));
    // Whoever did something in that turn knows that it was theirs; a company's turn is that of all who act in it.
    const silent = mine.filter((d) => {
      const began = this.deeds.findLast((t) => t.kind === "turn" && t.who === d.who && t.n < d.n);
      return !this.deeds.some((c) => c.kind === "choice" && (c.who === d.who || c.by === view.seat) && c.n < d.n && c.n > (began ? began.n : -1));
    });
    const names = [...new Set(silent.map((d) => view.actors[d.who].name))];
    if (names.length) this.passed = `${names.join(" and ")} could do nothing but pass: the turn is over.`;
  }

  acknowledge() { this.passed = ""; this.redraw(); }

  /** @param {Deed} deed */
  tell(deed) {
    const text = deed.kind === "end" ? farewell(this.state) : sentence(deed, this.b, this.state.view), last = this.told.at(-1);
    // Lines that were missed and came later may show that a deed began before what was told meanwhile: what is new of it is told after that.
    const n = Math.max(deed.first ?? deed.n, last && deed.n > last.end ? last.n : 0);
    // A deed that goes on from one decision to the next is told again only when there is more to it.
    if (n < deed.n && last && last.n === n && last.text === text) return;
    this.tellings += 1;
    this.told = [...this.told.slice(-60), { key: this.tellings, n, end: deed.end, text }];
  }

  /** @param {any} error */
  problem(error) {
    this.busy = false;
    notice(error.message, true);
    this.redraw();
  }

  /** @param {boolean} up */
  link(up) {
    const was = this.offline;
    this.offline = !up;
    document.body.classList.toggle("offline", !up);
    if (!up) notice("The connection is gone; trying again.", true, []);
    else if (was) unnotice();
  }

  /** @param {any} said */
  heard(said) {
    if (said.here) this.here = said.here;
    if (said.talk) this.talk = [...this.talk, ...[said.talk].flat()].slice(-80);
    this.redraw();
  }

  // Your turn, told to somebody who looks elsewhere.
  /** @param {State} before */
  callOut(before) {
    const mine = Boolean(this.state.decision && this.state.decision.mine), was = Boolean(before.decision && before.decision.mine);
    document.title = `${mine ? "● Your turn · " : ""}${this.b.title} · Rulewright`;
    const { sound, notify } = settings.all();
    if (!mine || was) return;
    if (sound) beep();
    if (notify && document.hidden && "Notification" in window && Notification.permission === "granted") new Notification(`${this.b.title}: your turn`);
  }

  // ------------------------------------------------------------ what the person does
  options() {
    const { decision } = this.state;
    return decision && decision.mine ? decision.options : [];
  }

  lit() { return litBy(this.options()); }

  /** @param {number} index @param {Event} [event] */
  choose(index, event = window.event) {
    if (this.busy || (this.fresh && event && event.isTrusted)) return;
    const wanted = this.options().find((o) => o.index === index);
    if (!wanted) return;
    this.guide.chose(wanted.text, this.options().map((o) => o.text));
    this.chose = { n: this.state.lines, view: this.state.view };
    this.passed = "";
    this.busy = true;
    if (this.stage.playing) this.stage.skip();
    this.sentOver = this.line && this.line.socket;
    if (this.line) this.line.send({ choose: index, version: this.state.version });
    this.redraw();
  }

  /** A click on something lit: take its only option, or narrow the list. @param {{kind: string, id: number}} thing */
  pick(thing) {
    const key = keyOf(thing);
    const fitting = this.options().filter((o) => o.things.some((t) => keyOf(t) === key));
    if (new Set(fitting.map((o) => o.text)).size === 1) this.choose(fitting[0].index);
    else if (fitting.length && !(this.fresh && window.event && window.event.isTrusted)) this.narrow(key);
  }

  /** @param {string|null} key */
  narrow(key) {
    this.filter = key;
    this.redraw();
    const first = /** @type {HTMLElement|null} */ (document.querySelector(".options button"));
    if (first) first.focus({ preventScroll: true });
  }

  /** @param {{kind: string, id: number}[]|null} things @param {number} [index] */
  point(things, index = -1) {
    const now = new Set((things || []).map(keyOf));
    const looked = this.ahead.looked;
    if (looked === index && now.size === this.pointed.size && [...now].every((k) => this.pointed.has(k))) return;
    this.ahead.look(index);
    this.pointed = now;
    this.redraw();
  }

  undo() {
    if (this.state.can_undo) { if (this.line) this.line.send({ undo: true, version: this.state.version }); }
    else notice(this.undoWords());
  }

  /** Why nothing can be taken back. */
  undoWords() {
    const { decision, result, seat, log } = this.state;
    if (result) return "The match is over; nothing can be taken back.";
    if (seat === null) return "Spectators cannot take anything back.";
    if (!decision || !decision.mine) return "Only whoever decides can take a choice back.";
    const chosen = log.findLast((l) => l.kind === EVENT.CHOSEN);
    if (!chosen) return "You have not chosen anything yet.";
    const after = log.filter((l) => l.n > chosen.n);
    if (after.some((l) => l.kind === EVENT.ROLL)) return "Dice were rolled since your choice: it cannot be taken back.";
    if (after.some((l) => l.kind === EVENT.CARD || l.kind === EVENT.REVEAL)) return "Cards were turned since your choice: it cannot be taken back.";
    return "Others have chosen, or something was revealed since: it cannot be taken back.";
  }

  // ------------------------------------------------------------ the show
  canAgain() { return !this.stage.playing && Boolean(this.chose) && this.state.lines > (this.chose || { n: 1e9 }).n && this.speed !== 0; }

  again() {
    if (!this.chose) return;
    this.stage.play(this.since(this.chose.n), this.chose.view);
    this.redraw();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    settings.set({ speed });
    if (!speed) this.stage.skip();
    this.redraw();
  }

  // ------------------------------------------------------------ explaining
  /** @param {Record<string, string>} [more] */
  query(more = {}) { return new URLSearchParams({ ...more, ...(this.token ? { token: this.token } : {}) }); }

  /** @param {any} at */
  read(at) { this.at = at; this.reading = true; this.redraw(); }

  toggleRules() {
    this.reading = !this.reading;
    this.at = this.reading ? this.ruleNow() : null;
    this.redraw();
  }

  /** The rule that the decision is about; else the one that fired last. */
  ruleNow() {
    const { decision, log } = this.state;
    const sites = this.b.sheet.sites;
    if (decision && decision.mine && !["act", "react"].includes(decision.prompt)) {
      const named = sites.find((s) => s.title === decision.prompt.replace(/[{}]/g, ""));
      if (named) return named;
    }
    const last = log.findLast((l) => l.line && ![EVENT.STEP, EVENT.CHOSEN, EVENT.FORCED].includes(l.kind));
    return last || log.findLast((l) => l.line) || null;
  }

  /** @param {any} entry @param {Deed} [deed] */
  async why(entry, deed) {
    try {
      const told = await ask("GET", `/api/tables/${this.id}/why/${entry.n}?${this.query()}`);
      this.reckoning.learn(entry.n, told);
      this.read({ ...told, deed });
      const sums = told.sums.map((/** @type {any} */ s) => `${s.title}: ${s.text}`).join("; ");
      notice([told.cites.join(", ") || told.title, sums || told.text, told.late ? "The arithmetic takes too long just now" : ""].filter(Boolean).join(": "));
    } catch (problem) {
      notice(/** @type {any} */ (problem).message, true);
    }
  }

  /** @param {string} name */
  async whyNot(name) {
    notice(`${name}: looking into the rules ...`, false, []);
    try {
      const told = await ask("GET", `/api/tables/${this.id}/whynot?${this.query({ name })}`);
      const rule = told.file ? [{ label: `Open the rule${told.cites.length ? ` ${told.cites[0]}` : ""}`, act: () => this.read(told) }] : [];
      notice(`${name}: ${told.reasons.join(" ")}`, false, rule);
    } catch (problem) {
      notice(/** @type {any} */ (problem).message, true);
    }
  }

  get hasMore() { return this.lines.length > 0 && this.lines[0].n > 0; }

  async loadAll() {
    const first = this.lines.length ? this.lines[0].n : this.state.lines;
    const found = await this.fetchLines(0, first);
    this.lines = [...found, ...this.lines];
    this.retell();
  }

  // ------------------------------------------------------------ several seats, the end
  /** The seats of this browser at this table, other than the one it sits at. */
  others() { return seats.at(this.id).filter((s) => s.token !== this.token); }

  /** A seat of this browser that is to decide now, while it sits at another. */
  awaited() {
    const { decision } = this.state;
    return decision && !decision.mine && !this.state.result ? this.others().find((s) => s.seat === decision.seat) || null : null;
  }

  /** Whether something on this table is for one pair of eyes only. */
  hides() {
    const { zones, fields } = this.b.sheet;
    return zones.some((z) => z.seen === "owner") || fields.some((f) => f.seen === "owner");
  }

  /** @param {string} token */
  async sitAt(token) {
    seats.sit(this.id, token);
    this.token = token;
    if (this.line) this.line.close();
    this.lines = [];
    this.stage.end();
    this.state = await ask("GET", `/api/tables/${this.id}?token=${encodeURIComponent(token)}`);
    this.gather(this.state);
    this.isFresh();
    this.connect();
    this.redraw();
  }

  async rematch() {
    try {
      const wanted = this.state.players.map((p) => (p.kind === "bot" ? { kind: "bot", bot: p.bot } : { kind: p.kind, name: p.name }));
      const made = await ask("POST", "/api/tables", { book: this.b.name, seats: wanted });
      keepTable(made, this.b);
      const mine = made.seats[this.state.seat ?? 0] || made.seats[0];
      location.hash = mine.token ? `#/table/${made.table}?token=${mine.token}` : `#/table/${made.table}`;
    } catch (problem) {
      notice(/** @type {any} */ (problem).message, true);
    }
  }

  close() {
    if (this.line) this.line.close();
    this.stage.close();
    this.ahead.close();
    clearTimeout(this.freshTimer);
    document.body.classList.remove("offline");
  }
}

/** The verb of what somebody is asked in the midst of a deed, and not to do next. @param {State} state */
function asksMidway({ decision }) {
  if (!decision || ["act", "react"].includes(decision.prompt)) return NOTHING;
  return decision.options.find((o) => !isMild(o))?.verb ?? SOMETHING;
}

/** Whether the same is asked as before: others chose at the same time. @param {State} before @param {State} now */
function isSameChoice({ decision: old }, { decision, together }) {
  return Boolean(together && together.length > 1 && old && decision && old.mine && decision.mine && JSON.stringify(old.options) === JSON.stringify(decision.options));
}

/** Seats of this browser and links for others, of a table that was just opened. @param {any} made @param {{name: string, title: string}} b */
export function keepTable(made, b) {
  for (const s of [...made.seats].reverse()) if (s.token && s.kind === "you") seats.keep({ table: made.table, token: s.token, book: b.name, title: b.title, name: s.name, seat: s.seat });
  const links = made.seats.filter((/** @type {any} */ s) => s.kind === "invite");
  if (links.length) invites.keep(made.table, links);
}

function beep() {
  const context = new AudioContext(), tone = context.createOscillator(), gain = context.createGain();
  gain.gain.setValueAtTime(0.08, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.4);
  tone.frequency.value = 660;
  tone.connect(gain).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.4);
  tone.onended = () => context.close();
}
