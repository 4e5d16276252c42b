"""Players at games that everybody knows, in small; `make classics` plays them in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Program, load
from rulewright.lab import simulate


def classic(name: str) -> Program:
    return load(Path(__file__).parent / f"{name}.md")


def test_nobody_beats_a_search_at_tic_tac_toe() -> None:
    program = classic("tic-tac-toe")
    assert simulate(program, 60, ["search-5000", "random"], seed=41, listen=False).wins[1] == 0
    run = simulate(program, 20, ["search-5000", "search-5001"], seed=41, listen=False)
    assert run.wins == (0, 0), "two that know how only draw"


@pytest.mark.parametrize(("name", "matches", "least"), [("connect-four", 20, 19), ("love-letter", 16, 15)])
def test_medium_beats_chance(name: str, matches: int, least: float) -> None:
    run = simulate(classic(name), matches, ["search-500", "random"], seed=41, listen=False)
    assert run.points[0] >= least


def test_at_pig_it_is_no_worse_than_holding_at_twenty() -> None:
    run = simulate(classic("pig"), 200, ["search-300", "Hold at 20"], seed=41, listen=False)
    assert run.points[0] >= 0.4 * run.matches


def test_more_lines_play_better() -> None:
    run = simulate(classic("connect-four"), 30, ["search-2000", "search-40"], seed=41, listen=False)
    assert run.points[0] >= 24
