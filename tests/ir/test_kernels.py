"""Kernels do what their first line says."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ir.kernels import kernels, linked
from rulewright.ir.link import blank, link
from rulewright.ir.nodes import Call, Const, Do, Function
from rulewright.ir.verify import verify
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from small_programs import functions

Z, CAP = 24, 6


class Bench:
    """An engine whose program calls every kernel, so that all of them can be tried by name."""

    def __init__(self) -> None:
        body = tuple(Do(Call(name, (Const(1),) * len(f.params))) for name, f in kernels().items())
        extra = {"every": Function("every", (), body)}
        self.program = link(blank("bench", (0,) * 40), {**extra, **functions("def main():\n    every()\n")})
        verify(self.program)
        self.engine = ReferenceEngine(self.program)
        self.engine.start(1, 3, {})

    def __getattr__(self, name: str) -> Callable[..., int]:
        return self.engine.functions[name]

    def cells(self, base: int = Z, count: int = CAP + 2) -> list[int]:
        return [self.engine.peek(base + i) for i in range(count)]

    def fill(self, *values: int, base: int = Z) -> None:
        for i in range(12):
            self.engine.poke(base + i, values[i] if i < len(values) else 0)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@cache
def shared_bench() -> Bench:
    return Bench()


@given(st.integers(-99, 99), st.integers(-9, 9))
def test_numbers(a: int, b: int):
    bench = shared_bench()
    assert bench.div(a, b) == (a // b if b else 0)
    assert bench.mod(a, b) == (a % b if b else 0)
    assert bench.minimum(a, b) == min(a, b)
    assert bench.maximum(a, b) == max(a, b)
    assert bench.absolute(a) == abs(a)
    assert bench.sign(a) == (a > 0) - (a < 0)
    assert bench.clamp(a, b, b + 5) == max(b, min(a, b + 5))
    assert bench.clamp(a, 5, 3) == 5


def test_zones(bench: Bench):
    bench.zone_put(Z, CAP, 7)
    bench.zone_put(Z, CAP, 8)
    bench.zone_put_bottom(Z, CAP, 6)
    bench.zone_put_at(Z, CAP, 9, 1)
    assert bench.cells() == [4, 6, 9, 7, 8, 0, 0, 0]
    assert (bench.zone_top(Z), bench.zone_bottom(Z)) == (8, 6)
    assert (bench.zone_find(Z, 7), bench.zone_find(Z, 5)) == (2, -1)
    assert bench.zone_remove(Z, 9) == 1
    assert bench.zone_remove(Z, 9) == 0
    assert bench.cells() == [3, 6, 7, 8, 0, 0, 0, 0]


def test_an_empty_zone(bench: Bench):
    assert (bench.zone_top(Z), bench.zone_bottom(Z)) == (-1, -1)
    bench.zone_shuffle(Z)
    assert bench.cells() == [0] * 8


def test_a_full_zone_is_a_fault(bench: Bench):
    for card in range(CAP):
        bench.zone_put(Z, CAP, card)
    for put in (bench.zone_put, bench.zone_put_bottom):
        with pytest.raises(Fault, match="zone overflowed"):
            put(Z, CAP, 9)


def test_shuffling(bench: Bench):
    bench.fill(5, 10, 11, 12, 13, 14)
    orders: set[tuple[int, ...]] = set()
    for _ in range(300):
        bench.zone_shuffle(Z)
        orders.add(tuple(bench.cells()[1:6]))
    assert len(orders) > 100
    assert all(sorted(order) == [10, 11, 12, 13, 14] for order in orders)


def test_shuffling_never_asks_the_script(bench: Bench):
    bench.fill(2, 42, 43)
    bench.engine.script([])
    bench.zone_shuffle(Z)
    assert sorted(bench.cells()[1:3]) == [42, 43]


@pytest.mark.parametrize("seed", range(40))
def test_a_living_order_skips_and_repeats_nobody(bench: Bench, seed: int):
    """Whoever stays in the order from its start to its end comes exactly once, whatever else happens."""
    chance = random.Random(seed)
    bench.order_clear(Z)
    for actor in range(4):
        bench.order_add(Z, 9, actor)
    stayed, came, fresh = {0, 1, 2, 3}, [], 10
    while bench.engine.peek(Z + 1) + 1 < bench.engine.peek(Z):
        bench.engine.poke(Z + 1, bench.engine.peek(Z + 1) + 1)
        came.append(bench.engine.peek(Z + 2 + bench.engine.peek(Z + 1)))
        for _ in range(2):
            members = bench.cells(Z + 2, bench.engine.peek(Z))
            if members and chance.random() < 0.4:
                gone = chance.choice(members)
                bench.order_remove(Z, gone)
                stayed.discard(gone)
            elif len(members) < 8 and fresh < 16:
                bench.order_insert(Z, 9, fresh, chance.randint(0, len(members)))
                fresh += 1
    assert len(came) == len(set(came))
    assert stayed <= set(came)


def test_orders(bench: Bench):
    bench.order_clear(Z)
    assert bench.cells(count=3) == [0, -1, 0]
    for actor in (5, 6):
        bench.order_add(Z, 3, actor)
    bench.engine.poke(Z + 1, 0)
    bench.order_insert(Z, 3, 4, 0)
    assert bench.cells(count=5) == [3, 1, 4, 5, 6]
    assert (bench.order_find(Z, 6), bench.order_has(Z, 9)) == (2, 0)
    with pytest.raises(Fault, match="turn order overflowed"):
        bench.order_add(Z, 3, 7)
    assert bench.order_remove(Z, 5) == 1
    assert bench.cells(count=5) == [2, 0, 4, 6, 0]


def test_dice(bench: Bench):
    bench.engine.script([4, 0, 2])
    assert bench.roll(6, 9) == 5
    assert bench.roll_sum(2, 6, 9) == 4
    assert bench.roll_sum(0, 6, 9) == 0
    assert [row[:6] for row in bench.engine.events()] == [
        (3, 9, 6, 4, 0, 0),
        (3, 9, 6, 0, 0, 0),
        (3, 9, 6, 2, 0, 0),
    ]


def test_only_used_kernels_are_linked():
    used = linked(functions("def f():\n    return order_has(30, 1)\n"), ())
    assert list(used) == ["f", "order_find", "order_has"]
    with pytest.raises(ValueError, match="name of a kernel"):
        linked(functions("def push():\n    pass\n"), ())
