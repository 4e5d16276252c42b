// The table: everything a seat sees, and its decision. The model holds it, this draws it.
import { html, render } from "./vendor/preact.js";
import { $ } from "./dom.js";
import { ask, bookOf } from "./api.js";
import { Board } from "./board.js";
import { Caption } from "./caption.js";
import { Piles } from "./cards.js";
import { DecisionPanel } from "./decision.js";
import { Drawer, Parts } from "./layout.js";
import { Log } from "./log.js";
import { seats } from "./keep.js";
import { Model } from "./model.js";
import { lifeOf } from "./names.js";
import { Sheets, Strip } from "./sheets.js";
import { Welcome } from "./welcome.js";
import { Share, Talk, Tools } from "./meeting.js";
import { promised } from "./promise.js";
import { explaining } from "./tips.js";
import { Words } from "./words.js";

const CURSOR = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);

/** @param {Element} main @param {string} id @param {string|null} given @param {boolean} watching */
export async function table(main, id, given, watching) {
  const token = watching ? null : given || seats.here(id);
  const first = await ask("GET", `/api/tables/${id}${token ? `?token=${encodeURIComponent(token)}` : ""}`);
  const b = await bookOf(id, first.book, first.digest);
  if (token && first.seat !== null) {
    const me = first.players[first.seat];
    const known = seats.at(id).some((s) => s.token === token && s.seat !== undefined);
    if (!known) seats.keep({ table: id, token, book: b.name, title: b.title, name: me ? me.name : `Seat ${first.seat + 1}`, seat: first.seat });
    seats.sit(id, token);
  }
  return () => {
    // A secret does not stay where others can read it over a shoulder, or copy it along with the address.
    if (given) history.replaceState(null, "", `#/table/${id}`);
    promised(id, first.dice?.commitment);
    return show(main, b, first, id, token);
  };
}

/** @param {any} main @param {any} b @param {any} first @param {string} id @param {string|null} token */
function show(main, b, first, id, token) {
  $("#where").textContent = b.title;
  const tools = $("#tools .own");
  let drawn = false, drawing = false, again = false;
  const model = new Model(b, first, id, token, () => { if (drawn) draw(); });
  const bookHasCards = b.sheet.zones.length > 0, mapless = b.sheet.maps.length === 0;
  main.dataset.tab = "play";

  // Focus that is lost while the list changes asks for another drawing in the midst of one: it comes after it.
  function draw() {
    if (drawing) { again = true; return; }
    drawing = true;
    try { drawOnce(); } finally { drawing = false; }
    if (again) { again = false; draw(); }
  }

  function drawOnce() {
    const { state } = model;
    const list = main.querySelector(".options"), held = list && list.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    render(html`<${Table} model=${model} b=${b} main=${main} />`, main);
    render(html`<${Tools} model=${model} />`, tools);
    main.className = `table playing${mapless ? " mapless" : ""}${bookHasCards ? "" : " cardless"}${model.reading ? " reading-along" : ""}${state.decision && state.decision.mine ? " mine" : ""}${state.result ? " over" : ""}`;
    Object.assign(main.dataset, { table: id, version: state.version });
    // Focus stays where it was, also where that changed its place; with the options when the one that had it is gone.
    if (held && !main.contains(document.activeElement)) (held.isConnected ? held : main.querySelector(".options")).focus({ preventScroll: true });
    handOver(model);
  }

  const keys = (/** @type {KeyboardEvent} */ event) => key(event, model);
  addEventListener("keydown", keys);
  const hush = explaining(b, () => model.state);
  drawn = true;
  draw();
  model.connect();
  return () => {
    drawn = false; // an answer may still come in
    hush();
    model.close();
    removeEventListener("keydown", keys);
    render(null, main);
    render(null, tools);
  };
}

/** Where nothing is hidden, whoever holds the next seat just goes on. @param {Model} model */
function handOver(model) {
  const next = model.awaited();
  if (next && !model.hides() && !model.busy) { model.busy = true; model.sitAt(next.token).finally(() => { model.busy = false; }); }
}

const Table = (/** @type {any} */ { model, b, main }) => {
  const { state, stage } = model;
  const view = stage.view || state.view, lit = model.lit();
  const pick = model.boundPick || (model.boundPick = (/** @type {any} */ thing) => model.pick(thing));
  const whyNot = (/** @type {string} */ name) => model.whyNot(name);
  const next = model.awaited();
  const glow = (/** @type {string} */ kind) => [...lit.keys()].some((/** @type {string} */ k) => k.startsWith(kind));
  const board = b.sheet.maps.length ? html`<${Board} b=${b} state=${state} view=${view} lit=${lit} pointed=${model.pointed} preview=${model.ahead.preview(model.pointed, lifeOf(b))} stage=${stage} peaks=${model.peaks} pick=${pick} />` : null;
  return html`<${Parts} main=${main} cards=${b.sheet.zones.length > 0} glows=${{ cards: glow("Card"), actors: glow("Actor") }}
    strip=${html`<${Strip} state=${state} b=${b} />`} board=${board} stage=${html`<${Caption} model=${model} b=${b} finale=${true} />`}
    sheets=${html`<${Sheets} state=${state} view=${view} b=${b} lit=${lit} pick=${pick} peaks=${model.peaks} />`}
    piles=${html`<${Piles} state=${state} b=${b} lit=${lit} pick=${pick} whyNot=${whyNot} stage=${stage} />`}
    decision=${html`<${DecisionPanel} b=${b} model=${model} />`}
    log=${html`<${Log} deeds=${model.logged} b=${b} view=${state.view} reckoning=${model.reckoning} why=${(/** @type {any} */ l, /** @type {any} */ d) => model.why(l, d)} more=${model.hasMore ? () => model.loadAll() : null} />`}
    drawer=${html`<${Drawer} b=${b} tally=${model.reckoning.of} open=${model.reading} at=${model.at} view=${state.view} close=${() => model.toggleRules()} />`} />
    <div class="hush told-aloud" role="log" aria-live="polite" aria-label="What happens">${model.told.map((/** @type {any} */ t) => html`<p key=${t.key} data-n=${t.n} data-end=${t.end}>${t.text}</p>`)}</div>
    <${Welcome} model=${model} b=${b} />
    <${Share} model=${model} b=${b} />
    <${Talk} model=${model} />
    <${Words} model=${model} b=${b} />
    ${next && model.hides() ? html`<div class="handover" role="dialog" aria-modal="true" aria-label="Hand over"><div><h2>${next.name} decides</h2><p>Hand the screen to ${next.name}. What only they may see is shown after this.</p>
      <button class="primary" autofocus onClick=${() => model.sitAt(next.token)}>I am ${next.name}</button></div></div>` : null}`;
};

/** @param {KeyboardEvent} event @param {Model} model */
function key(event, model) {
  const at = /** @type {HTMLElement} */ (event.target);
  if (at.matches("input, select, textarea") || event.metaKey || event.ctrlKey || event.altKey || document.querySelector("dialog[open], .handover")) return;
  const scrolls = at.closest(".lines, .drawer, .sheets, .piles, .strip");
  if (CURSOR.has(event.key) && scrolls) return;
  if (event.key === "r" || event.key === "R") model.toggleRules();
  else if (event.key === "u" || event.key === "U") model.undo();
  else if (event.key === "?") { model.dialog = "words"; model.redraw(); }
  else if (event.key === "s" || event.key === "S") model.stage.skip();
  else if (options(event, model)) event.preventDefault();
}

/** @param {KeyboardEvent} event @param {Model} model */
function options(event, model) {
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".options button:not(.cite)")]);
  if (!buttons.length) return false;
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const go = (/** @type {number} */ i) => { model.ahead.hover(true); buttons[(i + buttons.length) % buttons.length].focus(); return true; };
  if (/^[1-9]$/.test(event.key)) {
    const wanted = model.shown[Number(event.key) - 1];
    if (wanted && !event.repeat) model.choose(wanted[0].index, event);
    return Boolean(wanted);
  }
  if (event.key === "ArrowDown" || (event.key === "ArrowRight" && at >= 0)) return go(at + 1);
  if (event.key === "ArrowUp" || (event.key === "ArrowLeft" && at >= 0)) return go(at < 0 ? -1 : at - 1);
  if (event.key === "Home" && at >= 0) return go(0);
  if (event.key === "End" && at >= 0) return go(-1);
  if (event.key === "Escape" && model.filter) { model.narrow(null); return true; }
  return false;
}
