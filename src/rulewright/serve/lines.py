"""The log of a table in words, as each reader may know it.

In:  events of a match, right after the choice that caused them.
Out: lines as JSON, for each seat and for spectators.

A line is put into words once, when it happens. Later would be wrong as well as slow: a card that a
seat has seen may by then have become another card, whose name the seat must not learn. Readers who have been
told the same so far share one log. Lines are kept as plain tuples of numbers and texts: those, of which a
server has millions, the collector of garbage need not look through.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple, cast

from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.play.called import Called
from rulewright.play.describe import said, timeless, words
from rulewright.play.engine import EventRow
from rulewright.play.match import Match
from rulewright.play.record import Record

quoted = json.encoder.encode_basestring_ascii

TAIL = 100
"""Lines that a state carries along."""
MOST = 1000
"""Lines that one request may ask for."""
KEPT = 20_000
"""Entries of one book, and places of all, that are kept for the next time."""
BOOKS = 16
"""Books whose entries are kept."""

Reader = int | None


Entry = tuple[int, str, str]
"""The rule behind an event, what it says, and the same as JSON without its number."""


class Mark(NamedTuple):
    """How much of a log somebody has read."""

    read: int
    cut: object
    """Names the time since lines were last taken back; a mark from before says nothing."""


class Lines:
    """The logs of one table."""

    def __init__(self, match: Match) -> None:
        self.program = match.program
        if len(_entries) >= BOOKS:
            _entries.clear()
        self.kept = _entries.setdefault(match.program.digest, {})
        self.readers: tuple[Reader, ...] = (None, *range(len(match.players)))
        self.shared = True
        one = list[Entry]()
        self.logs: dict[Reader, list[Entry]] = {reader: one for reader in self.readers}  # noqa: C420
        self.called = Called(match.program)
        self.cut = object()
        self.marked = Mark(0, self.cut)
        self.last: tuple[int, list[Entry]] = (0, [])
        self.told = "[]"
        """What was told last, as JSON."""
        self.follow(match)

    def follow(self, match: Match) -> None:
        """Take over what is new in the match, and drop what an undo took back."""
        record = match.course.record
        if self.shared and not record.shared:
            self.shared = False
            self.logs = {reader: list(log) for reader, log in self.logs.items()}
        told: tuple[list[EventRow], list[Entry]] = ([], [])
        for reader in self.readers[:1] if self.shared else self.readers:
            told = self._follow(match, record, reader, told)
        if self.called.changes:
            self.called.learn(match.slots())

    def _follow(
        self, match: Match, record: Record, reader: Reader, told: tuple[list[EventRow], list[Entry]]
    ) -> tuple[list[EventRow], list[Entry]]:
        """The same for one reader; `told` is what the one before was told."""
        log = self.logs[reader]
        standing, fresh = record.news(reader, len(log))
        if standing < len(log):
            del log[standing:]
            self.cut = object()
        if fresh != told[0]:  # mostly everybody learns the same
            told = fresh, self._entries(fresh, match)
        log += told[1]
        return told

    def _entries(self, rows: list[EventRow], match: Match) -> list[Entry]:
        """Events in words: most have been put into words before, at this table or another."""
        found = [self.kept.get(row) for row in rows]
        if None in found:
            events = [Event._make(row) for row in rows]
            slots = self.called.then(events, match.slots())
            for at, entry in enumerate(found):
                if entry is None:
                    found[at] = self._entry(events[at], slots[at])
        return cast("list[Entry]", found)

    def _entry(self, event: Event, slots: Sequence[int]) -> Entry:
        entry = self._worded(event, slots)
        if timeless(self.program, event):
            if len(self.kept) >= KEPT:
                self.kept.clear()
            self.kept[event] = entry
        return entry

    def _worded(self, event: Event, slots: Sequence[int]) -> Entry:
        text = words(self.program, event, slots)
        kind, site, a, b, c, d, by, *_ = event
        where = _site(self.program, site)
        names = ",".join(map(quoted, said(self.program, event, slots)))
        told = (
            f'"text":{quoted(text)},"said":[{names}],"kind":{kind},"args":[{a},{b},{c},{d}],"by":{by},{where}'
        )
        return site, text, told

    def after(self, reader: Reader, start: int, most: int = MOST) -> str:
        """Lines from a number on, a JSON list."""
        some = self.logs[reader][start : start + most]
        if (start, some) != self.last:  # mostly the next reader is told the same
            told = ",".join([f'{{"n":{n},{json_}}}' for n, (_, _, json_) in enumerate(some, start)])
            self.last, self.told = (start, some), f"[{told}]"
        return self.told

    def tail(self, reader: Reader, known: Mark | None = None) -> str:
        """The last lines, a JSON list: all those behind the mark, if it still holds, however many a choice
        and the turns after it have made.

        It does not after an undo, or when the table was read anew: then the last lines are told again.
        """
        count = len(self.logs[reader])
        if known is not None and known.cut is self.cut:
            return self.after(reader, max(known.read, count - MOST))
        return self.after(reader, max(0, count - TAIL))

    def mark(self, reader: Reader) -> Mark:
        """Where the log ends now."""
        read, last = len(self.logs[reader]), self.marked
        if last.read != read or last.cut is not self.cut:  # mostly the next reader has read as much
            last = self.marked = Mark(read, self.cut)
        return last

    def entry(self, reader: Reader, number: int) -> Entry | None:
        """One line: the rule behind it, and its text."""
        log = self.logs[reader]
        return log[number] if 0 <= number < len(log) else None

    def count(self, reader: Reader) -> int:
        """How many lines there are."""
        return len(self.logs[reader])


_entries: dict[str, dict[EventRow, Entry]] = {}
"""What is said of events that say the same whenever they happen, by the digest of the book."""
_sites: dict[tuple[str, int], str] = {}


def _site(program: Program, site: int) -> str:
    """The place in the book, as the end of a JSON object; made once for each site of a book."""
    key = (program.digest, site)
    if key not in _sites:
        sites = program.sheet.sites
        place = sites[site] if 0 <= site < len(sites) else None
        fields = {
            "cites": list(place.cites) if place else [],
            "title": place.title if place else "",
            "file": place.file if place else "",
            "line": place.line if place else 0,
        }
        if len(_sites) >= KEPT:
            _sites.clear()
        _sites[key] = json.dumps(fields, separators=(",", ":"))[1:-1]
    return _sites[key]
