"""Who may read an event: every `emit` of a Program becomes a `tell` that works it out.

In:  functions that emit events, the sheet with what is hidden from whom, the constants so far.
Out: the same functions telling seats, and the constants with two tables more.

What is known when a book is compiled (most fields are open) costs nothing; the rest are calls of the kernels
in `kernels_audience`, made at the moment the event happens, since a card that is known now may be shuffled
away before anybody decides. Whatever this pass does not understand is told to nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rulewright.ir import events as kinds
from rulewright.ir.events import EVERYBODY, KINDS
from rulewright.ir.nodes import Binary, Block, Call, Const, Do, Expr, Function, Load, Pick, Stmt
from rulewright.ir.program import SEAT
from rulewright.ir.sheet import ALL, OWNER, Field, Sheet
from rulewright.ir.walk import with_blocks

ALL_OF_THEM, NOBODY = Const(EVERYBODY), Const(0)
CARD_SLOT = re.compile(r"\{(\d):Card[}|]")


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look: slots and tables, -1 where the book has none."""

    sheet: Sheet
    known: int
    zone: int
    controller: int
    side: int
    actors: int
    zones: int
    """How many zones there are, of all owners."""
    zone_table: int
    verb_table: int


def places(sheet: Sheet, consts: tuple[int, ...]) -> tuple[Places, tuple[int, ...]]:
    """Where to look, and the constants with the tables for it behind them."""
    bases = {(field.of, field.name): field.base for field in reversed(sheet.fields)}
    seen: list[int] = []
    owners: list[int] = []
    for zone in sheet.zones:
        of_actor = zone.of == "Actor"
        for owner in range(len(sheet.things.get(zone.of, ())) if zone.of else 1):
            seen.append(2 if zone.seen == ALL else 1 if zone.seen == OWNER and of_actor else 0)
            owners.append(owner if of_actor else -1)
    verbs = [sum(1 << i for i, kind in enumerate(verb.args[:3]) if kind == "Card") for verb in sheet.verbs]
    made = Places(
        sheet,
        bases.get((("Card",), "known"), sheet.known_base),
        bases.get((("Card",), "zone"), -1),
        bases.get((("Actor",), "controller"), -1),
        bases.get((("Actor",), "side"), -1),
        len(sheet.things.get("Actor", ())),
        len(seen),
        len(consts),
        len(consts) + 2 * len(seen),
    )
    return made, (*consts, *seen, *owners, *verbs)


def told(function: Function, at: Places) -> Function:
    """The function with every `emit` become a `tell`."""
    body = _block(function.body, at)
    if body == function.body:
        return function
    return Function(function.name, function.params, body, function.framed, function.keeps, function.site)


def _block(block: Block, at: Places) -> Block:
    return tuple([_statement(stmt, at) for stmt in block])


def _statement(stmt: Stmt, at: Places) -> Stmt:
    match stmt:
        case Do(Call("emit", args), site):
            return Do(Call("tell", (*args, *_readers(args, at))), site)
        case _:
            return with_blocks(stmt, lambda inner: _block(inner, at))


def _readers(args: tuple[Expr, ...], at: Places) -> tuple[Expr, Expr, Expr]:
    """By whom, who is told, who knows."""
    match args[0]:
        case Const(kind) if kind in KINDS:
            by = Load("S", Const(SEAT)) if kind in (kinds.CHOSEN, kinds.FORCED, kinds.READY) else Const(-1)
            return by, _who(kind, args, at), _knows(kind, args, at)
        case _:
            return Const(-1), NOBODY, NOBODY


def _who(kind: int, args: tuple[Expr, ...], at: Places) -> Expr:
    match KINDS[kind].seen:
        case kinds.OPEN:
            return ALL_OF_THEM
        case kinds.SECRET:
            return Call("listeners")
        case kinds.FIELD:
            return _of_field(args[2], lambda field: _sees(field, args[3], at), at)
        case _:
            return NOBODY


def _of_field(number: Expr, found: Callable[[Field], Expr], at: Places) -> Expr:
    """What is found of the field; a number that is computed could be any of them."""
    fields = at.sheet.fields
    if isinstance(number, Const):
        return found(fields[number.value]) if 0 <= number.value < len(fields) else NOBODY
    made: Expr = NOBODY
    for index, field in enumerate(fields):
        each = found(field)
        if each != NOBODY:
            made = Pick(Binary("==", number, Const(index)), each, made)
    return made


def _sees(field: Field, index: Expr, at: Places) -> Expr:
    """Who may see a field of this owner; index as in CHANGE events: i * counts[1] + j."""
    if field.quiet:
        return NOBODY
    first, second = index, index
    if len(field.of) == 2:
        width = Const(max(1, field.counts[1]))
        first, second = Binary("//", index, width), Binary("%", index, width)
    allowed: list[Expr] = [
        _card(owner, at) for owner, kind in zip((first, second), field.of, strict=False) if kind == "Card"
    ]
    if field.seen == OWNER:
        allowed.append(_owner(field.of[0] if field.of else "", first, at))
    elif field.seen != ALL:
        return NOBODY
    made = allowed[0] if allowed else ALL_OF_THEM
    for more in allowed[1:]:
        made = Binary("&", made, more)
    return made


def _owner(kind: str, owner: Expr, at: Places) -> Expr:
    match kind:
        case "Actor" if at.controller >= 0:
            return Call("seat_bit", (Load("S", Binary("+", Const(at.controller), owner)),))
        case "Side" if at.controller >= 0 and at.side >= 0:
            return Call("side_seats", (owner, Const(at.side), Const(at.controller), Const(at.actors)))
        case "Card":
            return _card(owner, at)
        case "Seat":
            return Call("seat_bit", (owner,))
        case _:
            return NOBODY


def _zones(at: Places) -> tuple[Expr, ...]:
    return Const(at.zone_table), Const(at.zones), Const(max(0, at.controller))


def _card(card: Expr, at: Places) -> Expr:
    if at.known < 0:
        return NOBODY
    return Call("card_seats", (card, Const(at.known), Const(at.zone), *_zones(at)))


def _knows(kind: int, args: tuple[Expr, ...], at: Places) -> Expr:
    a, b, c, d = args[2:]
    match kind:
        case kinds.CARD if at.known >= 0:
            return Call("moved_seats", (a, b, c, Const(at.known), *_zones(at)))
        case kinds.CARD | kinds.REVEAL:
            return _card(a, at)
        case kinds.CHANGE:
            return _of_field(a, lambda field: _held(field, c, d, at), at)
        case kinds.CHOSEN | kinds.FORCED:
            cards = Load("K", Binary("+", Const(at.verb_table), a))
            return (
                _things(cards, (b, c, d), at)
                if any("Card" in v.args for v in at.sheet.verbs)
                else ALL_OF_THEM
            )
        case kinds.SAY | kinds.PICK:
            return _of_text(a, (b, c, d), at)
        case _:
            return ALL_OF_THEM


def _held(field: Field, old: Expr, new: Expr, at: Places) -> Expr:
    return Binary("&", _card(old, at), _card(new, at)) if field.holds == "Card" else ALL_OF_THEM


def _of_text(number: Expr, things: tuple[Expr, Expr, Expr], at: Places) -> Expr:
    texts = at.sheet.texts
    match number:
        case Const(value) if 0 <= value < len(texts):
            cards = sum(1 << int(slot) for slot in set(CARD_SLOT.findall(texts[value])) if int(slot) < 3)
            return _things(Const(cards), things, at) if cards else ALL_OF_THEM
        case _:
            return NOBODY


def _things(cards: Expr, things: tuple[Expr, Expr, Expr], at: Places) -> Expr:
    if at.known < 0:
        return NOBODY
    return Call("thing_seats", (cards, *things, Const(at.known), Const(at.zone), *_zones(at)))
