// Who is here: tools of the bar, links with copy and a code to scan, words between players.
import { html, useEffect, useRef, useState } from "./vendor/preact.js";
import { squares } from "./vendor/qr.js";
import { notice } from "./dom.js";
import { invites, settings } from "./keep.js";
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
    <button class="icon" title="What the words on this table mean (?)" onClick=${() => open("words")}>Words</button>
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

export const Talk = (/** @type {any} */ { model }) => {
  const [text, setText] = useState("");
  const { state } = model;
  if (model.dialog !== "talk") return null;
  const quiet = settings.all().quiet;
  const say = (/** @type {string} */ words) => { if (words.trim() && model.line) model.line.send({ talk: words.trim() }); setText(""); };
  return html`<aside class="talk" aria-label="Words between players"><header><h2>At the table</h2><button class="icon" aria-label="Close" onClick=${() => { model.dialog = ""; model.redraw(); }}>×</button></header>
    <ul class="players">${state.players.map((/** @type {any} */ p) => html`<li key=${p.seat} class=${p.kind === "bot" || model.here.includes(p.seat) ? "yes" : ""}>${p.name}${p.seat === state.seat ? " (you)" : p.kind === "bot" ? " (bot)" : model.here.includes(p.seat) ? "" : " (away)"}</li>`)}</ul>
    ${quiet ? html`<p class="quiet">Words are switched off.</p>` : html`<div class="said" role="log" aria-live="polite">${model.talk.map((/** @type {any} */ t, /** @type {number} */ i) => html`<p key=${i}><b>${t.seat === null ? "A spectator" : nameOf(state.players, t.seat)}</b> ${t.text}</p>`)}</div>
    ${state.seat === null ? html`<p class="quiet">Spectators only listen.</p>` : html`<p class="chips">${QUICK.map((q) => html`<button key=${q} class="chip" onClick=${() => say(q)}>${q}</button>`)}</p>
    <form onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); say(text); }}><input maxlength="200" aria-label="Say something" placeholder="Say something" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} /><button class="button">Say</button></form>`}`}
    <label class="quiet"><input type="checkbox" checked=${quiet} onChange=${(/** @type {any} */ e) => { settings.set({ quiet: e.target.checked }); model.redraw(); }} /> no words, please</label></aside>`;
};
