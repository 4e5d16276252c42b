"""What happened in a match, and what each seat may read of it.

In:  events from an engine.
Out: all of them, and each reader's log: the number of an event, and the event as that seat knows it.

Events stay in the engine until somebody asks, and are filed into the logs only then: most matches of a search
or a simulation are never read.
"""

from __future__ import annotations

from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.play.engine import Engine
from rulewright.play.knowledge import as_read, hides_nothing, is_for_all

WAITING = 2**15
"""Events that may wait in the engine as long as nobody asks."""


class Record:
    """The events of one match since its start, or since it was restored."""

    def __init__(self, program: Program, engine: Engine, seats: int) -> None:
        self._program, self._engine = program, engine
        self._events: list[Event] = []
        self._logs: dict[int | None, list[tuple[int, Event]]] = {seat: [] for seat in (None, *range(seats))}
        self._filed = 0
        """Events that are in the logs."""
        self._open = hides_nothing(program)

    def __len__(self) -> int:
        return len(self._events) + self._engine.pending()

    @property
    def events(self) -> list[Event]:
        """All of them. Not for players' eyes."""
        if self._engine.pending():
            self._events += map(Event._make, self._engine.events())
        return self._events

    def settle(self) -> None:
        """After the engine ran: what happened may wait there, but not without end."""
        if self._engine.pending() > WAITING:
            _ = self.events

    def log(self, seat: int | None) -> list[tuple[int, Event]]:
        """What a seat may read; None: a spectator."""
        events = self.events
        fresh = events[self._filed :]
        if all(is_for_all(event, self._open) for event in fresh):  # as most of the time
            for log in self._logs.values():
                log += enumerate(fresh, self._filed)
        else:
            for reader, log in self._logs.items():
                for number, event in enumerate(fresh, self._filed):
                    if (seen := as_read(self._program, event, reader)) is not None:
                        log.append((number, seen))
        self._filed = len(events)
        return self._logs[seat]

    def forget(self, count: int) -> None:
        """Drop what happened after the first so many events."""
        del self.events[count:]
        if self._filed > count:
            for log in self._logs.values():
                while log and log[-1][0] >= count:
                    log.pop()
            self._filed = count
