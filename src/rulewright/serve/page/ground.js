// What things look like: a tint and a texture for each kind of ground, icons for whatever the book names. A book says
// it in its front matter or in a column of a table; without that, kinds of ground differ by their place in the list.
import { html } from "./vendor/preact.js";
import { ICONS } from "./vendor/icons.js";

/** @typedef {import("./types.js").Book} Book */

export const TINTS = ["ember", "leaf", "earth", "water", "violet", "straw", "stone", "mist", "rose", "grey"];
const TEXTURES = ["dots", "tufts", "hatch", "ripples", "cross", "ticks", "rings", "peaks", "diamonds", "grain", "bricks", "planks"];
/** @type {Record<string, string>} */
const PATHS = {
  dots: "M3 3h.01M9 9h.01", ripples: "M0 4q3-3 6 0t6 0M-3 10q3-3 6 0t6 0 6 0", hatch: "M0 12L12 0M-2 2L2-2M10 14l4-4", bricks: "M0 0h12M0 6h12M3 0v6M9 6v6",
  cross: "M0 0l12 12M12 0L0 12", ticks: "M3 8l2-4M8 10l2-4", rings: "M6 3.5a2.5 2.5 0 1 0 .01 0M1 1.2a1 1 0 1 0 .01 0", peaks: "M0 9l3-5 3 5 3-5 3 5", diamonds: "M6 0l6 6-6 6-6-6z",
  grain: "M1 2h2M7 5h3M3 9h2M9 11h2", tufts: "M2 6q0-2-1-3M2 6q0-2 1-3M8 11q0-2-1-3M8 11q0-2 1-3", planks: "M0 0h12M0 4h12M0 8h12M4 0v4M9 4v4M2 8v4",
};

/** The patterns, once for each map. */
export const textures = () => html`<defs>${TEXTURES.map((name) => html`
  <pattern id=${`tx-${name}`} width="12" height="12" patternUnits="userSpaceOnUse" key=${name}>
    <path class="texture" d=${PATHS[name]} /></pattern>`)}
  <radialGradient id="sheen" cx=".36" cy=".26" r=".8"><stop offset="0" stop-color="#fff" stop-opacity=".38" /><stop offset=".5" stop-color="#fff" stop-opacity="0" /><stop offset="1" stop-color="#000" stop-opacity=".26" /></radialGradient>
  <marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5" markerHeight="5" orient="auto"><path class="tip" d="M0 0l10 5-10 5z" /></marker></defs>`;

/** A drawing in the map. @param {string} inside its shapes, as iconOf gives them @param {number} size @param {string} [kind] @param {number[]} [at] */
export function icon(inside, size, kind = "icon", [x, y] = [0, 0]) {
  if (!inside) return null;
  return html`<g class=${kind} transform=${`translate(${(x - size / 2).toFixed(1)} ${(y - size / 2).toFixed(1)}) scale(${(size / 24).toFixed(3)})`} aria-hidden="true" dangerouslySetInnerHTML=${{ __html: inside }} />`;
}

/** The same beside words. @param {string} inside @param {string} [kind] */
export const glyph = (inside, kind = "glyph") => (inside ? html`<svg class=${kind} viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML=${{ __html: inside }} />` : null);

const PATH = /^[Mm][MmLlHhVvCcSsQqTtAaZz0-9eE .,+-]+$/;
/* What of SVG a book may bring: a path. The server has looked at that of front matter, here is what tables say. */

/** The shapes of an icon: one that the book draws itself, one of the set, or a glyph. @param {Book} b @param {string} icon @returns {string} */
export function drawn(b, icon) {
  const own = ((b.looks && b.looks.pictures) || {})[icon] || icon;
  if (PATH.test(own) && /\d/.test(own)) return `<path d="${own}" />`;
  const known = /** @type {Record<string, string>} */ (ICONS)[icon];
  if (known) return known;
  // A sign or two, such as those of playing cards.
  return icon.length <= 4 && /[^\x00-\x7f]/.test(icon) ? `<text class="sign" x="12" y="13" font-size="${icon.length > 1 ? 15 : 20}">${icon.replace(/[<&]/g, "")}</text>` : "";
}

/** What a column of the book's own table says of a thing. @param {Book} b @param {string} kind @param {string} column @param {string} name */
function inTable(b, kind, column, name) {
  const values = (b.sheet.columns[kind] || {})[column];
  return values ? String(values[(b.sheet.things[kind] || []).indexOf(name)] || "") : "";
}

const KINDS = ["Face", "Terrain", "Status", "Template"];
/* Kinds of things whose tables may have a column Icon. */

/** The shapes that stand for a thing, or nothing. @param {Book} b @param {string} name @returns {string} */
export function iconOf(b, name) {
  if (!name) return "";
  // Wolf 2 looks like a Wolf.
  for (const called of [name, name.replace(/ \d+$/, "")]) {
    const said = ((b.looks && b.looks.icons) || {})[called] || KINDS.map((kind) => inTable(b, kind, "Icon", called)).find(Boolean);
    if (said) return drawn(b, said);
  }
  return "";
}

/** The ground that most spaces have: it needs no texture and no word. @param {number[]} terrain */
export function commonest(terrain) {
  const counts = new Map();
  for (const kind of terrain) counts.set(kind, (counts.get(kind) || 0) + 1);
  return [...counts].sort((a, c) => c[1] - a[1])[0]?.[0] ?? -1;
}

/** @typedef {{name: string, tint: string, texture: string, icon: string}} Look */

/** How one kind of ground is drawn. @param {Book} b @param {number} kind @param {number} plain @returns {Look} */
export function look(b, kind, plain) {
  const name = kind >= 0 ? (b.sheet.things.Terrain || [])[kind] || "" : "", looks = b.looks || {};
  const said = (/** @type {string} */ key, /** @type {string} */ column) => (looks[key] || {})[name] || inTable(b, "Terrain", column, name);
  const tint = said("tints", "Tint"), texture = said("textures", "Texture");
  const usual = !name || kind === plain;
  return {
    name,
    tint: tint ? `t${TINTS.indexOf(tint)}` : usual ? "plain" : `t${kind % TINTS.length}`,
    texture: texture || (usual ? "" : TEXTURES[kind % TEXTURES.length]),
    icon: iconOf(b, name),
  };
}
