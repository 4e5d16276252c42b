// Words about chances, shortened for the map.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Ahead, worth } from "../../src/rulewright/serve/page/ahead.js";
import { chipWord, outlook, paid, risksOf, sharedBy, summed, unpaid } from "../../src/rulewright/serve/page/outlook.js";
import { doubtful, isGiven, remember } from "../../src/rulewright/serve/page/gifts.js";

/** "50 %: A: HP −1 ..." as the server tells it. @param {string} text @param {number} id @param {number} [mean] */
const chance = (text, id, mean = 0) => {
  const what = text.split(": ").at(-1) || "";
  return { text, chance: 0.5, kind: "Actor", id, who: "ABC"[id] || "", what, name: what.split(" ")[0], mean, likely: "50 %", short: `50 % ${what}` };
};
const foretold = (/** @type {any} */ some) => ({ option: 0, exact: true, lines: 1, sure: [], may: [], idle: false, ...some });
const view = /** @type {any} */ ({ seat: 0, actors: [{ id: 0, seat: 0, side: 0 }, { id: 1, seat: -1, side: 1 }, { id: 2, seat: 0, side: 0 }] });
const book = /** @type {any} */ ({
  looks: { life: "HP" },
  sheet: {
    zones: [],
    prices: { Walk: ["Acted"], Much: ["AP", "Spent", "Acted"], Shoot: ["AP", "Arrows"], Play: ["Spent"] },
    amounts: { Walk: { Acted: 1 }, Much: { AP: 1, Acted: 1 }, Shoot: { AP: 1, Arrows: 2 } },
    fields: [["HP", 0, 99], ["AP", -1, 99], ["Spent", 1, 99], ["Acted", 1, 1], ["Guard", 0, 9], ["Arrows", 0, 9]].map(([name, price, high]) => ({ name, price, low: 0, high, of: ["Actor"], shown: true })),
  },
});
const aimed = (/** @type {number} */ id) => ({ index: 0, verb: 9, text: "Hit", things: [{ kind: "Actor", id, name: "" }] });

test("what helps weighs more, and what is given away is known", () => {
  const hit = foretold({ may: [chance("50 %: B: HP −4", 1, -4)] }), own = foretold({ may: [chance("50 %: C: HP −4", 2, -4)] });
  const gift = foretold({ sure: [chance("A: Gold −5", 0, -5), chance("B: Gold +5", 1, 5)] }), heal = foretold({ sure: [chance("C: HP +4", 2, 4)] });
  assert.ok(worth(hit, view, "HP") > 0 && worth(own, view, "HP") < 0);
  assert.deepEqual([isGiven(aimed(1), hit, view, "HP"), isGiven(aimed(2), own, view, "HP"), isGiven(aimed(1), gift, view, "HP"), isGiven(aimed(2), heal, view, "HP")], [false, true, true, false]);
});

test("before any odds foes stand before friends, and what was a gift is known the next time", () => {
  const b = /** @type {any} */ ({ sheet: { verbs: ["Hit: {0}", "Mend: {0}", "Give: {0}", "Brace"].map((text) => ({ text, args: ["Actor"] })) } });
  const options = [["Hit: C", 2, 0], ["Hit: B", 1, 0], ["Mend: C", 2, 1], ["Give: B", 1, 2], ["Give: C", 2, 2], ["Brace", -1, 3]].map(([text, id, verb], index) => ({ ...aimed(Number(id)), index, verb: Number(verb), text: String(text), things: Number(id) < 0 ? [] : aimed(Number(id)).things }));
  const state = /** @type {any} */ ({ view, decision: { options } }), seen = new Map();
  assert.deepEqual([...doubtful(state, b, seen)], [0, 4]);
  const gift = foretold({ sure: [chance("A: Gold −5", 0, -5), chance("B: Gold +5", 1, 5)] });
  remember(state, b, new Map([[3, gift], [4, foretold({})]]), "HP", seen);
  assert.deepEqual([...doubtful(state, b, seen)], [0, 3]);
});

test("whoever decides needs no name, and what all options of a group do is said once", () => {
  const one = foretold({ sure: [chance("A: AP −1", 0), chance("A: Arrows −1", 0), chance("B: HP −1", 1)] }), other = foretold({ sure: [chance("A: AP −1", 0)] });
  assert.deepEqual(summed(one.sure, "A"), ["AP −1, Arrows −1", "B: HP −1"]);
  assert.deepEqual(sharedBy([one, other]).map((c) => c.text), ["A: AP −1"]);
  assert.equal(chipWord(one, book, ["A: AP −1"], "A"), "B: HP −1");
});

test("first the price, then whom it befalls; bookkeeping only where there is nothing else", () => {
  const spent = chance("A: Spent +2", 0, 2), acted = chance("A: Acted +1", 0, 1), guard = chance("A: Guard +1", 0, 1), other = chance("B: Guard +1", 1, 1), blow = chance("B: HP −4", 1, -4);
  const all = [spent, acted, guard, other, blow], things = aimed(1).things;
  assert.deepEqual(outlook(all, book, "A", [], true), { price: [spent, acted], brings: [blow] });
  assert.deepEqual(outlook(all, book, "A", things, false).brings, [other, blow]);
  assert.deepEqual(outlook([spent, guard, other], book, "A", [], false).brings, [guard]);
  assert.deepEqual(outlook([spent, guard], book, "A", [], true).brings, []);
  assert.equal(paid([spent, acted], book), "2 Spent");
  assert.deepEqual(outlook([chance("A: Spent −2", 0, -2)], book, "A", [], false).price, []);
});

test("what asks before it is paid says what it will take, by name", () => {
  assert.equal(unpaid(book, "Walk", undefined), "");
  assert.equal(unpaid(book, "Walk", foretold({ sure: [chance("A: Acted +1", 0, 1)] })), "");
  assert.equal(unpaid(book, "Much", undefined), "");
  assert.equal(unpaid(book, "Rest", undefined), "");
  assert.equal(unpaid(book, "Shoot", undefined), "1 AP, 2 Arrows");
  assert.equal(unpaid(book, "Play", undefined), "Spent");
  assert.equal(unpaid(book, "Play", foretold({ costs: [["Spent", 1, 1], ["AP", 0, 2], ["Acted", 1, 1]] }), "A"), "1 Spent, 0 to 2 AP");
  assert.equal(unpaid(book, "Play", foretold({}), "A"), "");
  const refilled = foretold({ sure: [chance("A: AP +2", 0, 2)] });
  assert.equal(unpaid(book, "Shoot", refilled, "A"), "1 AP, 2 Arrows");
  assert.equal(unpaid(book, "Shoot", foretold({ sure: [chance("A: AP −1", 0, -1)] }), "A"), "");
});

test("whom a chance befalls is named where nobody would guess it, and what comes whatever is chosen is left out", () => {
  const burns = { ...chance("50 %: B loses 3 HP", 1, -3), short: "50 % HP −3" }, told = foretold({ may: [burns] });
  assert.equal(chipWord(told, book, [], "A", true, aimed(1).things), "50 % HP −3");
  assert.equal(chipWord(told, book, [], "A", true), "B: 50 % HP −3");
  const often = { ...burns, chance: 0.55 }, more = { ...burns, chance: 0.9 };
  assert.equal(chipWord(told, book, [], "A", true, [], risksOf([told, foretold({ may: [often] })])), "");
  assert.equal(chipWord(told, book, [], "A", true, [], risksOf([told, foretold({ may: [more] })])), "B: 50 % HP −3");
  assert.equal(risksOf([told]).size, 0);
});

test("the last blow weighs more than the first", () => {
  const lives = { ...view, actors: view.actors.map((/** @type {any} */ a) => ({ ...a, fields: { HP: a.id === 1 ? 3 : 8 } })) };
  const blow = foretold({ may: [chance("50 %: C: HP −4", 2, -4)] }), foes = { ...lives, actors: lives.actors.map((/** @type {any} */ a) => ({ ...a, seat: a.id ? -1 : 0, side: a.id ? 1 : 0 })) };
  const last = foretold({ may: [chance("50 %: B: HP −3", 1, -3), { ...chance("50 %: leaves play", 1), what: "leaves play", chance: 0.67 }] });
  assert.ok(worth(last, foes, "HP") > worth(blow, foes, "HP"));
});

test("a chip says whether its target may fall", () => {
  const falls = (/** @type {number} */ id) => ({ ...chance("83 %: leaves play", id), what: "leaves play", likely: "83 %" });
  const told = foretold({ may: [{ ...chance("B loses 1 to 2 HP (1.8 on average)", 1, -1.8), short: "HP −1.8" }, falls(1)] });
  const { things } = aimed(1);
  assert.equal(chipWord(told, book, [], "A", true, things), "HP −1.8, 83 % out");
  assert.equal(chipWord(foretold({ may: [told.may[0], falls(2)] }), book, [], "A", true, things), "HP −1.8");
  assert.equal(chipWord(told, book, [], "A", false, things), "50 %");
});

test("the map shows targets and lives, not bookkeeping", () => {
  const ahead = new Ahead("t", () => new URLSearchParams(), () => {});
  const may = (/** @type {string} */ text, /** @type {number} */ id) => chance(text, id);
  ahead.told.set(3, { option: 3, exact: true, lines: 4, sure: [], idle: false, may: [may("50 %: A: HP −1 (−0.5 on average)", 0), may("50 %: B: Free +1 (+0.5 on average)", 1), may("50 %: C: Stunned", 2)] });
  ahead.look(3);
  assert.deepEqual([...ahead.preview(new Set(["Actor:2"]), "HP").keys()], [0, 2]);
  ahead.look(-1);
  assert.equal(ahead.preview(new Set(), "HP").size, 0);
});

test("options find their places as long as they are too new to be clicked, and keep them under the pointer", async () => {
  const ahead = new Ahead("t", () => new URLSearchParams(), () => {});
  /** @type {any} */ (globalThis).fetch = async () => ({ ok: true, json: async () => ({ version: ahead.version, options: [{ option: 0, sure: [], may: [] }] }) });
  const state = (/** @type {number} */ version) => /** @type {any} */ ({ version, decision: { mine: true, options: [{}, {}] } });
  ahead.hover(true); // it clicked, and lies there still
  ahead.fresh = () => true;
  ahead.follow(state(1));
  assert.equal(ahead.awaited, true);
  await ahead.fetch(null);
  assert.deepEqual([ahead.first.size, ahead.awaited], [1, false]);
  ahead.fresh = () => false;
  ahead.follow(state(2));
  await ahead.fetch(null);
  assert.equal(ahead.first.size, 0);
  ahead.close();
});
