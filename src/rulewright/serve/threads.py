"""Threads that nobody has to wait for.

In:  work that takes a while.
Out: what it gives, as a future; a server that is told to stop leaves it behind.

Those of `asyncio.to_thread` are waited for at the end of the program, however long they take.
"""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
BEHIND = 5
"""How nice such a thread is."""


def aside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    """Do it in a thread that nobody has to wait for, not even the end of the program."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(give: Callable[[], None]) -> None:
        if not done.done():
            give()

    def run() -> None:
        give: Callable[[], None]
        try:
            give = functools.partial(done.set_result, work(*args, **kwargs))
        except BaseException as error:
            give = functools.partial(done.set_exception, error)
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, give)

    threading.Thread(target=run, daemon=True, name="aside").start()
    return done


def yielding(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The same behind everything else that runs on this machine, where the system knows of such threads."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BEHIND)
    return work(*args, **kwargs)
