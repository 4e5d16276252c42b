// Names and colours for the numbers in a state.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT, acting, hueOf, initials, learn, pileOf } from "../../src/rulewright/serve/page/names.js";
import { facts } from "../../src/rulewright/serve/page/sheets.js";

learn(["STEP"].map((name) => ({ name, kind: 9 })));
const crowd = Array.from({ length: 30 }, (_, id) => ({ id, name: `Guest ${id + 1}`, side: -1, seat: id, in_play: 1 }));

test("initials are those of the words that count", () => {
  assert.deepEqual(["Old Sailor", "King of Clubs", "Guard 2", "a bare hand"].map(initials), ["OS", "KC", "G2", "AB"]);
});

test("thirty who fight for themselves have thirty colours, and keep them", () => {
  const view = /** @type {any} */ ({ actors: crowd }), hues = crowd.map((a) => hueOf(/** @type {any} */ (a), view));
  assert.equal(new Set(hues).size, 30);
  const fewer = { actors: crowd.map((a) => ({ ...a, in_play: a.id % 2 })) };
  assert.deepEqual(crowd.map((a) => hueOf(/** @type {any} */ (a), /** @type {any} */ (fewer))), hues);
});

test("who may act has the turn, whatever the order says; a seat with one actor has it where no order does", () => {
  const order = { name: "Turns", members: [1, 2], cursor: 0, now: 1 };
  const state = (/** @type {any} */ decision, /** @type {any[]} */ orders, /** @type {any[]} */ log = []) => /** @type {any} */ ({ decision, log, view: { orders, actors: crowd } });
  assert.equal(acting(state({ prompt: "act", actor: 2, seat: 2 }, [order])), 2);
  assert.equal(acting(state({ prompt: "react", actor: 2, seat: 2 }, [order])), 1);
  assert.equal(acting(state({ prompt: "Turns", actor: -1, seat: 4 }, [])), 4);
  assert.equal(acting(state({ prompt: "Turns", actor: -1, seat: 4 }, [], [{ kind: EVENT.STEP, args: [7, 0] }])), 7);
  assert.equal(acting(state(null, [])), -1);
});

test("piles are counted over all owners, the box is none", () => {
  const b = /** @type {any} */ ({ sheet: { zones: [{ name: "Deck", of: null }, { name: "Hand", of: "Actor" }], things: { Actor: ["a", "b"] } } });
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => pileOf(b, at)).map((p) => p && [p.zone.name, p.owner]), [null, ["Deck", 0], ["Hand", 0], ["Hand", 1], null]);
});

test("life has its bar to the end, also where none is left", () => {
  const fields = new Map([["Health", { high: 1e9, low: 0 }], ["Gold", { high: 1e9, low: 0 }]]);
  const fallen = /** @type {any} */ ({ fields: { Health: 0, Gold: 0 }, read: {}, most: {} });
  assert.deepEqual(facts(fallen, fields, 20, "Health").bars.map(({ name, now, top }) => [name, now, top]), [["Health", 0, 20]]);
  // Nobody saw how much it once was: then it is a number, but told.
  assert.deepEqual(facts(fallen, fields, 0, "Health").numbers, [{ name: "Health", now: 0, stored: 0 }]);
});
