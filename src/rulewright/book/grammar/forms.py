"""Wordings that are rows of a table: `turn {actor} to {direction}`, and the node that is made of it.

In:  a wording in the notation of phrases and titles: words, `{gap}`, and `{a|b|}` for alternatives, of which
     an empty one makes the rest optional; and the class of a node.
Out: its reader, which gives the node its fields in the order of the gaps.

Whatever needs no more than that has no function of its own. What a gap takes is told by its name (`GAPS`). Of
alternatives the first is read that begins with a word that stands here, or with a gap; for gaps that one
alternative has and another has not, the node is given None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import (
    begins,
    parse_factor,
    parse_number,
    parse_selector,
    parse_standing,
    parse_status,
    parse_thing,
)
from rulewright.book.grammar.owners import bearer, me
from rulewright.book.grammar.words import local_thing, parse_held, parse_zone
from rulewright.book.index import ACTION, COMPONENT, DECK, ORDER, RESOURCE
from rulewright.book.phrases.match import Either, Piece, Slot, pieces

Reader = Callable[..., Any]
Gap = Callable[[Cursor], tuple[Any, ...]]
Node = Callable[[], Any] | Callable[[Any], Any] | Callable[[Any, Any], Any] | Callable[[Any, Any, Any], Any]
WORDINGS: list[str] = []
"""Every wording that was asked for: docs/grammar.txt has their words."""


def parse_cards(p: Cursor, kind: str | None = None) -> t.Selector | t.Thing_:
    """What is moved: one thing, or every one of a selector."""
    if p.now.is_("every", "each", "all"):
        return parse_selector(p, default="every")
    return parse_thing(p, kind)


def _thing(kind: str | None) -> Gap:
    return lambda p: (parse_thing(p, kind),)


def _deck(p: Cursor) -> tuple[str | t.Thing_]:
    """A deck by name, or what a word of the text names one by."""
    found = local_thing(p) or parse_held(p) or p.name(DECK)
    if found is None:
        help_ = "a table of cards is a deck if it has a column `Copies`"
        raise p.unknown("deck", p.titles(DECK), otherwise=help_)
    return (found,)


GAPS: dict[str, Gap] = {
    **{kind.lower(): _thing(kind) for kind in t.KINDS},
    "thing": _thing(None),
    "standing": lambda p: (parse_standing(p),),
    "cards": lambda p: (parse_cards(p),),
    "actors": lambda p: (parse_cards(p, t.ACTOR),),
    "number": lambda p: (parse_number(p),),
    "factor": lambda p: (parse_factor(p),),
    "each": lambda p: (parse_selector(p, default="each"),),
    "status": lambda p: (parse_status(p),),
    "area": _thing("Area"),
    "some action": _thing("Action"),
    "order": lambda p: (p.need(ORDER),),
    "zone": parse_zone,
    "deck": _deck,
    "action": lambda p: (p.symbols.actions[p.need(ACTION)],),
    "resource": lambda p: (p.resource_named(p.need(RESOURCE)),),
    "component": lambda p: (p.component_named(p.need(COMPONENT)),),
    "self": lambda p: (me(p),),
    "bearer": lambda p: (bearer(p),),
}
"""What may stand in a gap, and the fields that it fills. (Nothing stands for `self` and `bearer`.)"""


def form(wording: str, node: Node) -> Reader:
    """The reader of a wording: it gives nothing, and takes nothing, where the text begins in another way.
    What else it is given becomes the first fields of the node."""
    WORDINGS.append(wording)
    row = pieces(wording)
    lead = _words(row)

    def read(p: Cursor, *before: object) -> Any:
        if lead and not p.take(*lead):
            return None
        return node(*before, *_read(p, row[len(lead) :]))

    return read


def forms(*readers: Reader) -> Reader:
    """Several that begin with the same word: the first that stands here."""

    def read(p: Cursor, *before: object) -> Any:
        return next((made for one in readers if (made := one(p, *before)) is not None), None)

    return read


def statement(wording: str, node: Callable[..., t.Stmt_]) -> None:
    """File the reader of a statement that is one word and then what a form says, and needs no other."""
    WORDINGS.append(wording)
    word, *row = pieces(wording)
    assert isinstance(word, str)
    begins(word)(lambda p, line: node(*_read(p, row), line=line))


def _words(row: Sequence[Piece]) -> tuple[str, ...]:
    """The words that a row of pieces begins with."""
    found: list[str] = []
    for piece in row:
        if not isinstance(piece, str) or not piece.isalpha():
            break
        found.append(piece)
    return tuple(found)


def _read(p: Cursor, row: Sequence[Piece]) -> list[object]:
    """What stands in the gaps."""
    found: list[object] = []
    for piece in row:
        match piece:
            case str():
                p.expect(piece)
            case Slot(name=name):
                found += GAPS[name](p)
            case Either(rows=rows):
                inner = _read(p, next((x for x in rows if _stands(p, x)), rows[-1]))
                found += inner + [None] * (max(map(_gaps, rows)) - len(inner))
    return found


def _stands(p: Cursor, row: Sequence[Piece]) -> bool:
    """Do the words that it begins with stand here?"""
    return all(p.ahead(n).is_(word) for n, word in enumerate(_words(row)))


def _gaps(row: Sequence[Piece]) -> int:
    return sum(isinstance(piece, Slot) for piece in row)
