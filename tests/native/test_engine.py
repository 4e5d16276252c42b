"""The native engine beyond the common protocol: copies, policies, playouts, threads."""

from __future__ import annotations

import threading

import pytest

from bench.duel_program import duel
from engines.generate import program
from rulewright.ir.program import DECISION, ENDED, RNG_LO
from rulewright.native import NativeEngine
from rulewright.play.reference import ReferenceEngine


def at_decision(seed: int = 1) -> NativeEngine:
    engine = NativeEngine(duel())
    engine.start(2, seed, {})
    engine.advance()
    return engine


def test_a_copy_goes_its_own_way():
    one = at_decision()
    two = one.copy()
    assert two.state() == one.state()
    assert two.options() == one.options()
    one.choose(0)
    one.advance()
    assert two.state() != one.state()
    two.copy_from(one)
    assert two.state() == one.state()
    assert two.hash() == one.hash()


def test_only_the_same_program_is_copied():
    other = NativeEngine(program(3))
    with pytest.raises(ValueError, match="same program"):
        at_decision().copy_from(other)


def test_a_policy_answers_without_touching_the_match():
    engine = at_decision()
    before = engine.state()
    assert engine.policy(0) == 0
    assert engine.state() == before
    assert len(engine.options()) == 3
    with pytest.raises(IndexError):
        engine.policy(1)


def test_a_playout_ends_the_match_and_keeps_its_events():
    engine = at_decision()
    engine.events()
    assert engine.playout(5) == ENDED
    assert len(engine.events()) > 20
    again = at_decision()
    assert again.playout(5) == ENDED
    assert again.state() == engine.state()
    assert at_decision().playout(6) == ENDED
    assert engine.playout(7) == ENDED


def test_the_random_player_does_not_disturb_the_dice():
    """Replaying a playout's choices on the reference gives the same match."""
    engine = at_decision(9)
    engine.events()
    engine.playout(3)
    chosen = [row[2:6] for row in engine.events() if row[0] == 10]
    twin = ReferenceEngine(duel())
    twin.start(2, 9, {})
    twin.advance()
    for choice in chosen:
        twin.choose(twin.options().index(choice))
        twin.advance()
    assert twin.state() == engine.state()
    assert twin.peek(RNG_LO) == engine.peek(RNG_LO)


def test_two_threads_cannot_run_one_match():
    engine = at_decision()
    assert engine.arena._busy.acquire()  # as if another thread were inside
    with pytest.raises(RuntimeError, match="another thread"):
        engine.choose(0)
    engine.arena._busy.release()
    engine.choose(0)


def test_engines_in_threads_do_not_disturb_each_other():
    results: dict[int, bytes] = {}

    def play(number: int) -> None:
        for seed in range(50):
            engine = at_decision(seed)
            engine.playout(seed)
            results[number] = results.get(number, b"") + engine.state()

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results.values())) == 1


def test_many_engines_leave_nothing_behind():
    """Buffers that native code has made larger are freed with their engine."""
    for _ in range(300):
        engine = at_decision()
        engine.playout(1)
        del engine
    assert at_decision().peek(5) == DECISION
