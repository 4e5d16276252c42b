"""Load a book's code into a process in which free memory lies far apart: see `test_far_apart`.

In:  a book.
Out: "played", after a match.

A long-lived process looks like this after a while: gigabytes that are taken, and between them gaps in which
something small finds room and nothing large does.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator

from rulewright import Match, load
from rulewright.native import NativeEngine
from rulewright.native.library import compile_source, machine, translate

APART, GAP, GAPS = 3 << 30, 4096, 40
NOTHING, FLAGS = 0, 0x4022
"""No access; private, anonymous, and no memory behind it."""

_c = ctypes.CDLL(None)
_c.mmap.restype = ctypes.c_void_p
_c.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_c.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def take(size: int) -> int:
    """Take addresses; where they begin."""
    place = _c.mmap(None, size, NOTHING, FLAGS, -1, 0)
    assert place not in (None, 2**64 - 1)
    return int(place)


def above(base: int, size: int) -> Iterator[int]:
    """Take every gap of this size above an address."""
    while (place := take(size)) > base:
        yield place
    _c.munmap(place, size)


def spread() -> None:
    """Leave only small gaps above, and all the rest far below."""
    base = take(APART)
    for power in range(26, 11, -2):
        list(above(base, 1 << power))
    for number in range(GAPS):
        _c.munmap(base + APART - (2 * number + 1) * 2 * GAP, GAP)


def main(name: str) -> None:
    """Compile while there is room, then load and play."""
    program = load(name)
    objects = compile_source(program, translate(program))
    spread()
    loaded = machine.load_objects(objects)
    assert loaded.addresses["rw_step"]
    match = Match(program, seed=1, engine=NativeEngine)
    while match.decision is not None:
        match.choose(0)
    print("played")


if __name__ == "__main__":
    main(sys.argv[1])
