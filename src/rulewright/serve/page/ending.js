// The end of a match: what decided it, how it went, how the dice fell, and what to do next.
import { html, useEffect, useState } from "./vendor/preact.js";
import { ask } from "./api.js";
import { notice } from "./dom.js";
import { hueOf, nameOf } from "./names.js";

const WIDE = 300, HIGH = 80, EDGE = 3;
const SWING = 0.15;
/* A change of somebody's chance, within one choice, that is worth being called a turn of the match. */

/** @param {{model: any, b: any}} props */
export const Over = ({ model, b }) => {
  const [chances, setChances] = useState(/** @type {number[][]} */ ([]));
  useEffect(() => {
    ask("GET", `/api/tables/${model.id}/estimates`).then((rows) => setChances(rows.filter((/** @type {number[]} */ row) => row.length)), () => {});
  }, [model.id]);
  const deeds = model.keyDeeds(), luck = model.luck(), turn = turningPoint(chances, model.state.players);
  return html`<div class="ending">
    ${deeds.length ? html`<h3>What decided it</h3><ul class="key-deeds">${deeds.map((/** @type {string} */ d) => html`<li key=${d}>${d}</li>`)}</ul>` : null}
    ${chances.length > 2 ? html`<${Chances} rows=${chances} players=${model.state.players} />` : html`<${Lives} history=${model.history} view=${model.state.view} />`}
    ${turn ? html`<p class="turning">${turn}</p>` : null}
    ${luck ? html`<p class="quiet luck">${luck}</p>` : null}
    <p class="actions">
      <button class="primary" onClick=${() => model.rematch()}>Play again</button>
      <a class="button" href=${`#/replay/${model.id}`}>Replay</a>
      <button class="button" onClick=${() => share(model, b)}>Share</button>
      <a class="button" href=${`/api/tables/${model.id}/replay`} download=${`${b.name}.replay.json`}>Download</a>
      <a class="button" href="#/">Shelf</a></p></div>`;
};

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

/** The choice after which somebody's chance changed most, in words. @param {number[][]} rows @param {any[]} players */
export function turningPoint(rows, players) {
  let best = { by: 0, at: 0, seat: 0 };
  rows.forEach((row, at) => row.forEach((chance, seat) => {
    const by = at ? chance - rows[at - 1][seat] : 0;
    if (Math.abs(by) > Math.abs(best.by)) best = { by, at, seat };
  }));
  if (Math.abs(best.by) < SWING) return "";
  const part = (/** @type {number} */ x) => `${Math.round(100 * x)} %`;
  return `The turning point: with choice ${best.at} the chance of ${nameOf(players, best.seat)} went from ${part(rows[best.at - 1][best.seat])} to ${part(rows[best.at][best.seat])}.`;
}

/** @param {number[]} values @param {number} top */
const curve = (values, top) => values.map((v, i) => `${i ? "L" : "M"}${((i / Math.max(1, values.length - 1)) * WIDE).toFixed(1)} ${(HIGH - EDGE - (v / top) * (HIGH - 2 * EDGE)).toFixed(1)}`).join("");

/** Each seat's chance to win, after every choice. */
const Chances = (/** @type {any} */ { rows, players }) => {
  const seats = rows[0].map((/** @type {number} */ _, /** @type {number} */ i) => i);
  return html`<figure class="chart chances"><svg viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img" aria-label="Everybody's chance to win, choice by choice"><path class="half" d=${`M0 ${HIGH / 2}H${WIDE}`} />
    ${seats.map((/** @type {number} */ seat) => html`<path key=${seat} class=${`curve s${seat % 4}`} d=${curve(rows.map((/** @type {number[]} */ row) => row[seat]), 1)} />`)}</svg>
    <figcaption>Chance to win: ${seats.map((/** @type {number} */ seat) => html`<span key=${seat} class=${`s${seat % 4}`}>${nameOf(players, seat)}</span>`)}</figcaption></figure>`;
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
