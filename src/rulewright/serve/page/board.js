// The map in SVG: ground, marks, tokens that glide, the deed that is being played.
import { Component, html } from "./vendor/preact.js";
import { Camera } from "./camera.js";
import { press } from "./dom.js";
import { SIZE, around, cellsOf, currentMap, hexagon, standing, worded } from "./geometry.js";
import { commonest, icon, iconOf, look, textures } from "./ground.js";
import { acting, hueOf, hueOfWord, initials, isOwn, lifeBar, lifeOf } from "./names.js";
import { pure } from "./pure.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").View} View */

const place = (/** @type {{x: number, y: number}} */ { x, y }) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;

/** What lies in a space: things it holds, numbers, flags. @param {Record<string, any>} fields */
export function marksOf(fields) {
  return Object.entries(fields || {}).filter(([, v]) => v && (typeof v !== "object" || v.name)).map(([name, v]) =>
    (typeof v === "object" ? { name: v.name, of: name, text: initials(v.name), kind: "piece" }
      : v === 1 ? { name, of: "", text: "", kind: "flag" } : { name: `${name} ${v}`, of: name, text: String(v), kind: "counter" }));
}

/** Spaces that the match itself names: an exit, a goal. @param {View} view @returns {Map<number, string>} */
export function goalsOf(view) {
  const found = new Map();
  for (const [name, v] of Object.entries(view.fields)) if (v && typeof v === "object" && v.kind === "Space" && v.id >= 0) found.set(v.id, [found.get(v.id), name].filter(Boolean).join(", "));
  return found;
}

/** A mark in the colour that its name is, where it is one. @param {string} name */
export const markColour = (name) => (CSS.supports("color", name) ? name : `hsl(${hueOfWord(name)} 55% 42%)`);

const Mark = (/** @type {any} */ { mark, x, y, r }) => html`<g class=${`mark-piece ${mark.kind}`} transform=${place({ x, y })} style=${`--mark:${markColour(mark.name)}`}>
  ${mark.kind === "flag" ? html`<path d=${`M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}`} />` : html`<circle r=${r} />`}
  ${mark.text ? html`<text y=${r * 0.36} font-size=${r * (mark.text.length > 2 ? 0.8 : 1.05)}>${mark.text}</text>` : null}
  <title>${mark.name}</title></g>`;

const Space = pure(({ cell, map, wide, name, terrain, tint, texture, sign, levels, marks, goal, options, pointed, taken, pick }) => {
  const label = [map.grid === "spots" ? "" : name, goal, terrain, ...marks.map((/** @type {any} */ m) => (m.of ? `${m.of} ${m.name}` : m.name))].filter(Boolean).join(", ") || "space";
  const w = SIZE * (wide ? 1.01 : 0.84), tall = SIZE * 0.84;
  const shape = (/** @type {string} */ kind, /** @type {string} */ fill = "") => (map.grid === "hex"
    ? html`<polygon class=${kind} style=${fill} points=${hexagon(SIZE * 0.975)} />`
    : html`<rect class=${kind} style=${fill} x=${-w} y=${-tall} width=${2 * w} height=${2 * tall} rx=${map.grid === "spots" || wide ? 7 : 2} />`);
  const choose = options ? () => pick({ kind: "Space", id: cell.id }) : undefined;
  const alone = marks.length === 1 && !taken && marks[0].kind === "piece";
  return html`<g class=${`space ${tint}${options ? " lit" : ""}${pointed ? " pointed" : ""}`} transform=${place(cell)} data-space=${cell.id} data-key=${`s${cell.id}`}
    role=${options ? "button" : "img"} tabindex=${options ? "0" : null} aria-label=${options ? `${label}, can be chosen` : label}
    onClick=${choose} onKeyDown=${choose ? press(choose) : undefined}>
    ${shape("ground")}${texture ? shape("grain", `fill:url(#tx-${texture})`) : null}
    ${Array.from({ length: levels }, (_, i) => (map.grid === "hex" ? html`<polygon class="level" points=${hexagon(SIZE * (0.82 - 0.16 * i))} />` : null))}
    ${levels ? html`<text class="height" y="6">${levels}</text>` : null}
    ${sign ? icon(sign, SIZE * 0.9, "icon ground-icon") : null}
    <title>${label}</title>
    ${map.grid === "spots" || taken ? null : html`<text class="name" y=${SIZE * 0.74}>${name}</text>`}
    ${terrain && tint !== "plain" ? html`<text class="ground-name" y=${-SIZE * (wide ? 0.64 : 0.58)}>${terrain.length > (wide ? 22 : 13) ? `${terrain.slice(0, wide ? 21 : 12)}…` : terrain}</text>` : null}
    ${goal ? html`<text class="goal" y=${-SIZE * 0.3}>⚑ ${goal}</text>` : null}
    ${alone ? html`<${Mark} mark=${marks[0]} x=${0} y=${-3} r=${SIZE * 0.5} />`
      : marks.slice(0, 4).map((/** @type {any} */ mark, /** @type {number} */ i) => html`<${Mark} key=${mark.name} mark=${mark} x=${(i - (Math.min(4, marks.length) - 1) / 2) * 17} y=${SIZE * 0.4} r=${7.5} />`)}
  </g>`;
});

const Token = pure(({ actor, x, y, r, hue, own, now, acts, hurt, options, pointed, sign, life, grid, pick }) => {
  const bar = life && life.top > 0 ? life : null;
  const part = bar ? Math.max(0, Math.min(1, bar.now / bar.top)) : 0;
  const turns = grid === "hex" ? 60 : 45;
  const label = [actor.name, life ? `${life.name} ${life.now}${life.top ? ` of ${life.top}` : ""}` : "", ...actor.statuses.map((/** @type {any} */ s) => s.name), options ? "can be chosen" : ""].filter(Boolean).join(", ");
  const choose = options ? () => pick({ kind: "Actor", id: actor.id }) : undefined;
  const short = actor.name.length > 14 ? `${actor.name.slice(0, 13)}…` : actor.name;
  return html`<g class=${`token${options ? " lit" : ""}${own ? " own" : ""}${now ? " now" : ""}${acts ? " acts" : ""}${hurt ? " hurt" : ""}${pointed ? " pointed" : ""}`}
    style=${`--hue:${hue};transform:translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`} data-key=${`a${actor.id}`}
    role=${options ? "button" : "img"} tabindex=${options ? "0" : null} aria-label=${label}
    onClick=${choose ? (/** @type {Event} */ e) => { e.stopPropagation(); choose(); } : undefined} onKeyDown=${choose ? press(choose) : undefined}>
    <g class="figure"><circle class="halo" r=${r + 4} /><circle class="disc" r=${r} />
    ${actor.facing >= 0 && (grid === "hex" || grid === "square") ? html`<path class="nose" d=${`M0 ${-r - 13} l9 13 h-18 z`} transform=${`rotate(${actor.facing * turns})`} />` : null}
    ${sign ? icon(sign, r * 1.25, "icon token-icon") : html`<text class="letters" y=${r * 0.3} font-size=${r * (initials(actor.name).length > 2 ? 0.64 : 0.8)}>${initials(actor.name)}</text>`}
    ${bar ? html`<rect class="life" x=${-r} y=${r + 1} width=${2 * r} height="6" rx="3" /><rect class=${`left${part < 0.34 ? " low" : ""}`} x=${-r} y=${r + 1} width=${(2 * r * part).toFixed(1)} height="6" rx="3" />` : null}
    ${life ? html`<text class="points" x=${r * 0.86} y=${-r * 0.52}>${life.now}</text>` : null}
    ${actor.statuses.slice(0, 5).map((/** @type {any} */ s, /** @type {number} */ i) => html`<g key=${s.name} class="pip" transform=${`translate(${-r * 0.9 + i * 9} ${-r * 0.72})`}><circle r="5" style=${`fill:hsl(${hueOfWord(s.name)} 60% 38%)`} /><text y="2.6">${s.name[0]}</text><title>${s.name}${s.stacks > 1 ? ` ×${s.stacks}` : ""}</title></g>`)}
    <text class="called" y=${r + (bar ? 17 : 11)}>${short}</text></g>
    <title>${label}</title></g>`;
});

/** Who does what to whom, drawn over the map. */
const Deed = (/** @type {any} */ { deed, at }) => {
  const from = deed && at.get(deed.who), to = deed && deed.target >= 0 && deed.target !== deed.who && at.get(deed.target);
  return from && to ? html`<path class="aimed" d=${`M${from.x} ${from.y}L${to.x + (from.x - to.x) * 0.18} ${to.y + (from.y - to.y) * 0.18}`} marker-end="url(#tip)" />` : null;
};

/** @typedef {{b: Book, state: State, view: View, lit: import("./types.js").Lit, pointed: Set<string>, preview: Map<number, string>, stage: any, peaks: Map<number, number>, pick: (thing: any) => void}} BoardProps */

/** @extends {Component<BoardProps>} */
export class Board extends Component {
  /** @param {any} props */
  constructor(props) {
    super(props);
    /** @type {Camera|null} */
    this.camera = null;
    this.legend = "";
    /** @type {Map<string, number>} */
    this.plain = new Map();
    /** @type {any} */
    this.keptMarks = new Map();
  }

  componentDidMount() {
    this.camera = new Camera(this.base.querySelector("svg.map"));
    this.aim();
  }

  componentDidUpdate() { this.aim(); }
  componentWillUnmount() { if (this.camera) this.camera.close(); }

  aim() {
    const { b, state, lit } = this.props;
    const map = currentMap(b, state), cells = cellsOf(b, map, state);
    const actors = state.view.actors.filter((a) => a.in_play);
    const wanted = cells.filter((c) => lit.has(`Space:${c.id}`) || actors.some((a) => a.place === c.id));
    if (this.camera) this.camera.look(around(cells, SIZE * (worded(b, map) ? 1.35 : 1.12)), wanted.length ? around(wanted, SIZE * 1.9) : null, map.name);
  }

  // Equal marks are the same list, so that a space is drawn again only when something in it has changed.
  /** @param {number} id @param {Record<string, any>} fields */
  marks(id, fields) {
    const key = JSON.stringify(fields);
    const kept = this.keptMarks.get(id);
    if (kept && kept.key === key) return kept.marks;
    const made = { key, marks: marksOf(fields) };
    this.keptMarks.set(id, made);
    return made.marks;
  }

  /** @param {BoardProps} props */
  render({ b, state, view, lit, pointed, preview, stage, peaks, pick }) {
    const map = currentMap(b, state), cells = cellsOf(b, map, state), wide = worded(b, map);
    const at = new Map(cells.map((c) => [c.id, c]));
    const spots = standing(view, at), terrain = state.board.terrain || [];
    const some = cells.map((c) => terrain[c.id] ?? -1);
    if (!this.plain.has(map.name) && some.length) this.plain.set(map.name, commonest(some));
    const plain = this.plain.get(map.name) ?? -1;
    const now = acting(state), deed = stage.now, life = lifeOf(b);
    const taken = new Set(view.actors.filter((a) => a.in_play).map((a) => a.place));
    const goals = goalsOf(view);
    const levels = (b.sheet.columns.Terrain || {}).Level || [];
    const seen = [...new Set(some)].map((kind) => look(b, kind, plain)).filter((l) => l.name && l.tint !== "plain");
    return html`<div class=${`frame${cells.length ? "" : " bare"}`}>
      <div class="over-map">
        <ul class="legend" aria-label="Kinds of ground">${seen.slice(0, 8).map((l) => html`<li key=${l.name}><svg viewBox="0 0 16 16" aria-hidden="true"><rect class=${`ground-key ${l.tint}`} width="16" height="16" rx="3" /><rect width="16" height="16" style=${`fill:url(#tx-${l.texture})`} /></svg>${l.name}</li>`)}</ul>
        <div class="camera" role="group" aria-label="Zoom">
          <button class="icon" aria-label="Zoom in" title="Zoom in" onClick=${() => this.camera && this.camera.by(1.4)}>+</button>
          <button class="icon" aria-label="Zoom out" title="Zoom out" onClick=${() => this.camera && this.camera.by(1 / 1.4)}>−</button>
          <button class="icon" aria-label="Show the whole map" title="Show the whole map" onClick=${() => this.camera && this.camera.whole()}>⤢</button>
        </div>
      </div>
      <svg class=${`map ${map.grid}${wide ? " sectors" : ""}`} role="group" tabindex="0" aria-label="Map. Plus and minus zoom, cursor keys move it, 0 shows what matters.">
        ${textures()}
        <g>${cells.map((cell) => {
          const info = view.spaces[cell.id] || { name: "", fields: {} };
          const ground = look(b, terrain[cell.id] ?? -1, plain);
          return html`<${Space} key=${cell.id} cell=${this.same(cell)} map=${map} wide=${wide} name=${info.name} terrain=${ground.name} tint=${ground.tint} texture=${ground.texture} sign=${ground.icon}
            levels=${Number(levels[terrain[cell.id]]) || 0} marks=${this.marks(cell.id, info.fields)} goal=${goals.get(cell.id) || ""} options=${lit.has(`Space:${cell.id}`)} pointed=${pointed.has(`Space:${cell.id}`)} taken=${taken.has(cell.id)} pick=${pick} />`;
        })}</g>
        <${Deed} deed=${deed} at=${spots} />
        <g>${view.actors.filter((a) => spots.has(a.id)).map((a) => {
          const bar = lifeBar(a, life);
          const spot = /** @type {{x: number, y: number, r: number}} */ (spots.get(a.id));
          const key = bar ? `${bar.now}/${bar.top || peaks.get(a.id) || 0}` : "";
          return html`<${Token} key=${a.id} actor=${a} x=${spot.x} y=${spot.y} r=${spot.r} hue=${hueOf(a, view)} own=${isOwn(a, view)} now=${a.id === now} acts=${Boolean(deed && deed.who === a.id)} hurt=${Boolean(deed && deed.target === a.id)}
            options=${lit.has(`Actor:${a.id}`)} pointed=${pointed.has(`Actor:${a.id}`)} sign=${iconOf(b, a.template) || iconOf(b, a.name)} life=${this.life(a.id, key, bar, peaks)} grid=${map.grid} pick=${pick} />`;
        })}</g>
        <g class="floats" aria-hidden="true">${stage.floats.filter((/** @type {any} */ f) => spots.has(f.actor)).map((/** @type {any} */ f) => {
          const spot = /** @type {{x: number, y: number, r: number}} */ (spots.get(f.actor));
          return html`<g key=${f.key} transform=${place({ x: spot.x, y: spot.y - spot.r })}><text class=${`float ${f.kind}`}>${f.text}</text></g>`;
        })}</g>
        <g class="foreseen" aria-hidden="true">${[...preview].filter(([actor]) => spots.has(actor)).map(([actor, text]) => {
          const spot = /** @type {{x: number, y: number, r: number}} */ (spots.get(actor));
          return html`<g key=${actor} transform=${place({ x: spot.x, y: spot.y - spot.r - 10 })}><rect x=${-text.length * 2.5 - 5} y="-10" width=${text.length * 5 + 10} height="14" rx="7" /><text>${text}</text></g>`;
        })}</g>
      </svg>
      <p class="plain quiet">Nothing has been laid yet.</p></div>`;
  }

  /** @param {import("./geometry.js").Cell} cell */
  same(cell) {
    this.keptCells = this.keptCells || new Map();
    const kept = this.keptCells.get(cell.id);
    if (kept && kept.x === cell.x && kept.y === cell.y) return kept;
    this.keptCells.set(cell.id, cell);
    return cell;
  }

  /** @param {number} id @param {string} key @param {any} bar @param {Map<number, number>} peaks */
  life(id, key, bar, peaks) {
    this.keptLife = this.keptLife || new Map();
    const kept = this.keptLife.get(id);
    if (kept && kept.key === key) return kept.bar;
    const made = bar && { ...bar, top: bar.top || peaks.get(id) || 0 };
    this.keptLife.set(id, { key, bar: made });
    return made;
  }
}
