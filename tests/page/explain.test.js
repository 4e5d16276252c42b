// What a book says of a name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { partAbout } from "../../src/rulewright/serve/page/explain.js";
import { phaseOf } from "../../src/rulewright/serve/page/sheets.js";

test("of a sentence that goes through several names only what concerns one is told", () => {
  const all = "On the map: Deep Mud takes two steps to enter, Reeds hide whoever can kneel, Hot Ash costs a point of Life, and what is Walled stays so.";
  assert.equal(partAbout(all, "Deep Mud"), "Deep Mud takes two steps to enter.");
  assert.equal(partAbout(all, "Reeds"), "Reeds hide whoever can kneel.");
  assert.equal(partAbout("Reeds hide whoever can kneel, and nobody else.", "Reeds"), "Reeds hide whoever can kneel, and nobody else.");
  assert.equal(partAbout(all, "Walled"), all);
});

test("where the match is: of the match itself and of a turn only the step is told", () => {
  const b = /** @type {any} */ ({ looks: {} });
  assert.equal(phaseOf(b, { title: "Match", text: "Match, Story", said: ["Story"] }), "Story");
  assert.equal(phaseOf(b, { title: "Company Turn", text: "Heroes: Company Turn, Act", said: ["Act"] }), "Heroes: Act");
  assert.equal(phaseOf(b, { title: "Attack", text: "Wolf: Attack, Damage", said: ["Damage"] }), "Wolf: Attack, Damage");
});

test("a list of names says nothing of any of them", () => {
  const list = "Five numbers describe a hero on the way through the dungeon: Lift (Lt), Think (Th), Balance (Bc), Move (Mv) and Lead (Ld).";
  assert.equal(partAbout(list, "Move"), list);
  assert.equal(partAbout(list, "Think"), list);
});
