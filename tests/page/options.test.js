// Options: equal ones once, grouped by what is done; questions without names of variables.
import assert from "node:assert/strict";
import { test } from "node:test";
import { headline } from "../../src/rulewright/serve/page/headline.js";
import { learn } from "../../src/rulewright/serve/page/names.js";
import { about, grouped, litBy, question, ordered, scores } from "../../src/rulewright/serve/page/options.js";
import { doneIn, partsOf } from "../../src/rulewright/serve/page/verbs.js";
import { patched } from "../../src/rulewright/serve/page/api.js";

/** @param {number} index @param {number} verb @param {string} text @param {any[]} [things] */
const option = (index, verb, text, things = []) => ({ index, verb, text, things });
const wolf = { kind: "Actor", id: 1, name: "Wolf" };

/** @type {any[]} */
const VERBS = [{ text: "pass" }, { text: "decline" }, { text: "step to {0}", args: ["Space"] }, { text: "stop here" }, { text: "Hit: {0}", args: ["Actor"] }, { text: "{1}: Shove: {0}", args: ["Actor", "Actor"] }, { text: "{0}: Brace", args: ["Actor"] }];
const named = (/** @type {string[]} */ ...names) => names.map((name, id) => ({ kind: "Actor", id, name }));

test("the actor in front is not what is done, and a name with a colon is one name", () => {
  const own = new Set(["Raven"]), hatch = [{ kind: "Actor", id: 3, name: "Hatch: Left" }];
  assert.deepEqual(partsOf(option(0, 5, "Raven: Shove: Wolf", named("Wolf", "Raven")), own, VERBS), { by: "Raven", head: "Shove", rest: "Wolf" });
  assert.deepEqual(partsOf(option(0, 6, "Raven: Brace", named("Raven")), own, VERBS), { by: "Raven", head: "", rest: "Brace" });
  assert.deepEqual(partsOf(option(0, 4, "Hit: Wolf", [wolf]), own, VERBS), { by: "", head: "Hit", rest: "Wolf" });
  assert.deepEqual(partsOf(option(0, 4, "Hit: Hatch: Left", hatch), own, VERBS), { by: "", head: "Hit", rest: "Hatch: Left" });
  assert.deepEqual(doneIn(VERBS[5], "Raven: Shove: Hatch: Left"), { head: "Shove", rest: "Hatch: Left" });
  assert.deepEqual(doneIn(VERBS[6], "Raven: Brace"), { head: "Brace", rest: "" });
});

test("equal options are one, and what ends the turn stands last", () => {
  const bear = { kind: "Actor", id: 2, name: "Bear" };
  const groups = grouped([option(0, 0, "pass"), option(1, 4, "Hit: Wolf", [wolf]), option(2, 4, "Hit: Wolf", [wolf]), option(3, 4, "Hit: Bear", [bear])], null, "", new Set(), VERBS);
  assert.deepEqual(groups.map((g) => [g.head, g.equal.map((e) => e.length)]), [["Hit", [2, 1]], ["", [1]]]);
  assert.equal(grouped([option(0, 0, "pass"), option(1, 4, "Hit: Wolf", [wolf])], "Actor:1", "", new Set(), VERBS).length, 1);
  assert.equal(grouped([option(0, 4, "Hit: Wolf", [wolf]), option(1, 4, "Hit: Bear", [bear])], null, "bea", new Set(), VERBS)[0].equal[0][0].index, 1);
  assert.deepEqual([...litBy([option(1, 4, "Hit: Wolf", [wolf])]).keys()], ["Actor:1"]);
});

test("a question never shows the name of a variable", () => {
  const b = /** @type {any} */ ({ sheet: { sites: [{ title: "Deploy" }], verbs: [] } });
  const state = (/** @type {string} */ prompt, /** @type {any[]} */ options) => /** @type {any} */ ({ decision: { seat: 0, actor: -1, prompt, mine: true, options }, view: { seat: 0, actors: [], orders: [] }, log: [] });
  assert.equal(question(state("n", [option(0, 9, "1"), option(1, 9, "2")]), b), "Choose a number");
  assert.equal(question(state("goal", [option(0, 9, "ford", [{ kind: "Space", id: 0, name: "ford" }])]), b), "Choose a space");
  assert.equal(question(state("race", [option(0, 9, "Elf", [{ kind: "Race", id: 0, name: "Elf" }])]), b), "Choose a race");
  assert.equal(question(state("Deploy", [option(0, 9, "ford", [{ kind: "Space", id: 0, name: "ford" }])]), b), "Choose a space");
  const asks = { ...b, sheet: { ...b.sheet, verbs: [{ text: "pass" }, { text: "decline" }, { text: "lead {0}" }] } };
  assert.equal(question(state("who", [option(0, 2, "lead Ada", [{ kind: "Actor", id: 0, name: "Ada" }])]), asks), "Choose who to lead");
  assert.equal(question(state("become the target instead", [option(0, 1, "decline")]), b), "Become the target instead?");
});

test("what is under way is the card that was played, or the action, or the step that came after it", () => {
  learn([{ kind: 7, name: "RULE" }, { kind: 9, name: "STEP" }, { kind: 10, name: "CHOSEN" }]);
  const verbs = [{ text: "Play: {0}", args: ["Card"] }, { text: "{1}: Throw: {0}", args: ["Actor", "Actor"] }, { text: "step to {0}", args: ["Space"] }];
  const b = /** @type {any} */ ({ actions: ["Play", "Throw"], sheet: { sites: [], verbs, things: { Face: ["Leap"] } } });
  const ford = option(0, 9, "ford", [{ kind: "Space", id: 0, name: "ford" }]), step = { kind: 9, title: "Turn", text: "Ada: Turn, Rise", said: ["Rise"], args: [0] };
  const asked = (/** @type {any[]} */ log) => question(/** @type {any} */ ({ decision: { seat: 0, actor: -1, prompt: "path", mine: true, options: [ford] }, view: { seat: 0, orders: [], actors: [{ id: 0, name: "Ada", seat: 0, in_play: 1 }] }, log }), b);
  const chose = (/** @type {string} */ text, verb = 0) => ({ kind: 10, title: "", text: `chosen: ${text}`, said: [text], args: [verb] });
  assert.equal(asked([step, chose("Play: Leap"), chose("step to F1", 2)]), "Leap: choose a space");
  assert.equal(asked([step, chose("Ada: Throw: Wolf", 1)]), "Throw: choose a space");
  assert.equal(asked([chose("Play: Leap"), step]), "Rise: choose a space");
  const rule = (/** @type {number} */ who) => ({ kind: 7, title: "Play", text: "Play", args: [who] });
  assert.equal(asked([step, chose("Play: Leap"), rule(0)]), "Leap: choose a space");
  assert.equal(asked([step, rule(1)]), "Rise: choose a space"); // somebody else's deed
});

test("what a reaction answers is what somebody else did last, and never what is long over", () => {
  const b = /** @type {any} */ ({ actions: ["Hit"], looks: {}, sheet: { sites: [], verbs: [], fields: [], statuses: [], zones: [], things: {} } });
  const view = { seat: 0, orders: [], zones: [], spaces: [], actors: ["Ada", "Wolf"].map((name, id) => ({ id, name, seat: id ? -1 : 0, side: id, in_play: 1 })) };
  const rule = (/** @type {number} */ n, /** @type {number} */ who) => ({ n, kind: 7, title: "Hit", text: `${view.actors[who].name}: Hit`, args: [who, 0, 0, 0], cites: [] });
  const step = { n: 9, kind: 9, title: "Turn", text: "Ada: Turn, Response", said: ["Response"], args: [0, 1, 0, 0], cites: [] };
  const told = (/** @type {any[]} */ log) => about(/** @type {any} */ ({ view, log }), b);
  assert.match(told([rule(1, 0), rule(2, 1), step]), /^About to happen: .*Wolf.* Now: Ada: Turn, Response\.$/);
  assert.equal(told([rule(1, 1), rule(2, 0), step]), "Now: Ada: Turn, Response.");
  // Whoever is asked in somebody else's turn is told what it is about, too.
  const asked = (/** @type {number} */ now) => headline(/** @type {any} */ ({ decision: { seat: 0, actor: 0, prompt: "defend", mine: true, options: [option(0, 9, "Block")] }, players: [], waiting: [], seat: 0,
    view: { ...view, orders: [{ now, members: [0, 1] }] }, log: [rule(1, 1)] }), b)[1];
  assert.match(asked(1), /^About to happen: .*Wolf/);
  assert.equal(asked(0), "");
});

test("whoever can still act is asked, and whoever is still to come", () => {
  const b = /** @type {any} */ ({ sheet: { sites: [], verbs: VERBS } });
  const actors = ["Ash", "Oak"].map((name, id) => ({ id, name, seat: 0, side: 0, in_play: 1 }));
  const state = (/** @type {any} */ decision, view = {}) => /** @type {any} */ ({ decision: { seat: 0, actor: 0, mine: true, ...decision }, view: { seat: 0, actors, orders: [], ...view }, log: [] });
  assert.equal(question(state({ prompt: "act", options: [option(0, 5, "Oak: Shove: Wolf", named("Wolf", "Oak")), option(1, 0, "pass")] }), b), "Oak: choose an action");
  assert.equal(question(state({ prompt: "act", options: [option(0, 5, "Oak: Shove: Wolf", named("Wolf", "Oak")), option(1, 6, "Ash: Brace", named("Ash"))] }), b), "Your turn: choose an action");
  const away = [{ ...actors[0], in_play: 0 }];
  assert.equal(question(state({ prompt: "Where to begin", options: [option(0, 9, "ford", [{ kind: "Space", id: 0, name: "ford" }])] }, { actors: away }), b), "Ash: choose a space");
  assert.equal(question(state({ prompt: "Where to begin", options: [option(0, 9, "A) Walk in")] }, { actors: away }), b), "Where to begin: choose one");
});

test("differences are put into what was known, and leave the rest as it was", () => {
  const known = { version: 1, view: { actors: [{ id: 0, place: 1 }, { id: 1, place: 2 }], spare: { a: 1 } } };
  const made = patched(known, { "~": { version: 2, view: { "~": { actors: { "~": { 1: { "~": { place: 5 } } } } }, "-": ["spare"] } } });
  assert.deepEqual(made, { version: 2, view: { actors: [{ id: 0, place: 1 }, { id: 1, place: 5 }] } });
  assert.equal(made.view.actors[0], known.view.actors[0]);
  assert.deepEqual(patched([1, 2, 3], { "~": { 0: 9 }, "#": 2 }), [9, 2]);
  assert.deepEqual(patched([1], { "~": { 1: 2, 2: 3 }, "#": 3 }), [1, 2, 3]);
});

test("what helps stands first, gifts behind, then what ends the turn, then what nothing would come of", () => {
  const group = (/** @type {string} */ text, verb = 9) => ({ by: "", head: text, equal: [[{ index: 0, verb, text, things: [] }]] });
  const all = [group("vain"), group("gift"), group("strike"), group("pass", 0)];
  const sorted = ordered(all, () => 0, (o) => o.text === "vain", (o) => o.text === "gift");
  assert.deepEqual(sorted.map((g) => g.head), ["strike", "gift", "vain", "pass"]);
  const left = ordered([group("vain"), group("pass", 0)], () => 0, (o) => o.text === "vain", () => false);
  assert.deepEqual(left.map((g) => g.head), ["pass", "vain"]);
  const inside = ordered([{ by: "", head: "Hit", equal: ["a", "b", "c"].map((text) => [option(0, 9, text)]) }], (o) => "cab".indexOf(o.text), () => false, (o) => o.text === "b");
  assert.deepEqual(inside[0].equal.map((e) => e[0].text), ["a", "c", "b"]);
});

test("options worded alike stand together by their verb", () => {
  const verbs = [{ text: "pass" }, { text: "step to {0}", args: ["Space"] }, { text: "{0}: Brace", args: ["Actor"] }];
  assert.deepEqual(partsOf(option(0, 1, "step to Old Ford", [{ kind: "Space", id: 0, name: "Old Ford" }]), new Set(), verbs), { by: "", head: "step to", rest: "Old Ford" });
  assert.deepEqual(partsOf(option(0, 2, "Ada: Brace", named("Ada")), new Set(["Ada"]), verbs), { by: "Ada", head: "", rest: "Brace" });
});

test("a result tells each seat's rank and number, where they say more than who has won", () => {
  const players = ["Ada", "Bo", "Cy"].map((name) => ({ name }));
  const told = (/** @type {any} */ result) => scores(/** @type {any} */ ({ result, players }));
  assert.equal(told({ ending: "Closed", scores: [0, 1, 0], ranks: [2, 1, 3], points: [10, 29, -1] }), "Ada: lost (rank 2, 10) · Bo: won (rank 1, 29) · Cy: lost (rank 3, -1)");
  assert.equal(told({ ending: "Closed", scores: [0, 1, 1], ranks: [3, 1, 1] }), "Ada: lost · Bo: won · Cy: won");
  assert.equal(told(null), "");
});
