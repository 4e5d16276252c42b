// A cover for each book: its own icons and colour where it names them, over a ground drawn from its name and the kind
// of its map. No pictures to load, always the same.
import { html } from "./vendor/preact.js";
import { drawn, icon } from "./ground.js";
import { hueOfWord } from "./names.js";

const [WIDE, TALL] = [320, 96];

/** The signs of a book's cover, as shapes. @param {any} b @returns {string[]} */
const signsOf = (b) => ((b.looks || {}).cover || []).map((/** @type {string} */ name) => drawn(b, name)).filter(Boolean);

/** The same in outline, for where there is nothing to show yet. */
export const Emblem = (/** @type {any} */ { b }) => {
  const signs = signsOf(b);
  return signs.length ? html`<svg class="emblem" viewBox=${`0 0 ${signs.length * 32} 32`} aria-hidden="true">${signs.map((inside, i) => icon(inside, 24, "icon", [i * 32 + 16, 16]))}</svg>` : null;
};

/** The same numbers for the same name, on every machine. @param {string} name */
function chance(name) {
  let seed = [...name].reduce((sum, c) => (Math.imul(sum, 33) ^ c.charCodeAt(0)) >>> 0, 5381);
  return () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed / 2 ** 32; };
}

export const Cover = (/** @type {any} */ { b }) => {
  const next = chance(b.name);
  const shapes = /** @type {any} */ ({ hex, square, spots, sectors: square })[b.maps[0]] || lines;
  const looks = b.looks || {}, signs = signsOf(b);
  const apart = Math.min(74, (WIDE - 40) / Math.max(1, signs.length));
  // The ground fills whatever shape the cover has; the signs are never cut.
  const box = `0 0 ${WIDE} ${TALL}`;
  return html`<svg class=${`cover${signs.length ? " signed" : ""}`} style=${`--hue:${looks.accent ? hueOfColour(looks.accent) : hueOfWord(b.name)}`} aria-hidden="true">
    <svg viewBox=${box} preserveAspectRatio="xMidYMid slice"><rect class="sky" width=${WIDE} height=${TALL} />${shapes(next)}${signs.length ? html`<rect class="veil" width=${WIDE} height=${TALL} />` : null}</svg>
    <svg viewBox=${box}>${signs.map((inside, i) => icon(inside, Math.min(58, apart * 0.8), "icon cover-icon", [WIDE / 2 + (i - (signs.length - 1) / 2) * apart, TALL / 2]))}</svg></svg>`;
};

/** The hue of #rgb or #rrggbb, in degrees. @param {string} colour */
export function hueOfColour(colour) {
  const hex = colour.slice(1), wide = hex.length === 3 ? [...hex].map((c) => c + c).join("") : hex;
  const [r, g, b] = [0, 2, 4].map((at) => parseInt(wide.slice(at, at + 2), 16) / 255);
  const most = Math.max(r, g, b), span = most - Math.min(r, g, b);
  if (!span) return 30;
  const part = most === r ? ((g - b) / span + 6) % 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4;
  return Math.round(part * 60);
}

/** @param {() => number} next */
const tone = (next) => `c${Math.floor(next() * 4)}`;

/** @param {() => number} next */
function hex(next) {
  const r = 22, found = [];
  for (let q = 0; q < 11; q += 1) for (let s = 0; s < 4; s += 1) {
    const x = q * r * 1.5, y = (s + (q % 2) / 2) * r * 1.732;
    const points = Array.from({ length: 6 }, (_, i) => `${(x + r * 0.94 * Math.cos((i * Math.PI) / 3)).toFixed(1)},${(y + r * 0.94 * Math.sin((i * Math.PI) / 3)).toFixed(1)}`).join(" ");
    found.push(html`<polygon class=${tone(next)} points=${points} />`);
  }
  return found;
}

/** @param {() => number} next */
const square = (next) => Array.from({ length: 40 }, (_, i) => html`<rect class=${tone(next)} x=${(i % 10) * 32 + 1} y=${Math.floor(i / 10) * 32 - 15} width="30" height="30" rx="3" />`);

/** @param {() => number} next */
const spots = (next) => Array.from({ length: 18 }, (_, i) => html`<rect class=${tone(next)} x=${(i % 9) * 36 + 6} y=${Math.floor(i / 9) * 48 + (i % 2 ? 2 : 8)} width="27" height="38" rx="4"
  transform=${`rotate(${(next() * 10 - 5).toFixed(1)} ${(i % 9) * 36 + 20} ${Math.floor(i / 9) * 48 + 25})`} />`);

/** @param {() => number} next */
const lines = (next) => Array.from({ length: 9 }, (_, i) => html`<rect class=${tone(next)} x="24" y=${12 + i * 9} width=${(60 + next() * 200).toFixed(0)} height="3.5" rx="1.7" />`);
