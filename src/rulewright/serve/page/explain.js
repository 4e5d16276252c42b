// What a book says of something by its name: an action, a status, a number, a card, a place. One sentence, and where it stands.
//
// Books say it in different ways. The best is a list of names, each in bold with a colon; then a `Note:` of the definition; then the row of a table with words in it; then a
// sentence of the prose that makes the name stand out; then the paragraph above the definition; then the first sentence that
// names it at all; then what its definition says, or which rules use it.

/** @typedef {import("./types.js").Book} Book */
/** @typedef {{says: string, facts: [string, string][], file: string, line: number, weak?: boolean, loose?: boolean}} Told `weak` where the book says nothing of it itself, `loose` where a sentence names it, whatever it is about */

const FACTS = new Set(["cost", "range", "target", "requires", "if"]);
/* Fields of a definition that are worth a glance before choosing. */
const DEED = /^do: */;
const LONGEST = 190, BRIEF = 40, LISTING = 90, WORDY = 3, USES = 4;
/* Letters of what is told, of a sentence that needs another, and of one that may tell of several things; words from which a cell of a table is one; rules that are named. */
const CODED = /\b(self|it)\b|^(repeat|if|for each|let|choose)\b|:\s*$/i;
/* Rules that read as words, but of the language: nobody at a table calls themselves "self". */
const APPARATUS = /licen[cs]e|creative commons|\bedition\b|\.md\b|\bruling\b/i;
const CITE = /\s*\(?\b[A-Z][A-Z0-9]{1,4}(?:-[A-Z0-9]+)+[a-z]?(?:(?:,| to| and) (?:[A-Z][A-Z0-9]{1,4}(?:-[A-Z0-9]+)+|-\d+)[a-z]?)*\)?/g;

/** @type {WeakMap<Book, Map<string, Told>>} */
const known = new WeakMap();

/** Everything that is said of something by its name. @param {Book} b @param {string} title @returns {Told|null} */
export function explain(b, title) {
  let told = known.get(b);
  if (!told) known.set(b, (told = gather(b, new DOMParser().parseFromString(b.html, "text/html"))));
  const name = title.toLowerCase();
  // "Guard 2" is a Guard; several Marshes are told of as one.
  return told.get(name) || told.get(name.replace(/ \d+$/, "")) || told.get(name.replace(/s$/, "")) || null;
}

/** The same without what only names it: a sentence about something else says nothing about it. @param {Book} b @param {string} name @returns {Told|null} */
export function explainDeed(b, name) {
  const told = explain(b, name);
  return told && told.loose ? null : told;
}

/** @type {WeakMap<Book, [RegExp, Map<string, string>]>} */
const worded = new WeakMap();

/** Names of numbers, statuses, piles and places that a text uses, the longest first, each once. @param {Book} b @param {string} text @returns {string[]} */
export function termsIn(b, text) {
  let known = worded.get(b);
  if (!known) {
    const { fields, statuses, zones, things } = b.sheet;
    const all = [...fields.filter((f) => f.shown).map((f) => f.name), ...statuses.map((s) => s.name), ...zones.map((z) => z.name), ...(things.Terrain || []), ...(things.Area || []), ...(b.actions || [])];
    const names = [...new Set(all)].filter((name) => name.length > 1 && !/^[\d(]/.test(name) && (explain(b, name) || { says: "" }).says).sort((x, y) => y.length - x.length);
    const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    known = [new RegExp(`(?<![\\w])(?:${escaped.join("|") || "$^"})(?![\\w])`, "g"), new Map(names.map((name) => [name.toLowerCase(), name]))];
    worded.set(b, known);
  }
  return [...new Set(text.match(known[0]) || [])];
}

/** @type {WeakMap<Book, Defined[]>} */
const defining = new WeakMap();

/** All definitions of a book, with their lines. @param {Book} b @returns {Defined[]} */
export function definedIn(b) {
  explain(b, "");
  return defining.get(b) || [];
}

/** @param {Book} b @param {Document} pages */
export function gather(b, pages) {
  /** @type {Map<string, Told>} */
  const found = new Map();
  const put = (/** @type {string} */ name, /** @type {Told} */ told) => {
    const key = name.trim().toLowerCase(), old = found.get(key);
    if (!key) return;
    if (!old) found.set(key, told);
    else if (told.says && (!old.says || (old.loose && !told.loose && !told.weak))) found.set(key, { ...old, says: told.says, weak: told.weak, loose: told.loose, facts: old.facts.length ? old.facts : told.facts });
    else if (!old.facts.length && told.facts.length) old.facts = told.facts;
  };
  const blocks = [...pages.querySelectorAll("pre.rules")].filter((block) => !block.closest("details"));
  for (const point of pages.querySelectorAll("li")) glossed(point, put);
  for (const block of blocks) for (const one of definitions(block)) put(one.title, one);
  const rows = [...pages.querySelectorAll("tbody tr")].filter((row) => !row.closest("details"));
  const faces = new Set((b.sheet.things.Face || []).map((name) => name.toLowerCase()));
  for (const row of rows) rowTold(row, faces, put);
  const prose = /** @type {HTMLElement[]} */ ([...pages.querySelectorAll("p, li")].filter((p) => !p.closest("details") && !APPARATUS.test(p.textContent || "")));
  for (const p of prose) for (const mark of p.querySelectorAll("strong, em")) marked(p, mark, put);
  for (const block of blocks) above(block, put);
  // Of people their row says more than a sentence in which they happen to stand.
  const people = new Set((b.sheet.things.Actor || []).map((name) => name.toLowerCase()));
  for (const row of rows) if (people.has((row.firstElementChild?.textContent || "").trim().toLowerCase())) figures(row, put);
  mentioned(names(b), prose, found, put);
  for (const row of rows) figures(row, put);
  const defined = blocks.flatMap(definitions);
  defining.set(b, defined);
  for (const one of defined) if (!found.get(one.title.toLowerCase())?.says) put(one.title, { ...one, says: short(plain(one.body)), weak: !isSentence(one.body) || CODED.test(one.body) });
  for (const name of names(b)) if (!found.get(name.toLowerCase())?.says) put(name, used(name, defined));
  for (const field of b.sheet.fields) put(field.name, { says: measured(field), facts: [], file: "", line: 0, weak: true });
  return found;
}

/** Names of the sheet that somebody may ask about. @param {Book} b */
function names(b) {
  const { fields, statuses, things, maps, zones, endings } = b.sheet;
  const all = [...(b.actions || []), ...fields.map((f) => f.name), ...statuses.map((s) => s.name), ...zones.map((z) => z.name), ...Object.values(things).flat(), ...maps.map((m) => m.name), ...endings];
  return new Set(all.filter((name) => name && name.length > 1 && !/^[\d(]/.test(name)));
}

/** Which rules read or change something that nothing else is said of. @param {string} name @param {Defined[]} defined @returns {Told} */
function used(name, defined) {
  const by = [...new Set(defined.filter((d) => d.title !== name && has(d.all.replace(/[[\]]/g, " "), name)).map((d) => d.title))], at = defined.find((d) => by.includes(d.title));
  const some = by.slice(0, USES).join(", "), more = by.length > USES ? ` and ${by.length - USES} more` : "";
  return { says: by.length ? `Used by ${some}${more}.` : "", facts: [], file: at ? at.file : "", line: at ? at.line : 0, weak: true, loose: true };
}

/** What kind of number it is, where no rule speaks of it. @param {import("./types.js").Field} field */
function measured({ holds, of, low, high }) {
  const range = !holds && low > -1e8 && high < 1e8 ? `, from ${low} to ${high}` : "";
  return `${holds && holds !== "number" ? `Which ${holds.toLowerCase()}` : "A number"} ${of.length ? `each ${of.map((o) => o.toLowerCase()).join(" and ")} has` : "of the table"}${range}.`;
}

/** @typedef {Told & {title: string, body: string, all: string}} Defined with the line that says what it does, and all its lines */

/** The definitions of a block: each begins with a line that stands at its edge and is no field. @param {Element} block @returns {Defined[]} */
function definitions(block) {
  const made = /** @type {Defined[]} */ ([]);
  for (const line of block.querySelectorAll(".line")) {
    const field = line.querySelector(".r-field"), text = line.textContent || "", at = /** @type {HTMLElement} */ (line);
    // An action needs no kind: its block begins with its name alone.
    if (line.querySelector(".r-title") || (!made.length && !field)) made.push({ title: titleOf(line), says: "", facts: [], body: "", all: "", file: at.dataset.file || "", line: Number(at.dataset.line) });
    const last = made.at(-1);
    if (last) last.all += `${text}\n`;
    // A line without a field is prose that runs; else what is done says most.
    if (last && !last.body && (field ? DEED.test(text) : !line.querySelector(".r-title") && isSentence(text))) last.body = text.replace(DEED, "");
    if (!last || !field || text.startsWith(" ")) continue;
    const name = (field.textContent || "").replace(/:$/, "").trim().toLowerCase(), rest = text.slice((field.textContent || "").length).trim();
    if (name === "note") last.says = short(rest);
    else if (FACTS.has(name) && rest) last.facts.push([name, plain(rest)]);
  }
  return made;
}

/** A row of a table tells of what stands in its first cell: its last cell, if that has words, else its longest words. What is printed on a card tells of it, however it is put. @param {Element} row @param {Set<string>} faces @param {(name: string, told: Told) => void} put */
function rowTold(row, faces, put) {
  const cells = [...row.children].map((c) => (c.textContent || "").trim()), last = cells.at(-1) || "", isFace = faces.has((cells[0] || "").toLowerCase());
  const wordy = cells.slice(1).filter((cell) => isSentence(isFace ? cell.replace(/,/g, "") : cell)).sort((a, c) => c.length - a.length)[0] || "";
  const says = cells.length > 2 && / /.test(last) && /^[a-z+]/.test(last) && isSentence(`${last} . . .`) ? last : wordy;
  if (cells[0] && says) put(cells[0].replace(/`/g, ""), { says: short(says.replace(/`/g, "")), facts: [], ...place(/** @type {HTMLElement} */ (row)) });
}

const EMPTY = new Set(["0", "-", "–", "—"]);
/* What a cell without a figure holds. */

/** A row without words is told as figures: "Speed 4, Armour 3". @param {Element} row @param {(name: string, told: Told) => void} put */
function figures(row, put) {
  const cells = [...row.children].map((c) => (c.textContent || "").trim());
  const heads = [...(row.closest("table")?.querySelectorAll("thead th") || [])].map((h) => h.textContent || "");
  const says = cells.slice(1).map((cell, i) => (cell && !EMPTY.has(cell) ? `${heads[i + 1]} ${cell}` : "")).filter(Boolean).slice(0, 7).join(", ");
  if (cells[0] && says) put(cells[0].replace(/`/g, ""), { says: short(says.replace(/`/g, "")), facts: [], ...place(/** @type {HTMLElement} */ (row)) });
}

/** @param {string} cell */
const isSentence = (cell) => cell.split(" ").length > WORDY && !/[=<>[\]#]/.test(cell) && cell.split(",").length < 4;

/** "- **Strike**: what it does" is meant to be read by whoever asks about it. @param {Element} point @param {(name: string, told: Told) => void} put */
function glossed(point, put) {
  const first = point.firstElementChild && point.firstElementChild.tagName === "P" ? point.firstElementChild : point, bold = first.firstElementChild;
  if (!bold || bold.tagName !== "STRONG" || first.firstChild !== bold || point.closest("details")) return;
  const name = (bold.textContent || "").trim(), rest = (first.textContent || "").slice(name.length);
  if (rest.startsWith(":")) put(name, { says: short(rest.slice(1)), facts: [], ...place(/** @type {HTMLElement} */ (point)) });
}

/** Whether a sentence has a name for its subject: "A Guard stops ...". @param {string} text @param {string} name */
const isAbout = (text, name) => [name, `A ${name}`, `An ${name}`, `The ${name}`, `Your ${name}`, `Each ${name}`].some((first) => text === first || text.startsWith(`${first} `) || text.startsWith(`${first}.`) || text.startsWith(`${first}:`));

/** A name that stands out, and the sentence it stands in or leads. @param {HTMLElement} p @param {Element} mark @param {(name: string, told: Told) => void} put */
function marked(p, mark, put) {
  const name = (mark.textContent || "").trim().replace(/[.:,]$/, ""), text = spaced(p.textContent || "");
  if (!name || name.split(" ").length > 4) return;
  const leads = isAbout(text, name), says = leads && /^[.:]/.test(text.slice(name.length)) ? text.slice(name.length + 1) : sentenceWith(text, name);
  if (says && says.split(" ").length > WORDY) put(name, { says: short(says), facts: [], loose: !leads && !isAbout(says, name), ...place(p) });
}

/** The paragraph right above a definition tells of it where it names it, else of the first definition below. @param {Element} block @param {(name: string, told: Told) => void} put */
function above(block, put) {
  const p = /** @type {HTMLElement|null} */ (block.previousElementSibling);
  if (!p || p.tagName !== "P" || APPARATUS.test(p.textContent || "")) return;
  const text = spaced(p.textContent || ""), made = definitions(block);
  made.forEach((one, i) => {
    const says = sentenceWith(text, one.title) || (i === 0 ? text : "");
    if (says) put(one.title, { says: short(says), facts: [], file: one.file, line: one.line });
  });
}

/** The first sentence that names what nothing else was said of; one that begins with it before all. @param {Set<string>} wanted @param {HTMLElement[]} prose @param {Map<string, Told>} found @param {(name: string, told: Told) => void} put */
function mentioned(wanted, prose, found, put) {
  const left = [...wanted].filter((name) => !found.get(name.toLowerCase())?.says);
  if (!left.length) return;
  const said = prose.flatMap((p) => sentences(spaced(p.textContent || "")).map((text) => ({ p, text, at: place(p) })));
  for (const name of left) {
    // Where it is defined the book speaks of it; elsewhere the word may mean something else.
    const at = found.get(name.toLowerCase()), away = (/** @type {{file: string, line: number}} */ from) => (at && from.file === at.file ? Math.abs(from.line - at.line) : Infinity);
    const about = said.filter(({ text }) => text.startsWith(`${name} `)).sort((x, y) => (away(x.at) < away(y.at) ? -1 : Number(away(x.at) > away(y.at))));
    const best = about[0] || said.find(({ text }) => has(text, name));
    const says = best ? partAbout(best.text, name) : "";
    if (best) put(name, { says: short(says), facts: [], loose: !isAbout(says, name), ...place(best.p) });
  }
}

/** @param {HTMLElement} p */
const place = (p) => {
  const at = /** @type {HTMLElement|null} */ (p.closest("[data-line]"));
  return { file: at?.dataset.file || "", line: Number(at?.dataset.line) };
};

/** The name without its kind and the rules it cites. @param {Element} line */
function titleOf(line) {
  const copy = /** @type {Element} */ (line.cloneNode(true)), title = copy.querySelector(".r-title");
  if (title) return (title.textContent || "").trim();
  for (const extra of copy.querySelectorAll(".r-cite, .r-kind")) extra.remove();
  return (copy.textContent || "").replace(/^[A-Za-z ]+:\s+/, "").trim();
}

/** @param {string} text */
const spaced = (text) => text.replace(CITE, "").replace(/\s+/g, " ").replace(/ ([.,;:])/g, "$1").trim();
/** @param {string} text @returns {string[]} */
const sentences = (text) => (text.match(/[^.!?]+[.!?]+(?=\s|$)|[^.!?]+$/g) || []).map((s) => s.trim()).filter((s) => s.split(" ").length > WORDY);
/** As a word of its own. @param {string} text @param {string} name */
function has(text, name) {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/\w/.test(text[at - 1] || " ") && !/[\w-]/.test(text[at + name.length] || " ")) return true;
  }
  return false;
}
/** @param {string} text @param {string} name */
const sentenceWith = (text, name) => partAbout(sentences(text).find((s) => has(s, name)) || "", name);

/** Of a long sentence that goes through several names only what it says of this one: from its name to the next. @param {string} sentence @param {string} name */
export function partAbout(sentence, name) {
  const parts = sentence.split(/(?<=[,;:]) (?:and )?/), at = parts.findIndex((part) => part.startsWith(`${name} `));
  if (at < 1 || sentence.length < LISTING) return sentence;
  const next = parts.findIndex((part, i) => i > at && /^[A-Z]/.test(part)), own = parts.slice(at, next < 0 ? undefined : next).join(" ");
  const only = own.split(" ").length > WORDY && !/ and [A-Z]/.test(own); // another name behind it: a list, which says nothing of either
  return only ? own.replace(/[,;:]?$/, next < 0 ? "" : ".") : sentence;
}

/** The first sentence, and the next where that one says next to nothing. @param {string} text */
function short(text) {
  let cut = "";
  for (const one of spaced(text).split(/(?<=[.!?] )/)) {
    if (cut.length >= BRIEF || (cut && cut.length + one.length > LONGEST)) break;
    cut += one;
  }
  cut = cut.trim();
  if (cut.length > LONGEST) cut = `${cut.slice(0, cut.lastIndexOf(" ", LONGEST - 1))} …`;
  return cut ? cut[0].toUpperCase() + cut.slice(1) : "";
}

/** Notation made readable: #Pay ActionPoint -> Pay ActionPoint, [Target Health] -> Target Health. @param {string} text */
const plain = (text) => text.replace(/[#[\]]/g, "");
