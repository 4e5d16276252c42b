// The rulebook: contents, search, code folded away; read alone, or beside the table opened at a rule.
import { Component, html, render } from "./vendor/preact.js";
import { $ } from "./dom.js";
import { book } from "./api.js";

/** @typedef {import("./types.js").Book} Book */

const ABOVE = 40;
/* Pixels that are shown of what stands above a rule. */

/** @param {Element} main @param {string} name */
export async function reader(main, name) {
  const b = await book(name);
  return () => {
    $("#where").textContent = b.title;
    main.className = "reading";
    render(html`<${Rulebook} b=${b} code=${true} />${b.rules_only ? null : html`<p class="actions"><a class="button" href=${`#/new/${encodeURIComponent(b.name)}`}>Play it</a></p>`}`, main);
    return () => render(null, main);
  };
}

/**
 * The pages of a book. The server renders its own books' Markdown with raw HTML switched off, so it is safe to insert.
 * @extends {Component}
 */
export class Rulebook extends Component {
  /** @param {any} props */
  constructor(props) {
    super(props);
    this.state = { search: "", found: -1, code: Boolean(props.code) };
  }

  shouldComponentUpdate(/** @type {any} */ next, /** @type {any} */ state) {
    return next.b !== this.props.b || state.found !== this.state.found || state.search !== this.state.search || state.code !== this.state.code;
  }

  componentDidMount() {
    // What is too wide scrolls by itself, so it must be within reach of the keyboard.
    for (const wide of this.base.querySelectorAll("table, pre.map, pre.text")) wide.setAttribute("tabindex", "0");
    this.forceUpdate();
  }

  /** @param {string} text */
  look(text) {
    const wanted = text.trim().toLowerCase();
    const blocks = wanted.length > 1 ? [...this.pages().children].filter((e) => (e.textContent || "").toLowerCase().includes(wanted)) : [];
    this.hits = blocks;
    this.setState({ search: text, found: blocks.length ? 0 : -1 });
    this.go(0);
  }

  /** @param {number} at */
  go(at) {
    const hits = this.hits || [];
    if (!hits.length) return;
    const hit = hits[(at + hits.length) % hits.length];
    this.setState({ found: (at + hits.length) % hits.length });
    mark(this.base, hit);
  }

  pages() { return this.base.querySelector(".pages"); }

  /** @param {any} props @param {any} state */
  render({ b }, { search, found, code }) {
    const heads = contents(b);
    const hits = (this.hits || []).length;
    return html`<article class=${`rulebook${code ? "" : " folded"}`} lang="en">
      <div class="book-tools">
        <select aria-label="Chapter" onChange=${(/** @type {any} */ e) => { const line = heads[Number(e.target.value)]; if (line) openAt(this.base, line.file, line.line); e.target.value = ""; }}>
          <option value="">Contents</option>${heads.map((h, i) => html`<option key=${i} value=${i}>${"\u2003".repeat(h.level - 1)}${h.text}</option>`)}</select>
        <input type="search" placeholder="Search the rules" aria-label="Search the rules" value=${search} onInput=${(/** @type {any} */ e) => this.look(e.target.value)} onKeyDown=${(/** @type {any} */ e) => e.key === "Enter" && this.go(found + (e.shiftKey ? -1 : 1))} />
        ${search.trim().length > 1 ? html`<small role="status">${hits ? `${found + 1} of ${hits}` : "nothing"}</small>` : null}
        <label><input type="checkbox" checked=${code} onChange=${(/** @type {any} */ e) => this.setState({ code: e.target.checked })} /> as the machine reads it</label>
      </div>
      <div class="pages" dangerouslySetInnerHTML=${{ __html: b.html }} /></article>`;
  }
}

/** @type {WeakMap<Book, {text: string, file: string, line: number, level: number}[]>} */
const chapters = new WeakMap();

/** @param {Book} b */
function contents(b) {
  let found = chapters.get(b);
  if (!found) {
    const pages = new DOMParser().parseFromString(b.html, "text/html");
    found = [.../** @type {NodeListOf<HTMLElement>} */ (pages.querySelectorAll("h1, h2"))].filter((h) => !h.closest("details.trials")).map((h) => ({ text: h.textContent || "", file: h.dataset.file || "", line: Number(h.dataset.line), level: Number(h.tagName[1]) }));
    chapters.set(b, found);
  }
  return found;
}

/** @param {Element} root @param {Element} best */
function mark(root, best) {
  for (const m of root.querySelectorAll(".fired")) m.classList.remove("fired");
  for (let folded = best.closest("details"); folded; folded = folded.parentElement?.closest("details") ?? null) folded.open = true;
  best.classList.add("fired");
  const block = best.closest("pre.rules");
  if (block) block.classList.add("wanted");
  // Set, not animated: a book is long, and the eye is on the table while it turns its pages.
  const box = root.closest(".drawer") || document.scrollingElement || root;
  const top = box.classList.contains("drawer") ? box.getBoundingClientRect().top : 0;
  // Below what stays at the top, whatever number of lines that takes, with a line or two above.
  const tools = box.querySelector(".book-tools"), covered = tools ? tools.getBoundingClientRect().height : 0;
  box.scrollTop += best.getBoundingClientRect().top - top - covered - ABOVE;
}

/** @param {Element} root @param {string} file @param {number} line */
export function openAt(root, file, line) {
  let best = null;
  for (const m of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-line]"))) if (m.dataset.file === file && Number(m.dataset.line) <= line) best = m;
  if (best) mark(root, best);
}
