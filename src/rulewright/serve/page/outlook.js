// What an option may bring, shown: its price, its chances, what it surely does. Bookkeeping only to whoever looks closely.
import { html, useEffect, useRef } from "./vendor/preact.js";
import { FALLS } from "./ahead.js";
import { isLife, lifeOf } from "./names.js";
import { isMark, priceWords } from "./prices.js";

/** @typedef {import("./ahead.js").Chance} Chance */
/** @typedef {import("./ahead.js").Foretold} Foretold */
/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").Field} Field */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {{price: Chance[], brings: Chance[]}} Outlook what is paid, and what is worth a line of all that surely comes of it */

const FEW = 3, PAID = 2, ALIKE = 0.12;
/* What is told of one option; prices of an action that asks before it is paid, of which one knows that they are its own; chances that differ by less are taken for one. */

/** What all of some options surely do. @param {(Foretold|undefined)[]} told @returns {Chance[]} */
export function sharedBy(told) {
  const [first, ...rest] = told;
  if (!first || rest.some((t) => !t)) return [];
  return first.sure.filter((c) => rest.every((t) => /** @type {Foretold} */ (t).sure.some((d) => d.text === c.text)));
}

/** @param {Chance[]} all @param {string[]} shared */
export const without = (all, shared) => all.filter((c) => !shared.includes(c.text));

/** @param {Book} b @param {Chance} c */
const fieldOf = (b, c) => b.sheet.fields.find((field) => field.name === c.name);

/** Whether it is paid by whoever decides: it goes the way in which the book takes or counts it. @param {Book} b @param {Chance} c @param {string} self */
function isPrice(b, c, self) {
  const field = c.who === self && fieldOf(b, c);
  return Boolean(field && field.price && Math.sign(c.mean) === field.price);
}

/** Whether it is a number, or how many cards lie in a pile. @param {Chance} c @param {Book} b */
const isCounted = (c, b) => Boolean(fieldOf(b, c)) || b.sheet.zones.some((zone) => zone.name === c.name);

/** Whether anybody cares about it at once: lives, what befalls those it is aimed at, statuses, falls, the end; other numbers are for whoever looks closely. @param {Chance} c @param {Book} b @param {string} self @param {Option["things"]} things @param {string|null} life */
const isWeighty = (c, b, self, things, life) => isLife(c.name, life) || !isCounted(c, b) || things.some((t) => t.kind === c.kind && t.id === c.id && c.who !== self);

/** Whether it only says where cards are now: those of nobody's pile, and as many as another pile of the same gets or gives. @param {Chance} c @param {Chance[]} all @param {Book} b */
function isShifted(c, all, b) {
  const isPile = (/** @type {Chance} */ d) => b.sheet.zones.some((zone) => zone.name === d.name);
  return isPile(c) && (!c.who || all.filter((d) => isPile(d) && d.who === c.who).reduce((sum, d) => sum + d.mean, 0) === 0);
}

/**
 * Of what surely comes of an option: the price; what befalls those it is aimed at, lives, statuses. Other numbers are worth a
 * line only where nothing else is told, and those of others never.
 * @param {Chance[]} sure @param {Book} b @param {string} self @param {Option["things"]} things @param {boolean} risky whether chances are told
 * @returns {Outlook}
 */
export function outlook(sure, b, self, things, risky) {
  const life = lifeOf(b), price = sure.filter((c) => isPrice(b, c, self));
  // That a mark may be used again is no news of an option.
  const rest = sure.filter((c) => !price.includes(c) && !(isMark(b, c.name) && fieldOf(b, c)?.price));
  const weighty = rest.filter((c) => isWeighty(c, b, self, things, life));
  const own = rest.filter((c) => (!c.who || c.who === self) && !isShifted(c, rest, b));
  return { price, brings: (weighty.length || risky ? weighty : own).slice(0, FEW) };
}

/** What is sure, whoever it befalls named once; whoever decides needs no name. @param {Chance[]} sure @param {string} self */
export function summed(sure, self) {
  /** @type {Map<string, string[]>} */
  const by = new Map();
  for (const c of sure) by.set(c.who, [...(by.get(c.who) || []), c.what]);
  return [...by].map(([who, what]) => `${who && who !== self ? `${who}${/ (play|the board)$/.test(what[0]) ? "" : ":"} ` : ""}${what.join(", ")}`);
}

/** Prices in words: "2 Coins, your Free Action". @param {Chance[]} price @param {Book} b */
export const paid = (price, b) => listed(price.map((c) => priceWords(b, c.name, Math.abs(c.mean))));

/** @param {string[]} words */
const listed = (words) => words.filter(Boolean).join(", ");

/**
 * What an action takes, where its odds do not tell: it asks before it is paid, or what was paid has come back by the next decision.
 * How much is told where the rules say it outright. @param {Book} b @param {string} action @param {Foretold|undefined} told @param {string} [self]
 */
export function unpaid(b, action, told, self = "") {
  const costs = (told && told.costs) || [];
  if (costs.length) return listed(costs.map(([name, least, most]) => priceWords(b, name, least === most ? most : `${least} to ${most}`)));
  const names = (b.sheet.prices || {})[action] || [], amounts = (b.sheet.amounts || {})[action] || {}, seen = (told ? told.sure : []).filter((c) => !self || isPrice(b, c, self)).map((c) => c.name);
  if (names.length > PAID || names.some((name) => seen.includes(name))) return "";
  // Where the odds are known, what neither they nor the rules put a number to is free now.
  return listed(names.filter((name) => amounts[name] || !told).map((name) => priceWords(b, name, amounts[name] || "")));
}

export const Price = (/** @type {{words: string}} */ { words }) => (words ? html`<span class="price">costs ${words}</span>` : null);

/** One line under an option. What only ends something is not judged by numbers that nobody lives by. */
export const Brief = (/** @type {{told: Foretold|undefined, b: Book, things?: Option["things"], shared?: string[], self?: string, later?: string, mild?: boolean}} */ { told, b, things = [], shared = [], self = "", later = "", mild = false }) => {
  if (!told) return later ? html`<span class="odds"><${Price} words=${later} /></span>` : null;
  if (told.idle) return html`<span class="odds idle-why">${told.why}</span>`;
  const weighty = told.may.filter((c) => isWeighty(c, b, self, things, lifeOf(b))), rest = without(told.sure, shared);
  const may = weighty.length ? weighty : told.may.filter((c) => !mild && isNear(c, self, things));
  const { price, brings } = outlook(rest, b, self, things, may.length > 0), sure = summed(brings, self).join("; "), cost = paid(price, b) || later;
  if (!sure && !cost && !may.length) return null;
  return html`<span class="odds"><${Price} words=${cost} />${may.slice(0, 2).map((c) => html`<span class="may" key=${c.text}>${c.text}</span>`)}${sure ? html`<span class="sure">${sure}</span>` : null}</span>`;
};

/** Whether a chance befalls whoever decides, or whom an option is aimed at: it needs no name then. @param {Chance} c @param {string} self @param {Option["things"]} things */
const isNear = (c, self, things) => !c.who || c.who === self || things.some((t) => t.kind === c.kind && t.id === c.id);

/** @param {Chance} c */
const slotOf = (c) => `${c.kind}:${c.id}:${c.name}`;

/** What may befall somebody whichever of some options is taken, about as likely: it sets none of them apart. @param {(Foretold|undefined)[]} told @returns {Set<string>} */
export function risksOf(told) {
  const [first, ...rest] = told;
  if (!first || !rest.length || rest.some((t) => !t)) return new Set();
  const alike = (/** @type {Chance} */ c) => rest.every((t) => /** @type {Foretold} */ (t).may.some((d) => slotOf(c) === slotOf(d) && Math.abs(c.chance - d.chance) < ALIKE));
  return new Set(first.may.filter(alike).map(slotOf));
}

/**
 * A word on a chip: how likely it is, or what sets it apart; whether whom it is done to may fall; and whom it befalls, where nobody would guess that.
 * @param {Foretold|undefined} told @param {Book} b @param {string[]} shared @param {string} self @param {boolean} [few] @param {Option["things"]} [things] @param {Set<string>} [risks]
 */
export function chipWord(told, b, shared, self, few = false, things = [], risks = new Set()) {
  if (!told || told.idle) return "";
  const may = told.may.filter((c) => isNear(c, self, things) || !risks.has(slotOf(c))), first = may[0];
  const falls = few && first ? may.find((c) => c !== first && c.kind === first.kind && c.id === first.id && c.what === FALLS) : null;
  const whom = first && !isNear(first, self, things) && !first.short.includes(first.who) ? `${first.who}: ` : "";
  if (first && first.chance < 0.9995 && !few && !whom) return first.likely;
  if (first) return `${whom}${falls ? `${first.short}, ${falls.likely} out` : first.short}`;
  const { price, brings } = outlook(without(told.sure, shared), b, self, [], false);
  return paid(price, b) || summed(brings.slice(0, 1), self)[0] || "";
}

/** Everything about the option that is looked at, at its side: in the list it would push away what the pointer is on. */
export const Closely = (/** @type {{told: Foretold|undefined, text: string, says: string, why?: string|null, self?: string}} */ { told, text, says, why = "", self = "" }) => {
  const box = useRef(null), option = told ? told.option : -1;
  useEffect(() => {
    const card = /** @type {HTMLElement|null} */ (/** @type {any} */ (box.current)), at = document.querySelector(`.options [data-index="${option}"]`)?.getBoundingClientRect();
    if (!card || !at) return;
    const panel = document.querySelector(".decide")?.getBoundingClientRect().left || at.left;
    card.style.left = `${Math.max(4, panel - card.offsetWidth - 10)}px`;
    card.style.top = `${Math.max(4, Math.min(innerHeight - card.offsetHeight - 4, at.top - 8))}px`;
  });
  if (!told || (!told.sure.length && !told.may.length && !says && !why)) return null;
  const known = told.exact ? `Of all ${told.lines} ways the dice can fall.` : `Of ${told.lines} tries with what you know.`;
  return html`<div class="closely" aria-live="off" ref=${box}><b>${text}</b>
    ${says ? html`<p>${says}</p>` : null}${why ? html`<p class="idle-why">${why}</p>` : null}
    ${told.sure.length ? html`<p class="sure">${summed(told.sure, self).join("; ")}</p>` : null}
    ${told.may.length ? html`<ul>${told.may.map((c) => html`<li key=${c.text}><span class="likely" style=${`--part:${Math.round(c.chance * 100)}%`}></span>${c.text}</li>`)}</ul>
      <p class="quiet">${known} Up to the next decision; what happens anyway is left out.</p>` : null}</div>`;
};
