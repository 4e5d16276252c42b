"""The memory of one running match, seen from Python.

In:  a Program, its layout and its numbers.
Out: `Arena`: named access to control words and state, and the buffers behind its pointers.

Native code may do anything inside an arena and nothing outside it, so whatever Python writes here
that native code uses as an address or a length is checked before it is written.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import threading
import weakref
from collections.abc import Callable, Sequence

from rulewright.ir.program import OPTION_ROOM, Program
from rulewright.native import layout as at
from rulewright.play.arguments import checked_params, checked_top
from rulewright.play.engine import EventRow

EVENT_ROOM = 64

_c = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
_c.malloc.restype = ctypes.c_void_p
_c.malloc.argtypes = [ctypes.c_size_t]
_c.free.argtypes = [ctypes.c_void_p]


def _address(name: str) -> int:
    return ctypes.cast(getattr(_c, name), ctypes.c_void_p).value or 0


class Arena:
    """One block of memory for one match at a time."""

    def __init__(self, program: Program, shape: at.Layout, params: Sequence[int] | None = None) -> None:
        if sys.byteorder != "little":
            raise RuntimeError("native code needs a little-endian machine")
        self.layout = shape
        self._program = program
        self._block = ctypes.create_string_buffer(shape.bytes + 64)
        start = ctypes.addressof(self._block)
        self.address = (start + 63) // 64 * 64
        offset = self.address - start
        whole = memoryview(self._block)[offset : offset + shape.bytes].cast("B")
        self.words = whole[: at.STATE].cast("q")
        self.cells = whole[at.STATE : at.STATE + 4 * shape.size].cast("i")
        self.bytes = whole[at.STATE : at.STATE + 4 * shape.size]
        self.policies = whole[at.POLICIES : at.POLICIES + 4 * at.MAX_SEATS].cast("i")
        self.before = whole[shape.before_at : shape.before_at + 4 * shape.size]
        self._params = whole[shape.params_at : shape.params_at + 8 * shape.params].cast("q")
        self.work = whole[shape.work_at : shape.work_at + 8 * shape.work].cast("q")
        self.counters = whole[shape.counters_at : shape.counters_at + 8 * shape.counters].cast("q")
        self.branches = whole[shape.branches_at : shape.branches_at + 16 * shape.branches].cast("q")
        self._consts = struct.pack(f"<{shape.consts}q", *program.consts)
        self._held: dict[int, object] = {}
        self._busy = threading.Lock()
        self.set_pointer(at.CONSTS, self._consts)
        self.set_params(params)
        for name, place in (("realloc", at.REALLOC), ("_setjmp", at.SETJMP), ("longjmp", at.LONGJMP)):
            self.set_word(place, _address(name))
        # Rows of the buffer that no option ever reaches cost nothing.
        self.set_word(at.OPTIONS, _buffer(OPTION_ROOM * at.OPTION_BYTES))
        self.set_word(at.EVENTS, _buffer(EVENT_ROOM * at.EVENT_BYTES))
        self.set_word(at.EVENT_ROOM, EVENT_ROOM)
        self.set_word(at.BOUND, program.bound)
        # Native code may move these two buffers, so the block itself must outlive the finalizer.
        weakref.finalize(self, _free, self._block, self.words)

    def call(self, entry: Callable[..., int], *values: int) -> int:
        """Run native code on this arena. Refused while another thread does: it would corrupt both."""
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("this match is being run by another thread")
        try:
            return entry(self.address, *values)
        finally:
            self._busy.release()

    def word(self, place: int) -> int:
        return self.words[place // 8]

    def set_word(self, place: int, value: int) -> None:
        self.words[place // 8] = (value + 2**63) % 2**64 - 2**63

    def set_pointer(self, place: int, data: bytes | ctypes.Array[ctypes.c_char] | None) -> None:
        """Point a control word at memory, which is kept alive as long as it does."""
        self._held[place] = data
        if data is None:
            self.set_word(place, 0)
        elif isinstance(data, bytes):
            self.set_word(place, ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0)
        else:
            self.set_word(place, ctypes.addressof(data))

    def set_key(self, key: bytes | None) -> None:
        """Draw from this key, or again from the state alone."""
        self.set_word(at.KEYED, int(key is not None))
        for place, word in enumerate(struct.unpack("<4q", key or bytes(32))):
            self.words[at.KEY_0 // 8 + place] = word

    def set_params(self, values: Sequence[int] | None) -> None:
        """Other numbers for the book, or its own; the code stays the same."""
        for place, value in enumerate(checked_params(self._program, values)):
            self._params[place] = value

    def params(self) -> tuple[int, ...]:
        return tuple(self._params)

    def top(self) -> int:
        """The end of the state; refused when a poked or corrupt state claims more than there is."""
        return checked_top(self._program, self.cells)

    def state(self) -> bytes:
        return bytes(self.bytes[: 4 * self.top()])

    def set_state(self, state: bytes) -> None:
        self.bytes[: len(state)] = state
        self.set_word(at.OPTION_COUNT, 0)

    def options(self) -> list[tuple[int, int, int, int]]:
        count = self.word(at.OPTION_COUNT)
        data = ctypes.string_at(self.word(at.OPTIONS), count * at.OPTION_BYTES)
        return list(struct.iter_unpack("<4i", data))

    def option(self, index: int) -> tuple[int, int, int, int]:
        """One row; the caller has checked that there is one."""
        place = self.word(at.OPTIONS) + index * at.OPTION_BYTES
        a, b, c, d = struct.unpack("<4i", ctypes.string_at(place, at.OPTION_BYTES))
        return a, b, c, d

    def option_rows(self, count: int) -> memoryview:
        """The first so many rows, as 32-bit numbers."""
        data = ctypes.string_at(self.word(at.OPTIONS), count * at.OPTION_BYTES)
        return memoryview(data).cast("i")

    def set_options(self, other: Arena | None) -> None:
        """The options of another match of the same Program, or none."""
        count = 0 if other is None else other.word(at.OPTION_COUNT)
        if other is not None:
            ctypes.memmove(self.word(at.OPTIONS), other.word(at.OPTIONS), count * at.OPTION_BYTES)
        self.set_word(at.OPTION_COUNT, count)

    def take_events(self) -> list[EventRow]:
        count = self.word(at.EVENT_COUNT)
        data = ctypes.string_at(self.word(at.EVENTS), count * at.EVENT_BYTES)
        self.set_word(at.EVENT_COUNT, 0)
        return list(struct.iter_unpack("<9q", data))


def _buffer(size: int) -> int:
    place = _c.malloc(size)
    if not place:
        raise MemoryError
    return int(place)


def _free(block: object, words: memoryview) -> None:
    for place in (at.OPTIONS, at.EVENTS):
        _c.free(words[place // 8])
        words[place // 8] = 0
    del block
