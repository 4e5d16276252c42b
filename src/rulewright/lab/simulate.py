"""Play a book very many times and add up what happens.

In:  a Program, how many matches, who sits at the table, options, a seed, how many jobs.
Out: `Run`: wins, draws, lengths, endings, what was used; see `report` for its JSON.

Names are dealt round the table: match m has seed `seed + m // rotations`, and in it name k sits at seat
(k + m) % seats, so each seed is played once with everybody at each place. One name at all seats needs no
exchange, and every match has a seed of its own. Whoever decides by the book's own strategy or at random is
played in native code alone; other players are asked, one decision after the other.
"""

from __future__ import annotations

import queue
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

from rulewright.ir.program import DECISION, STATUS, Program
from rulewright.lab.counting import Counting, counting
from rulewright.native.engine import NativeEngine
from rulewright.native.outer import Outer
from rulewright.native.outer import map as at
from rulewright.play.arguments import is_index, told
from rulewright.play.engine import opening
from rulewright.play.faults import Fault, MatchError
from rulewright.play.setup import (
    option_slots,
    require_playable,
    resolve_options,
    resolve_seats,
    resolve_seed,
    with_scenario,
)
from rulewright.players.bots import RANDOM, Decider, decider, is_native, position_of
from rulewright.players.levels import unhurried

MAX_JOBS, MAX_MATCHES = 64, 10**12
FIRST_PIECE, LARGEST_PIECE, PIECE_SECONDS = 8, 65536, 0.25

Piece = tuple[float, list[int] | None]
"""How long it took, and its sums, or None if it was left."""
Pieces = deque[tuple[int, Future[Piece]]]
"""How many matches each has, in order."""
Progress = Callable[[int, int], None]
"""Called with matches done and matches in all. Raising KeyboardInterrupt ends the run with what there is."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played: enough to play any match of a run again."""

    program: Program
    names: tuple[str, ...]
    options: dict[str, str]
    seed: int
    rotations: int

    def seat_of(self, name: int, match: int) -> int:
        """Where a name sits in a match."""
        return (name + match % self.rotations) % len(self.names)

    def seed_of(self, match: int) -> int:
        """The seed of a match."""
        return self.seed + match // self.rotations


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a run; `sums` are all its numbers (see `counting`), `report` puts them into words."""

    setting: Setting
    asked: int
    """How many matches were wanted; fewer are done when the run was interrupted."""
    sums: tuple[int, ...]
    seconds: float

    @property
    def matches(self) -> int:
        """Matches that were played."""
        return self.sums[at.MATCHES]

    @property
    def wins(self) -> tuple[int, ...]:
        """Matches that each name has won, wherever it sat."""
        return self.sums[at.NAME_WINS : at.NAME_WINS + len(self.setting.names)]

    @property
    def points(self) -> tuple[float, ...]:
        """The same with a half for a draw."""
        halves = self.sums[at.NAME_POINTS : at.NAME_POINTS + len(self.setting.names)]
        return tuple(half / 2 for half in halves)

    @property
    def draws(self) -> int:
        """Matches that were drawn."""
        return self.sums[at.DRAWS]

    @property
    def decisions(self) -> int:
        """Decisions in all matches."""
        return self.sums[at.TOTAL]

    @property
    def faults(self) -> int:
        """Matches that the rules failed in."""
        return self.sums[at.FAULTS]


def setting(
    program: Program,
    seats: Sequence[str] = (),
    options: Mapping[str, str | int] | None = None,
    scenario: str | None = None,
    seed: int = 0,
) -> Setting:
    """Who plays what. Raises MatchError for what the book does not offer."""
    require_playable(program)
    known = program.sheet.strategies
    names = tuple(seats) or (known[0] if known else RANDOM,)
    names = tuple(decider(program, name).name for name in names)
    if len(names) == 1:
        names *= program.seats[0]
    resolve_seats(program, names)
    chosen = resolve_options(program, with_scenario(program, options, scenario))
    return Setting(program, names, chosen, resolve_seed(seed), len(names) if len(set(names)) > 1 else 1)


def simulate(
    program: Program,
    matches: int = 1000,
    seats: Sequence[str] = (),
    options: Mapping[str, str | int] | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    scenario: str | None = None,
    listen: bool = True,
    before: Run | None = None,
) -> Run:
    """Play so many matches (whole groups: every name at every seat). With `listen`, what happens in them is
    counted too. `before`: a run of the same setting that is gone on with.

    Raises MatchError for what the book does not offer, and ValueError for numbers that cannot be used.
    """
    table = setting(program, seats, options, scenario, seed)
    if not is_index(matches, MAX_MATCHES) or matches == 0:
        raise ValueError(f"a run has from 1 to {MAX_MATCHES} matches, not {told(matches)}")
    if not is_index(jobs, MAX_JOBS + 1) or jobs == 0:
        raise ValueError(f"a run has from 1 to {MAX_JOBS} jobs, not {told(jobs)}")
    if before is not None and before.setting != table:
        raise MatchError("the run to go on with was of another book, other players, options or seed")
    matches += -matches % table.rotations
    counts = counting(program, len(table.names))
    began = time.perf_counter()
    spent = 0.0 if before is None else before.seconds
    total = counts.empty() if before is None else list(before.sums)
    workers = [Worker(table, counts, listen) for _ in range(jobs)]
    try:
        with closing(_pieces(workers, total[at.MATCHES], matches, table.rotations)) as pieces:
            for sums in pieces:
                total = counts.added(total, sums)
                if progress is not None:
                    progress(total[at.MATCHES], matches)
    except KeyboardInterrupt:
        pass
    return Run(table, matches, tuple(total), spent + time.perf_counter() - began)


def _pieces(workers: list[Worker], first: int, matches: int, group: int) -> Generator[list[int], None, None]:
    """Play piece after piece; gives the sums of each, in order. When the run is interrupted, matches that are
    asked for one decision at a time are left where they are, and what comes after them is not counted: so
    matches 0 to done - 1 have always all been played."""
    free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for worker in workers:
        free.put(worker)

    def piece(start: int, count: int) -> Piece:
        worker = free.get()
        try:
            began = time.perf_counter()
            sums = worker.sums(start, count)
            return time.perf_counter() - began, sums
        finally:
            free.put(worker)

    under_way: Pieces = deque()
    size, ahead = group if not workers[0].quick else FIRST_PIECE * group, first
    with ThreadPoolExecutor(len(workers)) as pool:
        try:
            while ahead < matches or under_way:
                while ahead < matches and len(under_way) < 2 * len(workers):
                    count = min(size, matches - ahead)
                    under_way.append((count, pool.submit(piece, ahead, count)))
                    ahead += count
                count, task = under_way[0]
                spent, sums = task.result()
                under_way.popleft()
                wanted = int(count * PIECE_SECONDS / max(spent, 1e-6)) // group * group
                size = max(group, min(wanted, 2 * count, LARGEST_PIECE // group * group))
                if sums is not None:
                    yield sums
        except KeyboardInterrupt:
            yield from _left(workers, under_way)
        finally:
            _leave(workers, under_way)


def _leave(workers: list[Worker], under_way: Pieces) -> None:
    """Begin nothing more, and end what can be ended."""
    for worker in workers:
        worker.stop.set()
    for _, task in under_way:
        task.cancel()


def _left(workers: list[Worker], under_way: Pieces) -> Iterator[list[int]]:
    """When a run was interrupted: sums of pieces that come to their end, up to the first that does not."""
    _leave(workers, under_way)
    for _, task in under_way:
        sums = None if task.cancelled() else task.result()[1]
        if sums is None:
            return
        yield sums


class Worker:
    """One thread's memory and players."""

    def __init__(self, table: Setting, counts: Counting, listen: bool) -> None:
        program = table.program
        self.table, self.counts = table, counts
        self.stop = threading.Event()
        """Set when a run is interrupted."""
        self.engine = NativeEngine(program)
        self.outer = Outer(program, self.engine.arena)
        known = (RANDOM, *program.sheet.strategies)
        self.quick = all(is_native(program, name) for name in table.names)
        policies = [known.index(name) if name in known else 0 for name in table.names]
        counts.fill(self.outer, policies, table.rotations, listen)
        self.begin = option_slots(program, table.options)
        state = opening(program, len(table.names), 0, self.begin)
        self.outer.prepare(struct.pack(f"<{len(state)}i", *state))
        self.deciders = [] if self.quick else [unhurried(program, name) for name in table.names]

    def sums(self, first: int, count: int) -> list[int] | None:
        """Play so many matches; their sums, or None if they were left."""
        try:
            self.play(first, count)
        except Left:
            return None
        return self.counts.take(self.outer)

    def play(self, first: int, count: int) -> None:
        """Play so many matches, and add to what was counted since sums were last taken."""
        if self.quick:
            self.outer.call("play_matches", first, count, self.table.seed)
            return
        for match in range(first, first + count):
            self._play_slowly(match)

    def _play_slowly(self, match: int) -> None:
        opener, status = play_one(self.table, match, self.engine, self.deciders, self._go_on)
        self.outer.call("count_one", match, status, opener)
        self.engine.events()

    def _go_on(self, choice: int) -> None:
        del choice
        if self.stop.is_set():
            raise Left


class Left(Exception):
    """A match that is left before its end."""


def play_one(
    table: Setting,
    match: int,
    engine: NativeEngine,
    deciders: Sequence[Decider],
    told_of: Callable[[int], None] | None = None,
) -> tuple[int, int]:
    """Play one match with these players; who was asked first, and the status at the end."""
    places = {table.seat_of(name, match): who for name, who in enumerate(deciders)}
    opener = -1
    seed = table.seed_of(match)
    try:
        engine.start(len(places), seed, option_slots(table.program, table.options))
        engine.advance()
        while engine.peek(STATUS) == DECISION:
            seat, choice = _asked(engine, places, seed)
            opener = seat if opener < 0 else opener
            if told_of is not None:
                told_of(choice)
            engine.choose(choice)
            engine.advance()
    except Fault:
        return opener, -1
    return opener, engine.peek(STATUS)


def _asked(engine: NativeEngine, places: Mapping[int, Decider], seed: int) -> tuple[int, int]:
    now = position_of(engine, seed)
    return now.seat, places[now.seat].decide(now)
