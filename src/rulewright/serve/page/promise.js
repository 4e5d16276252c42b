// Where the dice of a table come from: what was promised at the opening, and whether the seed at the end keeps it.
// The first promise that this browser saw is remembered, so that a server cannot put another in its place.
import { html } from "./vendor/preact.js";
import { sha256 } from "./hash.js";

/** @typedef {{commitment: string, chosen: boolean, seed: string | null}} Dice */

const KEY = "rulewright-promises";
const MOST = 400;
const CHOSEN = "Whoever opened this table chose the seed, and may know what the dice will be.";

/** @returns {Record<string, string>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) || "{}") || {};
  } catch {
    return {};
  }
}

/** What was promised for a table when it was first seen here; what it says now, if that is the first time.
 * @param {string} table @param {string} commitment */
export function promised(table, commitment) {
  const all = kept();
  if (!all[table] && commitment) {
    const rest = Object.entries(all).slice(1 - MOST);
    try {
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...rest, [table, commitment]])));
    } catch {
      // A full or forbidden store: then only what the server says can be compared.
    }
  }
  return all[table] || commitment;
}

/** What a seed, in hexadecimal, would have been promised by; null when it is none. @param {string} seed */
export function commitment(seed) {
  const digits = seed.trim().replace(/^0x/i, "");
  if (!/^[0-9a-f]{1,64}$/i.test(digits)) return null;
  const bytes = digits.padStart(64, "0").match(/../g)?.map((pair) => parseInt(pair, 16)) ?? [];
  return sha256(new Uint8Array([...new TextEncoder().encode("rulewright seed "), ...bytes]));
}

/** Whether the seed keeps the promise, in words. @param {string} seed @param {string} promise */
export function verdict(seed, promise) {
  const found = commitment(seed);
  if (found === null) return { kept: false, words: "That is no seed: it has up to 64 digits from 0 to f." };
  const kept = found === promise.trim().toLowerCase();
  return { kept, words: kept ? "The seed is the one that was promised." : "The seed is NOT the one that was promised." };
}

export const Dice = (/** @type {{table: string, dice: Dice | undefined}} */ { table, dice }) => {
  if (!dice) return null;
  if (dice.chosen) return html`<h2>Dice</h2><p class="chosen-seed">${CHOSEN}</p>`;
  const promise = promised(table, dice.commitment);
  const check = `/page/verify.html#${new URLSearchParams({ table, promise })}`;
  return html`<h2>Dice</h2><p>Promised at the opening: <code class="promise">${promise.slice(0, 16)}…</code>
    ${dice.seed === null ? "The seed is shown when the match is over." : verdict(dice.seed, promise).words} <a href=${check} target="_blank" rel="noopener">${dice.seed === null ? "How this is checked" : "Check it"}</a></p>`;
};

// That somebody chose the seed is told to everybody, and not only to those who look for it.
export const ChosenSeed = (/** @type {any} */ { state }) =>
  (state.dice?.chosen && state.players.filter((/** @type {any} */ p) => p.kind !== "bot").length > 1 ? html`<span class="chosen-seed" role="note" title=${CHOSEN}>Seed chosen</span>` : null);
