// Lines of a log -> deeds: who did what to whom, and what came of it, in sentences.
//
// A deed begins with a choice, with a rule that somebody runs, or with something that happens by itself; it ends
// when the turn goes on to its next step, or somebody else begins. What the rules only keep book of is quiet.
import { EVENT, VERB, changed, lifeOf, thingName } from "./names.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Line} Line */
/**
 * @typedef {{n: number, first?: number, end: number, kind: string, who: number, by: number, target: number, frame: string, step: string,
 *   words: Line[], rule: Line|null, said: Line[], lines: Line[], open: boolean, forced: boolean, midway: boolean}} Deed
 */

const QUIET = ["SHUFFLE", "ORDER", "LAY", "FACE", "REVEAL", "CARD", "CHANGE", "ROLL"];
/* What opens no deed of its own. */
const HAPPENS = ["ROLL", "PLACE", "STATUS", "PLAY", "FACE", "SAY"];
/* What shows that a deed is under way: a rule after it is the next deed. */
const isOne = (/** @type {Line} */ line, /** @type {string[]} */ names) => names.some((name) => EVENT[name] === line.kind);

const isChoice = (/** @type {Line} */ l) => l.kind === EVENT.CHOSEN || l.kind === EVENT.FORCED;
/** What was chosen, without the word for it. @param {Line} l */
export const wordsOf = (l) => l.text.slice(l.text.indexOf(": ") + 2);
/** The step of a sequence: "Attack, Defence roll" -> "Defence roll". @param {Line} l */
const stepOf = (l) => l.text.slice(l.text.lastIndexOf(", ") + 2);

/**
 * @param {Line[]} lines @param {Book} b @param {View} view @param {boolean} [midway] whether somebody is asked in the midst of a deed
 * @returns {Deed[]}
 */
export function deedsOf(lines, b, view, midway = false) {
  const teller = new Teller(b, view);
  for (const line of lines) teller.take(line);
  if (midway && teller.deed) teller.deed.midway = true;
  return teller.made.filter((deed) => deed.kind !== "quiet" || deed.lines.length);
}

class Teller {
  /** @param {Book} b @param {View} view */
  constructor(b, view) {
    this.b = b;
    this.view = view;
    this.life = lifeOf(b);
    this.strategies = new Set(b.sheet.things.Strategy || []);
    this.actions = new Set(b.actions || []);
    /** @type {Deed[]} */
    this.made = [];
    /** @type {Deed|null} */
    this.deed = null;
    this.frame = "";
    this.step = "";
    this.actor = this.turnOf = this.turnStep = -1;
    /** @type {Line|null} */
    this.last = null;
  }

  /** @param {Line} line */
  take(line) {
    // Lines are missing here, they will come: what stood before them is no part of what comes after.
    if (this.last && line.n > this.last.n + 1) this.deed = null;
    if (line.kind === EVENT.STEP) this.reached(line);
    else if (isChoice(line)) this.chosen(line);
    else if (line.kind === EVENT.RULE) this.ran(line);
    else if (line.kind === EVENT.END) this.begin(line, "end").said.push(line);
    else if (line.kind === EVENT.SAY || line.kind === EVENT.PICK) this.told(line);
    else this.happened(line);
    this.last = line;
  }

  /** @param {Line} line @param {string} kind @param {number} [who] */
  begin(line, kind, who = this.actor) {
    this.deed = {
      n: line.n, end: line.n, kind, who, by: line.by ?? -1, target: -1, frame: this.frame, step: this.step, words: [], rule: null,
      said: [], lines: [line], open: true, forced: false, midway: false,
    };
    this.made.push(this.deed);
    return this.deed;
  }

  /** @param {Line} line */
  join(line) {
    const deed = /** @type {Deed} */ (this.deed);
    deed.lines.push(line);
    deed.end = line.n;
    if (isOne(line, HAPPENS)) deed.open = false;
    return deed;
  }

  // The turn goes on: what was done in its step before is done. A sequence inside a deed only names its parts.
  /** @param {Line} line */
  reached(line) {
    const [who, step] = line.args;
    const deed = this.deed;
    if (deed && (line.title === deed.frame || (who >= 0 && deed.who >= 0 && who !== deed.who))) this.deed = null;
    const turn = String((this.b.looks && this.b.looks.turn) || "Turn");
    // Where nobody else has a turn in between, it begins anew with its first step.
    if (who >= 0 && line.title.endsWith(turn) && (who !== this.turnOf || step === this.turnStep)) {
      this.deed = null;
      this.turnOf = who;
      this.turnStep = step;
      this.begin(line, "turn", who);
      this.deed = null;
    }
    this.frame = line.title;
    this.step = stepOf(line);
    if (who >= 0) this.actor = who;
    if (this.deed) this.join(line);
  }

  /** @param {Line} line */
  chosen(line) {
    const verb = line.args[0];
    if (this.deed && (verb === VERB.DECLINE || verb === VERB.STOP)) { this.join(line); return; }
    if (verb === VERB.PASS || verb === VERB.DECLINE || verb === VERB.STOP) {
      const passed = this.begin(line, verb === VERB.PASS ? "pass" : "quiet");
      passed.forced = line.kind === EVENT.FORCED;
      this.deed = null;
      return;
    }
    const deed = this.deed;
    const goesOn = deed && this.last && ((isChoice(this.last) && deed.open) || (this.actor >= 0 && !this.isAction(verb) && deed.by === line.by && this.last.kind !== EVENT.STEP));
    if (deed && goesOn) this.join(line);
    else this.begin(line, "choice", this.chooser(line));
    const now = /** @type {Deed} */ (this.deed);
    if (verb !== VERB.STEP) now.words.push(line);
    const kinds = (this.b.sheet.verbs[verb] || {}).args || [];
    const at = kinds.indexOf("Actor");
    if (at >= 0 && now.target < 0 && line.args[1 + at] !== now.who) now.target = line.args[1 + at];
  }

  /** Whether a choice is an action of the book; others only say how one goes on. @param {number} verb */
  isAction(verb) {
    const site = this.b.sheet.sites[(this.b.sheet.verbs[verb] || {}).site ?? -1];
    return Boolean(site && this.actions.has(site.title));
  }

  /** Who chooses: whose turn it is, or else whom that seat leads, if it is one. @param {Line} line */
  chooser(line) {
    const now = this.view.actors[this.actor];
    if (now || line.by === undefined || line.by < 0) return this.actor;
    const led = this.view.actors.filter((a) => a.seat === line.by);
    return led.length === 1 ? led[0].id : -1;
  }

  /** @param {Line} line */
  ran(line) {
    const [who, target] = line.args;
    const deed = this.deed;
    if (deed && deed.open && !deed.rule) {
      this.join(line);
      Object.assign(deed, { rule: line, who: who >= 0 ? who : deed.who, target: target >= 0 ? target : deed.target });
    } else if (deed && (deed.open || who < 0) && (who === deed.who || who < 0)) this.join(line);
    else Object.assign(this.begin(line, "rule", who), { rule: line, target });
  }

  /** @param {Line} line */
  told(line) {
    // What a strategy is up to is no deed: what it does then is.
    if (this.strategies.has(line.title)) { this.deed = null; return; }
    const who = this.view.actors[line.args[1]];
    const speaker = who && line.text.startsWith(who.name) ? who.id : -1;
    if (this.deed) this.join(line);
    else this.begin(line, "said", speaker >= 0 ? speaker : -1);
    const deed = /** @type {Deed} */ (this.deed);
    deed.said.push(line);
    const others = line.args.slice(1).filter((id) => this.view.actors[id] && id !== deed.who && line.text.includes(this.view.actors[id].name));
    if (deed.target < 0 && others.length) deed.target = others[0];
  }

  /** @param {Line} line */
  happened(line) {
    if (this.deed) { this.join(line); return; }
    const change = line.kind === EVENT.CHANGE ? changed(this.b, this.view, line.args) : null;
    const opens = !isOne(line, QUIET) || (change && change.field === this.life && change.actor >= 0);
    const who = line.kind === EVENT.PLACE || line.kind === EVENT.PLAY ? line.args[0] : line.kind === EVENT.STATUS ? line.args[1] : change ? change.actor : -1;
    this.begin(line, opens ? "event" : "quiet", who);
    if (!opens) this.deed = null;
  }
}

/** What came of a deed, summed up. @param {Deed} deed @param {Book} b @param {View} view */
export function outcomes(deed, b, view) {
  const net = new Map(), places = new Map(), statuses = new Map(), plays = new Map();
  for (const { kind, args: a } of deed.lines) {
    if (kind === EVENT.CHANGE) net.set(`${a[0]}:${a[1]}`, net.has(`${a[0]}:${a[1]}`) ? [a[0], a[1], net.get(`${a[0]}:${a[1]}`)[2], a[3]] : a);
    else if (kind === EVENT.PLACE) places.set(a[0], [places.has(a[0]) ? places.get(a[0])[0] : a[1], a[2]]);
    else if (kind === EVENT.STATUS) statuses.set(`${a[0]}:${a[1]}`, a);
    else if (kind === EVENT.PLAY) plays.set(a[0], a[1]);
  }
  const life = lifeOf(b);
  const changes = [...net.values()].filter((a) => a[2] !== a[3]).map((a) => changed(b, view, a)).filter((c) => c !== null);
  return {
    life: changes.filter((c) => c.field === life && c.actor >= 0),
    changes: changes.filter((c) => c.field !== life || c.actor < 0),
    moves: [...places].filter(([, [from, to]]) => to >= 0 && from !== to).map(([id, [from, to]]) => ({ id, from, to })),
    statuses: [...statuses.values()].map(([status, actor, stacks, turns]) => ({ name: (b.sheet.statuses[status] || { name: "" }).name, actor, stacks, turns })),
    falls: [...plays].filter(([, entered]) => !entered).map(([id]) => id),
    enters: [...plays].filter(([, entered]) => entered).map(([id]) => id),
  };
}

/**
 * Dice rolled together by one rule, with the step that they were rolled for and what became of them, where that is known.
 * @param {Deed} deed @param {(n: number) => any} [tally] @returns {{step: string, dice: Line[], tally: any}[]}
 */
export function rolls(deed, tally = () => null) {
  /** @type {{step: string, dice: Line[], tally: any}[]} */
  const groups = [];
  // A step of the turn says nothing about the dice; one that was reached inside the deed does.
  let step = "", last = deed.lines[0];
  for (const line of deed.lines) {
    if (line.kind === EVENT.STEP) step = stepOf(line);
    if (line.kind !== EVENT.ROLL) continue;
    const group = groups[groups.length - 1], made = tally(line.n);
    if (group && line.n === last.n + 1 && line.title === last.title && line.line === last.line && made === group.tally) group.dice.push(line);
    else groups.push({ step: step || line.title || deed.step, dice: [line], tally: made });
    last = line;
  }
  return groups;
}

/** @param {string[]} parts */
const joined = (parts) => parts.filter(Boolean).map((p) => p.replace(/[.\s]+$/, "")).join(". ") + ".";

/**
 * The deed in one or a few sentences, as the log and the stage tell it.
 * @param {Deed} deed @param {Book} b @param {View} view
 */
export function sentence(deed, b, view) {
  const name = (/** @type {number} */ id) => (view.actors[id] ? view.actors[id].name : "");
  const who = name(deed.who) || seatName(deed, view);
  if (deed.kind === "turn") return `${who}${who.endsWith("s") ? "'" : "'s"} turn`;
  if (deed.kind === "pass") return deed.forced ? `Nothing else can be done: ${who || "the turn"} passes.` : `${who || "Somebody"}: pass.`;
  const out = outcomes(deed, b, view);
  const texts = deed.said.map((l) => l.text), statuses = out.statuses.filter((s) => s.name);
  const said = texts.filter((text, i) => texts.indexOf(text) === i && !statuses.some((s) => s.name === text));
  const parts = [...(isRepeated(deed, who, said) ? [] : [head(deed, who, b)]), ...said], first = parts.filter(Boolean).length;
  for (const { id, from, to } of out.moves) {
    const place = thingName(b, view, "Space", to);
    if (place) parts.push(from < 0 ? `${name(id)} appears at ${place}` : `${name(id)} moves to ${place}`);
  }
  for (const c of out.life) parts.push(`${name(c.actor)} ${c.by < 0 ? "loses" : "gains"} ${Math.abs(c.by)} ${c.field} (${c.by < 0 ? `${c.to} left` : `now ${c.to}`})`);
  for (const s of statuses) parts.push(s.stacks > 0 ? `${name(s.actor)} gets ${s.name}${s.stacks > 1 ? ` ×${s.stacks}` : ""}` : `${s.name} ends for ${name(s.actor)}`);
  parts.push(...gone(deed, out, name));
  if (parts.filter(Boolean).length === first && !said.length) parts.push(...numbers(deed, out.changes, name));
  if (cameToNothing(deed)) parts.push("Nothing comes of it");
  else if (missed(deed, out)) parts.push("No effect: it misses");
  return parts.some(Boolean) ? joined(parts) : "";
}

const YOU = "You";

/** Who chose, where nobody on the table did. @param {Deed} deed @param {View} view */
const seatName = (deed, view) => (deed.kind !== "choice" || deed.by < 0 ? "" : deed.by === view.seat ? YOU : (view.players || [])[deed.by] || "");

/** Whether the book says itself what was done, by whom: then it need not be said in front. @param {Deed} deed @param {string} who @param {string[]} said */
function isRepeated(deed, who, said) {
  const done = deed.rule ? deed.rule.title : "";
  return Boolean(who && done && said.length && said[0].startsWith(who) && said[0].includes(done));
}

/** Who is no longer there: who has fallen, and who only left, all at once when a fight is over. @param {Deed} deed @param {ReturnType<typeof outcomes>} out @param {(id: number) => string} name */
function gone(deed, out, name) {
  const told = out.falls.filter((id) => !isToldOf(deed, id)), lost = new Set(out.life.filter((c) => Number(c.to) <= 0).map((c) => c.actor));
  const left = told.filter((id) => !lost.has(id) && lost.size + told.length > 1).map(name);
  const fallen = told.filter((id) => !left.includes(name(id))).map((id) => `${name(id)} is out of play`);
  return left.length ? [...fallen, `${left.length > 1 ? `${left.slice(0, -1).join(", ")} and ${left.at(-1)} leave` : `${left[0]} leaves`} the board`] : fallen;
}

/** Whether the rule that took somebody out of play has said so in its own words. @param {Deed} deed @param {number} id */
function isToldOf(deed, id) {
  const fell = deed.lines.find((l) => l.kind === EVENT.PLAY && l.args[0] === id && !l.args[1]);
  return deed.said.some((l) => fell && l.title === fell.title && l.args[1] === id);
}

/** What a deed changed of which nothing else is told: not its price alone. @param {Deed} deed @param {any[]} changes @param {(id: number) => string} name */
function numbers(deed, changes, name) {
  if (deed.who < 0) return [];
  const chosen = deed.words.map(wordsOf).join(" ");
  const worth = changes.filter((c) => c.actor >= 0 && !c.flag && !(c.thing && chosen.includes(c.to)));
  const gained = worth.filter((c) => c.actor !== deed.who || c.thing || c.up);
  return (gained.length ? worth : []).slice(0, 3).map((c) => `${name(c.actor)}: ${c.part ? `${c.part}, ` : ""}${c.field} ${c.from} → ${c.to}`);
}

/** @param {Deed} deed @param {string} who @param {Book} b */
function head(deed, who, b) {
  if (deed.kind === "choice" && deed.words.length) {
    const verb = (/** @type {Line} */ l) => b.sheet.verbs[l.args[0]] || { text: "", args: [] };
    const isBare = (/** @type {Line} */ l) => verb(l).text.startsWith("{0}"), bare = deed.words.every(isBare);
    // The way that somebody goes is told by where it leads.
    const words = deed.words.filter((l) => bare || !isBare(l) || (verb(l).args || [])[0] !== "Space").map(wordsOf).join(", ");
    if (bare && who === YOU) return `${who} choose ${words}`;
    return !who || words.startsWith(`${who}:`) ? words : `${who}: ${words}`;
  }
  if (deed.rule && deed.lines.includes(deed.rule)) return deed.rule.text;
  return deed.said.length || deed.kind !== "event" ? "" : deed.lines[0].title && deed.lines[0].kind === EVENT.CHANGE ? deed.lines[0].title : "";
}

/** Whether somebody tried something and the rules let nothing come of it. @param {Deed} deed */
export const cameToNothing = (deed) => deed.kind === "choice" && !deed.midway && deed.rule !== null && !deed.said.length && deed.lines.every((l) => isOne(l, ["CHOSEN", "FORCED", "RULE", "STEP"]));

/** Whether dice were rolled at somebody and nothing came of it for them, without a word of the book. @param {Deed} deed @param {ReturnType<typeof outcomes>} out */
function missed(deed, out) {
  if (deed.midway || !deed.rule || deed.target < 0 || deed.target === deed.who || deed.said.length) return false;
  const felt = [out.life, out.moves, out.statuses, out.falls, out.enters, out.changes.filter((c) => c.actor !== deed.who)];
  return felt.every((some) => !some.length) && deed.lines.some((l) => l.kind === EVENT.ROLL);
}

/** The part of a deed from a line on, as the stage tells what is new. @param {Deed} deed @param {number} n @returns {Deed} */
export function partOf(deed, n) {
  const later = (/** @type {Line} */ l) => l.n >= n;
  return deed.n >= n ? deed : { ...deed, n, first: deed.n, lines: deed.lines.filter(later), said: deed.said.filter(later), words: deed.words.filter(later) };
}

/** Whether a deed is worth a moment on the stage. @param {Deed} deed @param {Book} b @param {View} view */
export function isShown(deed, b, view) {
  if (deed.kind === "quiet" || deed.kind === "turn") return false;
  return sentence(deed, b, view) !== "";
}

/** A line of the ledger under a deed, or nothing where no name can be put to it. @param {Line} line @param {Book} b @param {View} view */
export function ledger(line, b, view) {
  if (line.kind === EVENT.SHUFFLE || line.kind === EVENT.ORDER || line.kind === EVENT.LAY) return "";
  if (line.kind === EVENT.CHANGE) {
    const c = changed(b, view, line.args);
    if (!c) return "";
    const whose = [c.actor >= 0 ? view.actors[c.actor].name : "", c.part].filter(Boolean).join(", ");
    return `${whose ? `${whose}: ` : ""}${c.field} ${c.from} → ${c.to}`;
  }
  if (line.kind === EVENT.CHOSEN) return `Chosen: ${wordsOf(line)}`;
  if (line.kind === EVENT.FORCED) return `The only option: ${wordsOf(line)}`;
  return line.text;
}
