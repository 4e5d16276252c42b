"""The log of a table in words, as each reader may know it.

In:  events of a match, right after the choice that caused them.
Out: lines as JSON, for each seat and for spectators.

A line is put into words once, when it happens. Later would be wrong as well as slow: a card that a
seat has seen may by then have become another card, whose name the seat must not learn.
"""

from __future__ import annotations

import json
from collections import deque

from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.play.describe import words
from rulewright.play.match import Match

compact = json.JSONEncoder(separators=(",", ":")).encode
quoted = json.encoder.encode_basestring_ascii

TAIL = 100
"""Lines that a state carries along."""
MOST = 1000
"""Lines that one request may ask for."""

Reader = int | None


class Log:
    """One reader's log: what was said, and the last lines of it ready to be sent."""

    __slots__ = ("entries", "formatted", "tail")

    def __init__(self) -> None:
        self.entries: list[tuple[Event, str]] = []
        self.tail: deque[str] = deque(maxlen=TAIL)
        self.formatted = 0


class Lines:
    """The logs of one table."""

    def __init__(self, match: Match) -> None:
        self.program = match.program
        self.logs: dict[Reader, Log] = {reader: Log() for reader in (None, *range(len(match.players)))}
        self.ready: dict[int, tuple[tuple[Event, str], str]] = {}
        self.follow(match)

    def follow(self, match: Match) -> None:
        """Take over what is new in the match, and drop what an undo took back."""
        slots = match.slots()
        said: dict[Event, tuple[Event, str]] = {}
        for reader, log in self.logs.items():
            events = match.log(reader)
            del log.entries[len(events) :]
            for event in events[len(log.entries) :]:
                entry = said.get(event)
                if entry is None:
                    entry = said[event] = (event, words(self.program, event, slots))
                log.entries.append(entry)

    def tail(self, reader: Reader) -> str:
        """The last lines, a JSON list. Only what is new is formatted, and only for readers who ask."""
        log = self.logs[reader]
        count = len(log.entries)
        if log.formatted > count:
            log.tail.clear()
            log.formatted = 0
        for number in range(max(log.formatted, count - TAIL), count):
            log.tail.append(self._shared(number, log.entries[number]))
        log.formatted = count
        return f"[{','.join(log.tail)}]"

    def _shared(self, number: int, entry: tuple[Event, str]) -> str:
        """A line, formatted once for all readers to whom it says the same under the same number."""
        known = self.ready.get(number)
        if known is None or known[0] is not entry:
            if len(self.ready) > 2 * TAIL:
                self.ready.clear()
            known = self.ready[number] = (entry, self.line(number, *entry))
        return known[1]

    def line(self, number: int, event: Event, text: str) -> str:
        """One line as JSON."""
        kind, _, a, b, c, d = event
        where = _site(self.program, event.site)
        said = quoted(text)
        return f'{{"n":{number},"text":{said},"kind":{kind},"args":[{a},{b},{c},{d}],{where}}}'

    def after(self, reader: Reader, start: int) -> str:
        """Lines from a number on, a JSON list."""
        entries = self.logs[reader].entries
        last = min(len(entries), start + MOST)
        return f"[{','.join(self.line(n, *entries[n]) for n in range(start, last))}]"

    def entry(self, reader: Reader, number: int) -> tuple[Event, str] | None:
        """One line: the event and what it says."""
        entries = self.logs[reader].entries
        return entries[number] if 0 <= number < len(entries) else None

    def count(self, reader: Reader) -> int:
        """How many lines there are."""
        return len(self.logs[reader].entries)


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
        if len(_sites) > 100_000:
            _sites.clear()
        _sites[key] = compact(fields)[1:-1]
    return _sites[key]
