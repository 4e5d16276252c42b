// Lines of a log -> deeds and sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, ledger, sentence } from "../../src/rulewright/serve/page/sentence.js";
import { deedsOf, outcomes, rolls } from "../../src/rulewright/serve/page/tell.js";
import { isPlain } from "../../src/rulewright/serve/page/caption.js";
import { EVENT, learn } from "../../src/rulewright/serve/page/names.js";

learn(["FORCED", "CHANGE", "ROLL", "CARD", "PLACE", "STATUS", "RULE", "SAY", "STEP", "CHOSEN", "PLAY", "END", "PICK"].map((name, i) => ({ name, kind: i + 1 })));
/** What the server says a line is about. */
const ABOUT = { FORCED: /: (.*)/, CHOSEN: /: (.*)/, STEP: /, (.*)/, CARD: /(.*) moves/, PLACE: / moves to (.*)/, PICK: /(.*) is picked/ };
const about = (/** @type {number} */ kind, /** @type {string} */ text) => {
  const found = Object.entries(ABOUT).find(([name]) => EVENT[name] === kind), said = found && text.match(found[1]);
  return said ? { said: [said[1], ...(said[1].match(/a hidden card/) || [])] } : {};
};

const b = /** @type {any} */ ({
  looks: { life: "Health", turn: "Turn" },
  sheet: {
    verbs: [{ text: "pass" }, { text: "decline" }, { text: "step to {0}", args: ["Space"] }, { text: "stop here" }, { text: "Strike: {0}", args: ["Actor"] }],
    fields: [
      { name: "Health", of: ["Actor"], counts: [3], holds: null, low: 0, high: 1e9, shown: true },
      { name: "Lies At", of: ["Card"], counts: [200], holds: "Space", low: -1, high: 1e9, shown: true },
      { name: "Mana", of: ["Actor"], counts: [3], holds: null, low: 0, high: 1e9, shown: true },
    ],
    things: { Strategy: ["Aggressive"], Space: ["ford", "cart"] }, statuses: [{ name: "Bleeding" }], sites: [], zones: [], columns: {}, maps: [], dice: [],
  },
});
const view = /** @type {any} */ ({
  seat: 0, spaces: [{ id: 0, name: "ford", fields: {} }, { id: 1, name: "cart", fields: {} }],
  actors: ["Raven", "Goblin", "Wolf"].map((name, id) => ({ id, name, side: id ? 1 : 0, seat: id ? -1 : 0, fields: {}, statuses: [] })),
});
let n = 0;
/** @param {number} kind @param {number[]} args @param {string} text @param {string} [title] */
const line = (kind, args, text, title = "") => ({ n: (n += 1), kind, args: [...args, 0, 0, 0, 0].slice(0, 4), text, ...about(kind, text), title, cites: [], file: "", line: 0 });
const turn = (/** @type {number} */ who) => line(EVENT.STEP, [who, 0], `${view.actors[who].name}: Turn, Act`, "Turn");

test("an enemy's turn is told deed by deed, in order, without the plans behind it", () => {
  const lines = [
    turn(1),
    line(EVENT.SAY, [0, 1], "Goblin: Advance", "Aggressive"),
    line(EVENT.RULE, [1, -1], "Goblin: Move", "Move"), line(EVENT.PLACE, [1, 0, 1], "Goblin moves to cart", "Step"),
    line(EVENT.SAY, [0, 1], "Goblin: Attack", "Aggressive"),
    line(EVENT.RULE, [1, 0], "Goblin: Stab at Raven", "Stab"), line(EVENT.ROLL, [20, 18], "rolled 19 on a d20", "Hits"),
    line(EVENT.CHANGE, [0, 0, 17, 11], "Raven: Health 17 -> 11", "Stab"),
    line(EVENT.SAY, [0, 1], "Goblin: Done", "Aggressive"),
  ];
  const deeds = deedsOf(lines, b, view);
  assert.deepEqual(deeds.map((d) => sentence(d, b, view)), [
    "Goblin's turn", "Goblin: Move to cart.", "Goblin: Stab at Raven. Raven loses 6 Health (11 left).",
  ]);
  assert.equal(deeds[2].target, 0);
  assert.equal(rolls(deeds[2])[0].dice.length, 1);
});

test("a sequence inside a deed does not end it, the next step of the turn does", () => {
  const lines = [
    turn(0), line(EVENT.CHOSEN, [4, 1, 0], "chosen: Strike: Goblin"), line(EVENT.RULE, [0, 1], "Raven: Strike at Goblin", "Strike"),
    line(EVENT.STEP, [0, 0], "Raven: Attack, Damage", "Attack"), line(EVENT.SAY, [0, 0, 1], "Raven hits Goblin for 4", "Attack"),
    line(EVENT.CHANGE, [0, 1, 4, 0], "Goblin: Health 4 -> 0", "Attack"), line(EVENT.PLAY, [1, 0], "Goblin leaves play", "Attack"),
    line(EVENT.STEP, [0, 1], "Raven: Turn, End", "Turn"), line(EVENT.SAY, [0, 0], "Raven bleeds for 1", "End"),
  ];
  const told = deedsOf(lines, b, view).map((d) => sentence(d, b, view));
  assert.deepEqual(told.slice(1), [
    "Raven: Strike: Goblin. Raven hits Goblin for 4. Goblin loses the last 4 Health and is out of play.", "Raven bleeds for 1.",
  ]);
});

test("a pass that was the only option says so", () => {
  const [, pass] = deedsOf([turn(0), line(EVENT.FORCED, [0, -1, -1, -1], "only option: pass")], b, view);
  assert.equal(pass.kind, "pass");
  assert.equal(pass.forced, true);
  assert.match(sentence(pass, b, view), /Nothing else can be done: Raven's turn ends/);
});

test("no line shows a number where a name should be", () => {
  assert.equal(ledger(line(EVENT.CHANGE, [1, 107, -1, 1], "card 107: Lies At none -> spot 2"), b, view), "");
  assert.equal(ledger(line(EVENT.CHANGE, [2, 0, 1, 3], "Raven: Mana 1 -> 3"), b, view), "Raven: Mana 1 → 3");
});

test("a card and a laid space are called what they were called then", () => {
  const lies = (/** @type {number[]} */ args, /** @type {string[]} */ ...said) => ledger({ ...line(EVENT.CHANGE, args, ""), said }, b, view);
  assert.equal(lies([1, 107, -1, 1], "Healing Potion", "nothing", "(3,-1)"), "Healing Potion: Lies At: (3,-1)");
  assert.equal(lies([1, 107, 0, -1], "Healing Potion", "(0,0)", "nothing"), "Healing Potion: Lies At (0,0) → none");
  const [deed] = deedsOf([line(EVENT.RULE, [1, -1], "Goblin: Move", "Move"), line(EVENT.PLACE, [1, 0, 1], "Goblin moves to (2,2)", "Step")], b, view);
  assert.equal(sentence(deed, b, view), "Goblin: Move to (2,2).");
});

const cards = /** @type {any} */ ({
  ...b, actions: ["Play"], sheet: {
    ...b.sheet, sites: [{ title: "Play" }, { title: "Suffer" }],
    verbs: [...b.sheet.verbs.slice(0, 4), { text: "Play: {0}", args: ["Card"], site: 0 }, { text: "discard {0}", args: ["Card"], site: 1 }, { text: "done", args: [] }],
    fields: [...b.sheet.fields, { name: "Spent", of: ["Actor"], counts: [3], holds: null, low: 0, high: 9, shown: true, price: 1 }],
  },
});
const seated = /** @type {any} */ ({ ...view, actors: view.actors.map((/** @type {any} */ a) => ({ ...a, seat: a.id })) });
const by = (/** @type {number} */ seat, /** @type {any} */ made) => ({ ...made, by: seat });
const plays = () => [
  turn(0), by(0, line(EVENT.CHOSEN, [4, -1], "chosen: Play: a hidden card")), line(EVENT.RULE, [0, 1], "Raven: Play at Goblin", "Play"),
  line(EVENT.CARD, [7, 1, 2], "Feint moves from Raven's Hand to Raven's Table", "Play"), line(EVENT.CHANGE, [3, 0, 0, 2], "Raven: Spent 0 -> 2", "Play"),
];

test("how the server words a line tells nothing: only what a book says is read from its words", () => {
  const worded = [...plays(), line(EVENT.PLACE, [1, 0, 1], "Goblin moves to (2,2)", "Step"), line(EVENT.PICK, [0, 1], "ford is picked at random", "Step")];
  const silent = worded.map((l) => ({ ...l, text: "" })), told = (/** @type {any[]} */ lines) => deedsOf(lines, cards, seated).map((d) => sentence(d, cards, seated));
  assert.ok(told(worded).some((text) => text.includes("Feint")));
  assert.deepEqual(told(silent), told(worded).map((text) => text.replace(" Ford is picked at random.", "")));
});

test("a card that was chosen unseen has its name once it is shown, and its price is no news", () => {
  const told = (/** @type {any[]} */ ...more) => deedsOf([...plays(), ...more], cards, seated).slice(1).map((d) => sentence(d, cards, seated));
  assert.deepEqual(told(), ["Raven: Play: Feint."]);
  assert.deepEqual(told(line(EVENT.CHANGE, [2, 0, 1, 3], "Raven: Mana 1 -> 3", "Feint")), ["Raven: Play: Feint. Mana 1 → 3."]);
});

test("who answers an attack has done so themselves, and until then nothing has missed", () => {
  const told = (/** @type {(() => any)[]} */ ...more) => {
    const lines = [...plays(), line(EVENT.ROLL, [6, 3], "rolled 4 on a d6", "Attack"), ...more.map((make) => make())];
    return deedsOf(lines, cards, seated).slice(1).map((d) => sentence(d, cards, seated));
  };
  assert.deepEqual(told(), ["Raven: Play: Feint. No effect: it misses."]);
  const away = () => by(1, line(EVENT.CHOSEN, [5, 8], "chosen: discard Dust")), done = () => by(1, line(EVENT.CHOSEN, [6], "chosen: done"));
  assert.deepEqual(told(away, away, done), ["Raven: Play: Feint.", "Goblin: discard Dust ×2."]);
  assert.deepEqual(told(done, () => line(EVENT.CHANGE, [2, 1, 1, 3], "Goblin: Mana 1 -> 3", "Suffer")), ["Raven: Play: Feint.", "Goblin: Mana 1 → 3."]);
  assert.deepEqual(told(done), ["Raven: Play: Feint.", ""]); // that nothing was done is no deed
});

test("the end of a turn in the book's words, what ends for several, and one way said once", () => {
  const lines = [turn(0), line(EVENT.CHOSEN, [0], "chosen: pass"), line(EVENT.STEP, [-1, 1], "Round, End", "Round"), line(EVENT.SAY, [0, 0], "Raven ends the turn", "Turn")];
  assert.deepEqual(deedsOf(lines, b, view).map((d) => sentence(d, b, view)).slice(1), ["Raven ends the turn."]);
  const ends = [0, 1, 2].map((id) => line(EVENT.STATUS, [0, id, 0, 0], "Bleeding ends"));
  assert.deepEqual(deedsOf(ends, b, view).map((d) => sentence(d, b, view)), ["Bleeding ends for Raven, Goblin and Wolf."]);
  const goes = [line(EVENT.SAY, [0, 1], "Goblin moves up", "March"), line(EVENT.PLACE, [1, 0, 1], "Goblin moves to cart", "March")];
  assert.deepEqual(deedsOf(goes, b, view).map((d) => sentence(d, b, view)), ["Goblin moves up to cart."]);
});

test("what came of a deed is summed up, back and forth is nothing", () => {
  const [deed] = deedsOf([
    line(EVENT.RULE, [0, 1], "Raven: Push at Goblin", "Push"), line(EVENT.CHANGE, [2, 0, 3, 2], ""), line(EVENT.CHANGE, [2, 0, 2, 3], ""),
    line(EVENT.PLACE, [1, 0, 1], ""), line(EVENT.STATUS, [0, 1, 2, 0], ""),
  ], b, view);
  const out = outcomes(deed, b, view);
  assert.deepEqual(out.changes, []);
  assert.deepEqual(out.moves.map(({ id, from, to }) => [id, from, to]), [[1, 0, 1]]);
  assert.equal(out.statuses[0].name, "Bleeding");
});

test("dice of two rules are two rolls, and so are those of which different things became", () => {
  const hits = [line(EVENT.ROLL, [20, 18], "rolled 19 on a d20", "Hits"), line(EVENT.ROLL, [6, 3], "rolled 4 on a d6", "Stab")];
  const pool = [1, 2, 3].map((face) => line(EVENT.ROLL, [10, face], "rolled", "Pool"));
  const [deed] = deedsOf([line(EVENT.RULE, [1, 0], "Goblin: Stab at Raven", "Stab"), ...hits, ...pool], b, view);
  assert.deepEqual(rolls(deed).map((g) => g.dice.length), [1, 1, 3]);
  const [first, second] = [{ text: "a" }, { text: "b" }];
  const told = rolls(deed, (n) => (n === pool[0].n ? first : pool.some((l) => l.n === n) ? second : null));
  assert.deepEqual(told.map((g) => [g.dice.length, g.tally]), [[1, null], [1, null], [1, first], [2, second]]);
});

test("a miss is told with a word, unless the book has one or something else came of it", () => {
  const tries = (/** @type {any[]} */ ...more) => deedsOf([line(EVENT.RULE, [1, 0], "Goblin: Stab at Raven", "Stab"), line(EVENT.ROLL, [20, 1], "rolled 2 on a d20", "Hits"), ...more], b, view);
  const told = (/** @type {any[]} */ ...more) => sentence(tries(...more)[0], b, view);
  assert.equal(told(), "Goblin: Stab at Raven. No effect: it misses.");
  assert.equal(told(line(EVENT.CHANGE, [2, 1, 4, 3], "Goblin: Mana 4 -> 3", "Stab")), "Goblin: Stab at Raven. No effect: it misses.");
  assert.doesNotMatch(told(line(EVENT.SAY, [0, 1, 0], "Goblin misses Raven", "Stab")), /No effect/);
  assert.doesNotMatch(told(line(EVENT.CHANGE, [0, 0, 9, 8], "Raven: Health 9 -> 8", "Stab")), /No effect/);
  assert.doesNotMatch(told(line(EVENT.STATUS, [0, 0, 1, 0], "Raven: Bleeding", "Stab")), /No effect/);
});

test("who has fallen is out of play, who only goes leaves the board, all in one word", () => {
  const lines = [
    line(EVENT.RULE, [1, 0], "Goblin: Stab at Raven", "Stab"), line(EVENT.ROLL, [6, 3], "rolled 4 on a d6", "Stab"), line(EVENT.CHANGE, [0, 0, 4, 0], "Raven: Health 4 -> 0", "Stab"),
    line(EVENT.PLAY, [0, 0], "Raven leaves play", "Falls"), line(EVENT.PLAY, [1, 0], "Goblin leaves play", "End"), line(EVENT.PLAY, [2, 0], "Wolf leaves play", "End"),
  ];
  const [deed] = deedsOf(lines, b, view);
  assert.equal(sentence(deed, b, view), "Goblin: Stab at Raven. Raven loses the last 4 Health and is out of play. Goblin and Wolf leave the board.");
  assert.equal(rolls(deed)[0].step, "Stab");
});

test("whoever reads what they chose themselves is called you, whoever watches reads the name", () => {
  const own = /** @type {any} */ ({ ...b, sheet: { ...b.sheet, verbs: [...b.sheet.verbs.slice(0, 4), { text: "{0}", args: [] }] } });
  const deed = /** @type {any} */ ({ n: 0, end: 0, kind: "choice", who: -1, by: 0, target: -1, words: [{ text: "Chosen: Ford", said: ["Ford"], args: [4] }], rule: null, said: [], lines: [], midway: false });
  const told = (/** @type {number|null} */ seat) => sentence(deed, own, /** @type {any} */ ({ seat, actors: [], players: ["Ada"], spaces: [] }));
  assert.deepEqual([told(0), told(null)], ["You choose Ford.", "Ada: Ford."]);
});

test("a sum that only repeats a change is left out", () => {
  const deed = /** @type {any} */ ({ n: 0, end: 0, kind: "rule", who: 0, lines: [line(EVENT.CHANGE, [0, 1, 8, 2], "")] });
  assert.deepEqual(["8 - 6 = 2", "3 + 4 + 2 = 9", "14 + 5 >= 11: hit"].map((text) => isPlain(text, deed, b, view)), [true, false, false]);
});

test("what came of a deed is told in its order, whoever it befalls named once, and not what the book has said", () => {
  const lines = [
    line(EVENT.RULE, [1, 0], "Goblin: Mad Stab on Raven", "Mad Stab"), line(EVENT.SAY, [0, 1, 0], "Goblin attacks Raven with Mad Stab", "Attack"),
    line(EVENT.SAY, [1, 1, 0], "Goblin scores 2 against 1", "Attack"), line(EVENT.CHANGE, [0, 0, 4, 0], "", "Attack"), line(EVENT.STATUS, [0, 0, 1, 0], "", "Attack"),
    line(EVENT.SAY, [2, 0], "Raven leaves the fight", "Falls"), line(EVENT.PLAY, [0, 0], "Raven leaves play", "Falls"),
  ];
  const [deed] = deedsOf(lines, b, view);
  assert.equal(sentence(deed, b, view), "Goblin attacks Raven with Mad Stab and scores 2 against 1. Raven loses the last 4 Health, gets Bleeding and leaves the fight.");
  assert.equal(brief(deed, b, view), "Raven falls to Goblin's Mad Stab.");
});

test("what a rule says before it asks is no part of the deed before", () => {
  const asks = /** @type {any} */ ({ ...b, sheet: { ...b.sheet, verbs: [...b.sheet.verbs.slice(0, 4), { text: "Strike: {0}", args: ["Actor"], site: 0 }, { text: "A) Rest", args: [], site: 1 }], sites: [{ title: "Strike" }, { title: "Scene 2" }] }, actions: ["Strike"] });
  const blow = [
    line(EVENT.CHOSEN, [4, 1, 0], "chosen: Strike: Goblin"), line(EVENT.RULE, [0, 1], "Raven: Strike at Goblin", "Strike"), line(EVENT.CHANGE, [0, 1, 4, 0], "", "Strike"),
    line(EVENT.SAY, [0, 0], "A healer waits on the far side.", "Scene 2"),
  ];
  const told = (/** @type {any[]} */ lines, /** @type {number} */ verb) => deedsOf(lines, asks, view, verb).map((d) => sentence(d, asks, view));
  const [first, second] = told(blow, 5); // it is still asked
  assert.equal(first, "Raven: Strike: Goblin. Goblin loses the last 4 Health.");
  assert.equal(second, "A healer waits on the far side.");
  assert.deepEqual(told([...blow, { ...line(EVENT.CHOSEN, [5, -1], "chosen: A) Rest"), by: 0 }], -1).slice(0, 2), [first, second]);
});

test("who strikes twice does two deeds, each with what came of it", () => {
  const blow = (/** @type {number} */ face, /** @type {string} */ came) => [
    line(EVENT.STEP, [1, 7], "Goblin: Attack, Attack roll", "Attack"), line(EVENT.SAY, [0, 1, 0], "Goblin attacks Raven", "Attack"), line(EVENT.ROLL, [20, face], `rolled ${face + 1} on a d20`, "Attack"),
    line(EVENT.STEP, [1, 8], "Goblin: Attack, Result", "Attack"), line(EVENT.SAY, [1, 1, 0], came, "Attack"),
  ];
  const lines = [turn(1), line(EVENT.RULE, [1, 0], "Goblin: Bite at Raven", "Bite"), ...blow(2, "Goblin misses Raven"), ...blow(17, "Goblin misses Raven")];
  const deeds = deedsOf(lines, b, view).slice(1);
  assert.deepEqual(deeds.map((d) => [d.who, d.target, sentence(d, b, view)]), [
    [1, 0, "Goblin: Bite at Raven. Goblin attacks Raven and misses Raven."], [1, 0, "Goblin attacks Raven and misses Raven."],
  ]);
  assert.deepEqual(deeds.map((d) => rolls(d).length), [1, 1]);
});

test("a card that was hidden when it was chosen is named once it lies open, whichever rule moved it", () => {
  const zones = [{ name: "Hand", of: "Actor", seen: "owner" }, { name: "Table", of: "Actor", seen: "all" }];
  const verbs = [...b.sheet.verbs, { text: "{0}", args: ["Card"], site: -1 }];
  const cards = { ...b, sheet: { ...b.sheet, zones, verbs, things: { ...b.sheet.things, Actor: ["Raven", "Goblin", "Wolf"] } } };
  const seated = { ...view, players: ["Ada", "Bo"], actors: view.actors.map((/** @type {any} */ a) => ({ ...a, seat: a.id })) };
  const chosen = () => ({ ...line(EVENT.CHOSEN, [5, -1], "chosen: a hidden card"), by: 1 });
  const told = (/** @type {any[]} */ some) => deedsOf(some, cards, seated).map((d) => sentence(d, cards, seated));
  assert.deepEqual(told([chosen(), line(EVENT.CARD, [9, 2, 5], "KD moves from Goblin's Hand to Goblin's Table", "Lay")]), ["Goblin: KD."]);
  // What another turns up, or what goes on being hidden, is not it.
  assert.deepEqual(told([chosen(), line(EVENT.CARD, [9, 3, 6], "KD moves from Wolf's Hand to Wolf's Table", "Lay")]), ["Goblin: a hidden card."]);
  assert.deepEqual(told([chosen(), line(EVENT.CARD, [-1, 2, 5], "a card moves", "Lay"), line(EVENT.CARD, [9, 2, 5], "KD moves from Goblin's Hand to Goblin's Table", "Lay")]), ["Goblin: a hidden card."]);
});

test("of very many choices in one deed the first and the last are told", () => {
  const many = Array.from({ length: 12 }, (_, i) => line(EVENT.CHOSEN, [5, i], `chosen: ${i % 2 ? "take off" : "put on"} bow`));
  const wearing = { ...b, sheet: { ...b.sheet, verbs: [...b.sheet.verbs, { text: "put on {0}", args: ["Card"] }] } };
  const [deed] = deedsOf(many, wearing, view);
  assert.equal(sentence(deed, wearing, view), "Put on bow, take off bow, put on bow, 7 more, put on bow, take off bow.");
});

test("what befalls somebody by themselves is told without a doer", () => {
  const lines = [turn(0), line(EVENT.CHANGE, [0, 0, 1, 0], "Raven: Health 1 -> 0", ""), line(EVENT.PLAY, [0, 0], "Raven leaves play", "")];
  const deed = deedsOf(lines, b, view)[1];
  assert.equal(brief(deed, b, view), "Raven falls.");
});

test("a way by spaces is told by where it leads, what chance has chosen at once, and who comes gains nothing", () => {
  const ways = { ...b, sheet: { ...b.sheet, verbs: [...b.sheet.verbs, { text: "{0}", args: ["Space"] }] } };
  const told = (/** @type {any[]} */ lines) => deedsOf(lines, ways, view).map((d) => sentence(d, ways, view));
  const going = [turn(1), line(EVENT.CHOSEN, [5, 1], "chosen: cart"), line(EVENT.PLACE, [1, 0, 1], "Goblin moves to cart")];
  assert.deepEqual(told(going).slice(1), ["Goblin moves to cart."]);
  // Where it leads elsewhere, or nowhere, what was chosen is told.
  assert.deepEqual(told(going.slice(0, 2)).slice(1), ["Goblin, Act: cart."]);
  const comes = [line(EVENT.SAY, [0], "The gate opens"), line(EVENT.PLAY, [2, 1], "Wolf enters play"), line(EVENT.CHANGE, [0, 2, -27, 7], "Wolf: Health -27 -> 7"), line(EVENT.PLACE, [2, -1, 1], "Wolf moves to cart")];
  assert.deepEqual(told(comes), ["The gate opens. Wolf appears at cart."]);
  const picks = ["ford", "cart", "mill"].map((name, i) => line(EVENT.PICK, [0, i], `${name} is picked at random`));
  assert.deepEqual(told(picks), ["Ford, cart and mill are picked at random."]);
});
