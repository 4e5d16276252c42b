"""Wordings that are rows of a table: `turn ACTOR to DIRECTION`, and the node that is made of it.

In:  a wording, with its gaps in capitals, and the class of a node.
Out: its reader, which gives the node its fields in the order of the gaps.

Whatever needs no more than that has no function of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import begins, parse_selector, parse_thing
from rulewright.book.grammar.words import parse_zone
from rulewright.book.index import ORDER


def parse_cards(p: Cursor) -> t.Selector | t.Thing_:
    """Cards to move: one thing, or every one of a selector."""
    if p.now.is_("every", "each", "all"):
        return parse_selector(p, default="every")
    return parse_thing(p)


def _one(kind: str | None) -> Callable[[Cursor], tuple[Any, ...]]:
    return lambda p: (parse_thing(p, kind),)


GAPS: dict[str, Callable[[Cursor], tuple[Any, ...]]] = {
    **{kind.upper(): _one(kind) for kind in t.KINDS},
    "THING": _one(None),
    "CARDS": lambda p: (parse_cards(p),),
    "ORDER": lambda p: (p.need(ORDER),),
    "ZONE": parse_zone,
}
"""What may stand in a gap, and the fields that it fills."""


def form(wording: str, node: Callable[..., Any]) -> Callable[..., Any]:
    """The reader of a wording: it gives nothing, and takes nothing, where the text begins in another way."""
    lead, *pieces = (piece.split() for piece in re.split(r"\b([A-Z]{2,})\b", wording))

    def read(p: Cursor, *_: object, **more: object) -> Any:
        if lead and not p.take(*lead):
            return None
        found: list[Any] = []
        for piece in pieces:
            if piece and piece[0] in GAPS:
                found += GAPS[piece[0]](p)
            elif piece:
                p.expect(*piece)
        return node(*found, **more)

    return read


def statement(wording: str, node: Callable[..., t.Stmt_]) -> None:
    """File the reader of a statement that is one word and then a gap, and needs no other."""
    word, _, rest = wording.partition(" ")
    read = form(rest, node)
    begins(word)(lambda p, line: read(p, line=line))
