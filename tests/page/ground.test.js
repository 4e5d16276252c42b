// What things look like: by front matter, by a column of a table, by themselves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hueOfColour } from "../../src/rulewright/serve/page/covers.js";
import { drawn, iconOf, look } from "../../src/rulewright/serve/page/ground.js";

const sheet = { things: { Terrain: ["Clear", "Bog", "Wall"], Face: ["Lamp"], Status: [] }, columns: { Terrain: { Icon: ["", "waves", ""], Tint: ["", "water", ""] }, Face: { Icon: ["M1 1l2 2z"] } } };
const bare = /** @type {any} */ ({ looks: {}, sheet: { things: sheet.things, columns: {} } });
const tabled = /** @type {any} */ ({ looks: {}, sheet });
const said = /** @type {any} */ ({ looks: { icons: { Wolf: "dog", Bog: "flame", Knight: "♞" }, tints: { Bog: "ember" }, textures: { Bog: "ticks" }, pictures: { gate: "M3 3h9z" } }, sheet });

test("a table's columns say how a thing looks, front matter goes first", () => {
  assert.match(iconOf(tabled, "Bog"), /path/);
  assert.equal(iconOf(tabled, "Lamp"), '<path d="M1 1l2 2z" />');
  assert.deepEqual([look(tabled, 1, 0).tint, look(said, 1, 0).tint, look(said, 1, 0).texture], ["t3", "t0", "ticks"]);
  assert.notEqual(iconOf(said, "Bog"), iconOf(tabled, "Bog"));
});

test("a number behind a name changes nothing; signs and own pictures are drawn", () => {
  assert.equal(iconOf(said, "Wolf 2"), iconOf(said, "Wolf"));
  assert.match(iconOf(said, "Knight"), />♞</);
  assert.equal(drawn(said, "gate"), '<path d="M3 3h9z" />');
  assert.equal(drawn(said, "<script>"), "");
  assert.equal(drawn(said, 'M0 0" onload="x'), "");
});

test("without a word kinds of ground differ, and the commonest is plain", () => {
  const [clear, bog, wall] = [0, 1, 2].map((kind) => look(bare, kind, 0));
  assert.deepEqual([clear.tint, clear.texture], ["plain", ""]);
  assert.notDeepEqual([bog.tint, bog.texture], [wall.tint, wall.texture]);
});

test("the hue of a colour", () => {
  assert.deepEqual(["#f00", "#00ff00", "#00f", "#777"].map(hueOfColour), [0, 120, 240, 30]);
});
