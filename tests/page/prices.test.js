// Prices: what is spent for nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { vainly } from "../../src/rulewright/serve/page/prices.js";

const fields = [{ name: "Focus", price: -1 }, { name: "Dread", price: 0 }];

test("only prices spent is vain, less of anything else is a gain", () => {
  assert.match(vainly(fields, { idle: false, spends: ["Focus"] }), /its price/);
  assert.equal(vainly(fields, { idle: false, spends: ["Focus", "Dread"] }), "");
  assert.equal(vainly(fields, { idle: false, spends: null }), "");
  assert.match(vainly(fields, { idle: false, spends: [] }), /Nothing/);
  assert.match(vainly(fields, { idle: true, spends: null }), /Nothing/);
});
