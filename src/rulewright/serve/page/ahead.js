// What options may bring: asked of the server while the person reads. `outlook.js` shows it.
import { ask } from "./api.js";
import { isFriend } from "./gifts.js";
import { isLife, lifeBar } from "./names.js";

/** @typedef {{text: string, chance: number, kind: string, id: number, who: string, what: string, name: string, mean: number, likely: string, short: string}} Chance */
/** @typedef {{option: number, exact: boolean, lines: number, sure: Chance[], may: Chance[], idle: boolean, why?: string, spends?: string[]|null, costs?: [string, number, number][]}} Foretold `idle`: nothing would come of it, and `why` */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").View} View */

const PATIENCE = 30, DWELL = 250, LATER = 2500, ENOUGH = 2000;
/* Milliseconds before all options are asked about, before one that is looked at, before a busy server is asked again; samples that are enough. */

export const FALLS = "leaves play", GOES = "leaves the board";
/* As the server words it: who has fallen, and who only goes. */

/** Odds of the decision on the table, kept until the next one. */
export class Ahead {
  /** @param {string} id @param {() => URLSearchParams} query @param {() => void} redraw */
  constructor(id, query, redraw) {
    this.id = id;
    this.query = query;
    /** Called when odds have come. */
    this.redraw = redraw;
    /** @type {Map<number, Foretold>} */
    this.told = new Map();
    /** @type {Map<number, Foretold>} As it was told first: options are put in order by it, and stay there. */
    this.first = new Map();
    this.version = -1;
    this.looked = -1;
    /** Whether the pointer is over the options, or a key was among them: then nothing changes its place, unless they are too new to be clicked. */
    this.over = false;
    this.fresh = () => false;
    /** Whether odds are still to come that may sort the options. */
    this.awaited = false;
    this.again = false;
    /** Why nothing would come of an option, if so. @type {(told: Foretold) => string} */
    this.vainly = () => "";
    /** Called with the odds of a whole decision. @type {(told: Map<number, Foretold>) => void} */
    this.learn = () => {};
    /** @type {any} */
    this.timer = 0;
    /** @type {any} */
    this.dwell = 0;
  }

  /** A state has come. @param {import("./types.js").State} state */
  follow(state) {
    if (state.version === this.version) return;
    this.close();
    this.version = state.version;
    this.told = new Map();
    this.first = new Map();
    this.looked = -1;
    this.again = false;
    this.awaited = Boolean(state.decision && state.decision.mine && state.decision.options.length > 1);
    if (state.decision && state.decision.mine && state.decision.options.length) this.timer = setTimeout(() => this.fetch(null), PATIENCE);
  }

  /** Somebody looks at an option, or at none. @param {number} index */
  look(index) {
    clearTimeout(this.dwell);
    this.looked = index;
    const known = this.told.get(index);
    if (index >= 0 && known && !known.exact && known.may.length && known.lines < ENOUGH) this.dwell = setTimeout(() => this.fetch(index), DWELL);
  }

  /** The pointer or a key comes to the options, or leaves them. @param {boolean} over */
  hover(over) {
    this.over = over;
    if (over || this.first.size || !this.told.size) return;
    this.first = new Map(this.told);
    this.redraw();
  }

  /** @param {number|null} option */
  async fetch(option) {
    const version = this.version, query = this.query();
    query.set("version", String(version));
    if (option !== null) query.set("option", String(option));
    try {
      const found = await ask("GET", `/api/tables/${this.id}/odds?${query}`);
      if (found.version !== version || this.version !== version) return;
      for (const one of found.options) { const why = this.vainly(one); this.told.set(one.option, { ...one, idle: Boolean(why), why, may: [...one.may].sort(goesLast) }); }
      if (option === null) this.learn(this.told);
      if (option === null && (!this.over || this.fresh())) this.first = new Map(this.told);
      this.awaited = false;
      this.redraw();
    } catch {
      // Odds are a help: without them the table goes on; a busy server is asked once more.
      if (this.version === version && option === null && !this.again) { this.again = true; this.timer = setTimeout(() => this.fetch(null), LATER); }
    }
  }

  /**
   * What is shown on the map of the option that is looked at: a word for each of its targets, and for others whose life it may touch.
   * @param {Set<string>} pointed @param {string|null} life @returns {Map<number, string>}
   */
  preview(pointed, life) {
    const told = this.told.get(this.looked), found = new Map();
    for (const { kind, id, what, short, name } of told ? [...told.may, ...told.sure.filter((c) => isLife(c.name, life))] : []) {
      if (what === GOES) continue; // a scene that may be over is nobody's fall
      const matters = pointed.has(`Actor:${id}`) || isLife(name, life) || what === FALLS;
      if (kind === "Actor" && matters && !found.has(id)) found.set(id, short);
    }
    return found;
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.dwell);
  }
}

/**
 * How much an option helps, as far as lives tell: what it takes from others, what it gives to one's own. Whoever falls loses as
 * much again: the last blow weighs more than the first.
 * @param {Foretold|undefined} told @param {View} view @param {string|null} life
 */
export function worth(told, view, life) {
  if (!told || !life) return 0;
  const all = [...told.sure, ...told.may].filter((c) => c.kind === "Actor"), good = (/** @type {Chance} */ c) => (isFriend(c.id, view) ? -1 : 1);
  const lost = all.reduce((sum, c) => sum + (isLife(c.name, life) ? -c.mean * good(c) : 0), 0);
  const fallen = all.reduce((sum, c) => sum + (c.what === FALLS ? c.chance * good(c) * (lifeBar(view.actors[c.id], life, view)?.now || 0) : 0), 0);
  // To the nearest whole: samples differ by less, and then the book's own order stays.
  return Math.round(lost + fallen);
}

/** Who only goes, as when a scene is over, is not what an option is taken for. @param {Chance} a @param {Chance} c */
const goesLast = (a, c) => Number(a.what === GOES) - Number(c.what === GOES);
