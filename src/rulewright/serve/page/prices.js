// Numbers that a book takes as the price of what is done: to have less of them for nothing is a waste.
import { definedIn } from "./explain.js";

/** @typedef {import("./types.js").Book} Book */

const PRICED = /^(cost|then): */i, FIELD = /^[A-Za-z][A-Za-z ]*:/, CALLED = /#([A-Z][\w' -]*)/g, LESS = /\[([^\]]+)\] *-=/g;
/* Lines of a definition that state a price, any field, rules that are carried out, numbers that become less. */

/** @param {string} name */
const norm = (name) => name.replace(/ \(.*$/, "").replace(/\s+/g, "").toLowerCase();

/** The lines of a definition that say what it takes, with those that go on below them. @param {string} all */
function priced(all) {
  const found = [];
  let on = false;
  for (const line of all.split("\n")) {
    if (!line.startsWith(" ") && FIELD.test(line)) on = PRICED.test(line);
    if (on) found.push(line);
  }
  return found.join("\n");
}

/** @type {WeakMap<Book, Set<string>>} */
const known = new WeakMap();

/** @param {Book} b @returns {Set<string>} */
function pricesOf(b) {
  let found = known.get(b);
  if (!found) known.set(b, (found = read(definedIn(b), b.sheet.fields.map((f) => f.name))));
  return found;
}

/** Names of numbers that become less in prices, and in rules that prices carry out. @param {{title: string, all: string}[]} defined @param {string[]} fields @returns {Set<string>} */
export function read(defined, fields) {
  const by = new Map(defined.map((d) => [norm(d.title), d.all])), names = fields.map(norm).sort((x, y) => y.length - x.length), found = new Set(), seen = new Set();
  const texts = defined.map((d) => priced(d.all));
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const [, inner] of text.matchAll(LESS)) {
      const name = names.find((n) => norm(inner).startsWith(n));
      if (name) found.add(name);
    }
    for (const [, called] of text.matchAll(CALLED)) {
      const title = [...by.keys()].filter((key) => norm(called).startsWith(key)).sort((x, y) => y.length - x.length)[0];
      if (title && !seen.has(title)) { seen.add(title); texts.push(by.get(title) || ""); }
    }
  }
  return found;
}

/** Why an option is worth nothing now, where that is known. @param {Book} b @param {{idle: boolean, spends?: string[]|null}} told */
export function vainly(b, { idle, spends }) {
  if (idle || (spends && !spends.length)) return "Nothing would come of it now.";
  return spends && spends.every((name) => pricesOf(b).has(norm(name))) ? "Nothing would come of it now but its price." : "";
}
