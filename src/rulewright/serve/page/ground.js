// What spaces look like: a colour and a small drawing for each kind of ground, told by its name.
import { svg } from "./dom.js";

const KINDS = [
  ["wall", /wall|impass|statue|block|rock|pillar|column|fallen/i],
  ["water", /water|ice|mud|sea|river|wet|pool/i],
  ["forest", /forest|wood|tree|brush|thicket/i],
  ["fire", /fire|lava|hazard|burn|trap|spike|pit|acid/i],
  ["smoke", /smoke|haze|dark|fog|hidden/i],
  ["rough", /rubble|difficult|rough|obstruct|debris/i],
  ["high", /elevat|hill|high|level|ridge/i],
  ["holy", /altar|key|chest|shrine|omen|passage|stairs|exit/i],
  ["cover", /cover|crate|barric/i],
  ["down", /face down|unknown|unlit/i],
];
const PLAIN = /^(clear|open|floor|ground|empty|plain|flat|none)$/i;

const DRAWINGS = {
  water: "M-13 -5 q3.3 -5 6.6 0 t6.6 0 t6.6 0 t6.6 0 M-13 4 q3.3 -5 6.6 0 t6.6 0 t6.6 0 t6.6 0",
  forest: "M-9 8 l6 -13 l6 13 z M1 6 l6 -15 l6 15 z M-14 4 l4 -9 l4 9 z",
  rough: "M-10 5 l4 -6 l5 3 l2 5 z M3 -2 l5 -4 l4 4 l-3 5 z M-4 -8 l4 -2 l3 4 l-5 1 z",
  fire: "M0 10 c-9 -1 -9 -9 -3 -13 c0 4 3 4 3 0 c0 -4 -1 -6 1 -9 c1 6 8 7 7 15 c-1 5 -4 7 -8 7 z",
  smoke: "M-11 3 a5 5 0 0 1 6 -6 a6 6 0 0 1 11 1 a4 4 0 0 1 3 7 h-18 a3 3 0 0 1 -2 -2 z",
  holy: "M0 -10 l3 7 l7 3 l-7 3 l-3 7 l-3 -7 l-7 -3 l7 -3 z",
  cover: "M-11 7 v-9 h7 v-4 h8 v4 h7 v9 z",
  wall: "M-12 -7 h24 M-12 0 h24 M-12 7 h24 M-5 -7 v7 M6 0 v7 M2 -12 v5 M-8 0 v7",
};

export const isPlain = (name) => !name || PLAIN.test(name);

export function kindOf(name) {
  if (isPlain(name)) return "clear";
  const found = KINDS.find(([, words]) => words.test(name));
  return found ? found[0] : "other";
}

export function drawing(kind, size) {
  return DRAWINGS[kind] ? svg("path", { class: `drawing ${kind}`, d: DRAWINGS[kind], transform: `scale(${size / 44})`, "aria-hidden": "true" }) : null;
}
