// The decision: every option in plain words with what the book says of it, and why others are missing.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { Brief, Closely } from "./ahead.js";
import { Advice } from "./guide.js";
import { explain } from "./explain.js";
import { about, ending, futile, grouped, idleLast, isMild, ownNames, partsOf, question, scores } from "./options.js";
import { nameOf } from "./names.js";

/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").State} State */

const MANY = 14;
/* Options beyond which a field to search them appears. */

/** What is to be said above the options. @param {State} state @param {any} b @returns {[string, string]} */
export function headline(state, b) {
  const { decision, result, seat } = state;
  if (result) return [ending(state), result.scores.length > 1 ? scores(state) : ""];
  if (!decision) return ["The rules are at work", ""];
  if (decision.mine) return [question(state, b), decision.prompt === "react" ? about(state, b) : ""];
  const waits = seat === null ? "You are watching." : decision.prompt === "react" ? "A reaction is possible." : "";
  return [`${nameOf(state.players, decision.seat)} decides`, waits];
}

const Words = (/** @type {any} */ { option, short, own }) => {
  const { by, head, rest } = partsOf(option, own);
  const who = by && own.size > 1 ? `${by} ` : "";
  return short ? html`<b>${rest}</b>` : html`<span><span class="verb">${who}${head}</span>${who || head ? " " : ""}<b>${rest}</b></span>`;
};

const Choice = (/** @type {any} */ { equal, number, short, own, vain, told, advised, choose, point }) => {
  const option = equal[0], odds = told.get(option.index), idle = vain.has(option.text) || Boolean(odds && odds.idle);
  const likely = short && odds && odds.may.length && odds.may[0].chance < 0.9995 ? odds.may[0].text.split(":")[0] : "";
  const look = () => point(option.things, option.index), leave = () => point(null);
  return html`<button class=${`${short ? "chip" : "option"}${isMild(option) ? " mild" : ""}${idle ? " idle" : ""}${option.text === advised ? " advised" : ""}`} title=${!idle ? null : vain.has(option.text) ? "Nothing came of it just now, and nothing has changed since." : "Nothing would come of it now."} data-index=${option.index}
    onClick=${(/** @type {Event} */ e) => choose(option.index, e)} onMouseEnter=${look} onMouseLeave=${leave} onFocus=${look} onBlur=${leave}>
    ${number <= 9 ? html`<kbd aria-hidden="true">${number}</kbd>` : null}<${Words} option=${option} short=${short} own=${own} />${likely ? html`<span class="likely-word">${likely}</span>` : null}
    ${equal.length > 1 ? html`<span class="times" title=${`${equal.length} equal options`}>×${equal.length}</span>` : null}${short ? null : html`<${Brief} told=${odds} />`}</button>`;
};

/** The rule of an action in one sentence, and what it needs. */
const Told = (/** @type {any} */ { b, name, read }) => {
  const told = explain(b, name);
  if (!told || !told.says) return null;
  return html`<p class="told"><span>${told.says}</span> <button class="cite" aria-label=${`Read the rule ${name}`} onClick=${() => read(told)}>rule</button></p>`;
};

export const DecisionPanel = (/** @type {any} */ { b, model }) => {
  const { state, busy, fresh, filter, passed } = model;
  const [search, setSearch] = useState("");
  const list = useRef();
  const options = model.options();
  useEffect(() => setSearch(""), [state.version]);
  const [head, note] = headline(state, b);
  const own = ownNames(state), vain = futile(model.deeds), { told, looked } = model.ahead;
  const texts = options.map((/** @type {Option} */ o) => o.text), hint = model.guide.now(texts), advised = hint ? hint.advised : "";
  const groups = idleLast(grouped(options, filter, search, own), (option) => vain.has(option.text) || Boolean(told.get(option.index)?.idle));
  model.shown = groups.flatMap((g) => g.equal);
  const number = (/** @type {Option[]} */ equal) => model.shown.indexOf(equal) + 1;
  const offered = new Set(options.map((/** @type {Option} */ o) => partsOf(o, own).head || partsOf(o, own).rest));
  const left = options.length ? (b.actions || []).filter((/** @type {string} */ name) => !offered.has(name)) : [];
  const choose = (/** @type {number} */ index, /** @type {Event} */ e) => model.choose(index, e), point = (/** @type {any} */ t, /** @type {number} */ index = -1) => model.point(t, index);
  const read = (/** @type {any} */ at) => model.read(at);
  return html`<div class=${`decision${busy ? " busy" : ""}${fresh ? " fresh" : ""}`} data-prompt=${state.decision && state.decision.mine ? state.decision.prompt : ""}>
    ${passed ? html`<p class="passed" role="alert"><span>${passed}</span> <button class="button" onClick=${() => model.acknowledge()}>I see</button></p>` : null}
    <h2 class="prompt" id="prompt">${head}</h2>
    ${note ? html`<p class="about">${note}</p>` : null}
    <${Advice} guide=${model.guide} offered=${texts} over=${Boolean(state.result)} redraw=${() => model.redraw()} />
    ${options.length > MANY ? html`<input class="search" type="search" placeholder=${`Search ${options.length} options`} aria-label="Search the options" value=${search} onInput=${(/** @type {any} */ e) => setSearch(e.target.value)} />` : null}
    <ol class="options" aria-labelledby="prompt" tabindex="-1" ref=${list}>
      ${groups.map(({ by, head: verb, equal }) => (equal.length > 2 && verb
        ? html`<li class="group" key=${by + verb}><span class="verb">${by && own.size > 1 ? `${by}: ` : ""}${verb}</span><${Told} b=${b} name=${verb} read=${read} />
            <span class="chips">${equal.map((e) => html`<${Choice} key=${e[0].text} equal=${e} number=${number(e)} short=${true} own=${own} vain=${vain} told=${told} advised=${advised} choose=${choose} point=${point} />`)}</span></li>`
        : equal.map((e, i) => html`<li key=${e[0].text}><${Choice} equal=${e} number=${number(e)} short=${false} own=${own} vain=${vain} told=${told} advised=${advised} choose=${choose} point=${point} />
            ${i === equal.length - 1 && !isMild(e[0]) ? html`<${Told} b=${b} name=${verb || partsOf(e[0], own).rest} read=${read} />` : null}</li>`)))}
      ${filter ? html`<li key="all"><button class="option mild" onClick=${() => model.narrow(null)}><kbd>esc</kbd>all options</button></li>` : null}
    </ol>
    <${Closely} told=${told.get(looked)} text=${(options.find((/** @type {Option} */ o) => o.index === looked) || { text: "" }).text} />
    ${state.result ? html`<${Over} model=${model} b=${b} />` : null}
    ${left.length ? html`<details class="missing"><summary>Why not ... ?</summary><p class="chips">${left.map((/** @type {string} */ name) => html`<button class="chip" key=${name} onClick=${() => model.whyNot(name)}>${name}</button>`)}</p></details>` : null}
    <p class="hush" role="status" aria-live="polite">${options.length ? `${head}. ${model.shown.length} options.` : head}</p></div>`;
};

/** The end of a match: what came of everybody, and what to do next. */
const Over = (/** @type {any} */ { model, b }) => {
  const deeds = model.keyDeeds();
  const luck = model.luck();
  return html`<div class="ending">
    ${deeds.length ? html`<h3>What decided it</h3><ul class="key-deeds">${deeds.map((/** @type {string} */ d) => html`<li key=${d}>${d}</li>`)}</ul>` : null}
    <${Chart} history=${model.history} view=${model.state.view} />
    ${luck ? html`<p class="quiet luck">${luck}</p>` : null}
    <p class="actions">
      <button class="primary" onClick=${() => model.rematch()}>Play again</button>
      <a class="button" href=${`#/replay/${model.id}`}>Replay</a>
      <a class="button" href=${`/api/tables/${model.id}/replay`} download=${`${b.name}.replay.json`}>Download</a>
      <a class="button" href="#/">Shelf</a></p></div>`;
};

/** How the lives of both sides went, over the match. */
const Chart = (/** @type {any} */ { history, view }) => {
  if (history.length < 3) return null;
  const sides = [...new Set(history.flatMap((/** @type {any} */ h) => [...h.sums.keys()]))];
  const top = Math.max(1, ...history.flatMap((/** @type {any} */ h) => [...h.sums.values()]));
  const path = (/** @type {any} */ side) => history.map((/** @type {any} */ h, /** @type {number} */ i) => `${i ? "L" : "M"}${((i / (history.length - 1)) * 300).toFixed(1)} ${(78 - ((h.sums.get(side) || 0) / top) * 74).toFixed(1)}`).join("");
  const name = (/** @type {any} */ side) => view.actors.filter((/** @type {any} */ a) => a.side === side).slice(0, 2).map((/** @type {any} */ a) => a.name).join(", ");
  return html`<figure class="chart"><svg viewBox="0 0 300 80" role="img" aria-label="How the sides' strength went">${sides.map((side, i) => html`<path key=${side} class=${`curve s${i % 4}`} d=${path(side)} />`)}</svg>
    <figcaption>${sides.map((side, i) => html`<span key=${side} class=${`s${i % 4}`}>${name(side)}…</span>`)}</figcaption></figure>`;
};
