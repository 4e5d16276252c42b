// Where things stand on the map.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inView } from "../../src/rulewright/serve/page/geometry.js";

test("a word that the edge would cut moves into view, within its part", () => {
  assert.equal(inView(50, 10, [0, 100], [20, 60]), 50);
  assert.equal(inView(5, 10, [0, 100], [-40, 60]), 10);
  assert.equal(inView(97, 10, [0, 100], [60, 140]), 90);
  // Too little of the part is seen to hold the word: it is cut, as the part is.
  assert.equal(inView(-4, 10, [0, 100], [-40, 12]), -4);
  // At its place it may be longer than its part.
  assert.equal(inView(50, 30, [0, 100], [40, 60]), 50);
});
