// Pan and zoom of a map: wheel, drag, two fingers, keys, buttons. Text keeps a readable size at every zoom.
import { h } from "./dom.js";

const MOST = 6;

export class Camera {
  constructor(map) {
    Object.assign(this, { map, zoom: 1, x: 0, y: 0, box: [0, 0, 100, 100], name: null, fingers: new Map(), dragged: false });
    const tool = (label, words, act) => h("button", { class: "icon", "aria-label": words, title: words, onclick: act }, label);
    this.buttons = h("div", { class: "camera", role: "group", "aria-label": "Zoom" },
      tool("+", "Zoom in", () => this.by(1.4)), tool("−", "Zoom out", () => this.by(1 / 1.4)), tool("⤢", "Show the whole map", () => this.reset()));
    map.addEventListener("wheel", (e) => { e.preventDefault(); this.by(e.deltaY < 0 ? 1.15 : 1 / 1.15, this.at(e)); }, { passive: false });
    map.addEventListener("pointerdown", (e) => { this.fingers.set(e.pointerId, e); this.dragged = false; });
    map.addEventListener("pointermove", (e) => this.move(e));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) map.addEventListener(end, (e) => this.fingers.delete(e.pointerId));
    // The click that ends a drag is no choice.
    map.addEventListener("click", (e) => { if (this.dragged) { e.stopPropagation(); e.preventDefault(); this.dragged = false; } }, true);
    map.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.frame()).observe(map);
  }

  look(box, name) {
    this.box = box;
    if (this.name !== name) { this.name = name; this.zoom = 1; this.x = this.y = 0; }
    this.frame();
  }

  scale() {
    const [, , w, tall] = this.box;
    return Math.min(this.map.clientWidth / w, this.map.clientHeight / tall) * this.zoom || 1;
  }

  // Where a pointer is, seen from the middle of the map, in units of the map.
  at(e) {
    const r = this.map.getBoundingClientRect();
    return [(e.clientX - r.left - r.width / 2) / this.scale(), (e.clientY - r.top - r.height / 2) / this.scale()];
  }

  by(factor, [px, py] = [0, 0]) {
    const before = this.zoom;
    this.zoom = Math.max(1, Math.min(MOST, this.zoom * factor));
    this.x += px * (1 - before / this.zoom);
    this.y += py * (1 - before / this.zoom);
    this.frame();
  }

  reset() { this.zoom = 1; this.x = this.y = 0; this.frame(); }

  move(e) {
    const last = this.fingers.get(e.pointerId);
    if (!last) return;
    const others = [...this.fingers.values()].filter((f) => f.pointerId !== e.pointerId);
    if (others.length) {
      const gap = (f) => Math.hypot(f.clientX - others[0].clientX, f.clientY - others[0].clientY);
      if (gap(last) > 0) this.by(gap(e) / gap(last));
      this.dragged = true;
    } else if (this.zoom > 1) {
      this.x -= (e.clientX - last.clientX) / this.scale();
      this.y -= (e.clientY - last.clientY) / this.scale();
      if (Math.hypot(e.clientX - last.clientX, e.clientY - last.clientY) > 2) this.dragged = true;
      this.frame();
    }
    this.fingers.set(e.pointerId, e);
  }

  key(e) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.key === "+" || e.key === "=") this.by(1.4);
    else if (e.key === "-") this.by(1 / 1.4);
    else if (e.key === "0") this.reset();
    else if (step && this.zoom > 1) { this.x += step[0] * 60 / this.zoom; this.y += step[1] * 60 / this.zoom; this.frame(); }
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  frame() {
    const [x, y, w, tall] = this.box;
    const [cw, ch] = [w / this.zoom, tall / this.zoom];
    this.x = Math.max(-(w - cw) / 2, Math.min((w - cw) / 2, this.x));
    this.y = Math.max(-(tall - ch) / 2, Math.min((tall - ch) / 2, this.y));
    this.map.setAttribute("viewBox", `${x + (w - cw) / 2 + this.x} ${y + (tall - ch) / 2 + this.y} ${cw} ${ch}`);
    const scale = this.scale();
    this.map.style.setProperty("--px", (1 / scale).toFixed(4));
    this.map.classList.toggle("tiny", scale < 0.72);
    this.map.classList.toggle("moving", this.zoom > 1);
  }
}
