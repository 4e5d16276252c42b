// The decision: every option in plain words with what the book says of it, and why others are missing.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { Ways, reason, saidOf, standing } from "./choices.js";
import { Over } from "./ending.js";
import { doubtful } from "./gifts.js";
import { Advice } from "./guide.js";
import { Together, headline } from "./headline.js";
import { FreeSeat } from "./meeting.js";
import { grouped, ordered } from "./options.js";
import { Closely } from "./outlook.js";
import { partsOf } from "./verbs.js";

/** @typedef {import("./types.js").Option} Option */

const MANY = 14;
/* Options beyond which a field to search them appears. */

/** The options in their groups and places: by the odds as they were told first, so that nothing moves under the pointer. @param {any} model @param {any} b @param {any} now @param {string} search */
function placed(model, b, now, search) {
  const first = standing(model, b, model.ahead.first), doubted = doubtful(model.state, b, model.gifts);
  const last = first.told.size ? first.given : (/** @type {Option} */ o) => doubted.has(o.index);
  return ordered(grouped(model.options(), model.filter, search, now.own, now.verbs), first.worth, first.idle, last);
}

/** Actions that are not on offer now. Whoever is asked for a space or a card is not asked what to do. @param {any} model @param {any} b @param {any} now */
function missing(model, b, now) {
  const options = model.options();
  if (!options.length || !["act", "react"].includes(model.state.decision.prompt)) return [];
  const parts = options.map((/** @type {Option} */ o) => partsOf(o, now.own, now.verbs)), offered = new Set(parts.map((/** @type {any} */ p) => p.head || p.rest));
  return (b.actions || []).filter((/** @type {string} */ name) => !offered.has(name));
}

const Search = (/** @type {any} */ { count, value, set }) => html`<input class="search" type="search" placeholder=${`Search ${count} options`} aria-label="Search the options"
  value=${value} onInput=${(/** @type {any} */ e) => set(e.target.value)} />`;

/** What is not offered, and why not. */
const WhyNot = (/** @type {any} */ { names, ask }) => html`<details class="missing"><summary>Why not ... ?</summary>
  <p class="chips">${names.map((/** @type {string} */ name) => html`<button class="chip" key=${name} onClick=${() => ask(name)}>${name}</button>`)}</p></details>`;

/** A new question is read from its first line, wherever the last one was left; whoever chooses by keys is where the focus is. @param {any} box */
function toTop(box) {
  const part = box && box.closest(".decide");
  if (part && !box.querySelector(":focus-visible")) part.scrollTop = 0;
}

export const DecisionPanel = (/** @type {any} */ { b, model }) => {
  const { state, busy, fresh, filter, passed } = model, options = model.options(), now = standing(model, b);
  const [search, setSearch] = useState("");
  const box = useRef(null);
  useEffect(() => {
    setSearch("");
    toTop(box.current);
  }, [state.version]);
  const [head, note] = headline(state, b, model.ended), groups = placed(model, b, now, search), left = missing(model, b, now);
  const texts = options.map((/** @type {Option} */ o) => o.text), hint = model.guide.now(texts);
  model.shown = groups.flatMap((g) => g.equal);
  const { looked } = model.ahead, close = options.find((/** @type {Option} */ o) => o.index === looked);
  const give = {
    now, b, advised: hint ? hint.advised : "",
    number: (/** @type {Option[]} */ equal) => model.shown.indexOf(equal) + 1,
    choose: (/** @type {number} */ index, /** @type {Event} */ e) => model.choose(index, e),
    point: (/** @type {any} */ things, /** @type {number} */ index = -1) => model.point(things, index),
    read: (/** @type {any} */ at) => model.read(at),
  };
  return html`<div ref=${box} class=${`decision${busy ? " busy" : ""}${fresh ? " fresh" : ""}`} data-prompt=${state.decision && state.decision.mine ? state.decision.prompt : ""}>
    ${passed ? html`<p class="passed" role="alert"><span>${passed}</span> <button class="button" onClick=${() => model.acknowledge()}>I see</button></p>` : null}
    <h2 class="prompt" id="prompt">${head}</h2>
    ${note ? html`<p class="about">${note}</p>` : null}
    <${Together} state=${state} /><${FreeSeat} model=${model} b=${b} />
    <${Advice} guide=${model.guide} offered=${texts} over=${model.ended} redraw=${() => model.redraw()} />
    ${options.length > MANY ? html`<${Search} count=${options.length} value=${search} set=${setSearch} />` : null}
    <ol class="options" aria-labelledby="prompt" tabindex="-1" onMouseEnter=${() => model.ahead.hover(true)} onMouseLeave=${() => model.ahead.hover(false)}>
      ${groups.flatMap((group, i) => [
        now.parted && group.by && (!i || groups[i - 1].by !== group.by) ? html`<li class="whose-part" key=${`of ${group.by}`}>${group.by}</li>` : null,
        html`<${Ways} key=${`${group.by}:${group.head}:${group.equal[0][0].text}`} group=${group} ...${give} />`])}
      ${filter ? html`<li key="all"><button class="option mild" onClick=${() => model.narrow(null)}><kbd>esc</kbd>all options</button></li>` : null}
    </ol>
    ${close ? html`<${Closely} told=${now.told.get(looked)} text=${close.text} says=${saidOf(b, close, now)} why=${reason(close, now)}
      self=${partsOf(close, now.own, now.verbs).by || now.self} />` : null}
    ${model.ended ? html`<${Over} model=${model} b=${b} />` : null}
    ${state.result && !model.ended ? html`<p class="actions"><button class="primary" onClick=${() => model.stage.skip()}>To the end</button></p>` : null}
    ${left.length ? html`<${WhyNot} names=${left} ask=${(/** @type {string} */ name) => model.whyNot(name)} />` : null}
    <p class="hush" role="status" aria-live="polite">${options.length ? `${head}. ${model.shown.length} options.` : head}</p></div>`;
};
