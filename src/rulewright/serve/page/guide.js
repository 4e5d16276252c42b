// A guided first match: what the book says before each choice, and which option it advises.
import { html } from "./vendor/preact.js";

/** @typedef {{says: string, choose: string}} Step */
/** @typedef {{seed: number, options: Record<string, string>, seats: string[], steps: Step[], closing: string}} Lesson */

const KEY = "rulewright-guided";
const ASTRAY = -1;
const KEPT = 20;

/** Tables of guided matches, and how many steps were taken at each. @returns {Record<string, number>} */
function all() {
  try { return JSON.parse(localStorage.getItem(KEY) || "{}"); } catch { return {}; }
}

/** A table that was opened for a guided match. @param {string} table */
export function beginGuide(table) {
  const kept = Object.entries(all()).slice(-KEPT);
  localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [table]: 0 }));
}

/** Where somebody is in a guided match. */
export class Guide {
  /** @param {string} table @param {Lesson|null|undefined} lesson */
  constructor(table, lesson) {
    const known = all();
    this.table = table;
    this.lesson = lesson || null;
    this.on = Boolean(lesson) && table in known;
    this.at = this.on ? known[table] : ASTRAY;
  }

  /** @param {number} at */
  go(at) {
    this.at = at;
    if (this.on) localStorage.setItem(KEY, JSON.stringify({ ...all(), [this.table]: at }));
  }

  /** What is said now, and the option that is advised. @param {string[]} offered texts of the options @returns {{says: string, advised: string, step: number}|null} */
  now(offered) {
    if (!this.on || !this.lesson) return null;
    if (this.at === ASTRAY) return { says: "You go your own way now; the match is yours.", advised: "", step: -1 };
    const { steps, closing } = this.lesson;
    if (this.at >= steps.length) return { says: closing, advised: "", step: -1 };
    const step = steps[this.at];
    if (offered.length && !offered.includes(step.choose)) {
      const last = steps[this.at - 1]; // it was taken back
      return last && offered.includes(last.choose) ? { says: last.says, advised: last.choose, step: this.at - 1 } : null;
    }
    // Choices in a row share what is said before the first of them.
    const said = steps.slice(0, this.at + 1).reverse().find((s) => s.says);
    return { says: said ? said.says : "", advised: step.choose, step: this.at };
  }

  /** Somebody has chosen. @param {string} text @param {string[]} offered */
  chose(text, offered) {
    const now = this.now(offered);
    if (now && now.advised) this.go(text === now.advised ? now.step + 1 : ASTRAY);
  }

  stop() {
    this.on = false;
    const { [this.table]: _, ...rest } = all();
    localStorage.setItem(KEY, JSON.stringify(rest));
  }
}

/** The words of the guide above the options. */
export const Advice = (/** @type {{guide: Guide, offered: string[], over: boolean, redraw: () => void}} */ { guide, offered, over, redraw }) => {
  const now = guide.now(offered);
  if (!now || !now.says || (over && now.advised)) return null;
  return html`<aside class="advice" aria-label="Guide"><p>${now.says}</p>
    ${now.advised && offered.length ? html`<p class="quiet">Advised: <b>${now.advised}</b></p>` : null}
    <button class="cite" onClick=${() => { guide.stop(); redraw(); }}>${now.advised ? "I go on by myself" : "Close"}</button></aside>`;
};
