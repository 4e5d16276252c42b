"""The outer library: native code around a match, the same for every book.

In:  the modules of MODULES, written in the kernels' subset; a book's Library.
Out: `Outer`: its memory, a guest (the arena of a book) and the functions Python may call on them.

It is compiled once and kept in the cache, like a book. Calls run outside the interpreter lock, so plain
threads, each with an Outer of its own, use every core.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import inspect
import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from rulewright.ir import cache, reader
from rulewright.ir.link import blank
from rulewright.ir.liveness import live_parameters
from rulewright.ir.nodes import Function
from rulewright.ir.program import RNG_HI, RNG_LO, Program
from rulewright.native import layout as at
from rulewright.native import machine
from rulewright.native.arena import Arena
from rulewright.native.entries import GUARD
from rulewright.native.layout import Layout
from rulewright.native.library import Library, library, version
from rulewright.native.outer import map as cells
from rulewright.native.outer import names, play, sample, search, track, watch, worth
from rulewright.native.outer import text as reach
from rulewright.native.runtime import expand, runtime
from rulewright.native.second import IMPATIENCE, PATIENCE, improve
from rulewright.native.statements import function
from rulewright.native.writer import METADATA, Writer
from rulewright.play.chance import seed_halves

KIND = "outer"
MODULES: tuple[ModuleType, ...] = (play, sample, search, track, watch, worth)
EXPORTED = {
    "play_matches": 3,
    "count_one": 3,
    "watch_matches": 3,
    "sample": 0,
    "search": 1,
    "pick": 0,
    "attempt": 1,
    "measure": 0,
}
"""What Python may call, and how many numbers it takes."""
GUEST_ENTRIES = {
    reach.ADVANCE: "rw_advance",
    reach.LIST: "rw_list",
    reach.CHOOSE: "rw_choose",
    reach.POLICY: "rw_policy",
    reach.PLAYOUT: "rw_playout",
}
"""Where the library finds the entry points of the book."""
FUEL = 2**60
"""Loops of this library end by themselves; only the guest's are watched."""


def functions() -> dict[str, Function]:
    """The library's own functions, by name."""
    found: dict[str, Function] = {}
    for module in MODULES:
        constants = {name: value for name, value in vars(module).items() if type(value) is int}
        for made, _ in reader.functions(inspect.getsource(module), constants):
            found[made.name] = made
    return found


def outside() -> dict[str, Function]:
    """The functions that it finds in `text`: their names and parameters."""
    return {made.name: made for made, _ in reader.functions(_stubs(), {})}


def _stubs() -> str:
    """The stand-ins, with bodies that are in the subset."""
    return inspect.getsource(names).replace("raise NotImplementedError", "return 0")


@functools.cache
def program() -> Program:
    """A Program without rules, for its memory alone."""
    return blank("outer", stack=64, work=cells.ROOM)


def translate() -> str:
    """The LLVM text of the library."""
    own, far = functions(), outside()
    known = {**own, **far}
    live = live_parameters(own) | {name: frozenset(made.params) for name, made in far.items()}
    parts = [runtime(inline=False), METADATA, reach.reach()]
    for made in own.values():
        writer = Writer(Layout.of(program()), known, live, simple={})
        parts.append(function(writer, made, "internal fastcc i64 @f.", "nounwind", recursive=False))
    guards: list[str] = []
    for name, count in EXPORTED.items():
        given = "".join(f", i64 %x{k}" for k in range(count))
        passed = "".join(f", i64 %x{k}" for k, param in enumerate(own[name].params) if param in live[name])
        guards.append(
            f"define internal i64 @rw.{name}(ptr %A{given}) nounwind {{\n"
            f"  %done = call fastcc i64 @f.{name}(ptr %A{passed})\n  ret i64 %done\n}}\n"
        )
        guards.append(GUARD.format(name=name, params=given, args=given))
    return "\n".join((*parts, expand("\n".join(guards))))


@functools.cache
def loaded() -> machine.Loaded:
    """The library in this process: from the cache, or from the compiler."""
    exports = tuple(f"rw_{name}" for name in EXPORTED)
    own = b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))
    key = hashlib.sha256(f"{version()} {machine.target_name()}".encode() + own).hexdigest()
    code = cache.fetch(KIND, key)
    if code is not None:
        try:
            return machine.load_objects([code], exports)
        except RuntimeError:  # whole, but not ours
            pass
    (code,) = machine.compile_texts([(translate(), "utmost")])
    cache.keep(KIND, key, code)
    return machine.load_objects([code], exports)


class Outer:
    """The library on one book: its memory, and one match of the book, the guest."""

    def __init__(self, book: Program, guest: Arena | None = None) -> None:
        """`guest`: the arena of an engine, whose match this one then runs."""
        self.book = book
        self.code: Library = library(book)
        self.guest = guest or Arena(book, self.code.layout)
        self._arena = Arena(program(), Layout.of(program()))
        self.memory = self._arena.work
        self._calls = {name: _entry(name, count) for name, count in EXPORTED.items()}
        place = self._arena.set_word
        place(reach.GUEST, self.guest.address)
        place(reach.CELLS, self.code.layout.size)
        self._spent = 0.0
        self._running = self._entered()
        self.prepare(b"")

    def _entered(self) -> machine.Loaded:
        """Call the book's code as it is now; better code may have come since the last call."""
        code = self.code.code
        for word, entry in GUEST_ENTRIES.items():
            self._arena.set_word(word, code.addresses[entry])
        return code

    def prepare(self, state: bytes | memoryview) -> None:
        """Lay a state ready, to which the library goes back."""
        self._arena.set_pointer(reach.READY, bytes(state))
        self._arena.set_word(reach.READY_BYTES, len(state))

    def seed(self, seed: int) -> None:
        """Seed the library's own chance."""
        self._arena.cells[RNG_LO], self._arena.cells[RNG_HI] = seed_halves(seed)

    def listen(self, on: bool) -> None:
        """Whether the guest records its events."""
        self.guest.set_word(at.RECORDING, int(on))

    def fill(self, place: int, values: Sequence[int]) -> int:
        """Put a table into the memory; the cell after it. Raises MemoryError when there is no room."""
        end = place + len(values)
        if end > cells.ROOM:
            raise MemoryError(f"the tables of {self.book.title} need more than {cells.ROOM} cells")
        self.memory[place:end] = memoryview(array("q", values))
        return end

    def read(self, place: int, count: int) -> tuple[int, ...]:
        """Some cells of the memory."""
        return tuple(self.memory[place : place + count])

    def clear(self, place: int, count: int) -> None:
        """Set cells to 0."""
        self.memory[place : place + count] = memoryview(bytes(8 * count)).cast("q")

    def call(self, name: str, *values: int) -> int:
        """Run one of the functions of EXPORTED. Raises RuntimeError when the library itself failed."""
        if self._running is not self.code.code:
            self._running = self._entered()
        self._arena.set_word(at.FUEL, FUEL)
        began = time.monotonic()
        result = self._arena.call(self._calls[name], *values)
        if not self.code.better:
            self._spent += time.monotonic() - began
            if self._spent > (IMPATIENCE if self.code.hasty else PATIENCE):
                improve(self.book)
        if result < 0:
            raise RuntimeError(f"the outer library failed in {name}")
        return result


def _entry(name: str, count: int) -> Callable[..., int]:
    shape = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * count)
    return shape(loaded().addresses[f"rw_{name}"])
