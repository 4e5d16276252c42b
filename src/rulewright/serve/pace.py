"""How long the calls into the rules of a book take.

In:  calls, as they are made.
Out: whether they may be made where others wait for them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

PROVEN = 5
"""Calls that a book is watched for before it counts as quick."""
LONG = 0.05
"""Seconds of processor time that make a book slow for good; no call of a book that ships takes a tenth."""
FRESH = 0.01
"""Seconds for which a thread need not be asked again how much processor time it has had. To ask costs as much
as a twentieth of a move."""

P = ParamSpec("P")
T = TypeVar("T")


class _Had(threading.local):
    """How much processor time this thread had had, and when it was asked."""

    spent = 0.0
    asked = float("-inf")


_had = _Had()


class Pace:
    """How long the calls of one book take."""

    def __init__(self) -> None:
        self.calls = 0
        self.slow = False

    @property
    def quick(self) -> bool:
        """Whether its calls may be made where others wait for them."""
        return self.calls >= PROVEN and not self.slow

    def timed(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do it, and remember whether it took this thread long. Long by the clock may have been this machine,
        busy with other things, so then the processor time counts: all since the thread was asked last."""
        began = time.perf_counter()
        if began - _had.asked > FRESH:
            _had.spent, _had.asked = time.thread_time(), began
        try:
            return work(*args, **kwargs)
        finally:
            self.calls += 1
            if time.perf_counter() - began > LONG and time.thread_time() - _had.spent > LONG + FRESH:
                self.slow = True
