// Where spaces are on the page: squares, hexes, sectors, spots laid in play. Numbers only.
import { EVENT } from "./names.js";

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
  // Nobody stands anywhere: the map that the decision is about, else that where somebody stood last, else the first.
  const asked = state.decision && state.decision.options.flatMap((o) => o.things).find((t) => t.kind === "Space");
  const stood = state.log.findLast((l) => l.kind === EVENT.PLACE && l.args[2] >= 0);
  return (asked && holding(asked.id)) || (stood && holding(stood.args[2])) || maps[0];
}

const PLAIN = 0.88, LONG = 1.05, LONGEST = 1.6, CLOSE = 1.08, SQUARE = [600, 600];
/* Half of a square, and of a sector sideways: at least, and where the frame has the room at most; about the scale at which tokens are as small as may be. */

/**
 * Spaces with words for names are sectors: their names are what players say, so they are written large, and they are as
 * long as fills the frame they are drawn in, but not so long that a row of them does not fit where tokens are as small as may be.
 * Half of that, in sizes; 0 of spaces that are no sectors.
 * @param {Book} b @param {MapSheet} map @param {number[]} [frame] pixels across and down
 */
export function worded(b, map, [across, down] = SQUARE) {
  if (map.grid !== "square" || ((b.sheet.things.Space || [])[map.first] || "").replace(/[^a-z]/gi, "").length <= 3) return 0;
  const count = (/** @type {0|1} */ axis) => new Set(map.coords.map((at) => at[axis])).size;
  const columns = Math.max(1, count(0)), filling = (PLAIN * count(1) * across) / Math.max(1, down) / columns, fitting = across / (columns * 2 * SIZE * CLOSE);
  return Math.max(LONG, Math.min(LONGEST, Math.floor(Math.min(filling, fitting) * 20) / 20));
}

/** @param {Book} b @param {MapSheet} map @param {State} state @param {number[]} [frame] @returns {Cell[]} */
export function cellsOf(b, map, state, frame = SQUARE) {
  const spots = map.grid === "spots" ? state.board.spots || [] : null;
  const wide = SIZE * 2 * (worded(b, map, frame) || PLAIN);
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

/** @param {{x: number, y: number}[]} cells @param {number} pad @returns {[number, number, number, number]} */
export function around(cells, pad) {
  if (!cells.length) return [0, 0, 100, 100];
  const xs = cells.map((c) => c.x), ys = cells.map((c) => c.y);
  const [x, y] = [Math.min(...xs) - pad, Math.min(...ys) - pad];
  return [x, y, Math.max(...xs) + pad - x, Math.max(...ys) + pad - y];
}

/** @param {number} size */
export const hexagon = (size) =>
  Array.from({ length: 6 }, (_, i) => `${(size * Math.cos((Math.PI / 3) * i)).toFixed(1)},${(size * Math.sin((Math.PI / 3) * i)).toFixed(1)}`).join(" ");

/** Half of what a space measures, sideways and upwards. @param {string} grid @param {number} wide as `worded` has it @returns {[number, number]} */
export const halves = (grid, wide) => (grid === "hex" ? [SIZE * 0.75, SIZE * (ROOT3 / 2)] : [SIZE * (wide || PLAIN), SIZE * PLAIN]);

/** @typedef {{x: number, y: number, r: number, room: number}} Spot where a token stands, its radius, and how wide its name may be */

const ALONE = 0.42, NAMED = 1.36;
/* The radius of a token that stands alone, in sizes of a space; how tall a token is with its bar and name, in diameters. */

/**
 * Where each token stands: several in one space stand in rows, none over another, names and bars included.
 * @param {View} view @param {Map<number, Cell>} at @param {string} grid @param {number} wide @returns {Map<number, Spot>}
 */
export function standing(view, at, grid, wide) {
  /** @type {Map<number, number[]>} */
  const there = new Map();
  for (const a of view.actors) if (a.in_play && at.has(a.place)) there.set(a.place, [...(there.get(a.place) || []), a.id]);
  const [w, tall] = halves(grid, wide), found = new Map();
  for (const [place, ids] of there) {
    const cell = /** @type {Cell} */ (at.get(place));
    const columns = Math.ceil(Math.sqrt(ids.length)), rows = Math.ceil(ids.length / columns);
    // A hex is narrow at its corners: several keep nearer to its middle.
    const part = grid === "hex" && ids.length > 1 ? 0.86 : 1;
    const dx = (2 * w * part) / columns, dy = (2 * tall * part) / rows;
    const r = Math.min(SIZE * ALONE, dx * 0.39, (dy / NAMED) * 0.46);
    ids.forEach((id, i) => {
      const row = Math.floor(i / columns), inRow = Math.min(columns, ids.length - row * columns);
      found.set(id, {
        x: cell.x + ((i % columns) - (inRow - 1) / 2) * dx, y: cell.y + (row - (rows - 1) / 2) * dy - r * (ids.length > 1 ? 0.36 : 0.2), r, room: dx * (columns > 1 ? 0.98 : 1),
      });
    });
  }
  return found;
}

/**
 * The least scale at which no two tokens, drawn so many pixels large, lie over each other.
 * @param {Spot[]} spots @param {number} across @param {number} down pixels with the name beneath
 */
export function needed(spots, across, down) {
  let least = 0;
  for (const [i, a] of spots.entries()) for (const c of spots.slice(i + 1)) least = Math.max(least, Math.min(across / Math.abs(a.x - c.x), down / Math.abs(a.y - c.y)));
  return least;
}

/** Steps to the neighbour behind each edge of a space, and the edge's two corners, in sizes. @type {Record<string, [number, number, number, number, number, number][]>} */
const EDGES = {
  square: [[0, -1, -1, -1, 1, -1], [1, 0, 1, -1, 1, 1], [0, 1, 1, 1, -1, 1], [-1, 0, -1, 1, -1, -1]],
  hex: Array.from({ length: 6 }, (_, i) => {
    const [a, c, out] = [(Math.PI / 3) * i, (Math.PI / 3) * (i + 1), (Math.PI / 3) * (i + 0.5)];
    return [Math.cos(out) * ROOT3, Math.sin(out) * ROOT3, Math.cos(a), Math.sin(a), Math.cos(c), Math.sin(c)];
  }),
};

/**
 * The outline of some spaces: every edge that has none of them behind it. With it the places where its name may stand: over spaces that have nothing above them.
 * @param {Cell[]} cells @param {string} grid @param {number} wide @param {number} inset how far inside, in units
 * @returns {{path: string, spots: {x: number, y: number}[]}}
 */
export function outline(cells, grid, wide, inset) {
  const [w, tall] = grid === "hex" ? [SIZE, SIZE] : [SIZE * (wide || PLAIN), SIZE * PLAIN];
  const stepX = grid === "hex" ? SIZE : 2 * w, stepY = grid === "hex" ? SIZE : 2 * tall;
  const has = (/** @type {number} */ x, /** @type {number} */ y) => cells.some((c) => Math.abs(c.x - x) < 4 && Math.abs(c.y - y) < 4);
  const at = (/** @type {number} */ v) => v.toFixed(1);
  let path = "";
  for (const { x, y } of cells) {
    for (const [ox, oy, ax, ay, bx, by] of EDGES[grid === "hex" ? "hex" : "square"]) {
      if (has(x + ox * stepX, y + oy * stepY)) continue;
      path += `M${at(x + ax * (w - inset))} ${at(y + ay * (tall - inset))}L${at(x + bx * (w - inset))} ${at(y + by * (tall - inset))}`;
    }
  }
  const up = grid === "hex" ? SIZE * (ROOT3 / 2) : tall;
  const spots = [...cells].sort((a, c) => a.y - c.y || a.x - c.x).filter((c) => !has(c.x, c.y - 2 * up)).map((c) => ({ x: c.x, y: c.y - up + inset }));
  return { path, spots };
}

/**
 * Where the middle of a word stands, along one axis: at its place where it is seen whole, else as near to it as view and part allow.
 * @param {number} at @param {number} half of the word's length @param {[number, number]} view from, to @param {[number, number]} part
 */
export function inView(at, half, [low, high], [from, to]) {
  if (at - half >= low && at + half <= high) return at;
  const [first, last] = [Math.max(low, from) + half, Math.min(high, to) - half];
  return first > last ? at : Math.max(first, Math.min(last, at));
}

/** @typedef {[number, number, number, number]} Box from where, how wide, how tall */
/** @typedef {{box: Box, weight: number}} Seen something that is worth seeing whole */

const CROWD = 24;
/* Things by whose edges a view may stand: with more of them the search would be felt. */

/** How much of what counts is seen whole; what an edge cuts is worse than what is out of sight. @param {Box} view @param {Seen[]} things */
function seen([x, y, w, tall], things) {
  let sum = 0;
  for (const { box: [bx, by, bw, bt], weight } of things) {
    const whole = bx >= x && by >= y && bx + bw <= x + w && by + bt <= y + tall, out = bx >= x + w || by >= y + tall || bx + bw <= x || by + bt <= y;
    sum += whole ? weight : out ? 0 : -weight / 2;
  }
  return sum;
}

/**
 * Where a view of this size stands that cannot show everything: over what must be seen, and beyond that so that most of the rest is seen
 * whole; else where it would stand anyway.
 * @param {[number, number]} size @param {Box} must @param {Seen[]} things @param {[number, number]} middle @returns {[number, number]} its middle
 */
export function framed([w, tall], must, things, [mx, my]) {
  const within = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ view) =>
    (size > view ? true : at <= from + 1e-6 && at + view >= from + size - 1e-6);
  // Where an edge of the view meets one of a thing: it is then just seen, or just not.
  const edges = (/** @type {number} */ i, /** @type {number} */ view, /** @type {number} */ start) =>
    [...new Set([start, must[i], must[i] + must[i + 2] - view, ...things.slice(0, CROWD).flatMap(({ box }) => [box[i], box[i] - view, box[i] + box[i + 2], box[i] + box[i + 2] - view])])]
      .filter((at) => within(at, must[i], must[i + 2], view));
  const [x0, y0] = [mx - w / 2, my - tall / 2];
  let best = /** @type {[number, number]} */ ([x0, y0]), most = -Infinity;
  for (const x of edges(0, w, x0)) {
    for (const y of edges(1, tall, y0)) {
      const value = seen([x, y, w, tall], things) - (Math.abs(x - x0) + Math.abs(y - y0)) * 1e-5;
      if (value > most) [best, most] = [[x, y], value];
    }
  }
  return [best[0] + w / 2, best[1] + tall / 2];
}
