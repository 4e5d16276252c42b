// Cards that fly from one pile to another while a deed is played. The piles themselves show what is so already;
// a card that has not arrived yet is pale there.
import { Component, html } from "./vendor/preact.js";
import { Paper, cardHue, suited } from "./faces.js";
import { EVENT, pileOf } from "./names.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {{key: number, card: number, from: string, to: string, nth: number}} Flight piles by their key, "" is the box */

const FLY = 460, APART = 70;
/* Milliseconds of a flight, and between two that begin together. */
export const MOST = 8;
/* Cards that fly in one deed: of a whole deck that is dealt, nobody follows each. */

/** The key of a pile, as piles on the page have it. @param {Book} b @param {number} index counted over all owners, 1 is the first */
export function pileAt(b, index) {
  const pile = pileOf(b, index);
  return pile ? `${pile.at}:${pile.zone.of ? pile.owner : ""}` : "";
}

/** Cards that move, in the order of the lines. @param {Book} b @param {Line[]} lines @returns {{card: number, from: string, to: string}[]} */
export const moved = (b, lines) => lines.filter((l) => l.kind === EVENT.CARD && l.args[1] !== l.args[2])
  .map(({ args }) => ({ card: args[0], from: pileAt(b, args[1]), to: pileAt(b, args[2]) }));

/** Where a pile is on the page: itself, else whoever it belongs to, else where cards are. @param {string} pile @returns {DOMRect|null} */
function whereIs(pile) {
  const owner = pile.split(":")[1];
  const exact = `[data-pile="${pile}"]`;
  const places = [pile ? exact : "", owner ? `.token[data-key="a${owner}"] .disc` : "", owner ? `.sheet[data-actor="${owner}"] header` : "", ".tabs [data-tab=cards]", ".small-piles", ".stage"];
  for (const place of places) {
    const found = place && document.querySelector(place), box = found && found.getBoundingClientRect();
    if (box && box.width) return box;
  }
  return null;
}

/** @param {View} view @param {number} id */
function known(view, id) {
  for (const zone of view.zones) for (const card of zone.cards) if (card.id === id) return card;
  return null;
}

/** @extends {Component<{flight: Flight, b: Book, view: View, pace: number, landed: (key: number) => void}>} */
class Flying extends Component {
  componentDidMount() {
    const { flight, pace, landed } = this.props, box = /** @type {HTMLElement} */ (this.base);
    const [from, to] = [whereIs(flight.from), whereIs(flight.to)];
    if (!from || !to) { landed(flight.key); return; }
    const [w, tall] = [box.offsetWidth, box.offsetHeight];
    const at = (/** @type {DOMRect} */ r) => `translate(${r.left + r.width / 2 - w / 2}px, ${r.top + r.height / 2 - tall / 2}px)`;
    const small = (/** @type {DOMRect} */ r) => Math.min(1, Math.max(0.35, r.height / tall));
    const show = [{ transform: `${at(from)} scale(${small(from)})`, opacity: 0.4 }, { opacity: 1, offset: 0.15 }, { transform: `${at(to)} scale(${small(to)})`, opacity: 0.9 }];
    const flown = box.animate(show, { duration: FLY / pace, delay: (flight.nth * APART) / pace, easing: "cubic-bezier(.3,.1,.3,1)", fill: "both" });
    flown.onfinish = () => landed(flight.key);
  }

  /** @param {any} props */
  render({ flight, b, view }) {
    const card = flight.card >= 0 ? known(view, flight.card) : null;
    const kind = card ? (suited(b, card.face) ? " suited" : "") : " back-side";
    return html`<div class="flight" data-from=${flight.from} data-to=${flight.to}><span class=${`card${kind}`} style=${card ? `--hue:${cardHue(card, b)}` : ""}>${card ? html`<${Paper} card=${card} b=${b} />` : null}</span></div>`;
  }
}

export const Flights = (/** @type {any} */ { stage, b, view }) => html`<div class="flights" aria-hidden="true">${stage.flights.map((/** @type {Flight} */ flight) => html`<${Flying} key=${flight.key} flight=${flight} b=${b} view=${view} pace=${stage.pace} landed=${stage.landed} />`)}</div>`;
