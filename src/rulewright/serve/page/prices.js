// Prices as a person would say them; and what is spent for nothing: an option that brings only what the book takes as its prices.

/** @typedef {import("./types.js").Book} Book */

const SEVERAL = 3;
/* How often a book has to say a word behind a name before it belongs to the name. */

/** @param {Book} b @param {string} name */
export const isMark = (b, name) => b.sheet.fields.some((field) => field.name === name && field.low === 0 && field.high === 1);

/**
 * A price in words: "2 Coins", "your Free Action". A mark that only notes what was done is no price that anybody would name; what counts
 * how much was spent is called what is spent: "2 SP", not "2 SP Spent".
 * @param {Book} b @param {string} name @param {number|string} amount nothing where it is not known
 */
export function priceWords(b, name, amount) {
  const counts = b.sheet.fields.some((field) => field.name === name && (field.price || 0) > 0);
  if (isMark(b, name)) return counts ? "" : `your ${called(b, name)}`;
  const columns = Object.values(b.sheet.columns || {}).flatMap((of) => Object.keys(of));
  const spent = counts ? columns.find((column) => name.startsWith(`${column} `)) : undefined;
  return `${amount === "" ? "" : `${amount} `}${spent || called(b, name)}`;
}

/** @type {WeakMap<Book, string>} */
const texts = new WeakMap();

/** What a book calls one of them: its "Free" is a "Free Action". @param {Book} b @param {string} name */
function called(b, name) {
  let text = texts.get(b);
  if (text === undefined) texts.set(b, (text = (b.html || "").replace(/<pre[^]*?<\/pre>/g, " ").replace(/<[^>]+>/g, "")));
  /** @type {Map<string, number>} */
  const behind = new Map(), words = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  for (const [, word] of text.matchAll(new RegExp(`\\b${words} ([A-Z][a-z]+)\\b`, "g"))) behind.set(word, (behind.get(word) || 0) + 1);
  const [[word, times]] = [...behind].sort((x, y) => y[1] - x[1]).concat([["", 0]]);
  return times >= SEVERAL ? `${name} ${word}` : name;
}

/** @param {{price?: number, name: string}[]} fields @param {{idle: boolean, spends?: string[]|null}} told @returns {string} why an option is worth nothing now, where that is known */
export function vainly(fields, { idle, spends }) {
  if (idle || (spends && !spends.length)) return "Nothing would come of it now.";
  const isPrice = (/** @type {string} */ name) => fields.some((field) => field.price && field.name === name);
  return spends?.every(isPrice) ? "Nothing would come of it now but its price." : "";
}
