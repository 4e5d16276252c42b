// Where spaces are on the page: squares, hexes, sectors, spots laid in play. Numbers only.

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").MapSheet} MapSheet */
/** @typedef {{id: number, x: number, y: number}} Cell */

export const SIZE = 44;
const ROOT3 = Math.sqrt(3);
const FEW = 900;
/* A map with no stated bounds has more spaces than this, and only the part near the actors is drawn. */

/** The map that is played on. @param {Book} b @param {State} state @returns {MapSheet} */
export function currentMap(b, state) {
  const maps = b.sheet.maps;
  const holding = (/** @type {number} */ id) => maps.find((m) => id >= m.first && id < m.first + m.count);
  for (const actor of state.view.actors) if (actor.in_play && actor.place >= 0 && holding(actor.place)) return /** @type {MapSheet} */ (holding(actor.place));
  // Nobody stands anywhere yet: the map that the decision is about, else the first.
  const asked = state.decision && state.decision.options.flatMap((o) => o.things).find((t) => t.kind === "Space");
  return (asked && holding(asked.id)) || maps[0];
}

/** Spaces with words for names are sectors: their names are what players say, so they are written large. @param {Book} b @param {MapSheet} map */
export const worded = (b, map) => map.grid === "square" && ((b.sheet.things.Space || [])[map.first] || "").replace(/[^a-z]/gi, "").length > 3;

/** @param {Book} b @param {MapSheet} map @param {State} state @returns {Cell[]} */
export function cellsOf(b, map, state) {
  const spots = map.grid === "spots" ? state.board.spots || [] : null;
  const wide = SIZE * (worded(b, map) ? 2.1 : 1.76);
  const cells = Array.from({ length: spots ? spots.length : map.count }, (_, i) => {
    const [cx, cy] = spots ? spots[i] : map.coords[i];
    return map.grid === "hex" ? { id: map.first + i, x: SIZE * 1.5 * cx, y: SIZE * ROOT3 * (cy - cx / 2) }
      : { id: map.first + i, x: cx * wide, y: (map.upward === false ? cy : -cy) * SIZE * 1.76 };
  });
  const near = cells.length > FEW ? cells.filter((c) => state.view.actors.some((a) => a.in_play && a.place === c.id)) : [];
  if (!near.length) return cells;
  const [x, y, w, tall] = around(near, SIZE * 9);
  return cells.filter((c) => c.x > x && c.x < x + w && c.y > y && c.y < y + tall);
}

/** @param {Cell[]} cells @param {number} pad @returns {[number, number, number, number]} */
export function around(cells, pad) {
  if (!cells.length) return [0, 0, 100, 100];
  const xs = cells.map((c) => c.x), ys = cells.map((c) => c.y);
  const [x, y] = [Math.min(...xs) - pad, Math.min(...ys) - pad];
  return [x, y, Math.max(...xs) + pad - x, Math.max(...ys) + pad - y];
}

/** @param {number} size */
export const hexagon = (size) =>
  Array.from({ length: 6 }, (_, i) => `${(size * Math.cos((Math.PI / 3) * i)).toFixed(1)},${(size * Math.sin((Math.PI / 3) * i)).toFixed(1)}`).join(" ");

/** Where each token stands: several in one space stand in a ring. @param {View} view @param {Map<number, Cell>} at @returns {Map<number, {x: number, y: number, r: number}>} */
export function standing(view, at) {
  /** @type {Map<number, number[]>} */
  const there = new Map();
  for (const a of view.actors) if (a.in_play && at.has(a.place)) there.set(a.place, [...(there.get(a.place) || []), a.id]);
  const found = new Map();
  for (const [place, ids] of there) {
    const cell = /** @type {Cell} */ (at.get(place));
    ids.forEach((id, i) => {
      const turn = (2 * Math.PI * i) / ids.length - Math.PI / 2;
      const r = SIZE * (ids.length > 2 ? 0.27 : ids.length > 1 ? 0.33 : 0.42);
      found.set(id, ids.length > 1 ? { x: cell.x + Math.cos(turn) * SIZE * 0.44, y: cell.y + Math.sin(turn) * SIZE * 0.36 - 3, r } : { x: cell.x, y: cell.y - 4, r });
    });
  }
  return found;
}
