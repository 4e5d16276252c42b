// The log: what happened, newest last, each line citing its rule.
import { h } from "./dom.js";

const QUIET = new Set([9, 11, 13]); // steps, shuffles, order changes

export function logLines(root, state, before, why) {
  const old = before && before.log.length ? before.log[before.log.length - 1].n : -1;
  const known = root.querySelector("ol");
  const stick = !known || known.scrollHeight - known.scrollTop - known.clientHeight < 60;
  const list = known || h("ol", { class: "lines", tabindex: "0", "aria-label": "Log" });
  list.replaceChildren(...state.log.filter((l) => !QUIET.has(l.kind)).map((entry) => h("li", {
    class: "line k" + entry.kind + (entry.n > old ? " fresh" : "") + (entry.n >= state.since && state.since ? " since" : ""),
  }, h("span", { class: "what" }, entry.text.replace(" -> ", " → ")),
    entry.line ? h("button", { class: "cite", title: "Why? Open the rule.", onclick: () => why(entry) }, entry.cites[0] || entry.title || "rule") : null)));
  if (!known) root.replaceChildren(h("h2", {}, "Log"), list);
  if (stick) list.scrollTop = list.scrollHeight;
}
