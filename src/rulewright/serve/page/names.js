// Names and colours for the numbers in a state: one place that every panel asks.

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Actor} Actor */

/** @type {Record<string, number>} */
export const EVENT = {};
/* Kinds of log lines by name, as the server tells them. */

/** @param {{kind: number, name: string}[]} kinds */
export function learn(kinds) {
  for (const { kind, name } of kinds) EVENT[name] = kind;
}

export const VERB = { PASS: 0, DECLINE: 1, STEP: 2, STOP: 3 };
/* The verbs that every book has, in front of its own. */

const LEAVING = new Set([VERB.PASS, VERB.DECLINE, VERB.STOP]);
const WORDS = new Set(["done", "no", "stop"]);
/* What only ends a choice, where a book words it itself. */

/** Whether a choice only ends something. @param {number} verb @param {string} text */
export const isEnding = (verb, text) => LEAVING.has(verb) || WORDS.has(text);

const HUES = [14, 207, 132, 276, 46, 328, 172, 236];
const BETWEEN = [0, 22, 11, 33];
/* More than eight have colours between those. */

/**
 * Where sides fight each other a side has one colour, else every actor its own. It asks all actors, not only
 * those in play: a colour stays the same all match.
 * @param {Actor} actor @param {View} view
 */
export function hueOf(actor, view) {
  const sides = new Set(view.actors.map((a) => a.side)), at = sides.size > 1 && actor.side >= 0 ? actor.side : actor.id;
  return HUES[at % HUES.length] + BETWEEN[Math.floor(at / HUES.length) % BETWEEN.length];
}

/** @param {string} word */
export const hueOfWord = (word) =>
  ([...word].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0) * 97) >>> 0, 11) % 24) * 15;

/** Old Sailor -> OS; Lord of Flies -> LF; Guard 2 -> G2: letters of the first words that count, and all of a number. @param {string} name */
export function initials(name) {
  const all = name.split(/[\s-]+/).filter(Boolean), great = all.filter((w) => /^[\p{Lu}\d]/u.test(w)), words = great.length ? great : all;
  return words.map((w, i) => (/^\d+$/.test(w) ? w : i < 2 ? [...w][0].toUpperCase() : "")).join("").slice(0, 3);
}

/** Whoever watches has no seat (null), and what the rules play has none either (-1). @param {Actor} actor @param {View} view */
export const isOwn = (actor, view) => view.seat !== null && actor.seat === view.seat;

/** @param {import("./types.js").Player[]} players @param {number} seat */
export const nameOf = (players, seat) => (players[seat] ? players[seat].name : seat < 0 ? "The rules" : `Seat ${seat + 1}`);

/** The same, for whoever reads it. @param {State} state @param {number} seat */
export const callOf = (state, seat) => (state.seat === seat ? "you" : nameOf(state.players, seat));

/** @param {Book} b @param {View} view @param {string} kind @param {number} id @returns {string} */
export function thingName(b, view, kind, id) {
  if (id < 0) return "";
  if (kind === "Actor") return view.actors[id] ? view.actors[id].name : "";
  if (kind === "Space") return (view.spaces[id] || {}).name || "";
  const names = b.sheet.things[kind];
  return names && names[id] !== undefined ? names[id] : "";
}

/** @param {any} v @returns {string} */
export const value = (v) => {
  if (v === null || v === undefined) return "none";
  if (typeof v !== "object") return String(v);
  if ("name" in v) return v.name;
  return Object.entries(v).filter(([, x]) => x).map(([k, x]) => `${k} ${value(x)}`).join(", ");
};

/** What was chosen, the step that was reached, the card or the place: what a line of the log is about. @param {{said?: string[]}} l */
export const wordsOf = (l) => (l.said || [""])[0];
/** Cards and laid spaces are called otherwise later: what they were called when something happened, the server has written down. @param {string} kind */
const isPassing = (kind) => kind === "Card" || kind === "Space";

/**
 * A change of a number as words, or null where the book keeps it off the sheets or has no name for whose it is.
 * @param {Book} b @param {View} view @param {import("./types.js").Line} line
 */
export function changed(b, view, { args, said = [] }) {
  const field = b.sheet.fields[args[0]];
  if (!field || !field.shown) return null;
  const owners = field.of.length === 2 ? [Math.floor(args[1] / field.counts[1]), args[1] % field.counts[1]] : [args[1]];
  // The number that a card has among all cards is no name.
  const isName = (/** @type {string} */ kind, /** @type {number} */ id, /** @type {string} */ word) => ![(b.sheet.things[kind] || [])[id], `${kind} ${id}`.toLowerCase()].includes(word);
  const called = (/** @type {string} */ kind, /** @type {number} */ id, /** @type {string|undefined} */ written) =>
    (isPassing(kind) && written && isName(kind, id, written) ? written : kind === "Card" ? "" : thingName(b, view, kind, id));
  const names = field.of.map((kind, i) => called(kind, owners[i], field.of.length === 1 ? said[0] : undefined));
  if (names.some((name) => !name)) return null;
  const word = (/** @type {number} */ v, /** @type {string|undefined} */ written) =>
    field.holds && field.holds !== "number" ? (v < 0 ? "none" : called(field.holds, v, written) || "unknown") : v < -1e8 ? "?" : String(v);
  const ofActor = field.of[0] === "Actor";
  return {
    field: field.name, thing: Boolean(field.holds), flag: !field.holds && field.low === 0 && field.high === 1,
    actor: ofActor ? owners[0] : -1, part: (ofActor ? names.slice(1) : names).join(" "),
    from: word(args[2], said[1]), to: word(args[3], said[2]), by: args[3] - args[2], up: !field.holds && args[3] > args[2],
  };
}

/**
 * The actor whose turn it is: whoever may act, as one may in the midst of an order of others; else as the orders tell; else whose step
 * was reached last; else the only one of the seat that decides.
 * @param {State} state
 */
export function acting({ decision, log, view }) {
  if (decision && decision.prompt === "act" && decision.actor >= 0) return decision.actor;
  for (const order of view.orders) if (order.now !== null && order.members.length) return order.now;
  const step = log.findLast((l) => l.kind === EVENT.STEP && l.args[0] >= 0);
  if (step) return step.args[0];
  const led = decision ? view.actors.filter((a) => a.in_play && a.seat === decision.seat) : [];
  return led.length === 1 ? led[0].id : -1;
}

/** A pile by its number, or null for the box: which zone it is, and whose. @param {Book} b @param {number} index counted over the zones of all owners, 1 is the first */
export function pileOf(b, index) {
  let left = index - 1;
  for (const [at, zone] of left < 0 ? [] : b.sheet.zones.entries()) {
    const owners = zone.of ? (b.sheet.things[zone.of] || []).length : 1;
    if (left < owners) return { at, zone, owner: left };
    left -= owners;
  }
  return null;
}

/** Piles whose cards are somebody's life: "Hand and Deck". @param {string} name */
const pilesOf = (name) => name.split(/, | and /);

/**
 * What stands for an actor's life: the resource or the piles that the book names in its front matter, else the first
 * resource that has a maximum of its own.
 * @param {Book} b @returns {string|null}
 */
export function lifeOf(b) {
  const named = b.looks && b.looks.life;
  const own = b.sheet.fields.filter((f) => f.of.length === 1 && f.of[0] === "Actor" && f.shown && !f.holds);
  const piles = named ? pilesOf(named) : [];
  if (piles.length && piles.every((pile) => b.sheet.zones.some((z) => z.of === "Actor" && z.name === pile))) return String(named);
  if (named) return (own.find((f) => f.name.toLowerCase() === String(named).toLowerCase()) || { name: null }).name;
  const bounded = own.find((f) => f.maximum);
  return bounded ? bounded.name : null;
}

/** Whether a number, or a pile, is somebody's life or a part of it. @param {string} name @param {string|null} life */
export const isLife = (name, life) => Boolean(life) && (name === life || pilesOf(String(life)).includes(name));

/** @param {Actor} actor @param {string|null} name @param {View} view @returns {{name: string, now: number, top: number}|null} */
export function lifeBar(actor, name, view) {
  if (!name) return null;
  if (typeof actor.fields[name] !== "number") {
    const piles = view.zones.filter((z) => z.kind === "Actor" && z.owner === actor.id && pilesOf(name).includes(z.name));
    return piles.length ? { name: "Cards", now: piles.reduce((sum, z) => sum + z.count, 0), top: 0 } : null;
  }
  const now = name in (actor.read || {}) ? actor.read[name] : actor.fields[name];
  const partner = [`Max ${name}`, `${name} Maximum`, `Full ${name}`].find((n) => actor.fields[n] > 0);
  const top = (actor.most || {})[name] || (partner ? actor.fields[partner] : 0);
  return { name, now, top };
}
