"""What takes long for one book holds up no table of another: opening it, native code for it, its engine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulewright.ir.program import Program
from rulewright.play.reference import ReferenceEngine
from rulewright.play.setup import EngineMaker
from rulewright.serve.api import build
from rulewright.serve.library import Library, Volume
from rulewright.serve.store import Store
from serve.tables_kit import NAMES, OPEN, Seats, Web, client, sqlite_url, until, volume

SLOW = "coin"
ALONE = [{"kind": "you"}]


class Slow:
    """Work that says when it has begun and ends when it is told to."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    def work(self) -> None:
        self.begun.set()
        assert self.go.wait(60)


@pytest.fixture
def slow() -> Iterator[Slow]:
    made = Slow()
    yield made
    made.go.set()


def slow_to_open(slow: Slow) -> Library:
    def opened(name: str) -> Volume:
        if name == SLOW:
            slow.work()
        return volume(name)

    return Library(NAMES, opened, equip=lambda _: "reference")


def slow_to_equip(slow: Slow) -> Library:
    def equip(book: Volume) -> str:
        if book.name == SLOW:
            slow.work()
        return "reference"

    return Library(NAMES, volume, equip=equip)


def slow_to_begin(slow: Slow) -> Library:
    """As the reference engine is for a large book that is new on this machine."""

    def engine(program: Program) -> ReferenceEngine:
        slow.work()
        return ReferenceEngine(program)

    def opened(name: str) -> Volume:
        made = volume(name)
        if name == SLOW:
            made.engine, made.equipped = engine, True
        return made

    def equip(book: Volume) -> str | EngineMaker:
        return book.engine

    return Library(NAMES, opened, equip=equip)


@pytest.mark.parametrize("kind", [slow_to_open, slow_to_equip, slow_to_begin])
def test_a_slow_book_delays_no_other(tmp_path: Path, slow: Slow, kind: Callable[[Slow], Library]) -> None:
    made: list[Seats] = []

    def open_slow(http: Web) -> None:
        with Web(http.url) as own:
            made.append(Seats(own, SLOW, ALONE))

    with client(build(Store(sqlite_url(tmp_path)), kind(slow), OPEN)) as http:
        other = threading.Thread(target=open_slow, args=(http,))
        other.start()
        assert slow.begun.wait(60)
        assert Seats(http).play()["result"] is not None
        if kind is not slow_to_equip:  # a match need not wait for native code
            assert not made
        slow.go.set()
        until(lambda: made)
        other.join(60)
        made[0].http = http
        assert made[0].play()["result"] is not None
