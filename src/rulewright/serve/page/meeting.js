// Who is here: tools of the bar, links with copy and a code to scan, words between players.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { squares } from "./vendor/qr.js";
import { notice } from "./dom.js";
import { ask } from "./api.js";
import { invites, seats, settings } from "./keep.js";
import { nameOf } from "./names.js";
import { ChosenSeed, Dice } from "./promise.js";

const QUICK = ["Hello!", "Your move.", "Well played!", "One moment.", "Good game!"];

export const Tools = (/** @type {any} */ { model }) => {
  const { state } = model;
  const open = (/** @type {string} */ name) => { model.dialog = model.dialog === name ? "" : name; model.redraw(); };
  const unread = model.talk.length - model.heardTalk;
  return html`<${ChosenSeed} state=${state} /><button class="icon" title=${state.can_undo ? "Take back (U)" : model.undoWords()} aria-disabled=${String(!state.can_undo)} data-able=${String(state.can_undo)} onClick=${() => model.undo()}>Undo</button>
    <button class="icon" title="Links to this table, replay" onClick=${() => open("share")}>Share</button>
    <button class="icon" title="Words to the others" aria-expanded=${String(model.dialog === "talk")} onClick=${() => { model.heardTalk = model.talk.length; open("talk"); }}>Talk${unread > 0 ? html`<b class="count">${unread}</b>` : null}</button>
    <button class="icon" title="What the words on this table mean (?)" aria-label="Words" onClick=${() => open("words")}><span class="wide-only">Words</span><span class="narrow-only" aria-hidden="true">?</span></button>
    <button class="icon" title="Rulebook, opened at the rule of this decision (R)" aria-expanded=${String(model.reading)} onClick=${() => model.toggleRules()}>Rules</button>`;
};

/** @param {string} text */
const Code = (/** @type {any} */ { text }) => {
  const { size, on } = squares(text);
  return html`<svg class="qr" viewBox=${`-2 -2 ${size + 4} ${size + 4}`} role="img" aria-label="The link as a code to scan"><rect x="-2" y="-2" width=${size + 4} height=${size + 4} fill="#fff" />
    <path d=${on.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join("")} fill="#000" /></svg>`;
};

const Link = (/** @type {any} */ { label, link, here }) => {
  const [code, setCode] = useState(false);
  const copy = async () => {
    try { await navigator.clipboard.writeText(link); notice("Copied."); } catch { notice("Select the link and copy it by hand."); }
  };
  return html`<div class="link"><label>${label} ${here === undefined ? null : html`<span class=${`here ${here ? "yes" : ""}`}>${here ? "is here" : "not here yet"}</span>`}<input readonly value=${link} onClick=${(/** @type {any} */ e) => e.target.select()} /></label>
    <button class="button" onClick=${copy}>Copy</button><button class="button" aria-pressed=${String(code)} onClick=${() => setCode(!code)}>Code</button>${code ? html`<${Code} text=${link} />` : null}</div>`;
};

/** @param {any} props */
function Dialog({ open, label, close, children }) {
  const box = useRef();
  useEffect(() => {
    if (open && !box.current.open) box.current.showModal();
    if (!open && box.current.open) box.current.close();
  }, [open]);
  return html`<dialog class="sheet-dialog" aria-label=${label} ref=${box} onClose=${close}>${open ? children : null}</dialog>`;
}

export const Share = (/** @type {any} */ { model, b }) => {
  const { state } = model;
  const close = () => { if (model.dialog === "share") { model.dialog = ""; model.redraw(); } };
  const links = invites.of(model.id);
  const set = (/** @type {any} */ some) => { settings.set(some); model.redraw(); };
  const { sound, notify } = settings.all();
  const allow = async (/** @type {boolean} */ on) => set({ notify: on && "Notification" in window && await Notification.requestPermission() === "granted" });
  return html`<${Dialog} open=${model.dialog === "share"} label="Links to this table" close=${close}>
    ${state.seat === null || state.result ? null : html`<${Places} model=${model} b=${b} />`}
    <h2>Links</h2>
    ${links.map((s) => html`<${Link} key=${s.seat} label=${`For ${s.name} (a secret: whoever has it plays that seat)`} link=${location.origin + s.link} here=${model.here.includes(s.seat)} />`)}
    <${Link} label="For spectators" link=${`${location.origin}/#/watch/${model.id}`} />
    ${state.result ? html`<p class="actions"><a class="button" href=${`#/replay/${model.id}`}>Watch the replay</a><a class="button" href=${`/api/tables/${model.id}/replay`} download=${`${b.name}.replay.json`}>Download the replay</a></p>` : null}
    <${Dice} table=${model.id} dice=${state.dice} />
    <h2>When it is my turn</h2>
    <p><label><input type="checkbox" checked=${sound} onChange=${(/** @type {any} */ e) => set({ sound: e.target.checked })} /> a sound</label>
      <label><input type="checkbox" checked=${notify} onChange=${(/** @type {any} */ e) => allow(e.target.checked)} /> a message of the browser</label></p>
    <form method="dialog"><button class="primary">Close</button></form><//>`;
};

/** Who sits where, and who could instead: a bot for whoever left, a person for a bot. Only the host changes others' places. */
const Places = (/** @type {any} */ { model, b }) => {
  const { state } = model, host = state.players.findIndex((/** @type {any} */ p) => ["you", "invite"].includes(p.kind));
  const change = async (/** @type {any} */ p, /** @type {string} */ wanted) => {
    const wish = wanted.startsWith("bot:") ? { kind: "bot", bot: wanted.slice(4) } : { kind: wanted };
    if (p.seat === state.seat && !confirm("You would leave your seat. Go on?")) { model.redraw(); return; }
    try {
      const made = await ask("POST", `/api/tables/${model.id}/seats/${p.seat}`, { token: model.token, ...wish });
      seats.leave(model.id, p.seat);
      const rest = invites.of(model.id).filter((s) => s.seat !== p.seat);
      invites.keep(model.id, made.kind === "invite" ? [...rest, made] : rest);
      if (made.kind === "you") seats.keep({ table: model.id, token: made.token, book: b.name, title: b.title, name: made.name, seat: p.seat });
      if (p.seat === state.seat) location.hash = `#/watch/${model.id}`;
      else model.redraw();
    } catch (problem) { notice(/** @type {any} */ (problem).message, true); }
  };
  return html`<h2>Places</h2><ul class="places-now">${state.players.map((/** @type {any} */ p) => {
    const now = p.kind === "bot" ? `bot:${p.bot}` : p.kind, may = state.seat === host || p.seat === state.seat;
    const people = /** @type {[string, string][]} */ ([["you", "at this screen"], ["invite", "by link"], ["open", "whoever comes first"]]).filter(([kind]) => kind === now || kind !== "you" || p.seat !== state.seat);
    return html`<li key=${p.seat}><span>${p.seat + 1}. ${p.name}${p.seat === state.seat ? " (you)" : ""}</span>
      ${may ? html`<select aria-label=${`Who has seat ${p.seat + 1}`} value=${now} onChange=${(/** @type {any} */ e) => change(p, e.target.value)}>${people.map(([kind, words]) => html`<option key=${kind} value=${kind}>${words}</option>`)}${b.bots.map((/** @type {string} */ name) => html`<option key=${name} value=${`bot:${name}`}>Bot: ${name}</option>`)}</select>`
        : html`<span class="quiet">${p.kind === "bot" ? "a bot" : p.kind === "open" ? "free" : model.here.includes(p.seat) ? "is here" : "away"}</span>`}</li>`;
  })}</ul>`;
};

/** For whoever watches a table where a seat is free. */
export const FreeSeat = (/** @type {any} */ { model, b }) => {
  const { state } = model, free = state.players.find((/** @type {any} */ p) => p.kind === "open");
  if (state.seat !== null || state.result || !free) return null;
  const take = async () => {
    const name = settings.all().name;
    try {
      const { token } = await ask("POST", `/api/tables/${model.id}/seats/${free.seat}/take`, name ? { name } : {});
      seats.keep({ table: model.id, token, book: b.name, title: b.title, name: name || free.name, seat: free.seat });
      location.hash = `#/table/${model.id}?token=${token}`;
    } catch (problem) { notice(/** @type {any} */ (problem).message, true); }
  };
  return html`<p class="actions"><button class="primary" onClick=${take}>Take seat ${free.seat + 1}</button></p>`;
};

export const Talk = (/** @type {any} */ { model }) => {
  const [text, setText] = useState("");
  const { state } = model;
  if (model.dialog !== "talk") return null;
  const quiet = settings.all().quiet;
  const say = (/** @type {string} */ words) => { if (words.trim() && model.line) model.line.send({ talk: words.trim() }); setText(""); };
  return html`<aside class="talk" aria-label="Words between players"><header><h2>At the table</h2><button class="close" aria-label="Close" onClick=${() => { model.dialog = ""; model.redraw(); }}>×</button></header>
    <ul class="players">${state.players.map((/** @type {any} */ p) => html`<li key=${p.seat} class=${p.kind === "bot" || model.here.includes(p.seat) ? "yes" : ""}>${p.name}${p.seat === state.seat ? " (you)" : p.kind === "bot" ? " (bot)" : model.here.includes(p.seat) ? "" : " (away)"}</li>`)}</ul>
    ${quiet ? html`<p class="quiet">Words are switched off.</p>` : html`<div class="said" role="log" aria-live="polite">${model.talk.map((/** @type {any} */ t, /** @type {number} */ i) => html`<p key=${i}><b>${t.seat === null ? "A spectator" : nameOf(state.players, t.seat)}</b> ${t.text}</p>`)}</div>
    ${state.seat === null ? html`<p class="quiet">Spectators only listen.</p>` : html`<p class="chips">${QUICK.map((q) => html`<button key=${q} class="chip" onClick=${() => say(q)}>${q}</button>`)}</p>
    <form onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); say(text); }}><input maxlength="200" aria-label="Say something" placeholder="Say something" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} /><button class="button">Say</button></form>`}`}
    <label class="quiet"><input type="checkbox" checked=${quiet} onChange=${(/** @type {any} */ e) => { settings.set({ quiet: e.target.checked }); model.redraw(); }} /> no words, please</label></aside>`;
};
