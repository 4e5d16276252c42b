"""Native against reference, stop by stop: hand-written and random programs, every shape of code."""

from __future__ import annotations

import pytest

from bench.duel_program import duel
from engines.generate import program
from rulewright.ir.nodes import INTRINSICS, OPERATORS, Binary, Call
from rulewright.ir.program import Program
from rulewright.ir.walk import expressions, statements
from rulewright.native import NativeEngine
from rulewright.native.library import compiled
from rulewright.native.module import Shape
from rulewright.testing import Report, lockstep
from small_programs import program as race

SHAPES: tuple[tuple[Shape, int], ...] = (("merged", 1), ("tiered", 1), ("tiered", 3))


def both(made: Program, shape: tuple[Shape, int], seeds: range, handover: int = 3) -> Report:
    code = compiled(made, *shape)
    report = lockstep(made, seeds, right=lambda p: NativeEngine(p, code=code), handover=handover)
    assert report.divergence is None, str(report.divergence)
    return report


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("make", [duel, race])
def test_small_games(make: object, shape: tuple[Shape, int]):
    assert callable(make)
    assert both(make(), shape, range(40)).decisions > 200


@pytest.mark.parametrize("first", range(0, 30, 10))
def test_random_programs(first: int):
    """Even seeds are tame, odd ones may fault; the shapes take turns."""
    for seed in range(first, first + 10):
        both(program(seed, wild=seed % 2 == 1), SHAPES[seed // 2 % 3], range(4))


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_many_random_programs(first: int):
    for seed in range(first, first + 50):
        both(program(seed, wild=seed % 2 == 1, length=3 + seed % 4), SHAPES[seed // 2 % 3], range(10))


def test_decisions_and_faults_are_among_them():
    reports = [both(program(seed, wild=True), SHAPES[1], range(3)) for seed in range(1, 80, 2)]
    assert sum(report.decisions for report in reports) > 100
    assert sum(report.faults for report in reports) > 5


def test_random_programs_use_everything():
    """Every operator, intrinsic and statement, in code that is reached from the start."""
    operators: set[str] = set()
    called: set[str] = set()
    kinds: set[str] = set()
    for seed in range(40):
        made = program(seed, wild=seed % 2 == 1)
        for function in (*made.functions.values(), *made.segments):
            kinds |= {type(node).__name__ for node in statements(function.body)}
            for node in expressions(function.body):
                kinds.add(type(node).__name__)
                if isinstance(node, Binary):
                    operators.add(node.op)
                if isinstance(node, Call):
                    called.add(node.name)
    assert operators == set(OPERATORS)
    assert "emit" not in called  # linking settles who may read: each is a `tell` by then
    assert called >= {*INTRINSICS, "push", "pop", "decide", "roll", "clamp", "div"} - {"emit"}
    assert kinds >= {"Assign", "Store", "If", "While", "Break", "Continue", "Return", "Do"}
    assert kinds >= {"Const", "Local", "Load", "Binary", "Not", "Pick", "Call"}


def test_the_same_seed_gives_the_same_program():
    assert program(5).digest == program(5).digest
    assert program(5).digest != program(6).digest


def test_decisions_can_be_limited():
    assert lockstep(duel(), range(10**6), decisions=100).decisions == 100
