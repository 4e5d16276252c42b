"""Many matches, on every core, added up.

In:  a Program, a state to begin from, a number of matches, a seed, a policy for each seat.
Out: a Tally; and, piece by piece and in order, each match's row of results for whoever folds them.

Match i is played with seed `seed + i` and nothing else, so rows and tallies do not depend on how many
workers there are. Work is handed out in pieces of about a fifth of a second; only a few pieces are
under way at once, so memory does not grow with the number of matches. Native code runs outside the
interpreter lock, so plain threads use every core.
"""

from __future__ import annotations

import ctypes
import queue
import struct
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from rulewright.ir.program import DECISION, DECISIONS, FAULT, RUNNING, STATUS, Program
from rulewright.native import layout as at
from rulewright.native import tally
from rulewright.native.arena import Arena
from rulewright.native.library import Library, checked_policies, library
from rulewright.native.second import IMPATIENCE, PATIENCE, improve
from rulewright.native.tally import Tally
from rulewright.play.arguments import checked_seed, is_index, told
from rulewright.play.engine import opening, unpack
from rulewright.play.setup import resolve_seats

MAX_WORKERS = 1024
"""Each has its own memory, so a slip of the finger must not ask for a million."""
MAX_MATCHES = 2**48
FIRST_PIECE, LARGEST_PIECE, PIECE_SECONDS = 16, 16384, 0.2

Fold = Callable[[int, memoryview], None]
"""Called with the number of the first match and rows: 32-bit integers, one row after the other."""

Progress = Callable[[int, int], None]
"""Called with matches done and matches in all. Raising an exception ends the batch."""


class Runner:
    """Plays batches of one Program with one set of numbers, policies and result columns."""

    def __init__(
        self,
        program: Program,
        columns: Mapping[str, int],
        policies: Sequence[int] = (),
        params: Sequence[int] | None = None,
        workers: int = 1,
        code: Library | None = None,
        record: bool = False,
    ) -> None:
        """`columns`: name and slot of each result. `policies`: for each seat 0 (random) or k, the
        book's policy number k - 1. `record`: keep the events of each match until the next begins, to
        see what that costs."""
        self._program = program
        self._library = code or library(program)
        self.columns = tuple(columns)
        for name, slot in columns.items():
            if not is_index(slot, program.size):
                raise ValueError(f"column {name}: slot {told(slot)} of {program.size}")
        policies = checked_policies(self._library, policies)
        if not is_index(workers, MAX_WORKERS + 1) or workers == 0:
            raise ValueError(f"from 1 to {MAX_WORKERS} workers can share a batch, not {told(workers)}")
        self._slots = struct.pack(f"<{len(columns)}q", *columns.values())
        self._arenas = [Arena(program, self._library.layout, params) for _ in range(workers)]
        for arena in self._arenas:
            arena.set_word(at.MODE, at.STEPPING if any(policies) else at.ANSWERING)
            arena.set_word(at.RECORDING, int(record))
            arena.set_word(at.COLUMNS, len(columns))
            arena.set_pointer(at.SLOTS, self._slots)
            for seat, policy in enumerate(policies):
                arena.policies[seat] = policy

    def run(
        self,
        start: bytes,
        matches: int,
        seed: int,
        fold: Fold | None = None,
        progress: Progress | None = None,
    ) -> Tally:
        """Play so many matches from this state. Rows come to `fold` in the order of the matches.

        Raises ValueError when it is no state to begin from, or the numbers are none.
        """
        if not is_index(matches, MAX_MATCHES + 1) or matches == 0:
            raise ValueError(f"a batch has from 1 to {MAX_MATCHES} matches, not {told(matches)}")
        seed = checked_seed(seed)
        status = unpack(self._program, start)[STATUS]
        if status not in (RUNNING, DECISION):
            raise ValueError("the match to begin from is over")
        sums = [ctypes.create_string_buffer(empty, len(empty)) for empty in self._memory()]
        for arena, sum_ in zip(self._arenas, sums, strict=True):
            arena.set_pointer(at.TALLY, sum_)
            arena.set_pointer(at.START, bytes(start))
            arena.set_word(at.START_BYTES, len(start))
        free: queue.SimpleQueue[Arena] = queue.SimpleQueue()
        for arena in self._arenas:
            free.put(arena)
        done, began = 0, time.monotonic()
        for first, rows, count in self._pieces(matches, seed, free, fold is not None):
            done = first + count
            if fold is not None:
                fold(first, memoryview(rows).cast("B").cast("i"))
            if progress is not None:
                progress(done, matches)
            patience = IMPATIENCE if self._library.hasty else PATIENCE
            if not self._library.better and time.monotonic() - began > patience and done < matches:
                improve(self._program)
        parts = [tally.from_memory(sum_.raw, self.columns, 0) for sum_ in sums]
        total = Tally(done, parts[0].columns)
        for part in parts[1:]:
            total += part
        return total

    def _memory(self) -> list[bytes]:
        return [tally.empty_memory(len(self.columns)) for _ in self._arenas]

    def _pieces(self, matches: int, seed: int, free: queue.SimpleQueue[Arena], keep: bool):
        """Play piece after piece; gives (first match, rows, matches) of each, in order."""
        if len(self._arenas) == 1:
            size, first = FIRST_PIECE, 0
            while first < matches:
                count = min(size, matches - first)
                rows, spent = self._piece(free, seed + first, count, keep)
                yield first, rows, count
                first, size = first + count, _next_size(count, spent)
            return
        under_way: deque[tuple[int, int, Future[tuple[ctypes.Array[ctypes.c_char], float]]]] = deque()
        with ThreadPoolExecutor(len(self._arenas)) as pool:
            try:
                size, next_match = FIRST_PIECE, 0
                while next_match < matches or under_way:
                    while next_match < matches and len(under_way) < 2 * len(self._arenas):
                        count = min(size, matches - next_match)
                        task = pool.submit(self._piece, free, seed + next_match, count, keep)
                        under_way.append((next_match, count, task))
                        next_match += count
                    first, count, task = under_way.popleft()
                    rows, spent = task.result()
                    size = _next_size(count, spent)
                    yield first, rows, count
            finally:
                for _, _, task in under_way:
                    task.cancel()

    def _piece(
        self, free: queue.SimpleQueue[Arena], seed: int, count: int, keep: bool
    ) -> tuple[ctypes.Array[ctypes.c_char], float]:
        arena = free.get()
        rows = ctypes.create_string_buffer(4 * len(self.columns) * count if keep else 0)
        try:
            began = time.perf_counter()
            arena.set_pointer(at.ROWS, rows if keep else None)
            arena.set_word(at.SEED, seed)
            arena.set_word(at.MATCHES, count)
            arena.set_word(at.MATCH, 0)
            arena.set_word(at.STARTED, 0)
            arena.call(self._library.batch)
            return rows, time.perf_counter() - began
        finally:
            free.put(arena)


def _next_size(count: int, spent: float) -> int:
    wanted = int(count * PIECE_SECONDS / max(spent, 1e-9))
    return max(1, min(wanted, 2 * count, LARGEST_PIECE)) if spent else LARGEST_PIECE


def result_columns(program: Program, seats: int) -> dict[str, int]:
    """The columns every report wants: how it ended, how long it was, what each seat scored."""
    columns = {"status": STATUS, "fault": FAULT, "decisions": DECISIONS}
    result = program.sheet.result
    if "ending" in result:
        columns["ending"] = result["ending"]
    if "score" in result:
        columns |= {f"score {seat}": result["score"] + seat for seat in range(seats)}
    return columns


def play_batch(
    program: Program,
    matches: int,
    seed: int = 0,
    seats: int | None = None,
    options: Mapping[int, int] | None = None,
    policies: Sequence[int] = (),
    params: Sequence[int] | None = None,
    workers: int = 1,
    fold: Fold | None = None,
    progress: Progress | None = None,
) -> Tally:
    """Whole matches from the start, with the usual columns.

    Raises MatchError for seats the book does not have, and ValueError for other numbers it cannot use.
    """
    seats = len(resolve_seats(program, program.seats[1] if seats is None else seats))
    runner = Runner(program, result_columns(program, seats), policies, params, workers)
    state = opening(program, seats, 0, options or {})
    return runner.run(struct.pack(f"<{len(state)}i", *state), matches, seed, fold, progress)
