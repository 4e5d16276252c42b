"""A book that uses every construct once: it compiles, plays to the end, and both engines agree on it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler import check, compile_book
from rulewright.ir.program import Program
from rulewright.ir.text import read, show
from rulewright.play.match import Match
from rulewright.testing.lockstep import lockstep

BOOKS = Path(__file__).parents[2] / "books"
BOOK = Path(__file__).parent / "everything.md"


@pytest.fixture(scope="module")
def program() -> Program:
    return compile_book(BOOK)


def test_it_has_no_diagnostics() -> None:
    assert check(BOOK).diagnostics == ()


@pytest.mark.parametrize("seed", range(4))
def test_random_play_ends(program: Program, seed: int) -> None:
    match = Match(program, seed=seed)
    chance = random.Random(seed)
    while match.decision is not None:
        match.choose(chance.randrange(len(match.decision.options)))
    assert match.result is not None
    assert match.result.ending in program.sheet.endings


def test_it_prints_and_reads_back(program: Program) -> None:
    assert read(show(program)) == program


def test_compiling_twice_gives_the_same_bytes(program: Program) -> None:
    assert show(compile_book(BOOK)) == show(program)


def test_cards_are_conserved(program: Program) -> None:
    """Eighteen cards a deck, wherever they are."""
    match = Match(program, seed=3)
    chance = random.Random(3)
    while match.decision is not None:
        match.choose(chance.randrange(len(match.decision.options)))
        zones = match.view(None)["zones"]
        for owner in (0, 1):
            assert sum(zone["count"] for zone in zones if zone["owner"] == owner) in (17, 18)


def test_engines_agree(program: Program) -> None:
    report = lockstep(program, seeds=range(2))
    assert report.divergence is None, str(report.divergence)
    assert report.decisions > 100


@pytest.mark.parametrize("book", [BOOK, BOOKS / "raven-road" / "raven-road.md"], ids=lambda path: path.stem)
def test_the_hash_seed_does_not_matter(book: Path, tmp_path: Path) -> None:
    """A book and a campaign, compiled anew each time: a kept Program would be the same whatever happens."""
    code = (
        "from pathlib import Path; from rulewright.compiler import compile_book; "
        f"print(compile_book(Path({str(book)!r})).digest)"
    )
    digests: set[str] = set()
    for seed in ("0", "1", "77"):
        made = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "RULEWRIGHT_CACHE": str(tmp_path / seed)},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(made.stdout.strip())
    assert len(digests) == 1
    assert digests != {""}
