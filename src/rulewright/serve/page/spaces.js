// Spaces of the map: ground, what lies there, what is wanted of them; and the parts of a map that have a name.
import { html } from "./vendor/preact.js";
import { press } from "./dom.js";
import { SIZE, hexagon, outline } from "./geometry.js";
import { icon, iconOf } from "./ground.js";
import { hueOf, hueOfWord, initials } from "./names.js";
import { pure } from "./pure.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").View} View */
/** @typedef {{name: string, of: string, text: string, kind: string, colour?: string, sign?: string}} Mark */

const SHOWN = 4;
/* Marks drawn in one space; the rest are in its words. */

export const place = (/** @type {{x: number, y: number}} */ { x, y }) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;

/** A mark in the colour that its name is, where it is one. @param {string} name */
export const markColour = (name) => (CSS.supports("color", name) ? name : `hsl(${hueOfWord(name)} 55% 42%)`);

/** What lies in a space: things it holds, numbers, flags. @param {Record<string, any>} fields @param {Book} b @param {View} view @returns {Mark[]} */
export function marksOf(fields, b, view) {
  return Object.entries(fields || {}).filter(([, v]) => v && (typeof v !== "object" || v.name)).map(([name, v]) => {
    if (typeof v !== "object") return v === 1 ? { name, of: "", text: "", kind: "flag", sign: iconOf(b, name) } : { name: `${name} ${v}`, of: name, text: String(v), kind: "counter", colour: markColour(name) };
    const actor = v.kind === "Actor" ? view.actors[v.id] : null;
    return { name: v.name, of: name, text: initials(v.name), kind: "piece", sign: iconOf(b, v.name) || (actor ? iconOf(b, actor.template) : ""), colour: actor ? `hsl(${hueOf(actor, view)} 56% var(--disc))` : markColour(v.name) };
  });
}

/** Cards that lie in a space, by the number of the space. @param {View} view @returns {Map<number, string[]>} */
export function lyingOf(view) {
  const found = new Map();
  for (const zone of view.zones) for (const card of zone.cards) for (const v of Object.values(card.fields || {})) {
    if (v && typeof v === "object" && v.kind === "Space" && v.id >= 0) found.set(v.id, [...(found.get(v.id) || []), card.name]);
  }
  return found;
}

/** Spaces that the match itself names: an exit, a goal. @param {View} view @returns {Map<number, string>} */
export function goalsOf(view) {
  const found = new Map();
  for (const [name, v] of Object.entries(view.fields)) if (v && typeof v === "object" && v.kind === "Space" && v.id >= 0) found.set(v.id, [found.get(v.id), name].filter(Boolean).join(", "));
  return found;
}

const MarkPiece = (/** @type {any} */ { mark, x, y, r }) => html`<g class=${`mark-piece ${mark.kind}`} transform=${place({ x, y })} style=${`--mark:${mark.colour || markColour(mark.name)}`}>
  ${mark.kind === "flag" && mark.sign ? icon(mark.sign, r * 2, "icon mark-icon") : mark.kind === "flag" ? html`<path d=${`M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}`} />`
    : mark.kind === "card" ? html`<rect x=${-r * 0.75} y=${-r} width=${r * 1.5} height=${r * 2} rx="2" />` : html`<circle r=${r} /><circle class="sheen" r=${r} />`}
  ${mark.kind === "piece" && mark.sign ? icon(mark.sign, r * 1.4, "icon token-icon") : mark.text ? html`<text y=${r * 0.36} font-size=${r * (mark.text.length > 2 ? 0.8 : 1.05)}>${mark.text}</text>` : null}
  <title>${mark.name}</title></g>`;

const Marks = (/** @type {{marks: Mark[], taken: boolean}} */ { marks, taken }) => (marks.length === 1 && !taken && marks[0].kind === "piece"
  ? html`<${MarkPiece} mark=${marks[0]} x=${0} y=${-3} r=${SIZE * 0.5} />`
  : marks.slice(0, SHOWN).map((mark, i) => html`<${MarkPiece} key=${mark.name + mark.of} mark=${mark} x=${taken ? -SIZE * 0.68 : (i - (Math.min(SHOWN, marks.length) - 1) / 2) * 19} y=${taken ? (i - 0.6) * 15 : SIZE * 0.34} r=${taken ? 6.5 : 8.5} />`));

/** Steps up, and how many: beside whoever stands there, for above are numbers of theirs. */
const Levels = (/** @type {{levels: number, grid: string, taken: boolean}} */ { levels, grid, taken }) => html`
  ${Array.from({ length: levels }, (_, i) => (grid === "hex" ? html`<polygon class="level" points=${hexagon(SIZE * (0.84 - 0.14 * i))} />` : html`<rect class="level" x=${-SIZE * (0.74 - 0.12 * i)} y=${-SIZE * (0.74 - 0.12 * i)} width=${SIZE * (1.48 - 0.24 * i)} height=${SIZE * (1.48 - 0.24 * i)} rx="4" />`))}
  <text class="height" x=${SIZE * (taken ? 0.7 : 0.5)} y=${SIZE * (taken ? 0.16 : -0.4)}>▲${levels}</text>`;

export const Space = pure(({ cell, grid, wide, name, ground, levels, marks, goal, options, pointed, taken, pick }) => {
  const label = [name, goal, ground.name, ...marks.map((/** @type {Mark} */ m) => (m.of ? `${m.of} ${m.name}` : m.name))].filter(Boolean).join(", ") || "space";
  const w = SIZE * (wide ? wide - 0.04 : 0.84), tall = SIZE * 0.84;
  const shape = (/** @type {string} */ kind, /** @type {string} */ fill = "") => (grid === "hex"
    ? html`<polygon class=${kind} style=${fill} points=${hexagon(SIZE * 0.975)} />`
    : html`<rect class=${kind} style=${fill} x=${-w} y=${-tall} width=${2 * w} height=${2 * tall} rx=${grid === "spots" || wide ? 7 : 2} />`);
  const choose = options ? () => pick({ kind: "Space", id: cell.id }) : undefined;
  const roomy = wide || grid === "spots", said = roomy && ground.name && ground.tint !== "plain" ? ground.name : "";
  return html`<g class=${`space ${ground.tint}${options ? " lit" : ""}${pointed ? " pointed" : ""}`} transform=${place(cell)} data-space=${cell.id} data-key=${`s${cell.id}`}
    role=${options ? "button" : "img"} tabindex=${options ? "0" : null} aria-label=${options ? `${label}, can be chosen` : label}
    onClick=${choose} onKeyDown=${choose ? press(choose) : undefined}>
    ${shape("ground")}${ground.texture ? shape("grain", `fill:url(#tx-${ground.texture})`) : null}
    ${levels ? html`<${Levels} levels=${levels} grid=${grid} taken=${taken} />` : null}
    ${ground.icon ? icon(ground.icon, SIZE * (taken ? 0.62 : 0.86), `icon ground-icon${taken ? " under" : ""}`, taken ? [-SIZE * 0.42, -SIZE * 0.34] : [0, 0]) : null}
    <title>${label}</title>
    ${taken ? null : html`<text class="name" y=${SIZE * 0.74}>${name}</text>`}
    ${said ? html`<text class="ground-name" y=${-SIZE * 0.62}>${said.length > (wide ? 22 : 14) ? `${said.slice(0, wide ? 21 : 13)}…` : said}</text>` : null}
    ${goal ? html`<text class="goal" y=${-SIZE * (taken ? 0.88 : said ? 0.3 : 0.52)}>⚑ ${goal}</text>` : null}
    <${Marks} marks=${marks} taken=${taken} />
  </g>`;
});

/** Whether the spaces of a part say its name already: "East Wing 1", "East Wing 2". @param {string} name @param {string[]} spaces */
const isSaid = (name, spaces) => spaces.every((space) => space.startsWith(name));

const APART = [96, 15];
/* How far names must be from each other, in units: across and down. */

/**
 * Where the name of a part stands: over one of its topmost spaces, where no other name is.
 * @param {{x: number, y: number}[]} spots @param {{x: number, y: number}[]} taken
 */
const free = (spots, taken) => spots.find((s) => !taken.some((t) => Math.abs(t.x - s.x) < APART[0] && Math.abs(t.y - s.y) < APART[1])) || spots[0];

/** The named parts of a map, each with its outline and its name on it. */
export const Regions = pure((/** @type {any} */ { map, cells, wide, names }) => {
  const at = new Map(cells.map((/** @type {any} */ c) => [c.id, c]));
  const zones = Object.entries(map.zones || {}).map(([name, ids]) => ({ name, cells: /** @type {number[]} */ (ids).map((id) => at.get(id)).filter(Boolean) }))
    .filter((z) => z.cells.length && z.cells.length < cells.length && !(wide && isSaid(z.name, z.cells.map((c) => names[c.id] || ""))));
  /** @type {{x: number, y: number}[]} */
  const taken = [];
  return html`<g class="parts">${zones.map((zone, i) => {
    const { path, spots } = outline(zone.cells, map.grid, wide, 2.2 + 2.4 * (i % 2));
    const { x, y } = free(spots, taken);
    taken.push({ x, y });
    return html`<g key=${zone.name} class="part" data-part=${zone.name} style=${`--hue:${hueOfWord(zone.name)}`}><path d=${path} /><text x=${x} y=${y}>${zone.name}</text></g>`;
  })}</g>`;
});
