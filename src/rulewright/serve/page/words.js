// The words of a table: everything that can be seen on it now, by name, with what the book says of it. For whoever has no pointer.
import { html, useEffect, useRef } from "./vendor/preact.js";
import { explain } from "./explain.js";
import { isOwn } from "./names.js";

/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./types.js").State} State */

/** Names on the table, by what they are. @param {Book} b @param {State} state @returns {[string, string[]][]} */
export function onTable(b, state) {
  const { view, board } = state, present = view.actors.filter((a) => a.in_play), mine = view.actors.filter((a) => isOwn(a, view)), own = mine.some((a) => a.in_play) ? mine.filter((a) => a.in_play) : mine;
  const shown = new Set(b.sheet.fields.filter((f) => f.shown).map((f) => f.name));
  const numbers = [...Object.keys(view.fields).filter((name) => view.fields[name]), ...(own.length ? own : present).flatMap((a) => Object.entries(a.fields).filter(([, v]) => v).map(([name]) => name))];
  const held = view.zones.flatMap((z) => (z.count ? [z.name] : [])), cards = view.zones.filter((z) => z.kind === "Actor" && own.some((a) => a.id === z.owner)).flatMap((z) => z.cards.map((c) => c.name));
  const grounds = [...new Set(board.terrain || [])].map((t) => (b.sheet.things.Terrain || [])[t] || "");
  return [["Numbers", numbers.filter((name) => shown.has(name))], ["Statuses", present.flatMap((a) => a.statuses.map((s) => s.name))], ["Cards", cards], ["Piles", held],
    ["Places", [...grounds.flatMap((name) => name.split(/ and |, /)), ...(b.sheet.things.Area || [])]], ["What can be done", b.actions || []]];
}

export const Words = (/** @type {any} */ { model, b }) => {
  const box = useRef(), open = model.dialog === "words";
  useEffect(() => {
    if (open && !box.current.open) box.current.showModal();
    if (!open && box.current.open) box.current.close();
  }, [open]);
  const close = () => { if (model.dialog === "words") { model.dialog = ""; model.redraw(); } };
  const parts = open ? onTable(b, model.state).map(([title, names]) => /** @type {[string, [string, any][]]} */ ([title, [...new Set(names)].map((name) => /** @type {[string, any]} */ ([name, explain(b, name)])).filter(([, told]) => told && told.says)])).filter(([, rows]) => rows.length) : [];
  return html`<dialog class="sheet-dialog words" aria-label="Words of this table" ref=${box} onClose=${close}>${open ? html`<form method="dialog"><button class="icon" aria-label="Close">×</button></form><h2>Words of this table</h2>
    ${parts.map(([title, rows]) => html`<section key=${title}><h3>${title}</h3><dl>${rows.map(([name, told]) => html`<div key=${name}><dt>${name}</dt><dd>${told.says}${told.file ? html` <button class="cite" aria-label=${`Read the rule of ${name}`} onClick=${() => { close(); model.read(told); }}>rule</button>` : null}</dd></div>`)}</dl></section>`)}` : null}</dialog>`;
};
