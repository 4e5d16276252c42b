// Actor sheets and the strip above the table.
import { h } from "./dom.js";
import { EVENT, acting, hueOf, isOwn, nameOf, value } from "./names.js";

const TONES = 5;
const SMALL = 20;
/* A range up to here is worth a bar; longer ones are numbers without an end in sight. */

export function strip(root, state, b) {
  const { view } = state;
  const order = view.orders.find((o) => o.members.length);
  const now = acting(state);
  const line = order ? h("ol", { class: "order", "aria-label": order.name }, order.members.map((id, i) => {
    const actor = view.actors[id];
    const current = i === order.cursor || (order.cursor < 0 && id === now);
    return h("li", { class: "turn" + (current ? " now" : "") + (actor && isOwn(actor, view) ? " own" : ""), style: actor ? `--hue:${hueOf(actor, view)}` : null, "aria-current": current ? "true" : null }, actor ? actor.name : String(id));
  })) : null;
  const step = [...state.log].reverse().find((l) => l.kind === EVENT.STEP);
  const shown = Object.entries(view.fields).filter(([, v]) => (typeof v === "number" ? v !== 0 : v));
  const more = Object.entries(view.things || {}).flatMap(([, rows]) => rows.flatMap((row) => Object.entries(row.fields).filter(([, v]) => v).map(([k, v]) => [`${row.name} ${k}`, v])));
  const facts = [...shown, ...more].map(([k, v]) => h("span", { class: "fact" }, h("span", {}, k), " ", v === 1 && isFlag(b, k) ? "✓" : h("b", {}, value(v))));
  root.replaceChildren(...[step ? h("span", { class: "phase" }, step.text) : null, facts.length ? h("span", { class: "facts" }, facts) : null, line].filter(Boolean));
  const current = line && line.querySelector(".now");
  if (current) root.scrollLeft = Math.max(0, current.offsetLeft + current.offsetWidth - root.offsetLeft - root.clientWidth);
}

const isFlag = (b, name) => b.sheet.fields.some((f) => f.name === name && !f.of.length && f.low === 0 && f.high === 1);

export function sheets(root, state, b, lit, pick) {
  const { view } = state;
  const fields = new Map(b.sheet.fields.filter((f) => f.of[0] === "Actor").map((f) => [f.name, f]));
  const present = view.actors.filter((a) => a.in_play);
  const gone = view.actors.filter((a) => !a.in_play && a.seat >= 0 && a.seat < view.seats && Object.values(a.fields).some((v) => v));
  const now = acting(state);
  const first = (a) => (a.id === now && isOwn(a, view) ? 0 : isOwn(a, view) ? 1 : a.id === now ? 2 : 3);
  present.sort((a, c) => first(a) - first(c) || a.id - c.id);
  const opened = new Set([...root.querySelectorAll("details[open]")].map((d) => d.dataset.actor));
  root.replaceChildren(h("h2", { class: "hush" }, "Actors"), ...[...present, ...gone].map((actor) => sheet(actor, state, fields, lit, pick, now, opened)));
}

// Everything a sheet says about an actor, sorted into how it is drawn.
function facts(actor, fields) {
  const found = { bars: [], flags: [], numbers: [], words: [] };
  const place = [...fields.keys()];
  const read = actor.read || {}, most = actor.most || {};
  const maxima = new Set();
  for (const [name, stored] of Object.entries(actor.fields)) {
    const field = fields.get(name) || { high: 1e9, low: 0 };
    if (stored !== null && typeof stored === "object") {
      const text = "name" in stored ? stored.name : value(stored);
      if (text) found.words.push([name, text]);
      continue;
    }
    if (typeof stored !== "number") continue;
    const now = name in read ? read[name] : stored;
    const partner = [`Max ${name}`, `${name} Maximum`, `Full ${name}`].find((n) => actor.fields[n] > 0);
    if (partner) maxima.add(partner);
    const top = most[name] || (partner ? actor.fields[partner] : field.high > 2 && field.high <= SMALL && now > 0 ? field.high : 0);
    if (top > 1) found.bars.push({ name, now, top, stored, tone: place.indexOf(name) % TONES });
    else if (field.low === 0 && field.high === 1) { if (now) found.flags.push(name); }
    else if (now !== 0 || stored !== 0) found.numbers.push({ name, now, stored });
  }
  found.numbers = found.numbers.filter((n) => !maxima.has(n.name));
  return found;
}

// The bar that stands for an actor on the map: the first one of its sheet.
export function mainBar(actor, b) {
  const fields = new Map(b.sheet.fields.filter((f) => f.of[0] === "Actor").map((f) => [f.name, f]));
  return facts(actor, fields).bars[0] || null;
}

function sheet(actor, state, fields, lit, pick, now, opened) {
  const options = lit.get(`Actor:${actor.id}`);
  const { bars, flags, numbers, words } = facts(actor, fields);
  const player = actor.seat >= 0 && state.players.length > 1 ? nameOf(state.players, actor.seat) : "";
  const own = isOwn(actor, state.view);
  const room = own ? 12 : 6;
  const all = [...numbers.map(number), ...words.map(([k, v]) => h("div", { class: "num wide" }, h("dt", {}, k), h("dd", {}, v)))];
  const rest = all.slice(room);
  const template = actor.template && !actor.name.startsWith(actor.template) ? actor.template : "";
  const kind = "sheet" + (own ? " own" : "") + (actor.in_play ? "" : " gone") + (options ? " lit" : "") + (actor.id === now ? " now" : "");
  return h("article", { class: kind, style: `--hue:${hueOf(actor, state.view)}`, data: { actor: actor.id }, "aria-label": actor.name },
    h("header", {}, h("h3", {}, actor.name), h("span", { class: "quiet" }, [template, player, actor.in_play ? "" : "out of play"].filter(Boolean).join(" · "))),
    actor.statuses.length || flags.length ? h("p", { class: "badges" },
      actor.statuses.map((s) => h("span", { class: "badge" }, s.name, s.stacks > 1 ? ` ×${s.stacks}` : "", s.turns > 0 ? h("small", {}, ` ${s.turns} turn${s.turns > 1 ? "s" : ""}`) : "")),
      flags.map((name) => h("span", { class: "badge mild" }, name))) : null,
    bars.length ? h("div", { class: "bars" }, bars.map(bar)) : null,
    all.length ? h("dl", { class: "nums" }, all.slice(0, room)) : null,
    rest.length ? h("details", { data: { actor: actor.id }, open: opened.has(String(actor.id)) }, h("summary", {}, `${rest.length} more`), h("dl", { class: "nums" }, rest)) : null,
    options ? h("button", { class: "pick", onclick: () => pick({ kind: "Actor", id: actor.id }) }, `Choose ${actor.name}`) : null);
}

// A number that something modifies shows what the rules read, and says what is stored.
const shift = (now, stored) => (now === stored ? "" : now > stored ? " modified up" : " modified down");
const told = (now, stored) => (now === stored ? null : `${now} now; ${stored} without what modifies it`);

function number({ name, now, stored }) {
  return h("div", { class: "num" }, h("dt", {}, name), h("dd", { class: shift(now, stored).trim() || null, title: told(now, stored) }, String(now)));
}

function bar({ name, now, top, stored, tone }) {
  const part = Math.max(0, Math.min(100, (100 * now) / top));
  return h("div", { class: `barline c${tone}` }, h("span", { class: "label" }, name),
    h("span", { class: "track", role: "img", "aria-label": `${name} ${now} of ${top}` }, h("span", { class: "fill", style: `width:${part}%` })),
    h("span", { class: "value" + shift(now, stored), title: told(now, stored) }, String(now), h("small", {}, `/${top}`)));
}
