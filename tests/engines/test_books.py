"""Every shipped book on both engines, stop by stop, with every number of seats and random options."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.shelf import shelf
from rulewright.testing import lockstep

BOOKS = [*(entry.path for entry in shelf()), Path(__file__).resolve().parents[2] / "bench" / "duel.md"]
MILLION = 1_000_000


@cache
def compiled(path: Path) -> Program:
    return compile_book(path)


def together(program: Program, decisions: int, seed: int) -> int:
    """Play until there were so many decisions, each match with its own seats and options."""
    random = Random(seed)
    made = 0
    while made < decisions:
        seats = random.randint(*program.seats)
        options = {option.slot: random.randrange(len(option.words)) for option in program.sheet.options}
        match = random.randrange(2**32)
        report = lockstep(program, [match], seats=seats, options=options, handover=20)
        assert report.divergence is None, f"{report.divergence} (seats {seats}, options {options})"
        made += max(1, report.decisions)
    return made


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_books_in_lockstep(path: Path):
    assert together(compiled(path), 300, 1) >= 300


@pytest.mark.long
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(4))
def test_a_million_decisions_in_lockstep(path: Path, seed: int):
    together(compiled(path), MILLION // (4 * len(BOOKS)) + 1, seed)
