"""The search for the most that a server holds."""

from __future__ import annotations

import importlib
import itertools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.setattr(sys, "path", [*sys.path])
    return importlib.import_module("load_limit")


def searched(limit: Any, true: int) -> list[int]:
    """What was tried until it was known."""
    tried: list[int] = []
    while not limit.over:
        tried.append(limit.next)
        limit.tell(limit.next <= true)
    return tried


@pytest.mark.parametrize("true", [20, 21, 77, 550, 1234, 2999])
def test_it_finds_the_largest_that_holds(limits: ModuleType, true: int) -> None:
    numbers = limits.scale(3000)
    limit = limits.Limit(numbers)
    tried = searched(limit, true)
    assert limit.found == max(number for number in numbers if number <= true)
    assert len(tried) <= 20
    for before in (limit.found, numbers[0], numbers[-1]):
        again = limits.Limit(numbers, before)
        searched(again, true)
        assert again.found == limit.found


def test_steps_are_small(limits: ModuleType) -> None:
    numbers = limits.scale(3000)
    assert all(1 < b / a < 1.1 for a, b in itertools.pairwise(numbers))


def test_what_holds_nowhere_and_what_holds_always(limits: ModuleType) -> None:
    numbers = limits.scale(200)
    nowhere, always = limits.Limit(numbers), limits.Limit(numbers)
    searched(nowhere, 0)
    searched(always, 10**6)
    assert (nowhere.found, always.found) == (None, numbers[-1])


def test_one_failure_is_no_failure(limits: ModuleType) -> None:
    limit = limits.Limit(limits.scale(3000))
    first = limit.next
    limit.tell(False)
    assert limit.next == first
    limit.tell(True)
    assert limit.found == first
    assert limit.next > first


def test_servers_take_turns_each_to_its_own_limit(limits: ModuleType) -> None:
    numbers = limits.scale(3000)
    both, true = [limits.Limit(numbers), limits.Limit(numbers)], (100, 2000)
    order: list[int] = []
    for which, count in limits.in_turns(both):
        order.append(which)
        both[which].tell(count <= true[which])
    shorter = min(order.count(0), order.count(1))
    assert order[: 2 * shorter] == [0, 1] * shorter
    assert [limit.found for limit in both] == [
        max(number for number in numbers if number <= most) for most in true
    ]
