"""Words between those at a table, and who is there.

In:  lines that come and go, words of seats.
Out: `{"here": [seats]}` and `{"talk": [{"seat", "text"}]}` to every line that asked for changes.

Words are no part of a match: they are kept in memory, the last few for whoever comes later, and are gone when
the table is. They reach those who are connected to the same server process.
"""

from __future__ import annotations

import json
import re
import time
from collections import deque
from typing import Any, Protocol

from rulewright.serve.errors import EdgeError

LONGEST = 200
KEPT = 30
MOST, WHILE = 6, 12.0
"""So many words of one line in so many seconds."""
UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
"""Control characters, those that turn the line, and halves of characters."""


class Guest(Protocol):
    """A line of somebody at the table."""

    @property
    def reader(self) -> int | None: ...

    def pass_on(self, text: str) -> None:
        """Send a message as it is."""
        ...


class Room:
    """The people around one table."""

    def __init__(self) -> None:
        self.guests: list[Guest] = []
        self.said: deque[dict[str, Any]] = deque(maxlen=KEPT)

    def enter(self, guest: Guest) -> None:
        """Somebody comes: everybody hears of it, and they hear what was said last."""
        self.guests.append(guest)
        if self.said:
            guest.pass_on(json.dumps({"talk": list(self.said)}))
        self._tell({"here": self.here()})

    def leave(self, guest: Guest) -> None:
        """Somebody goes."""
        if guest in self.guests:
            self.guests.remove(guest)
            self._tell({"here": self.here()})

    def here(self) -> list[int]:
        """The seats that somebody is connected for."""
        return sorted({guest.reader for guest in self.guests if guest.reader is not None})

    def say(self, guest: Guest, words: object, spoken: deque[float]) -> None:
        """Pass words on to everybody. `spoken` is when this line spoke before."""
        if guest.reader is None:
            raise EdgeError("token/unknown", "Spectators only listen.")
        text = UNFIT.sub(" ", words).strip() if isinstance(words, str) else ""
        if not text or len(text) > LONGEST:
            raise EdgeError("request/invalid", f"Words are a text of at most {LONGEST} characters.")
        now = time.monotonic()
        while spoken and spoken[0] < now - WHILE:
            spoken.popleft()
        if len(spoken) >= MOST:
            raise EdgeError("request/too-many", "One word after the other; wait a little.")
        spoken.append(now)
        entry = {"seat": guest.reader, "text": text}
        self.said.append(entry)
        self._tell({"talk": [entry]})

    def _tell(self, message: dict[str, Any]) -> None:
        text = json.dumps(message)
        for guest in tuple(self.guests):
            guest.pass_on(text)
