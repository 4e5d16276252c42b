// A finished match, step by step.
import { $, h } from "./dom.js";
import { ask, book } from "./api.js";
import { Board } from "./board.js";
import { piles, sheets, strip } from "./sheets.js";
import { logLines } from "./log.js";

export async function replay(main, id) {
  const last = await ask("GET", `/api/tables/${id}/at/999999`);
  const b = await book(last.book);
  $("#where").textContent = `${b.title}, replay`;
  const board = new Board(b, () => false);
  const none = new Map();
  const parts = { strip: h("section", { class: "strip" }), sheets: h("section", { class: "sheets" }), piles: h("section", { class: "piles" }), log: h("section", { class: "log" }) };
  const slider = h("input", { type: "range", min: 0, max: last.total, value: last.total, "aria-label": "Choice", class: "scrub" });
  const label = h("output", {}, "");
  const step = (by) => { slider.value = Number(slider.value) + by; go(); };
  let wanted = 0;
  async function go() {
    const n = Number(slider.value);
    label.textContent = `${n} of ${last.total}`;
    wanted += 1;
    const mine = wanted;
    const state = n === last.total ? last : await ask("GET", `/api/tables/${id}/at/${n}`);
    if (mine !== wanted) return;
    strip(parts.strip, state, b);
    board.show(state, none);
    sheets(parts.sheets, state, b, none, () => false);
    piles(parts.piles, state, b, none, () => false, () => false);
    logLines(parts.log, state, null, () => false);
  }
  slider.oninput = go;
  const ends = last.result ? h("p", { class: "about" }, last.result.ending) : null;
  main.className = "table replaying" + (board.empty ? " mapless" : "");
  main.replaceChildren(parts.strip,
    h("div", { class: "left" }, h("section", { class: "board" }, board.element), parts.piles),
    h("div", { class: "right" }, h("section", { class: "decide" }, h("h2", {}, "Replay"), ends, slider,
      h("p", { class: "actions" }, h("button", { class: "button", onclick: () => step(-1) }, "‹ Back"), label, h("button", { class: "button", onclick: () => step(1) }, "Next ›"),
        h("a", { class: "button", href: `/api/tables/${id}/replay`, download: `${b.name}.replay.json` }, "Download"))), parts.sheets, parts.log));
  await go();
  const keys = (e) => { if (e.target === slider) return; if (e.key === "ArrowLeft") step(-1); if (e.key === "ArrowRight") step(1); };
  addEventListener("keydown", keys);
  return () => removeEventListener("keydown", keys);
}
