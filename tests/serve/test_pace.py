"""Which books are slow: those that keep the processor busy, not those that had to wait for it."""

from __future__ import annotations

import time

import pytest

from rulewright.play.faults import MatchError
from rulewright.serve import pace
from rulewright.serve.pace import LONG, PROVEN, Pace


def busy(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_a_book_is_quick_once_it_has_shown_it() -> None:
    book = Pace()
    for _ in range(PROVEN):
        assert not book.quick
        assert book.timed(lambda: 7) == 7
    assert book.quick


def test_a_long_call_makes_it_slow_for_good() -> None:
    book = Pace()
    for _ in range(PROVEN):
        book.timed(int)
    book.timed(busy, LONG + 2 * pace.FRESH)
    assert not book.quick
    book.timed(int)
    assert not book.quick


def test_one_that_raises_counts_too() -> None:
    def failing() -> None:
        busy(LONG + 2 * pace.FRESH)
        raise MatchError

    book = Pace()
    with pytest.raises(MatchError):
        book.timed(failing)
    assert book.slow


def test_waiting_is_not_working() -> None:
    book = Pace()
    for _ in range(PROVEN):
        book.timed(time.sleep, LONG + 2 * pace.FRESH)
    assert book.quick


def test_the_thread_is_rarely_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """To ask for processor time costs as much as a good part of a move."""
    asked = 0
    real = time.thread_time

    def counted() -> float:
        nonlocal asked
        asked += 1
        return real()

    book = Pace()
    book.timed(int)
    monkeypatch.setattr(time, "thread_time", counted)
    began = time.perf_counter()
    for _ in range(1000):
        book.timed(int)
    assert asked <= 1 + (time.perf_counter() - began) / pace.FRESH
