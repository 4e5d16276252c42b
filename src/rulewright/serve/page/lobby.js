// The shelf, new tables, and tables to come back to.
import { html, render, useEffect, useState } from "./vendor/preact.js";
import { $, notice } from "./dom.js";
import { ask, book } from "./api.js";
import { Cover } from "./covers.js";
import { invites, seats, settings } from "./keep.js";
import { beginGuide } from "./guide.js";
import { keepTable } from "./model.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").KeptSeat} KeptSeat */

/** @type {Record<string, string>} */
const MAPS = { hex: "hex map", square: "square map", spots: "rooms laid in play", sectors: "sectors" };
const MOST = 12, AGAIN = 20000, AT_ONCE = 0.4, READ_ON = 3;
/* Tables that are listed at once; milliseconds until it is asked again whose turn it is; seconds to wait for books
   that the server still reads, at first and then. */

/** @param {Element} main */
export async function lobby(main) {
  const kept = seats.all();
  const ids = [...new Set(kept.map((s) => s.table))].slice(0, 100);
  const [books, open, mine] = await Promise.all([
    ask("GET", `/api/books?wait=${AT_ONCE}`), ask("GET", "/api/tables"),
    ids.length ? ask("POST", "/api/tables/known", { tables: ids }).catch(() => []) : [],
  ]);
  return () => {
    main.className = "lobby";
    render(html`<${Lobby} books=${books} open=${open} mine=${mine} kept=${kept} />`, main);
    return () => render(null, main);
  };
}

/** Whose turn it is at tables that somebody has seats at, asked again while the shelf is open. @param {KeptSeat[]} own @param {Map<string, any>} known */
function useTurns(own, known) {
  const [turns, setTurns] = useState(/** @type {Map<string, {waiting: number[], since: number}>} */ (new Map()));
  useEffect(() => {
    const ids = own.map((s) => s.table).filter((id) => !known.get(id).finished).slice(0, MOST);
    const look = async () => {
      const found = await Promise.all(ids.map((id) => ask("GET", `/api/tables/${id}/turn`).then((turn) => [id, turn], () => null)));
      setTurns(new Map(/** @type {any} */ (found.filter(Boolean))));
    };
    if (!ids.length) return;
    look();
    const timer = setInterval(() => { if (!document.hidden) look(); }, AGAIN);
    return () => clearInterval(timer);
  }, [own.map((s) => s.table).join()]);
  return turns;
}

/** The shelf, asked for again while the server still reads some of it: on a new machine that takes seconds a book. @param {any[]} first */
function useShelf(first) {
  const [books, setBooks] = useState(first);
  const unread = books.filter((b) => b.reading).length;
  useEffect(() => {
    let here = true;
    const look = async () => {
      const found = await ask("GET", `/api/books?wait=${READ_ON}`).catch(() => null);
      if (!here) return;
      if (found) setBooks(found);
      else timer = setTimeout(look, READ_ON * 1000);
    };
    let timer = unread ? setTimeout(look, 0) : 0;
    return () => { here = false; clearTimeout(timer); };
  }, [books]);
  return books;
}

const Lobby = (/** @type {any} */ { books: first, open, mine, kept }) => {
  const books = useShelf(first);
  const known = new Map(mine.map((/** @type {any} */ t) => [t.table, t]));
  const [all, setAll] = useState(false);
  const own = /** @type {KeptSeat[]} */ ([]);
  for (const s of kept) if (known.has(s.table) && !own.some((o) => o.table === s.table)) own.push(s);
  const turns = useTurns(own, known);
  const mayChoose = (/** @type {KeptSeat} */ s) => (turns.get(s.table) || { waiting: /** @type {number[]} */ ([]) }).waiting.some((seat) => kept.some((/** @type {KeptSeat} */ k) => k.table === s.table && k.seat === seat));
  const due = own.filter(mayChoose), sortedOwn = [...due, ...own.filter((s) => !due.includes(s))];
  useEffect(() => { document.title = due.length ? `● ${due.length === 1 ? "A table waits" : `${due.length} tables wait`} for you · Rulewright` : "Rulewright"; }, [due.length]);
  const others = open.filter((/** @type {any} */ t) => !known.has(t.table));
  const sorted = [...books].sort((a, c) => Number(a.rules_only) - Number(c.rules_only) || Number(Boolean((c.looks || {}).first)) - Number(Boolean((a.looks || {}).first)));
  return html`<section class="hero"><h1>Rulebooks that run</h1>
      <p>Pick a book and play. The table referees it, offers only legal moves, and tells you which rule made each thing happen.</p>
      <${Name} /></section>
    <section aria-labelledby="shelf"><h2 id="shelf">The shelf</h2><ul class="shelf">${sorted.map((b) => html`<${Spine} key=${b.name} b=${b} />`)}</ul></section>
    <div class="tables">
      <${Rows} id="mine" title="Your tables" empty="Tables you sit at are kept here, so that you can come back."
        rows=${sortedOwn.slice(0, all ? own.length : MOST).map((s) => html`<${Row} key=${s.table} t=${known.get(s.table)} books=${books} seat=${s} turn=${turns.get(s.table)} due=${due.includes(s)} />`)} more=${!all && own.length > MOST ? () => setAll(true) : null} />
      <${Rows} id="open" title="Other tables" empty="Nobody else plays here yet." rows=${others.slice(0, MOST).map((/** @type {any} */ t) => html`<${Row} key=${t.table} t=${t} books=${books} seat=${null} />`)} /></div>`;
};

const Name = () => {
  const [name, setName] = useState(settings.all().name);
  return html`<p class="my-name"><label for="my-name">Your name</label> <input id="my-name" maxlength="40" placeholder="as others will read it" value=${name} onInput=${(/** @type {any} */ e) => { setName(e.target.value); settings.set({ name: e.target.value.trim() }); }} /></p>`;
};

const Rows = (/** @type {any} */ { id, title, rows, empty, more }) => html`<section aria-labelledby=${id}><h2 id=${id}>${title}</h2>
  ${rows.length ? html`<ul class="rows">${rows}</ul>` : html`<p class="quiet">${empty}</p>`}${more ? html`<button class="button" onClick=${more}>All of them</button>` : null}</section>`;

const Row = (/** @type {any} */ { t, books, seat, turn, due }) => {
  const title = (books.find((/** @type {any} */ b) => b.name === t.book) || { title: t.book }).title;
  const links = invites.of(t.table).length, free = t.finished || seat ? null : t.seats.find((/** @type {any} */ s) => s.kind === "open");
  const waits = turn && turn.waiting.length ? `waits for ${turn.waiting.map((/** @type {number} */ n) => (t.seats[n] || { name: "" }).name).join(", ")} since ${ago(turn.since)}` : "running";
  const link = free ? html`<button class="primary" aria-label=${`Join ${title}`} onClick=${() => join(t, title, free.seat)}>Join</button>` : t.finished ? html`<a class="button" href=${`#/replay/${t.table}`} aria-label=${`Replay of ${title}`}>Replay</a>`
    : seat ? html`<a class="button primary" href=${`#/table/${t.table}`} aria-label=${`Resume ${title}`}>Resume</a>`
      : html`<a class="button" href=${`#/watch/${t.table}`} aria-label=${`Watch ${title}`}>Watch</a>`;
  return html`<li class=${due ? "due" : ""}><span class="what"><b>${title}</b>${due ? html` <span class="your-turn">your turn</span>` : null}<span class="quiet">${t.seats.map((/** @type {any} */ s) => (s.kind === "open" ? "a free seat" : s.name)).join(", ")} · ${t.finished ? t.ending || "over" : due ? `since ${ago(turn.since)}` : waits} · opened ${ago(t.created)}${links && !t.finished ? " · invitations under Share" : ""}</span></span>${link}</li>`;
};

/** Sit down where a seat is free. @param {any} t @param {string} title @param {number} seat */
async function join(t, title, seat) {
  const name = settings.all().name;
  try {
    const { token } = await ask("POST", `/api/tables/${t.table}/seats/${seat}/take`, name ? { name } : {});
    seats.keep({ table: t.table, token, book: t.book, title, name: name || `Seat ${seat + 1}`, seat });
    location.hash = `#/table/${t.table}?token=${token}`;
  } catch (problem) {
    notice(/** @type {any} */ (problem).message, true);
  }
}

/** @param {number} seconds */
function ago(seconds) {
  const minutes = Math.max(0, Math.round((Date.now() / 1000 - seconds) / 60));
  if (minutes < 1) return "just now";
  return minutes < 60 ? `${minutes} min ago` : minutes < 2880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`;
}

/** @param {Book} b */
const people = (b) => (b.seats[0] === b.seats[1] ? `${b.seats[0]} player${b.seats[0] === 1 ? "" : "s"}` : `${b.seats[0]} to ${b.seats[1]} players`);

const Spine = (/** @type {any} */ { b }) => {
  const facts = b.reading ? [b.length] : b.rules_only ? ["a framework that other books build on"] : [people(b), b.length, ...b.maps.map((/** @type {string} */ m) => MAPS[m] || m)];
  const first = !b.rules_only && b.looks && b.looks.first;
  return html`<li class=${`spine${first ? " first" : ""}`}><${Cover} b=${b} /><div class="blurb"><h3>${b.title}</h3>
    <p class="facts">${first ? html`<span class="good-start">good to begin with</span>` : null}${facts.filter(Boolean).map((f) => html`<span key=${f}>${f}</span>`)}</p>
    <p class="summary">${b.summary}</p>${b.designer ? html`<p class="by">By ${b.designer}</p>` : null}
    <p class="actions">${b.reading ? html`<span class="quiet" role="status">This book is being read ...</span>` : html`${b.rules_only ? null : html`<button class="primary" aria-label=${`Play ${b.title} now`} onClick=${() => quick(b)}>Play now</button>
      ${b.guided ? html`<button class="button" aria-label=${`A guided first match of ${b.title}`} onClick=${() => guided(b)}>Show me how</button>` : null}
      <a class="button" href=${`#/new/${encodeURIComponent(b.name)}`} aria-label=${`Set up a table of ${b.title}`}>Set up ...</a>`}
      <a class="button" href=${`#/book/${encodeURIComponent(b.name)}`} aria-label=${`Read ${b.title}`}>Read</a>`}</p></div></li>`;
};

/** You, and for every further seat whom the guided first match has there, or else the book's own bot; as many as the book likes best. @param {Book} b */
async function quick(b) {
  const name = settings.all().name, { guide } = b.guided ? await book(b.name) : { guide: null };
  /** @type {any[]} */
  const wanted = [{ kind: "you", ...(name ? { name } : {}) }];
  for (const who of guide ? guide.seats.slice(1) : []) wanted.push({ kind: "bot", bot: who });
  const company = Math.min(b.seats[1], Math.max(b.seats[0], Number((b.looks || {}).company) || 0));
  while (wanted.length < company) wanted.push({ kind: "bot", bot: b.bots[b.bots.length - 1] });
  await open(b, wanted, {}, null);
}

/** The book's own first match, which says before each choice what to know. @param {Book} b */
async function guided(b) {
  const { guide } = await book(b.name), name = settings.all().name;
  if (!guide) return;
  const wanted = guide.seats.map((/** @type {string} */ who, /** @type {number} */ i) => (i ? { kind: "bot", bot: who } : { kind: "you", ...(name ? { name } : {}) }));
  await open(b, wanted, guide.options, guide.seed, beginGuide);
}

/** @param {Book} b @param {any[]} wanted @param {Record<string, string>} options @param {number|null} seed @param {(table: string) => void} [begun] */
async function open(b, wanted, options, seed, begun) {
  try {
    const made = await ask("POST", "/api/tables", { book: b.name, seats: wanted, options, ...(seed === null ? {} : { seed }) });
    keepTable(made, b);
    if (begun) begun(made.table);
    const me = made.seats.find((/** @type {any} */ s) => s.token && s.kind === "you");
    location.hash = me ? `#/table/${made.table}?token=${me.token}` : `#/table/${made.table}`;
  } catch (problem) {
    notice(/** @type {any} */ (problem).message, true);
  }
}

/** Straight to a table: `rulewright play BOOK`. @param {Element} main @param {string} name */
export async function playNow(main, name) {
  const b = await book(name);
  return () => {
    main.className = "narrow";
    if (b.rules_only) { location.hash = `#/new/${encodeURIComponent(name)}`; return; }
    quick(b);
  };
}

/** @param {Element} main @param {string} name */
export async function newTable(main, name) {
  const b = await book(name);
  return () => {
    $("#where").textContent = b.title;
    main.className = "narrow";
    render(b.rules_only ? html`<p class="plain">${b.title} only holds rules for other books. <a href=${`#/book/${encodeURIComponent(b.name)}`}>Read it</a></p>` : html`<${Form} b=${b} />`, main);
    return () => render(null, main);
  };
}

const Form = (/** @type {any} */ { b }) => {
  const bot = `bot:${b.bots[b.bots.length - 1]}`;
  const [low, high] = b.seats;
  const [count, setCount] = useState(low);
  const [places, setPlaces] = useState(() => Array.from({ length: high }, (_, i) => ({ who: i ? bot : "you", name: i ? "" : settings.all().name })));
  const [words, setWords] = useState(/** @type {Record<string, string>} */ ({}));
  const [seed, setSeed] = useState("");
  const set = (/** @type {number} */ i, /** @type {any} */ some) => setPlaces(places.map((p, n) => (n === i ? { ...p, ...some } : p)));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = places.slice(0, count).map((p) => (p.who.startsWith("bot:") ? { kind: "bot", bot: p.who.slice(4) } : { kind: p.who, ...(p.name.trim() ? { name: p.name.trim() } : {}) }));
    const options = Object.fromEntries(b.options.map((/** @type {any} */ o) => [o.name, words[o.name] || o.default]));
    open(b, wanted, options, seed.trim() ? Number(seed.trim()) : null);
  };
  return html`<form class="card-form" onSubmit=${submit}><${Cover} b=${b} /><h1>${b.title}</h1><p>${b.summary}</p>
    <fieldset><legend>Seats</legend>
      ${low === high ? null : html`<div class="field pair"><label for="count">Players</label><select id="count" value=${count} onChange=${(/** @type {any} */ e) => setCount(Number(e.target.value))}>${Array.from({ length: high - low + 1 }, (_, i) => html`<option key=${i} value=${low + i}>${low + i}</option>`)}</select></div>`}
      <div class="places">${places.slice(0, count).map((p, i) => html`<div class="place" key=${i}><span>Seat ${i + 1}</span>
        <select aria-label=${`Who plays seat ${i + 1}`} value=${p.who} onChange=${(/** @type {any} */ e) => set(i, { who: e.target.value })}>
          <option value="you">You, at this screen</option><option value="invite">A friend, by link</option><option value="open">Whoever comes first</option>${b.bots.map((/** @type {string} */ name) => html`<option key=${name} value=${`bot:${name}`}>Bot: ${name}</option>`)}</select>
        <input placeholder=${i ? `Player ${i + 1}` : "Your name"} aria-label=${`Name of seat ${i + 1}`} maxlength="40" disabled=${p.who.startsWith("bot:")} value=${p.name} onInput=${(/** @type {any} */ e) => set(i, { name: e.target.value })} /></div>`)}</div></fieldset>
    ${b.options.length ? html`<fieldset><legend>Options of the match</legend><div class="grid">${b.options.map((/** @type {any} */ o) => html`<div class="field" key=${o.name}><label for=${`o-${o.name}`}>${o.name}</label>
      <select id=${`o-${o.name}`} value=${words[o.name] || o.default} onChange=${(/** @type {any} */ e) => setWords({ ...words, [o.name]: e.target.value })}>${o.words.map((/** @type {string} */ w) => html`<option key=${w} value=${w}>${w}</option>`)}</select>
      ${o.note ? html`<p class="quiet">${o.note}</p>` : null}</div>`)}</div></fieldset>` : null}
    <fieldset><legend>Chance</legend><div class="field pair"><label for="seed">Seed</label><input id="seed" inputmode="numeric" pattern="[0-9]{0,15}" placeholder="a new one" aria-describedby="seed-note" value=${seed} onInput=${(/** @type {any} */ e) => setSeed(e.target.value)} /></div>
      <p class="quiet" id="seed-note">The same seed and the same choices give the same match.</p></fieldset>
    <p class="actions"><button class="primary" type="submit">Open the table</button><a class="button" href="#/">Back</a></p></form>`;
};
