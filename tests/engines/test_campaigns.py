"""Very many random matches of a campaign with scenes, casts and strategies: each ends, none in a fault."""

from __future__ import annotations

from functools import cache

import pytest

from rulewright import load
from rulewright.ir.program import ENDED, Program
from rulewright.native import Tally, play_batch

BOOK = "raven-road"


@cache
def book() -> Program:
    return load(BOOK)


def ends(matches: int, seed: int, policy: int = 0) -> Tally:
    tally = play_batch(book(), matches, seed=seed, policies=[policy])
    status, fault = tally.columns["status"], tally.columns["fault"]
    assert (status.least, status.greatest) == (ENDED, ENDED)
    assert (fault.least, fault.greatest) == (0, 0)
    return tally


def endings(tally: Tally) -> set[str]:
    names = book().sheet.endings
    return {names[i - 1] for i, count in enumerate(tally.columns["ending"].bins) if count}


def test_random_matches_end():
    ends(2000, 1)


def test_the_books_own_player_reaches_a_good_ending():
    """It runs for the far corner: more often than not it gets there."""
    tally = ends(500, 1, policy=1)
    slipped = book().sheet.endings.index("Slipped Past") + 1
    assert tally.columns["ending"].bins[slipped] > 250


@pytest.mark.long
def test_fifty_thousand_random_matches_end_and_reach_every_ending():
    found = endings(ends(50_000, 1))
    assert found >= {"The Road Is Free", "Slipped Past", "The Raven Falls"}
