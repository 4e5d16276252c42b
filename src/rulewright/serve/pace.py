"""How long the calls into the rules of a book take.

In:  calls, as they are made.
Out: whether they may be made where others wait for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

PROVEN = 5
"""Calls that a book is watched for before it counts as quick."""
LONG = 0.05
"""Seconds of processor time that make a book slow for good; no call of a book that ships takes a tenth."""
WATCHED = 1000
"""Calls that are timed by the processor after one that took as long by the clock. That may have been this
machine, busy with other things; but to ask for processor time costs as much as a tenth of a move."""

P = ParamSpec("P")
T = TypeVar("T")


class Pace:
    """How long the calls of one book take."""

    def __init__(self) -> None:
        self.calls = 0
        self.slow = False
        self.watched = PROVEN
        """Calls that are still to be timed by the processor."""

    @property
    def quick(self) -> bool:
        """Whether its calls may be made where others wait for them."""
        return self.calls >= PROVEN and not self.slow

    def timed(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do it, and remember how long it took this thread: what others do on this machine does not count."""
        watched = self.watched > 0
        clock = time.thread_time if watched else time.perf_counter
        began = clock()
        try:
            return work(*args, **kwargs)
        finally:
            self.calls += 1
            long = clock() - began > LONG
            if watched:
                self.watched -= 1
                self.slow = self.slow or long
            elif long:
                self.watched = WATCHED
