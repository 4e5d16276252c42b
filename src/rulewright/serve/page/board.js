// The map in SVG: squares, hexes, laid spots; pan and zoom; lit spaces.
import { h, svg } from "./dom.js";

const SIZE = 44;
const ROOT3 = Math.sqrt(3);
const HUES = [18, 205, 130, 280, 48, 340, 165, 235];

export class Board {
  constructor(b, pick) {
    Object.assign(this, { b, pick, map: null, zoom: 1, x: 0, y: 0 });
    this.empty = b.sheet.maps.length === 0;
    this.layer = svg("g", {});
    this.element = this.empty ? h("p", { class: "plain" }, "This book needs no map.") : svg("svg", { class: "map", role: "group", "aria-label": "Map", tabindex: "0" }, this.layer);
    if (!this.empty) this.controls();
  }

  show(state, lit) {
    if (this.empty) return;
    const map = this.current(state);
    const shape = this.geometry(map, state);
    this.layer.replaceChildren();
    const standing = new Map();
    for (const actor of state.view.actors) if (actor.in_play && actor.place >= 0) standing.set(actor.place, [...(standing.get(actor.place) || []), actor]);
    this.spaces = new Map();
    for (const cell of shape.cells) this.layer.append(this.cell(cell, state, lit, map));
    for (const cell of shape.cells) for (const [i, actor] of (standing.get(cell.id) || []).entries()) this.layer.append(this.token(actor, cell, i, (standing.get(cell.id) || []).length, lit, map));
    this.box = shape.box;
    this.frame();
  }

  current(state) {
    const maps = this.b.sheet.maps;
    for (const actor of state.view.actors) if (actor.in_play && actor.place >= 0) {
      const found = maps.find((m) => actor.place >= m.first && actor.place < m.first + m.count);
      if (found) return found;
    }
    return maps[0];
  }

  geometry(map, state) {
    const cells = [];
    const spots = map.grid === "spots" ? state.board.spots || [] : null;
    const count = spots ? spots.length : map.count;
    for (let i = 0; i < count; i += 1) {
      const [cx, cy] = spots ? spots[i] : map.coords[i];
      const at = map.grid === "hex" ? { x: SIZE * 1.5 * cx, y: SIZE * ROOT3 * (cy - cx / 2) } : { x: cx * SIZE * 1.7, y: (map.upward === false ? cy : -cy) * SIZE * 1.7 };
      cells.push({ id: map.first + i, ...at });
    }
    const xs = cells.map((c) => c.x), ys = cells.map((c) => c.y), pad = SIZE * 1.3;
    const box = cells.length ? [Math.min(...xs) - pad, Math.min(...ys) - pad, Math.max(...xs) - Math.min(...xs) + 2 * pad, Math.max(...ys) - Math.min(...ys) + 2 * pad] : [0, 0, 100, 100];
    // A map with no stated bounds is far larger than what matters: look at the actors only.
    if (cells.length > 900) {
      const near = cells.filter((c) => state.view.actors.some((a) => a.in_play && a.place === c.id));
      if (near.length) {
        const nx = near.map((c) => c.x), ny = near.map((c) => c.y), m = SIZE * 9;
        const view = [Math.min(...nx) - m, Math.min(...ny) - m, Math.max(...nx) - Math.min(...nx) + 2 * m, Math.max(...ny) - Math.min(...ny) + 2 * m];
        return { cells: cells.filter((c) => c.x > view[0] && c.x < view[0] + view[2] && c.y > view[1] && c.y < view[1] + view[3]), box: view };
      }
    }
    return { cells, box };
  }

  outline(map) {
    if (map.grid === "hex") return Array.from({ length: 6 }, (_, i) => `${(SIZE * 0.985 * Math.cos((Math.PI / 3) * i)).toFixed(1)},${(SIZE * 0.985 * Math.sin((Math.PI / 3) * i)).toFixed(1)}`).join(" ");
    const s = SIZE * 0.83;
    return `${-s},${-s} ${s},${-s} ${s},${s} ${-s},${s}`;
  }

  cell(cell, state, lit, map) {
    const info = state.view.spaces[cell.id] || { name: "", fields: {} };
    const terrain = state.board.terrain ? state.board.terrain[cell.id] : -1;
    const name = terrain >= 0 ? this.b.sheet.things.Terrain[terrain] : "";
    const options = lit.get(`Space:${cell.id}`);
    const marks = Object.entries(info.fields).filter(([, v]) => v && (typeof v !== "object" || v.name)).map(([k, v]) => (typeof v === "object" ? v.name : v === 1 ? k : `${k} ${v}`));
    const label = [info.name, name, ...marks].filter(Boolean).join(", ");
    const group = svg("g", {
      class: "space" + (options ? " lit" : "") + (name ? ` t${tone(name)}` : ""), transform: `translate(${cell.x.toFixed(1)} ${cell.y.toFixed(1)})`, "data-space": cell.id,
      role: options ? "button" : "img", tabindex: options ? "0" : null, "aria-label": label,
      onclick: options ? () => this.pick({ kind: "Space", id: cell.id }) : null,
      onkeydown: options ? (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); this.pick({ kind: "Space", id: cell.id }); } } : null,
    }, svg("polygon", { points: this.outline(map), class: "ground" }),
      svg("title", {}, label),
      svg("text", { class: "name", y: map.grid === "hex" ? SIZE * 0.74 : SIZE * 0.72 }, map.grid === "spots" ? "" : info.name),
      name && !/^(clear|open|floor|ground)$/i.test(name) ? svg("text", { class: "ground-name", y: -SIZE * 0.5 }, name) : null,
      marks.length ? svg("text", { class: "marks", y: -SIZE * 0.28 }, marks.join(" · ").slice(0, 16)) : null);
    this.spaces.set(cell.id, group);
    return group;
  }

  token(actor, cell, i, many, lit, map) {
    const options = lit.get(`Actor:${actor.id}`);
    const shift = many > 1 ? { x: Math.cos((2 * Math.PI * i) / many) * SIZE * 0.36, y: Math.sin((2 * Math.PI * i) / many) * SIZE * 0.36 } : { x: 0, y: 0 };
    const r = many > 1 ? SIZE * 0.3 : SIZE * 0.46;
    const hue = HUES[(actor.side >= 0 && actor.side < 50 ? actor.side : actor.id) % HUES.length];
    const initials = actor.name.split(/\s+/).map((w) => w[0]).join("").slice(0, 3);
    const facing = map.grid === "hex" && actor.facing >= 0 ? svg("path", { class: "nose", d: `M0 ${-r - 8} l7 10 h-14 z`, transform: `rotate(${actor.facing * 60})` }) : null;
    return svg("g", {
      class: "token" + (options ? " lit" : "") + (actor.own ? " own" : ""), transform: `translate(${(cell.x + shift.x).toFixed(1)} ${(cell.y + shift.y).toFixed(1)})`,
      style: `--hue:${hue}`, role: options ? "button" : "img", tabindex: options ? "0" : null, "aria-label": `${actor.name}${options ? ", can be chosen" : ""}`,
      onclick: options ? (e) => { e.stopPropagation(); this.pick({ kind: "Actor", id: actor.id }); } : null,
      onkeydown: options ? (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); this.pick({ kind: "Actor", id: actor.id }); } } : null,
    }, facing, svg("circle", { r }), svg("text", { y: r * 0.3, "font-size": r * 0.8 }, initials), svg("title", {}, actor.name));
  }

  point(things) {
    if (this.empty || !this.spaces) return;
    this.layer.querySelectorAll(".pointed").forEach((e) => e.classList.remove("pointed"));
    for (const thing of things || []) if (thing.kind === "Space" && this.spaces.has(thing.id)) this.spaces.get(thing.id).classList.add("pointed");
  }

  frame() {
    const [x, y, w, hgt] = this.box;
    const cw = w / this.zoom, ch = hgt / this.zoom;
    this.element.setAttribute("viewBox", `${x + (w - cw) / 2 + this.x} ${y + (hgt - ch) / 2 + this.y} ${cw} ${ch}`);
  }

  controls() {
    let from = null;
    this.element.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.shiftKey && this.zoom === 1 && e.deltaY > 0) return;
      e.preventDefault();
      this.zoom = Math.max(1, Math.min(6, this.zoom * (e.deltaY < 0 ? 1.15 : 1 / 1.15)));
      if (this.zoom === 1) this.x = this.y = 0;
      this.frame();
    }, { passive: false });
    this.element.addEventListener("pointerdown", (e) => { if (this.zoom > 1) from = { x: e.clientX, y: e.clientY }; });
    this.element.addEventListener("pointermove", (e) => {
      if (!from) return;
      const scale = this.box[2] / this.zoom / this.element.clientWidth;
      this.x -= (e.clientX - from.x) * scale;
      this.y -= (e.clientY - from.y) * scale;
      from = { x: e.clientX, y: e.clientY };
      this.frame();
    });
    for (const end of ["pointerup", "pointerleave"]) this.element.addEventListener(end, () => { from = null; });
    this.element.addEventListener("keydown", (e) => {
      if (e.key === "+" || e.key === "-") { this.zoom = Math.max(1, Math.min(6, this.zoom * (e.key === "+" ? 1.25 : 0.8))); this.frame(); e.stopPropagation(); }
    });
  }
}

function tone(name) {
  const low = name.toLowerCase();
  if (/wall|impass|statue|block|rock|#/.test(low)) return "wall";
  if (/water|ice|mud|sea/.test(low)) return "water";
  if (/forest|wood|tree/.test(low)) return "forest";
  if (/fire|lava|hazard|burn/.test(low)) return "fire";
  if (/rubble|difficult|rough/.test(low)) return "rough";
  if (/elevat|hill|high|level/.test(low)) return "high";
  if (/smoke|haze|dark/.test(low)) return "smoke";
  return "clear";
}
