"""Things that stand for one running match, and cannot be copied or pickled as they are.

In:  copy, deepcopy or pickle of a Match, an engine or a State.
Out: one clear sentence that says what to do instead.
"""

from __future__ import annotations

from typing import NoReturn, SupportsIndex


class Single:
    """One match, in one process, used by one thread at a time."""

    __slots__ = ()
    instead = "save its state() and load() that into another engine"
    """What to do instead."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Asked by copy, deepcopy and pickle alike."""
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: {self.instead}")
