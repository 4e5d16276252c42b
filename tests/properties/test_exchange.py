"""What a reader cannot see changes nothing that it receives, over every channel, in every book."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from exchange import hides, play
from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.shelf import shelf

TESTS = Path(__file__).parent.parent
SECRETIVE = ("hearts", "kuhn-poker", "leduc-poker", "love-letter", "provinces", "spell-duel")
CLASSICS = [TESTS / "classics" / f"{name}.md" for name in SECRETIVE]
SMALL = [*sorted((TESTS / "bluff").glob("*.md")), *CLASSICS]
SHIPPED = [entry.path for entry in shelf()]


@cache
def compiled(path: Path) -> Program:
    return compile_book(path)


def hidden(path: Path) -> Program:
    program = compiled(path)
    if program.rules_only or not hides(program):
        pytest.skip("nothing is hidden in this book")
    return program


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_nothing_shines_through_in_books_of_bluff(path: Path):
    found, differ = play(hidden(path), 24, 3, 5)
    assert differ == []
    assert found["faults"] == 0, "a match of this book ends in a fault"
    assert found["exchanges"] >= 12
    assert found["steps"] >= 3


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_nothing_shines_through_in_shipped_books(path: Path):
    found, differ = play(hidden(path), 4, 2, 6)
    assert differ == []
    assert found["faults"] == 0, "a match of this book ends in a fault"
    assert found["exchanges"] >= 4


@pytest.mark.long
@pytest.mark.parametrize("path", [*SMALL, *SHIPPED], ids=lambda path: path.stem)
def test_nothing_shines_through_at_length(path: Path):
    found, differ = play(hidden(path), 2000, 3, 77)
    assert differ == []
    assert found["faults"] == 0, "a match of this book ends in a fault"
    assert found["exchanges"] > 1000
