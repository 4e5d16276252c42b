// The shelf, new tables, and tables to come back to.
import { $, h, notice } from "./dom.js";
import { ask, book, seats } from "./api.js";

const MAPS = { hex: "hex map", square: "square map", spots: "rooms laid in play", sectors: "sectors" };

export async function lobby(main) {
  const [books, open] = await Promise.all([ask("GET", "/api/books"), ask("GET", "/api/tables")]);
  const mine = seats.all();
  main.className = "lobby";
  main.replaceChildren(...[
    h("section", { class: "hero" },
      h("h1", {}, "Rulebooks that run"),
      h("p", {}, "Pick a book. The table referees it, offers only legal moves, and tells you which rule made each thing happen.")),
    h("section", { "aria-labelledby": "shelf" },
      h("h2", { id: "shelf" }, "The shelf"),
      h("ul", { class: "shelf" }, books.map(spine))),
    mine.length ? h("section", { "aria-labelledby": "mine" },
      h("h2", { id: "mine" }, "Your tables"),
      h("ul", { class: "rows" }, mine.slice(0, 8).map((s) => h("li", {}, h("a", { href: `#/table/${s.table}?token=${s.token}` }, s.title || s.book), h("span", { class: "quiet" }, ` as ${s.name}`))))) : null,
    open.length ? h("section", { "aria-labelledby": "open" },
      h("h2", { id: "open" }, "All tables"),
      h("ul", { class: "rows" }, open.slice(0, 12).map((t) => h("li", {},
        h("a", { href: t.finished ? `#/replay/${t.table}` : `#/table/${t.table}` }, titleOf(books, t.book)),
        h("span", { class: "quiet" }, ` ${t.seats.map((s) => s.name).join(", ")} · ${t.finished ? t.ending || "over" : "running"}`))))) : null,
  ].filter(Boolean));
  return null;
}

const titleOf = (books, name) => (books.find((b) => b.name === name) || { title: name }).title;

function spine(b) {
  const people = b.seats[0] === b.seats[1] ? `${b.seats[0]}` : `${b.seats[0]} to ${b.seats[1]}`;
  return h("li", { class: "spine" },
    h("h3", {}, b.title),
    h("p", { class: "summary" }, b.summary),
    h("p", { class: "facts" }, b.rules_only ? "Rules only, for other books" : `${people} player${people === "1" ? "" : "s"}`, b.length ? ` · ${b.length}` : "", b.maps.length ? ` · ${b.maps.map((m) => MAPS[m] || m).join(", ")}` : ""),
    b.designer ? h("p", { class: "facts" }, `Designed by ${b.designer}`) : null,
    h("p", { class: "actions" },
      b.rules_only ? null : h("button", { class: "primary", onclick: () => quick(b) }, "Play now"),
      b.rules_only ? null : h("a", { class: "button", href: `#/new/${encodeURIComponent(b.name)}` }, "Set up ..."),
      h("a", { class: "button", href: `#/book/${encodeURIComponent(b.name)}` }, "Read")));
}

async function quick(b) {
  const wanted = [{ kind: "you", name: "You" }];
  while (wanted.length < b.seats[0]) wanted.push({ kind: "bot", bot: b.bots[b.bots.length - 1] });
  await open(b, wanted, {}, null);
}

async function open(b, wanted, options, seed) {
  try {
    const made = await ask("POST", "/api/tables", { book: b.name, seats: wanted, options, ...(seed === null ? {} : { seed }) });
    for (const s of made.seats) if (s.token && s.kind === "you") seats.keep({ table: made.table, token: s.token, book: b.name, title: b.title, name: s.name });
    sessionStorage.setItem(`invites-${made.table}`, JSON.stringify(made.seats.filter((s) => s.kind === "invite")));
    const me = made.seats.find((s) => s.token && s.kind === "you");
    location.hash = me ? `#/table/${made.table}?token=${me.token}` : `#/table/${made.table}`;
  } catch (problem) {
    notice(problem.message, true);
  }
}

export async function newTable(main, name) {
  const b = await book(name);
  $("#where").textContent = b.title;
  const places = h("div", { class: "places" });
  const count = h("select", { id: "count" });
  for (let n = b.seats[0]; n <= b.seats[1]; n += 1) count.append(h("option", { value: n }, String(n)));
  const draw = () => places.replaceChildren(...Array.from({ length: Number(count.value) }, (_, i) => place(b, i)));
  count.onchange = draw;
  draw();
  const form = h("form", { class: "card-form", onsubmit: submit },
    h("h1", {}, b.title), h("p", {}, b.summary),
    h("label", { for: "count" }, "Players"), count, places,
    b.options.length ? h("fieldset", {}, h("legend", {}, "Options of the match"), b.options.map((o) => h("div", { class: "field" },
      h("label", { for: `o-${o.name}` }, o.name),
      h("select", { id: `o-${o.name}`, name: o.name }, o.words.map((w) => h("option", { value: w, selected: w === o.default }, w))),
      o.note ? h("p", { class: "quiet" }, o.note) : null))) : null,
    h("div", { class: "field" }, h("label", { for: "seed" }, "Seed (leave empty for a new one)"), h("input", { id: "seed", inputmode: "numeric", pattern: "[0-9]*" })),
    h("p", { class: "actions" }, h("button", { class: "primary", type: "submit" }, "Open the table")));
  main.className = "narrow";
  main.replaceChildren(form);

  function submit(event) {
    event.preventDefault();
    const wanted = [...places.children].map((row) => {
      const kind = $("select", row).value;
      const label = $("input", row).value.trim();
      return kind.startsWith("bot:") ? { kind: "bot", bot: kind.slice(4) } : { kind, ...(label ? { name: label } : {}) };
    });
    const options = {};
    for (const o of b.options) options[o.name] = $(`#o-${CSS.escape(o.name)}`, form).value;
    const seed = $("#seed", form).value.trim();
    open(b, wanted, options, seed ? Number(seed) : null);
  }
  return null;
}

function place(b, i) {
  return h("div", { class: "place" },
    h("span", {}, `Seat ${i + 1}`),
    h("select", { "aria-label": `Who plays seat ${i + 1}` },
      h("option", { value: "you", selected: i === 0 }, "You"),
      h("option", { value: "invite" }, "A friend, by link"),
      b.bots.map((bot, n) => h("option", { value: `bot:${bot}`, selected: i > 0 && n === b.bots.length - 1 }, bot === "random" ? "Bot: random" : `Bot: ${bot}`))),
    h("input", { placeholder: "Name", "aria-label": `Name of seat ${i + 1}`, maxlength: 40 }));
}
