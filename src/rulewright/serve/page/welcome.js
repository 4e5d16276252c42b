// Before turn one: what it is about, whom you lead, how a turn goes, how it ends. From the book's own opening.
import { html, useState } from "./vendor/preact.js";
import { meet, met } from "./keep.js";
import { EVENT, isOwn } from "./names.js";

/** @typedef {import("./types.js").Book} Book */

const LONGEST = 620;

/** The first paragraphs of a book, before its first chapter. @param {Book} b @returns {string[]} */
export function opening(b) {
  const pages = new DOMParser().parseFromString(b.html, "text/html");
  const found = [];
  let length = 0;
  for (const part of pages.body.children) {
    if (part.tagName === "H2" || part.tagName === "PRE" || length > LONGEST) break;
    const text = (part.textContent || "").replace(/\s+/g, " ").trim();
    if (part.tagName === "P" && text) { found.push(text); length += text.length; }
  }
  return found.slice(0, 3);
}

/** The steps of the turn, as the book names them. @param {Book} b @param {any[]} log */
function stepsOf(b, log) {
  const turn = String((b.looks && b.looks.turn) || "Turn");
  const steps = log.filter((l) => l.kind === EVENT.STEP && l.title === turn).map((l) => l.text.slice(l.text.lastIndexOf(", ") + 2));
  return [...new Set(steps)].slice(0, 8);
}

export const Welcome = (/** @type {any} */ { model, b }) => {
  const { state } = model;
  const [open, setOpen] = useState(() => state.seat !== null && !state.result && state.version === 0 && !met(b.name));
  if (!open) return null;
  const close = () => { meet(b.name); setOpen(false); model.welcomed = true; model.redraw(); };
  const own = state.view.actors.filter((/** @type {any} */ a) => isOwn(a, state.view));
  const leads = own.filter((/** @type {any} */ a) => a.in_play).length ? own.filter((/** @type {any} */ a) => a.in_play) : own.slice(0, 3);
  const steps = stepsOf(b, state.log);
  return html`<section class="welcome" aria-label="How it goes"><div class="welcome-card">
    <button class="close" aria-label="Begin" onClick=${close}>×</button>
    <h2>${b.title}</h2>
    ${opening(b).map((text) => html`<p key=${text}>${text}</p>`)}
    <dl>
      ${leads.length ? html`<dt>You lead</dt><dd>${leads.map((/** @type {any} */ a) => a.name).join(", ")}</dd>` : null}
      ${steps.length > 1 ? html`<dt>A turn</dt><dd>${steps.join(" → ")}</dd>` : null}
      <dt>It ends with</dt><dd>${b.sheet.endings.join(", ")}</dd>
      <dt>What you can do</dt><dd>is always in the list, with its rule. What glows can be clicked.</dd>
    </dl>
    <p class="actions"><button class="primary" onClick=${close}>Begin</button><button class="button" onClick=${() => { close(); model.toggleRules(); }}>Read the rules</button></p></div></section>`;
};
