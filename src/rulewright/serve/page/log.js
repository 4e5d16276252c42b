// The log: the whole match by deeds, in sentences, with the ledger folded under each; and the stage's caption.
import { Component, html } from "./vendor/preact.js";
import { explain } from "./explain.js";
import { EVENT, hueOf, isOwn } from "./names.js";
import { verdict } from "./options.js";
import { dieOf, flip, isFlip } from "./dice.js";
import { Flights } from "./flights.js";
import { becomes, ledger, sentence } from "./sentence.js";
import { outcomes, rolls } from "./tell.js";

/** @typedef {import("./tell.js").Deed} Deed */

const AT_ONCE = 120;
/* Deeds drawn at first; the rest of the match is one click away. */

/** Dice of a deed, under the step they were rolled for, those that count raised; cards that were turned up. */
export const Tray = (/** @type {any} */ { deed, b, tally = () => null }) => {
  const groups = rolls(deed, tally), flips = deed.lines.filter((/** @type {any} */ l) => isFlip(b, l)).slice(-8);
  if (!groups.length && !flips.length) return null;
  return html`<span class="tray" role="group" aria-label="Dice and cards turned up">
    ${groups.slice(-6).map((g) => html`<span class="roll" key=${g.dice[0].n}>${g.dice.map((l) => { const [mark, word] = partOf(g.tally, l.n); return html`<span key=${l.n} class=${mark}>${dieOf(b, l, word)}</span>`; })}<small>${g.step}${g.tally ? "" : sum(g.dice)}</small><${Came} tally=${g.tally} /></span>`)}
    ${flips.map((/** @type {any} */ l, /** @type {number} */ i) => { const made = tally(l.n); return html`<span key=${l.n} class="roll">${flip(b, l)}${flips[i + 1] && tally(flips[i + 1].n) === made ? null : html`<${Came} tally=${made} />`}</span>`; })}</span>`;
};

/** What a roll came to, and against what. */
const Came = (/** @type {{tally: import("./reckoning.js").Tally|null}} */ { tally }) => (tally ? html`<b class="made">${tally.text}${tally.text && tally.against ? ": " : ""}${tally.against}</b>` : null);

/** The part of a die: its class, and its word for those who listen. @type {Record<string, [string, string]>} */
const PARTS = { "1": ["counted", "counts"], "0": ["uncounted", "does not count"], "-1": ["taken", "takes away"] };

/** What is known of a die. @param {import("./reckoning.js").Tally|null} tally @param {number} n @returns {[string, string]} */
function partOf(tally, n) {
  const found = tally && tally.dice.find(([line]) => line === n);
  return (found && PARTS[found[1]]) || ["", ""];
}

/** Several plain dice show their sum as well. @param {any[]} dice */
const sum = (dice) => (dice.length > 1 && dice.length < 6 && dice.every((l) => !l.args[2]) ? ` ${dice.reduce((s, l) => s + l.args[1] + 1, 0)}` : "");

/** Numbers that a deed changed. */
export const Deltas = (/** @type {any} */ { deed, b, view }) => {
  const { life, changes } = outcomes(deed, b, view);
  const name = (/** @type {any} */ c) => (c.actor >= 0 && view.actors[c.actor] ? `${view.actors[c.actor].name} ` : "");
  return html`<span class="chips">${[...life, ...changes].slice(0, 6).map((c) => html`<span key=${`${c.actor}${c.field}${c.part}`} class=${`delta ${c.flag || c.thing ? "" : c.up ? "up" : "down"}`}>
    ${name(c)}${c.part ? `${c.part} ` : ""}${c.flag ? `${c.to === "1" ? "" : "no longer "}${c.field}` : becomes(c)}</span>`)}</span>`;
};

const Row = (/** @type {any} */ { deed, b, view, why, reckoning }) => {
  const actor = view.actors[deed.who];
  if (deed.kind === "turn") return html`<li class="line kturn" data-n=${deed.n}>${sentence(deed, b, view)}</li>`;
  const lines = deed.lines.map((/** @type {any} */ l) => [l, l.kind === EVENT.STEP ? "" : ledger(l, b, view)]).filter((/** @type {any} */ [, text]) => text);
  const told = sentence(deed, b, view);
  const rule = deed.rule || deed.lines.find((/** @type {any} */ l) => l.line) || null;
  const quiet = deed.kind === "quiet" || !told;
  if (quiet && !lines.length) return null;
  return html`<li class=${`line deed k-${quiet ? "quiet" : deed.kind}`} data-n=${deed.n} style=${actor ? `--hue:${hueOf(actor, view)}` : ""}>
    <details onToggle=${(/** @type {any} */ e) => e.target.open && reckoning.look(deed)}><summary>${quiet ? html`<span class="quiet">${lines[0][1]}${lines.length > 1 ? html` <small>and ${lines.length - 1} more</small>` : ""}</span>` : html`<span class="what">${told}</span>`}<${Tray} deed=${deed} b=${b} tally=${reckoning.of} /></summary>
      <ul class="ledger">${lines.map((/** @type {[any, string]} */ [l, text]) => html`<li key=${l.n}><span>${text}</span>${l.line ? html`<${Cite} line=${l} why=${() => why(l, deed)} />` : null}</li>`)}</ul></details>
    ${rule && rule.line ? html`<${Cite} line=${rule} why=${() => why(rule, deed)} />` : null}</li>`;
};

const Cite = (/** @type {any} */ { line, why }) => html`<button class="cite" title="Why? Open the rule." aria-label=${`Why? ${line.cites[0] || line.title}`} onClick=${why}>${line.cites[0] || line.title || "rule"}</button>`;

/** @extends {Component} */
export class Log extends Component {
  /** @param {any} props */
  constructor(props) {
    super(props);
    this.state = { all: false, who: -1 };
    this.stick = true;
  }

  // Whoever reads further up is left there; everybody else sees what is newest.
  getSnapshotBeforeUpdate() {
    const list = this.base && this.base.querySelector && this.base.querySelector(".lines");
    this.stick = !list || list.scrollHeight - list.scrollTop - list.clientHeight < 60;
    return null;
  }

  componentDidMount() {
    this.down();
    // A panel that was hidden when it was filled has not scrolled: it does when it is first seen.
    this.watch = new ResizeObserver(() => this.stick && this.down());
    this.watch.observe(this.base.querySelector(".lines"));
  }

  componentDidUpdate() { if (this.stick) this.down(); }
  componentWillUnmount() { if (this.watch) this.watch.disconnect(); }

  down() {
    const list = this.base.querySelector(".lines");
    list.scrollTop = list.scrollHeight;
  }

  /** @param {any} props @param {any} state */
  render({ deeds, b, view, why, more, reckoning }, { all, who }) {
    const wanted = deeds.filter((/** @type {Deed} */ d) => who < 0 || d.who === who || d.target === who);
    const shown = folded(all ? wanted : wanted.slice(-AT_ONCE), b, view);
    const actors = view.actors.filter((/** @type {any} */ a) => deeds.some((/** @type {Deed} */ d) => d.who === a.id));
    return html`<div class="log-inside"><header><h2>Log</h2>
      <select aria-label="Whose deeds" value=${who} onChange=${(/** @type {any} */ e) => this.setState({ who: Number(e.target.value) })}><option value="-1">everybody</option>${actors.map((/** @type {any} */ a) => html`<option key=${a.id} value=${a.id}>${a.name}</option>`)}</select></header>
      <ol class="lines" tabindex="0" aria-label="Log">
        ${more || (!all && wanted.length > AT_ONCE) ? html`<li class="line"><button class="cite earlier" onClick=${() => { this.stick = false; this.setState({ all: true }); if (more) more(); }}>earlier ...</button></li>` : null}
        ${shown.map((/** @type {Deed} */ d) => html`<${Row} key=${d.n} deed=${d} b=${b} view=${view} why=${why} reckoning=${reckoning} />`)}</ol></div>`;
  }
}

/**
 * What is only kept book of lies in one row until something happens again.
 * @param {Deed[]} deeds @param {any} b @param {any} view @returns {Deed[]}
 */
export function folded(deeds, b, view) {
  /** @type {Deed[]} */
  const found = [];
  const isQuiet = (/** @type {Deed} */ d) => d.kind === "quiet" || (d.kind !== "turn" && !sentence(d, b, view));
  let open = false;
  for (const deed of deeds) {
    const quiet = isQuiet(deed), last = found[found.length - 1];
    if (quiet && open && last) found[found.length - 1] = { ...last, end: deed.end, lines: [...last.lines, ...deed.lines] };
    else found.push(quiet ? { ...deed, kind: "quiet", rule: null } : deed);
    open = quiet;
  }
  return found;
}

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
    <p class="deed-now">${fate || (winners ? `${winners} won` : ending)}</p><p>${fate || winners ? html`<b>${ending}.</b> ` : ""}${told ? told.says : ""}</p></div>`;
};

/** The caption of the stage: the deed that is played, or was played last, with the controls of the show. */
export const Caption = (/** @type {any} */ { model, b }) => {
  const { stage, speed } = model;
  const deed = stage.now || stage.last, view = model.state.view;
  const left = stage.queue.length, known = deed ? model.reckoning.about(deed) : [];
  // A test that the dice show already need not stand there in figures again; how a number was made up does.
  const decided = deed && deed.lines.some((/** @type {any} */ l) => (model.reckoning.of(l.n) || {}).against);
  const sums = stage.now ? [] : known.filter((/** @type {any} */ s) => (!decided || s.text.includes(" = ")) && !isPlain(s.text, deed, b, view)).slice(0, 2);
  const SPEEDS = /** @type {[number, string][]} */ ([[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"], [0, "off"]]);
  const over = model.state.result && !stage.playing && !stage.held;
  return html`<div class=${`caption${stage.now ? " playing" : ""}`}>
    ${over ? html`<${Finale} state=${model.state} b=${b} />` : html`<div class="telling" tabindex="0" role="group" aria-label="The last deed">${deed ? html`<p class="deed-now" data-n=${deed.n}>${sentence(deed, b, view)}</p><${Tray} deed=${deed} b=${b} tally=${model.reckoning.of} /><div class="came">${sums.map((/** @type {any} */ s) => html`<span class="reckoned" key=${s.title + s.text}><i>${s.title}</i> ${s.text}</span>`)}<${Deltas} deed=${deed} b=${b} view=${view} /></div>`
      : html`<p class="deed-now quiet">Nothing has happened yet.</p>`}</div>`}
    <div class="show" role="group" aria-label="The show">
      <button class="icon" title=${stage.paused ? "Go on" : "Pause"} aria-label=${stage.paused ? "Go on" : "Pause"} disabled=${!stage.playing} onClick=${() => stage.pause()}>${stage.paused ? "▶" : "❚❚"}</button>
      <button class="icon" title="Skip the show" aria-label="Skip the show" disabled=${!stage.playing} onClick=${() => stage.skip()}>»${left ? html`<small>${left}</small>` : null}</button>
      <button class="icon" title="Show me that again" aria-label="Show me that again" disabled=${!model.canAgain()} onClick=${() => model.again()}>↻</button>
      <select aria-label="Speed of the show" value=${String(speed)} onChange=${(/** @type {any} */ e) => model.setSpeed(Number(e.target.value))}>${SPEEDS.map(([v, t]) => html`<option key=${v} value=${String(v)}>${t}</option>`)}</select>
    </div><${Flights} stage=${stage} b=${b} view=${view} /></div>`;
};
