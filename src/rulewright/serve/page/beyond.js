// Who stands beyond the edge of the map's view: a small sign at the edge, in the colour of their side, that points there.
import { html } from "./vendor/preact.js";
import { hueOf, initials } from "./names.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {{x: number, y: number, r: number}} Spot */

const SMALL = 11, ROOM = 25, INSIDE = 15;
/* Pixels: half of a sign, from one to the next, from the edge to its middle. */

/** All of them, out of sight; `pointOut` shows those that are needed. */
export const Beyond = (/** @type {{view: View, at: Map<number, Spot>}} */ { view, at }) => html`<g class="beyond" aria-hidden="true">${view.actors.filter((a) => a.in_play && at.has(a.id)).map((a) => {
  const spot = /** @type {Spot} */ (at.get(a.id));
  return html`<g key=${a.id} class="away" display="none" data-x=${spot.x} data-y=${spot.y} style=${`--hue:${hueOf(a, view)}`}><g><path d=${`M${SMALL + 6} 0L${SMALL - 4} -7V7Z`} /></g><circle r=${SMALL} /><text y="3.4">${initials(a.name)}</text></g>`;
})}</g>`;

/**
 * Where signs stand along the edges, none over another: what each is about lies beyond the edge at that point.
 * @param {{x: number, y: number}[]} there in pixels from the view's corner @param {[number, number]} size @returns {({x: number, y: number, turn: number}|null)[]} null for what is in view
 */
export function signs(there, [w, tall]) {
  /** @type {{x: number, y: number}[]} */
  const taken = [];
  return there.map(({ x, y }) => {
    if (x >= 0 && y >= 0 && x <= w && y <= tall) return null;
    const inside = (/** @type {number} */ at, /** @type {number} */ size) => Math.max(INSIDE, Math.min(size - INSIDE, at));
    const spot = { x: inside(x, w), y: inside(y, tall) }, sideways = x < 0 || x > w;
    const free = () => taken.every((t) => Math.hypot(t.x - spot.x, t.y - spot.y) >= ROOM);
    for (let tries = 0; !free() && tries < there.length; tries += 1) {
      if (sideways) spot.y = inside(spot.y + (spot.y + ROOM > tall - INSIDE ? -tall : ROOM), tall);
      else spot.x = inside(spot.x + (spot.x + ROOM > w - INSIDE ? -w : ROOM), w);
    }
    taken.push(spot);
    return { ...spot, turn: Math.atan2(y - spot.y, x - spot.x) * (180 / Math.PI) };
  });
}

/** @param {SVGSVGElement} map @param {number} scale */
export function pointOut(map, scale) {
  const { x, y, width, height } = map.viewBox.baseVal, all = /** @type {SVGGElement[]} */ ([...map.querySelectorAll(".away")]);
  const size = /** @type {[number, number]} */ ([map.clientWidth, map.clientHeight]), corner = [x + width / 2 - size[0] / scale / 2, y + height / 2 - size[1] / scale / 2];
  const found = signs(all.map(({ dataset }) => ({ x: (Number(dataset.x) - corner[0]) * scale, y: (Number(dataset.y) - corner[1]) * scale })), size);
  found.forEach((sign, i) => {
    all[i].setAttribute("display", sign ? "inline" : "none");
    if (!sign) return;
    all[i].setAttribute("transform", `translate(${(corner[0] + sign.x / scale).toFixed(1)} ${(corner[1] + sign.y / scale).toFixed(1)}) scale(${(1 / scale).toFixed(3)})`);
    /** @type {Element} */ (all[i].firstElementChild).setAttribute("transform", `rotate(${sign.turn.toFixed(0)})`);
  });
}
