// The rulebook: read alone, or beside the table opened at the rule that fired.
import { $, h } from "./dom.js";
import { book } from "./api.js";

export async function reader(main, name) {
  const b = await book(name);
  return () => {
    $("#where").textContent = b.title;
    main.className = "reading";
    main.replaceChildren(page(b), b.rules_only ? "" : h("p", { class: "actions" }, h("a", { class: "button", href: `#/new/${encodeURIComponent(b.name)}` }, "Play it")));
  };
}

// The server renders its own books' Markdown with raw HTML switched off, so this is safe to insert.
export function page(b) {
  const article = h("article", { class: "rulebook", lang: "en" });
  article.innerHTML = b.html;
  // What is too wide scrolls by itself, so it must be within reach of the keyboard.
  for (const wide of article.querySelectorAll("table, pre.map, pre.text")) wide.setAttribute("tabindex", "0");
  return article;
}

export function openAt(root, file, line) {
  const marks = [...root.querySelectorAll("[data-line]")].filter((m) => m.dataset.file === file);
  let best = null;
  for (const mark of marks) if (Number(mark.dataset.line) <= line) best = mark;
  root.querySelectorAll(".fired").forEach((m) => m.classList.remove("fired"));
  if (!best) return;
  const example = best.closest("details");
  if (example) example.open = true;
  best.classList.add("fired");
  // Set, not animated: a book is long, and the eye is on the table while it turns its pages.
  const box = root.closest(".drawer") || root;
  box.scrollTop += best.getBoundingClientRect().top - box.getBoundingClientRect().top - 90;
}
