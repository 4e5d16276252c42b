// What changed since your last choice: dice, cards turned up, then one line for each actor.
import { h } from "./dom.js";
import { EVENT, changed, hueOf, thingName } from "./names.js";
import { cardOf, dieOf, flip, isFlip } from "./dice.js";

export function since(root, state, b) {
  const told = gather(state, b);
  const key = JSON.stringify([told.rolls.map((l) => l.n), told.flips.map((l) => l.n), [...told.actors.entries()].map(([k, v]) => [k, v.map((c) => c.textContent)])]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  const tray = [...rolls(told.rolls, b).slice(-8), ...told.flips.slice(-8).map((l) => flip(b, cardOf(l)))];
  const lines = [...told.actors].map(([id, chips]) => h("li", { style: id >= 0 ? `--hue:${hueOf(state.view.actors[id], state.view)}` : null },
    h("b", { class: id >= 0 ? "who" : "who all" }, id >= 0 ? state.view.actors[id].name : "Match"), h("span", { class: "chips" }, chips)));
  root.replaceChildren(...[
    h("h2", {}, state.seat === null ? "Just now" : "Since your last choice"),
    tray.length ? h("div", { class: "tray", "aria-label": "Dice and cards turned up", role: "group" }, tray) : null,
    lines.length ? h("ul", {}, lines) : null,
    !tray.length && !lines.length ? h("p", { class: "quiet" }, "Nothing yet.") : null,
  ].filter(Boolean));
}

// Dice that were rolled together stand together, under the step they were rolled for.
function rolls(lines, b) {
  const groups = [];
  for (const line of lines) {
    const last = groups[groups.length - 1];
    if (last && last.end === line.n - 1) { last.dice.push(line); last.end = line.n; } else groups.push({ step: line.step, dice: [line], end: line.n });
  }
  return groups.map((g) => h("span", { class: "roll" }, g.dice.map((l) => dieOf(b, l)), h("small", {}, g.step || g.dice[0].title)));
}

// From the line of that choice on, so that what it led to is told as well.
function gather(state, b) {
  const own = [...state.log].reverse().filter((l) => l.kind === EVENT.CHOSEN && (state.seat === null || l.n < state.since));
  // A choice that only began something changed nothing: then what the one before it led to is told.
  for (const choice of own.slice(0, 6)) {
    const told = summed(state, b, state.log.filter((l) => l.n >= choice.n));
    if (told.rolls.length || told.flips.length || told.actors.size) return told;
  }
  return summed(state, b, own.length ? [] : state.log);
}

function summed(state, b, lines) {
  const net = new Map(), places = new Map(), statuses = new Map(), plays = new Map();
  const rolls = [], flips = [];
  let step = "";
  for (const l of lines) {
    const a = l.args;
    if (l.kind === EVENT.STEP) step = l.text.split(", ").pop();
    else if (l.kind === EVENT.ROLL) rolls.push({ ...l, step });
    else if (isFlip(b, l)) flips.push(l);
    else if (l.kind === EVENT.CHANGE) {
      const key = `${a[0]}:${a[1]}`;
      net.set(key, net.has(key) ? [a[0], a[1], net.get(key)[2], a[3]] : a);
    } else if (l.kind === EVENT.PLACE) places.set(a[0], [places.has(a[0]) ? places.get(a[0])[0] : a[1], a[2]]);
    else if (l.kind === EVENT.STATUS) statuses.set(`${a[0]}:${a[1]}`, a);
    else if (l.kind === EVENT.PLAY) plays.set(a[0], a[1]);
  }
  const actors = new Map();
  const add = (id, text, kind = "") => actors.set(id, [...(actors.get(id) || []), h("span", { class: `delta ${kind}` }, text)]);
  for (const [id, entered] of plays) add(id, entered ? "enters play" : "leaves play", entered ? "up" : "down");
  for (const args of net.values()) {
    if (args[2] === args[3]) continue;
    const c = changed(b, state.view, args);
    if (!c || (c.actor >= 0 && !state.view.actors[c.actor])) continue;
    const what = [c.part, c.field].filter(Boolean).join(" ");
    add(c.actor, c.flag ? `${c.to === "1" ? "" : "no longer "}${what}` : c.thing && c.from === "none" ? `${what} ${c.to}` : `${what} ${c.from} → ${c.to}`, c.flag || c.thing ? "" : c.up ? "up" : "down");
  }
  for (const [status, actor, stacks] of statuses.values()) {
    const name = (b.sheet.statuses[status] || {}).name || "";
    add(actor, stacks > 0 ? `${name}${stacks > 1 ? ` ×${stacks}` : ""}` : `${name} ends`, "status");
  }
  for (const [id, [from, to]] of places) if (to >= 0 && from !== to) add(id, `to ${thingName(b, state.view, "Space", to)}`, "move");
  return { rolls, flips, actors };
}
