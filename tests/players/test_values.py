"""What positions are worth: files, settings with weights of their own, numbers of two owners, fair fits."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from rulewright import load
from rulewright.ir.program import DECISION, SEATS, STATUS, Program
from rulewright.native import NativeEngine
from rulewright.play.setup import option_slots, resolve_options
from rulewright.players import learn, levels
from rulewright.players.bots import Position, position_of
from rulewright.players.ground import cut
from rulewright.players.search import Budget, Thought, races, think
from rulewright.players.values import (
    FILE,
    UNIT,
    Values,
    feature_slots,
    read,
    settings,
    value_cells,
    values_at,
    values_of,
    write,
)


def quest(program: Program, word: str, steps: int) -> tuple[NativeEngine, Position]:
    """A quest of P52 after so many choices of its strategy, at a choice between several options."""
    engine = NativeEngine(program)
    engine.record(False)
    engine.start(1, 4, option_slots(program, resolve_options(program, {"Quest": word})))
    engine.advance()
    while steps > 0 or len(engine.options()) < 2:
        assert engine.peek(STATUS) == DECISION
        engine.choose(engine.policy(0))
        engine.advance()
        steps -= 1
    return engine, position_of(engine, 4)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    one = Values({("field", "HP", "own"): 0.5}, 0.25, 0.5, "Bold", 40, 3, race=True, date="2026-11-19")
    all_ = Values({("zone", "Hand", "other"): -1.0}, 1.0, 0.1, "Bold", 0, 1, 0.5, date="2026-11-18")
    all_ = replace(all_, special={("Quest", "One"): one})
    write(tmp_path / FILE, all_, book="some")
    assert read(tmp_path / FILE) == all_
    (tmp_path / FILE).write_text(
        (tmp_path / FILE).read_text("utf-8").replace('"option"', '"opinion"'), "utf-8"
    )
    assert read(tmp_path / FILE) == Values()


def test_a_setting_with_values_of_its_own_is_searched_by_them() -> None:
    program = load("p52")
    _, one = quest(program, "One", 60)
    _, two = quest(program, "Two", 60)
    known = values_of(program)
    assert values_at(program, two.slots) is known
    own = values_at(program, one.slots)
    assert own is known.special["Quest", "One"]
    assert own.holds
    assert races(program, own)
    assert cut(program, own) > 0
    assert not races(program, replace(own, race=False))
    worths = think(one, Budget(60)).worths
    assert worths
    assert any(worth.mean * worth.lines % 1 > 0.01 for worth in worths)  # judged, not played to the end
    assert think(one, Budget(60)).worths == think(one, Budget(60), own).worths
    assert think(one, Budget(60)).worths != think(one, Budget(60), known).worths


def test_levels_think_as_the_setting_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load("p52")
    (_, one), (_, two) = quest(program, "One", 60), quest(program, "Two", 60)
    asked: list[Budget] = []

    def nothing(_now: Position, budget: Budget) -> Thought:
        asked.append(budget)
        return Thought(0, 0.5, 0, (), 0.0)

    monkeypatch.setattr(levels, "think", nothing)
    for player in (levels.hard(program), levels.hard(program).unhurried()):
        for now in (one, two):
            player.thought(now)
            player.decide(now)
    usual = values_of(program)
    own = usual.special["Quest", "One"]
    assert 100 * own.lines > levels.MOST_RACE > 100 * usual.lines
    assert [budget.lines for budget in asked] == 2 * [*[levels.MOST_RACE] * 2, *[100 * usual.lines] * 2]
    assert [budget.milliseconds for budget in asked] == [550.0] * 4 + [inf] * 4
    known = levels.medium(program)
    assert (known.hasty, known.at(settings(program, two.slots)).hasty) == (usual.hasty, usual.hasty)
    assert known.at(settings(program, one.slots)).hasty == own.hasty > 0


def test_a_number_of_an_actor_and_a_word_is_a_feature_for_each_word() -> None:
    program = load("p52")
    engine, now = quest(program, "One", 12)
    features = feature_slots(program, now.slots, 0)
    (levels,) = (field for field in program.sheet.fields if field.name == "Ability Level")
    abilities = program.sheet.things["Ability"]
    for actor, group in ((0, "own"), (len(program.sheet.things["Actor"]) - 1, "other")):
        for number, word in enumerate(abilities):
            place = levels.base + actor * levels.counts[1] + number
            assert place in features["field", f"Ability Level {word}", group]
    # The strategy makes a cleric when it goes alone, and clerics can heal.
    assert [engine.peek(place) for place in features["field", "Ability Level Heal", "own"]] == [1]
    assert not any(kind == "field" and name.startswith("Met ") for kind, name, _ in features)
    cells = value_cells(program, now.slots, Values({("field", "Ability Level Heal", "own"): 1.0}))
    assert now.slots[SEATS] == 1
    assert cells == [1, 0, *features["field", "Ability Level Heal", "own"], UNIT]


def test_a_long_match_counts_no_more_than_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty matches are won with the number and lost without; a long one is lost with it."""
    rows = [(match, match % 2, match % 2) for match in range(40) for _ in range(4)] + [(41, 1, 0)] * 400
    played = (
        [("field", "Strength", "own")],
        [[float(x)] for _, x, _ in rows],
        [float(y) for _, _, y in rows],
        [match for match, _, _ in rows],
    )

    def replayed(*_given: object) -> object:
        return played

    monkeypatch.setattr(learn, "_played", replayed)
    made = learn.learn(load("raven-road"))
    assert made.weights["field", "Strength", "own"] > 1
    assert made.skill > 0.2
