"""Figures of one run, taken in turns, as shares of each other."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from rulewright import load

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.setattr(sys, "path", [*sys.path])
    return importlib.import_module("history")


def test_in_turns_and_the_median_counts(history: ModuleType) -> None:
    order: list[str] = []
    given = {"slow": iter((1.0, 9.0, 2.0)), "fast": iter((4.0, 4.0, 4.0))}

    def rate(name: str) -> float:
        order.append(name)
        return next(given[name])

    found = history.in_turns({name: lambda name=name: rate(name) for name in given}, 3)
    assert order == ["slow", "fast"] * 3
    assert found == {"slow": 2.0, "fast": 4.0}
    assert history.shares(found, "fast", ["slow"]) == {"slow": 0.5}


def test_every_seat_plays_by_the_book(history: ModuleType) -> None:
    program = load("vigil")
    seats = history.own(program)
    assert len(seats) == program.seats[1]
    assert all(1 <= policy <= len(program.policies) for policy in seats)
