"""Play a match: the public class over an engine.

In:  a Program, players, a seed, choices.
Out: decisions, views, events, snapshots, replays, a result.

A match stops only at a decision or at its end. A choice that is refused, or that leads the rules
into a fault, leaves the match exactly as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rulewright.ir.events import Event
from rulewright.ir.program import DECISION, DECISIONS, ENDED, STATUS, Program
from rulewright.play import choosing, course, snapshot, undoing
from rulewright.play.arguments import checked_numbers
from rulewright.play.course import Course, Decision
from rulewright.play.describe import describe
from rulewright.play.engine import Engine
from rulewright.play.faults import ChoiceError, Fault, MatchError, MatchFault
from rulewright.play.integrity import check_state
from rulewright.play.keepsake import Keepsake, keeps_of, take
from rulewright.play.record import Record
from rulewright.play.replay import Replay
from rulewright.play.results import Result, result_of
from rulewright.play.setup import (
    EngineMaker,
    make_engine,
    require_playable,
    resolve_options,
    resolve_seats,
    resolve_seed,
    seat_among,
    start_slots,
    with_scenario,
)
from rulewright.play.single import Single
from rulewright.play.undoing import Checkpoint
from rulewright.play.view import view
from rulewright.play.words import Option, Thing

__all__ = [
    "Checkpoint", "ChoiceError", "Decision", "Match", "MatchError", "MatchFault", "Option", "Result", "Thing",
]  # fmt: skip


class Match(Single):
    """A match of a book.

    `seats` is a number of seats or the names of the players; `options` are the book's match options
    by name and word; `scenario` is the word of the option that books call Scenario, Encounter, Quest or
    the like; `carried` is the keepsake of an earlier match. The same program, seats, seed, options, keepsake
    and choices give the same match on every engine and machine. Raises MatchError when the book does not
    offer what is asked for.

        match = Match(program, seats=["Ada", "Bo"], seed=7)
        while match.decision:
            match.choose(match.decision.options[0])
        print(match.result)

    A match is used by one thread at a time, and is saved by `snapshot`, not by pickle or copy.
    """

    instead = "use snapshot() and Match.restore()"

    def __init__(
        self,
        program: Program,
        seats: int | Sequence[str] | None = None,
        seed: int = 0,
        options: Mapping[str, str | int] | None = None,
        scenario: str | None = None,
        engine: str | EngineMaker = "reference",
        carried: Keepsake | None = None,
    ) -> None:
        require_playable(program)
        self._begin(
            program,
            resolve_seats(program, seats),
            resolve_seed(seed),
            resolve_options(program, with_scenario(program, options, scenario)),
            make_engine(program, engine),
            carried,
        )
        begun = start_slots(program, self.players, self.options, carried)
        self.engine.start(len(self.players), self.seed, begun)
        try:
            self.engine.advance()
            self.engine.state()
        except Fault as fault:
            raise MatchFault(fault, f"the match cannot start: {fault.where(program.sheet.sites)}") from None
        self.course.stopped()

    def _begin(
        self,
        program: Program,
        players: tuple[str, ...],
        seed: int,
        options: dict[str, str],
        engine: Engine,
        carried: Keepsake | None,
    ) -> None:
        self.program = program
        self.players = players
        self.seed = seed
        self.options = options
        self.carried = carried
        """What was brought from an earlier match, if anything."""
        self.course = Course(program, engine, Record(program, engine, len(players)))

    @property
    def engine(self) -> Engine:
        """The engine that runs this match, for tools that set up positions. Players have no business here."""
        return self.course.engine

    def slots(self) -> tuple[int, ...]:
        """The numbers of the state. Everything is in them: not for players' eyes."""
        return self.course.slots()

    @property
    def events(self) -> list[Event]:
        """Everything that happened since the start (or the restore). Not for players' eyes: see `log`."""
        return self.course.record.events

    @property
    def decision(self) -> Decision | None:
        """What has to be decided now, or None when the match has ended. Where several choose at the same
        time, what the first of them has to decide; the others: see `decision_of`."""
        return course.decision(self.course)

    def decision_of(self, seat: int) -> Decision | None:
        """What this seat has to decide now, or None when it has nothing to decide."""
        return course.decision_of(self.course, seat)

    def choose(self, choice: Option | int | str, seat: int | None = None) -> None:
        """Take an option: the option itself, its number, or its text. Runs on to the next decision.

        Where several seats choose at the same time, `seat` says who it is; without it, it is the first who
        has not chosen. Raises ChoiceError when it is not on offer and MatchFault when the rules fail; the
        match then stays as it was.
        """
        choosing.choose(self.course, choice, seat)

    def may_undo(self, seat: int) -> bool:
        """Whether this seat may take its last choice back now: while it decides, or, where several choose at
        the same time, until all have chosen."""
        return undoing.may_undo(self.course, seat)

    @property
    def can_undo(self) -> bool:
        """Whether the seat that decides may take its last choice back."""
        return undoing.can_undo(self.course)

    def undo(self, seat: int | None = None) -> None:
        """Take the last choice back. Allowed while the same seat decides and nothing was revealed; where
        several choose at the same time, until all have chosen, for the seat that is named (or whoever chose
        last). Raises MatchError otherwise.
        """
        undoing.undo(self.course, seat)

    def checkpoint(self) -> Checkpoint:
        """Where the match stands, for a caller that may have to take a choice back as if it never was."""
        return undoing.checkpoint(self.course)

    def back(self, point: Checkpoint) -> None:
        """Go back to a checkpoint from which only choices were made; not a move of any player."""
        undoing.back(self.course, point)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The match as a seat may see it (None: a spectator), ready for JSON. See `play.view`.

        A seat that has to choose also finds its `options` there.
        """
        found = view(self.program, self.slots(), seat_among(self.players, seat))
        found["players"] = list(self.players)
        decision = None if seat is None else self.decision_of(seat)
        if decision is not None:
            found["options"] = [
                {**asdict(option), "things": [asdict(thing) for thing in option.things]}
                for option in decision.options
            ]
        return found

    def log(self, seat: int | None = None, start: int = 0) -> list[Event]:
        """Events as a seat may know them: hidden cards have the id -1, hidden changes are left out."""
        return self.course.record.log(seat_among(self.players, seat), start)

    def logged(self, seat: int | None = None) -> int:
        """How many events `log` has."""
        return self.course.record.logged(seat_among(self.players, seat))

    def event_number(self, seat: int | None, line: int) -> int:
        """Which of all events a line of `log` tells of; -1 when there is no such line."""
        return self.course.record.number(seat_among(self.players, seat), line)

    def describe(self, event: Event) -> str:
        """An event in plain words, with the rule it cites."""
        try:
            known = Event(*checked_numbers(event, len(Event._fields), "parts of an event"))
        except ValueError as error:
            raise MatchError(str(error)) from None
        return describe(self.program, known, self.slots())

    @property
    def result(self) -> Result | None:
        """How the match ended, or None while it goes on."""
        if self.engine.peek(STATUS) != ENDED:
            return None
        return result_of(self.program, self.slots())

    @property
    def hash(self) -> int:
        """64 bits that name the state: equal states have equal hashes on every engine."""
        return self.engine.hash()

    @property
    def replay(self) -> Replay:
        """The match so far as seed and choices, to be stored or played again."""
        return Replay(
            program=self.program.digest,
            seed=self.seed,
            players=self.players,
            options=dict(self.options),
            choices=tuple(self.course.choices),
            hash=f"{self.hash:016x}",
            title=self.program.title,
            carried=self.carried,
        )

    @property
    def keepsake(self) -> Keepsake:
        """What the players take along into a later match: `Match(..., carried=keepsake)`.

        Raises MatchError while the match goes on, and when the book keeps nothing.
        """
        keeps_of(self.program)
        if self.result is None:
            raise MatchError("only a match that has ended can be carried over")
        return take(self.program, self.slots(), self.players)

    def snapshot(self) -> bytes:
        """The match in bytes; `Match.restore` goes on from there. Events so far are not part of it."""
        return snapshot.pack(self.replay, self.engine.state())

    @classmethod
    def restore(cls, program: Program, data: bytes, engine: str | EngineMaker = "reference") -> Match:
        """Go on with a match. Raises MatchError when the data is damaged or of another program."""
        require_playable(program)
        replay, state = snapshot.unpack(data)
        if replay.program != program.digest:
            raise MatchError(
                f"the snapshot is of another book, or another version of it, than this {program.title}"
            )
        match = cls.__new__(cls)
        players, options = resolve_seats(program, replay.players), resolve_options(program, replay.options)
        seed = resolve_seed(replay.seed)
        match._begin(program, players, seed, options, make_engine(program, engine), replay.carried)
        match.course.choices = list(replay.choices)
        try:
            match.engine.dice(seed)
            match.engine.load(state)
            slots = match.slots()
            if slots[STATUS] not in (DECISION, ENDED):
                raise ValueError("it stands neither at a decision nor at the end")
            if slots[DECISIONS] != len(replay.choices):
                raise ValueError("its state and its choices are not of one match")
            check_state(program, slots, len(players))
            match.engine.options()
            if match.engine.state() != state:
                raise ValueError("it does not ask what its state says")
        except (ValueError, Fault) as error:
            raise MatchError(f"the snapshot is damaged: {error}") from None
        return match
