// The log: what happened, newest last, each line citing its rule.
import { h } from "./dom.js";
import { EVENT, changed } from "./names.js";
import { cardOf, dieOf, flip, isFlip } from "./dice.js";

const QUIET = new Set([EVENT.SHUFFLE, EVENT.ORDER, EVENT.LAY]);

export function logLines(root, state, before, b, why) {
  const old = before && before.log.length ? before.log[before.log.length - 1].n : Infinity;
  const known = root.querySelector("ol");
  const stick = !known || known.scrollHeight - known.scrollTop - known.clientHeight < 60;
  const list = known || h("ol", { class: "lines", tabindex: "0", "aria-label": "Log" });
  list.replaceChildren(...rows(state, b).map((row) => h("li", {
    class: `line k${row.kind}${row.n > old ? " fresh" : ""}`, data: { n: row.n },
  }, h("span", { class: "what" }, row.content), row.entry.line
    ? h("button", { class: "cite", title: "Why? Open the rule.", "aria-label": `Why? ${row.entry.cites[0] || row.entry.title}`, onclick: () => why(row.entry) }, row.entry.cites[0] || row.entry.title || "rule") : null)));
  if (!known) root.replaceChildren(h("h2", {}, "Log"), list);
  if (stick) list.scrollTop = list.scrollHeight;
}

function rows(state, b) {
  const made = [];
  let turn = "";
  for (const [i, entry] of state.log.entries()) {
    const last = made[made.length - 1], text = entry.text.replace(" -> ", " → ");
    const row = (content, kind = entry.kind) => made.push({ entry, n: entry.n, kind, content });
    if (QUIET.has(entry.kind)) continue;
    if (entry.kind === EVENT.STEP) {
      // A new turn is a heading; other steps are for the strip above the table.
      const actor = state.view.actors[entry.args[0]];
      if (actor && /\bturn$/i.test(entry.title) && turn !== actor.name + entry.title) {
        turn = actor.name + entry.title;
        row(`${actor.name}: ${entry.title}`, "turn");
      }
    } else if (entry.kind === EVENT.ROLL) {
      if (last && last.kind === EVENT.ROLL && last.entry.title === entry.title && state.log[i - 1].kind === EVENT.ROLL) { last.content.append(dieOf(b, entry)); last.n = entry.n; }
      else row(h("span", { class: "tray" }, dieOf(b, entry)));
    } else if (isFlip(b, entry)) {
      row(h("span", { class: "tray" }, flip(b, cardOf(entry)), h("span", { class: "quiet" }, "turned up")));
    } else if (entry.kind === EVENT.CHANGE) {
      if (changed(b, state.view, entry.args)) row(text);
    } else if (isChoice(entry)) {
      const words = text.replace(/^(chosen|only option): /, "");
      if (entry.kind === EVENT.FORCED && !words.includes(":")) continue;
      // What is declared one after the other is one deed.
      if (last && last.kind === EVENT.CHOSEN && i && isChoice(state.log[i - 1])) last.words.push(words);
      else made.push({ entry, n: entry.n, kind: EVENT.CHOSEN, words: [words] });
      // The action that runs then says who did it, and under which rule.
      const deed = made[made.length - 1], ran = state.log[i + 1];
      if (ran && ran.kind === EVENT.RULE) {
        const actor = state.view.actors[ran.args[0]];
        Object.assign(deed, { entry: ran, who: actor ? actor.name : "" });
      }
      deed.n = entry.n;
    } else if (entry.kind === EVENT.RULE && i && isChoice(state.log[i - 1]) && last && last.kind === EVENT.CHOSEN) {
      continue;
    } else if (last && last.text === text && last.entry.title === entry.title) {
      last.times += 1;
      last.n = entry.n;
    } else Object.assign(made[row(text) - 1], { text, times: 1 });
  }
  for (const row of made) if (row.times > 1) row.content = [row.text, h("span", { class: "quiet" }, ` ×${row.times}`)];
  for (const row of made) if (row.words) row.content = [row.who && !row.words[0].startsWith(`${row.who}:`) ? h("b", {}, row.who, " ") : "", row.words.join(" · ")];
  return made;
}

const isChoice = (entry) => entry.kind === EVENT.CHOSEN || entry.kind === EVENT.FORCED;
