// The guided first match: step by step, astray, and taken back.
import { test } from "node:test";
import assert from "node:assert/strict";

/** @type {Record<string, string>} */
const kept = {};
/** @type {any} */ (globalThis).localStorage = { getItem: (/** @type {string} */ k) => kept[k] ?? null, setItem: (/** @type {string} */ k, /** @type {string} */ v) => { kept[k] = v; } };
const { Guide, beginGuide } = await import("../../src/rulewright/serve/page/guide.js");

const lesson = { seed: 1, options: {}, seats: ["you"], closing: "Well done.", steps: [{ says: "First.", choose: "a" }, { says: "", choose: "b" }, { says: "Third.", choose: "c" }] };

test("what is said, what is advised, and how it ends", () => {
  beginGuide("T");
  const guide = new Guide("T", lesson);
  assert.deepEqual(guide.now(["a", "x"]), { says: "First.", advised: "a", step: 0 });
  guide.chose("a", ["a", "x"]);
  assert.deepEqual(guide.now(["b"]), { says: "First.", advised: "b", step: 1 });
  assert.deepEqual(guide.now(["a", "x"]), { says: "First.", advised: "a", step: 0 }, "taken back");
  guide.chose("b", ["b"]);
  guide.chose("c", ["c"]);
  assert.deepEqual(guide.now([]), { says: "Well done.", advised: "", step: -1 });
  assert.equal(new Guide("T", lesson).at, 3, "it is kept");
});

test("the same choice twice is two steps", () => {
  beginGuide("W");
  const guide = new Guide("W", { ...lesson, steps: [{ says: "One.", choose: "a" }, { says: "Two.", choose: "a" }, { says: "Three.", choose: "b" }] });
  guide.chose("a", ["a", "b"]);
  guide.chose("a", ["a", "b"]);
  assert.equal(guide.now(["a", "b"])?.advised, "b");
});

test("whoever goes another way is left alone", () => {
  beginGuide("U");
  const guide = new Guide("U", lesson);
  guide.chose("x", ["a", "x"]);
  assert.equal(guide.now(["b"])?.advised, "");
  guide.stop();
  assert.equal(guide.now(["b"]), null);
  assert.equal(new Guide("U", lesson).on, false);
  assert.equal(new Guide("V", lesson).now(["a"]), null, "a table without a guide");
});
