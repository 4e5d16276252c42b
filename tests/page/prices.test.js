// Prices: what is spent for nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { vainly } from "../../src/rulewright/serve/page/prices.js";
import { paid, unpaid } from "../../src/rulewright/serve/page/outlook.js";

const fields = [{ name: "Focus", price: -1 }, { name: "Dread", price: 0 }];

test("only prices spent is vain, less of anything else is a gain", () => {
  assert.match(vainly(fields, { idle: false, spends: ["Focus"] }), /its price/);
  assert.equal(vainly(fields, { idle: false, spends: ["Focus", "Dread"] }), "");
  assert.equal(vainly(fields, { idle: false, spends: null }), "");
  assert.match(vainly(fields, { idle: false, spends: [] }), /Nothing/);
  assert.match(vainly(fields, { idle: true, spends: null }), /Nothing/);
});

test("a tick that a turn's chance was used is no price that one reads", () => {
  const field = (/** @type {string} */ name, /** @type {number} */ price, /** @type {number} */ high) => ({ name, price, low: 0, high, of: ["Actor"], shown: true });
  const b = /** @type {any} */ ({ sheet: { fields: [field("Acted", 1, 1), field("Free", -1, 1), field("Coins", -1, 99)], prices: { Leap: ["Acted", "Coins"] } } });
  const spent = (/** @type {string} */ name, /** @type {number} */ mean) => /** @type {any} */ ({ name, mean });
  assert.equal(paid([spent("Acted", 1), spent("Free", -1), spent("Coins", -2)], b), "Free, 2 Coins");
  assert.equal(unpaid(b, "Leap", undefined), "Coins");
});
