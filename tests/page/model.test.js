// A table as it comes in: what is told of it, in which order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../src/rulewright/serve/page/model.js";
import { EVENT, learn } from "../../src/rulewright/serve/page/names.js";

learn(["FORCED", "CHANGE", "ROLL", "CARD", "PLACE", "STATUS", "RULE", "SAY", "STEP", "CHOSEN", "PLAY", "END"].map((name, i) => ({ name, kind: i + 1 })));
const page = /** @type {any} */ (globalThis);
page.document = { hidden: true, title: "", body: { classList: { toggle() {}, remove() {} } }, querySelector: () => null };
page.window = page;
page.matchMedia = () => ({ matches: true });

const book = /** @type {any} */ ({
  name: "b", title: "B", looks: { life: "Health" }, actions: [], guide: null,
  sheet: { verbs: [{ text: "pass" }], fields: [], things: { Strategy: [] }, statuses: [], sites: [], zones: [], columns: {}, maps: [], dice: [] },
});
const view = { seat: 0, seats: 1, spaces: [], zones: [], orders: [], fields: {}, things: {}, actors: ["Ada", "Bo"].map((name, id) => ({ id, name, side: id, seat: id, in_play: 1, place: -1, fields: {}, statuses: [] })) };
const said = (/** @type {number} */ n) => ({ n, kind: EVENT.SAY, args: [0, 1, 0, 0], text: `Bo says ${n}`, title: "", cites: [], file: "", line: 0 });
const ran = (/** @type {number} */ n) => ({ n, kind: EVENT.RULE, args: [1, -1, 0, 0], text: `Bo: does ${n}`, title: `Deed ${n}`, cites: [], file: "", line: 0 });
const state = (/** @type {number} */ version, /** @type {any[]} */ log) => /** @type {any} */ ({
  version, log, lines: log.length ? log[log.length - 1].n + 1 : 0, seat: 0, players: [], waiting: [], decision: null, result: null, can_undo: false, since: 0, board: {}, view,
});

test("what is told stays in order when lines that were missed come later", async () => {
  const model = new Model(book, state(0, [ran(0), said(1)]), "t", null, () => {});
  page.fetch = async () => ({ ok: true, json: async () => [ran(2), said(3), said(4), said(5)] });
  model.take(state(1, [said(6), said(7)])); // lines 2 to 5 are missing
  assert.deepEqual(model.told.map((t) => t.n), [6]);
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(model.lines.length, 8);
  model.take(state(2, [said(8)])); // by now all of it is one deed, which began at 2
  const places = model.told.map((t) => t.n);
  assert.deepEqual(places, [...places].sort((a, c) => a - c));
  assert.match(model.told[model.told.length - 1].text, /Bo says 8/);
  model.close();
});

test("a choice that is on its way is not asked for again by the state it was made in", () => {
  const decision = { seat: 0, actor: 0, prompt: "act", mine: true, options: [{ index: 0, verb: 0, text: "pass", things: [] }] };
  const asking = (/** @type {number} */ version) => ({ ...state(version, [ran(0)]), decision });
  const model = new Model(book, asking(0), "t", null, () => {}), sent = /** @type {any[]} */ ([]);
  const line = /** @type {any} */ ({ socket: {}, send: (/** @type {any} */ said) => sent.push(said), close() {} });
  model.line = line;
  model.choose(0);
  model.take(asking(0)); // the line tells its first state a moment later
  model.choose(0);
  assert.equal(sent.length, 1);
  line.socket = {}; // it broke, and the choice with it
  model.take(asking(0));
  model.choose(0);
  assert.equal(sent.length, 2);
  model.close();
});
