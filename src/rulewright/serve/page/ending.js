// The end of a match: what decided it, how it went, how the dice fell, and what to do next.
import { html, useEffect, useState } from "./vendor/preact.js";
import { ask } from "./api.js";
import { notice } from "./dom.js";
import { explain } from "./explain.js";
import { EVENT, callOf, hueOf, isOwn } from "./names.js";
import { brief, sentence } from "./sentence.js";
import { outcomes } from "./tell.js";

const WIDE = 300, HIGH = 80, EDGE = 3;
const SWING = 0.15, FALL = 1000;
/* A change of somebody's chance, within one choice, that is worth being called a turn of the match; what a fall weighs against life lost. */

/** @typedef {import("./tell.js").Deed} Deed */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Book} Book */

/** @param {{model: any, b: any}} props */
export const Over = ({ model, b }) => {
  const [chances, setChances] = useState(/** @type {number[][]} */ ([])), [swing, setSwing] = useState("");
  const { state } = model, turn = turningPoint(chances);
  useEffect(() => {
    if (model.hasMore) model.loadAll().catch(() => {});
    ask("GET", `/api/tables/${model.id}/estimates`).then((rows) => setChances(rows.filter((/** @type {number[]} */ row) => row.length)), () => {});
  }, [model.id]);
  useEffect(() => {
    if (turn) ask("GET", `/api/tables/${model.id}/at/${turn.at - 1}?${model.query()}`).then((before) => setSwing(deedAfter(model, b, before.lines)), () => {});
  }, [turn && turn.at]);
  const deeds = keyDeeds(model.deeds, b, state.view), luck = luckOf(model.lines), told = explain(b, state.result.ending);
  const line = state.log.findLast((/** @type {any} */ l) => l.kind === EVENT.END && l.line);
  return html`<div class="ending">
    ${told && told.says && !(told.loose && told.weak) ? html`<p class="how">${told.says}</p>` : null}
    ${line ? html`<p class="quiet"><button class="cite" onClick=${() => model.why(line)}>The rule that ended it</button></p>` : null}
    <p class="actions">
      <button class="primary" onClick=${() => model.rematch()}>Play again</button>
      <a class="button" href=${`#/replay/${model.id}`}>Replay</a>
      <button class="button" onClick=${() => share(model, b)}>Share</button>
      <a class="button" href=${`/api/tables/${model.id}/replay`} download=${`${b.name}.replay.json`}>Download</a>
      <a class="button" href="#/">Shelf</a></p>
    ${deeds.length ? html`<h3>What decided it</h3><ul class="key-deeds">${deeds.map((/** @type {string} */ d) => html`<li key=${d}>${d}</li>`)}</ul>` : null}
    ${chances.length > 2 ? html`<${Chances} rows=${chances} state=${state} />` : html`<${Lives} history=${model.history} view=${state.view} />`}
    ${turn ? html`<p class="turning">The turning point: ${swing ? html`<b>${swing}</b> ` : ""}${turnWords(turn, state)} <a href=${`#/replay/${model.id}?at=${turn.at}`}>See it</a></p>` : null}
    ${luck ? html`<p class="quiet luck">${luck}</p>` : null}</div>`;
};

/** What was done right after so many lines, in a sentence. @param {any} model @param {Book} b @param {number} lines */
function deedAfter(model, b, lines) {
  const deed = model.deeds.find((/** @type {Deed} */ d) => d.end >= lines && d.kind !== "quiet" && d.kind !== "turn");
  return deed ? sentence(deed, b, model.state.view) : "";
}

/** Deeds that took somebody out of play, one's own before others, and those that took most life. @param {Deed[]} deeds @param {Book} b @param {State["view"]} view */
export function keyDeeds(deeds, b, view) {
  const weigh = (/** @type {Deed} */ d) => {
    const out = outcomes(d, b, view);
    // Whoever leaves alive when a scene is over has not fallen.
    const fallen = out.falls.filter(({ id }) => out.life.some((c) => c.actor === id && Number(c.to) <= 0));
    const falls = fallen.reduce((sum, { id }) => sum + (isOwn(view.actors[id], view) ? 2 : 1), 0);
    return falls * FALL + out.life.reduce((sum, c) => sum + Math.max(0, -c.by), 0);
  };
  return deeds.map((d) => ({ d, weight: weigh(d), text: brief(d, b, view) })).filter((x) => x.weight > 0 && x.text)
    .sort((x, y) => y.weight - x.weight).slice(0, 3).sort((x, y) => x.d.n - y.d.n).map((x) => x.text);
}

/** How the dice fell: the mean of each kind of die against what is to be expected of it. @param {State["log"]} lines */
export function luckOf(lines) {
  const sums = new Map();
  for (const { kind, args } of lines) {
    if (kind !== EVENT.ROLL || args[2]) continue;
    const [count, sum] = sums.get(args[0]) || [0, 0];
    sums.set(args[0], [count + 1, sum + args[1] + 1]);
  }
  const parts = [...sums].filter(([, [count]]) => count > 3).map(([sides, [count, sum]]) => `${count} d${sides} came to ${(sum / count).toFixed(1)} on average, ${((sides + 1) / 2).toFixed(1)} is to be expected`);
  return parts.length ? `The dice: ${parts.join("; ")}.` : "";
}

/** A link to the replay: by the device's own means, else to be pasted. @param {any} model @param {any} b */
async function share(model, b) {
  const url = `${location.origin}/#/replay/${model.id}`;
  try {
    if (navigator.share) await navigator.share({ title: b.title, url });
    else { await navigator.clipboard.writeText(url); notice("The link to the replay is copied."); }
  } catch (problem) {
    if (/** @type {any} */ (problem).name !== "AbortError") notice(`Copy this link by hand: ${url}`, false, []);
  }
}

/** The choice after which somebody's chance changed most. @param {number[][]} rows */
export function turningPoint(rows) {
  let best = { from: 0, to: 0, at: 0, seat: 0 };
  rows.forEach((row, at) => row.forEach((to, seat) => {
    const from = at ? rows[at - 1][seat] : to;
    if (Math.abs(to - from) > Math.abs(best.to - best.from)) best = { from, to, at, seat };
  }));
  return Math.abs(best.to - best.from) < SWING ? null : best;
}

/** @param {{from: number, to: number, seat: number}} turn @param {State} state */
export function turnWords({ from, to, seat }, state) {
  const part = (/** @type {number} */ x) => `${Math.round(100 * x)} %`, who = callOf(state, seat);
  return `${who === "you" ? "Your chance" : `The chance of ${who}`} to win went from ${part(from)} to ${part(to)}.`;
}

/** @param {number[]} values @param {number} top */
const curve = (values, top) => values.map((v, i) => `${i ? "L" : "M"}${((i / Math.max(1, values.length - 1)) * WIDE).toFixed(1)} ${(HIGH - EDGE - (v / top) * (HIGH - 2 * EDGE)).toFixed(1)}`).join("");

/** Each seat's chance to win, after every choice. */
const Chances = (/** @type {any} */ { rows, state }) => {
  const seats = rows[0].map((/** @type {number} */ _, /** @type {number} */ i) => i);
  return html`<figure class="chart chances"><svg viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img" aria-label="Everybody's chance to win, choice by choice"><path class="half" d=${`M0 ${HIGH / 2}H${WIDE}`} />
    ${seats.map((/** @type {number} */ seat) => html`<path key=${seat} class=${`curve s${seat % 4}`} d=${curve(rows.map((/** @type {number[]} */ row) => row[seat]), 1)} />`)}</svg>
    <figcaption>Chance to win: ${seats.map((/** @type {number} */ seat) => html`<span key=${seat} class=${`s${seat % 4}`}>${callOf(state, seat)}</span>`)}</figcaption></figure>`;
};

/** How the lives of both sides went. */
const Lives = (/** @type {any} */ { history, view }) => {
  if (history.length < 3) return null;
  const sides = [...new Set(history.flatMap((/** @type {any} */ h) => [...h.sums.keys()]))];
  const top = Math.max(1, ...history.flatMap((/** @type {any} */ h) => [...h.sums.values()]));
  const name = (/** @type {any} */ side) => view.actors.filter((/** @type {any} */ a) => a.side === side).slice(0, 2).map((/** @type {any} */ a) => a.name).join(", ");
  const hue = (/** @type {any} */ side) => hueOf(view.actors.find((/** @type {any} */ a) => a.side === side), view);
  return html`<figure class="chart"><svg viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img" aria-label="How the sides' strength went">${sides.map((side) => html`<path key=${side} class="curve side" style=${`--hue:${hue(side)}`} d=${curve(history.map((/** @type {any} */ h) => h.sums.get(side) || 0), top)} />`)}</svg>
    <figcaption>${sides.map((side) => html`<span key=${side} class="side" style=${`--hue:${hue(side)}`}>${name(side)}…</span>`)}</figcaption></figure>`;
};
