// A finished match, step by step: a scrubber, keys, and playing it by itself.
import { $, h, notice } from "./dom.js";
import { ask, bookOf } from "./api.js";
import { Board } from "./board.js";
import { piles } from "./cards.js";
import { sheets, strip } from "./sheets.js";
import { logLines } from "./log.js";
import { since } from "./since.js";
import { lay } from "./table.js";
import { openAt, page } from "./book.js";
import { EVENT, nameOf } from "./names.js";

const PACE = 900;

export async function replay(main, id) {
  const last = await ask("GET", `/api/tables/${id}/at/999999`);
  const b = await bookOf(id, last.book, last.digest);
  return () => show(main, b, last, id);
}

function show(main, b, last, id) {
  $("#where").textContent = `${b.title}, replay`;
  const board = new Board(b, () => false);
  const none = new Map(), nothing = () => false;
  const slider = h("input", { type: "range", min: 0, max: last.total, value: last.total, "aria-label": "Choice", class: "scrub" });
  const label = h("output", {}, ""), told = h("p", { class: "about" }, "");
  const run = h("button", { class: "button", "aria-pressed": "false", onclick: () => (timer ? stop() : start()) }, "▶ Play");
  let wanted = 0, timer = 0, shown = null;

  const winners = last.result.scores.flatMap((s, i) => (s === 1 ? [nameOf(last.players, i)] : []));
  const middle = h("div", { class: "decision" }, h("h2", { class: "prompt" }, `Replay: ${last.result.ending}${winners.length ? `, ${winners.join(", ")} won` : ""}`), told, slider,
    h("p", { class: "actions" },
      h("button", { class: "button", onclick: () => step(-1) }, "‹ Back"), run, h("button", { class: "button", onclick: () => step(1) }, "Next ›"), label),
    h("p", { class: "actions" }, h("a", { class: "button", href: `/api/tables/${id}/replay`, download: `${b.name}.replay.json` }, "Download"), h("a", { class: "button", href: `#/new/${encodeURIComponent(b.name)}` }, "Play this book")));
  const parts = lay(main, board, middle, "replaying");

  function step(by) { stop(); slider.value = Number(slider.value) + by; go(); }
  function stop() { clearInterval(timer); timer = 0; run.textContent = "▶ Play"; run.setAttribute("aria-pressed", "false"); }
  function start() {
    if (Number(slider.value) >= last.total) slider.value = 0;
    run.textContent = "❚❚ Pause";
    run.setAttribute("aria-pressed", "true");
    timer = setInterval(() => { if (Number(slider.value) >= last.total) return stop(); slider.value = Number(slider.value) + 1; return go(); }, PACE);
  }
  async function go() {
    const n = Number(slider.value);
    label.textContent = `${n} of ${last.total}`;
    wanted += 1;
    const mine = wanted;
    try {
      const state = n === last.total ? last : await ask("GET", `/api/tables/${id}/at/${n}`);
      if (mine !== wanted) return;
      strip(parts.strip, state, b);
      board.show(state, none);
      sheets(parts.sheets, state, b, none, nothing);
      piles(parts.piles, state, b, none, nothing, nothing);
      since(parts.since, state, b);
      logLines(parts.log, state, shown, b, why);
      const chosen = [...state.log].reverse().find((l) => l.kind === EVENT.CHOSEN);
      told.textContent = n && chosen ? chosen.text.replace(/^chosen: /, "") : "The beginning.";
      shown = state;
    } catch (problem) { notice(problem.message, true); }
  }
  async function why(entry) {
    if (!parts.drawer.firstChild) parts.drawer.append(h("button", { class: "close", "aria-label": "Close the rulebook", onclick: () => { parts.drawer.hidden = true; main.classList.remove("reading-along"); } }, "×"), page(b));
    parts.drawer.hidden = false;
    main.classList.add("reading-along");
    openAt(parts.drawer, entry.file, entry.line);
  }
  slider.oninput = () => { stop(); go(); };
  const keys = (e) => {
    if (e.target === slider || e.target.closest(".lines, .drawer, .map")) return;
    if (e.key === "ArrowLeft") step(-1);
    else if (e.key === "ArrowRight") step(1);
    else if (e.key === " " && !e.target.matches("button, a, summary")) { e.preventDefault(); run.click(); }
  };
  addEventListener("keydown", keys);
  go();
  return () => { stop(); removeEventListener("keydown", keys); };
}
