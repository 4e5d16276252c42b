"""One table in memory: a match, kept equal to the rows of the store.

In:  rows of the store, one by one.
Out: the match, each reader's log and state, and a wake-up for everybody who watches.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar

from pydantic_core import to_json

from rulewright.ir.program import Program
from rulewright.native import NativeEngine
from rulewright.play.chance import commitment
from rulewright.play.faults import MatchError, MatchFault
from rulewright.play.knowledge import Knowledge, find_field, hides_nothing
from rulewright.play.match import Checkpoint, Decision, Match
from rulewright.play.results import as_json
from rulewright.play.together import NOBODY, gathering, number_of
from rulewright.play.view import seen
from rulewright.play.words import Option
from rulewright.serve.differences import Pieces, pieces_of
from rulewright.serve.errors import EdgeError
from rulewright.serve.library import Volume
from rulewright.serve.lines import Lines, Mark, Reader, quoted
from rulewright.serve.schema import UNDO, ChoiceRow, SeatRow, TableRow
from rulewright.serve.talk import Room

P = ParamSpec("P")
T = TypeVar("T")


class Watcher(Protocol):
    """Whoever is told of changes."""

    def tell(self) -> None:
        """There may be something new."""
        ...


class Lock(asyncio.Lock):
    """A lock that can also be taken without a task, where nobody has it."""

    def take(self) -> bool:
        """Take it now; False where somebody has it or was first."""
        if self.locked():
            return False
        taking = self.acquire()
        try:
            taking.send(None)
        except StopIteration:
            return True
        taking.close()
        return False


class Table:
    """A match that somebody is at. Whoever changes it holds its lock; whoever looks at it finds it free."""

    def __init__(self, row: TableRow, volume: Volume) -> None:
        self.row = row
        self.volume = volume
        self.match = begin(row, volume)
        self.lines = Lines(self.match)
        self.board = Board(volume.program)
        self.promise = commitment(row.seed)
        self.version = 0
        """Rows of the store that the match has seen, undos included."""
        self.gathered = 0
        """The version at which those were asked first who choose at the same time now."""
        self.gathering = number_of(self.match.engine)
        self.answered: dict[int, int] = {}
        """For each seat, the version after its last choice or undo."""
        self.since: dict[int, int] = {}
        """For each seat, the length of its log after its last choice."""
        self.lock = Lock()
        self.watchers: set[Watcher] = set()
        self.room = Room()
        self.bot: asyncio.Task[None] | None = None
        self.touched = time.monotonic()
        self.has_bots = any(seat.kind == "bot" for seat in row.seats)
        self.opener = ""
        """Whoever opened it, as far as this process knows: nobody, after a restart."""
        self.gone = False
        """Dropped from memory: whoever still holds it must ask for it again."""
        self._states: dict[Reader, str] = {}
        """Everything but the log, for readers who have asked since the last change."""
        self._pieces: dict[Reader, Pieces] = {}
        """The same in pieces, for those who are told differences."""
        self._views: dict[Reader, str] = {}
        """What they see. Where nothing is hidden everybody sees the same, and it is kept under None."""
        self._seen: dict[Reader, Pieces] = {}
        """The same in pieces."""
        self._alike: dict[str, str] = {}
        """What everybody is told alike besides, as JSON."""
        self._text = self._asked = ""
        """The same in one, and what is asked of somebody else."""
        self._slots: tuple[int, ...] = ()
        """The numbers of the state, once somebody wanted to know how it looks."""
        self._open = hides_nothing(volume.program)
        self._native = isinstance(self.match.engine, NativeEngine)
        self.timed = volume.pace.timed if self._native else untimed
        """Does something, and lets the book be known by how long it takes."""
        players = [{"seat": s.seat, "kind": s.kind, "name": s.name, "bot": s.bot} for s in row.seats]
        self._always = to_json({"book": row.book, "digest": row.digest, "players": players}).decode()[1:-1]
        """What every state says of the table."""
        self._id, self._promise = to_json(row.id).decode(), to_json(self._dice(False)).decode()

    @property
    def quick(self) -> bool:
        """Whether its rules may be run where others wait for it; else see `workers`."""
        return self._native and self.volume.pace.quick

    def has_ready(self, reader: Reader, in_pieces: bool) -> bool:
        """Whether the state can be told without running any rules."""
        return reader in self._states and (not in_pieces or reader in self._pieces)

    def make_ready(self, reader: Reader, in_pieces: bool) -> None:
        """See to that."""
        self.state(reader)
        if in_pieces:
            self.pieces(reader)

    def play(self, row: ChoiceRow) -> None:
        """Follow a stored row. Raises MatchError where it does not fit."""
        if row.choice == UNDO:
            self.match.undo(row.seat)
        else:
            self.match.choose(row.choice, row.seat)
        self.played(row.seat)

    def played(self, seat: int) -> None:
        """The match has moved on by one stored row, of this seat."""
        self.version += 1
        self.answered[seat] = self.version
        self._gather(self.version)
        self._changed()
        if seat in self.lines.logs:
            self.since[seat] = self.lines.count(seat)

    def rewind(self, point: Checkpoint, version: int) -> None:
        """Go back to where the match stood before; only for stepping through what is over."""
        self.match.back(point)
        self.version = version
        self.answered.clear()
        self.gathering = NOBODY
        self._gather(version)
        self.since.clear()
        self._changed()

    def _changed(self) -> None:
        for kept in (self._states, self._pieces, self._views, self._seen, self._alike):
            if kept:
                kept.clear()
        self._text, self._asked, self._slots = "", "", ()
        self.lines.follow(self.match)

    def _gather(self, version: int) -> None:
        """Note since when those are asked who choose at the same time."""
        now = number_of(self.match.engine)
        if now != self.gathering or now == NOBODY:
            self.gathering, self.gathered = now, version

    def is_now(self, seat: int, version: int) -> bool:
        """Whether whoever saw this version has seen what it decides about. While several choose at the same
        time, what the others chose since changes nothing for a seat."""
        if version == self.version or self.gathering == NOBODY:
            return version == self.version
        return max(self.gathered, self.answered.get(seat, 0)) <= version < self.version

    def mark(self) -> int:
        """A number that says whether another match is where this one is: a checksum of the state."""
        return zlib.crc32(self.match.engine.state()) - 2**31

    def dice(self) -> dict[str, Any]:
        """Where the dice come from: what was promised of the seed, and when all is over the seed itself."""
        return self._dice(self.match.result is not None)

    def _dice(self, over: bool) -> dict[str, Any]:
        return {
            "commitment": "" if self.row.chosen else self.promise,
            "chosen": self.row.chosen,
            "seed": f"{self.row.seed:x}" if over else None,
        }

    def wake(self) -> None:
        """Tell everybody who watches that there may be something new."""
        for watcher in tuple(self.watchers):
            watcher.tell()

    def to_decide(self) -> list[SeatRow]:
        """The seats that have to choose now."""
        decision = self.match.decision
        seats = () if decision is None else decision.seats
        return [self.row.seats[seat] for seat in seats if 0 <= seat < len(self.row.seats)]

    def state(self, reader: Reader, known: Mark | None = None) -> str:
        """Everything the page needs, for one reader, as JSON; of the log only what is behind the mark."""
        if reader not in self._states:
            self._states[reader] = self.timed(self._state, reader)
        return f'{self._states[reader]},"log":{self.lines.tail(reader, known)}}}'

    def pieces(self, reader: Reader) -> Pieces:
        """What a state says but for the log, and for what stays the same all match."""
        if reader not in self._pieces:
            seen = self.timed(self._in_pieces, reader)
            self._pieces[reader] = {**self._for_all(), **self._own(reader), **seen}
        return self._pieces[reader]

    def slots(self) -> tuple[int, ...]:
        """The numbers of the state."""
        if not self._slots:
            self._slots = self.match.slots()
        return self._slots

    def _in_pieces(self, reader: Reader) -> Pieces:
        """What somebody sees and what the map looks like, in pieces."""
        key = None if self._open else reader
        if key not in self._seen:
            know = Knowledge(self.match.program, self.slots(), key)
            board = to_json(self.board.now(know)).decode()
            self._seen[key] = {"board": board, **pieces_of(seen(know))}
        return self._seen[key]

    def _state(self, reader: Reader) -> str:
        if not self._text:
            self._text = _joined(self._for_all())
        seat = "null" if reader is None else str(reader)
        own = _joined(self._own(reader))
        return f'{{{self._text},{own},{self._always},"view":{{"seat":{seat},{self._view(reader)}'

    def _own(self, reader: Reader) -> dict[str, str]:
        """What a reader is told for itself besides what it sees, each part as JSON."""
        match = self.match
        mine = None if reader is None else match.decision_of(reader)
        if mine is None and not self._asked:
            self._asked = _decision(match.decision, False)
        return {
            "decision": self._asked if mine is None else _decision(mine, True),
            "seat": "null" if reader is None else str(reader),
            "can_undo": "true" if reader is not None and match.may_undo(reader) else "false",
            "since": str(self.since.get(reader, 0) if reader is not None else 0),
            "lines": str(self.lines.count(reader)),
        }

    def _for_all(self) -> dict[str, str]:
        """What everybody is told alike."""
        if not self._alike:
            match = self.match
            decision, result = match.decision, match.result
            found = None if decision is None else gathering(match.program, self.slots())
            together = [] if found is None else sorted({seat for seat in found.seats if seat >= 0})
            self._alike = {
                "table": self._id,
                "version": str(self.version),
                "waiting": "[]" if decision is None else _numbers(decision.seats),
                "together": _numbers(together) if together else "[]",
                "result": "null" if result is None else to_json(as_json(result)).decode(),
                "dice": self._promise if result is None else to_json(self.dice()).decode(),
            }
        return self._alike

    def _view(self, reader: Reader) -> str:
        """What somebody sees and what the map looks like: the end of a view, and what comes after it."""
        key = None if self._open else reader
        if key not in self._views:
            know = Knowledge(self.match.program, self.slots(), key)
            told = to_json({**seen(know), "players": self.match.players}).decode()
            self._views[key] = f'{told[1:]},"board":{to_json(self.board.now(know)).decode()}'
        return self._views[key]


def untimed(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do it: how long the reference engine takes says nothing of a book."""
    return work(*args, **kwargs)


def _numbers(numbers: Sequence[int]) -> str:
    """As JSON."""
    return f"[{','.join(map(str, numbers))}]"


def _joined(parts: dict[str, str]) -> str:
    """Parts as JSON, as the inside of one object."""
    return ",".join([f'"{name}":{told}' for name, told in parts.items()])


KEPT = 5_000
"""Options whose JSON is kept for the next time they are offered."""
_offers: dict[int, tuple[Option, str]] = {}
"""By the identity of an option, which is kept here too, so that the identity stays its own."""


def _offer(option: Option) -> str:
    """An option as JSON. Most are offered again and again, the same object each time (see `play.words`)."""
    kept = _offers.get(id(option))
    if kept is None:
        if len(_offers) >= KEPT:
            _offers.clear()
        things = [f'{{"kind":{quoted(t.kind)},"id":{t.id},"name":{quoted(t.name)}}}' for t in option.things]
        text, named = quoted(option.text), ",".join(things)
        told = f'{{"index":{option.index},"verb":{option.verb},"text":{text},"things":[{named}]}}'
        kept = _offers[id(option)] = (option, told)
    return kept[1]


def _decision(decision: Decision | None, mine: bool) -> str:
    """What has to be decided, as JSON; the options only for the seat that decides."""
    if decision is None:
        return "null"
    options = ",".join(map(_offer, decision.options)) if mine else ""
    prompt = quoted(decision.prompt)
    return (
        f'{{"seat":{decision.seat},"actor":{decision.actor},"prompt":{prompt},'
        f'"mine":{"true" if mine else "false"},"options":[{options}]}}'
    )


def begin(row: TableRow, volume: Volume) -> Match:
    """The match at its start."""
    names = [seat.name for seat in row.seats]
    try:
        return Match(volume.program, seats=names, seed=row.seed, options=row.options, engine=volume.engine)
    except MatchFault as error:
        raise EdgeError("match/fault", str(error)) from None
    except MatchError as error:
        low, high = volume.program.seats
        raise EdgeError(
            "setting/unknown" if low <= len(names) <= high else "seats/wrong", str(error)
        ) from None


class Board:
    """The fields of a book that say what its map looks like."""

    def __init__(self, program: Program) -> None:
        self.terrain = find_field(program, "Space", "terrain")
        self.x, self.y = find_field(program, "Space", "x"), find_field(program, "Space", "y")
        self.laid = next((f for f in program.sheet.fields if f.name == "laid" and not f.of), None)
        self.plain = self.terrain is None and self.laid is None

    def now(self, know: Knowledge) -> dict[str, Any]:
        """What the map looks like now: terrain that may have changed, spaces that were laid."""
        if self.plain:
            return {}
        slots, found = know.slots, dict[str, Any]()
        terrain, laid, x, y = (
            field if field is not None and know.sees_field(field, 0) else None
            for field in (self.terrain, self.laid, self.x, self.y)
        )
        if terrain is not None:
            found["terrain"] = list(slots[terrain.base : terrain.base + terrain.counts[0]])
        if laid is not None and x is not None and y is not None:
            found["spots"] = [[slots[x.base + i], slots[y.base + i]] for i in range(slots[laid.base])]
        return found
