// Actor sheets and the strip above the table.
import { html } from "./vendor/preact.js";
import { EVENT, acting, hueOf, isOwn, lifeBar, lifeOf, nameOf, value, wordsOf } from "./names.js";
import { explain } from "./explain.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").Actor} Actor */
/** @typedef {import("./types.js").State} State */

const WHOLE = "Match";
/* The sequence that every book begins with. */
const TONES = 5, SMALL = 20, FEW = 3;
/* A range up to SMALL is worth a bar; longer ones are numbers without an end in sight. With more actors than FEW the sheets of those who only look on are short. */

/** @param {Book} b @param {string} name */
const isFlag = (b, name) => b.sheet.fields.some((f) => f.name === name && !f.of.length && f.low === 0 && f.high === 1);

/** Where the match is: of the match itself and of a turn the step says enough. @param {Book} b @param {{title: string, text: string, said?: string[]}} step */
export function phaseOf(b, step) {
  const turn = String((b.looks && b.looks.turn) || "Turn"), said = wordsOf(step);
  return step.title === WHOLE || step.title.endsWith(turn) ? step.text.replace(`${step.title}, ${said}`, said) : step.text;
}

export const Strip = (/** @type {any} */ { state, b }) => {
  const { view } = state;
  const order = view.orders.find((/** @type {any} */ o) => o.members.length), now = acting(state);
  // Who may act out of turn has the turn; where somebody stands twice in an order, the cursor says which is meant.
  const at = !order ? -1 : order.members[order.cursor] === now || !order.members.includes(now) ? order.cursor : order.members.indexOf(now);
  const step = state.result ? null : state.log.findLast((/** @type {any} */ l) => l.kind === EVENT.STEP);
  const shown = Object.entries(view.fields).filter(([, v]) => (typeof v === "number" ? v !== 0 : v));
  const more = Object.values(view.things || {}).flatMap((rows) => /** @type {any[]} */ (rows).flatMap((row) => Object.entries(row.fields).filter(([, v]) => v).map(([k, v]) => [`${row.name} ${k}`, v])));
  return html`${step ? html`<span class="phase">${phaseOf(b, step)}</span>` : null}
    <span class="facts">${[...shown, ...more].map(([k, v]) => html`<span class="fact" key=${k}><span>${k}</span> ${v === 1 && isFlag(b, k) ? "✓" : html`<b>${value(v)}</b>`}</span>`)}</span>
    ${order ? html`<ol class="order" aria-label=${order.name}>${order.members.map((/** @type {number} */ id, /** @type {number} */ i) => {
      const actor = view.actors[id], current = i === at;
      return html`<li key=${`${id}-${i}`} class=${`turn${current ? " now" : ""}${actor && isOwn(actor, view) ? " own" : ""}`} style=${actor ? `--hue:${hueOf(actor, view)}` : ""} aria-current=${current ? "true" : null}>${actor ? actor.name : ""}</li>`;
    })}</ol>` : null}`;
};

/** Everything a sheet says about an actor, sorted into how it is drawn. @param {Actor} actor @param {Map<string, any>} fields @param {number} peak @param {string|null} life */
export function facts(actor, fields, peak, life) {
  const found = { bars: /** @type {any[]} */ ([]), flags: /** @type {string[]} */ ([]), numbers: /** @type {any[]} */ ([]), words: /** @type {[string, string][]} */ ([]) };
  const order = [...fields.keys()], read = actor.read || {}, most = actor.most || {}, maxima = new Set();
  for (const [name, stored] of Object.entries(actor.fields)) {
    const field = fields.get(name) || { high: 1e9, low: 0 };
    if (stored !== null && typeof stored === "object") {
      const text = value(stored);
      if (text) found.words.push([name, text]);
      continue;
    }
    if (typeof stored !== "number") continue;
    const now = name in read ? read[name] : stored;
    const partner = [`Max ${name}`, `${name} Maximum`, `Full ${name}`].find((n) => actor.fields[n] > 0);
    if (partner) maxima.add(partner);
    const top = most[name] || (partner ? actor.fields[partner] : name === life ? peak : field.high > 2 && field.high <= SMALL && now > 0 ? field.high : 0);
    if (top > 1) found.bars.push({ name, now, top, stored, tone: order.indexOf(name) % TONES });
    else if (field.low === 0 && field.high === 1) { if (now) found.flags.push(name); }
    else if (now !== 0 || stored !== 0 || name === life) found.numbers.push({ name, now, stored });
  }
  found.numbers = found.numbers.filter((n) => !maxima.has(n.name));
  found.bars.sort((x, y) => Number(y.name === life) - Number(x.name === life));
  return found;
}

// A number that something modifies shows what the rules read, and says what is stored.
/** @param {number} now @param {number} stored */
const shift = (now, stored) => (now === stored ? "" : now > stored ? " modified up" : " modified down");
/** @param {number} now @param {number} stored */
const told = (now, stored) => (now === stored ? null : `${now} now; ${stored} without what modifies it`);

const Bar = (/** @type {any} */ { name, now, top, stored, tone }) => html`<div class=${`barline c${tone}`}><span class="label">${name}</span>
  <span class="track" role="img" aria-label=${`${name} ${now} of ${top}`}><span class="fill" style=${`width:${Math.max(0, Math.min(100, (100 * now) / top))}%`} /></span>
  <span class=${`value${shift(now, stored)}`} title=${told(now, stored)}>${now}<small>/${top}</small></span></div>`;

const Badge = (/** @type {any} */ { b, name, children, kind }) => {
  const says = explain(b, name);
  return html`<span class=${`badge ${kind || ""}`} title=${says ? says.says : null}>${children}</span>`;
};

const Sheet = (/** @type {any} */ { actor, state, b, fields, peak, life, options, pick, now, crowd }) => {
  const { bars, flags, numbers, words } = facts(actor, fields, peak, life);
  const own = isOwn(actor, state.view), asked = actor.id === now || (state.decision && actor.id === state.decision.actor);
  const room = own && (asked || !crowd) ? 12 : crowd && !asked ? 0 : 6;
  // Cards that are somebody's life have a bar as well.
  const held = life && !(life in actor.fields) ? lifeBar(actor, life, state.view) : null;
  if (held && held.now + peak > 0) bars.unshift({ name: held.name, now: held.now, top: Math.max(peak, held.now), stored: held.now, tone: 0 });
  const player = actor.seat >= 0 && state.players.length > 1 ? nameOf(state.players, actor.seat) : "";
  const template = actor.template && !actor.name.startsWith(actor.template) ? actor.template : "";
  // Whoever lives and is not there comes, or comes back: between two fights nobody stands anywhere.
  const alive = life && (lifeBar(actor, life, state.view) || { now: 0 }).now > 0, away = alive && b.sheet.maps.length ? "not on the map" : "out of play";
  const all = [
    ...numbers.map((n) => html`<div class="num" key=${n.name}><dt>${n.name}</dt><dd class=${shift(n.now, n.stored).trim()} title=${told(n.now, n.stored)}>${n.now}</dd></div>`),
    ...words.map(([k, v]) => html`<div class="num wide" key=${k}><dt>${k}</dt><dd>${v}</dd></div>`),
  ];
  const choose = html`<button class="pick" aria-label=${`Choose ${actor.name}`} onClick=${() => pick({ kind: "Actor", id: actor.id })}>Choose${crowd ? "" : ` ${actor.name}`}</button>`;
  const kind = `sheet${own ? " own" : ""}${actor.in_play ? "" : " gone"}${options ? " lit" : ""}${actor.id === now ? " now" : ""}`;
  return html`<article class=${kind} style=${`--hue:${hueOf(actor, state.view)}`} data-actor=${actor.id} aria-label=${actor.name}>
    <header><h3>${actor.name}</h3><span class="quiet">${[template, player, actor.in_play ? "" : away].filter(Boolean).join(" · ")}</span>${options && crowd ? choose : null}</header>
    ${actor.statuses.length || flags.length ? html`<p class="badges">
      ${actor.statuses.map((/** @type {any} */ s) => html`<${Badge} key=${s.name} b=${b} name=${s.name}>${s.name}${s.stacks > 1 ? ` ×${s.stacks}` : ""}${s.turns > 0 ? html`<small> ${s.turns} turn${s.turns > 1 ? "s" : ""}</small>` : ""}<//>`)}
      ${flags.map((name) => html`<${Badge} key=${name} b=${b} name=${name} kind="mild">${name}<//>`)}</p>` : null}
    ${bars.length ? html`<div class="bars">${bars.map((bar) => html`<${Bar} key=${bar.name} ...${bar} />`)}</div>` : null}
    ${all.length && room ? html`<dl class="nums">${all.slice(0, room)}</dl>` : null}
    ${all.length > room ? html`<details><summary>${all.length - room} ${room ? "more" : "numbers and words"}</summary><dl class="nums">${all.slice(room)}</dl></details>` : null}
    ${options && !crowd ? choose : null}</article>`;
};

export const Sheets = (/** @type {any} */ { state, view, b, lit, pick, peaks }) => {
  const fields = new Map(b.sheet.fields.filter((/** @type {any} */ f) => f.of[0] === "Actor").map((/** @type {any} */ f) => [f.name, f]));
  const now = acting(state), life = lifeOf(b);
  const gone = view.actors.filter((/** @type {Actor} */ a) => !a.in_play && a.seat >= 0 && a.seat < view.seats && Object.values(a.fields).some((v) => v));
  const first = (/** @type {Actor} */ a) => (a.id === now && isOwn(a, view) ? 0 : isOwn(a, view) ? 1 : a.id === now ? 2 : 3);
  const present = view.actors.filter((/** @type {Actor} */ a) => a.in_play).sort((/** @type {Actor} */ a, /** @type {Actor} */ c) => first(a) - first(c) || a.id - c.id);
  // A company acts as one: then each of its own is asked.
  const asked = !present.some((/** @type {Actor} */ a) => a.id === now);
  return html`<h2 class="hush">Actors</h2>${[...present, ...gone].map((actor) => html`<${Sheet} key=${actor.id} actor=${actor} state=${state} b=${b} fields=${fields} peak=${peaks.get(actor.id) || 0} life=${life} options=${lit.has(`Actor:${actor.id}`)} pick=${pick} now=${now} crowd=${present.length > FEW && !(asked && isOwn(actor, view))} />`)}`;
};
