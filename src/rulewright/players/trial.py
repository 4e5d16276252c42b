"""Where options are tried: native code at a position, as far as the seat that decides knows it.

In:  a position, the number of an option.
Out: rows, the watched slots after each try: all ways the dice can fall, or samples.

Where nothing is hidden and few dice are thrown, every way they can fall is gone through. Otherwise states
that the seat cannot tell from the real one are sampled (see `native.outer.sample`) with dice of their own.
Either way nothing depends on what the seat cannot see, nor on the dice that will really fall.
"""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rulewright.ir.program import (
    FAULT,
    FAULT_SCRIPT,
    PROMPT,
    RNG_HI,
    RNG_LO,
    SEAT,
    SEATS,
    STATUS,
    Program,
)
from rulewright.native import layout
from rulewright.native.engine import NativeEngine
from rulewright.native.outer import Outer
from rulewright.native.outer import map as at
from rulewright.play.chance import GAMMA, MASK, finalize, fnv1a, seed_halves
from rulewright.play.faults import Fault
from rulewright.play.knowledge import Knowledge, zone_bases
from rulewright.players.bots import Position
from rulewright.players.guess import Guess, guess
from rulewright.players.watched import Watched, watched

RUNS = 6000
"""Runs of the rules that going through all dice of an option may take."""
ALIKE = 512
"""Samples that are enough when all of them are the same."""
PIECE = 32
"""Samples between two looks at the clock."""
TRIES = 40
KEPT = 4

_kept = threading.local()

Row = bytes
"""The watched slots after an option was taken, 32 bits each."""
MORE: Row = b"more"
UNFIT: Row = b"unfit"
SHUFFLED: Row = b"shuffled"


class Bench:
    """Where options are tried: an engine of native code at a position, and the sampler around it."""

    def __init__(self, program: Program) -> None:
        self.engine = NativeEngine(program)
        self.engine.record(False)
        self.base = NativeEngine(program, None, self.engine.library)
        self.outer = Outer(program, self.engine.arena)
        self.outer.listen(False)
        self.open = Guess((), (), ())
        self.rows: tuple[Watched, ...] = ()
        self.places: NDArray[np.intp] = np.zeros(0, np.intp)
        self.before: NDArray[np.int32] = np.zeros(0, np.int32)
        self.live: NDArray[np.int32] = np.asarray(self.engine.arena.cells)
        self.seed = 0

    def stand(self, now: Position) -> None:
        """Go to a position, as far as its seat knows it."""
        program = now.program
        self.open = guess(program, now.slots, now.seat, native=True)
        slots = settled(program, now.slots, now.seat, self.open)
        slots[RNG_LO] = slots[RNG_HI] = 0
        state = struct.pack(f"<{len(slots)}i", *slots)
        self.rows = watched(program, now.slots, now.seat)
        self.places = np.array([row.slot for row in self.rows], np.intp)
        self.before = np.array(slots, np.int32)[self.places]
        self.seed = fnv1a(f"{now.seat} {now.options} ".encode() + self.before.tobytes())
        self.base.load(state)
        self.base.offers()
        memory, outer = self.outer.memory, self.outer
        outer.prepare(state)
        outer.seed(self.seed)
        memory[at.SEATS] = slots[SEATS]
        memory[at.TRIES] = TRIES
        memory[at.CLASSES], memory[at.SECRETS] = len(self.open.classes), len(self.open.secrets)
        memory[at.SAMPLED] = memory[at.REJECTED] = 0
        memory[at.ROOT_COUNT] = now.options
        place = memory[at.ROOT_OFFERS] = at.TABLES
        place = memory[at.SAMPLE] = outer.fill(place, [part for offer in now.offers for part in offer])
        outer.fill(place, self.open.cells())

    def sampled(self, option: int, end: float, lines: int) -> Iterator[Row]:
        """What comes of an option in one state after the other that the seat could be in."""
        arena, step = self.engine.arena, self.engine.library.step
        draw = self._same if self.open.sure else self._sample
        self.engine.script(None)
        done, first, differ = 0, b"", False
        while done < (lines if differ else min(lines, ALIKE)) and (done == 0 or time.perf_counter() < end):
            for number in range(done, min(done + PIECE, lines)):
                if not draw(number):
                    return
                if arena.call(step, option) >= 0:
                    row = self.live[self.places].tobytes()
                    first = first or row
                    differ = differ or row != first
                    yield row
            done += PIECE

    def _same(self, number: int) -> int:
        """The very state, with other dice."""
        cells = self.engine.arena.cells
        self.engine.copy_from(self.base)
        cells[RNG_LO], cells[RNG_HI] = seed_halves(finalize((self.seed + (number + 1) * GAMMA) & MASK))
        return 1

    def _sample(self, number: int) -> int:
        """A state that the seat cannot tell from the real one."""
        del number
        return self.outer.call("sample")

    def tried(self, way: Sequence[int], number: int) -> NDArray[np.int32] | None:
        """Take these options one after the other, with dice of their own: the state before them, in which
        `live` is what has become of it. None when that cannot be."""
        self.engine.script(None)
        if not (self._same if self.open.sure else self._sample)(number):
            return None
        before = self.live.copy()
        for option in way:
            if self.engine.arena.call(self.engine.library.step, option) < 0:
                return None
        return before

    def enumerated(self, option: int, end: float) -> list[tuple[Row, float]] | None:
        """Every way the dice can fall, with its chance; None when there are too many of them, or when
        something is shuffled, which no dice can say."""
        found: list[tuple[Row, float]] = []
        runs = 0
        waiting: list[tuple[tuple[int, ...], float]] = []
        for faces, weight, row in self._children((), 1.0, option, first=True):
            runs += 1
            if row is SHUFFLED:
                return None
            if row is None:
                waiting.append((faces, weight))
            else:
                found.append((row, weight))
        while waiting:
            faces, weight = waiting.pop()
            for child, part, row in self._children(faces, weight, option):
                runs += 1
                if row is SHUFFLED or runs > RUNS or (runs % PIECE == 0 and time.perf_counter() > end):
                    return None
                if row is None and part * RUNS < 1:
                    return None  # so seldom a case, and not the last die: there are too many of them
                if row is None:
                    waiting.append((child, part))
                else:
                    found.append((row, part))
        return found

    def _children(
        self, faces: tuple[int, ...], weight: float, option: int, first: bool = False
    ) -> list[tuple[tuple[int, ...], float, Row | None]]:
        """What follows each face of the next die; None where another die is thrown."""
        if first:
            row = self._run((), option)
            return [((), weight, None if row is UNFIT or row is MORE else row)]
        kids: list[tuple[tuple[int, ...], Row | None]] = []
        while True:
            child = (*faces, len(kids))
            row = self._run(child, option)
            if row is UNFIT or len(kids) > RUNS:
                break
            kids.append((child, None if row is MORE else row))
        return [(child, weight / len(kids), row) for child, row in kids]

    def _run(self, faces: tuple[int, ...], option: int) -> Row:
        """The watched slots once the dice have fallen so; MORE; UNFIT when the last die has no such face."""
        engine = self.engine
        arena = engine.arena
        engine.copy_from(self.base)
        engine.script((*faces, -1))  # no die shows -1: it stops where one more is thrown
        result = arena.call(engine.library.step, option)
        used = arena.word(layout.SCRIPT_USED)
        if result < 0:
            if arena.cells[FAULT] != FAULT_SCRIPT:
                raise Fault(arena.cells[FAULT], arena.word(layout.FAULT_SITE))
            return MORE if used > len(faces) else UNFIT
        if arena.cells[RNG_LO] or arena.cells[RNG_HI]:
            return SHUFFLED
        return self.live[self.places].tobytes()

    def asks_again(self) -> bool:
        """Whether the last run has led back to the same decision."""
        now, before = self.engine.arena.cells, self.base.arena.cells
        same = all(now[slot] == before[slot] for slot in (STATUS, SEAT, PROMPT))
        return same and self.engine.options() == self.base.options()


def settled(program: Program, slots: Sequence[int], seat: int, open_: Guess) -> list[int]:
    """The state with the order of unknown cards made the same for all states that look alike: where they
    really lie would shine through the chance of a sample."""
    made = list(slots)
    know = Knowledge(program, slots, seat)
    class_of = {card: number for number, group in enumerate(open_.classes) for card in group.cards}
    for held in {
        made[field.base + index]
        for field in program.sheet.fields
        if field.holds == "Card"
        for index in range(_size(field.counts))
    }:
        class_of.pop(held, None)  # something points at this very card
    for zone in program.sheet.zones:
        for owner, base in zone_bases(program, zone):
            if know.sees_zone(zone, owner):
                continue
            places: dict[int, list[int]] = {}
            for place in range(base + 1, base + 1 + made[base]):
                if made[place] in class_of:
                    places.setdefault(class_of[made[place]], []).append(place)
            for some in places.values():
                for place, card in zip(some, sorted(made[p] for p in some), strict=True):
                    made[place] = card
    return made


def _size(counts: Sequence[int]) -> int:
    many = 1
    for count in counts:
        many *= count
    return many


def bench_at(now: Position) -> Bench:
    """A bench of this thread's own."""
    kept: dict[str, Bench] = _kept.__dict__.setdefault("benches", {})
    bench = kept.pop(now.program.digest, None) or Bench(now.program)
    kept[now.program.digest] = bench  # the newest last
    while len(kept) > KEPT:
        del kept[next(iter(kept))]
    bench.stand(now)
    return bench
