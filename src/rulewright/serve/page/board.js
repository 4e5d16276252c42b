// The map in SVG: ground, marks, tokens that glide, the deed that is being played.
import { Component, html } from "./vendor/preact.js";
import { Beyond, pointOut } from "./beyond.js";
import { Camera, PAD } from "./camera.js";
import { Emblem } from "./covers.js";
import { SIZE, around, cellsOf, currentMap, inView, needed, standing, worded } from "./geometry.js";
import { commonest, look, textures } from "./ground.js";
import { acting, hueOf, isOwn, lifeBar, lifeOf } from "./names.js";
import { opening } from "./opening.js";
import { Same } from "./pure.js";
import { Regions, Space, goalsOf, lyingOf, marksOf, place } from "./spaces.js";
import { LEAST, Token, radius } from "./tokens.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {{b: Book, state: State, view: View, lit: import("./types.js").Lit, pointed: Set<string>, preview: Map<number, string>, stage: any, peaks: Map<number, number>, pick: (thing: any) => void}} BoardProps */

const ACROSS = LEAST + 8, DOWN = LEAST + 18;
/* Pixels that a token needs, with its halo, and with bar and name beneath. */
const FINGER = 50;
/* Pixels that a space measures that can be chosen. */
const KINDS = 8, OFTEN = 0.3;

/** What of somebody has to be seen: the token, and the name beneath it. @param {Spot} spot @returns {import("./geometry.js").Box} */
function withName(spot) {
  const [x, y, wide, tall] = around([spot], SIZE * 0.8);
  return [x, y, wide, tall + SIZE * 0.3];
}

/** Who does what to whom, drawn over the map. */
const Aim = (/** @type {any} */ { deed, at }) => {
  const from = deed && at.get(deed.who), to = deed && deed.target >= 0 && deed.target !== deed.who && at.get(deed.target);
  if (!from || !to) return null;
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1, dx = (to.x - from.x) / far, dy = (to.y - from.y) / far;
  return html`<path key=${deed.n} class="aimed" pathLength="1" d=${`M${from.x + dx * from.r} ${from.y + dy * from.r}L${to.x - dx * (to.r + 5)} ${to.y - dy * (to.r + 5)}`} marker-end="url(#tip)" />`;
};

const Legend = (/** @type {{kinds: import("./ground.js").Look[]}} */ { kinds }) => html`<ul class="legend" aria-label="Kinds of ground" tabindex="0">${kinds.slice(0, KINDS).map((l) => html`<li key=${l.name}>
  <svg viewBox="0 0 16 16" aria-hidden="true"><rect class=${`ground-key ${l.tint}`} width="16" height="16" rx="3" />${l.texture ? html`<rect width="16" height="16" style=${`fill:url(#tx-${l.texture})`} />` : null}</svg>${l.name}</li>`)}</ul>`;

/** Before anything is laid: what it is about, and how the book would begin. */
const Unlaid = (/** @type {{b: Book}} */ { b }) => {
  const parts = opening(b).parts.filter((part) => part.kind === "goal" || part.kind === "first");
  return html`<div class="plain"><${Emblem} b=${b} />${parts.length ? parts.map((part) => html`<div key=${part.title}><h3>${part.title}</h3><p>${part.text}</p></div>`) : "Nothing has been laid yet."}</div>`;
};

/** @extends {Component<BoardProps>} */
export class Board extends Component {
  /** @param {any} props */
  constructor(props) {
    super(props);
    /** @type {Camera|null} */
    this.camera = null;
    this.state = { scale: 1, frame: [600, 600] };
    /** @type {Map<string, number>} */
    this.plain = new Map();
    this.same = new Same();
  }

  componentDidMount() {
    this.camera = new Camera(this.base.querySelector("svg.map"), (scale, frame) => {
      const rounded = Math.round(scale * 50) / 50, now = /** @type {any} */ (this.state);
      if (rounded !== now.scale || String(frame) !== String(now.frame)) this.setState({ scale: rounded, frame });
      keepNames(this.base.querySelector("svg.map"), scale);
      pointOut(this.base.querySelector("svg.map"), scale);
    });
    this.aim();
  }

  componentDidUpdate() { this.aim(); }
  componentWillUnmount() { if (this.camera) this.camera.close(); }

  // While a show goes on the camera only follows who acts; what matters next is looked at when it is over.
  aim() {
    const { b, state, view, lit, stage } = this.props;
    if (!this.camera) return;
    const { frame } = /** @type {any} */ (this.state), map = currentMap(b, state), cells = cellsOf(b, map, state, frame), wide = worded(b, map, frame);
    const at = new Map(cells.map((c) => [c.id, c]));
    const spots = standing(view, at, map.grid, wide);
    if (stage.now && this.camera.name === map.name) {
      const there = [stage.now.who, stage.now.target].map((id) => spots.get(id)).filter((s) => s !== undefined);
      if (there.length) this.camera.follow(around(there, SIZE));
      return;
    }
    // Whoever is asked, where a company has the turn.
    const asker = state.decision ? state.decision.actor : -1, now = asker >= 0 ? asker : acting(state);
    const people = state.view.actors.filter((a) => a.in_play);
    const wanted = cells.filter((c) => lit.has(`Space:${c.id}`) || people.some((a) => a.place === c.id));
    const first = cells.filter((c) => people.some((a) => a.place === c.id && (a.id === now || lit.has(`Actor:${a.id}`))));
    // A company stands nowhere: then those of one's own who may act count as whoever is asked.
    const asks = (/** @type {import("./types.js").Actor} */ a) => (spots.has(now) ? a.id === now : isOwn(a, view));
    const self = cells.filter((c) => people.some((a) => a.place === c.id && asks(a)));
    const asked = cells.filter((c) => lit.has(`Space:${c.id}`)), reach = asked.length ? [...asked, ...self] : [];
    // Whoever has to say where to begin looks at all of it.
    const wishes = (spots.size ? [wanted, reach, first, self] : []).filter((some) => some.length).map((some) => around(some, PAD));
    const least = Math.max(needed([...spots.values()], ACROSS, DOWN), asked.length ? FINGER / (2 * SIZE) : 0);
    const weights = (/** @type {import("./types.js").Actor} */ a) => (asks(a) ? 4 : lit.has(`Actor:${a.id}`) ? 2 : 1);
    const seen = people.filter((a) => spots.has(a.id)).map((a) => ({ box: withName(/** @type {Spot} */ (spots.get(a.id))), weight: weights(a) }));
    this.camera.look(around(cells, SIZE * (wide ? 1.35 : 1.12)), wishes, seen, least, map.name);
  }

  /** @param {number} id @param {any} bar @param {Map<number, number>} peaks */
  life(id, bar, peaks) { return this.same.of(`life${id}`, bar && { ...bar, top: bar.top || peaks.get(id) || 0 }); }

  /** @param {BoardProps} props @param {any} now */
  render(props, { scale, frame }) {
    const { b, state, view, lit, pointed, preview, stage, peaks, pick } = props;
    const map = currentMap(b, state), cells = this.same.of("cells", cellsOf(b, map, state, frame)), wide = worded(b, map, frame);
    const at = new Map(cells.map((c) => [c.id, c]));
    const spots = standing(view, at, map.grid, wide), fits = needed([...spots.values()], ACROSS - 4, DOWN - 4);
    const terrain = state.board.terrain || [], some = cells.map((c) => terrain[c.id] ?? -1);
    if (!this.plain.has(map.name) && some.length) this.plain.set(map.name, commonest(some));
    const plain = this.plain.get(map.name) ?? -1;
    const now = acting(state), deed = stage.now, life = lifeOf(b);
    const taken = new Set(view.actors.filter((a) => a.in_play).map((a) => a.place));
    const goals = goalsOf(view), lying = lyingOf(view);
    const levels = (b.sheet.columns.Terrain || {}).Level || [];
    // A sign in each of them is too much where every third space is of a kind: its texture and the legend say it.
    const often = (/** @type {number} */ kind) => some.filter((k) => k === kind).length > some.length * OFTEN;
    const grounds = new Map([...new Set(some)].map((kind) => [kind, this.same.of(`ground${map.name}${kind}`, { ...look(b, kind, plain), ...(often(kind) ? { icon: "" } : {}) })]));
    const drawnAt = new Map([...spots].map(([id, s]) => [id, { ...s, r: radius(s, scale, fits) }]));
    return html`<div class=${`frame${cells.length ? "" : " bare"}`}>
      <div class="over-map">
        <${Legend} kinds=${[...grounds.values()].filter((l) => l.name && l.tint !== "plain")} />
        <div class="camera" role="group" aria-label="Zoom">
          <button class="icon" aria-label="Zoom in" title="Zoom in" onClick=${() => this.camera && this.camera.by(1.4)}>+</button>
          <button class="icon" aria-label="Zoom out" title="Zoom out" onClick=${() => this.camera && this.camera.by(1 / 1.4)}>−</button>
          <button class="icon" aria-label="Show the whole map" title="Show the whole map" onClick=${() => this.camera && this.camera.whole()}>⤢</button>
        </div>
      </div>
      <svg class=${`map ${map.grid}${wide ? " sectors" : ""}`} role="group" tabindex="0" aria-label="Map. Plus and minus zoom, cursor keys move it, 0 shows what matters.">
        ${textures()}
        <g>${cells.map((cell) => {
          const info = view.spaces[cell.id] || { name: "", fields: {} }, kind = terrain[cell.id] ?? -1;
          const marks = [...marksOf(info.fields, b, view), ...(lying.get(cell.id) || []).map((name) => ({ name, of: "", text: name[0], kind: "card" }))];
          return html`<${Space} key=${cell.id} cell=${this.same.of(`cell${cell.id}`, cell)} grid=${map.grid} wide=${wide} name=${info.name} ground=${grounds.get(kind)} levels=${Number(levels[kind]) || 0} marks=${this.same.of(`marks${cell.id}`, marks)}
            goal=${goals.get(cell.id) || ""} options=${lit.has(`Space:${cell.id}`)} pointed=${pointed.has(`Space:${cell.id}`)} taken=${taken.has(cell.id)} pick=${pick} />`;
        })}</g>
        <${Regions} map=${map} cells=${cells} wide=${wide} names=${this.same.of(`names${map.name}`, wide ? view.spaces.map((space) => space.name) : [])} />
        <${Aim} deed=${deed} at=${drawnAt} />
        <g>${view.actors.filter((a) => a.in_play && spots.has(a.id)).map((a) => html`<${Token} key=${a.id} b=${b} actor=${a} spot=${this.same.of(`spot${a.id}`, spots.get(a.id))} scale=${scale} fits=${fits} hue=${hueOf(a, view)} own=${isOwn(a, view)}
          now=${a.id === now} acts=${Boolean(deed && deed.who === a.id)} hurt=${Boolean(deed && stage.struck(a.id))} options=${lit.has(`Actor:${a.id}`)} pointed=${pointed.has(`Actor:${a.id}`)}
          life=${this.life(a.id, lifeBar(a, life, view), peaks)} grid=${map.grid} falls=${stage.leaving.get(a.id) || ""} pick=${pick} />`)}</g>
        <${Beyond} view=${view} at=${drawnAt} />
        <${Floats} floats=${stage.floats} preview=${preview} at=${drawnAt} scale=${scale} />
      </svg>
      ${cells.length ? null : html`<${Unlaid} b=${b} />`}</div>`;
  }
}

/** The name of a part stays in view as long as enough of the part does: to the side only, for below it are other names. @param {SVGSVGElement} map @param {number} scale */
function keepNames(map, scale) {
  const { x, width } = map.viewBox.baseVal, middle = x + width / 2, half = map.clientWidth / scale / 2;
  for (const part of map.querySelectorAll(".part")) {
    const text = /** @type {SVGTextElement} */ (part.querySelector("text")), all = /** @type {SVGPathElement} */ (part.querySelector("path")).getBBox(), word = text.getBBox();
    const at = word.x + word.width / 2, moved = inView(at, word.width / 2 + 2, [middle - half, middle + half], [all.x, all.x + all.width]);
    text.setAttribute("transform", `translate(${(moved - at).toFixed(1)} 0)`);
  }
}

/** Numbers that rise from a token, and what an option that is looked at would do to it. */
const Floats = (/** @type {any} */ { floats, preview, at, scale }) => html`
  <g class="floats" aria-hidden="true">${floats.filter((/** @type {any} */ f) => at.has(f.actor)).map((/** @type {any} */ f) => {
    const spot = at.get(f.actor);
    return html`<g key=${f.key} transform=${`${place({ x: spot.x, y: spot.y - spot.r - (f.nth * 17) / scale })} scale(${(1 / scale).toFixed(3)})`}><text class=${`float ${f.kind}`}>${f.text}</text></g>`;
  })}</g>
  <g class="foreseen" aria-hidden="true">${[...preview].filter(([actor]) => at.has(actor)).map(([actor, text]) => {
    const spot = at.get(actor);
    return html`<g key=${actor} transform=${place({ x: spot.x, y: spot.y - spot.r - 10 })}><rect x=${-text.length * 2.5 - 5} y="-10" width=${text.length * 5 + 10} height="14" rx="7" /><text>${text}</text></g>`;
  })}</g>`;
