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

const KEPT = 200, PAUSE = 3000;
/* Deeds that are remembered; milliseconds that a busy server is left alone. */

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
    /** @type {Set<number>} Asked for twice: that must do. */
    this.again = new Set();
    /** @type {Deed|null} */
    this.wanted = null;
    this.of = (/** @type {number} */ line) => this.tallies.get(line) || null;
    this.look = (/** @type {Deed} */ deed) => { this.about(deed); };
  }

  /** What was taken back may come otherwise. */
  forget() {
    this.sums.clear();
    this.tallies.clear();
    this.again.clear();
  }

  /** The sums of a deed, once they are known; asks for them. @param {Deed} deed @returns {Sum[]} */
  about(deed) {
    const first = deed.lines.find((l) => l.kind === EVENT.RULE) || deed.lines.find((l) => this.isThrow(l));
    if (!first || !deed.lines.some((l) => this.isThrow(l))) return [];
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

  /** What the server had no time for is asked for once more. @param {number} n @param {{sums: Sum[], tallies: Tally[], late?: boolean}} told @param {Deed} [deed] */
  learn(n, told, deed) {
    if (told.late && deed && !this.again.has(n)) {
      this.again.add(n);
      setTimeout(() => { this.sums.delete(n); this.about(deed); }, this.pause);
    }
    if (told.late) return;
    this.sums.set(n, told.sums);
    for (const tally of told.tallies) for (const [line] of tally.dice) this.tallies.set(line, tally);
    this.draw();
  }

  /** @param {import("./types.js").Line} line */
  isThrow(line) { return line.kind === EVENT.ROLL || isFlip(this.b, line); }
}
