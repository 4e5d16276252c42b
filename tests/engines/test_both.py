"""One suite, every engine: what the Engine protocol promises, on both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rulewright.ir.link import blank, link
from rulewright.ir.program import (
    DECISION,
    ENDED,
    FAULT,
    FAULT_BOUND,
    FAULT_SCRIPT,
    FAULT_STACK,
    FAULTED,
    RNG_HI,
    RNG_LO,
    RUNNING,
    RV,
    STATUS,
)
from rulewright.native import NativeEngine
from rulewright.play import instructions
from rulewright.play.chance import draw
from rulewright.play.faults import Fault
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
from small_programs import functions, program

Maker = Callable[..., Any]


@pytest.fixture(params=[ReferenceEngine, NativeEngine])
def make(request: pytest.FixtureRequest) -> Maker:
    return request.param


def started(make: Maker, code: str, seed: int = 0) -> Any:
    engine = make(link(blank("test", (0,) * 8), functions(code)))
    engine.start(1, seed, {})
    return engine


def fault_of(engine: Any) -> Fault:
    with pytest.raises(Fault) as caught:
        engine.advance()
    assert engine.peek(STATUS) == FAULTED
    assert engine.peek(FAULT) == caught.value.code
    return caught.value


def test_unfair_numbers_are_drawn_again(make: Maker):
    """A die of three quarters of all numbers: every fourth draw is taken back."""
    sides, draws = 3 * 2**30, 400
    code = (
        f"def main():\n    i = 0\n    while i < {draws}:\n        i += 1\n"
        f"        S[24] = rnd({sides}) // 4\n        S[25] = mix({sides}) // 4\n"
    )
    engine = started(make, code, seed=9)
    slots = [engine.peek(slot) for slot in range(RNG_HI + 1)]
    before = slots[:]
    engine.advance()
    faces = [draw(slots, sides) // 4 for _ in range(2 * draws)]
    assert [engine.peek(24), engine.peek(25)] == faces[-2:]
    assert [engine.peek(slot) for slot in (RNG_LO, RNG_HI)] == slots[RNG_LO:] != before[RNG_LO:]


def test_one_side_draws_nothing(make: Maker):
    engine = started(make, "def main():\n    return rnd(1) + mix(1) + rnd(0) + rnd(-3)\n", seed=5)
    before = engine.peek(RNG_HI)
    engine.advance()
    assert engine.peek(RNG_HI) == before
    assert engine.peek(RV) == 0


def test_scripts(make: Maker):
    engine = started(make, "def main():\n    return rnd(6) * 10 + rnd(6) + mix(1)\n")
    assert engine.script([3, 5, 1]) == []
    engine.advance()
    assert engine.peek(RV) == 35
    assert engine.script(None) == [1]


@pytest.mark.parametrize("script", [[], [3], [3, 6], [-1]])
def test_a_script_that_does_not_fit_is_a_fault(make: Maker, script: list[int]):
    engine = started(make, "def main():\n    return rnd(6) * 10 + rnd(6)  # site 3\n")
    engine.script(script)
    fault = fault_of(engine)
    assert (fault.code, fault.site) == (FAULT_SCRIPT, 3)
    assert "0 to 5" in str(fault)


def test_a_fault_names_its_site(make: Maker):
    code = "def inner():\n    fault(6)  # site 7\ndef main():\n    inner()  # site 3\n"
    fault = fault_of(started(make, code))
    assert (fault.code, fault.site) == (6, 7)


def test_a_fault_in_a_kernel_names_the_rule_that_called_it(make: Maker):
    deep = "def deep(n):\n    with ask(0, 0):\n        pass\n    deep(n + 1)  # site 5\n"
    code = f"{deep}def main():\n    deep(0)\n"
    fault = fault_of(started(make, code))
    assert (fault.code, fault.site) == (FAULT_STACK, 5)


def test_a_fault_undoes_nothing_and_does_nothing_more(make: Maker):
    code = (
        "def inner(x):\n    S[24] = 1\n    if x:\n        fault(6)\n    S[25] = 1\n    return 0\n"
        "def main():\n    S[26] = inner(1) + 5\n    S[27] = 1\n"
    )
    engine = started(make, code)
    fault_of(engine)
    assert [engine.peek(slot) for slot in (24, 25, 26, 27)] == [1, 0, 0, 0]


def test_segments_without_end_are_stopped(make: Maker, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(instructions, "STEP_LIMIT", 1000)
    code = "def main():\n    while 1:\n        with ask(0, 0):\n            opt(0, 0, 0, 0)\n"
    engine = started(make, code)
    engine.record(False)
    assert fault_of(engine).code == FAULT_BOUND


def test_too_many_decisions_are_a_fault(make: Maker):
    ask = "        with ask(0, 0):\n            opt(0, 0, 0, 0)\n            opt(1, 0, 0, 0)\n"
    tables = blank("test", (0,) * 8)
    made = link(tables, functions(f"def main():\n    while 1:\n{ask}"))
    engine = make(replace(made, bound=3))
    engine.start(1, 0, {})
    for _ in range(3):
        engine.advance()
        engine.choose(1)
    engine.advance()
    with pytest.raises(Fault) as caught:
        engine.choose(0)
    assert caught.value.code == FAULT_BOUND
    assert engine.peek(STATUS) == FAULTED


@pytest.mark.parametrize("value", ["1 // x", "1 % x", "S[x + 99999]"])
def test_a_broken_program_is_a_fault_of_its_own(make: Maker, value: str):
    fault = fault_of(started(make, f"def main():\n    x = 0\n    return {value}  # site 2\n"))
    assert (fault.code, fault.site) == (0, 2)
    assert "the program is broken" in str(fault)


def test_nobody_is_asked_for_a_strategy(make: Maker):
    ask = "    with ask(-1, 0):\n        opt(0, 4, 0, 0)\n        opt(0, 5, 0, 0)\n"
    engine = started(make, f"def main():\n{ask}    return S[10]\n")
    engine.advance()
    assert (engine.peek(STATUS), engine.peek(RV)) == (ENDED, 4)
    assert [row[:6] for row in engine.events()] == [(1, 0, 0, 4, 0, 0)]


def test_many_options_and_events(make: Maker):
    """More than any buffer begins with."""
    listing = "        i = 0\n        while i < 3000:\n            opt(1, i, 0, 0)\n            i = i + 1\n"
    emits = "    i = 0\n    while i < 3000:\n        emit(8, 0, i, 0, 0, 0)\n        i = i + 1\n"
    engine = started(make, f"def main():\n{emits}    with ask(0, 0):\n{listing}    return S[10]\n")
    engine.advance()
    assert [row[1] for row in engine.options()] == list(range(3000))
    assert [row[2] for row in engine.events()] == list(range(3000))
    engine.choose(2999)
    engine.advance()
    assert engine.peek(RV) == 2999


def test_events_can_be_off(make: Maker):
    engine = make(program())
    engine.record(False)
    engine.start(2, 0, {})
    engine.advance()
    engine.choose(0)
    engine.advance()
    assert engine.events() == []


def test_parameters_can_differ_between_engines(make: Maker):
    short = make(program(), params=(0,))
    short.start(2, 0, {})
    short.advance()
    assert short.peek(STATUS) == ENDED


def test_poking_a_decision_lists_again(make: Maker):
    engine = make(program())
    engine.start(2, 0, {})
    engine.advance()
    assert len(engine.options()) == 5
    engine.poke(24, 11)
    assert len(engine.options()) == 3
    engine.poke(STATUS, RUNNING)
    engine.advance()
    assert engine.peek(STATUS) == DECISION
    assert len(engine.options()) == 3


def test_listing_again_stops_even_when_there_is_nothing_left_to_decide(make: Maker):
    engine = make(program())
    engine.start(2, 0, {})
    engine.advance()
    engine.poke(24, 12)
    engine.poke(25, 1)
    assert len(engine.options()) == 1
    assert engine.peek(24) == 12


@pytest.mark.parametrize("index", [-1, 5, 10**9])
def test_a_wrong_choice_changes_nothing(make: Maker, index: int):
    engine = make(program())
    engine.start(2, 0, {})
    engine.advance()
    before = engine.state()
    with pytest.raises(IndexError):
        engine.choose(index)
    assert engine.state() == before


@pytest.mark.parametrize("cut", [0, 3, 40, -1, -4])
def test_bytes_that_are_no_state_are_refused(make: Maker, cut: int):
    engine = make(program())
    engine.start(2, 0, {})
    engine.advance()
    state = engine.state()
    with pytest.raises(ValueError, match="state"):
        engine.load(state[:cut])
    assert engine.state() == state


def test_a_match_can_be_played(make: Maker):
    match = Match(program(), seed=3, engine=make)
    while match.decision:
        match.choose(match.decision.options[-1])
    assert match.result is not None


def test_the_native_engine_has_a_name():
    assert Match(program(), engine="native").decision
