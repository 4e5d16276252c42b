// Options -> what is shown of them: equal ones once, grouped by what is done, and the question in words.
import { EVENT, VERB, acting, isOwn, nameOf } from "./names.js";
import { cameToNothing, deedsOf, sentence } from "./tell.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").Lit} Lit */

export const keyOf = (/** @type {{kind: string, id: number}} */ thing) => `${thing.kind}:${thing.id}`;
const LEAVING = new Set([VERB.PASS, VERB.DECLINE, VERB.STOP]);
const WORDS = new Set(["done", "no", "stop"]);
/* What only ends a choice, where a book words it itself. */

/** @param {Option} option */
export const isMild = (option) => LEAVING.has(option.verb) || WORDS.has(option.text);

/**
 * Who does what to what, as the option says it: "Throw: Wolf", "Ada: Brace", "Ada: Shove: Wolf".
 * @param {Option} option @param {Set<string>} own names of actors that may stand in front
 */
export function partsOf(option, own) {
  const parts = option.text.split(": ");
  const by = parts.length > 1 && own.has(parts[0]) ? parts.shift() || "" : "";
  return parts.length > 1 ? { by, head: parts[0], rest: parts.slice(1).join(": ") } : { by, head: "", rest: parts[0] };
}

/** @param {State} state */
export const ownNames = (state) => new Set(state.view.actors.filter((a) => a.in_play && isOwn(a, state.view)).map((a) => a.name));

/** The things that can be clicked, by key, with the options they belong to. @param {Option[]} options @returns {Lit} */
export function litBy(options) {
  /** @type {Lit} */
  const lit = new Map();
  for (const option of options) for (const thing of option.things) lit.set(keyOf(thing), [...(lit.get(keyOf(thing)) || []), option]);
  return lit;
}

/**
 * Equal options are one; what is done the same way stands together; what only ends the turn stands last.
 * @param {Option[]} options @param {string|null} filter @param {string} search @param {Set<string>} own
 * @returns {{by: string, head: string, equal: Option[][]}[]}
 */
export function grouped(options, filter, search, own) {
  const wanted = search.trim().toLowerCase();
  const fitting = options.filter((o) => (!filter || o.things.some((t) => keyOf(t) === filter)) && (!wanted || o.text.toLowerCase().includes(wanted)));
  /** @type {Map<string, Option[]>} */
  const same = new Map();
  for (const option of fitting) same.set(option.text, [...(same.get(option.text) || []), option]);
  /** @type {Map<string, {by: string, head: string, equal: Option[][]}>} */
  const groups = new Map();
  const mild = [];
  for (const equal of same.values()) {
    if (isMild(equal[0])) { mild.push(equal); continue; }
    const { by, head } = partsOf(equal[0], own);
    const group = groups.get(`${by}:${head}`) || { by, head, equal: [] };
    group.equal.push(equal);
    groups.set(`${by}:${head}`, group);
  }
  return [...groups.values(), ...(mild.length ? [{ by: "", head: "", equal: mild }] : [])];
}

/**
 * What nothing would come of stands behind what does something, but before what only ends the turn.
 * @param {{by: string, head: string, equal: Option[][]}[]} groups @param {(option: Option) => boolean} idle
 */
export function idleLast(groups, idle) {
  const rank = (/** @type {{equal: Option[][]}} */ g) => (isMild(g.equal[0][0]) ? 2 : g.equal.every((e) => idle(e[0])) ? 1 : 0);
  return groups.map((g, i) => ({ g, i, rank: rank(g) })).sort((x, y) => x.rank - y.rank || x.i - y.i).map((x) => x.g);
}

/** @type {Record<string, string>} */
const NOUNS = { Space: "a space", Actor: "who", Card: "a card", Direction: "a direction", number: "a number" };

/** What is chosen, told by the things on offer: never by the name that a rule has for it. @param {Option[]} options */
function noun(options) {
  const kinds = new Set(options.filter((o) => !isMild(o)).map((o) => (o.things[0] || { kind: "" }).kind));
  const [kind] = kinds;
  if (kinds.size !== 1 || !kind) return options.every((o) => /^\d+$/.test(o.text) || isMild(o)) ? "a number" : "";
  return NOUNS[kind] || kind.toLowerCase();
}

/** The question. @param {State} state @param {Book} b @returns {string} */
export function question(state, b) {
  const decision = state.decision;
  if (!decision) return "";
  const { prompt, options } = decision;
  const actor = state.view.actors[decision.actor >= 0 ? decision.actor : acting(state)];
  const several = state.view.actors.filter((a) => isOwn(a, state.view) && a.in_play).length > 1;
  const who = actor && isOwn(actor, state.view) && several ? `${actor.name}: ` : "";
  if (prompt === "act") return who ? `${who}choose an action` : "Your turn: choose an action";
  if (prompt === "react") return "You may react";
  const words = prompt.replace(/[{}]/g, "");
  const titles = new Set(b.sheet.sites.map((s) => s.title));
  const what = noun(options);
  // A book's own words have a capital or a space; what has neither is the name of a variable.
  const worded = words.includes(" ") || /^[A-Z]/.test(words);
  if (titles.has(words) && words !== "Match") return `${who}${words}: choose${what ? ` ${what}` : ""}`;
  if (worded && words !== "Match") return `${who}${words[0].toUpperCase()}${words.slice(1)}?`;
  const deed = doing(state);
  if (options.some((o) => o.verb === VERB.DECLINE) && !what) return `${who}${words[0].toUpperCase()}${words.slice(1)}?`;
  return `${who}${deed ? `${deed}: ` : ""}${deed ? "choose" : "Choose"}${what ? ` ${what}` : " one"}`;
}

/** What a choice belongs to: the action that was chosen last, or the step that was reached. @param {State} state */
function doing(state) {
  const last = state.log.findLast((l) => [EVENT.RULE, EVENT.STEP].includes(l.kind));
  if (!last) return "";
  if (last.kind === EVENT.RULE) return last.title;
  return last.text.slice(last.text.lastIndexOf(", ") + 2);
}

/**
 * Options that were tried since anything changed, and changed nothing: they would change nothing again.
 * @param {import("./tell.js").Deed[]} deeds @returns {Set<string>}
 */
export function futile(deeds) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const deed of [...deeds].reverse()) {
    if (deed.kind === "turn" || !cameToNothing(deed)) break;
    found.add(deed.words[0]);
  }
  return found;
}

/** What a reaction would answer: the deed of somebody else that is under way. @param {State} state @param {Book} b */
export function about(state, b) {
  const deeds = deedsOf(state.log.slice(-60), b, state.view).filter((d) => d.kind !== "quiet" && d.kind !== "turn" && d.kind !== "pass");
  const last = deeds.at(-1);
  const step = state.log.findLast((l) => l.kind === EVENT.STEP);
  const what = last ? sentence(last, b, state.view) : "something you can answer.";
  return `About to happen: ${what}${step ? ` Now: ${step.text}.` : ""}`;
}

/** How it ended, for whoever reads it. @param {State} state */
export function ending(state) {
  const { result, seat, players } = state;
  if (!result) return "";
  const won = result.scores.flatMap((s, i) => (s === 1 && players[i] ? [i] : []));
  const how = seat !== null && result.scores[seat] === 1 ? "You won" : seat !== null && result.scores[seat] === 0 ? "You lost" : "";
  if (how === "You lost" && won.length) return `You lost. ${won.map((i) => nameOf(players, i)).join(", ")} won: ${result.ending}`;
  if (how) return `${how}. ${how === "You won" ? `Ending: ${result.ending}` : `Ending: ${result.ending}`}`;
  return won.length ? `${result.ending}: ${won.map((i) => nameOf(players, i)).join(", ")}` : result.ending;
}

/** @param {State} state */
export function scores({ result, players }) {
  if (!result) return "";
  return result.scores.map((s, i) => `${nameOf(players, i)}: ${["lost", "won", "draw"][s] || s}${standing(result, i)}`).join(" · ");
}

/** Rank and number of a seat, where they say more than who has won. @param {{ranks?: number[], points?: number[]}} result @param {number} seat */
function standing(result, seat) {
  const ranks = result.ranks || [];
  const parts = new Set(ranks).size > 2 ? [`rank ${ranks[seat]}`] : [];
  if (result.points) parts.push(String(result.points[seat]));
  return parts.length ? ` (${parts.join(", ")})` : "";
}
