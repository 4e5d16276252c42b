// Dice and turned-up cards, drawn.
import { html } from "./vendor/preact.js";
import { playing } from "./faces.js";
import { icon, iconOf } from "./ground.js";
import { EVENT, pileOf, wordsOf } from "./names.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").Line} Line */

/** @type {Record<number, number[]>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
/** @type {Record<number, string>} */
const SHAPES = {
  4: "M16 3 L30 28 H2 Z", 8: "M16 1 L30 16 L16 31 L2 16 Z", 10: "M16 1 L30 13 L24 28 H8 L2 13 Z",
  12: "M16 1 L27 6 L31 17 L25 28 H7 L1 17 L5 6 Z", 20: "M16 1 L30 9 V23 L16 31 L2 23 V9 Z", 100: "M16 2 a14 14 0 1 0 .01 0 Z",
};

/** Edges that are seen from above: by them a die is known. @type {Record<number, string>} */
const FACETS = {
  4: "M16 3V28", 8: "M2 16H30", 10: "M16 1L8 19L16 31L24 19ZM2 13L8 19M30 13L24 19", 12: "M16 7L25 14L22 24H10L7 14ZM16 7V1M25 14L31 17M22 24L25 28M10 24L7 28M7 14L1 17",
  20: "M16 6L26 23H6ZM16 6V1M26 23L30 23M6 23L2 23M16 6L2 9M16 6L30 9M26 23L16 31M6 23L16 31", 100: "M6 10A14 14 0 0 1 26 10",
};
const LETTER = 9.6;
/* How wide a letter of a face is. */

/** @param {number} sides @param {number} face @param {string} part */
function die(sides, face, part) {
  const label = `${face + 1} on a d${sides}${part}`, six = sides === 6 || !SHAPES[sides];
  return html`<svg class=${`die${sides === 6 ? "" : " numbered"}`} viewBox="0 0 32 32" role="img" aria-label=${label}>
    ${six ? html`<rect x="2" y="2" width="28" height="28" rx="6" class="body" />` : html`<path d=${SHAPES[sides]} class="body" />`}
    ${FACETS[sides] ? html`<path class="facet" d=${FACETS[sides]} />` : null}
    ${sides === 6 ? PIPS[face + 1].map((p) => html`<circle key=${p} cx=${8.5 + 7.5 * (p % 3)} cy=${8.5 + 7.5 * Math.floor(p / 3)} r="2.6" class="pip" />`)
      : html`<text x="16" y=${sides === 4 ? 24 : 21}>${face + 1}</text>`}
    <title>${label}</title></svg>`;
}

/** A die with words for faces: the icon that the book has for the word, or the word. @param {Book} b @param {number} sides @param {string} word @param {string} part */
function symbol(b, sides, word, part) {
  const label = `${word}, a die with ${sides} faces${part}`, sign = iconOf(b, word), wide = sign ? 32 : Math.max(32, word.length * LETTER + 14);
  return html`<svg class="die symbol" viewBox=${`0 0 ${wide} 32`} style=${`--wide:${(wide / 32).toFixed(2)}`} role="img" aria-label=${label}>
    <rect x="2" y="2" width=${wide - 4} height="28" rx="6" class="body" /><rect class="facet" x="5" y="5" width=${wide - 10} height="22" rx="4" />
    ${sign ? icon(sign, 20, "icon die-icon", [16, 16]) : html`<text x=${wide / 2} y="21.5">${word}</text>`}<title>${label}</title></svg>`;
}

/** @param {Book} b @param {Line} line @param {string} [part] whether it counts */
export function dieOf(b, line, part = "") {
  const [sides, face, kind] = line.args;
  const named = kind > 0 ? (b.sheet.dice || [])[kind - 1] : null, word = named && (b.sheet.things[named] || [])[face];
  const more = part ? `, ${part}` : "";
  return word ? symbol(b, sides, word, more) : die(sides, face, more);
}

/** A card that was turned up: from a pile nobody sees to one that all see. @param {Book} b @param {Line} line */
export function isFlip(b, line) {
  if (line.kind !== EVENT.CARD || line.args[0] < 0) return false;
  const [from, to] = [pileOf(b, line.args[1]), pileOf(b, line.args[2])];
  return Boolean(from && to && from.zone.seen === "nobody" && to.zone.seen === "all");
}

/** @param {Book} b @param {Line} line */
export function flip(b, line) {
  const name = wordsOf(line), face = (b.sheet.things.Face || []).indexOf(name);
  return html`<span class="flip" role="img" aria-label=${`turned up: ${name}`}>${playing(b, face) || name}</span>`;
}
