// Faces of cards: what is printed on them, and what they are worth now.
import { html } from "./vendor/preact.js";
import { glyph, iconOf } from "./ground.js";
import { hueOfWord, initials, value } from "./names.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").Card} Card */

const ASIDE = new Set(["Copies", "Qty", "Icon", "Tint", "Texture", "Glyph"]);
/* Columns that say how many a deck holds or how a card looks: of no interest to whoever plays it. */
const FEW = 5;
/** @type {Record<string, string>} */
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
/** Where pips stand on a playing card, in hundredths: columns at 28, 50 and 72. @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[50, 50]], 2: [[50, 18], [50, 82]], 3: [[50, 18], [50, 50], [50, 82]], 4: [[28, 18], [72, 18], [28, 82], [72, 82]], 5: [[28, 18], [72, 18], [50, 50], [28, 82], [72, 82]],
  6: [[28, 18], [72, 18], [28, 50], [72, 50], [28, 82], [72, 82]], 7: [[28, 18], [72, 18], [50, 34], [28, 50], [72, 50], [28, 82], [72, 82]],
  8: [[28, 18], [72, 18], [50, 34], [28, 50], [72, 50], [50, 66], [28, 82], [72, 82]], 9: [[28, 16], [72, 16], [28, 39], [72, 39], [50, 50], [28, 61], [72, 61], [28, 84], [72, 84]],
  10: [[28, 16], [72, 16], [50, 28], [28, 39], [72, 39], [28, 61], [72, 61], [50, 72], [28, 84], [72, 84]],
};

/** @type {WeakMap<Book, string>} */
const corners = new WeakMap();

/** The one column whose number stands in the corner of every card of a book: the first that is all numbers. @param {Book} b */
function cornerOf(b) {
  if (!corners.has(b)) {
    const isNumber = (/** @type {any} */ v) => /^[+-]?\d+$/.test(String(v ?? "").replace(/`/g, ""));
    const found = Object.entries(b.sheet.columns.Face || {}).find(([name, values]) => {
      const said = values.filter((v) => !["", "-", "undefined", "null"].includes(String(v ?? "")));
      return !ASIDE.has(name) && said.length > 0 && said.every(isNumber) && new Set(said.map(String)).size > 1;
    });
    corners.set(b, found ? found[0] : "");
  }
  return /** @type {string} */ (corners.get(b));
}

/** @typedef {{name: string, text: string, printed?: string}} Fact a figure of a card, and what was printed if that is not it any more */

/** What a face says: the corner, what kind of card it is, a few figures as they are now, its text. @param {Card} card @param {Book} b */
export function printed(card, b) {
  const found = { corner: /** @type {Fact|null} */ (null), kind: "", facts: /** @type {Fact[]} */ ([]), text: "" };
  const corner = cornerOf(b), now = { ...(card.fields || {}) };
  for (const [name, values] of Object.entries(b.sheet.columns.Face || {})) {
    const paper = String(values[card.face] ?? "").replace(/`/g, "");
    const current = typeof now[name] === "number" ? String(now[name]) : paper;
    const fact = { name, text: current, printed: current === paper ? undefined : paper };
    delete now[name];
    // A kind of card that has no such number has no corner either.
    if (name === corner) { if (current !== "" && current !== "-") found.corner = fact; continue; }
    if (ASIDE.has(name) || current === "" || current === "-" || (current === "0" && !fact.printed)) continue;
    const numeric = /^[+-]?\d+$/.test(current), yes = current === "x" || current === "yes";
    if (current.length > 16 || current.split(" ").length > 2) found.text = found.text || current;
    else if (!found.kind && !numeric && !yes) found.kind = current;
    else found.facts.push(yes ? { name, text: "" } : fact);
  }
  for (const [name, v] of Object.entries(now)) {
    if (v && (typeof v !== "object" || value(v))) found.facts.unshift({ name, text: v === 1 ? "" : value(v), printed: "" });
  }
  return found;
}

/** Rank and suit of a card of the four French suits, known by the first letters of their names. @param {Book} b @param {number} face @returns {{rank: string, suit: string, red: boolean}|null} */
export function suited(b, face) {
  const letters = ((b.sheet.columns.Face || {}).Suit || []).map((suit) => String(suit || "").charAt(0).toLowerCase());
  if ([...new Set(letters)].filter(Boolean).sort().join("") !== "cdhs" || !SUITS[letters[face]]) return null;
  const suit = SUITS[letters[face]];
  return { rank: b.sheet.things.Face[face].replace(/[A-Z]$/, ""), suit, red: suit === "♥" || suit === "♦" };
}

/** The same in a word. @param {Book} b @param {number} face */
export function playing(b, face) {
  const found = suited(b, face);
  return found ? html`<span class=${`playing${found.red ? " red" : ""}`}>${found.rank}${found.suit}</span>` : null;
}

const Suited = (/** @type {any} */ { card: { rank, suit, red } }) => {
  const pips = PIPS[rank === "A" ? 1 : Number(rank)];
  return html`<span class=${`suit-face${red ? " red" : ""}`}><span class="index">${rank}<br />${suit}</span>
    <svg class="pips" viewBox="0 0 100 140" aria-hidden="true">${pips ? pips.map(([x, y]) => html`<text key=${`${x}-${y}`} x=${x} y=${y * 1.4} font-size=${pips.length === 1 ? 62 : 30} transform=${y > 55 ? `rotate(180 ${x} ${y * 1.4})` : null}>${suit}</text>`)
      : html`<rect x="18" y="16" width="64" height="108" rx="6" /><text class="court" x="50" y="66" font-size="56">${rank}</text><text x="50" y="106" font-size="30">${suit}</text>`}</svg>
    <span class="index under">${rank}<br />${suit}</span></span>`;
};

const Figure = (/** @type {{fact: Fact}} */ { fact }) => html`<span class=${`fact${fact.printed === undefined ? "" : " current"}`} title=${fact.printed ? `${fact.text} now; ${fact.printed} is printed` : null}><span>${fact.name}</span>${fact.text ? " " : ""}${fact.text ? html`<b>${fact.text}</b>` : ""}</span>`;

/** The letters of a name's longest word: a title is written so that it fits, for no word is broken in two. @param {string} name */
const longest = (name) => Math.max(...name.split(/[\s-]+/).map((word) => word.length));

/** What stands on a card: for a hand, a pile that is open, and enlarged. */
export const Paper = (/** @type {any} */ { card, b, all }) => {
  const french = suited(b, card.face);
  if (french) return html`<${Suited} card=${french} /><span class="hush">${card.name}</span>`;
  const { corner, kind, facts, text } = printed(card, b);
  const sign = iconOf(b, card.name) || iconOf(b, kind);
  facts.sort((x, y) => Number(y.printed !== undefined) - Number(x.printed !== undefined) || Number(/\d/.test(y.text)) - Number(/\d/.test(x.text)));
  return html`<span class="top">${corner ? html`<span class=${`corner${corner.printed ? " current" : ""}`}><b>${corner.text}</b><small>${corner.name}</small></span>` : null}<span class="title" style=${`--letters:${longest(card.name)}`}>${card.name}</span></span>
    <span class="kind">${sign ? glyph(sign) : null}${kind}</span>
    ${facts.length ? html`<span class="facts">${facts.slice(0, all ? 20 : FEW).map((fact) => html`<${Figure} key=${fact.name} fact=${fact} />`)}</span>` : null}
    ${text ? html`<span class="text">${text}</span>` : null}
    ${text ? null : html`<span class="art" aria-hidden="true">${sign ? glyph(sign, "picture") : html`<span class="monogram">${initials(card.name).slice(0, 1)}</span>`}</span>`}`;
};

/** The colour that a card has: by its kind, so that cards of a kind look alike. @param {Card} card @param {Book} b */
export const cardHue = (card, b) => hueOfWord(printed(card, b).kind || card.name);
