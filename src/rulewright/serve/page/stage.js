// The stage: deeds played one after the other on a copy of the view, while the true state is at hand all along.
//
// It holds no element. `view` is what the board shows; `now` the deed that is being played; `floats` are numbers
// that rise from a token. Whoever chooses early skips what is left.
import { EVENT, changed, lifeOf } from "./names.js";
import { calm } from "./dom.js";
import { MOST as FLOCK, moved } from "./flights.js";

/** @typedef {import("./tell.js").Deed} Deed */
/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Line} Line */

const DEED = 600, STEP = 130, MOST = 9000;
/* Milliseconds: of a deed, of one space on the way, of a whole show, which goes faster when there is more to tell. */
const BEFORE = 0.35;
/* The part of a deed in which only its words are there, before anything comes of it. */

export class Stage {
  /** @param {Book} b @param {() => void} draw @param {(deed: Deed) => void} tell @param {() => number} speed */
  constructor(b, draw, tell, speed) {
    this.b = b;
    this.draw = draw;
    this.tell = tell;
    this.speed = speed;
    this.life = lifeOf(b);
    /** @type {View|null} */
    this.view = null;
    /** @type {Deed|null} */
    this.now = null;
    /** @type {Deed|null} */
    this.last = null;
    /** @type {Deed[]} */
    this.queue = [];
    /** @type {{key: number, actor: number, text: string, kind: string, nth: number}[]} */
    this.floats = [];
    /** @type {Map<number, string>} */
    this.leaving = new Map();
    /** @type {Set<number>} */
    this.blows = new Set();
    /** @type {import("./flights.js").Flight[]} */
    this.flights = [];
    this.landed = (/** @type {number} */ key) => { this.flights = this.flights.filter((f) => f.key !== key); this.draw(); };
    this.paused = this.held = false;
    this.pace = 1;
    /** @type {any} */
    this.timer = 0;
    /** @type {(() => void)|null} */
    this.next = null;
    this.made = 0;
  }

  get playing() { return this.now !== null || this.queue.length > 0; }

  /** Cards that are on their way, or have yet to set out. */
  get arriving() {
    return new Set([...moved(this.b, this.queue.flatMap((d) => d.lines)), ...this.flights].map((f) => f.card).filter((card) => card >= 0));
  }

  /** @param {Deed[]} deeds @param {View} from where it begins */
  play(deeds, from) {
    if (!deeds.length) return;
    const speed = this.speed();
    if (speed === 0 || calm() || document.hidden) {
      for (const deed of deeds) { this.last = deed; this.tell(deed); }
      return;
    }
    if (!this.playing) this.view = from;
    this.queue.push(...deeds);
    this.pace = Math.max(speed, (this.queue.length * DEED) / MOST);
    if (!this.now) this.step();
  }

  /** @param {() => void} act @param {number} ms */
  wait(act, ms) {
    this.next = act;
    clearTimeout(this.timer);
    if (!this.paused) this.timer = setTimeout(act, ms / this.pace);
  }

  step() {
    const deed = this.queue.shift();
    if (!deed) { this.rest(); return; }
    this.now = this.last = deed;
    this.clear();
    this.tell(deed);
    this.draw();
    this.wait(() => this.happen(deed, 0), DEED * BEFORE);
  }

  // Everything of a deed at once, but for ways: those are walked space by space.
  /** @param {Deed} deed @param {number} at */
  happen(deed, at) {
    for (let i = at; i < deed.lines.length; i += 1) {
      const line = deed.lines[i];
      this.apply(line);
      if (line.kind === EVENT.CARD) this.fly(line);
      const walks = line.kind === EVENT.PLACE && deed.lines.slice(i + 1).some((l) => l.kind === EVENT.PLACE && l.args[0] === line.args[0]);
      if (walks) { this.draw(); this.wait(() => this.happen(deed, i + 1), STEP); return; }
    }
    this.draw();
    this.wait(() => this.step(), DEED * (1 - BEFORE));
  }

  /** @param {Line} line */
  apply(line) {
    const { kind, args } = line, view = this.view;
    if (!view) return;
    const change = (/** @type {number} */ id, /** @type {any} */ some) => {
      if (view.actors[id]) this.view = { .../** @type {View} */ (this.view), actors: /** @type {View} */ (this.view).actors.map((a) => (a.id === id ? { ...a, ...some } : a)) };
    };
    if (kind === EVENT.PLACE) change(args[0], { place: args[2] });
    else if (kind === EVENT.FACE) change(args[0], { facing: args[1] });
    else if (kind === EVENT.PLAY) { if (args[1]) change(args[0], { in_play: 1 }); else this.leave(args[0]); }
    else if (kind === EVENT.STATUS) this.status(args, change);
    else if (kind === EVENT.CHANGE) this.number(line, change);
  }

  /** @param {Line} line */
  fly(line) {
    for (const move of moved(this.b, [line])) {
      if (this.flights.length >= FLOCK) return;
      this.made += 1;
      this.flights = [...this.flights, { ...move, key: this.made, nth: this.flights.length }];
    }
  }

  // Whoever goes is still there until the deed is over: one who has no life left falls.
  /** @param {number} id */
  leave(id) {
    const actor = /** @type {View} */ (this.view).actors[id];
    if (!actor || !actor.in_play) return;
    const life = this.life ? actor.fields[this.life] : null;
    this.leaving.set(id, typeof life === "number" && life > 0 ? "leaves" : "falls");
  }

  // What the deed before has left on the stage goes. Cards that still fly may finish.
  clear() {
    const gone = this.leaving, view = this.view;
    if (view && gone.size) this.view = { ...view, actors: view.actors.map((a) => (gone.has(a.id) ? { ...a, in_play: 0 } : a)) };
    this.leaving = new Map();
    this.blows = new Set();
    this.floats = [];
  }

  /** @param {number} id whether the deed that is played has hurt them */
  struck(id) { return this.blows.has(id); }

  /** @param {number[]} args @param {(id: number, some: any) => void} change */
  status([status, id, stacks, turns], change) {
    const actor = /** @type {View} */ (this.view).actors[id], name = (this.b.sheet.statuses[status] || { name: "" }).name;
    if (!actor) return;
    const rest = actor.statuses.filter((s) => s.name !== name);
    change(id, { statuses: stacks > 0 ? [...rest, { name, stacks, turns }] : rest });
    if (name && stacks > 0) this.float(id, name, "status");
  }

  /** @param {Line} line @param {(id: number, some: any) => void} change */
  number(line, change) {
    const view = /** @type {View} */ (this.view), { args } = line;
    const told = changed(this.b, view, line);
    if (!told || told.actor < 0 || told.thing || this.b.sheet.fields[args[0]].of.length !== 1) return;
    const actor = view.actors[told.actor];
    const read = told.field in (actor.read || {}) ? { ...actor.read, [told.field]: actor.read[told.field] + told.by } : actor.read;
    change(told.actor, { fields: { ...actor.fields, [told.field]: args[3] }, read });
    if (told.field === this.life && told.by < 0) this.blows.add(told.actor);
    if (told.field === this.life && told.by) this.float(told.actor, told.by > 0 ? `+${told.by}` : `−${-told.by}`, told.by > 0 ? "up" : "down");
  }

  /** @param {number} actor @param {string} text @param {string} kind */
  float(actor, text, kind) {
    this.made += 1;
    this.floats = [...this.floats.slice(-7), { key: this.made, actor, text, kind, nth: this.floats.filter((f) => f.actor === actor).length }];
  }

  pause() {
    this.paused = !this.paused;
    if (this.paused) clearTimeout(this.timer);
    else if (this.next) this.wait(this.next, 0);
    this.draw();
  }

  // What was not shown is told all the same: nobody who listens misses a deed.
  skip() {
    for (const deed of this.queue) { this.last = deed; this.tell(deed); }
    this.queue = [];
    this.flights = [];
    this.end();
  }

  /**
   * For whoever steps through a match: everything as it is after so many of these deeds, the last of them played.
   * @param {Deed[]} deeds @param {View} from @param {number} part @param {boolean} slowly
   */
  upTo(deeds, from, part, slowly) {
    const shown = deeds.slice(0, part), last = shown[shown.length - 1];
    clearTimeout(this.timer);
    Object.assign(this, { now: null, next: null, queue: [], flights: [], paused: false, view: from, held: part < deeds.length, last: last || this.last });
    const before = slowly && !calm() && this.speed() ? shown.slice(0, -1) : shown;
    for (const deed of before) for (const line of deed.lines) this.apply(line);
    this.clear();
    if (before.length < shown.length) { this.pace = this.speed(); this.queue = [last]; this.step(); return; }
    if (last) this.tell(last);
    this.rest();
  }

  // Nothing is left to be played: the true state is shown, or what somebody who steps has come to.
  rest() {
    if (!this.held) { this.end(); return; }
    this.now = this.next = null;
    this.clear();
    this.draw();
  }

  end() {
    clearTimeout(this.timer);
    Object.assign(this, { now: null, next: null, view: null, paused: false, held: false });
    this.clear();
    this.draw();
  }

  close() {
    clearTimeout(this.timer);
    this.queue = [];
  }
}
