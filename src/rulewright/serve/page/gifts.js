// What gives something away: told by its odds, and before they are there by what was seen of it and by whom it is aimed at.
import { isLife } from "./names.js";
import { ownNames } from "./options.js";
import { partsOf } from "./verbs.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./ahead.js").Foretold} Foretold */
/** @typedef {Map<string, boolean>} Seen whether it was a gift, by what is done and to whom */

/** @param {number} id @param {View} view */
export function isFriend(id, view) {
  const actor = view.actors[id], mine = view.actors.find((a) => view.seat !== null && a.seat === view.seat && a.side >= 0);
  return Boolean(actor && view.seat !== null && (actor.seat === view.seat || (mine && actor.side === mine.side)));
}

/**
 * Whether an option gives something away: it hurts a friend that it is aimed at, heals a foe, or hands a foe what is one's own.
 * @param {Option} option @param {Foretold|undefined} told @param {View} view @param {string|null} life
 */
export function isGiven(option, told, view, life) {
  if (!told) return false;
  const all = [...told.sure, ...told.may].filter((c) => c.kind === "Actor");
  const aimed = new Set(option.things.filter((t) => t.kind === "Actor").map((t) => t.id));
  const own = all.filter((c) => isFriend(c.id, view) && c.mean < 0).map((c) => c.name);
  return all.some((c) => aimed.has(c.id) && (isFriend(c.id, view)
    ? isLife(c.name, life) && c.mean < 0 && !all.some((d) => !isFriend(d.id, view) && isLife(d.name, life) && d.mean < 0)
    : (c.mean > 0 && isLife(c.name, life)) || (c.mean >= 0 && own.includes(c.name))));
}

/** Whom an option is aimed at: a foe, only friends, or nobody. @param {Option} option @param {View} view */
function aim(option, view) {
  const aimed = option.things.filter((t) => t.kind === "Actor");
  return !aimed.length ? "" : aimed.every((t) => isFriend(t.id, view)) ? "friend" : "foe";
}

/** @param {State} state @param {Book} b @returns {(option: Option) => string} */
function deedIn(state, b) {
  const own = ownNames(state);
  return (option) => partsOf(option, own, b.sheet.verbs).head;
}

/**
 * Options that stand behind others before any odds are there: what was a gift when it was last on offer; and where the same can be
 * done to friends and to foes, what is done to friends. Much more of what a book lets one do to both is harm than help.
 * @param {State} state @param {Book} b @param {Seen} seen @returns {Set<number>} by their index
 */
export function doubtful(state, b, seen) {
  const { view, decision } = state, deed = deedIn(state, b);
  const all = (decision ? decision.options : []).map((o) => ({ index: o.index, deed: deed(o), at: aim(o, view) }));
  const hostile = new Set(all.filter((o) => o.at === "foe").map((o) => o.deed));
  return new Set(all.filter((o) => o.at && (seen.get(`${o.deed}:${o.at}`) ?? (o.at === "friend" && hostile.has(o.deed)))).map((o) => o.index));
}

/** Odds of a decision have come: what gives something away now will do so again. @param {State} state @param {Book} b @param {Map<number, Foretold>} told @param {string|null} life @param {Seen} seen */
export function remember(state, b, told, life, seen) {
  const { view, decision } = state, deed = deedIn(state, b);
  for (const option of decision ? decision.options : []) {
    const at = aim(option, view);
    if (at && told.has(option.index)) seen.set(`${deed(option)}:${at}`, isGiven(option, told.get(option.index), view, life));
  }
}
