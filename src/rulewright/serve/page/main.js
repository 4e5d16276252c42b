// Routes: #/ the shelf, #/new/BOOK, #/table/ID?token=, #/replay/ID, #/book/NAME
import { $, h, notice } from "./dom.js";
import { lobby, newTable } from "./lobby.js";
import { table } from "./table.js";
import { replay } from "./replay.js";
import { reader } from "./book.js";

let leave = null, visits = 0;

// Each page is asked for first and drawn then, by the function that comes back; whoever has gone on to another
// page meanwhile sees only that one.
async function route() {
  const visit = visits += 1;
  if (leave) leave();
  leave = null;
  const [path, query] = (location.hash.slice(1) || "/").split("?");
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const values = new URLSearchParams(query || "");
  const main = $("#main");
  $("#tools").replaceChildren(theme());
  $("#where").textContent = "";
  main.replaceChildren(h("p", { class: "plain waiting", role: "status" }, "One moment ..."));
  $("#notice").classList.remove("shown");
  delete main.dataset.tab;
  delete main.dataset.version;
  delete main.dataset.table;
  main.className = "";
  try {
    const draw = await asked(main, parts, values);
    if (visit !== visits) return;
    leave = draw() || null;
  } catch (problem) {
    if (visit !== visits) return;
    console.error(problem);
    main.replaceChildren(h("p", { class: "plain" }, problem.message || "Something went wrong. ", " ", h("a", { href: "#/" }, "Back to the shelf")));
    notice(problem.message || "Something went wrong.", true);
  }
  document.title = ($("#where").textContent ? $("#where").textContent + " · " : "") + "Rulewright";
}

async function asked(main, parts, values) {
  if (!parts.length) return lobby(main);
  if (parts[0] === "new") return newTable(main, parts[1]);
  if (parts[0] === "table") return table(main, parts[1], values.get("token"));
  if (parts[0] === "replay") return replay(main, parts[1]);
  if (parts[0] === "book") return reader(main, parts[1]);
  return () => main.replaceChildren(h("p", { class: "plain" }, "There is no such page. ", h("a", { href: "#/" }, "Back to the shelf")));
}

function theme() {
  const kept = localStorage.getItem("rulewright-theme");
  if (kept) document.documentElement.dataset.theme = kept;
  return h("button", {
    class: "icon", title: "Light or dark", "aria-label": "Switch between light and dark",
    onclick: () => {
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
      const next = now === "dark" ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      localStorage.setItem("rulewright-theme", next);
    },
  }, "◐");
}

addEventListener("hashchange", route);
route();
