"""What one run knows: functions that are made once, places of a book that have one number each."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.book import tree as t
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Definition, Line
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, var
from rulewright.lower.layout import Layout
from rulewright.lower.writer import Writer, const, local


@pytest.fixture
def b() -> Builder:
    symbols, facts = Symbols(), Any
    return Builder(symbols, Layout(symbols), facts, [])  # pyright: ignore[reportArgumentType]


def definition(title: str, line: int) -> Definition:
    return Definition(title, "", Line("book.md", line, 0, ""))


def test_a_function_is_kept_where_it_ends_and_stands_in_its_definition(b: Builder) -> None:
    blow = definition("Blow", 12)
    with b.function("blow", ("self",), blow) as w:
        assert b.definition is blow
        w.give(1)
    assert b.definition is None
    assert b.functions["blow"] == n.Function("blow", ("self",), (n.Return(const(1)),))
    assert (b.sites[w.site].line, b.sites[w.site].title) == (12, "Blow")


def test_what_is_made_once_may_be_asked_for_while_it_is_made(b: Builder) -> None:
    made: list[str] = []

    def build(w: Writer) -> None:
        made.append(b.once("circle", (), build))
        w.give(n.Call("circle"))

    assert b.once("circle", (), build) == b.once("circle", (), build) == "circle"
    assert made == ["circle"]
    assert b.functions["circle"].body == (n.Return(n.Call("circle")),)


def test_a_closure_is_handed_what_it_reads_from_outside(b: Builder) -> None:
    made = b.closure("sum", lambda c: c.give(local("x") + local("y")))
    assert made.args == (local("x"), local("y"))
    assert b.functions[made.name].params == ("x", "y")


def test_the_same_place_and_the_same_words_have_one_number(b: Builder) -> None:
    with b.within(definition("Blow", 12)):
        assert b.site(14) == b.site(14) != b.site(15)
    assert b.verb("strike {0}", ("Actor",)) == b.verb("strike {0}", ("Actor",)) != b.verb("strike {0}")
    assert b.prompt("act") == b.prompt("act")


def test_paths_are_marked_by_the_names_of_their_locals() -> None:
    assert var("Trail", t.PATH) != var("Trail")
    assert var("self") == "self"
