// Options -> what is shown of them: equal ones once, grouped by what is done, and the question in words.
import { EVENT, VERB, acting, isEnding, isOwn, nameOf, wordsOf } from "./names.js";
import { cameToNothing, sentence } from "./sentence.js";
import { deedsOf } from "./tell.js";
import { doneIn, partsOf } from "./verbs.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").Lit} Lit */

export const keyOf = (/** @type {{kind: string, id: number}} */ thing) => `${thing.kind}:${thing.id}`;

/** @param {Option} option */
export const isMild = (option) => isEnding(option.verb, option.text);

/** @param {State} state */
export const ownNames = (state) => new Set(state.view.actors.filter((a) => a.in_play && isOwn(a, state.view)).map((a) => a.name));

/** The things that can be clicked, by key, with the options they belong to. @param {Option[]} options @returns {Lit} */
export function litBy(options) {
  /** @type {Lit} */
  const lit = new Map();
  for (const option of options) for (const thing of option.things) lit.set(keyOf(thing), [...(lit.get(keyOf(thing)) || []), option]);
  return lit;
}

/** @typedef {{by: string, head: string, equal: Option[][]}} Group what somebody can do the same way, to one thing or another */

/**
 * Equal options are one; what is done the same way stands together; what only ends the turn stands last.
 * @param {Option[]} options @param {string|null} filter @param {string} search @param {Set<string>} own @param {import("./verbs.js").Verb[]} verbs
 * @returns {Group[]}
 */
export function grouped(options, filter, search, own, verbs) {
  const wanted = search.trim().toLowerCase();
  const fitting = options.filter((o) => (!filter || o.things.some((t) => keyOf(t) === filter)) && (!wanted || o.text.toLowerCase().includes(wanted)));
  /** @type {Map<string, Option[]>} */
  const same = new Map();
  for (const option of fitting) same.set(option.text, [...(same.get(option.text) || []), option]);
  /** @type {Map<string, Group>} */
  const groups = new Map();
  const mild = [];
  for (const equal of same.values()) {
    if (isMild(equal[0])) { mild.push(equal); continue; }
    const { by, head, rest } = partsOf(equal[0], own, verbs), key = head ? `${by}:${head}` : `${by}:: ${rest}`;
    const group = groups.get(key) || { by, head, equal: [] };
    group.equal.push(equal);
    groups.set(key, group);
  }
  return [...groups.values(), ...(mild.length ? [{ by: "", head: "", equal: mild }] : [])];
}

/**
 * Everybody's options stand together. Of those, what helps most stands first; what is given away behind it; what nothing would
 * come of behind that. What only ends the turn stands last, but first where nothing else is worth doing.
 * @param {Group[]} groups @param {(option: Option) => number} worth @param {(option: Option) => boolean} idle @param {(option: Option) => boolean} given
 * @returns {Group[]}
 */
export function ordered(groups, worth, idle, given) {
  const place = (/** @type {Option} */ o) => (idle(o) ? 3 : given(o) ? 1 : 0);
  const mild = (/** @type {Group} */ g) => isMild(g.equal[0][0]);
  const left = groups.some((g) => !mild(g) && g.equal.some((e) => !place(e[0])));
  const actors = [...new Set(groups.filter((g) => !mild(g)).map((g) => g.by))];
  const rank = (/** @type {Group} */ g) => Math.min(...g.equal.map((e) => place(e[0])));
  const best = (/** @type {Group} */ g) => Math.max(...g.equal.filter((e) => place(e[0]) === rank(g)).map((e) => worth(e[0])));
  const inside = groups.map((g) => ({ ...g, equal: stable(g.equal, (e) => place(e[0]) * 1e6 - worth(e[0])) }));
  return stable(inside, (g) => (mild(g) ? (left ? 1e12 : -1) : actors.indexOf(g.by) * 1e9 + rank(g) * 1e6 - best(g)));
}

/** @template T @param {T[]} list @param {(one: T) => number} key */
const stable = (list, key) => list.map((one, i) => ({ one, i, key: key(one) })).sort((x, y) => x.key - y.key || x.i - y.i).map((x) => x.one);

/** @type {Record<string, string>} */
const NOUNS = { Space: "a space", Actor: "who", Card: "a card", Direction: "a direction", number: "a number" };

/** What is chosen, told by the things on offer: never by the name that a rule has for it. @param {Option[]} options */
function noun(options) {
  const kinds = new Set(options.filter((o) => !isMild(o)).map((o) => (o.things[0] || { kind: "" }).kind));
  const [kind] = kinds;
  if (kinds.size !== 1 || !kind) return options.every((o) => /^\d+$/.test(o.text) || isMild(o)) ? "a number" : "one";
  const word = kind.toLowerCase();
  return NOUNS[kind] || `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}

/** Who is asked, where one seat leads several, or places somebody who is still to come. @param {State} state */
function asked(state) {
  const actor = state.view.actors[state.decision && state.decision.actor >= 0 ? state.decision.actor : acting(state)];
  const several = state.view.actors.filter((a) => isOwn(a, state.view) && a.in_play).length > 1;
  const placed = state.decision && state.decision.actor === actor?.id && !actor.in_play && state.decision.options.every((o) => o.things.some((thing) => thing.kind === "Space"));
  return actor && isOwn(actor, state.view) && (several || placed) ? actor.name : "";
}

/** Those of one's own who may act now. @param {Option[]} options @param {Set<string>} own @param {import("./verbs.js").Verb[]} verbs */
export const leaders = (options, own, verbs) => [...new Set(options.filter((o) => !isMild(o)).map((o) => partsOf(o, own, verbs).by))];

/** The question. @param {State} state @param {Book} b @returns {string} */
export function question(state, b) {
  const decision = state.decision;
  if (!decision) return "";
  const { prompt, options } = decision, who = asked(state);
  // Whose turn it is may have nothing left to do: then whoever still has is asked.
  const lead = prompt === "act" ? leaders(options, ownNames(state), b.sheet.verbs) : [];
  if (prompt === "act") return who && lead.length < 2 ? `${lead[0] || who}: choose an action` : "Your turn: choose an action";
  if (prompt === "react") return "You may react";
  const words = wordsFor(prompt, b), first = words && words[0].toUpperCase() + words.slice(1), what = noun(options);
  if (words && options.some((o) => o.verb === VERB.DECLINE)) return `${who ? `${who}: ` : ""}${first}?`;
  const about = who || first || doing(state, b), to = deedAsked(options, b), asks = `choose ${what}${to ? ` to ${to}` : ""}`;
  // "Choose: choose one" would say it twice.
  return about && !/^choose\b/i.test(about) ? `${about}: ${asks}` : capital(asks);
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What all options do with what is chosen, in the words of the rule: "lead {0}", "stand at {0}". @param {Option[]} options @param {Book} b */
export function deedAsked(options, b) {
  const heads = new Set(options.filter((o) => !isMild(o)).map((o) => ((b.sheet.verbs[o.verb] || {}).text || "").split("{0}")[0].trim()));
  const [head] = heads;
  return heads.size === 1 && /^[a-z][a-z ]*$/.test(head) ? head : "";
}

/** What the question belongs to, where the question itself does not say so. @param {State} state @param {Book} b */
export function belongs(state, b) {
  const decision = state.decision;
  if (!decision || ["act", "react"].includes(decision.prompt) || !asked(state) || decision.options.some((o) => o.verb === VERB.DECLINE)) return "";
  return wordsFor(decision.prompt, b) || doing(state, b);
}

/** The rule that asks, by its title: it says what the choice is about. @param {State} state @param {Book} b */
export function asking(state, b) {
  const { prompt } = state.decision || { prompt: "" };
  return ["act", "react", ""].includes(prompt) ? "" : wordsFor(prompt, b) || doing(state, b);
}

/** A book's own words for a choice: they have a space or a capital, and are no title of a rule. @param {string} prompt @param {Book} b */
function wordsFor(prompt, b) {
  const words = prompt.replace(/[{}]/g, "");
  // "Choose a list: choose one" would say it twice.
  const titled = b.sheet.sites.some((s) => s.title === words) || /^choose\b/i.test(words);
  return (words.includes(" ") || /^[A-Z]/.test(words)) && !titled ? words : "";
}

/** What is under way: an action, with the card that is played, or else the step that was reached last. @param {State} state @param {Book} b */
function doing(state, b) {
  const actions = new Set(b.actions || []), faces = new Set(b.sheet.things?.Face || []);
  let deed = "";
  for (const line of [...state.log].reverse()) {
    const { kind, title, args } = line;
    if (kind === EVENT.STEP) return deed || wordsOf(line);
    const actor = kind === EVENT.RULE && actions.has(title) ? state.view.actors[args[0]] : null;
    if (actor && isOwn(actor, state.view)) deed = deed || title;
    const { head, rest } = kind === EVENT.CHOSEN ? doneIn(b.sheet.verbs[args[0]], wordsOf(line)) : { head: "", rest: "" };
    if (actions.has(head) && (!deed || deed === head)) return faces.has(rest) ? rest : head;
  }
  return deed;
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
    if (deed.words.length) found.add(wordsOf(deed.words[0]));
  }
  return found;
}

/** What a reaction would answer: what happened last, where somebody else did it; else only the step that was reached. @param {State} state @param {Book} b */
export function about(state, b) {
  const last = deedsOf(state.log.slice(-60), b, state.view).filter((d) => !["quiet", "turn", "pass"].includes(d.kind)).at(-1);
  const step = state.log.findLast((l) => l.kind === EVENT.STEP), actor = last && state.view.actors[last.who];
  const what = last && !(actor && isOwn(actor, state.view)) ? sentence(last, b, state.view) : step ? "" : "something you can answer.";
  return `${what ? `About to happen: ${what}` : ""}${step ? `${what ? " " : ""}Now: ${step.text}.` : ""}`;
}

const FATE = ["You lost", "You won", ""];
/* Of whoever reads it, by their score; a draw is nobody's. */

/** Who has won, for whoever reads it: their own fate, and the names of winners. @param {State} state @returns {{fate: string, winners: string}} */
export function verdict({ result, seat, players }) {
  if (!result) return { fate: "", winners: "" };
  const won = result.scores.flatMap((s, i) => (s === 1 && players[i] ? [nameOf(players, i)] : []));
  return { fate: seat === null ? "" : FATE[result.scores[seat]] || "", winners: won.join(", ") };
}

/** The end in one sentence, as the last of all deeds is told. @param {State} state */
export function farewell(state) {
  const { fate, winners } = verdict(state), who = fate || (winners ? `${winners} won` : "");
  return `${who ? `${who}, and the` : "The"} match ends: ${state.result ? state.result.ending : ""}.`;
}

/** How it ended, for whoever reads it. @param {State} state */
export function ending(state) {
  const { fate, winners } = verdict(state), name = state.result ? state.result.ending : "";
  if (fate === FATE[0] && winners) return `${fate}. ${winners} won: ${name}`;
  if (fate) return `${fate}. Ending: ${name}`;
  return winners ? `${name}: ${winners}` : name;
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
