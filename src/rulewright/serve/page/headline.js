// What is asked, and who is waited for: the words above the options.
import { html } from "./vendor/preact.js";
import { explainDeed } from "./explain.js";
import { about, asking, belongs, ending, question, scores } from "./options.js";
import { acting, isOwn, nameOf } from "./names.js";

/** @typedef {import("./types.js").State} State */

const SOME = 4;
/* From so many on it is not told who is waited for. */
const FREE = "The match goes on when somebody has taken it: from the shelf, or by a link under Share.";
const LAST = "They are being shown; how it ended comes behind them.";
const CHOSEN = "You have chosen; nobody sees it before all have.";

/** What is to be said above the options. @param {State} state @param {any} b @param {boolean} [ended] whether the last deeds were shown @returns {[string, string]} */
export function headline(state, b, ended = true) {
  const { decision, result, seat } = state;
  if (result && !ended) return ["The last deeds", LAST];
  if (result) return [ending(state), result.scores.length > 1 ? scores(state) : ""];
  if (!decision) return ["The rules are at work", ""];
  const others = waitsFor(state), reacts = decision.prompt === "react";
  if (decision.mine) {
    const told = others || belongs(state, b) || saysOf(b, asking(state, b));
    return [question(state, b), reacts || (!told && !isOwnTurn(state)) ? about(state, b) : told];
  }
  const waits = seat === null ? "You are watching." : reacts ? "A reaction is possible." : "";
  if (others) return [others, seat !== null && (state.together || []).includes(seat) ? CHOSEN : waits];
  const who = state.players[decision.seat];
  if (who && who.kind === "open") return ["A seat is still free", FREE];
  return [`${nameOf(state.players, decision.seat)} decides`, waits];
}

/** Whether whoever is asked acts, and does not answer what somebody else does. @param {State} state */
function isOwnTurn({ view, log, decision }) {
  const actor = view.actors[acting(/** @type {State} */ ({ view, log, decision }))];
  return !actor || isOwn(actor, view) || decision?.prompt === "act";
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
  return `Waiting for ${waiting.length} of ${together.length}${names.length && names.length < SOME ? `: ${names.join(", ")}` : ""}`;
}

/** Who chooses at the same time, drawn: who has chosen, and who is waited for. */
export const Together = (/** @type {any} */ { state }) => {
  const { together, waiting, players } = state;
  if (!together || together.length < 2) return null;
  return html`<ul class="together" aria-label=${waitsFor(state)}>${together.map((/** @type {number} */ seat) => {
    const late = waiting.includes(seat);
    return html`<li key=${seat} class=${late ? "late" : "done"}><span aria-hidden="true">${late ? "…" : "✓"}</span> ${nameOf(players, seat)}
      <span class="hush">${late ? " still chooses" : " has chosen"}</span></li>`;
  })}</ul>`;
};
