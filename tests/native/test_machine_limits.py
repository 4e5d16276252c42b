"""What native code does at the edges: overflow, division, wild memory, endless rules. It never crashes."""

from __future__ import annotations

import struct
from dataclasses import replace
from random import Random

import pytest

from bench.duel_program import duel
from engines.generate import program
from rulewright.ir.link import blank, link
from rulewright.ir.program import (
    DECISION,
    FAULT_BOUND,
    FAULT_RANGE,
    FAULT_STACK,
    RUNNING,
    RV,
    STATUS,
    Program,
)
from rulewright.native import NativeEngine
from rulewright.native.library import compiled
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from small_programs import functions

EXTREMES = (0, 1, -1, 2, 7, -7, 64, -64, 2**31, -(2**31), 2**62, -(2**62), 2**63 - 1, -(2**63))


def test_every_operator_at_the_extremes():
    """64-bit results, wrapped; compared half by half, since a slot holds 32 bits."""
    operators = ("+", "-", "*", "&", "|", "<", "<=", ">", ">=", "==", "!=", "//", "%")
    lines = ["def main():", "    b = P[1]", "    if b == 0:", "        b = 3"]
    for k, op in enumerate(operators):
        lines.append(f"    x = P[0] {op} b")
        lines += [f"    S[{24 + 2 * k}] = x % 65536", f"    S[{25 + 2 * k}] = x // 65536 % 65536"]
    made = link(_with_params(blank("test", (0,) * 26)), functions("\n".join(lines) + "\n"))
    engine = NativeEngine(made)
    for a in EXTREMES:
        for given in EXTREMES:
            b = given or 3
            engine.arena.set_params((a, given))
            engine.start(1, 0, {})
            engine.advance()
            for k, op in enumerate(operators):
                exact = int(eval(f"{a} {op} {b}"))
                found = engine.peek(24 + 2 * k) + 65536 * engine.peek(25 + 2 * k)
                assert found == exact % 2**32, f"{a} {op} {b}"


def _with_params(tables: Program) -> Program:
    return replace(tables, params=(0, 0), param_names=("a", "b"))


def faulted(code: str) -> tuple[int, NativeEngine]:
    engine = NativeEngine(link(blank("test", (0,) * 8), functions(code)))
    engine.start(1, 0, {})
    with pytest.raises(Fault) as caught:
        engine.advance()
    return caught.value.code, engine


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1\n    while x:\n        x = x + 1", FAULT_BOUND),
        ("while 1:\n        S[24] = 1", FAULT_BOUND),
        ("while 1:\n        x = 0\n        while x < 1000:\n            x = x + 1", FAULT_BOUND),
        ("return down(0)\ndef down(n):\n    return down(n + 1) + 1", FAULT_STACK),
        ("return both(0)\ndef both(n):\n    return both(n + 1) + both(n + 1) if n < 50 else 0", FAULT_BOUND),
        ("return odd(0)\ndef odd(n):\n    return even(n)\ndef even(n):\n    return odd(n)", FAULT_STACK),
        ("x = 2147483647\n    S[24] = x + 1", FAULT_RANGE),
        ("x = -1\n    S[x] = 1", 0),
        ("x = -1\n    return W[x]", 0),
        ("x = 256\n    W[x] = 1", 0),
        ("x = 0\n    return P[x]", 0),
        ("x = 0\n    return K[x]", 0),
        ("x = 9223372036854775807\n    return S[x * 3 + 24]", 0),
        ("x = 1\n    S[x] = 5", 0),
        ("return option(0, 0)", 0),
        ("x = 4294967297\n    return rnd(x)", FAULT_RANGE),
    ],
)
def test_wild_code_is_a_fault(code: str, expected: int):
    found, engine = faulted(f"def main():\n    {code}\n")
    assert found == expected
    assert engine.peek(24) in (0, 1)
    engine.start(1, 0, {})
    assert engine.peek(STATUS) == RUNNING


def test_recursion_that_ends_is_fine():
    code = "def main():\n    return sum(100)\ndef sum(n):\n    return n + sum(n - 1) if n else 0\n"
    engine = NativeEngine(link(blank("test"), functions(code)))
    engine.start(1, 0, {})
    engine.advance()
    assert engine.peek(RV) == 5050


def test_the_largest_die_gives_the_same_as_the_reference():
    code = "def main():\n    x = 4294967296\n    return rnd(x) % 1000 + rnd(2147483649) % 1000\n"
    made = link(blank("test"), functions(code))
    results: list[int] = []
    for engine in (NativeEngine(made), ReferenceEngine(made)):
        engine.start(1, 8, {})
        engine.advance()
        results.append(engine.peek(RV))
    assert results[0] == results[1]


def deciding(seed: int) -> Program:
    """The next random Program that has something to decide."""
    while True:
        made = program(seed)
        engine = ReferenceEngine(made)
        engine.start(2, 0, {})
        engine.advance()
        if engine.peek(STATUS) == DECISION:
            return made
        seed += 1


@pytest.mark.parametrize("which", range(6))
def test_no_state_crashes(which: int):
    """States with random slots, at random places: faults and refusals, but the process lives."""
    made = duel() if which == 0 else deciding(10 * which)
    random = Random(which)
    engine = NativeEngine(made, code=compiled(made, "merged" if which % 2 else "tiered"))
    engine.record(False)
    ends = 0
    for seed in range(150):
        engine.start(2, seed, {})
        engine.advance()
        slots = list(struct.unpack(f"<{len(engine.state()) // 4}i", engine.state()))
        for _ in range(random.randrange(1, 6)):
            slot = random.randrange(len(slots)) if random.random() < 0.5 else random.randrange(20)
            if slot != 2:
                wild = (0, 1, 2, 5, -1, 70, 100, 2**31 - 1, -(2**31), random.randrange(300))
                slots[slot] = random.choice(wild)
        try:
            engine.load(struct.pack(f"<{len(slots)}i", *slots))
            for _ in range(20):
                engine.options()
                if engine.peek(STATUS) == DECISION:
                    engine.choose(random.randrange(max(1, len(engine.options()))))
                engine.advance()
                engine.hash()
            engine.playout(seed)
        except (Fault, ValueError, IndexError):
            ends += 1
    assert ends > 0


def test_pokes_cannot_break_out():
    engine = NativeEngine(duel())
    engine.start(2, 0, {})
    engine.advance()
    engine.poke(2, 10**6)
    for reading in (engine.state, engine.hash, engine.copy):
        with pytest.raises(ValueError, match="stack"):
            reading()
    with pytest.raises(IndexError):
        engine.poke(10**6, 1)
    with pytest.raises(IndexError):
        engine.peek(-1)
    with pytest.raises(Fault):
        engine.poke(24, 2**31)
