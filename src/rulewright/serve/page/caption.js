// The stage's caption: the deed that is played, or was played last, with its dice and what it changed; and how it ended.
import { html, useLayoutEffect, useRef } from "./vendor/preact.js";
import { dieOf, flip, isFlip } from "./dice.js";
import { explain } from "./explain.js";
import { Flights } from "./flights.js";
import { hueOf, isOwn } from "./names.js";
import { verdict } from "./options.js";
import { becomes, sentence } from "./sentence.js";
import { outcomes, rolls } from "./tell.js";

/** @typedef {import("./tell.js").Deed} Deed */
/** @typedef {import("./reckoning.js").Tally} Tally */

const SPEEDS = /** @type {[number, string][]} */ ([[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"], [0, "off"]]);
const ROLLS = 6, FLIPS = 8, CHANGES = 6, SUMS = 2, PLAIN = 6;
/* What of a deed is drawn: its last rolls and cards, its changes, its sums; dice from which on they are not added up. */

/** The part of a die: its class, and its word for those who listen. @type {Record<string, [string, string]>} */
const PARTS = { "1": ["counted", "counts"], "0": ["uncounted", "does not count"], "-1": ["taken", "takes away"] };

/** What is known of a die. @param {Tally|null} tally @param {number} n @returns {[string, string]} */
function partOf(tally, n) {
  const found = tally && tally.dice.find(([line]) => line === n);
  return (found && PARTS[found[1]]) || ["", ""];
}

/** Several plain dice show their sum as well. @param {any[]} dice */
const sum = (dice) => (dice.length > 1 && dice.length < PLAIN && dice.every((l) => !l.args[2]) ? ` ${dice.reduce((s, l) => s + l.args[1] + 1, 0)}` : "");

/** What a roll came to, and against what. */
const Came = (/** @type {{tally: Tally|null}} */ { tally }) => (tally ? html`<b class="made">${tally.text}${tally.text && tally.against ? ": " : ""}${tally.against}</b>` : null);

const Roll = (/** @type {any} */ { group, b }) => html`<span class="roll">${group.dice.map((/** @type {any} */ l) => {
  const [mark, word] = partOf(group.tally, l.n);
  return html`<span key=${l.n} class=${mark}>${dieOf(b, l, word)}</span>`;
})}<small>${group.step}${group.tally ? "" : sum(group.dice)}</small><${Came} tally=${group.tally} /></span>`;

/** Dice of a deed, under the step they were rolled for, those that count raised; cards that were turned up. */
export const Tray = (/** @type {any} */ { deed, b, tally = () => null }) => {
  const groups = rolls(deed, tally), flips = deed.lines.filter((/** @type {any} */ l) => isFlip(b, l)).slice(-FLIPS);
  if (!groups.length && !flips.length) return null;
  // Cards that were turned up for one test have its words behind the last of them.
  const last = (/** @type {number} */ i) => !flips[i + 1] || tally(flips[i + 1].n) !== tally(flips[i].n);
  return html`<span class="tray" role="group" aria-label="Dice and cards turned up">
    ${groups.slice(-ROLLS).map((g) => html`<${Roll} key=${g.dice[0].n} group=${g} b=${b} />`)}
    ${flips.map((/** @type {any} */ l, /** @type {number} */ i) => html`<span key=${l.n} class="roll">${flip(b, l)}${last(i) ? html`<${Came} tally=${tally(l.n)} />` : null}</span>`)}</span>`;
};

/** A change: whose, of which number, from and to. */
const Delta = (/** @type {any} */ { change, view }) => {
  const { actor, part, field, flag, thing, up, to } = change, who = actor >= 0 && view.actors[actor] ? `${view.actors[actor].name} ` : "";
  const words = flag ? `${to === "1" ? "" : "no longer "}${field}` : becomes(change);
  return html`<span class=${`delta ${flag || thing ? "" : up ? "up" : "down"}`}>${who}${part ? `${part} ` : ""}${words}</span>`;
};

/** Numbers that a deed changed. */
export const Deltas = (/** @type {any} */ { deed, b, view }) => {
  const { life, changes } = outcomes(deed, b, view);
  // That a mark was paid with is no news.
  const news = changes.filter((c) => !(c.flag && b.sheet.fields.some((/** @type {any} */ f) => f.name === c.field && f.price)));
  return html`<span class="chips">${[...life, ...news].slice(0, CHANGES).map((c) => html`<${Delta} key=${`${c.actor}${c.field}${c.part}`} change=${c} view=${view} />`)}</span>`;
};

/** Whether a sum only says again what stands there as a change: 8 - 6 = 2 beside 8 → 2. @param {string} text @param {Deed} deed @param {any} b @param {any} view */
export function isPlain(text, deed, b, view) {
  const { life, changes } = outcomes(deed, b, view), [, from, to] = /^(-?\d+) [-+] -?\d+ = (-?\d+)$/.exec(text) || [];
  return Boolean(to) && [...life, ...changes].some((c) => String(c.from) === from && String(c.to) === to);
}

/** The end of a match has its moment: who has won, and how, in the colour of whoever won. */
const Finale = (/** @type {any} */ { state, b }) => {
  const { fate, winners } = verdict(state), { ending, scores } = state.result, told = explain(b, ending);
  const actor = state.view.actors.find((/** @type {any} */ a) => a.seat >= 0 && scores[a.seat] === 1) || state.view.actors.find((/** @type {any} */ a) => isOwn(a, state.view));
  return html`<div class="telling finale" tabindex="0" role="group" aria-label="The end" style=${actor ? `--hue:${hueOf(actor, state.view)}` : ""}>
    <p class="deed-now">${fate || (winners ? `${winners} won` : ending)}</p><p>${fate || winners ? html`<b>${ending}.</b> ` : ""}${told && !(told.loose && told.weak) ? told.says : ""}</p></div>`;
};

/** The show: pause, skip, again, how fast. */
const Controls = (/** @type {any} */ { model }) => {
  const { stage, speed } = model, left = stage.queue.length, pause = stage.paused ? "Go on" : "Pause";
  return html`<div class="show" role="group" aria-label="The show">
    <button class="icon in-show" title=${pause} aria-label=${pause} disabled=${!stage.playing} onClick=${() => stage.pause()}>${stage.paused ? "▶" : "❚❚"}</button>
    <button class="icon in-show" title="Skip the show" aria-label="Skip the show" disabled=${!stage.playing} onClick=${() => stage.skip()}>»${left ? html`<small>${left}</small>` : null}</button>
    <button class="icon after-show" title="Show me that again" aria-label="Show me that again" disabled=${!model.canAgain()} onClick=${() => model.again()}>↻</button>
    <select class="after-show" aria-label="Speed of the show" value=${String(speed)} onChange=${(/** @type {any} */ e) => model.setSpeed(Number(e.target.value))}>
      ${SPEEDS.map(([v, t]) => html`<option key=${v} value=${String(v)}>${t}</option>`)}</select></div>`;
};

/** What has no room is not cut: first everything is smaller, then whole changes are left to the log. @param {HTMLElement|null} box */
function fit(box) {
  const telling = box && box.closest(".telling");
  if (!telling) return;
  const parts = /** @type {NodeListOf<HTMLElement>} */ (telling.querySelectorAll(".delta, .reckoned"));
  telling.classList.remove("tight");
  for (const part of parts) part.hidden = false;
  telling.classList.toggle("tight", telling.scrollHeight > telling.clientHeight + 1);
  const low = telling.getBoundingClientRect().bottom;
  for (const part of [...parts].reverse()) if (part.getBoundingClientRect().bottom > low + 1) part.hidden = true;
}

/** The deed with its dice, its sums and what it changed. */
const Telling = (/** @type {any} */ { model, b, deed }) => {
  const { stage, reckoning } = model, view = model.state.view, known = reckoning.about(deed);
  // A test that the dice show already need not stand there in figures again; how a number was made up does.
  const decided = deed.lines.some((/** @type {any} */ l) => (reckoning.of(l.n) || {}).against);
  const told = (/** @type {any} */ s) => (!decided || s.text.includes(" = ")) && !isPlain(s.text, deed, b, view);
  const sums = stage.now ? [] : known.filter(told).slice(0, SUMS), box = useRef(null);
  useLayoutEffect(() => fit(box.current));
  return html`<p class="deed-now" data-n=${deed.n} ref=${box}>${sentence(deed, b, view)}</p><${Tray} deed=${deed} b=${b} tally=${reckoning.of} />
    <div class="came">${sums.map((/** @type {any} */ s) => html`<span class="reckoned" key=${s.title + s.text}><i>${s.title}</i> ${s.text}</span>`)}<${Deltas} deed=${deed} b=${b} view=${view} /></div>`;
};

/** The deed that is played, or was played last, with the controls of the show; at a table that is over, how it ended. */
export const Caption = (/** @type {any} */ { model, b, finale = false }) => {
  const { stage, state } = model, deed = stage.now || stage.last, over = finale && state.result && !stage.playing;
  const told = deed ? html`<${Telling} model=${model} b=${b} deed=${deed} />` : html`<p class="deed-now quiet">Nothing has happened yet.</p>`;
  return html`<div class=${`caption${stage.now ? " playing" : ""}`}>
    ${over ? html`<${Finale} state=${state} b=${b} />` : html`<div class="telling" tabindex="0" role="group" aria-label="The last deed">${told}</div>`}
    <${Controls} model=${model} /><${Flights} stage=${stage} b=${b} view=${state.view} /></div>`;
};
