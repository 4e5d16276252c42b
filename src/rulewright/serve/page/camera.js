// Pan and zoom of a map: wheel, drag, two fingers, keys, buttons. Left alone, it looks at where the action is.

const MOST = 6, NEAR = 1.7;
/* How far one can zoom in by hand, and how far the camera goes by itself. */
const TOKEN = 37, LEAST = 36;
/* The width of a token in units of the map, and the least in pixels: smaller it is hard to hit. */

/** @typedef {[number, number, number, number]} Box */

export class Camera {
  /** @param {SVGSVGElement} map @param {() => void} [changed] */
  constructor(map, changed = () => {}) {
    this.map = map;
    this.changed = changed;
    this.zoom = 1;
    this.x = this.y = 0;
    /** @type {Box} */
    this.box = [0, 0, 100, 100];
    /** @type {Box|null} */
    this.action = null;
    this.name = "";
    this.byHand = false;
    this.dragged = false;
    /** @type {Map<number, PointerEvent>} */
    this.fingers = new Map();
    map.addEventListener("wheel", (e) => { e.preventDefault(); this.by(e.deltaY < 0 ? 1.15 : 1 / 1.15, this.at(e)); }, { passive: false });
    map.addEventListener("pointerdown", (e) => { this.fingers.set(e.pointerId, e); this.dragged = false; });
    map.addEventListener("pointermove", (e) => this.move(e));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) map.addEventListener(end, (e) => this.fingers.delete(/** @type {PointerEvent} */ (e).pointerId));
    // The click that ends a drag is no choice.
    map.addEventListener("click", (e) => { if (this.dragged) { e.stopPropagation(); e.preventDefault(); this.dragged = false; } }, true);
    map.addEventListener("keydown", (e) => this.key(e));
    this.watch = new ResizeObserver(() => (this.byHand ? this.frame() : this.home()));
    this.watch.observe(map);
  }

  /** @param {Box} box the whole map @param {Box|null} action what matters now @param {string} name */
  look(box, action, name) {
    const same = this.name === name && String(box) === String(this.box) && String(action) === String(this.action);
    if (this.name !== name) this.byHand = false;
    Object.assign(this, { box, action, name });
    if (!this.byHand && !same) this.home();
    else this.frame();
  }

  // The whole map where tokens are large enough in it; else what matters now, as large as it may be.
  home() {
    this.byHand = false;
    Object.assign(this, { zoom: 1, x: 0, y: 0 });
    const [x, y, w, tall] = this.box;
    if (this.action && this.scale() * TOKEN < 40) {
      const [ax, ay, aw, at] = this.action;
      const fits = Math.min(this.map.clientWidth / aw, this.map.clientHeight / at);
      this.zoom = Math.max(1, Math.min(NEAR, fits) / this.scale() || 1);
      this.x = ax + aw / 2 - (x + w / 2);
      this.y = ay + at / 2 - (y + tall / 2);
    }
    this.frame();
  }

  whole() {
    Object.assign(this, { zoom: 1, x: 0, y: 0, byHand: true });
    this.frame();
  }

  scale() {
    const [, , w, tall] = this.box;
    return Math.min(this.map.clientWidth / w, this.map.clientHeight / tall) * this.zoom || 1;
  }

  /** Where a pointer is, seen from the middle of the map, in units of the map. @param {MouseEvent} e */
  at(e) {
    const r = this.map.getBoundingClientRect();
    return [(e.clientX - r.left - r.width / 2) / this.scale(), (e.clientY - r.top - r.height / 2) / this.scale()];
  }

  /** @param {number} factor @param {number[]} [at] */
  by(factor, [px, py] = [0, 0]) {
    const before = this.zoom;
    this.byHand = true;
    this.zoom = Math.max(1, Math.min(MOST, this.zoom * factor));
    this.x += px * (1 - before / this.zoom);
    this.y += py * (1 - before / this.zoom);
    this.frame();
  }

  /** @param {PointerEvent} e */
  move(e) {
    const last = this.fingers.get(e.pointerId);
    if (!last) return;
    const others = [...this.fingers.values()].filter((f) => f.pointerId !== e.pointerId);
    if (others.length) {
      const gap = (/** @type {PointerEvent} */ f) => Math.hypot(f.clientX - others[0].clientX, f.clientY - others[0].clientY);
      if (gap(last) > 0) this.by(gap(e) / gap(last));
      this.dragged = true;
    } else if (this.zoom > 1) {
      this.x -= (e.clientX - last.clientX) / this.scale();
      this.y -= (e.clientY - last.clientY) / this.scale();
      if (Math.hypot(e.clientX - last.clientX, e.clientY - last.clientY) > 2) this.dragged = this.byHand = true;
      this.frame();
    }
    this.fingers.set(e.pointerId, e);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.key === "+" || e.key === "=") this.by(1.4);
    else if (e.key === "-") this.by(1 / 1.4);
    else if (e.key === "0") this.home();
    else if (step && this.zoom > 1) { this.x += (step[0] * 60) / this.zoom; this.y += (step[1] * 60) / this.zoom; this.byHand = true; this.frame(); }
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
    // Seen from afar, tokens are drawn larger than their space rather than too small to hit.
    this.map.style.setProperty("--big", Math.min(2.6, Math.max(1, LEAST / (TOKEN * scale))).toFixed(3));
    this.map.classList.toggle("tiny", scale < 0.72);
    this.map.classList.toggle("moving", this.zoom > 1);
    this.changed();
  }

  close() { this.watch.disconnect(); }
}
