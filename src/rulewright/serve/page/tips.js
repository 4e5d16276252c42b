// Every number, status, card word and place explains itself: to a pointer that rests on it, to the focus, to a long press.
//
// One listener for the whole table. What is pointed at is known by how the parts of the page mark it; what is told of it comes from
// the book, and for a place or somebody on the map from what is there now.
import { explain, termsIn } from "./explain.js";
import { lifeBar, lifeOf, value } from "./names.js";
import { rests } from "./pointer.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */
/** @typedef {{name: string, says: string}} Entry */
/** @typedef {{title: string, entries: Entry[]}} Tip */

const REST = 350, PRESS = 420, WORDS = 4;
/* Milliseconds until a resting pointer or a pressing finger is answered; words of a text that are explained at once. */
const MARGIN = 8;

/** What is told, by what is pointed at: the name is read off the element. @type {[string, (at: Element) => string][]} */
const NAMED = [
  [".barline", (at) => textOf(at, ".label")],
  [".num", (at) => textOf(at, "dt")],
  [".badge", (at) => (at.textContent || "").replace(/ ×\d+| \d+ turns?/g, "").trim()],
  [".strip .fact", (at) => textOf(at, "span")],
  [".pile", (at) => textOf(at, ".pile-name")],
  [".hand h2", (at) => /** @type {HTMLElement} */ (at).dataset.pile || ""],
  [".legend li", (at) => (at.textContent || "").trim()],
  [".part", (at) => /** @type {HTMLElement} */ (at).dataset.part || ""],
  [".missing .chip", (at) => (at.textContent || "").trim()],
];
const WORDED = ".card, .delta, .odds, .sure, .closely, .reckoned, .told, .advice, .about, .option, .chip, .telling, .lines .deed";
/* What is a text: the words of the book in it are explained. */

/** @param {Element} at @param {string} selector */
const textOf = (at, selector) => (at.querySelector(selector)?.textContent || "").trim();

/** What is said of a name; that rules use it tells nobody anything. @param {Book} b @param {string} name */
function telling(b, name) {
  const told = explain(b, name);
  return told && told.loose && told.weak ? null : told;
}

/** A name that joins several is told as several: "Marsh and Water". @param {Book} b @param {string} name @returns {Entry[]} */
function entriesOf(b, name) {
  const whole = telling(b, name), parts = whole && whole.says ? [name] : name.split(/ and |, /);
  return parts.map((part) => ({ name: part, says: (telling(b, part) || { says: "" }).says })).filter((e) => e.says);
}

/** What there is to say about something on the page. @param {Element} target @param {Book} b @param {State} state @returns {{at: Element, tip: Tip}|null} */
export function tipFor(target, b, state) {
  const placed = target.closest(".token, .space");
  if (placed) { const tip = placed.matches(".token") ? actorTip(placed, b, state) : spaceTip(placed, b, state); return tip && { at: placed, tip }; }
  for (const [selector, name] of NAMED) {
    const at = target.closest(selector);
    if (!at) continue;
    const title = name(at), entries = entriesOf(b, title);
    return entries.length ? { at, tip: { title: entries.length === 1 && entries[0].name === title ? "" : title, entries } } : null;
  }
  const at = target.closest(WORDED);
  if (!at) return null;
  const card = at.closest(".card"), own = card ? textOf(card, ".title") : "", text = (card || at).textContent || "";
  const entries = termsIn(b, text).filter((word) => word !== own).slice(0, WORDS).flatMap((word) => entriesOf(b, word));
  return entries.length ? { at: card || at, tip: { title: "", entries } } : null;
}

/** Somebody on the map: who, how much life, and every status with its rule. @param {Element} at @param {Book} b @param {State} state @returns {Tip|null} */
function actorTip(at, b, state) {
  const actor = state.view.actors[Number((/** @type {any} */ (at).dataset.key || "").replace(/\D/g, ""))];
  if (!actor) return null;
  const bar = lifeBar(actor, lifeOf(b), state.view), kind = explain(b, actor.name) || explain(b, actor.template);
  const entries = [...(kind && kind.says ? [{ name: actor.template || actor.name, says: kind.says }] : []), ...actor.statuses.flatMap((s) => entriesOf(b, s.name))];
  return { title: `${actor.name}${bar ? `: ${bar.name} ${bar.now}${bar.top ? ` of ${bar.top}` : ""}` : ""}`, entries };
}

/** A place: what its ground is, what part of the map it belongs to, what lies or stands there. @param {Element} at @param {Book} b @param {State} state @returns {Tip|null} */
function spaceTip(at, b, state) {
  const id = Number(/** @type {any} */ (at).dataset.space), space = state.view.spaces.find((s) => s.id === id);
  const said = at.getAttribute("aria-label") || "", ground = (b.sheet.things.Terrain || [])[state.board.terrain ? state.board.terrain[id] : -1] || "";
  const here = state.view.actors.filter((a) => a.in_play && a.place === id).map((a) => a.name);
  const facts = space ? Object.entries(space.fields).filter(([k, v]) => v && !["terrain", "x", "y"].includes(k)).map(([k, v]) => ({ name: k, says: `${value(v)}. ${(explain(b, k) || { says: "" }).says}`.trim() })) : [];
  const goal = textOf(at, ".goal").replace("⚑ ", "");
  // Of numbered places the row is told of; that rules name one of them says nothing.
  const row = space ? space.name.replace(/ \d+$/, "") : "", own = row && !/^[\d(]/.test(row) ? entriesOf(b, row).filter((e) => !explain(b, e.name)?.weak) : [];
  const entries = [...own, ...(ground ? orNothing(b, ground) : []), ...(goal ? orNothing(b, goal) : []), ...facts];
  const title = [space ? space.name : said, here.length ? `here: ${here.join(", ")}` : ""].filter(Boolean).join("; ");
  return title ? { title, entries } : null;
}

/** @param {Book} b @param {string} name @returns {Entry[]} */
function orNothing(b, name) {
  const found = entriesOf(b, name);
  return found.length ? found : [{ name, says: "" }];
}

/** @param {Tip} tip */
function drawn(tip) {
  const box = document.createElement("div");
  box.id = "explains";
  box.setAttribute("role", "tooltip");
  if (tip.title) box.append(Object.assign(document.createElement("b"), { textContent: tip.title, className: "explains-title" }));
  for (const { name, says } of tip.entries) {
    const line = document.createElement("p");
    line.append(Object.assign(document.createElement("b"), { textContent: name }), says ? `: ${says}` : "");
    box.append(line);
  }
  return box;
}

/** Beside what it explains, never over it, and inside the window. @param {HTMLElement} box @param {Element} at */
function place(box, at) {
  const r = at.getBoundingClientRect(), { offsetWidth: w, offsetHeight: h } = box;
  // A card that is pointed at grows above itself; its words stand at its side.
  const beside = at.matches(".card"), wide = beside ? 130 : 0;
  const left = beside ? (r.left + r.width / 2 + wide + w + MARGIN < innerWidth ? r.left + r.width / 2 + wide : r.left + r.width / 2 - wide - w) : r.left;
  const top = beside ? r.top - h - 10 : r.top - h - MARGIN > 4 ? r.top - h - MARGIN : r.bottom + MARGIN;
  box.style.left = `${Math.max(4, Math.min(innerWidth - w - 4, left))}px`;
  box.style.top = `${Math.max(4, Math.min(innerHeight - h - 4, top))}px`;
}

/** Listen on a table; the function that comes back ends it. @param {Book} b @param {() => State} now */
export function explaining(b, now) {
  /** @type {any} */
  let timer = 0;
  /** @type {Element|null} */
  let shown = null;
  /** @type {EventTarget|null} */
  let over = null;
  let pressed = false;
  const hide = () => {
    clearTimeout(timer);
    document.getElementById("explains")?.remove();
    if (shown) shown.removeAttribute("aria-describedby");
    shown = null;
  };
  const show = (/** @type {Element} */ target) => {
    const found = target.isConnected ? tipFor(target, b, now()) : null;
    if (!found || found.at === shown) return;
    hide();
    const box = drawn(found.tip);
    (found.at.closest("dialog") || document.body).append(box);
    place(box, found.at);
    shown = found.at;
    shown.setAttribute("aria-describedby", "explains");
  };
  const soon = (/** @type {EventTarget|null} */ target, /** @type {number} */ after, press = false) => {
    clearTimeout(timer);
    if (target instanceof Element) timer = setTimeout(() => { pressed = press; show(target); }, after);
  };
  const to = (/** @type {Element} */ target) => {
    over = target;
    if (shown && !shown.contains(target)) hide();
    soon(target, REST);
  };
  /** @type {[string, (e: any) => void][]} */
  const listeners = [
    ["pointerover", (e) => { if (e.pointerType === "mouse" && !rests()) to(e.target); }],
    ["pointermove", (e) => { if (e.pointerType === "mouse" && e.target !== over) to(e.target); }],
    ["pointerdown", (e) => { hide(); pressed = false; over = e.target; if (e.pointerType !== "mouse") soon(e.target, PRESS, true); }],
    ["pointerup", () => { clearTimeout(timer); }],
    ["pointercancel", () => { clearTimeout(timer); }],
    ["focusin", (e) => { if (e.target.matches?.(":focus-visible")) soon(e.target, REST); }],
    ["focusout", hide],
    ["keydown", (e) => { if (e.key === "Escape") hide(); }],
    ["wheel", hide],
  ];
  // A press that was answered chooses nothing.
  const click = (/** @type {Event} */ e) => { if (pressed) { pressed = false; e.preventDefault(); e.stopPropagation(); } };
  const menu = (/** @type {Event} */ e) => { if (pressed) e.preventDefault(); };
  for (const [kind, heard] of listeners) document.addEventListener(kind, heard, { passive: true });
  document.addEventListener("click", click, true);
  document.addEventListener("contextmenu", menu);
  return () => {
    hide();
    for (const [kind, heard] of listeners) document.removeEventListener(kind, heard);
    document.removeEventListener("click", click, true);
    document.removeEventListener("contextmenu", menu);
  };
}
