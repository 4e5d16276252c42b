// The decision: every option in plain words, and which things light up for it.
import { h } from "./dom.js";

export const keyOf = (thing) => `${thing.kind}:${thing.id}`;

const PROMPTS = { act: "Your turn: choose an action", react: "You may react", "": "Choose" };

export class Decision {
  constructor(choose, hover) {
    Object.assign(this, { choose, hover, options: [], filter: null });
    this.head = h("h2", { class: "prompt", id: "prompt" });
    this.note = h("p", { class: "about" });
    this.list = h("ol", { class: "options", "aria-labelledby": "prompt" });
    this.element = h("div", { class: "decision" }, this.head, this.note, this.list);
  }

  // Returns the things that can be clicked, by key, with the options they belong to.
  show(state, players) {
    const decision = state.decision;
    this.options = decision && decision.mine ? decision.options : [];
    this.filter = null;
    this.players = players;
    this.element.classList.remove("busy");
    if (state.result) this.say(ending(state), "");
    else if (!decision) this.say("The rules are at work", "");
    else if (!decision.mine) this.say(`${nameOf(players, decision.seat)} decides`, asked(decision.prompt));
    else this.say(PROMPTS[decision.prompt] || `Choose: ${decision.prompt}`, decision.prompt === "react" ? about(state) : "");
    this.draw();
    const lit = new Map();
    for (const option of this.options) for (const thing of option.things) {
      const key = keyOf(thing);
      lit.set(key, [...(lit.get(key) || []), option]);
    }
    return lit;
  }

  say(head, note) {
    this.head.textContent = head;
    this.note.textContent = note;
    this.note.hidden = !note;
  }

  draw() {
    const shown = this.filter ? this.options.filter((o) => o.things.some((t) => keyOf(t) === this.filter)) : this.options;
    const same = new Map();
    for (const option of shown) if (!same.has(option.text)) same.set(option.text, option);
    this.shown = [...same.values()];
    const heads = new Map();
    for (const option of this.shown) heads.set(headOf(option), [...(heads.get(headOf(option)) || []), option]);
    // Numbers follow what is seen: groups of one verb stand together as chips.
    this.shown = [...heads.values()].flat();
    const number = (option) => this.shown.indexOf(option);
    this.list.replaceChildren(...[...heads].map(([head, group]) => (group.length > 3 && head
      ? h("li", { class: "group" }, h("span", { class: "verb" }, head), h("span", { class: "chips" }, group.map((o) => this.button(o, number(o), "chip"))))
      : group.map((o) => h("li", {}, this.button(o, number(o), "option"))))).flat());
    if (this.filter) this.list.append(h("li", {}, h("button", { class: "option mild", onclick: () => { this.filter = null; this.draw(); } }, h("kbd", {}, "esc"), "all options")));
  }

  button(option, i, kind) {
    const mild = ["pass", "decline", "done", "no", "stop here"].includes(option.text) ? " mild" : "";
    return h("button", {
      class: kind + mild, data: { index: option.index },
      onclick: () => this.choose(option.index),
      onmouseenter: () => this.hover(option.things), onmouseleave: () => this.hover(null),
      onfocus: () => this.hover(option.things), onblur: () => this.hover(null),
    }, i < 9 ? h("kbd", {}, String(i + 1)) : null, kind === "chip" ? h("b", {}, option.text.slice(headOf(option).length + 2)) : words(option));
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

  busy() { this.element.classList.add("busy"); }
  ready() { this.element.classList.remove("busy"); }

  key(event) {
    const buttons = [...this.list.querySelectorAll("button")];
    if (!buttons.length) return false;
    const at = buttons.indexOf(document.activeElement);
    if (/^[1-9]$/.test(event.key) && buttons[Number(event.key) - 1]) { buttons[Number(event.key) - 1].click(); return true; }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = event.key === "ArrowDown" ? (at + 1) % buttons.length : (at - 1 + buttons.length) % buttons.length;
      buttons[next].focus();
      return true;
    }
    if (event.key === "Escape" && this.filter) { this.filter = null; this.draw(); return true; }
    return false;
  }
}

const headOf = (option) => (option.text.includes(": ") ? option.text.split(": ")[0] : "");

function words(option) {
  const [head, ...rest] = option.text.split(": ");
  return rest.length ? h("span", {}, h("span", { class: "verb" }, head), " ", h("b", {}, rest.join(": "))) : h("span", {}, h("b", {}, option.text));
}

export const nameOf = (players, seat) => (players[seat] ? players[seat].name : seat < 0 ? "A strategy" : `Seat ${seat + 1}`);
const asked = (prompt) => (prompt === "react" ? "A reaction is possible." : "");

function about(state) {
  const recent = state.log.filter((l) => [7, 8, 10].includes(l.kind)).slice(-2).map((l) => l.text);
  return recent.length ? `About to happen: ${recent.join(" · ")}` : "";
}

function ending(state) {
  const winners = state.result.scores.flatMap((s, i) => (s === 1 && state.players[i] ? [nameOf(state.players, i)] : []));
  return winners.length ? `${state.result.ending}: ${winners.join(", ")}` : state.result.ending;
}
