// Where things stand on the map.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signs } from "../../src/rulewright/serve/page/beyond.js";
import { framed, inView } from "../../src/rulewright/serve/page/geometry.js";

test("a word that the edge would cut moves into view, within its part", () => {
  assert.equal(inView(50, 10, [0, 100], [20, 60]), 50);
  assert.equal(inView(5, 10, [0, 100], [-40, 60]), 10);
  assert.equal(inView(97, 10, [0, 100], [60, 140]), 90);
  // Too little of the part is seen to hold the word: it is cut, as the part is.
  assert.equal(inView(-4, 10, [0, 100], [-40, 12]), -4);
  // At its place it may be longer than its part.
  assert.equal(inView(50, 30, [0, 100], [40, 60]), 50);
});

test("a view that is too small for all shows whom it must, and of the others as many whole as it can", () => {
  const at = (/** @type {number} */ x, /** @type {number} */ y, weight = 1) => ({ box: /** @type {import("../../src/rulewright/serve/page/geometry.js").Box} */ ([x - 5, y - 5, 10, 10]), weight });
  // Two above would be cut in half: the view moves up as far as who is asked stays in it.
  const [, y] = framed([100, 100], [40, 90, 20, 20], [at(50, 100, 4), at(20, 22), at(80, 22)], [50, 70]);
  assert.deepEqual([y - 50 <= 17, y + 50 >= 110], [true, true]);
  // Too far off to be seen whole: then they are not seen at all, rather than cut.
  const [, far] = framed([100, 100], [40, 90, 20, 20], [at(50, 100, 4), at(20, 5)], [50, 58]);
  assert.ok(far - 50 >= 10 && far + 50 >= 110);
  assert.deepEqual(framed([100, 100], [40, 40, 20, 20], [], [50, 50]), [50, 50]);
});

test("who is beyond the edge is pointed at, each by a sign of its own", () => {
  const found = signs([{ x: 50, y: 50 }, { x: 60, y: -30 }, { x: 62, y: -90 }, { x: 400, y: 80 }], [200, 100]);
  assert.equal(found[0], null);
  const [, above, other, right] = found.map((f) => /** @type {{x: number, y: number, turn: number}} */ (f));
  assert.ok(above.y > 0 && above.y < 30 && Math.abs(above.turn + 90) < 10 && Math.abs(other.x - above.x) > 20);
  assert.ok(right.x > 170 && right.x < 200 && Math.abs(right.turn) < 10);
});
