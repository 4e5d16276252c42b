// The stage: what a deed does on the copy of the view, and how far whoever steps has come.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT, learn } from "../../src/rulewright/serve/page/names.js";
import { Stage } from "../../src/rulewright/serve/page/stage.js";
import { pileAt } from "../../src/rulewright/serve/page/flights.js";
import { folded } from "../../src/rulewright/serve/page/log.js";

learn(["FORCED", "CHANGE", "ROLL", "CARD", "PLACE", "STATUS", "RULE", "SAY", "STEP", "CHOSEN", "PLAY", "END"].map((name, i) => ({ name, kind: i + 1 })));
const page = /** @type {any} */ (globalThis);
page.document = { hidden: false };
page.matchMedia = () => ({ matches: false });
/** What the server says a line is about. */
const ABOUT = { FORCED: /: (.*)/, CHOSEN: /: (.*)/, STEP: /, (.*)/, CARD: /(.*) moves/, PLACE: / moves to (.*)/, PICK: /(.*) is picked/ };
const about = (/** @type {number} */ kind, /** @type {string} */ text) => {
  const found = Object.entries(ABOUT).find(([name]) => EVENT[name] === kind), said = found && text.match(found[1]);
  return said ? { said: [said[1]] } : {};
};

const b = /** @type {any} */ ({
  looks: { life: "Health" },
  sheet: {
    verbs: [], sites: [], columns: {}, maps: [], dice: [], statuses: [{ name: "Bleeding" }], things: { Actor: ["Ada", "Wolf"], Space: ["ford", "cart"] },
    fields: [{ name: "Health", of: ["Actor"], counts: [2], holds: null, low: 0, high: 99, shown: true }],
    zones: [{ name: "Deck", of: null, seen: "nobody" }, { name: "Hand", of: "Actor", seen: "owner" }],
  },
});
const view = /** @type {any} */ ({
  seat: 0, seats: 1, zones: [], orders: [], fields: {}, things: {}, spaces: [{ id: 0, name: "ford", fields: {} }, { id: 1, name: "cart", fields: {} }],
  actors: ["Ada", "Wolf"].map((name, id) => ({ id, name, side: id, seat: id ? -1 : 0, in_play: 1, place: 0, facing: 0, fields: { Health: 5 }, statuses: [] })),
});
let n = 0;
const line = (/** @type {number} */ kind, /** @type {number[]} */ args, text = "") => ({ n: (n += 1), kind, args: [...args, 0, 0, 0, 0].slice(0, 4), text, ...about(kind, text), title: "", cites: [], file: "", line: 0 });
const deed = (/** @type {any[]} */ lines, kind = "rule") => /** @type {any} */ ({ n: lines[0].n, end: lines[lines.length - 1].n, kind, who: 0, by: -1, target: 1, frame: "", step: "", words: [], rule: lines[0], said: [], lines, open: false, forced: false, midway: false });
const blow = () => deed([line(EVENT.RULE, [0, 1], "Ada: Strike at Wolf"), line(EVENT.CHANGE, [0, 1, 5, 0]), line(EVENT.STATUS, [0, 1, 1, 2]), line(EVENT.PLAY, [1, 0])]);
const walk = () => deed([line(EVENT.RULE, [0, -1], "Ada: Move"), line(EVENT.PLACE, [0, 0, 1])]);
const deal = () => deed([line(EVENT.RULE, [0, -1], "Ada: Draw"), line(EVENT.CARD, [7, 1, 2, 0])]);
const stage = () => new Stage(b, () => {}, () => {}, () => 1);

test("a blow floats, lands a status, and whoever has no life left falls before they are gone", () => {
  const shown = stage(), hit = blow();
  shown.view = view;
  for (const l of hit.lines) shown.apply(l);
  const wolf = /** @type {any} */ (shown.view).actors[1];
  assert.deepEqual([wolf.fields.Health, wolf.statuses[0].name, wolf.in_play], [0, "Bleeding", 1]);
  assert.equal(shown.leaving.get(1), "falls");
  assert.ok(shown.struck(1));
  assert.deepEqual(shown.floats.map((f) => [f.text, f.kind]), [["−5", "down"], ["Bleeding", "status"]]);
  shown.clear();
  assert.equal(/** @type {any} */ (shown.view).actors[1].in_play, 0);
});

test("whoever steps sees everything up to a deed, and the true state after the last", () => {
  const shown = stage(), deeds = [walk(), blow(), deal()];
  shown.upTo(deeds, view, 1, false);
  assert.deepEqual(/** @type {any} */ (shown.view).actors.map((/** @type {any} */ a) => [a.place, a.fields.Health]), [[1, 5], [0, 5]]);
  shown.upTo(deeds, view, 2, false);
  assert.deepEqual(/** @type {any} */ (shown.view).actors.map((/** @type {any} */ a) => [a.place, a.in_play]), [[1, 1], [0, 0]]);
  assert.equal(shown.last, deeds[1]);
  shown.upTo(deeds, view, 3, false);
  assert.equal(shown.view, null);
  assert.equal(view.actors[0].place, 0); // it was all done on a copy
});

test("cards fly between the piles that the event names, and are on their way until they land", () => {
  const shown = stage(), dealt = deal();
  shown.queue = [dealt];
  assert.deepEqual([...shown.arriving], [7]);
  shown.queue = [];
  shown.fly(dealt.lines[1]);
  assert.deepEqual(shown.flights.map((f) => [f.card, f.from, f.to]), [[7, "0:", "1:0"]]);
  shown.landed(shown.flights[0].key);
  assert.equal(shown.arriving.size, 0);
  assert.deepEqual([0, 1, 2, 3].map((at) => pileAt(b, at)), ["", "0:", "1:0", "1:1"]);
});

test("what is only kept book of lies in one row", () => {
  const quiet = () => deed([line(EVENT.CHANGE, [0, 0, 4, 5])], "quiet");
  const rows = folded([quiet(), quiet(), walk(), quiet()], b, view);
  assert.deepEqual(rows.map((d) => [d.kind, d.lines.length]), [["quiet", 2], ["rule", 2], ["quiet", 1]]);
});
