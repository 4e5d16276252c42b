// The log: the whole match by deeds, in sentences, with the ledger folded under each.
import { Component, html } from "./vendor/preact.js";
import { Tray } from "./caption.js";
import { EVENT, hueOf } from "./names.js";
import { ledger, sentence } from "./sentence.js";

/** @typedef {import("./tell.js").Deed} Deed */

const AT_ONCE = 120;
/* Deeds drawn at first; the rest of the match is one click away. */

const Cite = (/** @type {any} */ { line, why }) => html`<button class="cite" title="Why? Open the rule." aria-label=${`Why? ${line.cites[0] || line.title}`}
  onClick=${why}>${line.cites[0] || line.title || "rule"}</button>`;

/** A line of the ledger, with the rule that made it. */
const Entry = (/** @type {any} */ { line, text, why }) => html`<li><span>${text}</span>${line.line ? html`<${Cite} line=${line} why=${why} />` : null}</li>`;

const Row = (/** @type {any} */ { deed, b, view, why, reckoning }) => {
  const told = sentence(deed, b, view);
  if (deed.kind === "turn") return html`<li class="line kturn" data-n=${deed.n}>${told}</li>`;
  const lines = deed.lines.map((/** @type {any} */ l) => [l, l.kind === EVENT.STEP ? "" : ledger(l, b, view)]).filter((/** @type {any} */ [, text]) => text);
  const actor = view.actors[deed.who], quiet = deed.kind === "quiet" || !told;
  const rule = deed.rule || deed.lines.find((/** @type {any} */ l) => l.line) || null;
  if (quiet && !lines.length) return null;
  const more = lines.length > 1 ? html` <small>and ${lines.length - 1} more</small>` : "";
  return html`<li class=${`line deed k-${quiet ? "quiet" : deed.kind}`} data-n=${deed.n} data-who=${deed.who} style=${actor ? `--hue:${hueOf(actor, view)}` : ""}>
    <details onToggle=${(/** @type {any} */ e) => e.target.open && reckoning.look(deed)}>
      <summary>${quiet ? html`<span class="quiet">${lines[0][1]}${more}</span>` : html`<span class="what">${told}</span>`}<${Tray} deed=${deed} b=${b} tally=${reckoning.of} /></summary>
      <ul class="ledger">${lines.map((/** @type {[any, string]} */ [l, text]) => html`<${Entry} key=${l.n} line=${l} text=${text} why=${() => why(l, deed)} />`)}</ul></details>
    ${rule && rule.line ? html`<${Cite} line=${rule} why=${() => why(rule, deed)} />` : null}</li>`;
};

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
