// Options as they are drawn: one with its line, or the targets of one deed side by side; and what they are judged by.
import { html } from "./vendor/preact.js";
import { worth } from "./ahead.js";
import { explainDeed } from "./explain.js";
import { isGiven } from "./gifts.js";
import { VERB, lifeOf } from "./names.js";
import { deedAsked, futile, isMild, leaders, ownNames } from "./options.js";
import { Brief, Price, chipWord, outlook, paid, risksOf, sharedBy, summed, unpaid, without } from "./outlook.js";
import { rests } from "./pointer.js";
import { partsOf } from "./verbs.js";

/** @typedef {import("./types.js").Option} Option */

const FEW = 4, BRIEF = 7, SEVERAL = 8;
/* Targets of one deed that have room for more than a figure; letters of a figure; things that have room for a sentence each. */
const TRIED = "Nothing came of it just now, and nothing has changed since.";

/** What the options are judged by. @param {any} model @param {any} b @param {Map<number, any>} told */
export function standing(model, b, told = model.ahead.told) {
  const { state } = model, view = state.view, life = lifeOf(b), vain = futile(model.deeds), own = ownNames(state), options = model.options();
  const actor = state.decision ? view.actors[state.decision.actor] : null, asked = deedAsked(options, b);
  const odds = (/** @type {Option} */ o) => told.get(o.index);
  // What comes of every option alike is no reason to take one; what comes of doing nothing as well is no price.
  const shared = options.length > 1 ? sharedBy(options.map(odds)).map((c) => c.text) : [];
  const resting = options.find((/** @type {Option} */ o) => o.verb === VERB.PASS || o.verb === VERB.DECLINE);
  const anyway = resting ? odds(resting)?.sure.map((/** @type {any} */ c) => c.text) || [] : [];
  return {
    own, vain, shared, told, verbs: b.sheet.verbs,
    anyway: [...shared, ...anyway],
    parted: leaders(options, own, b.sheet.verbs).length > 1,
    self: actor ? actor.name : own.size === 1 ? [...own][0] : "",
    // What a rule calls that which is chosen is no word for people: the question asks for it.
    word: (/** @type {string} */ head) => (state.decision && (head === state.decision.prompt || head === asked) ? "" : head),
    worth: (/** @type {Option} */ o) => worth(odds(o), view, life),
    idle: (/** @type {Option} */ o) => vain.has(o.text) || Boolean(odds(o)?.idle),
    given: (/** @type {Option} */ o) => isGiven(o, odds(o), view, life),
  };
}

/** Why an option is dimmed, or stands last. @param {Option} option @param {any} now */
export function reason(option, now) {
  const odds = now.told.get(option.index);
  if (now.vain.has(option.text)) return TRIED;
  return (odds && odds.why) || (now.given(option) ? "It would help the others." : null);
}

/** What the book says of what an option names, where it names a card, a frame, a hero. @param {any} b @param {Option} option @param {any} now */
export function saidOf(b, option, now) {
  const { head, rest } = partsOf(option, now.own, now.verbs);
  return (explainDeed(b, rest) || explainDeed(b, head) || { says: "" }).says;
}

const Words = (/** @type {any} */ { option, short, now }) => {
  const { by, head: said, rest } = partsOf(option, now.own, now.verbs), head = now.word(said);
  if (short) return html`<b>${rest}</b>`;
  const who = by && now.own.size > 1 && !now.parted ? `${by} ` : "";
  return html`<span><span class="verb">${who}${head}</span>${who || head ? " " : ""}<b>${rest}</b></span>`;
};

const Choice = (/** @type {any} */ { b, equal, number, short, few, shared, risks, self, later, now, advised, choose, point }) => {
  const option = equal[0], odds = now.told.get(option.index), likely = short ? chipWord(odds, b, shared, self, few, option.things, risks) : "";
  const look = () => point(option.things, option.index), leave = () => point(null);
  const states = { mild: isMild(option), idle: now.idle(option), given: now.given(option), advised: option.text === advised };
  const kind = [short ? "chip" : "option", ...Object.entries(states).filter(([, on]) => on).map(([name]) => name)].join(" ");
  return html`<button class=${kind} title=${reason(option, now)} data-index=${option.index} onClick=${(/** @type {Event} */ e) => choose(option.index, e)}
    onMouseEnter=${() => rests() || look()} onMouseMove=${look} onMouseLeave=${leave} onFocus=${look} onBlur=${leave}>
    ${number <= 9 ? html`<kbd aria-hidden="true">${number}</kbd>` : null}
    <${Words} option=${option} short=${short} now=${now} />
    ${likely ? html`<span class=${`likely-word${likely.length < BRIEF ? " brief" : ""}`}>${likely}</span>` : null}
    ${equal.length > 1 ? html`<span class="times" title=${`${equal.length} equal options`}>×${equal.length}</span>` : null}
    ${short ? null : html`<${Brief} told=${odds} b=${b} things=${option.things} shared=${shared} self=${self} later=${later} mild=${states.mild} />`}</button>`;
};

/** Whether what is said only names it again. @param {string} says @param {string} name */
const isSaid = (says, name) => name.toLowerCase().includes(says.toLowerCase().replace(/[.\s]+$/, ""));

/** Whether the book says something of it that helps to choose it. @param {any} b @param {string} name */
const isTold = (b, name) => { const told = explainDeed(b, name); return Boolean(told && told.says && !told.weak && !isSaid(told.says, name)); };

/** The rule of an action in one sentence. */
const Told = (/** @type {any} */ { b, name, read }) => {
  // "discard" is what is done, not the pile of that name.
  const told = /^[a-z]/.test(name) && !b.actions.includes(name) ? null : explainDeed(b, name);
  if (!told || !told.says || told.weak) return null;
  return html`<p class="told">${isSaid(told.says, name) ? null : html`<span>${told.says}</span>`}${" "}
    <button class="cite" aria-label=${`Read the rule ${name}`} onClick=${() => read(told)}>rule</button></p>`;
};

/** One option with its line, and the rule of it. */
const Alone = (/** @type {any} */ { head, self, equal, now, b, number, read, ...give }) => {
  const mild = isMild(equal[0]), { rest } = partsOf(equal[0], now.own, now.verbs), deed = head && b.actions.includes(head) ? head : rest;
  // Of a card that is played what it does says more than how cards are played.
  const name = equal[0].things.some((/** @type {any} */ thing) => thing.kind === "Card") && explainDeed(b, rest) ? rest : deed;
  const later = mild ? "" : unpaid(b, deed, now.told.get(equal[0].index), self);
  return html`<li><${Choice} b=${b} equal=${equal} number=${number(equal)} short=${false} shared=${mild ? now.shared : now.anyway} self=${self} later=${later} now=${now} ...${give} />
    ${mild ? null : html`<${Told} b=${b} name=${name} read=${read} />`}</li>`;
};

/** What can be done the same way: one option with its line, or the targets of it side by side. */
export const Ways = (/** @type {any} */ { group, now, b, number, read, ...give }) => {
  const { by, head, equal } = group, self = by || now.self;
  // A choice among a few that the book tells of, as heroes or frames, is made by what it tells.
  const told = !now.word(head) && equal.length <= SEVERAL && equal.every((/** @type {Option[]} */ e) => isTold(b, partsOf(e[0], now.own, now.verbs).rest));
  if (equal.length < 2 || !head || told) {
    return equal.map((/** @type {Option[]} */ e) => html`<${Alone} key=${e[0].text} head=${head} self=${self} equal=${e} now=${now} b=${b} number=${number} read=${read} ...${give} />`);
  }
  const odds = equal.map((/** @type {Option[]} */ e) => now.told.get(e[0].index)), alike = sharedBy(odds), risks = risksOf(odds);
  const shared = [...now.anyway, ...alike.map((c) => c.text)], risky = odds.some((/** @type {any} */ o) => o?.may.length);
  const { price, brings } = outlook(without(alike, now.anyway), b, self, [], risky), costs = new Set(odds.map((/** @type {any} */ o) => unpaid(b, head, o, self)));
  const cost = paid(price, b) || (costs.size === 1 ? [...costs][0] : "");
  const whys = new Set(odds.map((/** @type {any} */ o) => o?.why || "")), vain = whys.size === 1 ? [...whys][0] : "";
  const called = `${by && now.own.size > 1 && !now.parted ? `${by}: ` : ""}${now.word(head)}`, common = summed(brings, self).join("; ");
  return html`<li class="group" key=${by + head}>
    ${called || cost || common ? html`<span class="verb">${called} <${Price} words=${cost} />${common ? html` <span class="sure">${common}</span>` : null}</span>` : null}
    <${Told} b=${b} name=${head} read=${read} />
    ${vain ? html`<p class="odds idle-why">${vain}</p>` : null}
    <span class="chips">${equal.map((/** @type {Option[]} */ e) => html`<${Choice} key=${e[0].text} b=${b} equal=${e} number=${number(e)} short=${true}
      few=${equal.length <= FEW} shared=${shared} risks=${risks} self=${self} now=${now} ...${give} />`)}</span></li>`;
};
