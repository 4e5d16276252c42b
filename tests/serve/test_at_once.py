"""A choice that waits for nothing but the disk is made without a task, and is worth as much as any other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from websockets.sync.client import ClientConnection

from rulewright.serve.api import build
from rulewright.serve.appender import Entry, StoreError
from rulewright.serve.pace import PROVEN
from rulewright.serve.socket import Line
from rulewright.serve.store import Store
from rulewright.serve.table import Lock
from serve.tables_kit import OPEN, Seats, Web, awaited, client, library, on_loop, sqlite_url, until

Tasks = list[str]


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> Tasks:
    """Messages that were given to a task."""
    found: Tasks = []
    real = Line.answer

    async def hear(line: Line, text: str) -> None:
        found.append(text)
        await real(line, text)

    monkeypatch.setattr(Line, "answer", hear)
    return found


class Place:
    """A table whose rules are quick, with a line for each seat."""

    def __init__(self, app: FastAPI, http: Web, table: Seats, lines: list[ClientConnection]) -> None:
        self.app, self.http, self.table, self.lines = app, http, table, lines
        self.appender = app.state.tables.store.appender

    def say(self, seat: int, text: str) -> None:
        self.lines[seat].send(text)

    def hear(self, seat: int, timeout: float = 60) -> dict[str, Any]:
        return json.loads(self.lines[seat].recv(timeout=timeout))

    def silent(self, seat: int) -> bool:
        try:
            self.lines[seat].recv(timeout=0.3)
        except TimeoutError:
            return True
        return False

    def now(self) -> tuple[int, int]:
        """The version, and who decides."""
        state = self.table.state(None)
        return state["version"], state["decision"]["seat"]


@contextmanager
def quick_table(folder: Path) -> Generator[Place]:
    app = build(Store(sqlite_url(folder)), library("native"), OPEN)
    with client(app) as http:
        table = Seats(http)
        tables = app.state.tables
        volume = tables.live[table.id].volume
        until(lambda: volume.engine == "native")
        on_loop(app, lambda: tables.drop(tables.live[table.id]))  # it began before there was native code
        volume.pace.calls = PROVEN
        at = f"/api/tables/{table.id}/live?token="
        with http.live(at + str(table.tokens[0])) as first, http.live(at + str(table.tokens[1])) as second:
            place = Place(app, http, table, [first, second])
            assert [place.hear(seat)["state"]["version"] for seat in (0, 1)] == [0, 0]
            assert tables.live[table.id].quick
            yield place


def test_a_choice_needs_no_task_and_another_way_to_say_it_comes_to_the_same(
    tmp_path: Path, tasks: Tasks
) -> None:
    with quick_table(tmp_path) as place:
        version, seat = place.now()
        place.say(seat, f'{{"choose":0,"version":{version}}}')
        told = [place.hear(k)["state"]["version"] for k in (0, 1)]
        assert (told, tasks) == ([version + 1] * 2, [])
        version, seat = place.now()
        place.say(seat, other := f'{{"version": {version}, "choose": 0}}')
        told = [place.hear(k)["state"]["version"] for k in (0, 1)]
        assert (told, tasks) == ([version + 1] * 2, [other])


def test_what_is_refused_says_why_and_keeps_nobody_from_choosing(tmp_path: Path, tasks: Tasks) -> None:
    with quick_table(tmp_path) as place:
        version, seat = place.now()
        place.say(1 - seat, f'{{"choose":0,"version":{version}}}')
        assert place.hear(1 - seat)["error"] == "choice/foreign"
        for option, at, code in ((0, version + 9, "choice/stale"), (99, version, "choice/unknown")):
            place.say(seat, f'{{"choose":{option},"version":{at}}}')
            assert place.hear(seat)["error"] == code
        place.say(seat, f'{{"choose":0,"version":{version}}}')
        assert [place.hear(k)["state"]["version"] for k in (0, 1)] == [version + 1] * 2
        assert not tasks


def test_nobody_is_told_before_it_is_on_the_disk(tmp_path: Path) -> None:
    with quick_table(tmp_path) as place:
        version, seat = place.now()
        gate, real = asyncio.Event(), place.appender.write

        async def later(group: Sequence[Entry]) -> set[tuple[str, int]]:
            await gate.wait()
            return await real(group)

        place.appender.write = later
        place.say(seat, f'{{"choose":0,"version":{version}}}')
        place.say(seat, '{"ping": 1}')
        assert place.silent(0)
        assert place.silent(1)
        on_loop(place.app, gate.set)
        assert [place.hear(k)["state"]["version"] for k in (0, 1)] == [version + 1] * 2
        assert place.hear(seat) == {"pong": 1}  # what was said later is answered later


@pytest.mark.parametrize(
    ("trouble", "code"), [(StoreError("gone"), "store/unavailable"), (None, "choice/stale")]
)
def test_what_is_not_stored_was_never_chosen(tmp_path: Path, trouble: StoreError | None, code: str) -> None:
    with quick_table(tmp_path) as place:
        version, seat = place.now()
        before, live = place.table.state(seat), place.app.state.tables.live
        mark = live[place.table.id].mark()
        real = place.appender.write

        async def fails(group: Sequence[Entry]) -> set[tuple[str, int]]:
            if trouble is not None:
                raise trouble
            return set()

        place.appender.write = fails
        place.say(seat, f'{{"choose":0,"version":{version}}}')
        said = place.hear(seat)
        while "error" not in said:  # a table that is read again is told again
            said = place.hear(seat)
        assert said["error"] == code
        place.appender.write = real
        assert place.table.state(seat) == before
        assert live[place.table.id].mark() == mark
        assert place.table.choose(seat, version, 0).status_code == 200


def test_a_lock_is_taken_where_nobody_has_it_and_nobody_was_first() -> None:
    async def play() -> list[bool]:
        lock = Lock()
        found = [lock.take(), lock.take()]
        first = asyncio.create_task(lock.acquire())
        await asyncio.sleep(0)
        lock.release()  # it is free now, but somebody waits for it
        found.append(lock.take())
        await first
        found.append(lock.locked())
        lock.release()
        return [*found, lock.take()]

    assert awaited(play()) == [True, False, False, True, True]
