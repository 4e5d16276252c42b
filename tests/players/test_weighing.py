"""When a search may stop, and what it takes then."""

from __future__ import annotations

from pathlib import Path

from rulewright import Match, load
from rulewright.native.outer.map import ONE
from rulewright.players.bots import position
from rulewright.players.search import Budget, think
from rulewright.players.weighing import Row, looks, settled, taken, weighed

DUEL = Path(__file__).parents[2] / "bench" / "duel.md"
NO_STRATEGY = -1


def row(option: int, lines: int, mean: float) -> Row:
    """An option whose lines were won or lost."""
    return option, lines, round(lines * mean * ONE), round(lines * mean * ONE)


def test_it_stops_when_nothing_can_be_better_any_more() -> None:
    clear = weighed([row(0, 400, 0.9), row(1, 60, 0.3)])
    assert settled(clear, NO_STRATEGY)
    assert not settled(weighed([row(0, 400, 0.6), row(1, 300, 0.55)]), NO_STRATEGY)
    assert not settled(weighed([row(0, 40, 0.7), row(1, 2, 0.5)]), NO_STRATEGY), "two lines say little"
    equal = weighed([row(0, 500, 1.0), row(1, 500, 1.0)])
    assert settled(equal, NO_STRATEGY), "everything wins: there is nothing to look for"


def test_the_strategy_is_left_only_for_something_surely_better() -> None:
    close = weighed([row(0, 400, 0.60), row(1, 300, 0.57)])
    assert taken(close, plain=1).option == 1
    assert taken(close, plain=0).option == 0
    assert not settled(close, plain=1), "the other may yet turn out to be better"
    assert taken(weighed([row(0, 400, 0.9), row(1, 300, 0.5)]), plain=1).option == 0


def test_without_a_strategy_what_promises_most_for_sure_is_taken() -> None:
    """Not the most tried: what was found last may be far better."""
    late = weighed([row(0, 1302, 0.51), row(1, 1134, 0.93), row(2, 3, 1.0)])
    assert taken(late, NO_STRATEGY).option == 1
    certain = weighed([row(0, 500, 0.7), row(1, 40, 0.4), row(2, 30, 0.9)], {1: 1.0, 2: 0.0})
    assert [(worth.option, worth.mean, worth.error > 0) for worth in certain] == [
        (0, certain[0].mean, True),
        (1, 1.0, False),
        (2, 0.0, False),
    ]
    assert taken(certain, NO_STRATEGY).option == taken(certain, plain=0).option == 1


def test_looks_do_not_depend_on_the_clock() -> None:
    found = list(looks(1000))
    assert found[0] == 64
    assert found[-1] == 1000
    assert found == sorted(set(found))
    assert list(looks(30)) == [30]


def test_clear_positions_take_fewer_lines_and_the_same_again() -> None:
    """Somewhere in a match of the duel all is clear before the end of the lines."""
    match = Match(load(DUEL), seed=4, engine="native")
    spared = 0
    while match.decision is not None:
        now = position(match)
        thought = think(now, Budget(3000))
        assert thought.lines <= 3000
        spared += thought.lines < 3000
        assert thought.worths == think(now, Budget(3000)).worths
        match.choose(thought.option)
    assert spared
