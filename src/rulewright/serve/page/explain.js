// What a book says of an action: the sentence before its definition, its note, what it costs.

/** @typedef {import("./types.js").Book} Book */
/** @typedef {{says: string, facts: [string, string][], file: string, line: number}} Told */

const FACTS = new Set(["cost", "range", "target", "requires", "if"]);
/* Fields of a definition that are worth a glance before choosing. */
const LONGEST = 150;

/** @type {WeakMap<Book, Map<string, Told>>} */
const known = new WeakMap();

/** Everything that is said of something by its name. @param {Book} b @param {string} title @returns {Told|null} */
export function explain(b, title) {
  let told = known.get(b);
  if (!told) known.set(b, (told = gather(b)));
  return told.get(title.toLowerCase()) || null;
}

/** @param {Book} b */
function gather(b) {
  /** @type {Map<string, Told>} */
  const found = new Map();
  const pages = new DOMParser().parseFromString(b.html, "text/html");
  for (const block of pages.querySelectorAll("pre.rules")) {
    const [first, ...rest] = block.querySelectorAll(".line");
    if (!first) continue;
    const title = titleOf(first);
    if (!title || found.has(title.toLowerCase())) continue;
    const facts = /** @type {[string, string][]} */ ([]);
    let says = "";
    for (const line of rest) {
      const field = line.querySelector(".r-field");
      if (!field || line.textContent?.startsWith(" ")) continue;
      const name = (field.textContent || "").replace(/:$/, "").trim().toLowerCase();
      const text = (line.textContent || "").slice((field.textContent || "").length).trim();
      if (name === "note") says = text;
      else if (FACTS.has(name) && text) facts.push([name, plain(text)]);
    }
    const at = /** @type {HTMLElement} */ (block);
    found.set(title.toLowerCase(), { says: says || before(block), facts, file: at.dataset.file || "", line: Number(at.dataset.line) });
  }
  for (const row of pages.querySelectorAll("tbody tr")) rowTold(row, found);
  return found;
}

/** A row of a table tells of what stands in its first cell: its longest words. @param {Element} row @param {Map<string, Told>} found */
function rowTold(row, found) {
  const cells = [...row.children].map((c) => (c.textContent || "").trim());
  const title = (cells[0] || "").toLowerCase();
  if (!title || found.has(title)) return;
  const says = cells.slice(1).sort((a, c) => c.length - a.length)[0] || "";
  const at = /** @type {HTMLElement} */ (row);
  if (says.split(" ").length > 3) found.set(title, { says: short(says.replace(/`/g, "")), facts: [], file: at.dataset.file || "", line: Number(at.dataset.line) });
}

/** The name without its kind and the rules it cites. @param {Element} line */
function titleOf(line) {
  const copy = /** @type {Element} */ (line.cloneNode(true));
  for (const extra of copy.querySelectorAll(".r-cite, .r-kind")) extra.remove();
  return (copy.textContent || "").replace(/^[A-Za-z ]+:\s+/, "").trim();
}

// The last paragraph or list item before the definition, if it stands right before it.
/** @param {Element} block */
function before(block) {
  const above = block.previousElementSibling;
  if (!above || above.tagName !== "P") return "";
  return short((above.textContent || "").replace(/\s+/g, " ").trim());
}

/** @param {string} text */
function short(text) {
  const end = text.search(/[.!?](\s|$)/);
  const first = end > 0 ? text.slice(0, end + 1) : text;
  return first.length > LONGEST ? `${first.slice(0, LONGEST - 1)}…` : first;
}

/** Notation made readable: #Pay ActionPoint -> Pay ActionPoint, [Target Health] -> Target Health. @param {string} text */
const plain = (text) => text.replace(/[#[\]]/g, "");
