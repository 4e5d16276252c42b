// Deeds -> words: what the log and the stage tell, and what a screen reader hears.
//
// What came of a deed is told in the order in which it happened, whoever it befalls named once. What the book says
// itself is not said again by the page.
import { EVENT, changed, isEnding, pileOf, wordsOf } from "./names.js";
import { askerOf, isChoice, isOne, outcomes } from "./tell.js";
import { doneIn } from "./verbs.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./tell.js").Deed} Deed */
/** @typedef {ReturnType<typeof outcomes>} Outcomes */
/** @typedef {{n: number, who: string, text: string}} Part something that is told: when it happened, and of whom */

const YOU = "You";
const MOST = 3, WORDS = 6;
/* Numbers that are told where nothing else is; choices of one deed that are told one by one. */

/** @param {string} who */
const possessive = (who) => `${who}${who.endsWith("s") ? "'" : "'s"}`;
/** The last behind an "and", which needs a comma where there is one already. @param {string[]} names */
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")}${names.some((name) => name.includes(" and ")) ? "," : ""} and ${names.at(-1)}` : names[0] || "");
/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The deed in one or a few sentences.
 * @param {Deed} deed @param {Book} b @param {View} view
 */
export function sentence(deed, b, view) {
  const name = (/** @type {number} */ id) => (view.actors[id] ? view.actors[id].name : "");
  const who = name(deed.who) || seatName(deed, view);
  const turn = who === YOU ? "your turn" : who ? `${possessive(who)} turn` : "the turn";
  if (deed.kind === "turn") return turn;
  if (deed.kind === "pass") return passed(deed, turn);
  const out = outcomes(deed, b, view), statuses = out.statuses.filter((s) => s.name);
  const words = head(deed, who, b, view), said = spoken(deed, statuses, view).filter((part, i, all) => !all[i + 1] || !isSaid(part.text, who, all[i + 1].text));
  const first = (said.length && isSaid(words, who, said[0].text)) || isWay(deed, out, b) ? "" : words;
  const moves = moved(out, said, name), goes = wentTo(deed, out, b, first, said);
  const came = [...said, ...(goes ? [] : moves), ...lives(out, name), ...gained(statuses, name), ...gone(deed, out, name)].sort((x, y) => x.n - y.n);
  const parts = [goes || first, ...joined(came)].filter(Boolean);
  if (cameToNothing(deed)) parts.push("Nothing comes of it");
  else if (missed(deed, out)) parts.push("No effect: it misses");
  else if (!came.length && !goes) parts.push(...numbers(deed, out.changes, b, first.startsWith(`${who}:`) ? "" : who, name));
  return parts.length ? `${parts.map((p) => capital(p.replace(/[.\s]+$/, ""))).join(". ")}.` : "";
}

/** The end of a turn, in the book's own words where it has some. @param {Deed} deed @param {string} turn */
function passed(deed, turn) {
  const words = deed.said.length ? deed.said[0].text.replace(/[.\s]+$/, "") : `${turn} ends`;
  return deed.forced ? `Nothing else can be done: ${words}.` : `${capital(words)}.`;
}

/** Who chose, where nobody on the table did. @param {Deed} deed @param {View} view */
const seatName = (deed, view) => (!["choice", "pass"].includes(deed.kind) || deed.by < 0 ? "" : deed.by === view.seat ? YOU : (view.players || [])[deed.by] || "");

/** What befalls the same one after another is one sentence: "Wolf loses 4 HP (1 left) and gets Stunned". @param {Part[]} parts */
function joined(parts) {
  /** @type {{who: string, clauses: string[]}[]} */
  const found = [];
  for (const { who, text } of parts) {
    const last = found.at(-1), clause = text.replace(/[.\s]+$/, "");
    // Only where the sentence before is one, and of nobody else.
    const same = last && who && last.who === who && clause.startsWith(`${who} `) && !/[.!?:]/.test(last.clauses.join(""));
    const rest = clause.slice(who.length + 1), verb = rest.slice(0, rest.indexOf(" ") + 1), before = same ? last.clauses.at(-1) || "" : "";
    // "moves up and moves to the wall" is one way.
    if (same && verb && before.endsWith(` ${verb}${before.split(" ").at(-1)}`)) last.clauses[last.clauses.length - 1] = `${before} ${rest.slice(verb.length)}`;
    else if (same) last.clauses.push(rest);
    else found.push({ who: clause.startsWith(`${who} `) ? who : "", clauses: [clause] });
  }
  return found.map(({ clauses }) => listed(clauses));
}

/* The words for what chance has chosen where nobody says more. */

/** What chance has chosen one after another is told at once: "ford and cart are picked at random". @param {Line[]} lines @returns {{n: number, text: string}[]} */
function picked(lines) {
  /** @type {{n: number, text: string, names: string[]}[]} */
  const found = [];
  for (const line of lines) {
    const { n, kind, text } = line, last = found.at(-1), name = kind === EVENT.PICK ? wordsOf(line) : "";
    if (name && last && last.names.length) last.names.push(name);
    else found.push({ n, text, names: name ? [name] : [] });
  }
  return found.map(({ n, text, names }) => (names.length > 1 ? { n, text: `${listed(counted(names))} are picked at random` } : { n, text }));
}

/** What the book says, each once, and not that somebody gets a status of that very name. @param {Deed} deed @param {{name: string}[]} statuses @param {View} view @returns {Part[]} */
function spoken(deed, statuses, view) {
  const texts = deed.said.map((l) => l.text), names = view.actors.map((a) => a.name).sort((x, y) => y.length - x.length);
  const lines = deed.said.filter((l, i) => texts.indexOf(l.text) === i && !statuses.some((s) => s.name === l.text));
  return picked(lines).map(({ n, text }) => ({ n, who: names.find((name) => text.startsWith(`${name} `)) || "", text }));
}

/** Whether the book says right after it in a sentence what was done, and by whom: then it need not be said in front. @param {string} words @param {string} who @param {string} next */
function isSaid(words, who, next) {
  if (!who || !words.startsWith(`${who}: `) || !next.startsWith(`${who} `)) return false;
  const names = words.slice(who.length).match(/[A-Z][\w'-]*|\d+/g) || [];
  return names.length > 0 && names.every((name) => next.toLowerCase().includes(name.toLowerCase()));
}

/** @param {Deed} deed @param {string} who @param {Book} b @param {View} view */
function head(deed, who, b, view) {
  // What only ended a choice says nothing by itself.
  const chosen = deed.words.filter((l) => !isEnding(l.args[0], wordsOf(l)));
  if (deed.kind === "choice" && chosen.length) {
    const shown = shownLater(deed, b, view);
    const verb = (/** @type {Line} */ l) => b.sheet.verbs[l.args[0]] || { text: "", args: [] };
    const isBare = (/** @type {Line} */ l) => verb(l).text.startsWith("{0}"), bare = chosen.every(isBare);
    // The way that somebody goes is told by where it leads.
    const told = chosen.filter((l) => bare || !isBare(l) || (verb(l).args || [])[0] !== "Space");
    const words = counted(told.map((l) => wordsOf(l).replace(unknownIn(l), shown.get(l.n) || unknownIn(l)))).join(", ");
    if (who === YOU && words[0] !== words[0].toLowerCase()) return `${who} choose ${words}`;
    if (bare && who && deed.step && !deed.rule) return `${who}, ${deed.step}: ${words}`;
    return !who || words.startsWith(`${who}:`) ? words : `${who}: ${words}`;
  }
  if (deed.rule && deed.lines.includes(deed.rule)) return deed.rule.text;
  return deed.said.length || deed.kind !== "event" ? "" : deed.lines[0].title && deed.lines[0].kind === EVENT.CHANGE ? deed.lines[0].title : "";
}

/** Whether nothing was chosen but where to go, and that is where it led. @param {Deed} deed @param {Outcomes} out @param {Book} b */
function isWay(deed, out, b) {
  const isSpace = (/** @type {Line} */ l) => { const { text, args } = b.sheet.verbs[l.args[0]] || { text: "", args: [] }; return text === "{0}" && (args || [])[0] === "Space"; };
  return deed.kind === "choice" && !deed.rule && deed.words.length > 0 && deed.words.every(isSpace) && out.moves.some((m) => m.id === deed.who);
}

/** The same several times is said once; of very many, how it began and how it ended. @param {string[]} words */
function counted(words) {
  /** @type {[string, number][]} */
  const found = [];
  for (const word of words) {
    const last = found.at(-1);
    if (last && last[0] === word) last[1] += 1;
    else found.push([word, 1]);
  }
  const told = found.map(([word, times]) => (times > 1 ? `${word} ×${times}` : word));
  return told.length > WORDS ? [...told.slice(0, WORDS / 2), `${told.length - WORDS + 1} more`, ...told.slice(1 - WORDS / 2)] : told;
}

/** What stands in the words of a choice for a card that the reader does not know, or nothing. @param {Line} line */
const unknownIn = (line) => (line.said || [])[1] || "";

/**
 * Cards that nobody else knew when they were chosen, and that then were shown: the first that leaves a pile of whoever chose.
 * By the line of the choice.
 * @param {Deed} deed @param {Book} b @param {View} view
 */
function shownLater(deed, b, view) {
  /** @type {Map<number, string>} */
  const found = new Map();
  /** @type {Line[]} */
  let waiting = [];
  for (const line of deed.lines) {
    if (isChoice(line) && unknownIn(line)) waiting.push(line);
    if (line.kind !== EVENT.CARD) continue;
    const from = pileOf(b, line.args[1]), seat = from && from.zone.of === "Actor" ? view.actors[from.owner].seat : -1, known = line.args[0] >= 0;
    const choice = waiting.find((l) => (known && askerOf(b, l.args[0]) === line.title) || (seat >= 0 && l.by === seat && askerOf(b, l.args[0]) !== line.title));
    if (choice && known) found.set(choice.n, wordsOf(line));
    waiting = waiting.filter((l) => l !== choice);
  }
  return found;
}

/** Who went where, unless the book has said so. @param {Outcomes} out @param {Part[]} said @param {(id: number) => string} name @returns {Part[]} */
const moved = (out, said, name) => out.moves.map(({ n, id, from, place }) => {
  const who = name(id);
  return { n, who, text: place && !said.some((s) => s.text.includes(who) && s.text.includes(place)) ? `${who} ${from < 0 ? "appears at" : "moves to"} ${place}` : "" };
}).filter((part) => part.text);

/** A deed that first of all leads somewhere is told in one: "Ada: Move to B2". @param {Deed} deed @param {Outcomes} out @param {Book} b @param {string} first @param {Part[]} said */
function wentTo(deed, out, b, first, said) {
  const [move, ...more] = out.moves;
  const things = deed.words.flatMap((l) => ((b.sheet.verbs[l.args[0]] || {}).args || []).filter((kind, i) => kind !== "Actor" || ![deed.who, -1].includes(l.args[1 + i])));
  if (!first || !move || more.length || move.id !== deed.who || move.from < 0 || deed.target >= 0 || said.some((s) => s.n < move.n)) return "";
  // What else was chosen for it, or is said with it, leaves no room for where it led.
  if (!move.place || first.includes(", ") || !things.every((kind) => kind === "Space")) return "";
  return first.endsWith(move.place) ? first : `${first} to ${move.place}`;
}

/** Who lost or gained life; whoever has only come has it from the beginning. @param {Outcomes} out @param {(id: number) => string} name @returns {Part[]} */
const lives = (out, name) => out.life.filter((c) => c.by < 0 || !out.enters.some((e) => e.id === c.actor)).map((c) => {
  const who = name(c.actor), some = `${Math.abs(c.by)} ${c.field}`, last = Number(c.to) <= 0;
  const text = c.by > 0 ? `gains ${some} (now ${c.to})` : last ? `loses the last ${c.by < -1 ? some : c.field}` : `loses ${some} (${c.to} left)`;
  return { n: c.n, who, text: `${who} ${text}` };
});

/** Who got something; what ends for several is told once. @param {Outcomes["statuses"]} statuses @param {(id: number) => string} name @returns {Part[]} */
function gained(statuses, name) {
  /** @type {(Part & {ends?: string, names: string[]})[]} */
  const found = [];
  for (const s of statuses) {
    const who = name(s.actor), same = s.stacks > 0 ? undefined : found.find((part) => part.ends === s.name);
    if (s.stacks > 0) found.push({ n: s.n, who, names: [], text: `${who} gets ${s.name}${s.stacks > 1 ? ` ×${s.stacks}` : ""}` });
    else if (same) Object.assign(same, { names: [...same.names, who], n: s.n });
    else found.push({ n: s.n, who: "", ends: s.name, names: [who], text: "" });
  }
  return found.map(({ n, who, text, ends, names }) => ({ n, who, text: text || `${ends} ends for ${listed(names)}` }));
}

/** Who is no longer there: who has fallen, and who only left, all at once when a fight is over. @param {Deed} deed @param {Outcomes} out @param {(id: number) => string} name @returns {Part[]} */
function gone(deed, out, name) {
  const told = out.falls.filter(({ id }) => !isToldOf(deed, id)), lost = new Set(out.life.filter((c) => Number(c.to) <= 0).map((c) => c.actor));
  const left = told.filter(({ id }) => !lost.has(id) && lost.size + told.length > 1);
  /** @type {Part[]} */
  const fallen = told.filter((fall) => !left.includes(fall)).map(({ n, id }) => ({ n, who: name(id), text: `${name(id)} is out of play` }));
  const names = left.map(({ id }) => name(id)), last = left.at(-1);
  if (last) fallen.push({ n: last.n, who: names.length > 1 ? "" : names[0], text: `${listed(names)} ${names.length > 1 ? "leave" : "leaves"} the board` });
  return fallen;
}

/** Whether the rule that took somebody out of play has said so in its own words. @param {Deed} deed @param {number} id */
function isToldOf(deed, id) {
  const fell = deed.lines.find((l) => l.kind === EVENT.PLAY && l.args[0] === id && !l.args[1]);
  return deed.said.some((l) => fell && l.title === fell.title && l.args[1] === id);
}

/**
 * What a deed changed of which nothing else is told, but for its price.
 * @param {Deed} deed @param {any[]} changes @param {Book} b @param {string} self the name of who did it, where it is not said yet @param {(id: number) => string} name
 */
function numbers(deed, changes, b, self, name) {
  if (deed.who < 0) return [];
  const chosen = deed.words.map(wordsOf).join(" ");
  const isPrice = (/** @type {any} */ c) => c.actor === deed.who && !c.thing && b.sheet.fields.some((f) => f.name === c.field && f.price && f.price === Math.sign(c.by));
  const worth = changes.filter((c) => c.actor >= 0 && !c.flag && !isPrice(c) && !(c.thing && chosen.includes(c.to)));
  const gains = worth.filter((c) => c.actor !== deed.who || c.thing || c.up);
  const whose = (/** @type {any} */ c) => (c.actor === deed.who ? self : name(c.actor));
  return (gains.length ? worth : []).slice(0, MOST).map((c) => `${whose(c) ? `${whose(c)}: ` : ""}${c.part ? `${c.part}, ` : ""}${becomes(c)}`);
}

/** A change in words; what was nothing before only becomes something. @param {{field: string, from: string, to: string, thing: boolean}} change */
export const becomes = ({ field, from, to, thing }) => (thing && from === "none" ? `${field}: ${to}` : `${field} ${from} → ${to}`);

/** Whether somebody tried something and the rules let nothing come of it. @param {Deed} deed */
export const cameToNothing = (deed) => deed.kind === "choice" && !deed.midway && deed.rule !== null && !deed.said.length && deed.lines.every((l) => isOne(l, ["CHOSEN", "FORCED", "RULE", "STEP"]));

/** Whether dice were rolled at somebody and nothing came of it for them, without a word of the book. @param {Deed} deed @param {Outcomes} out */
function missed(deed, out) {
  if (deed.midway || !deed.rule || deed.target < 0 || deed.target === deed.who || deed.said.length) return false;
  const felt = [out.life, out.moves, out.statuses, out.falls, out.enters, out.changes.filter((c) => c.actor !== deed.who)];
  return felt.every((some) => !some.length) && deed.lines.some((l) => l.kind === EVENT.ROLL);
}

/** What a deed took from somebody, in one short sentence. @param {Deed} deed @param {Book} b @param {View} view */
export function brief(deed, b, view) {
  const out = outcomes(deed, b, view), name = (/** @type {number} */ id) => (view.actors[id] ? view.actors[id].name : "");
  const lost = out.life.filter((c) => c.by < 0), fell = lost.filter((c) => out.falls.some((f) => f.id === c.actor));
  const by = name(deed.who), done = deed.words.length ? doneIn(b.sheet.verbs[deed.words[0].args[0]], wordsOf(deed.words[0])).head : deed.rule ? deed.rule.title : "";
  // What befalls somebody in their own turn is nobody's deed.
  const what = by && done ? `${possessive(by)} ${done}` : lost.some((c) => c.actor === deed.who) ? done : by || done;
  const names = (/** @type {any[]} */ some) => some.map((c) => name(c.actor)).join(" and ");
  const told = fell.length ? `${names(fell)} ${fell.length > 1 ? "fall" : "falls"}` : lost.length ? `${names(lost.slice(0, 1))} loses ${-lost[0].by} ${lost[0].field}` : "";
  return told && what ? `${told} to ${what}.` : told && `${told}.`;
}

/** Whether a deed is worth a moment on the stage. @param {Deed} deed @param {Book} b @param {View} view */
export const isShown = (deed, b, view) => deed.kind !== "quiet" && deed.kind !== "turn" && sentence(deed, b, view) !== "";

/** A line of the ledger under a deed, or nothing where no name can be put to it. @param {Line} line @param {Book} b @param {View} view */
export function ledger(line, b, view) {
  if (isOne(line, ["SHUFFLE", "ORDER", "LAY"])) return "";
  if (line.kind === EVENT.CHANGE) {
    const c = changed(b, view, line);
    if (!c) return "";
    const whose = [c.actor >= 0 ? view.actors[c.actor].name : "", c.part].filter(Boolean).join(", ");
    return `${whose ? `${whose}: ` : ""}${becomes(c)}`;
  }
  if (line.kind === EVENT.CHOSEN) return `Chosen: ${wordsOf(line)}`;
  if (line.kind === EVENT.FORCED) return `The only option: ${wordsOf(line)}`;
  return line.text;
}
