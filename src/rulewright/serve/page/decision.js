// The decision: every option in plain words with what the book says of it, and why others are missing.
import { html, useEffect, useState } from "./vendor/preact.js";
import { worth } from "./ahead.js";
import { rests } from "./pointer.js";
import { Brief, Closely, Price, chipWord, outlook, paid, sharedBy, summed, unpaid, without } from "./outlook.js";
import { doubtful, isGiven } from "./gifts.js";
import { Advice } from "./guide.js";
import { explainDeed } from "./explain.js";
import { Over } from "./ending.js";
import { FreeSeat } from "./meeting.js";
import { about, asking, belongs, deedAsked, ending, futile, grouped, isMild, leaders, ordered, ownNames, partsOf, question, scores } from "./options.js";
import { VERB, lifeOf, nameOf } from "./names.js";

/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").State} State */

const MANY = 14, FEW = 4;
/* Options beyond which a field to search them appears; targets of one deed that have room for more than a figure. */

/** What is to be said above the options. @param {State} state @param {any} b @returns {[string, string]} */
export function headline(state, b) {
  const { decision, result, seat } = state;
  if (result) return [ending(state), result.scores.length > 1 ? scores(state) : ""];
  if (!decision) return ["The rules are at work", ""];
  const others = waitsFor(state);
  if (decision.mine) return [question(state, b), decision.prompt === "react" ? about(state, b) : others || belongs(state, b) || saysOf(b, asking(state, b))];
  const waits = seat === null ? "You are watching." : decision.prompt === "react" ? "A reaction is possible." : "";
  if (others) return [others, seat !== null && (state.together || []).includes(seat) ? "You have chosen; nobody sees it before all have." : waits];
  const who = state.players[decision.seat];
  if (who && who.kind === "open") return ["A seat is still free", "The match goes on when somebody has taken it: from the shelf, or by a link under Share."];
  return [`${nameOf(state.players, decision.seat)} decides`, waits];
}

/** What the book itself says of something. @param {any} b @param {string} name */
function saysOf(b, name) {
  const told = name ? explainDeed(b, name) : null;
  return told && !told.weak ? told.says : "";
}

/** How many still choose, where several do at the same time. @param {State} state */
export function waitsFor({ together, waiting, players }) {
  if (!together || together.length < 2) return "";
  const names = waiting.map((seat) => nameOf(players, seat));
  return `Waiting for ${waiting.length} of ${together.length}${names.length && names.length < 4 ? `: ${names.join(", ")}` : ""}`;
}

const Words = (/** @type {any} */ { option, short, now }) => {
  const { by, head: said, rest } = partsOf(option, now.own, now.verbs), head = now.word(said);
  const who = by && now.own.size > 1 && !now.parted ? `${by} ` : "";
  return short ? html`<b>${rest}</b>` : html`<span><span class="verb">${who}${head}</span>${who || head ? " " : ""}<b>${rest}</b></span>`;
};

/** Why an option is dimmed, or stands last. @param {boolean} tried @param {string} vain @param {boolean} given */
const reason = (tried, vain, given) => (tried ? "Nothing came of it just now, and nothing has changed since." : vain || (given ? "It would help the others." : null));

const Choice = (/** @type {any} */ { b, equal, number, short, few, shared, self, later, now, advised, choose, point }) => {
  const option = equal[0], odds = now.told.get(option.index), tried = now.vain.has(option.text), idle = now.idle(option), given = now.given(option);
  const likely = short ? chipWord(odds, b, shared, self, few) : "";
  const look = () => point(option.things, option.index), leave = () => point(null);
  return html`<button class=${`${short ? "chip" : "option"}${isMild(option) ? " mild" : ""}${idle ? " idle" : ""}${given ? " given" : ""}${option.text === advised ? " advised" : ""}`} title=${reason(tried, (odds && odds.why) || "", given)} data-index=${option.index}
    onClick=${(/** @type {Event} */ e) => choose(option.index, e)} onMouseEnter=${() => rests() || look()} onMouseMove=${look} onMouseLeave=${leave} onFocus=${look} onBlur=${leave}>
    ${number <= 9 ? html`<kbd aria-hidden="true">${number}</kbd>` : null}<${Words} option=${option} short=${short} now=${now} />${likely ? html`<span class="likely-word">${likely}</span>` : null}
    ${equal.length > 1 ? html`<span class="times" title=${`${equal.length} equal options`}>×${equal.length}</span>` : null}${short ? null : html`<${Brief} told=${odds} b=${b} things=${option.things} shared=${shared} self=${self} later=${later} />`}</button>`;
};

/** The rule of an action in one sentence, and what it needs. */
const Told = (/** @type {any} */ { b, name, read }) => {
  // "discard" is what is done, not the pile of that name.
  const told = /^[a-z]/.test(name) && !b.actions.includes(name) ? null : explainDeed(b, name);
  if (!told || !told.says || told.weak) return null;
  return html`<p class="told">${isSaid(told.says, name) ? null : html`<span>${told.says}</span>`} <button class="cite" aria-label=${`Read the rule ${name}`} onClick=${() => read(told)}>rule</button></p>`;
};

/** Whether what is said only names it again. @param {string} says @param {string} name */
const isSaid = (says, name) => name.toLowerCase().includes(says.toLowerCase().replace(/[.\s]+$/, ""));

/** What can be done the same way: one option with its line, or the targets of it side by side. */
const Ways = (/** @type {any} */ { group, now, b, number, read, ...give }) => {
  const { by, head, equal } = group, self = by || now.self;
  if (equal.length < 2 || !head) {
    return equal.map((/** @type {Option[]} */ e) => {
      const mild = isMild(e[0]), name = head && b.actions.includes(head) ? head : partsOf(e[0], now.own, now.verbs).rest;
      return html`<li key=${e[0].text}><${Choice} b=${b} equal=${e} number=${number(e)} short=${false} shared=${mild ? now.shared : now.anyway} self=${self} later=${mild ? "" : unpaid(b, name, now.told.get(e[0].index))} now=${now} ...${give} />
        ${mild ? null : html`<${Told} b=${b} name=${name} read=${read} />`}</li>`;
    });
  }
  const alike = sharedBy(equal.map((/** @type {Option[]} */ e) => now.told.get(e[0].index))), shared = [...now.anyway, ...alike.map((c) => c.text)];
  const risky = equal.some((/** @type {Option[]} */ e) => now.told.get(e[0].index)?.may.length), { price, brings } = outlook(without(alike, now.anyway), b, self, [], risky);
  const common = summed(brings, self).join("; "), cost = paid(price, b) || unpaid(b, head, undefined), whys = new Set(equal.map((/** @type {Option[]} */ e) => now.told.get(e[0].index)?.why || "")), vain = whys.size === 1 ? [...whys][0] : "";
  const called = `${by && now.own.size > 1 && !now.parted ? `${by}: ` : ""}${now.word(head)}`;
  return html`<li class="group" key=${by + head}>${called || cost || common ? html`<span class="verb">${called} <${Price} words=${cost} />${common ? html` <span class="sure">${common}</span>` : null}</span>` : null}<${Told} b=${b} name=${head} read=${read} />${vain ? html`<p class="odds idle-why">${vain}</p>` : null}
    <span class="chips">${equal.map((/** @type {Option[]} */ e) => html`<${Choice} key=${e[0].text} b=${b} equal=${e} number=${number(e)} short=${true} few=${equal.length <= FEW} shared=${shared} self=${self} now=${now} ...${give} />`)}</span></li>`;
};

export const DecisionPanel = (/** @type {any} */ { b, model }) => {
  const { state, busy, fresh, filter, passed } = model;
  const [search, setSearch] = useState("");
  const options = model.options();
  useEffect(() => setSearch(""), [state.version]);
  const [head, note] = headline(state, b);
  const { looked } = model.ahead, now = standing(model, b), { own, verbs } = now;
  const texts = options.map((/** @type {Option} */ o) => o.text), hint = model.guide.now(texts), advised = hint ? hint.advised : "";
  const first = standing(model, b, model.ahead.first);
  const doubted = doubtful(state, b, model.gifts), last = first.told.size ? first.given : (/** @type {Option} */ o) => doubted.has(o.index);
  const groups = ordered(grouped(options, filter, search, own, verbs), first.worth, first.idle, last);
  model.shown = groups.flatMap((g) => g.equal);
  const number = (/** @type {Option[]} */ equal) => model.shown.indexOf(equal) + 1;
  const offered = new Set(options.map((/** @type {Option} */ o) => partsOf(o, own, verbs).head || partsOf(o, own, verbs).rest));
  const lookedAt = options.find((/** @type {Option} */ o) => o.index === looked);
  // Whoever is asked for a space or a card is not asked what to do.
  const acts = options.length && ["act", "react"].includes(state.decision.prompt);
  const left = acts ? (b.actions || []).filter((/** @type {string} */ name) => !offered.has(name)) : [];
  const give = { advised, choose: (/** @type {number} */ index, /** @type {Event} */ e) => model.choose(index, e), point: (/** @type {any} */ t, /** @type {number} */ index = -1) => model.point(t, index), read: (/** @type {any} */ at) => model.read(at) };
  return html`<div class=${`decision${busy ? " busy" : ""}${fresh ? " fresh" : ""}`} data-prompt=${state.decision && state.decision.mine ? state.decision.prompt : ""}>
    ${passed ? html`<p class="passed" role="alert"><span>${passed}</span> <button class="button" onClick=${() => model.acknowledge()}>I see</button></p>` : null}
    <h2 class="prompt" id="prompt">${head}</h2>
    ${note ? html`<p class="about">${note}</p>` : null}<${Together} state=${state} /><${FreeSeat} model=${model} b=${b} />
    <${Advice} guide=${model.guide} offered=${texts} over=${Boolean(state.result)} redraw=${() => model.redraw()} />
    ${options.length > MANY ? html`<input class="search" type="search" placeholder=${`Search ${options.length} options`} aria-label="Search the options" value=${search} onInput=${(/** @type {any} */ e) => setSearch(e.target.value)} />` : null}
    <ol class="options" aria-labelledby="prompt" tabindex="-1" onMouseEnter=${() => model.ahead.hover(true)} onMouseLeave=${() => model.ahead.hover(false)}>
      ${groups.flatMap((group, i) => [
        now.parted && group.by && (!i || groups[i - 1].by !== group.by) ? html`<li class="whose-part" key=${`of ${group.by}`}>${group.by}</li>` : null,
        html`<${Ways} key=${`${group.by}:${group.head}:${group.equal[0][0].text}`} group=${group} now=${now} b=${b} number=${number} ...${give} />`])}
      ${filter ? html`<li key="all"><button class="option mild" onClick=${() => model.narrow(null)}><kbd>esc</kbd>all options</button></li>` : null}
    </ol>
    ${lookedAt ? html`<${Closely} told=${now.told.get(looked)} text=${lookedAt.text} says=${saidOf(b, lookedAt, own, verbs)} why=${reason(now.vain.has(lookedAt.text), now.told.get(looked)?.why || "", now.given(lookedAt))} self=${partsOf(lookedAt, own, verbs).by || now.self} />` : null}
    ${state.result ? html`<${Over} model=${model} b=${b} />` : null}
    ${left.length ? html`<details class="missing"><summary>Why not ... ?</summary><p class="chips">${left.map((/** @type {string} */ name) => html`<button class="chip" key=${name} onClick=${() => model.whyNot(name)}>${name}</button>`)}</p></details>` : null}
    <p class="hush" role="status" aria-live="polite">${options.length ? `${head}. ${model.shown.length} options.` : head}</p></div>`;
};

/** Who chooses at the same time, drawn: who has chosen, and who is waited for. */
const Together = (/** @type {any} */ { state }) => {
  const { together, waiting, players } = state;
  if (!together || together.length < 2) return null;
  return html`<ul class="together" aria-label=${waitsFor(state)}>${together.map((/** @type {number} */ seat) => {
    const late = waiting.includes(seat);
    return html`<li key=${seat} class=${late ? "late" : "done"}><span aria-hidden="true">${late ? "…" : "✓"}</span> ${nameOf(players, seat)}<span class="hush">${late ? " still chooses" : " has chosen"}</span></li>`;
  })}</ul>`;
};

/** What the options are judged by. @param {any} model @param {any} b @param {Map<number, any>} told */
function standing(model, b, told = model.ahead.told) {
  const { state } = model, life = lifeOf(b), view = state.view, vain = futile(model.deeds);
  const actor = state.decision ? view.actors[state.decision.actor] : null, own = ownNames(state);
  const odds = (/** @type {Option} */ o) => told.get(o.index), options = model.options();
  // What comes of every option alike is no reason to take one.
  const shared = options.length > 1 ? sharedBy(options.map(odds)).map((c) => c.text) : [];
  // What comes of doing nothing as well is no price.
  const asked = deedAsked(options, b);
  const resting = options.find((/** @type {Option} */ o) => o.verb === VERB.PASS || o.verb === VERB.DECLINE), anyway = resting ? odds(resting)?.sure.map((/** @type {any} */ c) => c.text) || [] : [];
  return {
    anyway: [...shared, ...anyway],
    // What a rule calls that which is chosen is no word for people: the question asks for it.
    word: (/** @type {string} */ head) => (state.decision && (head === state.decision.prompt || head === asked) ? "" : head),
    own, vain, shared, parted: leaders(options, own).length > 1, told, verbs: b.sheet.verbs, self: actor ? actor.name : own.size === 1 ? [...own][0] : "",
    worth: (/** @type {Option} */ o) => worth(odds(o), view, life),
    idle: (/** @type {Option} */ o) => vain.has(o.text) || Boolean(odds(o)?.idle),
    given: (/** @type {Option} */ o) => isGiven(o, odds(o), view, life),
  };
}

/** What the book says of what an option names, where it names a card, a frame, a hero. @param {any} b @param {Option} option @param {Set<string>} own @param {any[]} verbs */
function saidOf(b, option, own, verbs) {
  const { head, rest } = partsOf(option, own, verbs);
  return (explainDeed(b, rest) || explainDeed(b, head) || { says: "" }).says;
}
