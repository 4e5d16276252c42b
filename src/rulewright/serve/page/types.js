// The shapes that travel between server and page, for `tsc --checkJs`. Nothing here runs.

/** @typedef {{kind: string, id: number, name: string}} Thing */
/** @typedef {{index: number, verb: number, text: string, things: Thing[]}} Option */
/** @typedef {{seat: number, actor: number, prompt: string, mine: boolean, options: Option[]}} Decision */
/** @typedef {{name: string, stacks: number, turns: number}} Status */
/**
 * @typedef {{id: number, name: string, template: string, in_play: number, side: number, seat: number, place: number,
 *   facing: number, fields: Record<string, any>, read: Record<string, number>, most: Record<string, number>,
 *   statuses: Status[]}} Actor
 */
/** @typedef {{id: number, face: number, name: string, fields?: Record<string, any>}} Card */
/**
 * @typedef {{zone: number, name: string, kind: string|null, owner: number, count: number, ordered: boolean,
 *   cards: Card[], unknown: number}} Zone
 */
/** @typedef {{name: string, members: number[], cursor: number, now: number|null}} Order */
/**
 * @typedef {{seat: number|null, seats: number, actors: Actor[], zones: Zone[], fields: Record<string, any>,
 *   spaces: {id: number, name: string, fields: Record<string, any>}[], things: Record<string, any[]>, orders: Order[], players?: string[]}} View
 */
/**
 * A line of the log; `said`: what it is about, as it was called then.
 * @typedef {{n: number, text: string, said?: string[], kind: number, args: number[], cites: string[], title: string, file: string,
 *   line: number, by?: number}} Line
 */
/** @typedef {{seat: number, kind: string, name: string, bot: string}} Player */
/**
 * @typedef {{table: string, version: number, decision: Decision|null, book: string, digest: string, seat: number|null,
 *   players: Player[], waiting: number[], together?: number[], result: {ending: string, scores: number[], ranks?: number[], points?: number[]}|null, can_undo: boolean,
 *   since: number, lines: number, board: {terrain?: number[], spots?: number[][]}, view: View, log: Line[],
 *   total?: number}} State
 */
/**
 * @typedef {{name: string, of: string[], counts: number[], holds: string|null, seen: string, low: number, high: number,
 *   shown: boolean, maximum?: string|null, price?: number}} Field
 */
/** @typedef {{name: string, grid: string, first: number, count: number, coords: number[][], upward: boolean}} MapSheet */
/**
 * @typedef {{prices: Record<string, string[]>, amounts?: Record<string, Record<string, number>>, verbs: {text: string, args?: string[], site?: number}[], sites: {file: string, line: number, title: string, cites?: string[]}[],
 *   things: Record<string, string[]>, columns: Record<string, Record<string, any[]>>, maps: MapSheet[], fields: Field[],
 *   zones: {name: string, of: string|null, seen: string, shown: boolean}[], statuses: {name: string}[],
 *   orders: {name: string}[], endings: string[], prompts: string[], dice: string[]}} Sheet
 */
/**
 * @typedef {{name: string, title: string, digest: string, summary: string, designer: string, licence: string,
 *   length: string, seats: number[], rules_only: boolean, options: any[], bots: string[], maps: string[],
 *   html: string, actions: string[], looks: Looks, sheet: Sheet, guided: boolean, guide?: import("./guide.js").Lesson|null}} Book
 */
/** @typedef {{life?: string, turn?: string, accent?: string, first?: string, [more: string]: any}} Looks */
/** @typedef {{table: string, token: string, book: string, title: string, name: string, seat?: number}} KeptSeat */
/** @typedef {Map<string, Option[]>} Lit */

export {};
