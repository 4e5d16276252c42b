// Options and choices in their parts: who does it, what is done, with what. The wording of a verb has places for its things,
// so that nothing has to be found again in a finished sentence.

/** @typedef {import("./types.js").Option} Option */
/** @typedef {{text: string, args?: string[]}} Verb */
/** @typedef {{by: string, head: string, rest: string}} Parts who does what to what */

const PLACE = /\{(\d)(?::[^}|]*)?(?:\|([^}]*))?\}/g;
const FIRST = /^\{(\d)[^}]*\}$/;

/** The pieces of a wording, and which of its things is whoever does it, or -1. @param {Verb} verb @returns {{actor: number, pieces: string[]}} */
function piecesOf({ text, args = [] }) {
  const pieces = text.split(": "), first = pieces.length > 1 ? FIRST.exec(pieces[0]) : null;
  const isActor = first && args[Number(first[1])] === "Actor";
  return isActor ? { actor: Number(first[1]), pieces: pieces.slice(1) } : { actor: -1, pieces };
}

/** @param {string} piece @param {Option["things"]} things */
const filled = (piece, things) => piece.replace(PLACE, (place, at, none) => {
  const thing = things[Number(at)];
  return !thing ? place : thing.id < 0 && none && thing.kind !== "number" ? none : thing.name;
});

/**
 * "{1}: Shove: {0}" is Ada: Shove: Wolf; of "step to {0}" the words in front are what is done.
 * @param {Option} option @param {Set<string>} own names of actors that may stand in front @param {Verb[]} verbs @returns {Parts}
 */
export function partsOf(option, own, verbs) {
  const verb = verbs[option.verb];
  if (!verb) return { by: "", head: "", rest: option.text };
  const { actor, pieces } = piecesOf(verb), who = actor >= 0 ? (option.things[actor] || { name: "" }).name : "";
  const by = own.has(who) ? who : "", [first, ...others] = pieces.map((piece) => filled(piece, option.things));
  if (others.length) return { by, head: first, rest: others.join(": ") };
  const front = pieces[0].split("{")[0].trim();
  return front && first.startsWith(`${front} `) && front !== pieces[0] ? { by, head: front, rest: first.slice(front.length + 1) } : { by, head: "", rest: first };
}

/**
 * The same of a choice in the log, of which only the words are known: what was done, and with what.
 * @param {Verb|undefined} verb @param {string} words @returns {{head: string, rest: string}}
 */
export function doneIn(verb, words) {
  if (!verb) return { head: words, rest: "" };
  const { actor, pieces: [head, ...others] } = piecesOf(verb), done = head.includes("{") || !others.length ? "" : head;
  const own = actor >= 0 ? words.slice(words.indexOf(": ") + 2) : words;
  return done ? { head: done, rest: own.slice(done.length + 2) } : { head: own, rest: "" };
}
