// The shelf, new tables, and tables to come back to.
import { $, h, notice } from "./dom.js";
import { ask, book, seats } from "./api.js";
import { cover } from "./covers.js";

const MAPS = { hex: "hex map", square: "square map", spots: "rooms laid in play", sectors: "sectors" };
const MOST = 12;

export async function lobby(main) {
  const [books, open] = await Promise.all([ask("GET", "/api/books"), ask("GET", "/api/tables")]);
  return () => draw(main, books, open);
}

function draw(main, books, open) {
  const known = new Map(open.map((t) => [t.table, t]));
  const mine = seats.all().filter((s) => known.has(s.table));
  const others = open.filter((t) => !mine.some((s) => s.table === t.table));
  main.className = "lobby";
  main.replaceChildren(
    h("section", { class: "hero" },
      h("h1", {}, "Rulebooks that run"),
      h("p", {}, "Pick a book and play. The table referees it, offers only legal moves, and tells you which rule made each thing happen.")),
    h("section", { "aria-labelledby": "shelf" },
      h("h2", { id: "shelf" }, "The shelf"),
      h("ul", { class: "shelf" }, [...books].sort((a, b) => Number(a.rules_only) - Number(b.rules_only)).map(spine))),
    h("div", { class: "tables" },
      list("mine", "Your tables", mine.slice(0, MOST).map((s) => row(known.get(s.table), books, s)), "Tables you sit at are kept here, so that you can come back."),
      list("open", "Other tables", others.slice(0, MOST).map((t) => row(t, books, null)), "Nobody else plays here yet.")));
}

function list(id, title, rows, empty) {
  return h("section", { "aria-labelledby": id }, h("h2", { id }, title), rows.length ? h("ul", { class: "rows" }, rows) : h("p", { class: "quiet" }, empty));
}

function row(t, books, seat) {
  const title = (books.find((b) => b.name === t.book) || { title: t.book }).title;
  const replay = h("a", { class: "button", href: `#/replay/${t.table}`, "aria-label": `Replay of ${title}` }, "Replay");
  const link = t.finished ? replay : seat ? h("a", { class: "button primary", href: `#/table/${t.table}?token=${seat.token}`, "aria-label": `Resume ${title}` }, "Resume")
    : h("a", { class: "button", href: `#/table/${t.table}`, "aria-label": `Watch ${title}` }, "Watch");
  return h("li", {}, h("span", { class: "what" }, h("b", {}, title),
    h("span", { class: "quiet" }, `${t.seats.map((s) => s.name).join(", ")} · ${t.finished ? t.ending || "over" : "running"} · ${ago(t.created)}`)), link);
}

function ago(seconds) {
  const minutes = Math.max(0, Math.round((Date.now() / 1000 - seconds) / 60));
  return minutes < 1 ? "just now" : minutes < 60 ? `${minutes} min ago` : minutes < 2880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`;
}

const people = (b) => (b.seats[0] === b.seats[1] ? `${b.seats[0]} player${b.seats[0] === 1 ? "" : "s"}` : `${b.seats[0]} to ${b.seats[1]} players`);

function spine(b) {
  const facts = b.rules_only ? ["a framework that other books build on"] : [people(b), b.length, ...b.maps.map((m) => MAPS[m] || m)];
  return h("li", { class: "spine" }, cover(b),
    h("div", { class: "blurb" },
      h("h3", {}, b.title),
      h("p", { class: "facts" }, facts.filter(Boolean).map((f) => h("span", {}, f))),
      h("p", { class: "summary" }, b.summary),
      b.designer ? h("p", { class: "by" }, `By ${b.designer}`) : null,
      h("p", { class: "actions" },
        b.rules_only ? null : h("button", { class: "primary", "aria-label": `Play ${b.title} now`, onclick: () => quick(b) }, "Play now"),
        b.rules_only ? null : h("a", { class: "button", href: `#/new/${encodeURIComponent(b.name)}`, "aria-label": `Set up a table of ${b.title}` }, "Set up ..."),
        h("a", { class: "button", href: `#/book/${encodeURIComponent(b.name)}`, "aria-label": `Read ${b.title}` }, "Read"))));
}

// You, and for every further seat the book's own bot if it has one.
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
  return () => form(main, b);
}

function form(main, b) {
  $("#where").textContent = b.title;
  main.className = "narrow";
  if (b.rules_only) { main.replaceChildren(h("p", { class: "plain" }, `${b.title} only holds rules for other books. `, h("a", { href: `#/book/${encodeURIComponent(b.name)}` }, "Read it"))); return; }
  const places = h("div", { class: "places" });
  const count = h("select", { id: "count" }, Array.from({ length: b.seats[1] - b.seats[0] + 1 }, (_, i) => h("option", { value: b.seats[0] + i }, String(b.seats[0] + i))));
  const seat = () => places.replaceChildren(...Array.from({ length: Number(count.value) }, (_, i) => place(b, i)));
  count.onchange = seat;
  seat();
  const seed = h("input", { id: "seed", inputmode: "numeric", pattern: "[0-9]{0,15}", placeholder: "a new one", "aria-describedby": "seed-note" });
  const made = h("form", { class: "card-form", onsubmit: submit }, cover(b),
    h("h1", {}, b.title), h("p", {}, b.summary),
    h("fieldset", {}, h("legend", {}, "Seats"),
      b.seats[0] === b.seats[1] ? null : h("div", { class: "field pair" }, h("label", { for: "count" }, "Players"), count), places),
    b.options.length ? h("fieldset", {}, h("legend", {}, "Options of the match"), h("div", { class: "grid" }, b.options.map((o) => h("div", { class: "field" },
      h("label", { for: `o-${o.name}` }, o.name),
      h("select", { id: `o-${o.name}`, name: o.name }, o.words.map((w) => h("option", { value: w, selected: w === o.default }, w))),
      o.note ? h("p", { class: "quiet" }, o.note) : null)))) : null,
    h("fieldset", {}, h("legend", {}, "Chance"), h("div", { class: "field pair" }, h("label", { for: "seed" }, "Seed"), seed), h("p", { class: "quiet", id: "seed-note" }, "The same seed and the same choices give the same match.")),
    h("p", { class: "actions" }, h("button", { class: "primary", type: "submit" }, "Open the table"), h("a", { class: "button", href: "#/" }, "Back")));
  main.replaceChildren(made);

  function submit(event) {
    event.preventDefault();
    const wanted = [...places.children].map((seat) => {
      const kind = $("select", seat).value;
      const label = $("input", seat).value.trim();
      return kind.startsWith("bot:") ? { kind: "bot", bot: kind.slice(4) } : { kind, ...(label ? { name: label } : {}) };
    });
    const options = {};
    for (const o of b.options) options[o.name] = $(`#o-${CSS.escape(o.name)}`, made).value;
    open(b, wanted, options, seed.value.trim() ? Number(seed.value.trim()) : null);
  }
}

function place(b, i) {
  const label = h("input", { placeholder: i ? `Player ${i + 1}` : "You", "aria-label": `Name of seat ${i + 1}`, maxlength: 40 });
  const who = h("select", { "aria-label": `Who plays seat ${i + 1}`, onchange: () => { label.disabled = who.value.startsWith("bot:"); } },
    h("option", { value: "you", selected: i === 0 }, "You, at this screen"),
    h("option", { value: "invite" }, "A friend, by link"),
    b.bots.map((bot, n) => h("option", { value: `bot:${bot}`, selected: i > 0 && n === b.bots.length - 1 }, `Bot: ${bot}`)));
  label.disabled = who.value.startsWith("bot:");
  return h("div", { class: "place" }, h("span", {}, `Seat ${i + 1}`), who, label);
}
