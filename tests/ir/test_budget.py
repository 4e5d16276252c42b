"""One count of steps: what runs away is stopped at the same step on both engines, short walks are free."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rulewright.ir.budget import FREE, Costs, costs
from rulewright.ir.link import blank, link
from rulewright.ir.nodes import Function, While
from rulewright.ir.program import FAULT_BOUND, STEP_LIMIT, Program
from rulewright.ir.walk import statements
from rulewright.native import NativeEngine
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from small_programs import functions

ENGINES = (ReferenceEngine, NativeEngine)
Maker = Callable[..., ReferenceEngine | NativeEngine]


def nested(depth: int, rounds: int) -> str:
    lines, pad = list[str](), "    "
    for k in range(depth):
        lines += [f"{pad}i{k} = 0", f"{pad}while i{k} < {rounds}:", f"{pad}    i{k} = i{k} + 1"]
        pad += "    "
    return "\n".join([*lines, f"{pad}S[24] = S[24] + 1"])


def book(text: str, params: tuple[int, ...] = ()) -> Program:
    made = f"{text}\n    with ask(0, 0):\n        opt(0, 0, 0, 0)\n        opt(1, 0, 0, 0)\n"
    return link(
        replace(blank("budget", (0,) * 8), params=params, param_names=("n",) * len(params)), functions(made)
    )


def outcome(make: Maker, program: Program, *params: int) -> str:
    engine = make(program, params or None)
    engine.start(1, 1, {})
    try:
        engine.advance()
    except Fault as fault:
        return str(fault) if fault.code == FAULT_BOUND else "another fault"
    return "goes on"


RUNAWAYS = {
    "five nested loops": f"def main():\n{nested(5, 90)}",
    "a chain of doubled values": "\n".join(
        [f"def v{k}():\n    return v{k + 1}() + v{k + 1}()" for k in range(30)]
        + ["def v30():\n    return S[24]", "def main():\n    S[25] = v0() != 0"]
    ),
    "a loop without end": "def main():\n    while 1:\n        S[24] = 1 - S[24]",
    "segments without end": """def pause():
    with ask(-1, 0):
        opt(0, 0, 0, 0)
def main():
    while S[25] == 0:
        pause()""",
}


SLOW = ("a chain of doubled values", "a loop without end", "segments without end")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in SLOW else ()) for name in RUNAWAYS]
)
def test_what_runs_away_is_a_fault_on_both_engines(name: str):
    program = book(RUNAWAYS[name])
    found = [outcome(make, program) for make in ENGINES]
    assert found[0] == found[1]
    assert "go round in a circle" in found[0]


HEAVY = (
    "def heavy():\n"
    + "    S[24] = 1\n" * 200
    + "def main():\n    i = P[0]\n    while i > 0:\n        i = i - 1\n"
)


TAIL = "    j = P[0] // 3\n    while j > 0:\n        j = j - 1\n        heavy()\n"


@pytest.mark.long
def test_the_last_step_that_fits_is_the_same_on_both():
    """Loops, functions and segments share one budget: it ends at the very same round."""
    program = book(HEAVY + "        heavy()\n" * 60 + TAIL, (1,))

    def fits(rounds: int) -> bool:
        engine = NativeEngine(program, (rounds,))
        engine.start(1, 1, {})
        return engine.arena.call(engine.library.advance) >= 0  # and no words for a fault

    low, high = 1, STEP_LIMIT
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    assert 1000 < low < STEP_LIMIT // 100
    assert outcome(ReferenceEngine, program, low) == "goes on"
    assert "go round in a circle" in outcome(ReferenceEngine, program, high)


def costs_of(text: str) -> tuple[Costs, dict[str, Function]]:
    made = functions(text)
    return costs(made, ()), made


def paid(found: Costs, function: Function) -> list[int]:
    loops = [node for node in statements(function.body) if isinstance(node, While)]
    return [found.rounds.get(id(loop), 0) for loop in loops]


def test_short_walks_are_free_and_long_ones_pay_outside():
    found, made = costs_of(f"def f():\n{nested(3, 9)}\ndef g():\n{nested(1, 9)}")
    outer, middle, inner = paid(found, made["f"])
    assert (outer, inner) == (0, 0)
    assert middle > 0
    assert paid(found, made["g"]) == [0]
    assert found.entry == {}


def test_a_loop_of_unknown_length_pays_and_a_dear_function_pays_for_itself():
    found, made = costs_of(
        "def dear():\n"
        + "    S[24] = 1\n" * (FREE + 1)
        + "def f(n):\n    while n > 0:\n        n = n - dear()\n"
    )
    assert list(found.entry) == ["dear"]
    assert paid(found, made["f"]) == [1]


def test_branches_count_once_and_recursion_always_pays():
    many = "".join(f"    {'if' if k == 0 else 'elif'} n == {k}:\n        S[24] = {k}\n" for k in range(150))
    found, _ = costs_of(f"def f(n):\n{many}def g(n):\n    return g(n - 1)\n")
    assert list(found.entry) == ["g"]


def test_a_chain_of_a_thousand_functions_is_no_problem():
    text = (
        "\n".join(f"def f{k}():\n    return f{k + 1}()" for k in range(1500))
        + "\ndef f1500():\n    return 0\n"
    )
    found, _ = costs_of(text)
    assert 1 <= len(found.entry) <= 20


@pytest.mark.long
def test_control_an_engine_that_counts_otherwise_is_caught(monkeypatch: pytest.MonkeyPatch):
    from rulewright.play import instructions

    monkeypatch.setattr(instructions, "STEP_LIMIT", STEP_LIMIT - 100_000)
    with pytest.raises(AssertionError):
        test_the_last_step_that_fits_is_the_same_on_both()
