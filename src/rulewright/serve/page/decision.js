// The decision: every option in plain words, which things light up for it, and why others are missing.
import { h } from "./dom.js";
import { EVENT, acting, isOwn, nameOf } from "./names.js";

export const keyOf = (thing) => `${thing.kind}:${thing.id}`;
const MILD = new Set(["pass", "decline", "done", "no", "stop here", "stop"]);

export class Decision {
  constructor(b, choose, hover, whyNot) {
    Object.assign(this, { b, choose, hover, whyNot, options: [], filter: null, titles: new Set(b.sheet.sites.map((s) => s.title)) });
    this.head = h("h2", { class: "prompt", id: "prompt" });
    this.note = h("p", { class: "about" });
    this.list = h("ol", { class: "options", "aria-labelledby": "prompt", tabindex: "-1" });
    this.missing = h("details", { class: "missing" }, h("summary", {}, "Why not ... ?"), h("p", { class: "chips" }));
    this.live = h("p", { class: "hush", role: "status", "aria-live": "polite" });
    this.element = h("div", { class: "decision" }, this.head, this.note, this.list, this.missing, this.live);
  }

  // Returns the things that can be clicked, by key, with the options they belong to.
  show(state) {
    const decision = state.decision;
    const held = this.list.contains(document.activeElement);
    this.options = decision && decision.mine ? decision.options : [];
    this.filter = null;
    this.element.classList.remove("busy");
    this.element.dataset.prompt = decision && decision.mine ? decision.prompt : "";
    if (state.result) this.say(ending(state), state.result.scores.length > 1 ? scores(state) : "");
    else if (!decision) this.say("The rules are at work", "");
    else if (!decision.mine) this.say(`${nameOf(state.players, decision.seat)} decides`, state.seat === null ? "You are watching." : decision.prompt === "react" ? "A reaction is possible." : "");
    else this.say(this.prompt(state), decision.prompt === "react" ? about(state) : decision.prompt === "act" ? "" : under(state));
    this.draw();
    this.offer();
    if (this.options.length) this.live.textContent = `${this.head.textContent}. ${this.shown.length} options.`;
    if (held) this.list.focus({ preventScroll: true });
    const lit = new Map();
    for (const option of this.options) for (const thing of option.things) {
      const key = keyOf(thing);
      lit.set(key, [...(lit.get(key) || []), option]);
    }
    return lit;
  }

  prompt(state) {
    const { prompt } = state.decision;
    const actor = state.view.actors[state.decision.actor >= 0 ? state.decision.actor : acting(state)];
    const who = actor && isOwn(actor, state.view) && state.view.actors.filter((a) => isOwn(a, state.view) && a.in_play).length > 1 ? `${actor.name}: ` : "";
    if (prompt === "act") return who ? `${who}choose an action` : "Your turn: choose an action";
    if (prompt === "react") return "You may react";
    if (!prompt) return `${who}Choose`;
    const words = prompt.replace(/[{}]/g, "");
    // A choice the book gives no words for bears the name of its rule; of the match itself, the step says more.
    if (!this.titles.has(words)) return `${who}Choose: ${words}`;
    const step = [...state.log].reverse().find((l) => l.kind === EVENT.STEP);
    const name = words === "Match" && step ? step.text.split(", ").pop() : words;
    return /^choose\b/i.test(name) ? who + name : `${who}${name}: choose`;
  }

  say(head, note) {
    this.head.textContent = head;
    this.note.textContent = note;
    this.note.hidden = !note;
  }

  draw() {
    const fitting = this.filter ? this.options.filter((o) => o.things.some((t) => keyOf(t) === this.filter)) : this.options;
    const same = new Map();
    for (const option of fitting) same.set(option.text, [...(same.get(option.text) || []), option]);
    const groups = new Map();
    // What only ends the turn stands last, however the book lists it.
    const mild = [...same.values()].filter(([o]) => MILD.has(o.text));
    for (const equal of same.values()) if (!mild.includes(equal)) groups.set(headOf(equal[0]), [...(groups.get(headOf(equal[0])) || []), equal]);
    const order = [...groups, ["", mild]];
    this.shown = order.flatMap(([, group]) => group);
    const at = (equal) => this.shown.indexOf(equal);
    this.list.replaceChildren(...order.flatMap(([head, group]) => (group.length > 2 && head
      ? [h("li", { class: "group" }, h("span", { class: "verb" }, head), h("span", { class: "chips" }, group.map((e) => this.button(e, at(e), "chip"))))]
      : group.map((e) => h("li", {}, this.button(e, at(e), "option"))))));
    if (this.filter) this.list.append(h("li", {}, h("button", { class: "option mild", onclick: () => this.clear() }, h("kbd", {}, "esc"), "all options")));
  }

  clear() { this.filter = null; this.draw(); }

  button(equal, i, kind) {
    const option = equal[0];
    const words = kind === "chip" ? h("b", {}, option.text.slice(headOf(option).length + 2)) : sentence(option);
    const wide = kind === "chip" ? " chip" : " option";
    return h("button", {
      class: (wide + (MILD.has(option.text) ? " mild" : "")).trim(), data: { index: option.index },
      onclick: () => this.choose(option.index),
      onmouseenter: () => this.hover(option.things), onmouseleave: () => this.hover(null),
      onfocus: () => this.hover(option.things), onblur: () => this.hover(null),
    }, i < 9 ? h("kbd", { "aria-hidden": "true" }, String(i + 1)) : null, words, equal.length > 1 ? h("span", { class: "times", title: `${equal.length} equal options` }, `×${equal.length}`) : null);
  }

  // Actions of the book that are not on offer: each can be asked about.
  offer() {
    const offered = new Set(this.options.map((o) => headOf(o) || o.text));
    const left = this.options.length ? (this.b.actions || []).filter((name) => !offered.has(name)) : [];
    this.missing.hidden = !left.length;
    this.missing.lastChild.replaceChildren(...left.map((name) => h("button", { class: "chip", onclick: () => this.whyNot(name) }, name)));
  }

  // A click on something lit: take its only option, or narrow the list.
  pick(thing) {
    const key = keyOf(thing);
    const fitting = this.options.filter((o) => o.things.some((t) => keyOf(t) === key));
    const texts = new Set(fitting.map((o) => o.text));
    if (texts.size === 1) this.choose(fitting[0].index);
    else if (fitting.length) {
      this.filter = key;
      this.draw();
      const first = this.list.querySelector("button");
      if (first) first.focus();
    }
    return fitting.length > 0;
  }

  isBusy() { return this.element.classList.contains("busy"); }
  busy() { this.element.classList.add("busy"); }
  ready() { this.element.classList.remove("busy"); }

  key(event) {
    const buttons = [...this.list.querySelectorAll("button")];
    if (!buttons.length) return false;
    const at = buttons.indexOf(document.activeElement);
    const go = (i) => { buttons[(i + buttons.length) % buttons.length].focus(); return true; };
    if (/^[1-9]$/.test(event.key)) {
      const wanted = this.shown[Number(event.key) - 1];
      if (!wanted) return false;
      this.choose(wanted[0].index);
      return true;
    }
    if (event.key === "ArrowDown" || (event.key === "ArrowRight" && at >= 0)) return go(at + 1);
    if (event.key === "ArrowUp" || (event.key === "ArrowLeft" && at >= 0)) return go(at < 0 ? -1 : at - 1);
    if (event.key === "Home" && at >= 0) return go(0);
    if (event.key === "End" && at >= 0) return go(-1);
    if (event.key === "Escape" && this.filter) { this.clear(); return true; }
    return false;
  }
}

const headOf = (option) => (option.text.includes(": ") ? option.text.split(": ")[0] : "");

function sentence(option) {
  const [head, ...rest] = option.text.split(": ");
  return rest.length ? h("span", {}, h("span", { class: "verb" }, head), " ", h("b", {}, rest.join(": "))) : h("b", {}, option.text);
}

// What a reaction would answer: the last deed, with all that was declared for it, and what was said since.
function about(state) {
  const { log, view } = state;
  let end = log.length - 1;
  while (end >= 0 && log[end].kind !== EVENT.CHOSEN) end -= 1;
  let start = end;
  while (start > 0 && [EVENT.CHOSEN, EVENT.FORCED].includes(log[start - 1].kind)) start -= 1;
  const deed = end < 0 ? [] : log.slice(start, end + 1).map((l) => l.text.replace(/^(chosen|only option): /, ""));
  const ran = log[end + 1] && log[end + 1].kind === EVENT.RULE ? view.actors[log[end + 1].args[0]] : null;
  const said = log.slice(end + 1).filter((l) => l.kind === EVENT.SAY).slice(-2).map((l) => l.text);
  const step = [...log].reverse().find((l) => l.kind === EVENT.STEP);
  return [`About to happen: ${ran ? `${ran.name}, ` : ""}${deed.join(", ") || "something you can answer"}.`, said.length ? `${said.join(". ")}.` : "", step ? `Now: ${step.text}.` : ""].filter(Boolean).join(" ");
}

// A choice inside an action says which action it belongs to.
function under(state) {
  const last = [...state.log].reverse().find((l) => [EVENT.CHOSEN, EVENT.FORCED, EVENT.STEP, EVENT.SAY].includes(l.kind));
  return last && last.kind !== EVENT.STEP ? last.text.replace(/^(chosen|only option): /, "") : "";
}

function ending(state) {
  const { result, seat, players } = state;
  if (seat !== null && result.scores[seat] === 1) return `You won: ${result.ending}`;
  if (seat !== null && result.scores[seat] === 0) return `You lost: ${result.ending}`;
  const winners = result.scores.flatMap((s, i) => (s === 1 && players[i] ? [nameOf(players, i)] : []));
  return winners.length ? `${result.ending}: ${winners.join(", ")}` : result.ending;
}

const scores = (state) => state.result.scores.map((s, i) => `${nameOf(state.players, i)}: ${["lost", "won", "draw"][s] || s}`).join(" · ");
