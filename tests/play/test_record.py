"""What each seat may read: one log for all until somebody may not read something, numbers, undos."""

from __future__ import annotations

import gc
from typing import Any

from rulewright.ir import events as kinds
from rulewright.ir.events import EVERYBODY, Event
from rulewright.play.match import Match
from rulewright.play.record import Record
from small_programs import cards, program

RACE, CARDS = program(), cards()


class Told:
    """As much of an engine as a record needs."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, ...]] = []

    def pending(self) -> int:
        return len(self.rows)

    def events(self) -> list[tuple[int, ...]]:
        rows, self.rows = self.rows, []
        return rows

    def roll(self, face: int, who: int = EVERYBODY) -> None:
        self.rows.append((kinds.ROLL, 0, 6, face, 0, 0, -1, who, who))


def begun() -> tuple[Told, Record]:
    engine = Told()
    given: Any = engine
    return engine, Record(CARDS, given, 2)


def faces(record: Record, seat: int | None) -> list[int]:
    return [event.b for event in record.log(seat)]


def test_there_is_one_log_until_somebody_may_not_read_all() -> None:
    engine, record = begun()
    engine.roll(1)
    engine.roll(2)
    assert record.shared
    assert [faces(record, seat) for seat in (None, 0, 1)] == [[1, 2]] * 3
    engine.roll(3, who=1 << 1)
    engine.roll(4)
    assert not record.shared
    logs = [faces(record, seat) for seat in (None, 0, 1)]
    assert logs.count([1, 2, 4]) == 2
    assert logs.count([1, 2, 3, 4]) == 1
    assert [event.b for event in record.events] == [1, 2, 3, 4]
    reader = (None, 0, 1)[logs.index([1, 2, 4])]
    assert [record.number(reader, line) for line in range(-1, 4)] == [-1, 0, 1, 3, -1]
    record.forget(2)
    assert [faces(record, seat) for seat in (None, 0, 1)] == [[1, 2]] * 3
    assert [event.b for event in record.events] == [1, 2]
    engine.roll(5)
    assert [faces(record, seat) for seat in (None, 0, 1)] == [[1, 2, 5]] * 3
    assert record.number(0, 2) == 2


def test_what_was_filed_together_is_forgotten_together() -> None:
    engine, record = begun()
    for face in range(6):
        engine.roll(face)
    assert record.logged(None) == 6
    record.forget(4)
    engine.roll(9)
    assert faces(record, 1) == [0, 1, 2, 3, 9]
    assert [event.b for event in record.since(3)] == [3, 9]


def test_events_that_are_kept_are_no_work_for_the_collector() -> None:
    """A server keeps millions; rows of numbers are passed over, anything else would be looked through."""
    match = Match(RACE, seats=2, seed=3)
    for _ in range(6):
        match.choose(0)
    assert len(match.log(0)) > 6
    gc.collect()
    kept = [one for one in gc.get_objects() if isinstance(one, Event)]
    rows = match.course.record._rows  # pyright: ignore[reportPrivateUsage]
    assert rows
    assert not any(gc.is_tracked(row) for row in rows)
    assert not [one for one in kept if tuple(one) in rows]
