// Lines of a log -> deeds: who did what to whom, and what came of it. `sentence.js` has the words.
//
// A deed begins with a choice, with a rule that somebody runs, or with something that happens by itself; it ends
// when the turn goes on to its next step, or somebody else begins. What the rules only keep book of is quiet.
import { EVENT, VERB, changed, lifeOf, thingName, wordsOf } from "./names.js";

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
export const isOne = (/** @type {Line} */ line, /** @type {string[]} */ names) => names.some((name) => EVENT[name] === line.kind);

export const NOTHING = -1, SOMETHING = -2;
/* Verbs of what is asked: nothing in the midst of a deed, or something that is not known. */

export const isChoice = (/** @type {Line} */ l) => l.kind === EVENT.CHOSEN || l.kind === EVENT.FORCED;
/** The rule that lets one choose so. @param {Book} b @param {number} verb */
export const askerOf = (b, verb) => (b.sheet.sites[(b.sheet.verbs[verb] || {}).site ?? -1] || { title: "" }).title;

/** What the book calls a turn. @param {Book} b */
const turnOf = (b) => String((b.looks && b.looks.turn) || "Turn");
const isOf = (/** @type {string} */ text, /** @type {string} */ word) => text.toLowerCase().includes(word.toLowerCase());

/**
 * @param {Line[]} lines @param {Book} b @param {View} view @param {number} [asks] the verb of what somebody is asked in the midst of a deed
 * @returns {Deed[]}
 */
export function deedsOf(lines, b, view, asks = NOTHING) {
  const teller = new Teller(b, view);
  for (const line of lines) teller.take(line);
  if (asks !== NOTHING) teller.part(asks);
  if (asks !== NOTHING && teller.deed) teller.deed.midway = true;
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
    const turn = turnOf(this.b);
    // Where nobody else has a turn in between, it begins anew with its first step.
    if (who >= 0 && line.title.endsWith(turn) && (who !== this.turnOf || step === this.turnStep)) {
      this.deed = null;
      this.turnOf = who;
      this.turnStep = step;
      this.begin(line, "turn", who);
      this.deed = null;
    }
    this.frame = line.title;
    this.step = wordsOf(line);
    if (who >= 0) this.actor = who;
    if (this.deed) this.repeated(line, this.deed);
  }

  /**
   * A test that is made a second time within a deed, as by whoever strikes twice, is the next deed of the same.
   * @param {Line} line a step @param {Deed} deed
   */
  repeated(line, deed) {
    const before = deed.lines.findIndex((l) => l.kind === EVENT.STEP && l.title === line.title && l.args[0] === line.args[0] && l.args[1] === line.args[1]);
    const again = before >= 0 && deed.lines.slice(before).some((l) => l.kind === EVENT.ROLL);
    if (again) Object.assign(this.begin(line, "rule", deed.who), { rule: deed.rule, target: deed.target, by: deed.by, frame: deed.frame, step: deed.step, open: false });
    else this.join(line);
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
    this.part(verb);
    const deed = this.deed;
    const goesOn = deed && this.last && ((isChoice(this.last) && deed.open) || (this.actor >= 0 && !this.isAction(verb) && deed.by === line.by && this.last.kind !== EVENT.STEP));
    // Who answers in the midst of a deed: what comes of it is not known yet.
    if (deed && !goesOn && (!this.isAction(verb) || (deed.by !== line.by && deed.lines.some((l) => l.kind === EVENT.STEP)))) deed.midway = true;
    if (deed && goesOn) this.join(line);
    else this.begin(line, "choice", this.chooser(line));
    const now = /** @type {Deed} */ (this.deed);
    if (verb !== VERB.STEP) now.words.push(line);
    const kinds = (this.b.sheet.verbs[verb] || {}).args || [];
    const at = kinds.indexOf("Actor");
    if (at >= 0 && now.target < 0 && line.args[1 + at] !== now.who) now.target = line.args[1 + at];
  }

  /** @param {number} verb */
  asker(verb) { return askerOf(this.b, verb); }

  /** Whether a choice is an action of the book; others only say how one goes on. @param {number} verb */
  isAction(verb) { return this.actions.has(this.asker(verb)); }

  /** What a rule said just before it asks belongs to its question, not to the deed of other rules before it. @param {number} verb */
  part(verb) {
    const deed = this.deed, asker = this.asker(verb);
    if (!deed || !asker || this.isAction(verb)) return;
    const at = deed.lines.findLastIndex((l) => l.title !== asker || l.kind !== EVENT.SAY) + 1, said = deed.lines.slice(at);
    if (!at || !said.length || deed.lines.slice(0, at).some((l) => l.title === asker)) return;
    Object.assign(deed, { lines: deed.lines.slice(0, at), said: deed.said.filter((l) => !said.includes(l)), end: deed.lines[at - 1].n });
    Object.assign(this.begin(said[0], "said", -1), { lines: said, said, end: said[said.length - 1].n });
  }

  /** Who chooses: whose turn it is, if that seat leads them, or else whom it leads, if it is one. @param {Line} line */
  chooser(line) {
    const now = this.view.actors[this.actor];
    if (line.by === undefined || line.by < 0 || (now && (now.seat < 0 || now.seat === line.by))) return this.actor;
    const led = this.view.actors.filter((a) => a.seat === line.by), things = line.args.slice(1);
    // Who is chosen to be led has not chosen.
    const taken = ((this.b.sheet.verbs[line.args[0]] || {}).args || []).some((kind, i) => kind === "Actor" && led.some((a) => a.id === things[i]));
    return led.length === 1 && !taken ? led[0].id : -1;
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
    const who = this.view.actors[line.args[1]], passed = this.deed ? null : this.made.findLast((d) => d.kind !== "quiet");
    // The book says itself that a turn is over.
    if (passed && passed.kind === "pass" && !passed.said.length && who && who.id === passed.who && isOf(line.text, turnOf(this.b))) {
      Object.assign(passed, { said: [line], lines: [...passed.lines, line], end: line.n });
      return;
    }
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
    const change = line.kind === EVENT.CHANGE ? changed(this.b, this.view, line) : null;
    const opens = !isOne(line, QUIET) || (change && change.field === this.life && change.actor >= 0);
    const who = line.kind === EVENT.PLACE || line.kind === EVENT.PLAY ? line.args[0] : line.kind === EVENT.STATUS ? line.args[1] : change ? change.actor : -1;
    this.begin(line, opens ? "event" : "quiet", who);
    if (!opens) this.deed = null;
  }
}

/** The place that somebody came to, as it was called then: later another may lie there. @param {Line} line @param {Book} b @param {View} view */
function placeOf(line, b, view) {
  return wordsOf(line) || thingName(b, view, "Space", line.args[2]);
}

/** What came of a deed, summed up, each with the line that made it so. @param {Deed} deed @param {Book} b @param {View} view */
export function outcomes(deed, b, view) {
  const net = new Map(), places = new Map(), statuses = new Map(), plays = new Map();
  for (const line of deed.lines) {
    const { n, kind, args: a } = line, key = `${a[0]}:${a[1]}`;
    if (kind === EVENT.CHANGE) net.set(key, { first: net.has(key) ? net.get(key).first : line, last: line });
    else if (kind === EVENT.PLACE) places.set(a[0], { n, id: a[0], from: places.has(a[0]) ? places.get(a[0]).from : a[1], to: a[2], place: placeOf(line, b, view) });
    else if (kind === EVENT.STATUS) statuses.set(key, { n, args: a });
    else if (kind === EVENT.PLAY) plays.set(a[0], { n, id: a[0], entered: a[1] });
  }
  const life = lifeOf(b), changes = [];
  for (const { first, last } of net.values()) {
    const before = first.args[2] === last.args[3] ? null : changed(b, view, first), after = before && changed(b, view, last);
    if (before && after) changes.push({ ...after, from: before.from, by: last.args[3] - first.args[2], up: !after.thing && last.args[3] > first.args[2], n: last.n });
  }
  return {
    life: changes.filter((c) => c.field === life && c.actor >= 0),
    changes: changes.filter((c) => c.field !== life || c.actor < 0),
    moves: [...places.values()].filter(({ from, to }) => to >= 0 && from !== to),
    statuses: [...statuses.values()].map(({ n, args: [status, actor, stacks, turns] }) => ({ n, name: (b.sheet.statuses[status] || { name: "" }).name, actor, stacks, turns })),
    falls: [...plays.values()].filter(({ entered }) => !entered),
    enters: [...plays.values()].filter(({ entered }) => entered),
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
    if (line.kind === EVENT.STEP) step = wordsOf(line);
    if (line.kind !== EVENT.ROLL) continue;
    const group = groups[groups.length - 1], made = tally(line.n);
    if (group && line.n === last.n + 1 && line.title === last.title && line.line === last.line && made === group.tally) group.dice.push(line);
    else groups.push({ step: step || line.title || deed.step, dice: [line], tally: made });
    last = line;
  }
  return groups;
}

/** The part of a deed from a line on, as the stage tells what is new. @param {Deed} deed @param {number} n @returns {Deed} */
export function partOf(deed, n) {
  const later = (/** @type {Line} */ l) => l.n >= n;
  return deed.n >= n ? deed : { ...deed, n, first: deed.n, lines: deed.lines.filter(later), said: deed.said.filter(later), words: deed.words.filter(later) };
}
