// What became of dice: which of them counted, what they came to and against what; sums behind a deed.
//
// The server runs the choice once more for it, so it is asked only about deeds that somebody looks at: those that
// are played, and those that are opened in the log. One answer is about every roll of that choice. One question is
// on its way at a time: of deeds that follow each other faster, only the newest is asked about.
import { ask } from "./api.js";
import { isFlip } from "./dice.js";
import { EVENT } from "./names.js";

/** @typedef {import("./tell.js").Deed} Deed */
/** @typedef {import("./types.js").Book} Book */
/** @typedef {{title: string, text: string}} Sum */
/** @typedef {{dice: [number, number][], text: string, against: string}} Tally */

const KEPT = 200, PAUSE = 3000, TRIES = 4;
/* Deeds that are remembered; milliseconds that a busy server is left alone, twice as long each time; how often it is asked. */

export class Reckoning {
  /** @param {Book} b @param {string} id @param {() => URLSearchParams} query @param {() => void} draw */
  constructor(b, id, query, draw) {
    this.b = b;
    this.id = id;
    this.query = query;
    this.draw = draw;
    /** @type {Map<number, Sum[]>} */
    this.sums = new Map();
    /** @type {Map<number, Tally>} */
    this.tallies = new Map();
    this.asking = false;
    this.pause = PAUSE;
    /** @type {Map<number, number>} How often something was asked for that came too late. */
    this.late = new Map();
    /** @type {Deed|null} */
    this.wanted = null;
    this.of = (/** @type {number} */ line) => this.tallies.get(line) || null;
    /** Somebody opens a deed: what came too late before is asked for anew. @type {(deed: Deed) => void} */
    this.look = (deed) => {
      const first = this.asksFor(deed);
      if (first && (this.late.get(first.n) || 0) >= TRIES) { this.late.delete(first.n); this.sums.delete(first.n); }
      this.about(deed);
    };
  }

  /** The line that is asked about, where there is something to ask. @param {Deed} deed */
  asksFor(deed) {
    const first = deed.lines.find((l) => l.kind === EVENT.RULE) || deed.lines.find((l) => this.isThrow(l));
    return deed.lines.some((l) => this.isThrow(l)) ? first : undefined;
  }

  /** What was taken back may come otherwise. */
  forget() {
    this.sums.clear();
    this.tallies.clear();
    this.late.clear();
  }

  /** The sums of a deed, once they are known; asks for them. @param {Deed} deed @returns {Sum[]} */
  about(deed) {
    const first = this.asksFor(deed);
    if (!first) return [];
    const known = this.sums.get(first.n);
    if (known) return known;
    if (this.sums.size > KEPT) this.forget();
    if (this.asking) { this.wanted = deed; return []; }
    this.sums.set(first.n, []);
    this.asking = true;
    ask("GET", `/api/tables/${this.id}/why/${first.n}?${this.query()}`).then((told) => this.learn(first.n, told, deed), () => {}).then(() => this.next());
    return [];
  }

  next() {
    const deed = this.wanted;
    this.asking = false;
    this.wanted = null;
    if (deed) this.about(deed);
  }

  /** What the server had no time for is asked for again. @param {number} n @param {{sums: Sum[], tallies: Tally[], late?: boolean}} told @param {Deed} [deed] */
  learn(n, told, deed) {
    const tries = (this.late.get(n) || 0) + 1;
    if (told.late && deed && tries <= TRIES) {
      this.late.set(n, tries);
      if (tries < TRIES) setTimeout(() => { this.sums.delete(n); this.about(deed); }, this.pause * 2 ** (tries - 1));
    }
    if (told.late) return;
    this.sums.set(n, told.sums);
    for (const tally of told.tallies) for (const [line] of tally.dice) this.tallies.set(line, tally);
    this.draw();
  }

  /** @param {import("./types.js").Line} line */
  isThrow(line) { return line.kind === EVENT.ROLL || isFlip(this.b, line); }
}
