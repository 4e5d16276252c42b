// Before turn one: what it is about, whom you lead, how a turn goes, how it ends. From the book's own opening.
import { html, useEffect, useState } from "./vendor/preact.js";
import { Cover } from "./covers.js";
import { explain } from "./explain.js";
import { meet, met } from "./keep.js";
import { EVENT, isOwn, lifeBar, lifeOf, wordsOf } from "./names.js";
import { opening } from "./opening.js";

/** @typedef {import("./types.js").Book} Book */

const MOST = 6;
/* Names that anybody reads. */

/** The steps of the turn, as the book names them. @param {Book} b @param {any[]} log */
function stepsOf(b, log) {
  const turn = String((b.looks && b.looks.turn) || "Turn");
  const steps = log.filter((l) => l.kind === EVENT.STEP && l.title === turn).map(wordsOf);
  return [...new Set(steps)].slice(0, 8);
}

/** Whom a seat leads: not what only stands for all of them and has no life of its own. Where nobody is in play yet, those it may
 * choose among. @param {import("./types.js").View} view @param {string|null} life @returns {[string, string[]]} */
export function ledBy(view, life) {
  const mine = view.actors.filter((a) => isOwn(a, view)), now = mine.filter((a) => a.in_play);
  const some = now.length ? now : mine, alive = some.filter((a) => (lifeBar(a, life, view) || { now: 0, top: 0 }).now > 0 || (lifeBar(a, life, view) || { top: 0 }).top > 0);
  const names = (alive.length ? alive : some).map((a) => a.name);
  if (now.length || names.length < 3) return ["You lead", names];
  return ["You choose among", names.length > MOST ? [...names.slice(0, MOST), "…"] : names];
}

/** @param {import("./opening.js").Part} part */
const part = ({ title, text, points, kind }) => html`<dt key=${title} data-part=${kind}>${title}</dt>
  <dd>${text}${points.length ? html`<ol>${points.map((point) => html`<li key=${point}>${point}</li>`)}</ol>` : null}</dd>`;

/** Words with what is said of them. @param {[string, string][]} words */
const listed = (words) => html`<ul>${words.map(([word, says]) => html`<li key=${word}><b>${word}</b>${says ? (says.startsWith(`${word} `) ? says.slice(word.length) : `: ${says}`) : ""}</li>`)}</ul>`;

/** The first sentence of what the book says. @param {ReturnType<typeof explain>} told */
const first = (told) => (told && !(told.loose && told.weak) ? (told.says.match(/^.*?[.!?](?=\s|$)/) || [told.says])[0] : "");

export const Welcome = (/** @type {any} */ { model, b }) => {
  const { state } = model;
  const [open, setOpen] = useState(() => state.seat !== null && !state.result && !met(b.name));
  const close = () => { meet(b.name); setOpen(false); model.welcomed = true; model.redraw(); };
  useEffect(() => {
    if (!open) return;
    const leave = (/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape" && !document.querySelector("dialog[open]")) close(); };
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, [open]);
  if (!open) return null;
  const [role, leads] = ledBy(state.view, lifeOf(b));
  const { about, parts, terms, endings } = opening(b), steps = stepsOf(b, state.log);
  const of = (/** @type {string} */ kind) => parts.filter((p) => p.kind === kind);
  return html`<section class="welcome" aria-label="How it goes"><div class="welcome-card">
    <${Cover} b=${b} /><button class="close" aria-label="Begin" onClick=${close}>×</button>
    <h2>${b.title}</h2>
    ${about.map((text) => html`<p key=${text}>${text}</p>`)}
    <dl>
      ${of("goal").map(part)}
      ${leads.length ? html`<dt data-part="side">${role}</dt><dd>${leads.join(", ")}</dd>` : null}
      ${of("turn").map(part)}
      ${!of("turn").length && steps.length > 1 ? html`<dt data-part="turn">A turn</dt><dd>${steps.join(" → ")}</dd>` : null}
      ${of("end").map(part)}
      <dt data-part="end">Endings</dt><dd>${listed(endings.map((name) => [name, first(explain(b, name))]))}</dd>
      ${terms.length ? html`<dt data-part="terms">Good to know</dt><dd>${listed(terms)}</dd>` : null}
      ${of("first").map(part)}
      <dt>What you can do</dt><dd>is always in the list, with its rule and its chances. What glows can be clicked.</dd>
    </dl>
    <p class="actions"><button class="primary" onClick=${close}>Begin</button><button class="button" onClick=${() => { close(); model.toggleRules(); }}>Read the rules</button></p></div></section>`;
};
