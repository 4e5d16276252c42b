// Pan and zoom of a map: wheel, drag, two fingers, keys, buttons. Left alone, it looks at where the action is.
import { calm } from "./dom.js";
import { SIZE, framed } from "./geometry.js";

const MOST = 6, NEAR = 1.7;
/* How far one can zoom in by hand, and how far the camera goes by itself. */
const GLIDE = 260;
/* Milliseconds that the camera takes to look elsewhere. */
const EASY = 0.88;
/* Where tokens are this large, in their own units, the whole map is shown rather than a part of it. */

export const PAD = SIZE * 1.15;
/* What the box of those that matter has around the middles of their spaces. */
const ACROSS = 64, DOWN = 84;
/* Pixels at both sides, above and below of what a token takes, with its halo, bar and name. */

/** @typedef {import("./geometry.js").Box} Box */

export class Camera {
  /** @param {SVGSVGElement} map @param {(scale: number, frame: number[]) => void} [changed] told the scale, and the size of the frame in tens of pixels */
  constructor(map, changed = () => {}) {
    this.map = map;
    this.changed = changed;
    this.zoom = 1;
    this.x = this.y = 0;
    /** @type {Box} */
    this.box = [0, 0, 100, 100];
    /** @type {Box[]} */
    this.wishes = [];
    /** @type {import("./geometry.js").Seen[]} */
    this.people = [];
    this.least = 0;
    this.name = this.asked = "";
    this.byHand = false;
    this.dragged = false;
    /** @type {Map<number, PointerEvent>} */
    this.fingers = new Map();
    this.glides = 0;
    map.addEventListener("wheel", (e) => { e.preventDefault(); this.by(e.deltaY < 0 ? 1.15 : 1 / 1.15, this.at(e)); }, { passive: false });
    map.addEventListener("pointerdown", (e) => { this.fingers.set(e.pointerId, e); this.dragged = false; });
    map.addEventListener("pointermove", (e) => this.move(e));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) map.addEventListener(end, (e) => this.fingers.delete(/** @type {PointerEvent} */ (e).pointerId));
    // The click that ends a drag is no choice.
    map.addEventListener("click", (e) => { if (this.dragged) { e.stopPropagation(); e.preventDefault(); this.dragged = false; } }, true);
    map.addEventListener("keydown", (e) => this.key(e));
    this.watch = new ResizeObserver(() => { if (this.byHand) this.frame(); else this.home(false); });
    this.watch.observe(map);
  }

  /**
   * @param {Box} box the whole map @param {Box[]} wishes what matters now, each part of it matters more than the one before
   * @param {import("./geometry.js").Seen[]} people who is better seen whole @param {number} least the scale at which tokens do not lie over each other @param {string} name
   */
  look(box, wishes, people, least, name) {
    const key = [name, box, ...wishes, ...people.map((p) => `${p.box} ${p.weight}`), least.toFixed(2)].join("|"), same = key === this.asked;
    const known = this.name === name;
    if (!known) this.byHand = false;
    Object.assign(this, { box, wishes, people, least, name, asked: key });
    if (!this.byHand && !same) this.home(known);
    else if (!this.glides) this.frame();
  }

  // As much to the side as it takes to see a part of the map.
  /** @param {Box} box */
  follow([x, y, w, tall]) {
    if (this.byHand || this.zoom <= 1) return;
    const [bx, by, bw, bt] = this.box, [cw, ch] = [this.map.clientWidth / this.scale(), this.map.clientHeight / this.scale()];
    const shift = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ middle, /** @type {number} */ seen) => {
      if (size > seen) return at + size / 2;
      return Math.max(at + size - seen / 2, Math.min(at + seen / 2, middle));
    };
    const [mx, my] = [bx + bw / 2, by + bt / 2];
    this.glide(this.zoom, shift(x, w, mx + this.x, cw) - mx, shift(y, tall, my + this.y, ch) - my);
  }

  // From here to there in a moment; at once for whoever wants it calm, or has just come.
  /** @param {number} zoom @param {number} x @param {number} y @param {boolean} [slowly] */
  glide(zoom, x, y, slowly = true) {
    cancelAnimationFrame(this.glides);
    const from = { zoom: this.zoom, x: this.x, y: this.y }, to = { zoom, x, y };
    if (Math.abs(from.x - x) + Math.abs(from.y - y) < 1 && from.zoom === zoom) { this.glides = 0; this.frame(); return; }
    if (!slowly || calm()) { this.glides = 0; Object.assign(this, to); this.frame(); return; }
    const began = performance.now();
    const step = (/** @type {number} */ now) => {
      const part = Math.min(1, Math.max(0, (now - began) / GLIDE)), eased = part * (2 - part);
      this.zoom = from.zoom + (to.zoom - from.zoom) * eased;
      this.x = from.x + (to.x - from.x) * eased;
      this.y = from.y + (to.y - from.y) * eased;
      this.glides = part < 1 ? requestAnimationFrame(step) : 0;
      this.frame();
    };
    this.glides = requestAnimationFrame(step);
  }

  // The whole map where tokens are large enough in it; else what matters now, as large as it may be. Where even that
  // would make tokens too small, what matters most, and with it as many others as there is room for, none cut by an edge.
  home(slowly = true) {
    this.byHand = false;
    const [x, y, w, tall] = this.box, whole = this.fits(this.box), [action] = this.wishes;
    if (!action || whole >= Math.max(EASY, this.least)) { this.glide(1, 0, 0, slowly); return; }
    const wanted = Math.max(whole, this.least, Math.min(NEAR, this.fits(action), this.fitsTokens(action)));
    const must = this.wishes.find((box) => wanted <= this.fits(box) * 1.02) || this.wishes[this.wishes.length - 1], [ax, ay, aw, at] = must;
    const zoom = Math.max(1, wanted / whole || 1), scale = whole * zoom, [mx, my] = [x + w / 2, y + tall / 2];
    const [cx, cy] = this.bounded(ax + aw / 2 - mx, ay + at / 2 - my, zoom);
    const [fx, fy] = framed([this.map.clientWidth / scale, this.map.clientHeight / scale], must, this.people, [mx + cx, my + cy]);
    this.glide(zoom, ...this.bounded(fx - mx, fy - my, zoom), slowly);
  }

  /** @param {Box} box */
  fits([, , w, tall]) { return Math.min(this.map.clientWidth / w, this.map.clientHeight / tall) || 1; }

  // The same for tokens at the edges of what matters: however far one is away, they are drawn as large.
  /** @param {Box} box */
  fitsTokens([, , w, tall]) {
    const free = (/** @type {number} */ seen, /** @type {number} */ edge, /** @type {number} */ size) => (size > 1 ? (seen - edge) / size : Infinity);
    return Math.min(free(this.map.clientWidth, ACROSS, w - 2 * PAD), free(this.map.clientHeight, DOWN, tall - 2 * PAD));
  }

  whole() {
    this.byHand = true;
    this.glide(1, 0, 0);
  }

  scale() { return this.fits(this.box) * this.zoom || 1; }

  // The view stays over the map: what the box has beyond its edges is not worth looking at.
  /** @param {number} x @param {number} y @param {number} zoom @returns {[number, number]} */
  bounded(x, y, zoom) {
    const [, , w, tall] = this.box, scale = this.fits(this.box) * zoom;
    const most = (/** @type {number} */ size, /** @type {number} */ seen) => Math.max(0, (size - seen / scale) / 2);
    const [mx, my] = [most(w, this.map.clientWidth), most(tall, this.map.clientHeight)];
    return [Math.max(-mx, Math.min(mx, x)), Math.max(-my, Math.min(my, y))];
  }

  /** Where a pointer is, seen from the middle of the map, in units of the map. @param {MouseEvent} e */
  at(e) {
    const r = this.map.getBoundingClientRect();
    return [(e.clientX - r.left - r.width / 2) / this.scale(), (e.clientY - r.top - r.height / 2) / this.scale()];
  }

  /** @param {number} factor @param {number[]} [at] */
  by(factor, [px, py] = [0, 0]) {
    const before = this.zoom;
    cancelAnimationFrame(this.glides);
    this.glides = 0;
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
    [this.x, this.y] = this.bounded(this.x, this.y, this.zoom);
    this.map.setAttribute("viewBox", `${x + (w - cw) / 2 + this.x} ${y + (tall - ch) / 2 + this.y} ${cw} ${ch}`);
    const scale = this.scale();
    this.map.style.setProperty("--px", (1 / scale).toFixed(4));
    this.map.classList.toggle("tiny", scale < 0.62);
    this.map.classList.toggle("moving", this.zoom > 1);
    if (!this.glides) this.changed(scale, [this.map.clientWidth, this.map.clientHeight].map((size) => Math.round(size / 10) * 10));
  }

  close() {
    cancelAnimationFrame(this.glides);
    this.watch.disconnect();
  }
}
