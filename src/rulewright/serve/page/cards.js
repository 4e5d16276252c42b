// Cards and piles: hands as faces, everything else as piles with counts.
import { h } from "./dom.js";
import { hueOf, hueOfWord, isOwn, value } from "./names.js";
import { playing } from "./dice.js";

const COUNTS = new Set(["Copies", "Qty"]);
/* Columns that say how many a deck holds: of interest to whoever builds one, not to whoever plays the card. */

export function piles(root, state, b, lit, pick, whyNot) {
  const { view } = state;
  const own = new Set(view.actors.filter((a) => isOwn(a, view)).map((a) => a.id));
  const hands = view.zones.filter((z) => z.kind === "Actor" && own.has(z.owner) && b.sheet.zones[z.zone].seen === "owner" && view.actors[z.owner].in_play);
  const rest = view.zones.filter((z) => z.count && !hands.includes(z));
  const opened = new Set([...root.querySelectorAll("details[open]")].map((d) => d.dataset.zone));
  const many = new Set(hands.map((z) => z.owner)).size > 1;
  const blocks = hands.filter((z) => z.count).map((z) => h("div", { class: "hand" },
    h("h2", {}, many ? `${view.actors[z.owner].name}: ${z.name}` : z.name, h("small", {}, ` ${z.count}`)), row(z.cards, b, lit, pick, whyNot)));
  const owners = new Map();
  for (const z of rest) owners.set(z.kind === "Actor" ? z.owner : -1, [...(owners.get(z.kind === "Actor" ? z.owner : -1) || []), z]);
  const small = [...owners].map(([id, zones]) => h("div", { class: "owner", style: id >= 0 ? `--hue:${hueOf(view.actors[id], view)}` : null },
    h("h3", {}, id >= 0 ? view.actors[id].name : "Table"), zones.map((z) => pile(z, b, lit, pick, whyNot, opened))));
  root.replaceChildren(...blocks, small.length ? h("div", { class: "small-piles" }, small) : "");
  root.classList.toggle("bare", !b.sheet.zones.length);
}

// Equal cards lie on each other.
function row(cards, b, lit, pick, whyNot) {
  const stacks = new Map();
  for (const card of cards) {
    const key = JSON.stringify([card.name, card.fields, lit.has(`Card:${card.id}`)]);
    stacks.set(key, [...(stacks.get(key) || []), card]);
  }
  return h("ul", { class: "cards" }, [...stacks.values()].map((equal) => h("li", {}, face(equal[0], equal.length, b, lit, pick, whyNot))));
}

function pile(z, b, lit, pick, whyNot, opened) {
  const glows = z.cards.some((c) => lit.has(`Card:${c.id}`));
  const top = z.ordered && z.cards.length ? z.cards[z.cards.length - 1] : null;
  const key = `${z.zone}:${z.owner}`;
  if (!z.cards.length) return h("span", { class: "pile", title: "face down" }, h("span", { class: "back", "aria-hidden": "true" }), z.name, " ", h("b", {}, String(z.count)));
  return h("details", { class: "pile" + (glows ? " lit" : ""), data: { zone: key }, open: glows || opened.has(key) },
    h("summary", {}, h("span", {}, z.name), h("b", {}, String(z.count)), top ? h("small", {}, playing(b, top.face) || top.name) : null),
    row(z.cards, b, lit, pick, whyNot));
}

// What a face says: a cost for the corner, what kind of card it is, a few figures, its text.
function printed(card, b) {
  const found = { corner: null, kind: "", facts: [], text: "" };
  for (const [name, values] of Object.entries(b.sheet.columns.Face || {})) {
    const printedValue = values[card.face];
    const text = String(printedValue ?? "").replace(/`/g, "");
    if (COUNTS.has(name) || text === "" || text === "-" || text === "0") continue;
    const numeric = /^[+-]?\d+$/.test(text);
    if (text.length > 16 || text.split(" ").length > 2) found.text = found.text || text;
    else if (!found.corner && numeric) found.corner = [name, text];
    else if (!found.kind && !numeric && !/^(x|yes)$/i.test(text)) found.kind = text;
    else found.facts.push(/^(x|yes)$/i.test(text) ? [name, ""] : [name, text]);
  }
  for (const [name, v] of Object.entries(card.fields || {})) if (v && (typeof v !== "object" || value(v))) found.facts.push([name, v === 1 ? "" : value(v)]);
  return found;
}

export function face(card, count, b, lit, pick, whyNot) {
  const options = lit.get(`Card:${card.id}`);
  const suit = playing(b, card.face);
  const { corner, kind, facts, text } = suit ? { corner: null, kind: "", facts: [], text: "" } : printed(card, b);
  return h("button", {
    class: "card" + (options ? " lit" : "") + (suit ? " suited" : "") + (count > 1 ? " stack" : ""), style: `--hue:${hueOfWord(kind || card.name)}`,
    title: options ? null : "Not now. Why not?",
    onclick: () => (options ? pick({ kind: "Card", id: card.id }) : whyNot(card.name)),
  }, h("span", { class: "top" }, h("span", { class: "title" }, suit || card.name),
    corner ? h("span", { class: "corner" }, h("b", {}, corner[1]), h("small", {}, corner[0])) : null),
  kind ? h("span", { class: "kind" }, kind) : null,
  facts.length ? h("span", { class: "facts" }, facts.sort((x, y) => Number(/\d/.test(y[1])) - Number(/\d/.test(x[1]))).slice(0, 5).map(([k, v]) => h("span", { class: "fact" }, h("span", {}, k), v ? " " : "", v ? h("b", {}, v) : ""))) : null,
  text ? h("span", { class: "text", title: text.length > 70 ? text : null }, text) : null,
  count > 1 ? h("span", { class: "times" }, `×${count}`) : null,
  options ? null : h("span", { class: "hush" }, "not now; why not?"));
}
