"""Games that everybody knows, as books: they check clean, teach by examples, and run alike on both engines.

Their numbers under random play are known, so they also tell whether matches are played and counted rightly.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler import check, compile_book, compile_tests
from rulewright.ir.program import Program
from rulewright.lab import simulate
from rulewright.lab.intervals import share
from rulewright.testing import lockstep, parse_example, run_examples

CLASSICS = sorted(Path(__file__).parent.glob("*.md"))


@cache
def classic(name: str) -> Program:
    return compile_book(Path(__file__).parent / f"{name}.md")


@pytest.mark.parametrize("path", CLASSICS, ids=lambda path: path.stem)
def test_they_are_written_well(path: Path) -> None:
    assert [str(d) for d in check(path).diagnostics] == []
    tests = compile_tests(path)
    worked = [parse_example(e.file, e.line, e.lines) for e in tests.examples]
    assert len(worked) >= 2
    results = run_examples(tests.program, worked, "both", tests.problems)
    assert [str(failure) for result in results for failure in result.failures] == []


@pytest.mark.parametrize("path", CLASSICS, ids=lambda path: path.stem)
def test_both_engines_play_them_alike(path: Path) -> None:
    report = lockstep(classic(path.stem), range(1000), handover=20, decisions=600)
    assert report.divergence is None, str(report.divergence)
    assert report.faults == 0


def test_tic_tac_toe_at_random_is_as_everybody_counts_it() -> None:
    """Of the 9! orders of marking, the first player wins 0.5849 and 0.1270 are drawn."""
    run = simulate(classic("tic-tac-toe"), 20_000, ["random"], seed=31)
    low, high = share(run.wins[0], run.matches)
    assert low < 0.5849 < high
    low, high = share(run.draws, run.matches)
    assert low < 0.1270 < high


def test_kuhn_poker_at_random_pays_what_it_must() -> None:
    """Everybody bets, calls and folds with one half: 3/8 of the deals end with a fold."""
    run = simulate(classic("kuhn-poker"), 20_000, ["random"], seed=31)
    # A bet of the first, or of the second after a check, is folded by half; all others show.
    folds = 1 / 2 * 1 / 2 + 1 / 2 * 1 / 2 * 1 / 2
    first = 1 / 2 * 1 / 2 + (1 - folds) / 2
    low, high = share(run.wins[0], run.matches)
    assert low < first < high
