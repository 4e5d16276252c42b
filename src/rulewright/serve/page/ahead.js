// What options may bring: asked of the server while the person reads, shown beside each option and on the map.
import { html, useEffect, useRef } from "./vendor/preact.js";
import { ask } from "./api.js";
import { isFriend } from "./gifts.js";

/** @typedef {{text: string, chance: number, kind: string, id: number, who: string, what: string, name: string, mean: number}} Chance */
/** @typedef {{option: number, exact: boolean, lines: number, sure: Chance[], may: Chance[], idle: boolean, why?: string, spends?: string[]|null}} Foretold `idle`: nothing would come of it, and `why` */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").View} View */

const PATIENCE = 30, DWELL = 250, ENOUGH = 2000;
/* Milliseconds before all options are asked about, before one that is looked at; samples that are enough. */

const FALLS = "leaves play", GOES = "leaves the board";
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
    if (option !== null) query.set("option", String(option));
    try {
      const found = await ask("GET", `/api/tables/${this.id}/odds?${query}`);
      if (found.version !== version || this.version !== version) return;
      for (const one of found.options) { const why = this.vainly(one); this.told.set(one.option, { ...one, idle: Boolean(why), why, may: [...one.may].sort(goesLast) }); }
      if (option === null) this.learn(this.told);
      if (option === null && (!this.over || this.fresh())) this.first = new Map(this.told);
      this.awaited = false;
      this.redraw();
    } catch { /* Odds are a help: without them the table goes on. */ }
  }

  /**
   * What is shown on the map of the option that is looked at: a word for each of its targets, and for others whose life it may touch.
   * @param {Set<string>} pointed @param {string|null} life @returns {Map<number, string>}
   */
  preview(pointed, life) {
    const told = this.told.get(this.looked), found = new Map();
    for (const { kind, id, text, name } of told ? [...told.may, ...told.sure.filter((c) => c.name === life)] : []) {
      const matters = pointed.has(`Actor:${id}`) || (life && name === life) || text.endsWith(" play");
      if (kind === "Actor" && matters && !found.has(id)) found.set(id, short(text));
    }
    return found;
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.dwell);
  }
}

/** "56 %: Wolf: HP −5 to −15 (−6.1 on average)" -> "56 % HP −6.1". @param {string} text */
export function short(text) {
  const [chance, ...rest] = / %$/.test(text.split(": ")[0]) ? text.split(": ") : ["", ...text.split(": ")];
  const what = rest.at(-1) || "";
  const mean = /\((\S+) on average\)/.exec(what);
  const name = what.replace(/ [+−]\d.*$/, "");
  return (mean ? `${chance} ${name} ${mean[1]}` : `${chance} ${what}`).trim();
}

/**
 * How much an option helps, as far as lives tell: what it takes from others, what it gives to one's own.
 * @param {Foretold|undefined} told @param {View} view @param {string|null} life
 */
export function worth(told, view, life) {
  if (!told || !life) return 0;
  const lives = [...told.sure, ...told.may].filter((c) => c.kind === "Actor" && c.name === life);
  // To the nearest whole: samples differ by less, and then the book's own order stays.
  return Math.round(lives.reduce((sum, c) => sum + (isFriend(c.id, view) ? c.mean : -c.mean), 0));
}

/** What is sure, whoever it befalls named once; whoever decides needs no name. @param {Chance[]} sure @param {string} self */
export function summed(sure, self) {
  /** @type {Map<string, string[]>} */
  const by = new Map();
  for (const c of sure) by.set(c.who, [...(by.get(c.who) || []), c.what]);
  return [...by].map(([who, what]) => `${who && who !== self ? `${who}${/ (play|the board)$/.test(what[0]) ? "" : ":"} ` : ""}${what.join(", ")}`);
}

/** @param {Chance[]} all @param {string[]} shared */
export const without = (all, shared) => all.filter((c) => !shared.includes(c.text));

/** What all of some options surely do. @param {(Foretold|undefined)[]} told @returns {Chance[]} */
export function sharedBy(told) {
  const [first, ...rest] = told;
  if (!first || rest.some((t) => !t)) return [];
  return first.sure.filter((c) => rest.every((t) => /** @type {Foretold} */ (t).sure.some((d) => d.text === c.text)));
}

/** One line under an option. */
export const Brief = (/** @type {{told: Foretold|undefined, shared?: string[], self?: string}} */ { told, shared = [], self = "" }) => {
  if (!told) return null;
  if (told.idle) return html`<span class="odds idle-why">${told.why}</span>`;
  const sure = summed(without(told.sure, shared).slice(0, 4), self).join("; ");
  if (!sure && !told.may.length) return null;
  return html`<span class="odds">${sure ? html`<span class="sure">${sure}</span>` : null}${told.may.slice(0, 2).map((c) => html`<span class="may" key=${c.text}>${c.text}</span>`)}</span>`;
};

/** A word on a chip: how likely it is, or what sets it apart; and whether whom it is done to may fall. @param {Foretold|undefined} told @param {string[]} shared @param {string} self @param {boolean} [few] */
export function chipWord(told, shared, self, few = false) {
  if (!told || told.idle) return "";
  const first = told.may[0], falls = few && first ? told.may.find((c) => c !== first && c.kind === first.kind && c.id === first.id && c.text === `${percent(c)}: ${c.who} ${FALLS}`) : null;
  if (first && first.chance < 0.9995 && !few) return first.text.split(":")[0];
  if (first) return falls ? `${short(first.text)}, ${percent(falls)} out` : short(first.text);
  return summed(without(told.sure, shared).slice(0, 1), self)[0] || "";
}

/** Who only goes, as when a scene is over, is not what an option is taken for. @param {Chance} a @param {Chance} c */
const goesLast = (a, c) => Number(a.what === GOES) - Number(c.what === GOES);

/** As the server words it. @param {Chance} c */
const percent = (c) => c.text.split(":")[0];

/** Everything about the option that is looked at, at its side: in the list it would push away what the pointer is on. */
export const Closely = (/** @type {{told: Foretold|undefined, text: string, says: string, why?: string|null, self?: string}} */ { told, text, says, why = "", self = "" }) => {
  const box = useRef(null), option = told ? told.option : -1;
  useEffect(() => {
    const card = /** @type {HTMLElement|null} */ (/** @type {any} */ (box.current)), at = document.querySelector(`.options [data-index="${option}"]`)?.getBoundingClientRect();
    if (!card || !at) return;
    const panel = document.querySelector(".decide")?.getBoundingClientRect().left || at.left;
    card.style.left = `${Math.max(4, panel - card.offsetWidth - 10)}px`;
    card.style.top = `${Math.max(4, Math.min(innerHeight - card.offsetHeight - 4, at.top - 8))}px`;
  });
  if (!told || (!told.sure.length && !told.may.length && !says && !why)) return null;
  return html`<div class="closely" aria-live="off" ref=${box}><b>${text}</b>${says ? html`<p>${says}</p>` : null}${why ? html`<p class="idle-why">${why}</p>` : null}
    ${told.sure.length ? html`<p class="sure">${summed(told.sure, self).join("; ")}</p>` : null}
    ${told.may.length ? html`<ul>${told.may.map((c) => html`<li key=${c.text}><span class="likely" style=${`--part:${Math.round(c.chance * 100)}%`}></span>${c.text}</li>`)}</ul>
      <p class="quiet">${told.exact ? `Of all ${told.lines} ways the dice can fall.` : `Of ${told.lines} tries with what you know.`} Up to the next decision; what happens anyway is left out.</p>` : null}</div>`;
};
