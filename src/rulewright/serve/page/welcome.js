// Before turn one: what it is about, whom you lead, how a turn goes, how it ends. From the book's own opening.
import { html, useEffect, useState } from "./vendor/preact.js";
import { Cover } from "./covers.js";
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
  const hasTurn = parts.some((p) => p.points.length || /turn/i.test(p.title));
  return html`<section class="welcome" aria-label="How it goes"><div class="welcome-card">
    <${Cover} b=${b} /><button class="close" aria-label="Begin" onClick=${close}>×</button>
    <h2>${b.title}</h2>
    ${about.map((text) => html`<p key=${text}>${text}</p>`)}
    <dl>
      ${leads.length ? html`<dt>${role}</dt><dd>${leads.join(", ")}</dd>` : null}
      ${parts.map((part) => html`<dt key=${part.title}>${part.title}</dt><dd>${part.text}${part.points.length ? html`<ol>${part.points.map((point) => html`<li key=${point}>${point}</li>`)}</ol>` : null}</dd>`)}
      ${!hasTurn && steps.length > 1 ? html`<dt>A turn</dt><dd>${steps.join(" → ")}</dd>` : null}
      <dt>Endings</dt><dd>${endings.join(", ")}</dd>
      ${terms.length ? html`<dt>Good to know</dt><dd><ul>${terms.map(([word, says]) => html`<li key=${word}><b>${word}</b>${says.startsWith(`${word} `) ? says.slice(word.length) : `: ${says}`}</li>`)}</ul></dd>` : null}
      <dt>What you can do</dt><dd>is always in the list, with its rule and its chances. What glows can be clicked.</dd>
    </dl>
    <p class="actions"><button class="primary" onClick=${close}>Begin</button><button class="button" onClick=${() => { close(); model.toggleRules(); }}>Read the rules</button></p></div></section>`;
};
