// Where the parts of a table are; the replay uses the same.
import { Component, html, useState } from "./vendor/preact.js";
import { Rulebook, openAt } from "./book.js";
import { Deltas, Tray } from "./caption.js";
import { sentence } from "./sentence.js";

const TABS = [["play", "Table"], ["cards", "Cards"], ["actors", "Actors"], ["log", "Log"]];

export const Parts = (/** @type {any} */ { main, cards, glows, strip, board, stage, sheets, piles, decision, log, drawer }) => {
  const [tab, setTab] = useState("play");
  const go = (/** @type {string} */ key) => { main.dataset.tab = key; setTab(key); };
  // The question comes right behind the bar for whoever listens or tabs; where it is seen is said by the grid.
  return html`<section class="strip" aria-label="Turn order and phase" tabindex="0">${strip}</section>
    <div class="right"><section class="decide" aria-label="Your decision">${decision}</section><section class="log" aria-label="What happened">${log}</section></div>
    ${drawer}
    <section class="sheets" aria-label="Actors" tabindex="0">${sheets}</section>
    <div class="middle"><section class="stage" aria-label="What happens">${stage}</section><section class="board" aria-label="Map">${board}</section></div>
    <section class="piles" aria-label="Cards" tabindex="0">${piles}</section>
    <nav class="tabs" aria-label="Parts of the table">${TABS.filter(([key]) => key !== "cards" || cards).map(([key, label]) => html`<button key=${key} data-tab=${key} class=${/** @type {any} */ (glows || {})[key] ? "glows" : ""} aria-pressed=${String(tab === key)} onClick=${() => go(key)}>${label}</button>`)}</nav>`;
};

/** The test that was met and the sum that was made, with what each number is. */
const Sums = (/** @type {{sums?: {title: string, text: string, sources: {value: number, what: string}[]}[]}} */ { sums }) => (sums && sums.length ? html`<dl class="sums">${sums.map((s) => html`<div key=${s.title + s.text}><dt>${s.title}</dt><dd><b>${s.text}</b>${s.sources.length ? html`<span>${s.sources.map((x) => `${x.value} ${x.what}`).join(" · ")}</span>` : null}</dd></div>`)}</dl>` : null);

/**
 * The rulebook beside the table, opened at a rule; above it, when a deed is asked about, what came of what.
 * @extends {Component}
 */
export class Drawer extends Component {
  componentDidMount() {
    this.turn(null);
    this.tint((this.props.b.looks || {}).accent || "");
  }

  componentWillUnmount() { this.tint(""); }

  /** The book's own colour, for as long as one is at its table. @param {string} accent */
  tint(accent) {
    const root = document.documentElement;
    root.classList.toggle("tinted", Boolean(accent));
    if (accent) root.style.setProperty("--book", accent);
    else root.style.removeProperty("--book");
  }

  /** @param {any} before */
  componentDidUpdate(before) { this.turn(before); }

  /** @param {any} before */
  turn(before) {
    const { open, at } = this.props;
    if (!open || !at || (before && before.at === at && before.open)) return;
    openAt(this.base, at.file, at.line);
    // The table makes room for the book only now, and lines break elsewhere in the width that is left.
    requestAnimationFrame(() => { if (this.base && this.props.at === at) openAt(this.base, at.file, at.line); });
  }

  /** @param {any} props */
  render({ b, open, at, view, close, tally }) {
    this.opened = this.opened || open;
    const deed = at && at.deed;
    return html`<aside class="drawer" hidden=${!open} aria-label="Rulebook" tabindex="0">
      <button class="close" aria-label="Close the rulebook" onClick=${close}>×</button>
      ${deed ? html`<div class="because"><h2>Why?</h2><p>${sentence(deed, b, view)}</p><${Sums} sums=${at.sums} /><${Tray} deed=${deed} b=${b} tally=${tally} /><${Deltas} deed=${deed} b=${b} view=${view} /></div>` : null}
      ${this.opened ? html`<${Rulebook} b=${b} />` : null}</aside>`;
  }
}
