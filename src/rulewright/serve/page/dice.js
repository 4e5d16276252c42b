// Dice and turned-up cards, drawn.
import { html } from "./vendor/preact.js";
import { playing } from "./faces.js";
import { EVENT } from "./names.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").Line} Line */

/** @type {Record<number, number[]>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
/** @type {Record<number, string>} */
const SHAPES = {
  4: "M16 3 L30 28 H2 Z", 8: "M16 1 L30 16 L16 31 L2 16 Z", 10: "M16 1 L30 13 L24 28 H8 L2 13 Z",
  12: "M16 1 L27 6 L31 17 L25 28 H7 L1 17 L5 6 Z", 20: "M16 1 L30 9 V23 L16 31 L2 23 V9 Z", 100: "M16 2 a14 14 0 1 0 .01 0 Z",
};

/** @param {number} sides @param {number} face @param {string|null} word */
function die(sides, face, word) {
  const label = word || `${face + 1} on a d${sides}`;
  if (word) return html`<span class="die word" title=${`${label}, a die with ${sides} faces`}>${word}</span>`;
  const six = sides === 6 || !SHAPES[sides];
  return html`<svg class=${`die${sides === 6 ? "" : " numbered"}`} viewBox="0 0 32 32" role="img" aria-label=${label}>
    ${six ? html`<rect x="2" y="2" width="28" height="28" rx="6" class="body" />` : html`<path d=${SHAPES[sides]} class="body" />`}
    ${sides === 6 ? PIPS[face + 1].map((p) => html`<circle key=${p} cx=${8.5 + 7.5 * (p % 3)} cy=${8.5 + 7.5 * Math.floor(p / 3)} r="2.6" class="pip" />`)
      : html`<text x="16" y=${sides === 4 ? 24 : 21}>${face + 1}</text>`}
    <title>${label}</title></svg>`;
}

/** @param {Book} b @param {Line} line */
export function dieOf(b, line) {
  const [sides, face, kind] = line.args;
  const named = kind > 0 ? (b.sheet.dice || [])[kind - 1] : null;
  return die(sides, face, named && b.sheet.things[named] ? b.sheet.things[named][face] : null);
}

/** @param {Book} b @param {number} index among the zones of all owners */
export function zoneAt(b, index) {
  let left = index;
  for (const zone of b.sheet.zones) {
    const owners = zone.of ? (b.sheet.things[zone.of] || []).length : 1;
    if (left < owners) return zone;
    left -= owners;
  }
  return null;
}

/** A card that was turned up: from a pile nobody sees to one that all see. @param {Book} b @param {Line} line */
export function isFlip(b, line) {
  if (line.kind !== EVENT.CARD || line.args[0] < 0 || line.args[1] <= 0 || line.args[2] <= 0) return false;
  const [from, to] = [zoneAt(b, line.args[1] - 1), zoneAt(b, line.args[2] - 1)];
  return Boolean(from && to && from.seen === "nobody" && to.seen === "all");
}

/** @param {Line} line */
const cardOf = (line) => line.text.split(" moves")[0];

/** @param {Book} b @param {Line} line */
export function flip(b, line) {
  const name = cardOf(line), face = (b.sheet.things.Face || []).indexOf(name);
  return html`<span class="flip" role="img" aria-label=${`turned up: ${name}`}>${playing(b, face) || name}</span>`;
}
