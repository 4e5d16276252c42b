"""The registry of kinds of things: what is asked of it instead of asking for one kind by name."""

from __future__ import annotations

from pathlib import Path

from rulewright.book import tree as t
from rulewright.book.box import things_of
from rulewright.book.forest import Forest
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_number, parse_thing
from rulewright.book.grammar.scope import Scope
from rulewright.book.text.source import Line
from rulewright.book.text.tokens import tokenize
from rulewright.compiler import check

BOOK = """---
title: Kinds
seats: 1
---
```rules
Uses (Resource) of: Face
Deck (Zone) of: Match
Spark (Card)
Hero (Actor) seat: 1
```
"""


def cursor(tmp_path: Path, text: str) -> Cursor:
    path = tmp_path / "kinds.md"
    path.write_text(BOOK)
    symbols = check(path).symbols
    assert symbols is not None
    return Cursor(tokenize([Line("", 1, 0, text)], [], False), symbols, Scope(card=t.CARD), [])


def test_a_number_of_a_face_is_read_through_its_card(tmp_path: Path) -> None:
    found = parse_number(cursor(tmp_path, "[card Uses]"))
    assert isinstance(found, t.ReadRes)
    assert found.owners == [t.FaceOf(t.TLocal("card", t.CARD))]


def test_a_thing_stands_for_another_only_where_the_table_says_so(tmp_path: Path) -> None:
    assert parse_thing(cursor(tmp_path, "card"), t.FACE) == t.FaceOf(t.TLocal("card", t.CARD))
    assert t.nature(t.CARD) == t.FACE
    assert t.nature("Mood") == "Mood"


def test_every_kind_with_members_is_known(tmp_path: Path) -> None:
    """What a match counts is a row of the registry or a list of the book's own."""
    symbols = cursor(tmp_path, "card").symbols
    own = {table.name for table in (*symbols.lists.values(), *symbols.dice.values())}
    assert set(things_of(symbols, Forest(symbols))) - own <= set(t.KINDS)
    assert t.locals_of("face") == {"card": t.CARD}
    assert t.locals_of("status") == {}
