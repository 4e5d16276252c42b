"""The low-level API, and one step in one call: the same as choosing and running on, on both engines."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from bench.duel_program import duel
from engines.generate import program as generated
from rulewright.engine import DECISION, ENDED, Fault, Game, State
from rulewright.ir.link import blank, link
from rulewright.ir.program import HEADER, STATUS, Program
from rulewright.native import NativeEngine
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
from small_programs import cards, functions, program

ENGINES = (ReferenceEngine, NativeEngine)
Maker = Callable[[Program], ReferenceEngine | NativeEngine]

# The second option divides by 0 after it has written, rolled and told.
TRAP = """
def main():
    while 1:
        with ask(0, 0):
            opt(0, 0, 0, 0)
            opt(1, 0, 0, 0)
        S[24] = S[24] + rnd(100)
        emit(2, 0, 0, 0, 0, 0)
        if S[9] == 1:
            S[24] = 7 // (S[24] - S[24])
"""


def trap() -> Program:
    return link(blank("trap", (0,) * 8), functions(TRAP))


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("book", [program(), cards(), duel(), generated(5)], ids=lambda b: b.name)
def test_a_step_is_a_choice_and_all_that_follows(make: Maker, book: Program):
    one, two, chance = make(book), make(book), random.Random(3)
    for engine in (one, two):
        engine.start(book.seats[1], 11, {})
        engine.advance()
    for _ in range(60):
        if one.peek(STATUS) != DECISION:
            break
        index = chance.randrange(len(one.options()))
        before = one.state()
        one.choose(index)
        one.advance()
        two.step(index)
        assert two.before() == before
        assert (two.state(), two.options(), two.pending()) == (one.state(), one.options(), one.pending())
        assert two.events() == one.events()


@pytest.mark.parametrize("make", ENGINES)
def test_a_step_can_be_taken_back(make: Maker):
    engine = make(program())
    engine.start(2, 1, {})
    engine.advance()
    with pytest.raises(IndexError):
        engine.step_back()
    was = (engine.state(), engine.options(), engine.pending())
    engine.step(3)
    assert engine.state() != was[0]
    engine.step_back()
    assert (engine.state(), engine.options(), engine.pending()) == was


@pytest.mark.parametrize("make", ENGINES)
def test_a_step_that_fails_changes_nothing(make: Maker):
    engine = make(trap())
    engine.start(1, 5, {})
    engine.advance()
    engine.step(0)
    was = (engine.state(), engine.options(), engine.pending())
    for wrong in (2, -1, 2**64, 2**15):
        with pytest.raises(IndexError):
            engine.step(wrong)
    with pytest.raises(Fault, match="ZeroDivisionError"):
        engine.step(1)
    assert (engine.state(), engine.options(), engine.pending()) == was
    engine.step(0)


@pytest.mark.parametrize("make", ENGINES)
def test_a_step_tells_when_nothing_can_have_been_learned(make: Maker):
    still = """
def main():
    while 1:
        with ask(S[24] >= 2, 0):
            opt(0, 0, 0, 0)
            opt(1, 0, 0, 0)
        if S[9] == 1:
            rnd(6)
        S[24] = S[24] + 1
"""
    engine = make(link(blank("still", (0,) * 8), functions(still)))
    engine.start(2, 5, {})
    engine.advance()
    assert engine.step(0)  # the same seat, no dice
    assert not engine.step(0)  # the other seat
    assert engine.step(0)
    assert not engine.step(1)  # dice


def test_numbers_of_a_match():
    game = Game(duel())
    state = game.start(seed=4)
    assert (state.status, state.seat, state.count, state.decisions) == (DECISION, 0, 3, 0)
    assert state.option(0) == tuple(state.options()[:4])
    assert len(state.options()) == 4 * state.count
    match = Match(duel(), seed=4)
    while state.count:
        assert match.decision is not None
        assert state.count == len(match.decision.options)
        state.apply(state.decisions % state.count)
        match.choose((state.decisions - 1) % len(match.decision.options))
        assert state.hash() == match.hash
    assert state.status == ENDED


def test_states_are_copied_saved_and_taken_back():
    game = Game(duel())
    state = game.start(seed=4)
    state.apply(0)
    twin, third = state.clone(), game.start(seed=9)
    twin.apply(1)
    assert twin.hash() != state.hash()
    twin.undo()
    assert (twin.hash(), twin.count) == (state.hash(), state.count)
    third.copy_from(state)
    assert (third.hash(), third.count, list(third.options())) == (
        state.hash(),
        state.count,
        list(state.options()),
    )
    third.apply(0)
    assert game.load(state.save()).hash() == state.hash()
    assert third.playout(3) == ENDED
    assert third.count == 0
    with pytest.raises(IndexError):
        third.apply(0)


def test_a_copy_of_a_state_that_was_changed_lists_again():
    state = Game(duel()).start(seed=4)
    twin = state.clone()
    state.slots[HEADER] = state.slots[HEADER]
    state.engine.poke(HEADER, state.slots[HEADER])
    twin.copy_from(state)
    assert list(twin.options()) == list(state.options()[: 4 * twin.count])


def test_a_refused_or_faulty_choice_changes_nothing():
    state = Game(trap()).start()
    state.apply(0)
    was = (state.save(), state.count, list(state.options()))
    for wrong in (2, -1, 2**64):
        with pytest.raises(IndexError):
            state.apply(wrong)
    with pytest.raises(Fault):
        state.apply(1)
    assert (state.save(), state.count, list(state.options())) == was
    state.apply(0)


def test_options_are_no_objects(monkeypatch: pytest.MonkeyPatch):
    """Stepping makes no words: a Match that is only told numbers never asks for them either."""
    from rulewright.play import course
    from rulewright.play import match as module

    def wordy(*_: object) -> None:
        raise AssertionError("somebody asked for words")

    for place, name in ((course, "option"), (course, "Knowledge"), (module, "describe"), (module, "view")):
        monkeypatch.setattr(place, name, wordy)
    match = Match(cards(), engine=NativeEngine)
    for _ in range(5):
        match.choose(0)
    with pytest.raises(AssertionError, match="somebody asked"):
        _ = match.decision


def test_control_a_step_that_forgets_is_caught(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(NativeEngine, "step_back", lambda self: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    with pytest.raises(AssertionError):
        test_a_refused_or_faulty_choice_changes_nothing()
    with pytest.raises(AssertionError):
        test_a_step_that_fails_changes_nothing(NativeEngine)


def test_a_state_belongs_to_one_thread():
    state = Game(duel()).start()
    assert state.engine.arena._busy.acquire(blocking=False)  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(RuntimeError, match="another thread"):
        state.apply(0)
    assert isinstance(state, State)
