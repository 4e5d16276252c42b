"""What happened in a match, and what each seat may read of it.

In:  events from an engine.
Out: all of them, and each reader's log: the number of an event, and the event as that seat knows it.

Events stay in the engine until somebody asks, and are filed into the logs only then: most matches of a search
or a simulation are never read. They are kept as the plain rows that the engine gives, and become `Event` on
their way out: a server keeps millions, and the collector of garbage looks through every object but such rows.
As long as everybody may read everything there is one log for all.
"""

from __future__ import annotations

from typing import cast

from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.play.engine import Engine, EventRow
from rulewright.play.knowledge import are_for_all, as_read, hides_nothing

WAITING = 2**15
"""Events that may wait in the engine as long as nobody asks."""


class _Log:
    """What a seat may read: rows, and which of all events each of them is."""

    __slots__ = ("numbers", "rows")

    def __init__(self, rows: list[EventRow], numbers: list[int]) -> None:
        self.rows, self.numbers = rows, numbers

    def forget(self, count: int) -> None:
        """Drop what is not among the first so many events."""
        while self.numbers and self.numbers[-1] >= count:
            self.numbers.pop()
            self.rows.pop()


class Record:
    """The events of one match since its start, or since it was restored."""

    def __init__(self, program: Program, engine: Engine, seats: int) -> None:
        self._program, self._engine = program, engine
        self._readers = (None, *range(seats))
        self._rows: list[EventRow] = []
        self._events: list[Event] = []
        """Those of the rows that somebody wanted as events."""
        self._logs: dict[int | None, _Log] | None = None
        """The logs, once there was something that not everybody may read."""
        self._filed = 0
        """Events that are in the logs."""
        self._open = hides_nothing(program)

    def __len__(self) -> int:
        return len(self._rows) + self._engine.pending()

    def _all(self) -> list[EventRow]:
        if self._engine.pending():
            self._rows += self._engine.events()
        return self._rows

    @property
    def events(self) -> list[Event]:
        """All of them. Not for players' eyes."""
        self._events += self.since(len(self._events))
        return self._events

    def since(self, count: int) -> list[Event]:
        """Those after the first so many. Not for players' eyes."""
        return [Event._make(row) for row in self._all()[count:]]

    def settle(self) -> None:
        """After the engine ran: what happened may wait there, but not without end."""
        if self._engine.pending() > WAITING:
            self._all()

    @property
    def shared(self) -> bool:
        """Whether everybody may read everything that has happened so far."""
        self._file()
        return self._logs is None

    def _file(self) -> None:
        """Put what is new into the logs."""
        rows, first = self._all(), self._filed
        if first == len(rows):
            return
        self._filed = len(rows)
        if are_for_all(rows[first:], self._open):  # as most of the time
            if self._logs is not None:
                for log in self._logs.values():
                    log.rows += rows[first:]
                    log.numbers += range(first, len(rows))
            return
        if self._logs is None:
            self._logs = {reader: _Log(rows[:first], list(range(first))) for reader in self._readers}
        fresh = [Event._make(row) for row in rows[first:]]
        for reader, log in self._logs.items():
            for number, event in enumerate(fresh, first):
                if (seen := as_read(self._program, event, reader)) is not None:
                    log.rows.append(cast(EventRow, tuple(seen)))
                    log.numbers.append(number)

    def log(self, seat: int | None, start: int = 0) -> list[Event]:
        """What a seat may read from a line on; None: a spectator."""
        return [Event._make(row) for row in self._read(seat)[start:]]

    def _read(self, seat: int | None) -> list[EventRow]:
        self._file()
        return self._rows if self._logs is None else self._logs[seat].rows

    def news(self, seat: int | None, known: int) -> tuple[int, list[EventRow]]:
        """How many of the lines that a reader knows still stand, and those that are new to it."""
        rows = self._read(seat)
        return min(known, len(rows)), rows[known:]

    def logged(self, seat: int | None) -> int:
        """How many lines that are."""
        return len(self._read(seat))

    def number(self, seat: int | None, line: int) -> int:
        """Which of all events a line tells of; -1 when there is no such line."""
        if not 0 <= line < self.logged(seat):
            return -1
        return line if self._logs is None else self._logs[seat].numbers[line]

    def forget(self, count: int) -> None:
        """Drop what happened after the first so many events."""
        del self._all()[count:]
        del self._events[count:]
        if self._filed > count:
            for log in (self._logs or {}).values():
                log.forget(count)
            self._filed = count
