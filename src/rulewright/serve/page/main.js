// Routes: #/ the shelf, #/new/BOOK, #/play/BOOK, #/table/ID?token=, #/watch/ID, #/replay/ID?at=, #/book/NAME
import { html, render } from "./vendor/preact.js";
import { ask } from "./api.js";
import { $, notice, unnotice } from "./dom.js";
import { lobby, newTable, playNow } from "./lobby.js";
import { table } from "./table.js";
import { replay } from "./replay.js";
import { reader } from "./book.js";
import { EVENT, learn } from "./names.js";

/** @type {(() => void)|null} */
let leave = null;
let visits = 0;

// Each page is asked for first and drawn then, by the function that comes back; whoever has gone on to another
// page meanwhile sees only that one.
async function route() {
  visits += 1;
  const visit = visits;
  if (leave) leave();
  leave = null;
  const [path, query] = (location.hash.slice(1) || "/").split("?");
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const main = $("#main");
  $("#where").textContent = "";
  render(html`<p class="plain waiting" role="status">One moment ...</p>`, main);
  unnotice();
  for (const name of ["tab", "version", "table"]) delete main.dataset[name];
  main.className = "";
  try {
    const draw = await asked(main, parts, new URLSearchParams(query || ""));
    if (visit !== visits) return;
    render(null, main);
    leave = draw() || null;
  } catch (problem) {
    if (visit !== visits) return;
    console.error(problem);
    const message = /** @type {any} */ (problem).message || "Something went wrong.";
    render(html`<p class="plain">${message} <a href="#/">Back to the shelf</a></p>`, main);
    notice(message, true);
  }
  document.title = ($("#where").textContent ? `${$("#where").textContent} · ` : "") + "Rulewright";
}

/** @param {Element} main @param {string[]} parts @param {URLSearchParams} values @returns {Promise<() => any>} */
async function asked(main, parts, values) {
  if (!EVENT.CHOSEN) learn(await ask("GET", "/api/events"));
  if (!parts.length) return lobby(main);
  if (parts[0] === "new") return newTable(main, parts[1]);
  if (parts[0] === "play") return playNow(main, parts[1]);
  if (parts[0] === "table") return table(main, parts[1], values.get("token"), false);
  if (parts[0] === "watch") return table(main, parts[1], null, true);
  if (parts[0] === "replay") return replay(main, parts[1], values.get("at"));
  if (parts[0] === "book") return reader(main, parts[1]);
  return () => render(html`<p class="plain">There is no such page. <a href="#/">Back to the shelf</a></p>`, main);
}

function theme() {
  const root = document.documentElement;
  const kept = localStorage.getItem("rulewright-theme");
  if (kept) root.dataset.theme = kept;
  $("#theme").addEventListener("click", () => {
    const now = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
    localStorage.setItem("rulewright-theme", root.dataset.theme);
  });
}

// The address after "#" names a page, so the skip link must not change it.
$(".skip").addEventListener("click", (/** @type {Event} */ e) => {
  e.preventDefault();
  $("#main").focus();
});
theme();
addEventListener("hashchange", route);
route();
