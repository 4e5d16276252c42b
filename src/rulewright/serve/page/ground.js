// What spaces look like: a tint and a texture for each kind of ground, by its place in the book's own list; an icon
// where the book names one. The commonest ground of a map is plain.
import { html } from "./vendor/preact.js";
import { ICONS } from "./vendor/icons.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */

export const TINTS = 10;
const TEXTURES = ["dots", "waves", "hatch", "bricks", "cross", "ticks", "rings", "zig", "back", "grain"];
const PATHS = {
  dots: "M3 3h.01M9 9h.01", waves: "M0 6q3-4 6 0t6 0", hatch: "M0 12L12 0M-2 2L2-2M10 14l4-4", bricks: "M0 0h12M0 6h12M3 0v6M9 6v6",
  cross: "M0 0l12 12M12 0L0 12", ticks: "M3 8l2-4M8 10l2-4", rings: "M6 3a3 3 0 1 0 .01 0", zig: "M0 8l3-4 3 4 3-4 3 4", back: "M6 0l6 6-6 6-6-6z",
  grain: "M1 2h2M7 5h3M3 9h2M9 11h2",
};

/** The patterns, once for each map. */
export const textures = () => html`<defs>${TEXTURES.map((name) => html`
  <pattern id=${`tx-${name}`} width="12" height="12" patternUnits="userSpaceOnUse" key=${name}>
    <path class="texture" d=${/** @type {any} */ (PATHS)[name]} /></pattern>`)}
  <marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5" markerHeight="5" orient="auto"><path class="tip" d="M0 0l10 5-10 5z" /></marker></defs>`;

/** @param {string} name @param {number} size @param {string} [kind] */
export function icon(name, size, kind = "icon") {
  const inside = /** @type {Record<string, string>} */ (ICONS)[name];
  if (!inside) return null;
  return html`<g class=${kind} transform=${`translate(${-size / 2} ${-size / 2}) scale(${size / 24})`} aria-hidden="true" dangerouslySetInnerHTML=${{ __html: inside }} />`;
}

/** The same for HTML. @param {string} name */
export function glyph(name) {
  const inside = /** @type {Record<string, string>} */ (ICONS)[name];
  return inside ? html`<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML=${{ __html: inside }} />` : null;
}

/** @param {Book} b @param {string} name @returns {string} */
export const iconOf = (b, name) => ((b.looks && b.looks.icons) || {})[name] || "";

/** The ground that most spaces have: it needs no texture and no word. @param {number[]} terrain */
export function commonest(terrain) {
  const counts = new Map();
  for (const kind of terrain) counts.set(kind, (counts.get(kind) || 0) + 1);
  return [...counts].sort((a, c) => c[1] - a[1])[0]?.[0] ?? -1;
}

/** How one kind of ground is drawn. @param {Book} b @param {number} kind @param {number} plain */
export function look(b, kind, plain) {
  const name = kind >= 0 ? (b.sheet.things.Terrain || [])[kind] || "" : "";
  if (!name || kind === plain) return { name: kind === plain && kind >= 0 ? name : "", tint: "plain", texture: "", icon: iconOf(b, name) };
  return { name, tint: `t${kind % TINTS}`, texture: TEXTURES[kind % TEXTURES.length], icon: iconOf(b, name) };
}
