"""How large a match of a book is: what takes more room than any table has is a mistake at its place.

In:  Symbols with their types, and the Source.
Out: more diagnostics.
"""

from __future__ import annotations

from math import prod

from rulewright.book.box import built_decks, room_of, things_of
from rulewright.book.forest import Forest
from rulewright.book.symbols import Symbols
from rulewright.book.text.keywords import MOST
from rulewright.book.text.source import Definition, Source
from rulewright.diagnostics import Diagnostic

DEFINITIONS = 6000
"""Definitions and rows of tables. The largest shipped book has a fifth of it."""
ROOM = 1_000_000
"""Numbers in the state of a match, which is copied whenever somebody thinks. A large book has 17,000."""


def too_many(source: Source) -> Diagnostic | None:
    """A book of more definitions than anybody writes is not read further."""
    count = 0
    for d in source.definitions:
        count += 1 + len(d.rows)
        if count > DEFINITIONS:
            words = f"a book has at most {DEFINITIONS:,} definitions and rows of tables"
            return Diagnostic("too-large", d.heading, words)
    return None


def review_sizes(symbols: Symbols, forest: Forest, problems: list[Diagnostic]) -> None:
    """What every thing of a kind has takes room for each of them."""
    if len(symbols.actors) > MOST:
        last = symbols.actors[MOST].definition
        words = f"all boxes together hold at most {MOST:,} actors"
        problems.append(Diagnostic("too-large", last.heading, words))
        return
    room, things = 0, things_of(symbols, forest)
    for resource in symbols.resources.values():
        room += prod(len(things.get(kind, (kind,))) for kind in resource.of)
        if room > ROOM and resource.definition is not None:
            problems.append(_no_room(resource.definition))
            return
    decks = built_decks(symbols, forest)
    for zone in symbols.zones.values():
        room += room_of(zone, decks) * (len(symbols.actors) if zone.of is not None else 1)
        if room > ROOM:
            problems.append(_no_room(zone.definition))
            return


def _no_room(d: Definition) -> Diagnostic:
    words = f"with '{d.title}' a match takes more than {ROOM:,} numbers"
    return Diagnostic(
        "too-large", d.heading, words, "let fewer things have it, or make a box or a zone smaller"
    )
