// Actor sheets, card piles, the turn-order strip.
import { h } from "./dom.js";
import { nameOf } from "./decision.js";

export function strip(root, state, b) {
  const { view } = state;
  const facts = Object.entries(view.fields).filter(([, v]) => typeof v === "number" ? v !== 0 : v).map(([k, v]) => h("span", { class: "fact" }, h("span", {}, k), " ", h("b", {}, show(v))));
  const order = view.orders.find((o) => o.members.length);
  const line = order ? h("ol", { class: "order", "aria-label": order.name }, order.members.map((id, i) => {
    const actor = view.actors[id];
    return h("li", { class: "turn" + (i === order.cursor ? " now" : "") + (actor && actor.own ? " own" : ""), "aria-current": i === order.cursor ? "true" : null }, actor ? actor.name : id);
  })) : null;
  const step = [...state.log].reverse().find((l) => l.kind === 9);
  root.replaceChildren(...[line, step ? h("span", { class: "phase" }, step.text) : null, h("span", { class: "facts" }, facts)].filter(Boolean));
}

const show = (v) => (v === null || v === undefined ? "none" : typeof v === "object" ? ("name" in v ? v.name : Object.entries(v).map(([k, x]) => `${k} ${show(x)}`).join(", ")) : String(v));

export function sheets(root, state, b, lit, pick) {
  const { view } = state;
  const limits = new Map(b.sheet.fields.filter((f) => f.of.length === 1 && f.of[0] === "Actor").map((f) => [f.name, f]));
  const actors = view.actors.filter((a) => a.in_play);
  const gone = view.actors.filter((a) => !a.in_play && a.seat !== null && a.seat >= 0 && a.seat < view.seats && Object.values(a.fields).some((v) => v));
  root.replaceChildren(h("h2", { class: "hush" }, "Actors"), ...actors.concat(gone).map((actor) => sheet(actor, state, limits, lit, pick)));
}

function sheet(actor, state, limits, lit, pick) {
  const options = lit.get(`Actor:${actor.id}`);
  const numbers = [], bars = [], words = [];
  for (const [name, value] of Object.entries(actor.fields)) {
    const field = limits.get(name) || {};
    const top = actor.fields[`Max ${name}`] || actor.fields[`${name} Maximum`] || (field.high && field.high < 90 ? field.high : 0);
    if (typeof value === "number" && top > 1 && (value > 0 || field.maximum)) bars.push(bar(name, value, top));
    else if (typeof value === "number") { if (value !== 0) numbers.push(h("span", { class: "num" }, h("span", {}, name), h("b", {}, String(value)))); }
    else if (value && typeof value === "object" && !("name" in value)) {
      const parts = Object.entries(value).filter(([, v]) => v);
      if (parts.length) words.push(h("span", { class: "num" }, h("span", {}, name), h("b", {}, parts.map(([k, v]) => `${k} ${show(v)}`).join(", "))));
    } else if (value) words.push(h("span", { class: "num" }, h("span", {}, name), h("b", {}, show(value))));
  }
  const player = actor.seat !== null && actor.seat >= 0 ? nameOf(state.players, actor.seat) : "";
  const content = [
    h("header", {}, h("h3", {}, actor.name), h("span", { class: "quiet" }, [actor.template !== actor.name ? actor.template : "", player].filter(Boolean).join(" · "))),
    actor.statuses.length ? h("p", { class: "badges" }, actor.statuses.map((s) => h("span", { class: "badge" }, s.name, s.stacks > 1 ? ` ×${s.stacks}` : "", s.turns ? ` · ${s.turns}` : ""))) : null,
    bars.length ? h("div", { class: "bars" }, bars) : null,
    numbers.length || words.length ? h("p", { class: "nums" }, numbers, words) : null,
  ];
  const kind = "sheet" + (actor.own ? " own" : "") + (actor.in_play ? "" : " gone") + (options ? " lit" : "");
  return h("article", { class: kind, data: { actor: actor.id } }, content,
    options ? h("button", { class: "pick", onclick: () => pick({ kind: "Actor", id: actor.id }) }, `Choose ${actor.name}`) : null);
}

function bar(name, value, top) {
  const part = Math.max(0, Math.min(100, (100 * value) / top));
  const tone = `c${[...name].reduce((a, c) => (a * 31 + c.charCodeAt(0)) % 5, 7)}`;
  return h("div", { class: `barline ${tone}` }, h("span", { class: "label" }, name),
    h("span", { class: "track", role: "img", "aria-label": `${name} ${value} of ${top}` }, h("span", { class: "fill", style: `width:${part}%` })), h("span", { class: "value" }, `${value}`, h("small", {}, `/${top}`)));
}

export function piles(root, state, b, lit, pick, whyNot) {
  const { view } = state;
  const own = new Set(view.actors.filter((a) => a.own).map((a) => a.id));
  const hands = view.zones.filter((z) => z.count && z.kind === "Actor" && own.has(z.owner) && z.cards.length && b.sheet.zones[z.zone].seen === "owner");
  const rest = view.zones.filter((z) => z.count && !hands.includes(z));
  const blocks = hands.map((z) => h("div", { class: "hand" }, h("h2", {}, `${z.name}`, h("small", {}, ` ${z.count}`)), h("ul", { class: "cards" }, z.cards.map((c) => h("li", {}, face(c, b, lit, pick, whyNot))))));
  const small = rest.map((z) => pile(z, view, b, lit, pick, whyNot));
  root.replaceChildren(...blocks, small.length ? h("div", { class: "small-piles" }, small) : "");
  root.hidden = !blocks.length && !small.length;
}

function pile(z, view, b, lit, pick, whyNot) {
  const owner = z.kind === "Actor" && view.actors[z.owner] ? `${view.actors[z.owner].name} · ` : "";
  const glows = z.cards.some((c) => lit.has(`Card:${c.id}`));
  const top = z.cards.length ? z.cards[z.cards.length - 1] : null;
  return h("details", { class: "pile" + (glows ? " lit" : ""), open: glows },
    h("summary", {}, h("span", {}, `${owner}${z.name}`), h("b", {}, String(z.count)), top && z.ordered ? h("small", {}, top.name) : null),
    z.cards.length ? h("ul", { class: "cards" }, z.cards.map((c) => h("li", {}, face(c, b, lit, pick, whyNot)))) : h("p", { class: "quiet" }, "face down"));
}

function face(card, b, lit, pick, whyNot) {
  const options = lit.get(`Card:${card.id}`);
  const columns = b.sheet.columns.Face || {};
  const facts = [], texts = [];
  for (const [name, values] of Object.entries(columns)) {
    const value = values[card.face];
    if (value === undefined || value === "" || value === "-") continue;
    if (String(value).length <= 14) facts.push(h("span", { class: "fact" }, h("span", {}, name), " ", h("b", {}, String(value))));
    else texts.push(h("p", {}, String(value)));
  }
  const corner = facts.shift();
  return h("button", {
    class: "card" + (options ? " lit" : ""), "aria-disabled": options ? null : "true",
    title: options ? "" : "Why not?",
    onclick: () => (options ? pick({ kind: "Card", id: card.id }) : whyNot(card.name)),
  }, h("span", { class: "title" }, card.name), corner ? h("span", { class: "corner" }, corner) : null, h("span", { class: "facts" }, facts.slice(0, 5)), texts.slice(0, 1));
}
