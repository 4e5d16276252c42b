// A book's own opening -> what a new player is told: what it is about, a turn, the end, three terms. No notation.

/** @typedef {import("./types.js").Book} Book */
/** @typedef {{title: string, text: string, points: string[], kind?: string}} Part */
/** @typedef {{about: string[], parts: Part[], terms: [string, string][], endings: string[]}} Opening */

const ABOUT = 2, TERMS = 3, LONGEST = 420, POINTS = 6;
const APPARATUS = /licen[cs]e|creative commons|adaptation|published|\bedition\b|chapters?:|\.md\b|ruling/i;
/* What a book says about itself as a book: a new player has no use for it. */
const GOAL = /\baim\b|goal|\bwin|victory|what you (are|want)/i, TURN = /turn|round|acting|goes/i, END = /\bends?\b/i, FIRST = /\bfirst match\b/i;
const KINDS = /** @type {[string, RegExp][]} */ ([["goal", GOAL], ["end", END], ["turn", TURN], ["first", FIRST]]);
const CITE = /\s*\(?\b[A-Z][A-Z0-9]{1,4}-[A-Z0-9]+(?:-\d+[a-z]?)?(?:(?:,| to) (?:[A-Z][A-Z0-9]{1,4}-[A-Z0-9]+)?-?\d+)*\)?/g;

/** @param {string} text */
const clean = (text) => text.replace(CITE, "").replace(/\s+/g, " ").replace(/ ([.,;:])/g, "$1").trim();

/** Whole sentences, as many as fit. @param {string} text */
export function sentences(text) {
  let found = "";
  for (const one of clean(text).match(/[^.!?]+[.!?]+(?:\s|$)|.+$/g) || []) {
    if (found && found.length + one.length > LONGEST) break;
    found += one;
  }
  return found.trim();
}

/** @type {WeakMap<Book, Opening>} */
const known = new WeakMap();

/** @param {Book} b @returns {Opening} */
export function opening(b) {
  let found = known.get(b);
  if (!found) known.set(b, (found = read(new DOMParser().parseFromString(b.html, "text/html"), b.sheet.endings)));
  return found;
}

/** @param {Document} pages @param {string[]} endings @returns {Opening} */
export function read(pages, endings) {
  /** @type {Opening} */
  const found = { about: [], parts: [], terms: [], endings: named(pages, endings) };
  let chapters = 0;
  for (const block of pages.body.children) {
    if (block.tagName === "H2" && ++chapters > 1) break;
    const text = block.textContent || "";
    if (block.tagName === "P" && FIRST.test(lead(block))) found.parts.push({ title: lead(block).replace(/[.:]$/, ""), text: sentences(text.slice(lead(block).length)), points: [] });
    else if (block.tagName === "P" && !block.querySelector("code") && !APPARATUS.test(text)) paragraph(block, found);
    else if (block.tagName === "OL" || block.tagName === "UL") list(block, found);
  }
  // Where the opening proper says nothing of a turn or the end, its first chapter may.
  const some = (/** @type {string} */ kind, count = 1) => found.parts.filter((p) => kindOf(p) === kind).slice(0, count).map((p) => ({ ...p, kind }));
  found.parts = [...some("goal"), ...some("turn", 2), ...some("end"), ...some("first")];
  return found;
}

/** What a part is about, by its title. @param {Part} part */
const kindOf = ({ title }) => (KINDS.find(([, words]) => words.test(title)) || [""])[0];

/** The bold words that a paragraph or point begins with. @param {Element} block */
function lead(block) {
  const first = block.firstElementChild && block.firstElementChild.tagName === "P" ? block.firstElementChild : block;
  const bold = first.firstChild;
  return bold && /** @type {any} */ (bold).tagName === "STRONG" && /[.:]$/.test((bold.textContent || "").trim()) ? (bold.textContent || "").trim() : "";
}

/** @param {Element} block @param {Opening} found */
function paragraph(block, found) {
  const title = lead(block), text = sentences((block.textContent || "").slice(title.length));
  if (title) found.parts.push({ title: title.replace(/[.:]$/, ""), text, points: [] });
  else if (!found.parts.length && found.about.length < ABOUT && text.length > 60) found.about.push(text);
  for (const bold of block.querySelectorAll("strong")) {
    const word = (bold.textContent || "").trim();
    if (word === title || found.terms.length >= TERMS || word.split(" ").length > 3 || found.terms.some(([w]) => w === word)) continue;
    const says = ((block.textContent || "").match(/[^.!?]+[.!?]+/g) || []).find((s) => s.includes(word));
    if (says) found.terms.push([word, clean(says)]);
  }
}

/** Points belong to the part before them; those with bold words in front are parts of their own. @param {Element} block @param {Opening} found */
function list(block, found) {
  for (const point of block.children) {
    const title = lead(point), text = sentences((point.textContent || "").trim().slice(title.length));
    if (title) found.parts.push({ title: title.replace(/[.:]$/, ""), text, points: [] });
    else {
      const last = found.parts.at(-1), above = block.previousElementSibling;
      if (last && above && lead(above).startsWith(last.title) && last.points.length < POINTS && !point.querySelector("code")) last.points.push(text);
    }
  }
}

/** Endings that the book itself names, not those of a framework under it. @param {Document} pages @param {string[]} endings */
function named(pages, endings) {
  const blocks = /** @type {HTMLElement[]} */ ([...pages.querySelectorAll("pre.rules")]);
  const file = /** @type {HTMLElement|null} */ (pages.querySelector("[data-file]"))?.dataset.file;
  const rules = blocks.filter((r) => r.dataset.file === file).map((r) => r.textContent || "").join("\n");
  const own = endings.filter((e) => [`Ending "${e}"`, `${e} (Ending)`, `match with ${e}`].some((words) => rules.includes(words)));
  return own.length ? own : endings;
}
