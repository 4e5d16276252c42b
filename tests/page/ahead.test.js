// Words about chances, shortened for the map.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Ahead, short } from "../../src/rulewright/serve/page/ahead.js";

test("a chance is shortened to what fits on a token", () => {
  assert.equal(short("56 %: Wolf: HP −5 to −15 (−6.1 on average)"), "56 % HP −6.1");
  assert.equal(short("9 %: Wolf leaves play"), "9 % Wolf leaves play");
  assert.equal(short("40 %: Wolf: Rooted"), "40 % Rooted");
  assert.equal(short("Wolf: HP −1 to −6 (−3.5 on average)"), "HP −3.5");
});

test("the map shows targets and lives, not bookkeeping", () => {
  const ahead = new Ahead("t", () => new URLSearchParams(), () => {});
  const may = (/** @type {string} */ text, /** @type {number} */ id) => ({ text, chance: 0.5, kind: "Actor", id });
  ahead.told.set(3, { option: 3, exact: true, lines: 4, sure: [], idle: false, may: [may("50 %: A: HP −1 (−0.5 on average)", 0), may("50 %: B: Free +1 (+0.5 on average)", 1), may("50 %: C: Stunned", 2)] });
  ahead.look(3);
  assert.deepEqual([...ahead.preview(new Set(["Actor:2"]), "HP").keys()], [0, 2]);
  ahead.look(-1);
  assert.equal(ahead.preview(new Set(), "HP").size, 0);
});
