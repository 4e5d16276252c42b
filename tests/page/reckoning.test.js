// What became of dice is asked for one deed at a time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT, learn } from "../../src/rulewright/serve/page/names.js";
import { Reckoning } from "../../src/rulewright/serve/page/reckoning.js";

learn(["FORCED", "CHANGE", "ROLL", "CARD", "PLACE", "STATUS", "RULE"].map((name, i) => ({ name, kind: i + 1 })));
const book = /** @type {any} */ ({ sheet: { zones: [], things: {} } });
const deed = (/** @type {number} */ n) => /** @type {any} */ ({ n, lines: [{ n, kind: EVENT.RULE, args: [] }, { n: n + 1, kind: EVENT.ROLL, args: [6, 4, 0] }] });

test("one question at a time, then the newest deed; answers are kept by line", async () => {
  /** @type {[string, (told: any) => void][]} */
  const asked = [];
  /** @type {any} */ (globalThis).fetch = (/** @type {string} */ url) => new Promise((done) => asked.push([url, (told) => done({ ok: true, json: async () => told })]));
  const rest = () => new Promise((done) => setTimeout(done, 5));
  let drawn = 0;
  const reckoning = new Reckoning(book, "t", () => new URLSearchParams(), () => { drawn += 1; });
  for (const n of [0, 10, 20]) reckoning.look(deed(n));
  assert.equal(asked.length, 1);
  const tally = { dice: [[1, 1]], text: "Sum 5", against: "5 against 4" };
  asked[0][1]({ sums: [{ title: "Hit", text: "5 > 4: yes" }], tallies: [tally] });
  await rest();
  assert.deepEqual(reckoning.of(1), tally);
  assert.equal(drawn, 1);
  assert.equal(reckoning.about(deed(0))[0].title, "Hit");
  assert.equal(asked.length, 2);
  assert.match(asked[1][0], /why\/20/); // the one in between is passed over
  reckoning.forget();
  assert.equal(reckoning.of(1), null);
  assert.deepEqual(reckoning.about(/** @type {any} */ ({ n: 30, lines: [{ n: 30, kind: EVENT.RULE, args: [] }] })), []); // no dice, no question
});

test("what comes too late is asked for again, ever later, and anew when somebody opens the deed", async () => {
  let asked = 0, drawn = 0, late = true;
  /** @type {any} */ (globalThis).fetch = async () => { asked += 1; return { ok: true, json: async () => ({ sums: [], tallies: [], late }) }; };
  const reckoning = new Reckoning(book, "t", () => new URLSearchParams(), () => { drawn += 1; });
  reckoning.pause = 1;
  reckoning.about(deed(0));
  await new Promise((done) => setTimeout(done, 80));
  reckoning.about(deed(0)); // as each drawing does
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual([asked, drawn], [4, 0]);
  late = false;
  reckoning.look(deed(0));
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual([asked, drawn], [5, 1]);
});
