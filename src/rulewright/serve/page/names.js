// Names and colours for the numbers in a state: one place that every panel asks.

export const EVENT = {
  FORCED: 1, CHANGE: 2, ROLL: 3, CARD: 4, PLACE: 5, STATUS: 6, RULE: 7, SAY: 8, STEP: 9, CHOSEN: 10,
  SHUFFLE: 11, PLAY: 12, ORDER: 13, END: 14, REVEAL: 15, FACE: 16, PICK: 17, LAY: 18,
};

const HUES = [14, 207, 132, 276, 46, 328, 172, 236];

// Where sides fight each other a side has one colour; where there are none, every actor has its own.
export const hueOf = (actor, view) => {
  const sides = new Set(view.actors.filter((a) => a.in_play).map((a) => a.side));
  return HUES[(sides.size > 1 && actor.side >= 0 ? actor.side : actor.id) % HUES.length];
};

export const hueOfWord = (word) => [...word].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0) * 97) >>> 0, 11) % 24 * 15;

// Old Sailor -> OS; Guard 2 -> G2: letters of the first words, and all of a number.
export function initials(name) {
  const words = name.split(/[\s-]+/).filter(Boolean);
  return words.map((w, i) => (/^\d+$/.test(w) ? w : i < 2 ? [...w][0].toUpperCase() : "")).join("").slice(0, 3);
}

// Whoever watches has no seat (null), and what the rules play has none either (-1).
export const isOwn = (actor, view) => actor.seat === view.seat;

export const nameOf = (players, seat) => (players[seat] ? players[seat].name : seat < 0 ? "The rules" : `Seat ${seat + 1}`);

export function thingName(b, view, kind, id) {
  if (id < 0) return "none";
  if (kind === "Actor") return view.actors[id] ? view.actors[id].name : `${kind} ${id}`;
  if (kind === "Space") return (view.spaces[id] || {}).name || `space ${id + 1}`;
  const names = b.sheet.things[kind];
  return names && names[id] !== undefined ? names[id] : `${kind} ${id}`;
}

export const value = (v) => (v === null || v === undefined ? "none"
  : typeof v === "object" ? ("name" in v ? v.name : Object.entries(v).filter(([, x]) => x).map(([k, x]) => `${k} ${value(x)}`).join(", "))
  : String(v));

// A change of a number as words, or null where the book keeps it off the sheets.
export function changed(b, view, args) {
  const field = b.sheet.fields[args[0]];
  if (!field || !field.shown) return null;
  const owners = field.of.length === 2 ? [Math.floor(args[1] / field.counts[1]), args[1] % field.counts[1]] : [args[1]];
  const word = (v) => (field.holds ? thingName(b, view, field.holds, v) : v < -1e8 ? "?" : String(v));
  return {
    field: field.name, thing: Boolean(field.holds), flag: !field.holds && field.low === 0 && field.high === 1,
    actor: field.of[0] === "Actor" ? owners[0] : -1,
    part: field.of.length === 2 ? thingName(b, view, field.of[1], owners[1]) : field.of.length === 1 && field.of[0] !== "Actor" ? thingName(b, view, field.of[0], owners[0]) : "",
    from: word(args[2]), to: word(args[3]), up: !field.holds && args[3] > args[2],
  };
}

// The actor whose turn it is, as the orders tell; else whose step was reached last.
export function acting(state) {
  for (const order of state.view.orders) if (order.now !== null && order.members.length) return order.now;
  const step = [...state.log].reverse().find((l) => l.kind === EVENT.STEP && l.args[0] >= 0);
  return step ? step.args[0] : -1;
}
