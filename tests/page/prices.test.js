// Prices: what a book takes, and what is spent for nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "../../src/rulewright/serve/page/prices.js";

test("prices are what costs take, and what rules take that costs carry out", () => {
  const defined = [
    { title: "Mend", all: "Mend\ndo: [Target Health] += 4, [Dread] -= 2\ncost: #Pay with Mend, [Kit of Salve of self] -= 1\n" },
    { title: "Rest", all: "Rest\nthen: #Pay with Rest\n  [Focus] -= 1\ndo: [Dread] -= 5\n" },
    { title: "Pay", all: "Pay (Effect)\ndo: if it is Slow: [ActionPoints] -= 2\n" },
    { title: "Hurt", all: "Hurt (Effect)\ndo: [Health] -= 1\n" },
  ];
  assert.deepEqual([...read(defined, ["Health", "Dread", "Kit", "Focus", "Action Points"])].sort(), ["actionpoints", "focus", "kit"]);
});
