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


def together(program: Program, decisions: int, parts: int, seed: int) -> None:
    """Play so many decisions, in so many parts, each with its own seats and options."""
    random = Random(seed)
    for _ in range(parts):
        seats = random.randint(*program.seats)
        options = {option.slot: random.randrange(len(option.words)) for option in program.sheet.options}
        match = random.randrange(2**32)
        part = decisions // parts
        seeds = range(match, match + part)  # a book may have matches without decisions
        report = lockstep(program, seeds, seats=seats, options=options, handover=20, decisions=part)
        assert report.divergence is None, f"{report.divergence} (seats {seats}, options {options})"


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_books_in_lockstep(path: Path):
    together(compiled(path), 600, 3, 1)


@pytest.mark.long
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(4))
def test_a_million_decisions_in_lockstep(path: Path, seed: int):
    together(compiled(path), MILLION // (4 * len(BOOKS)) + 50, 50, seed)
