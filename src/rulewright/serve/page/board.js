// The map in SVG: squares, hexes, laid spots; lit spaces, actors with facing. Moving and zooming is camera.js.
import { h, svg } from "./dom.js";
import { acting, hueOf, initials, isOwn } from "./names.js";
import { Camera } from "./camera.js";
import { drawing, isPlain, kindOf } from "./ground.js";
import { mainBar } from "./sheets.js";

const SIZE = 44;
const ROOT3 = Math.sqrt(3);
const FEW = 900;
/* A map with no stated bounds has more spaces than this, and only the part near the actors is drawn. */

export class Board {
  constructor(b, pick) {
    Object.assign(this, { b, pick, spaces: new Map() });
    this.empty = b.sheet.maps.length === 0;
    if (this.empty) { this.element = h("p", { class: "plain quiet" }, "This book needs no map."); return; }
    this.layer = svg("g", {});
    this.map = svg("svg", { class: "map", role: "group", "aria-label": "Map. Plus and minus zoom, cursor keys move it, 0 shows all.", tabindex: "0" }, this.layer);
    this.camera = new Camera(this.map);
    this.element = h("div", { class: "frame" }, this.map, this.camera.buttons, h("p", { class: "plain quiet" }, "Nothing has been laid yet."));
  }

  show(state, lit) {
    if (this.empty) return;
    const map = this.current(state);
    const { cells, box } = this.geometry(map, state);
    this.element.classList.toggle("bare", !cells.length);
    const standing = new Map();
    for (const actor of state.view.actors) if (actor.in_play && actor.place >= 0) standing.set(actor.place, [...(standing.get(actor.place) || []), actor]);
    const focus = document.activeElement && this.layer.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.spaces.clear();
    const now = acting(state);
    this.layer.replaceChildren(...cells.map((cell) => this.cell(cell, state, lit, map)),
      ...cells.flatMap((cell) => (standing.get(cell.id) || []).map((actor, i, all) => this.token(actor, cell, i, all.length, state, lit, map, now))));
    this.map.setAttribute("class", `map ${map.grid}${this.worded(map) ? " sectors" : ""}`);
    this.camera.look(box, map.name);
    if (focus) { const again = this.layer.querySelector(`[data-key="${focus}"]`); if (again) again.focus(); }
  }

  current(state) {
    const maps = this.b.sheet.maps;
    for (const actor of state.view.actors) if (actor.in_play && actor.place >= 0) {
      const found = maps.find((m) => actor.place >= m.first && actor.place < m.first + m.count);
      if (found) return found;
    }
    // Nobody stands anywhere yet: the map that the decision is about, else the first.
    const asked = state.decision && state.decision.options.flatMap((o) => o.things).find((t) => t.kind === "Space");
    return (asked && maps.find((m) => asked.id >= m.first && asked.id < m.first + m.count)) || maps[0];
  }

  // Spaces with words for names are sectors: their names are what players say, so they are written large.
  worded(map) {
    const name = (this.b.sheet.things.Space || [])[map.first] || "";
    return map.grid === "square" && /[a-z]{3}/i.test(name);
  }

  geometry(map, state) {
    const spots = map.grid === "spots" ? state.board.spots || [] : null;
    const count = spots ? spots.length : map.count;
    let cells = Array.from({ length: count }, (_, i) => {
      const [cx, cy] = spots ? spots[i] : map.coords[i];
      return map.grid === "hex" ? { id: map.first + i, x: SIZE * 1.5 * cx, y: SIZE * ROOT3 * (cy - cx / 2) }
        : { id: map.first + i, x: cx * SIZE * (this.worded(map) ? 2.1 : 1.76), y: (map.upward === false ? cy : -cy) * SIZE * 1.76 };
    });
    const near = cells.length > FEW ? cells.filter((c) => state.view.actors.some((a) => a.in_play && a.place === c.id)) : [];
    if (near.length) {
      const [x, y, w, tall] = around(near, SIZE * 9);
      cells = cells.filter((c) => c.x > x && c.x < x + w && c.y > y && c.y < y + tall);
    }
    return { cells, box: cells.length ? around(cells, SIZE * (this.worded(map) ? 1.35 : 1.12)) : [0, 0, 100, 100] };
  }

  outline(map) {
    if (map.grid === "hex") return svg("polygon", { class: "ground", points: hexagon(SIZE * 0.975) });
    const w = SIZE * (this.worded(map) ? 1.01 : 0.84), tall = SIZE * 0.84;
    return svg("rect", { class: "ground", x: -w, y: -tall, width: 2 * w, height: 2 * tall, rx: map.grid === "spots" || this.worded(map) ? 7 : 2 });
  }

  ground(cell, state) {
    const terrain = state.board.terrain ? state.board.terrain[cell.id] : -1;
    return terrain >= 0 ? this.b.sheet.things.Terrain[terrain] : "";
  }

  // What is written at the top of a space.
  written(cell, state, map) {
    const ground = this.ground(cell, state);
    return isPlain(ground) || kindOf(ground) === "down" || ground.length > (this.worded(map) ? 22 : 13) ? "" : ground;
  }

  cell(cell, state, lit, map) {
    const info = state.view.spaces[cell.id] || { name: "", fields: {} };
    const terrain = state.board.terrain ? state.board.terrain[cell.id] : -1;
    const ground = this.ground(cell, state);
    const kind = kindOf(ground);
    const written = this.written(cell, state, map);
    const options = lit.get(`Space:${cell.id}`);
    const marks = Object.entries(info.fields).filter(([, v]) => v && (typeof v !== "object" || v.name)).map(([k, v]) => (typeof v === "object" ? v.name : v === 1 ? k : `${k} ${v}`));
    const label = [map.grid === "spots" ? "" : info.name, isPlain(ground) ? "" : ground, ...marks].filter(Boolean).join(", ") || "space";
    const levels = Number((this.b.sheet.columns.Terrain || {}).Level?.[terrain]) || 0;
    const choose = options ? () => this.pick({ kind: "Space", id: cell.id }) : null;
    const group = svg("g", {
      class: `space t-${kind}${options ? " lit" : ""}`, transform: place(cell), "data-space": cell.id, "data-key": `s${cell.id}`,
      role: options ? "button" : "img", tabindex: options ? "0" : null, "aria-label": options ? `${label}, can be chosen` : label,
      onclick: choose, onkeydown: choose ? press(choose) : null,
    }, this.outline(map),
      Array.from({ length: levels }, (_, i) => (map.grid === "hex" ? svg("polygon", { class: "level", points: hexagon(SIZE * (0.82 - 0.16 * i)) }) : null)),
      levels ? svg("text", { class: "height", y: 6 }, String(levels)) : kind === "down" ? svg("rect", { class: "cardback", x: -SIZE * 0.68, y: -SIZE * 0.68, width: SIZE * 1.36, height: SIZE * 1.36, rx: 5 }) : drawing(kind, SIZE * (map.grid === "hex" ? 1.1 : 0.9)),
      svg("title", {}, label),
      map.grid === "spots" ? null : svg("text", { class: "name", y: SIZE * 0.72 }, info.name),
      written ? svg("text", { class: "ground-name", y: -SIZE * (this.worded(map) ? 0.66 : 0.56) }, written) : null,
      marks.length ? svg("text", { class: "marks", y: SIZE * 0.5 }, marks.join(" · ").slice(0, 18)) : null);
    this.spaces.set(cell.id, group);
    return group;
  }

  token(actor, cell, i, many, state, lit, map, now) {
    const options = lit.get(`Actor:${actor.id}`);
    const turn = (2 * Math.PI * i) / many - Math.PI / 2;
    // Below what is written in the space, and above its name.
    const low = map.grid !== "hex" && this.written(cell, state, map) !== "";
    const at = many > 1 ? { x: cell.x + Math.cos(turn) * SIZE * 0.42, y: cell.y + Math.sin(turn) * SIZE * 0.36 - 3 } : { x: cell.x, y: cell.y - (map.grid === "hex" ? 1 : low ? 0 : this.worded(map) ? 8 : 5) };
    const r = SIZE * (many > 2 ? 0.26 : many > 1 ? 0.32 : low ? 0.36 : this.worded(map) ? 0.42 : 0.46);
    const choose = options ? () => this.pick({ kind: "Actor", id: actor.id }) : null;
    const bar = mainBar(actor, this.b);
    const part = bar ? Math.max(0, Math.min(1, bar.now / bar.top)) : 0;
    const facing = map.grid === "hex" && actor.facing >= 0 ? svg("path", { class: "nose", d: `M0 ${-r - 9} l8 11 h-16 z`, transform: `rotate(${actor.facing * 60})` }) : null;
    const label = [actor.name, bar ? `${bar.name} ${bar.now} of ${bar.top}` : "", ...actor.statuses.map((s) => s.name), options ? "can be chosen" : ""].filter(Boolean).join(", ");
    return svg("g", {
      class: `token${options ? " lit" : ""}${isOwn(actor, state.view) ? " own" : ""}${actor.id === now ? " now" : ""}`, transform: place(at), style: `--hue:${hueOf(actor, state.view)}`, "data-key": `a${actor.id}`,
      role: options ? "button" : "img", tabindex: options ? "0" : null, "aria-label": label,
      onclick: choose ? (e) => { e.stopPropagation(); choose(); } : null, onkeydown: choose ? press(choose) : null,
    }, facing, svg("circle", { class: "halo", r: r + 5 }), svg("circle", { class: "disc", r }), svg("text", { y: r * 0.3, "font-size": r * (initials(actor.name).length > 2 ? 0.64 : 0.8) }, initials(actor.name)),
      bar ? [svg("rect", { class: "life", x: -r, y: r + 1, width: 2 * r, height: 5, rx: 2.5 }), svg("rect", { class: "left", x: -r, y: r + 1, width: (2 * r * part).toFixed(1), height: 5, rx: 2.5 })] : null,
      svg("title", {}, label));
  }

  // Spaces and actors of the option that the pointer or the keyboard is at.
  point(things) {
    if (this.empty) return;
    this.layer.querySelectorAll(".pointed").forEach((e) => e.classList.remove("pointed"));
    for (const thing of things || []) {
      const found = this.layer.querySelector(`[data-key="${thing.kind === "Space" ? "s" : thing.kind === "Actor" ? "a" : "?"}${thing.id}"]`);
      if (found) found.classList.add("pointed");
    }
  }
}

const place = ({ x, y }) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
const hexagon = (size) => Array.from({ length: 6 }, (_, i) => `${(size * Math.cos((Math.PI / 3) * i)).toFixed(1)},${(size * Math.sin((Math.PI / 3) * i)).toFixed(1)}`).join(" ");
const press = (choose) => (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); e.stopPropagation(); choose(); } };

function around(cells, pad) {
  const xs = cells.map((c) => c.x), ys = cells.map((c) => c.y);
  const [x, y] = [Math.min(...xs) - pad, Math.min(...ys) - pad];
  return [x, y, Math.max(...xs) + pad - x, Math.max(...ys) + pad - y];
}
