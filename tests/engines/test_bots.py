"""A bot plays a match again as it did before, whichever engine it thinks on and whatever it did there."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.play.match import Match
from rulewright.players.bots import think
from rulewright.shelf import shelf

EVERYTHING = Path(__file__).parents[1] / "language" / "everything.md"
BOOKS = {"everything": EVERYTHING, **{entry.name: entry.path for entry in shelf()}}
DECISIONS = 120


def taken(program: Program, bot: str, engine: str) -> list[int]:
    """What the bot takes in every seat, up to a number of decisions."""
    match = Match(program, seed=1, engine=engine)
    options: list[int] = []
    while match.decision is not None and len(options) < DECISIONS:
        options.append(think(match, bot))
        match.choose(options[-1])
    return options


@pytest.mark.parametrize("name", sorted(BOOKS))
def test_a_bot_is_the_same_on_used_engines_and_on_the_reference(name: str) -> None:
    program = compile_book(BOOKS[name])
    if program.rules_only:
        pytest.skip("a framework has no matches of its own")
    for bot in program.sheet.strategies:
        first = taken(program, bot, "native")
        assert len(set(first)) > 1
        assert taken(program, bot, "native") == first, "the engine remembers another match"
        assert taken(program, bot, "reference") == first
