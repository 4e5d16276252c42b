// Tokens: who stands where, with name, life, statuses, facing; and what the stage lets happen to them.
import { html } from "./vendor/preact.js";
import { press } from "./dom.js";
import { iconOf, icon } from "./ground.js";
import { hueOfWord, initials } from "./names.js";
import { pure } from "./pure.js";

export const LEAST = 36;
/* Pixels across: smaller a token is hard to hit. */
const DRAWN = LEAST + 2;
/* What a small one is drawn at: scales are rounded. */
const LETTER = 0.57, SMALL = 10, LARGE = 14;
/* The width of a letter in sizes of its font; the least and the most that a name measures, in pixels. */
const PIPS = 5;

/** Old Night Watch 2 -> O. Night Watch 2 -> O. N. Watch 2: as much of a name as there is room for. @param {string} name @param {number} letters */
export function fitted(name, letters) {
  const words = name.split(/\s+/).filter(Boolean);
  for (let short = 0; short < words.length; short += 1) {
    const said = words.map((w, i) => (i < short && w.length > 2 && !/^\d+$/.test(w) ? `${[...w][0]}.` : w)).join(" ");
    if (said.length <= letters) return said;
  }
  const last = words[words.length - 1] || "";
  if (words.length > 1 && /^\d+$/.test(last) && letters >= 5) return `${words[0].slice(0, letters - last.length - 2)}… ${last}`;
  return letters >= 4 && words.length === 1 ? `${name.slice(0, letters - 1)}…` : initials(name);
}

/**
 * How large a token is drawn, in units of the map: at least so many pixels, but never over its neighbour.
 * @param {import("./geometry.js").Spot} spot @param {number} scale @param {number} fits the scale at which large ones fit
 */
export const radius = (spot, scale, fits) => Math.max(spot.r, Math.min(DRAWN / 2 / scale, fits > 0 ? DRAWN / 2 / fits : 1e9));

const Nose = (/** @type {{r: number, turn: number}} */ { r, turn }) => html`<path class="nose" d=${`M0 ${-r * 1.72}L${r * 0.62} ${-r * 0.84}A${r * 1.04} ${r * 1.04} 0 0 0 ${-r * 0.62} ${-r * 0.84}Z`} style=${`transform:rotate(${turn}deg)`} />`;

const Pip = (/** @type {any} */ { b, status, at, r }) => {
  const sign = iconOf(b, status.name), size = r * 0.29;
  return html`<g class="pip" transform=${`translate(${(-r * 0.95 + at * size * 1.75).toFixed(1)} ${(-r * 0.86).toFixed(1)})`}><g class="landed"><circle r=${size} style=${`fill:hsl(${hueOfWord(status.name)} 60% 38%)`} />
    ${sign ? icon(sign, size * 1.5, "icon token-icon") : html`<text y=${size * 0.52} font-size=${size * 1.4}>${status.name[0]}</text>`}</g>
    <title>${status.name}${status.stacks > 1 ? ` ×${status.stacks}` : ""}</title></g>`;
};

/** A number that can be read over whatever is under it. */
const Plaque = (/** @type {{text: string, x: number, y: number, r: number}} */ { text, x, y, r }) => {
  const tall = r * 0.66, w = Math.max(tall, r * (0.3 + 0.34 * text.length));
  return html`<rect class="plaque" x=${x - w / 2} y=${y - tall / 2} width=${w} height=${tall} rx=${tall / 2} /><text class="points" x=${x} y=${y + r * 0.19} font-size=${r * 0.54}>${text}</text>`;
};

const Life = (/** @type {any} */ { life, r }) => {
  const part = life.top > 0 ? Math.max(0, Math.min(1, life.now / life.top)) : 0;
  const w = r * 2, tall = r * 0.3;
  return html`${life.top > 0 ? html`<rect class="life" x=${-r} y=${r * 0.88} width=${w} height=${tall} rx=${tall / 2} /><rect class=${`left${part < 0.34 ? " low" : ""}`} x=${-r} y=${r * 0.88} width=${(w * part).toFixed(1)} height=${tall} rx=${tall / 2} />` : null}
    <${Plaque} text=${String(life.now)} x=${r * 0.8} y=${-r * 0.72} r=${r} />`;
};

export const Token = pure(({ b, actor, spot, scale, fits, hue, own, now, acts, hurt, options, pointed, life, grid, falls, pick }) => {
  const r = radius(spot, scale, fits), turns = grid === "hex" ? 60 : 45;
  const sign = iconOf(b, actor.name) || iconOf(b, actor.template);
  const label = [actor.name, life ? `${life.name} ${life.now}${life.top ? ` of ${life.top}` : ""}` : "", ...actor.statuses.map((/** @type {any} */ s) => s.name), options ? "can be chosen" : ""].filter(Boolean).join(", ");
  const choose = options ? () => pick({ kind: "Actor", id: actor.id }) : undefined;
  const font = Math.max(SMALL / scale, Math.min(r * 0.5, LARGE / scale));
  const states = { lit: options, own, now, acts, hurt, pointed, falls: falls === "falls", leaves: falls === "leaves" };
  return html`<g class=${["token", ...Object.entries(states).filter(([, on]) => on).map(([name]) => name)].join(" ")}
    style=${`--hue:${hue};transform:translate(${spot.x.toFixed(1)}px,${spot.y.toFixed(1)}px)`} data-key=${`a${actor.id}`}
    role=${options ? "button" : "img"} tabindex=${options ? "0" : null} aria-label=${label}
    onClick=${choose ? (/** @type {Event} */ e) => { e.stopPropagation(); choose(); } : undefined} onKeyDown=${choose ? press(choose) : undefined}>
    <g class="figure"><ellipse class="shadow" cy=${r * 0.9} rx=${r * 0.92} ry=${r * 0.34} /><circle class="halo" r=${r * 1.16} />
    ${actor.facing >= 0 && (grid === "hex" || grid === "square") ? html`<${Nose} r=${r} turn=${actor.facing * turns} />` : null}
    <circle class="disc" r=${r} /><circle class="sheen" r=${r - 1} />
    ${sign ? icon(sign, r * 1.25, "icon token-icon") : html`<text class="letters" y=${r * 0.3} font-size=${r * (initials(actor.name).length > 2 ? 0.64 : 0.8)}>${initials(actor.name)}</text>`}
    ${life ? html`<${Life} life=${life} r=${r} />` : null}
    ${actor.statuses.slice(0, PIPS).map((/** @type {any} */ s, /** @type {number} */ i) => html`<${Pip} key=${s.name} b=${b} status=${s} at=${i} r=${r} />`)}
    <text class="called" y=${r * (life && life.top > 0 ? 1.2 : 1.02) + font * 0.92} font-size=${font.toFixed(1)}>${fitted(actor.name, Math.floor(Math.max(spot.room, 2 * r) / (font * LETTER)))}</text></g>
    <title>${label}</title></g>`;
});
