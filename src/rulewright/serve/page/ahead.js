// What options may bring: asked of the server while the person reads, shown beside each option and on the map.
import { html } from "./vendor/preact.js";
import { ask } from "./api.js";

/** @typedef {{text: string, chance: number, kind: string, id: number}} Chance */
/** @typedef {{option: number, exact: boolean, lines: number, sure: string[], may: Chance[], idle: boolean}} Foretold */

const PATIENCE = 150, DWELL = 250, ENOUGH = 2000;
/* Milliseconds before all options are asked about, before one that is looked at; samples that are enough. */

/** Odds of the decision on the table, kept until the next one. */
export class Ahead {
  /** @param {string} id @param {() => URLSearchParams} query @param {() => void} redraw */
  constructor(id, query, redraw) {
    this.id = id;
    this.query = query;
    this.redraw = redraw;
    /** @type {Map<number, Foretold>} */
    this.told = new Map();
    this.version = -1;
    this.looked = -1;
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
    this.looked = -1;
    if (state.decision && state.decision.mine && state.decision.options.length) this.timer = setTimeout(() => this.fetch(null), PATIENCE);
  }

  /** Somebody looks at an option, or at none. @param {number} index */
  look(index) {
    clearTimeout(this.dwell);
    this.looked = index;
    const known = this.told.get(index);
    if (index >= 0 && known && !known.exact && known.may.length && known.lines < ENOUGH) this.dwell = setTimeout(() => this.fetch(index), DWELL);
  }

  /** @param {number|null} option */
  async fetch(option) {
    const version = this.version, query = this.query();
    if (option !== null) query.set("option", String(option));
    try {
      const found = await ask("GET", `/api/tables/${this.id}/odds?${query}`);
      if (found.version !== version || this.version !== version) return;
      for (const one of found.options) this.told.set(one.option, one);
      this.redraw();
    } catch { /* Odds are a help: without them the table goes on. */ }
  }

  /**
   * What is shown on the map of the option that is looked at: a word for each of its targets, and for others whose life it may touch.
   * @param {Set<string>} pointed @param {string|null} life @returns {Map<number, string>}
   */
  preview(pointed, life) {
    const told = this.told.get(this.looked), found = new Map();
    for (const { kind, id, text } of told ? told.may : []) {
      const matters = pointed.has(`Actor:${id}`) || (life && text.includes(`: ${life} `)) || text.endsWith(" play");
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

/** One line under an option. */
export const Brief = (/** @type {{told: Foretold|undefined}} */ { told }) => {
  if (!told) return null;
  if (told.idle) return html`<span class="odds idle-why">Nothing would come of it now.</span>`;
  const sure = told.sure.slice(0, 3).join(", ");
  if (!sure && !told.may.length) return null;
  return html`<span class="odds">${sure ? html`<span class="sure">${sure}</span>` : null}${told.may.slice(0, 2).map((c) => html`<span class="may" key=${c.text}>${c.text}</span>`)}</span>`;
};

/** Everything about the option that is looked at. */
export const Closely = (/** @type {{told: Foretold|undefined, text: string}} */ { told, text }) => {
  if (!told || (!told.sure.length && !told.may.length)) return null;
  return html`<div class="closely" aria-live="off"><b>${text}</b>
    ${told.sure.length ? html`<p class="sure">${told.sure.join(", ")}</p>` : null}
    ${told.may.length ? html`<ul>${told.may.map((c) => html`<li key=${c.text}><span class="likely" style=${`--part:${Math.round(c.chance * 100)}%`}></span>${c.text}</li>`)}</ul>
      <p class="quiet">${told.exact ? `Of all ${told.lines} ways the dice can fall.` : `Of ${told.lines} tries with what you know.`} Up to the next decision.</p>` : null}</div>`;
};
