// Prices in words, and what is spent for nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { priceWords, vainly } from "../../src/rulewright/serve/page/prices.js";

const fields = [{ name: "Focus", price: -1 }, { name: "Dread", price: 0 }];

test("only prices spent is vain, less of anything else is a gain", () => {
  assert.match(vainly(fields, { idle: false, spends: ["Focus"] }), /its price/);
  assert.equal(vainly(fields, { idle: false, spends: ["Focus", "Dread"] }), "");
  assert.equal(vainly(fields, { idle: false, spends: null }), "");
  assert.match(vainly(fields, { idle: false, spends: [] }), /Nothing/);
  assert.match(vainly(fields, { idle: true, spends: null }), /Nothing/);
});

test("a price is said as a person would", () => {
  const book = /** @type {any} */ ({
    html: "<p>A <b>Free</b> Action; one Free Action a turn, a Free Action is quick.</p><pre>[Free] Nonsense</pre>",
    sheet: {
      columns: { Frame: { SP: [] } },
      fields: [{ name: "Free", low: 0, high: 1, price: -1 }, { name: "Acted", low: 0, high: 1, price: 1 }, { name: "SP Spent", low: 0, high: 9, price: 1 }, { name: "Coins", low: 0, high: 99, price: -1 }],
    },
  });
  assert.equal(priceWords(book, "Coins", 2), "2 Coins");
  assert.equal(priceWords(book, "Free", 1), "your Free Action");
  assert.equal(priceWords(book, "Acted", 1), ""); // a note of the rules, and no price
  assert.equal(priceWords(book, "SP Spent", "1 to 2"), "1 to 2 SP");
});
