// A promise of dice, and the seed that keeps it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sha256 } from "../../src/rulewright/serve/page/hash.js";
import { commitment, promised, verdict } from "../../src/rulewright/serve/page/promise.js";

test("the hash is that of the standard, for every length around a block", () => {
  for (let n = 0; n < 200; n += 1) {
    const data = new Uint8Array(n).map((_, i) => (i * 7 + n) & 255);
    assert.equal(sha256(data), createHash("sha256").update(data).digest("hex"));
  }
});

test("a seed keeps one promise and no other", () => {
  const seed = "c0ffee" + "0".repeat(50);
  const whole = Buffer.concat([Buffer.from("rulewright seed "), Buffer.from(seed.padStart(64, "0"), "hex")]);
  const promise = createHash("sha256").update(whole).digest("hex");
  assert.equal(commitment(seed), promise);
  assert.equal(verdict(` ${seed.toUpperCase()} `, promise).kept, true);
  assert.equal(verdict(seed.replace("c0", "c1"), promise).kept, false);
  for (const wrong of ["", "x", "1".repeat(65), "-1"]) assert.match(verdict(wrong, promise).words, /no seed/);
});

test("the first promise that was seen is the one that counts", () => {
  const store = new Map();
  globalThis.localStorage = /** @type {any} */ ({ getItem: (/** @type {string} */ k) => store.get(k) ?? null, setItem: (/** @type {string} */ k, /** @type {string} */ v) => store.set(k, v) });
  assert.equal(promised("t", "one"), "one");
  assert.equal(promised("t", "two"), "one");
  assert.equal(promised("u", "two"), "two");
});
