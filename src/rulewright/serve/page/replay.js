// A finished match, deed by deed: a scrubber, keys, playing it by itself, and going on from any point as a new table.
import { html, render } from "./vendor/preact.js";
import { $, notice } from "./dom.js";
import { ask, bookOf } from "./api.js";
import { Board } from "./board.js";
import { Caption } from "./caption.js";
import { Piles } from "./cards.js";
import { Drawer, Parts } from "./layout.js";
import { Log } from "./log.js";
import { Model, keepTable } from "./model.js";
import { Sheets, Strip } from "./sheets.js";
import { nameOf } from "./names.js";
import { explaining } from "./tips.js";

const PACE = 900, KEPT = 40;
/* Milliseconds that a deed stands there while the match plays by itself; states that are not asked for twice. */

/** @param {Element} main @param {string} id @param {string|null} [from] the choice that it opens at */
export async function replay(main, id, from = null) {
  const last = await ask("GET", `/api/tables/${id}/at/999999`);
  const b = await bookOf(id, last.book, last.digest);
  return () => show(main, b, last, id, from && /^\d+$/.test(from) ? Math.min(Number(from), last.total) : last.total);
}

/** @param {any} main @param {any} b @param {any} last @param {string} id @param {number} first */
function show(main, b, last, id, first) {
  $("#where").textContent = `${b.title}, replay`;
  let at = first, part = Infinity, parts = 0, wanted = 0, running = false, reading = false, drawn = false;
  /** @type {any} */
  let timer = 0;
  const model = new Model(b, last, id, null, () => { if (drawn) draw(); });
  const winners = last.result.scores.flatMap((/** @type {number} */ s, /** @type {number} */ i) => (s === 1 ? [nameOf(last.players, i)] : []));
  main.dataset.tab = "play";

  function draw() {
    main.className = `table replaying${b.sheet.maps.length ? "" : " mapless"}${b.sheet.zones.length ? "" : " cardless"}${reading ? " reading-along" : ""}`;
    const { state, stage } = model;
    const view = stage.view || state.view, none = new Map(), nobody = new Map(), nothing = () => false;
    const why = (/** @type {any} */ entry, /** @type {any} */ deed) => { model.at = { ...entry, deed }; reading = true; draw(); };
    render(html`<${Parts} main=${main} cards=${b.sheet.zones.length > 0}
      strip=${html`<${Strip} state=${state} b=${b} />`} stage=${html`<${Caption} model=${model} b=${b} />`}
      board=${b.sheet.maps.length ? html`<${Board} b=${b} state=${state} view=${view} lit=${none} pointed=${model.pointed} preview=${nobody} stage=${stage} peaks=${model.peaks} pick=${nothing} />` : null}
      sheets=${html`<${Sheets} state=${state} view=${view} b=${b} lit=${none} pick=${nothing} peaks=${model.peaks} />`}
      piles=${html`<${Piles} state=${state} b=${b} lit=${none} pick=${nothing} whyNot=${nothing} />`}
      decision=${panel()}
      log=${html`<${Log} deeds=${model.deeds} b=${b} view=${state.view} reckoning=${model.reckoning} why=${why} more=${model.hasMore ? earlier : null} />`}
      drawer=${html`<${Drawer} b=${b} tally=${model.reckoning.of} open=${reading} at=${model.at} view=${state.view} close=${() => { reading = false; draw(); }} />`} />`, main);
  }

  function panel() {
    const deed = model.stage.last, place = parts > 1 ? `, deed ${Math.min(part, parts)} of ${parts}` : "";
    const told = at === 0 ? "The beginning." : deed ? (model.told.at(-1) || { text: "" }).text : "";
    return html`<div class="decision"><h2 class="prompt">Replay: ${last.result.ending}${winners.length ? `, ${winners.join(", ")} won` : ""}</h2>
      <p class="about">${told}</p>
      <input type="range" class="scrub" aria-label="Choice" min="0" max=${last.total} value=${at} onInput=${(/** @type {any} */ e) => { const n = Number(e.target.value); stop(); go(n); }} />
      <p class="actions"><button class="button" onClick=${() => step(-1)}>‹ Back</button>
        <button class="button run" aria-pressed=${String(running)} onClick=${() => (running ? stop() : start())}>${running ? "❚❚ Pause" : "▶ Play"}</button>
        <button class="button" onClick=${() => step(1)}>Next ›</button><output>${at} of ${last.total}<small>${place}</small></output></p>
      <p class="actions"><button class="button" onClick=${goOn}>Go on from here</button>
        <a class="button" href=${`/api/tables/${id}/replay`} download=${`${b.name}.replay.json`}>Download</a>
        <a class="button" href=${`#/new/${encodeURIComponent(b.name)}`}>Play this book</a></p></div>`;
  }

  /** @type {any[]} */
  let whole = [];
  /** The log from the first line on, once somebody wants it. */
  async function earlier() {
    try {
      whole = await model.fetchLines(0, last.lines);
      go(at, part);
    } catch (problem) { notice(/** @type {any} */ (problem).message, true); }
  }

  async function goOn() {
    try {
      const made = await ask("POST", `/api/tables/${id}/continue`, { at });
      keepTable(made, b);
      const mine = made.seats.find((/** @type {any} */ s) => s.token);
      location.hash = mine ? `#/table/${made.table}?token=${mine.token}` : `#/table/${made.table}`;
    } catch (problem) { notice(/** @type {any} */ (problem).message, true); }
  }

  /** One deed on or back; a choice of which nothing came is a step, too. @param {number} by */
  function step(by) { stop(); walk(by); }
  /** @param {number} by */
  function walk(by) {
    const now = Math.min(part, parts);
    if (by > 0 ? now < parts : now > 1) return go(at, now + by, by > 0);
    return go(at + by, by > 0 ? 1 : Infinity, by > 0);
  }
  function stop() { clearTimeout(timer); running = false; draw(); }
  function start() {
    running = true;
    if (at >= last.total && part >= parts) go(0);
    tick();
  }
  function tick() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!running) return;
      if (at >= last.total && part >= parts) { stop(); return; }
      if (!model.stage.playing) await walk(1);
      tick();
    }, model.stage.playing ? 150 : PACE / Math.max(0.5, model.speed || 4));
  }

  /** @type {Map<number, Promise<any>>} */
  const states = new Map();
  /** @param {number} n */
  function stateAt(n) {
    if (n === last.total) return Promise.resolve(last);
    if (!states.has(n)) states.set(n, ask("GET", `/api/tables/${id}/at/${n}`));
    if (states.size > KEPT) states.delete(/** @type {number} */ (states.keys().next().value));
    return /** @type {Promise<any>} */ (states.get(n) || ask("GET", `/api/tables/${id}/at/${n}`));
  }

  /** @param {number} n the choice @param {number} [deed] how many of its deeds; all @param {boolean} [slowly] */
  async function go(n, deed = Infinity, slowly = false) {
    at = Math.max(0, Math.min(last.total, n));
    wanted += 1;
    const mine = wanted;
    draw();
    try {
      const [state, before] = await Promise.all([stateAt(at), at > 0 ? stateAt(at - 1) : null]);
      if (mine !== wanted) return;
      model.lines = whole.filter((l) => l.n < state.lines);
      model.gather(state);
      const deeds = before ? model.since(before.lines) : [];
      parts = deeds.length;
      part = Math.min(deed, parts);
      model.stage.upTo(deeds, before ? before.view : state.view, part, slowly);
      draw();
    } catch (problem) { states.clear(); notice(/** @type {any} */ (problem).message, true); }
  }

  const keys = (/** @type {KeyboardEvent} */ e) => {
    const on = /** @type {HTMLElement} */ (e.target);
    if (on.closest("input, select, .lines, .drawer, .map")) return;
    if (e.key === "ArrowLeft") step(-1);
    else if (e.key === "ArrowRight") step(1);
    else if (e.key === " " && !on.matches("button, a, summary")) { e.preventDefault(); if (running) stop(); else start(); }
  };
  addEventListener("keydown", keys);
  const hush = explaining(b, () => model.state);
  drawn = true;
  go(at);
  return () => { clearTimeout(timer); running = false; hush(); model.close(); removeEventListener("keydown", keys); drawn = false; render(null, main); };
}
