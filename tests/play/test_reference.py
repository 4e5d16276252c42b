"""The reference engine: dice, faults, bounds, scripts, and engines that share nothing."""

from __future__ import annotations

import pytest

from rulewright.ir.events import EVERYBODY
from rulewright.ir.link import blank, link
from rulewright.ir.program import (
    DECISION,
    ENDED,
    FAULT,
    FAULT_BOUND,
    FAULT_SCRIPT,
    FAULTED,
    RNG_HI,
    RUNNING,
    RV,
    STATUS,
)
from rulewright.play import chance, instructions
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from small_programs import functions, program


def started(code: str, seed: int = 0) -> ReferenceEngine:
    engine = ReferenceEngine(link(blank("test", (0,) * 8), functions(code)))
    engine.start(1, seed, {})
    return engine


def test_splitmix64_is_the_named_generator():
    """First outputs of the published algorithm for state 0; they pin our constants."""
    assert [chance.finalize(chance.GAMMA * k & chance.MASK) for k in (1, 2, 3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_fnv1a_is_the_named_hash():
    assert chance.fnv1a(b"") == 0xCBF29CE484222325
    assert chance.fnv1a(b"a") == 0xAF63DC4C8601EC8C


def test_draws_are_in_range_and_even():
    slots = [0] * 8
    slots[3], slots[4] = chance.seed_halves(12)
    tally = [0] * 6
    for _ in range(6000):
        tally[chance.draw(slots, 6)] += 1
    assert all(850 < count < 1150 for count in tally)
    assert all(-(1 << 31) <= half < 1 << 31 for half in slots[3:5])


def test_large_ranges_redraw_without_bias():
    """For n just above 2^31 nearly half of the draws are refused; results still fit."""
    slots = [0] * 8
    n = (1 << 31) + 1
    assert all(0 <= chance.draw(slots, n) < n for _ in range(200))


def test_one_side_draws_nothing():
    engine = started("def main():\n    return rnd(1) + mix(1)\n", seed=5)
    before = engine.peek(RNG_HI)
    engine.advance()
    assert engine.peek(RNG_HI) == before


def test_scripts():
    engine = started("def main():\n    return rnd(6) * 10 + rnd(6)\n")
    engine.script([3, 5, 1])
    engine.advance()
    assert engine.peek(RV) == 35
    assert engine.script(None) == [1]


@pytest.mark.parametrize("script", [[3], [3, 6], [-1]])
def test_a_script_that_does_not_fit_is_a_fault(script: list[int]):
    engine = started("def main():\n    return rnd(6) * 10 + rnd(6)\n")
    engine.script(script)
    with pytest.raises(Fault) as caught:
        engine.advance()
    assert caught.value.code == FAULT_SCRIPT
    assert engine.peek(STATUS) == FAULTED
    assert engine.peek(FAULT) == FAULT_SCRIPT


def test_a_fault_names_its_site():
    engine = started("def inner():\n    fault(6)  # site 7\ndef main():\n    inner()  # site 3\n")
    with pytest.raises(Fault) as caught:
        engine.advance()
    assert caught.value.site == 7


def test_rules_without_end_are_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(instructions, "STEP_LIMIT", 1000)
    engine = started("def main():\n    while 1:\n        with ask(0, 0):\n            opt(0, 0, 0, 0)\n")
    with pytest.raises(Fault) as caught:
        engine.advance()
    assert caught.value.code == FAULT_BOUND


def test_a_broken_program_is_a_fault_of_its_own():
    engine = started("def main():\n    x = 0\n    return 1 // x\n")
    with pytest.raises(Fault, match="the program is broken"):
        engine.advance()


@pytest.mark.parametrize("code", ["S[x] = 1", "return S[x]", "return W[x]", "S[x + 3] = 1", "S[2] = x"])
def test_a_cell_before_the_first_is_none(code: str):
    """Python counts from the end there; native memory has no such cells, and its header is not for rules."""
    with pytest.raises(Fault, match="the program is broken"):
        started(f"def main():\n    x = -1\n    {code}\n").advance()


def test_a_slot_holds_32_bits():
    with pytest.raises(Fault, match=r"outside what its slot can hold \(2147483648\)"):
        started("def main():\n    x = 2147483647\n    S[24] = x + 1\n").advance()


def test_a_loop_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(instructions, "STEP_LIMIT", 1000)
    for code in ("while 1:\n        S[24] = 1", "x = 1\n    while x:\n        x = x + 1"):
        with pytest.raises(Fault, match="go round in a circle") as caught:
            started(f"def main():\n    {code}\n").advance()
        assert caught.value.code == FAULT_BOUND


def test_nobody_is_asked_for_a_strategy():
    ask = "    with ask(-1, 0):\n        opt(0, 4, 0, 0)\n        opt(0, 5, 0, 0)\n"
    engine = started(f"def main():\n{ask}    return S[10]\n")
    engine.advance()
    assert (engine.peek(STATUS), engine.peek(RV)) == (ENDED, 4)
    assert engine.events() == [(1, 0, 0, 4, 0, 0, -1, EVERYBODY, EVERYBODY)]


def test_no_option_is_no_decision():
    engine = started("def main():\n    with ask(0, 0):\n        pass\n    return S[9]\n")
    engine.advance()
    assert (engine.peek(STATUS), engine.peek(RV)) == (ENDED, -1)


def test_engines_share_no_state():
    made = program()
    one, two = ReferenceEngine(made), ReferenceEngine(made)
    for engine in (one, two):
        engine.start(2, 4, {})
        engine.advance()
    one.choose(0)
    one.advance()
    assert one.hash() != two.hash()
    two.choose(0)
    two.advance()
    assert one.state() == two.state()


def test_parameters_can_differ_between_engines():
    made = program()
    short = ReferenceEngine(made, params=(0,))
    short.start(2, 0, {})
    short.advance()
    assert short.peek(STATUS) == ENDED


def test_events_can_be_off():
    engine = ReferenceEngine(program())
    engine.record(False)
    engine.start(2, 0, {})
    engine.advance()
    engine.choose(0)
    engine.advance()
    assert engine.events() == []


def test_poking_a_decision_lists_again():
    engine = ReferenceEngine(program())
    engine.start(2, 0, {})
    engine.advance()
    assert len(engine.options()) == 5
    engine.poke(24, 11)
    engine.poke(STATUS, RUNNING)
    engine.advance()
    assert engine.peek(STATUS) == DECISION
    assert len(engine.options()) == 3


@pytest.mark.parametrize("cut", [0, 3, 40, -1, -4])
def test_bytes_that_are_no_state_are_refused(cut: int):
    engine = ReferenceEngine(program())
    engine.start(2, 0, {})
    engine.advance()
    state = engine.state()
    with pytest.raises(ValueError, match="state"):
        engine.load(state[:cut])
    assert engine.state() == state
