"""Wordings of the language as rows: words, gaps, alternatives, and what the node is given."""

from __future__ import annotations

import pytest

from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.forms import form, forms
from rulewright.book.grammar.scope import Mistake, Scope
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Line
from rulewright.book.text.tokens import tokenize


def cursor(text: str) -> Cursor:
    return Cursor(tokenize([Line("a.md", 1, 0, text)], []), Symbols(), Scope(), [])


def values(*found: object) -> list[object]:
    return [getattr(one, "value", one) for one in found]


def one(wording: str, text: str, *before: object) -> object:
    return form(wording, values)(cursor(text), *before)


def test_gaps_are_fields_in_their_order() -> None:
    assert one("from {number} to {number}", "from 2 to 5") == [2, 5]


def test_what_else_is_given_comes_first() -> None:
    assert one("by {number}", "by 3", "who") == ["who", 3]


@pytest.mark.parametrize(
    ("text", "found"), [("take 2 of 3", [2, 3]), ("take 2", [2, None]), ("take 2 spaces of 3", [2, 3])]
)
def test_an_empty_alternative_may_be_left_out(text: str, found: list[object]) -> None:
    assert one("take {number} {space|spaces|} {of {number}|}", text) == found


@pytest.mark.parametrize(("text", "found"), [("show all", [None]), ("show 4", [4])])
def test_a_gap_of_another_alternative_is_none(text: str, found: list[object]) -> None:
    assert one("show {all|{number}}", text) == found


def test_another_beginning_takes_nothing() -> None:
    p = cursor("from 2 to 5")
    assert form("until {number}", values)(p) is None
    assert p.at == 0


def test_what_is_missing_after_its_beginning_is_said() -> None:
    with pytest.raises(Mistake, match="expected 'to', found 'by'"):
        one("from {number} to {number}", "from 2 by 5")


def test_the_first_of_several_that_stands_here() -> None:
    read = forms(form("in all", lambda: "all"), form("in {number}", values))
    assert (read(cursor("in all")), read(cursor("in 7")), read(cursor("at 7"))) == ("all", [7], None)
