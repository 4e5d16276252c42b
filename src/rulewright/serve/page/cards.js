// Cards and piles: hands as a fan of faces, everything else as piles that can be opened.
import { html } from "./vendor/preact.js";
import { glyph, iconOf } from "./ground.js";
import { hueOf, hueOfWord, isOwn, value } from "./names.js";
import { playing } from "./dice.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").Card} Card */
/** @typedef {import("./types.js").Zone} Zone */

const COUNTS = new Set(["Copies", "Qty"]);
/* Columns that say how many a deck holds: of interest to whoever builds one, not to whoever plays the card. */

/** @type {WeakMap<Book, string>} */
const corners = new WeakMap();

/** The one column whose number stands in the corner of every card of a book: the first that is all numbers. @param {Book} b */
function cornerOf(b) {
  if (!corners.has(b)) {
    const isNumber = (/** @type {any} */ v) => /^[+-]?\d+$/.test(String(v ?? "").replace(/`/g, ""));
    const found = Object.entries(b.sheet.columns.Face || {}).find(([name, values]) => {
      const said = values.filter((v) => !["", "-", "undefined", "null"].includes(String(v ?? "")));
      return !COUNTS.has(name) && said.length > 0 && said.every(isNumber) && new Set(said.map(String)).size > 1;
    });
    corners.set(b, found ? found[0] : "");
  }
  return /** @type {string} */ (corners.get(b));
}

/** What a face says: the corner, what kind of card it is, a few figures, its text. @param {Card} card @param {Book} b */
export function printed(card, b) {
  const found = { corner: /** @type {[string, string]|null} */ (null), kind: "", facts: /** @type {[string, string][]} */ ([]), text: "" };
  const corner = cornerOf(b);
  for (const [name, values] of Object.entries(b.sheet.columns.Face || {})) {
    const text = String(values[card.face] ?? "").replace(/`/g, "");
    if (name === corner) { found.corner = [name, text === "" || text === "-" ? "0" : text]; continue; }
    if (COUNTS.has(name) || text === "" || text === "-" || text === "0") continue;
    const numeric = /^[+-]?\d+$/.test(text), yes = text === "x" || text === "yes";
    if (text.length > 16 || text.split(" ").length > 2) found.text = found.text || text;
    else if (!found.kind && !numeric && !yes) found.kind = text;
    else found.facts.push(yes ? [name, ""] : [name, text]);
  }
  for (const [name, v] of Object.entries(card.fields || {})) {
    if (v && (typeof v !== "object" || value(v))) found.facts.push([name, v === 1 ? "" : value(v)]);
  }
  return found;
}

const Face = (/** @type {any} */ { card, count, b, lit, pick, whyNot }) => {
  const options = lit.get(`Card:${card.id}`);
  const suit = playing(b, card.face);
  const { corner, kind, facts, text } = suit ? { corner: null, kind: "", facts: [], text: "" } : printed(card, b);
  const sign = iconOf(b, card.name) || iconOf(b, kind);
  facts.sort((x, y) => Number(/\d/.test(y[1])) - Number(/\d/.test(x[1])));
  return html`<button class=${`card${options ? " lit" : ""}${suit ? " suited" : ""}${count > 1 ? " stack" : ""}`} style=${`--hue:${hueOfWord(kind || card.name)}`}
    title=${options ? null : "Not now. Why not?"} data-key=${`c${card.id}`} onClick=${() => (options ? pick({ kind: "Card", id: card.id }) : whyNot(card.name))}>
    <span class="top"><span class="title">${suit || card.name}</span>${corner ? html`<span class="corner"><b>${corner[1]}</b><small>${corner[0]}</small></span>` : null}</span>
    ${kind ? html`<span class="kind">${sign ? glyph(sign) : null}${kind}</span>` : null}
    ${facts.length ? html`<span class="facts">${facts.slice(0, 5).map(([k, v]) => html`<span class="fact" key=${k}><span>${k}</span>${v ? " " : ""}${v ? html`<b>${v}</b>` : ""}</span>`)}</span>` : null}
    ${text ? html`<span class="text" title=${text.length > 70 ? text : null}>${text}</span>` : null}
    ${count > 1 ? html`<span class="times">×${count}</span>` : null}
    ${options ? null : html`<span class="hush">not now; why not?</span>`}</button>`;
};

/** Equal cards lie on each other, in the order of the book. */
const Row = (/** @type {any} */ { cards, b, lit, pick, whyNot, sorted }) => {
  /** @type {Map<string, Card[]>} */
  const stacks = new Map();
  for (const card of sorted ? [...cards].sort((x, y) => x.face - y.face) : cards) {
    const key = JSON.stringify([card.name, card.fields, lit.has(`Card:${card.id}`)]);
    stacks.set(key, [...(stacks.get(key) || []), card]);
  }
  return html`<ul class="cards">${[...stacks.values()].map((equal) => html`<li key=${equal[0].id} class=${lit.has(`Card:${equal[0].id}`) ? "raised" : ""}>
    <${Face} card=${equal[0]} count=${equal.length} b=${b} lit=${lit} pick=${pick} whyNot=${whyNot} /></li>`)}</ul>`;
};

const Pile = (/** @type {any} */ { z, b, lit, pick, whyNot }) => {
  if (!z.cards.length) return html`<span class="pile" title="face down"><span class="back" aria-hidden="true" />${z.name} <b>${z.count}</b></span>`;
  const glows = z.cards.some((/** @type {Card} */ c) => lit.has(`Card:${c.id}`));
  const top = z.ordered ? z.cards[z.cards.length - 1] : null;
  return html`<details class=${`pile${glows ? " lit" : ""}`} open=${glows || undefined}>
    <summary><span>${z.name}</span> <b>${z.count}</b> ${top ? html`<small>${playing(b, top.face) || top.name}</small>` : null}</summary>
    <${Row} cards=${z.cards} b=${b} lit=${lit} pick=${pick} whyNot=${whyNot} /></details>`;
};

export const Piles = (/** @type {any} */ { state, b, lit, pick, whyNot }) => {
  const { view } = state;
  const isHand = (/** @type {Zone} */ z) => z.kind === "Actor" && isOwn(view.actors[z.owner], view) && b.sheet.zones[z.zone].seen === "owner" && view.actors[z.owner].in_play;
  const hands = view.zones.filter(isHand);
  const many = new Set(hands.map((/** @type {Zone} */ z) => z.owner)).size > 1;
  /** @type {Map<number, Zone[]>} */
  const owners = new Map();
  for (const z of view.zones) {
    if (!z.count || hands.includes(z)) continue;
    const owner = z.kind === "Actor" ? z.owner : -1;
    owners.set(owner, [...(owners.get(owner) || []), z]);
  }
  return html`<div>
    ${hands.filter((/** @type {Zone} */ z) => z.count).map((/** @type {Zone} */ z) => html`<div class="hand" key=${`${z.zone}:${z.owner}`}>
      <h2>${many ? `${view.actors[z.owner].name}: ${z.name}` : z.name}<small> ${z.count}</small></h2>
      <${Row} cards=${z.cards} b=${b} lit=${lit} pick=${pick} whyNot=${whyNot} sorted=${true} /></div>`)}
    ${owners.size ? html`<div class="small-piles">${[...owners].map(([id, zones]) => html`<div class="owner" key=${id} style=${id >= 0 ? `--hue:${hueOf(view.actors[id], view)}` : ""}>
      <h3 class=${id >= 0 ? "whose" : ""}>${id >= 0 ? view.actors[id].name : "Table"}</h3>
      ${zones.map((z) => html`<${Pile} key=${z.zone} z=${z} b=${b} lit=${lit} pick=${pick} whyNot=${whyNot} />`)}</div>`)}</div>` : null}</div>`;
};
