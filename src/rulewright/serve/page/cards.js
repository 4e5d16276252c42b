// Cards on the table: hands as a fan along the bottom, everything else as piles that can be opened.
import { Component, html, useEffect, useRef } from "./vendor/preact.js";
import { Paper, cardHue, suited } from "./faces.js";
import { hueOf, isOwn } from "./names.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").Card} Card */
/** @typedef {import("./types.js").Zone} Zone */

const HOVER = 260, PRESS = 380;
/* Milliseconds until a card that is pointed at, or pressed, is shown large. */
const LARGE = [236, 330];
const BEND = 4.2;
/* Degrees that a card at the end of a fan is turned, at most. */

/** A zone and whose it is, as one word: piles are found by it. @param {Zone} z */
export const pileKey = (z) => (z.kind ? `${z.zone}:${z.owner}` : `${z.zone}:`);

const Face = (/** @type {any} */ { card, count, b, lit, pick, whyNot, peek, away }) => {
  const options = lit.get(`Card:${card.id}`), french = suited(b, card.face);
  const kind = `card${options ? " lit" : ""}${french ? " suited" : ""}${count > 1 ? " stack" : ""}${away ? " arriving" : ""}`;
  return html`<button class=${kind} style=${`--hue:${cardHue(card, b)}`} aria-label=${french ? card.name : null} data-key=${`c${card.id}`} data-card=${card.id} ...${peek(card)}
    onClick=${() => (options ? pick({ kind: "Card", id: card.id }) : whyNot(card.name))}>
    <${Paper} card=${card} b=${b} />
    ${count > 1 ? html`<span class="times">×${count}</span>` : null}
    ${options ? null : html`<span class="hush">not now; why not?</span>`}</button>`;
};

/** Equal cards lie on each other. @param {Card[]} cards @param {any} lit @param {boolean} sorted in the order of the book */
function stacked(cards, lit, sorted) {
  /** @type {Map<string, Card[]>} */
  const stacks = new Map();
  for (const card of sorted ? [...cards].sort((x, y) => x.face - y.face) : cards) {
    const key = JSON.stringify([card.name, card.fields, lit.has(`Card:${card.id}`)]);
    stacks.set(key, [...(stacks.get(key) || []), card]);
  }
  return [...stacks.values()];
}

const Fan = (/** @type {any} */ { z, title, b, lit, pick, whyNot, peek, arriving }) => {
  const stacks = stacked(z.cards, lit, true), middle = (stacks.length - 1) / 2;
  const turn = Math.min(BEND, stacks.length * 0.6);
  return html`<div class="hand" data-pile=${pileKey(z)} style=${`--cards:${stacks.length}`}><h2 data-pile=${z.name}>${title}<small> ${z.count}</small></h2>
    <ul class="fan" aria-label=${title}>${stacks.map((equal, i) => {
      const at = middle ? (i - middle) / middle : 0;
      return html`<li key=${equal[0].id} class=${lit.has(`Card:${equal[0].id}`) ? "raised" : ""} style=${`--turn:${(at * turn).toFixed(2)}deg;--drop:${(at * at * turn * 2.2).toFixed(1)}px`}>
        <${Face} card=${equal[0]} count=${equal.length} b=${b} lit=${lit} pick=${pick} whyNot=${whyNot} peek=${peek} away=${arriving.has(equal[0].id)} /></li>`;
    })}${z.unknown ? html`<li class="backs" title="face down"><span class="card back-side" /><span class="times">${z.unknown}</span></li>` : null}</ul></div>`;
};

const Pile = (/** @type {any} */ { z, b, lit, open, arriving }) => {
  const glows = z.cards.some((/** @type {Card} */ c) => lit.has(`Card:${c.id}`));
  const top = z.ordered ? z.cards.findLast((/** @type {Card} */ c) => !arriving.has(c.id)) : z.unknown ? null : z.cards[z.cards.length - 1];
  const depth = Math.min(4, Math.ceil(z.count / 6));
  return html`<button class=${`pile${glows ? " lit" : ""}`} data-pile=${pileKey(z)} onClick=${() => open(pileKey(z))} title=${`${z.name}: look through`} aria-label=${`${z.name}, ${z.count} card${z.count === 1 ? "" : "s"}${top ? `, on top ${top.name}` : ", face down"}`}>
    <span class=${`mini d${depth}${top ? (suited(b, top.face) ? " suited" : " face") : " back-side"}`} style=${top ? `--hue:${cardHue(top, b)}` : ""} aria-hidden="true">${top ? html`<${Paper} card=${top} b=${b} />` : null}</span>
    <span class="pile-name">${z.name}</span> <b class="times">${z.count}</b></button>`;
};

const WIDTH = 78, HIGH = 2;
/* Pixels that a pile takes in a row; rows of piles that stand beside a hand. */

/** How many piles side by side it takes so that all owners' stand in two rows. @param {number[]} counts */
export function abreast(counts) {
  const rows = (/** @type {number} */ room) => counts.reduce(([all, used], n) => (used && used + n > room ? [all + 1, n] : [all, used + n]), [1, 0])[0];
  let room = Math.max(1, ...counts);
  while (rows(room) > HIGH) room += 1;
  return room;
}

/** A pile laid out: what is known of it, the top card first. */
const Laid = (/** @type {any} */ { z, title, b, lit, pick, whyNot, peek, close }) => {
  const at = useRef(null);
  useEffect(() => { const box = /** @type {any} */ (at.current); if (box && !box.open) box.showModal(); }, []);
  const cards = z.ordered ? [...z.cards].reverse() : z.cards;
  const choose = (/** @type {any} */ thing) => { close(); pick(thing); };
  return html`<dialog class="laid" ref=${at} aria-label=${title} onClose=${close} onClick=${(/** @type {any} */ e) => { if (e.target === at.current) close(); }}>
    <header><h2>${title}<small> ${z.count}</small></h2><button class="close" aria-label="Close" autofocus onClick=${close}>×</button></header>
    ${z.ordered && cards.length > 1 ? html`<p class="quiet">The top card first.</p>` : null}
    ${z.unknown ? html`<p class="quiet">${z.unknown} face down.</p>` : null}
    <ul class="cards">${(z.ordered ? cards.map((/** @type {Card} */ c) => [c]) : stacked(cards, lit, true)).map((/** @type {Card[]} */ equal) => html`<li key=${equal[0].id}>
      <${Face} card=${equal[0]} count=${equal.length} b=${b} lit=${lit} pick=${choose} whyNot=${whyNot} peek=${peek} away=${false} /></li>`)}</ul></dialog>`;
};

/** One card, large enough to be read. */
const Large = (/** @type {any} */ { card, b, at }) => {
  const [w, tall] = LARGE;
  const x = Math.max(8, Math.min(innerWidth - w - 8, at.left + at.width / 2 - w / 2));
  const y = at.top > tall + 16 ? at.top - tall - 10 : Math.max(8, Math.min(innerHeight - tall - 8, at.bottom + 10));
  return html`<div class=${`card large${suited(b, card.face) ? " suited" : ""}`} role="tooltip" style=${`--hue:${cardHue(card, b)};left:${x}px;top:${y}px`}><${Paper} card=${card} b=${b} all=${true} /></div>`;
};

/** @extends {Component<any>} */
export class Piles extends Component {
  /** @param {any} props */
  constructor(props) {
    super(props);
    this.state = { open: "", large: null };
    /** @type {any} */
    this.timer = 0;
    this.pressed = false;
    this.peek = this.peek.bind(this);
  }

  componentWillUnmount() { clearTimeout(this.timer); }

  /** What makes a card large: a pointer that stays on it, the focus, a long press, after which no click counts. @param {Card} card */
  peek(card) {
    const show = (/** @type {any} */ target, /** @type {number} */ ms) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.setState({ large: { card, at: target.getBoundingClientRect() } }), ms);
    };
    const hide = () => { clearTimeout(this.timer); if (/** @type {any} */ (this.state).large) this.setState({ large: null }); };
    return {
      onPointerEnter: (/** @type {PointerEvent} */ e) => { if (e.pointerType === "mouse") show(e.currentTarget, HOVER); },
      onPointerLeave: hide,
      onFocus: (/** @type {any} */ e) => { if (e.currentTarget.matches(":focus-visible")) show(e.currentTarget, HOVER); },
      onBlur: hide,
      onPointerDown: (/** @type {PointerEvent} */ e) => { this.pressed = false; if (e.pointerType !== "mouse") { const target = e.currentTarget; clearTimeout(this.timer); this.timer = setTimeout(() => { this.pressed = true; this.setState({ large: { card, at: /** @type {Element} */ (target).getBoundingClientRect() } }); }, PRESS); } else hide(); },
      onPointerUp: hide,
      onContextMenu: (/** @type {Event} */ e) => { if (this.pressed) e.preventDefault(); },
      onClickCapture: (/** @type {Event} */ e) => { if (this.pressed) { this.pressed = false; e.preventDefault(); e.stopPropagation(); } },
    };
  }

  /** @param {any} props @param {any} now */
  render({ state, b, lit, pick, whyNot, stage }, { open, large }) {
    const { view } = state, arriving = (stage && stage.arriving) || new Set();
    const hasHand = (/** @type {Zone} */ z) => z.kind === "Actor" && isOwn(view.actors[z.owner], view) && b.sheet.zones[z.zone].seen === "owner" && view.actors[z.owner].in_play;
    // Whatever can be played lies open, wherever it is.
    const glows = (/** @type {Zone} */ z) => z.cards.some((c) => lit.has(`Card:${c.id}`));
    const fans = view.zones.filter((/** @type {Zone} */ z) => z.count && (hasHand(z) || glows(z))).sort((/** @type {Zone} */ x, /** @type {Zone} */ y) => Number(hasHand(y)) - Number(hasHand(x)));
    const several = new Set(fans.map((/** @type {Zone} */ z) => z.owner)).size > 1;
    const title = (/** @type {Zone} */ z) => (z.kind === "Actor" && (several || !isOwn(view.actors[z.owner], view)) ? `${view.actors[z.owner].name}: ${z.name}` : z.name);
    /** @type {Map<number, Zone[]>} */
    const owners = new Map();
    for (const z of view.zones) {
      if (!z.count || fans.includes(z)) continue;
      const owner = z.kind === "Actor" ? z.owner : -1;
      owners.set(owner, [...(owners.get(owner) || []), z]);
    }
    const laid = open ? view.zones.find((/** @type {Zone} */ z) => pileKey(z) === open) : null;
    const give = { b, lit, pick, whyNot, peek: this.peek };
    const beside = WIDTH * abreast([...owners.values()].map((zones) => zones.length)) + 18 * Math.max(0, Math.ceil(owners.size / HIGH) - 1);
    return html`<div class=${`on-table${fans.length ? "" : " no-hand"}`} style=${`--beside:${beside}px`}>
      <div class="hands">${fans.map((/** @type {Zone} */ z) => html`<${Fan} key=${pileKey(z)} z=${z} title=${title(z)} arriving=${arriving} ...${give} />`)}</div>
      <div class="small-piles">${[...owners].sort((x, y) => x[0] - y[0]).map(([id, zones]) => html`<div class="owner" key=${id} style=${id >= 0 ? `--hue:${hueOf(view.actors[id], view)}` : ""}>
        <h3 class=${id >= 0 ? "whose" : ""}>${id >= 0 ? view.actors[id].name : "Table"}</h3>
        <div class="stacks">${zones.map((z) => html`<${Pile} key=${pileKey(z)} z=${z} b=${b} lit=${lit} arriving=${arriving} open=${(/** @type {string} */ key) => this.setState({ open: key, large: null })} />`)}</div></div>`)}</div>
      ${laid ? html`<${Laid} key=${open} z=${laid} title=${title(laid)} close=${() => this.setState({ open: "", large: null })} ...${give} />` : null}
      ${large ? html`<${Large} ...${large} b=${b} />` : null}</div>`;
  }
}
