"""Options in a race: shared luck drops out, the strategy's own is left for what is surely better only."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from rulewright import load
from rulewright.native.outer import map as at
from rulewright.play.chance import seed_halves
from rulewright.players.bots import decide, position_of
from rulewright.players.ground import DEEP, plant, prepare, trees_for
from rulewright.players.race import JUDGED, Race, Tried, leads, raced, run, winner
from rulewright.players.search import FEW, Budget, races, think
from rulewright.players.values import Values, values_at, values_of

from .test_search import DUEL, Twin, at_decision

LATE = math.inf


def playing(*chances: float, apart: bool = False) -> Tried:
    """Options that win so often; all with the luck of the round, or each with its own."""

    def tried(number: int, options: Sequence[int]) -> list[int]:
        found: list[int] = []
        for option in options:
            luck = random.Random(f"{number} {option if apart else ''}").random()
            found.append(at.ONE * (luck < chances[option]))
        return found

    return tried


def raced_by(tried: Tried, options: int, lines: int, cores: int = 1, plain: int = 0) -> Race:
    """A race in which the strategy takes option `plain`."""
    return run([tried] * cores, plain, range(options), lines, LATE)


def test_options_that_change_nothing_take_few_lines() -> None:
    race = raced_by(playing(0.5, 0.5), 2, 1000)
    assert race.lines == 16
    assert winner(race, 1.0) == 0
    assert raced_by(playing(0.5, 0.5), 2, 24).lines == 8
    assert raced_by(playing(0.5, 0.5, apart=True), 2, 1000).lines < 200


def test_shared_luck_finds_small_gains_with_few_lines() -> None:
    found = {apart: raced_by(playing(0.4, 0.6, apart=apart), 2, 120) for apart in (False, True)}
    assert leads(found[False])[1].error < 0.75 * leads(found[True])[1].error
    assert winner(found[False], 1.0) == 1
    better = [winner(raced_by(playing(0.1, 0.3, 0.9, 0.5), 4, 60, plain=k), 1.0) for k in range(4)]
    assert better == [2, 2, 2, 2]


def test_the_strategy_is_left_only_for_something_surely_better() -> None:
    assert winner(raced_by(playing(0.50, 0.52), 2, 40), 1.0) == 0
    assert winner(raced_by(playing(0.5, 0.5, 0.5, apart=True), 3, 40), 1.0) == 0


def test_few_rounds_show_little() -> None:
    shown = [at.ONE, at.ONE, 0, 0, 0]
    assert winner(Race(0, {0: [0] * 5, 1: shown}), 1.0) == 0
    assert winner(Race(0, {0: [0] * 50, 1: 10 * shown}), 1.0) == 1


def test_who_is_better_for_sure_ends_it() -> None:
    race = raced_by(playing(0.1, 0.9), 2, 2000)
    assert winner(race, 1.0) == 1
    assert race.lines <= 128
    close = raced_by(playing(0.4, 0.6, apart=True), 2, 400)
    assert close.lines > race.lines


def test_what_is_judged_must_be_ahead_by_more_than_judging_errs() -> None:
    some = {0: [0] * 400, 1: [at.ONE // 100] * 400}
    assert winner(Race(0, some), 1.0) == 1
    assert winner(Race(0, some, least=JUDGED), 1.0) == 0
    assert winner(Race(0, {0: [0] * 400, 1: [at.ONE // 8] * 400}, least=JUDGED), 1.0) == 1
    engine = at_decision(load("p52"), 3, 40)
    assert engine is not None
    now = position_of(engine, 3)
    (tree,) = trees_for(now.program, 1)
    asked: list[float] = []
    for values in (values_of(now.program), values_at(now.program, now.slots)):
        prepare(tree, now, values, DEEP, 5)
        race = raced(now, [tree], 5, 60, LATE)
        assert race is not None
        asked.append(race.least)
    assert asked == [0.0, JUDGED]


@pytest.mark.parametrize("lines", [1, 10, 44, 45, 50, 400])
def test_no_more_lines_than_given_and_none_where_they_cannot_tell(lines: int) -> None:
    race = raced_by(playing(*(0.1 * k for k in range(9))), 9, lines)
    assert race.lines <= lines
    assert {*map(bool, race.worth.values())} == {lines >= 45}
    assert winner(race, 1.0) in (race.plain, 8)


def test_who_is_never_better_or_like_another_takes_few_lines() -> None:
    race = raced_by(lambda _number, options: [at.ONE // (1 + option) for option in options], 4, 200)
    assert {option: len(worth) for option, worth in race.worth.items()} == {0: 8, 1: 8, 2: 2, 3: 2}
    luck = playing(0.3, 0.5, 0.5, 0.5)
    race = raced_by(luck, 4, 200)
    assert [option for option, worth in race.worth.items() if len(worth) > 2] == [0, 1]


def test_cores_do_not_matter() -> None:
    one, two = (raced_by(playing(0.3, 0.5, 0.4, apart=True), 3, 200, cores) for cores in (1, 2))
    assert one == two
    engine = at_decision(load("p52"), 3, 40)
    assert engine is not None
    now = position_of(engine, 3)
    alone, both = (think(now, Budget(30, cores=cores)) for cores in (1, 2))
    assert replace(alone, seconds=0) == replace(both, seconds=0)
    assert alone.plain == decide(now, "Old Hand") or alone.plain >= 0


def test_a_clock_ends_it() -> None:
    engine = at_decision(load("p52"), 3, 40)
    assert engine is not None
    now = position_of(engine, 3)
    thought = think(now, Budget(FEW, milliseconds=0))
    assert 0 < thought.lines <= 2 * now.options


def test_lines_that_stop_early_grow_a_tree() -> None:
    for name in ("penance-2", "vigil", "raven-road"):
        program = load(name)
        assert not races(program, values_of(program))
    assert races(load("p52"), values_of(load("p52")))


def test_native_attempts_are_those_of_the_reference() -> None:
    """Every option in the same state with the same dice; again with other ones."""
    program = load(DUEL)
    engine = at_decision(program, 5, 7)
    assert engine is not None
    now = position_of(engine, 5)
    tree = plant(program)
    prepare(tree, now, Values(), 400, 11)
    twin = Twin(tree, now, 11)
    worths: set[tuple[int, ...]] = set()
    for seed in range(12):
        low, high = seed_halves(seed)
        tree.outer.seed(seed)
        twin.chance = (high & 0xFFFFFFFF) << 32 | low & 0xFFFFFFFF
        assert tree.outer.call("pick") == twin.space["pick"]() == 1
        assert tree.outer.memory[at.PICKED] == twin.memory[at.PICKED]
        for option in range(now.options):
            tree.outer.seed(seed)
            twin.chance = (high & 0xFFFFFFFF) << 32 | low & 0xFFFFFFFF
            assert tree.outer.call("attempt", option) == twin.space["attempt"](option) == 1
            mine = tree.outer.read(at.UTILITY, 2)
            assert list(mine) == twin.memory[at.UTILITY : at.UTILITY + 2]
            worths.add(mine)
    assert len(worths) > 4
    race = raced(now, [tree], 1, 60, LATE)
    assert race is not None
    assert race.lines <= 60
