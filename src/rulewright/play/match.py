"""Play a match: the public class over an engine.

In:  a Program, players, a seed, choices.
Out: decisions, views, events, snapshots, replays, a result.

A match stops only at a decision or at its end. A choice that is refused, or that leads the rules
into a fault, leaves the match exactly as it was.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from rulewright.ir import events as kinds
from rulewright.ir.events import Event
from rulewright.ir.program import DECISION, DECISIONS, ENDED, PROMPT, SEAT, STATUS, TOGETHER, Program
from rulewright.play import snapshot
from rulewright.play.arguments import checked_numbers, is_index, told, whole
from rulewright.play.describe import describe
from rulewright.play.engine import Engine
from rulewright.play.faults import ChoiceError, Fault, MatchError, MatchFault
from rulewright.play.integrity import check_state
from rulewright.play.keepsake import Keepsake, keeps_of, take
from rulewright.play.knowledge import Knowledge, as_read, hides_nothing, is_for_all
from rulewright.play.learning import has_learned
from rulewright.play.replay import Replay
from rulewright.play.results import Result, result_of
from rulewright.play.setup import (
    EngineMaker,
    make_engine,
    require_playable,
    resolve_options,
    resolve_seats,
    resolve_seed,
    start_slots,
    with_scenario,
)
from rulewright.play.single import Single
from rulewright.play.together import focus, gathering, number_of, seated, unseated
from rulewright.play.view import view
from rulewright.play.words import Option, Thing, option

__all__ = ["ChoiceError", "Decision", "Match", "MatchError", "MatchFault", "Option", "Result", "Thing"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat has to decide now. There are at least two options, but where several choose at the same
    time: there whoever has only one is asked as well."""

    seat: int
    prompt: str
    options: tuple[Option, ...]
    actor: int = -1
    """The actor it is made for; -1 when it is for none in particular."""
    seats: tuple[int, ...] = ()
    """All seats that choose now; several where a rule has them choose at the same time, in any order."""


SHARED = "this match is being used by another thread"
WAITING = 2**15
"""Events that may wait in the engine as long as nobody asks."""


class _Before(NamedTuple):
    """What an undo goes back to."""

    state: bytes
    events: int


class _Gathered(NamedTuple):
    """Where those who choose at the same time were asked first."""

    state: bytes
    events: int
    choices: int


class Checkpoint(NamedTuple):
    """Where a match stood, for `Match.back`."""

    state: bytes
    events: int
    choices: int
    undo: tuple[_Before, ...]
    gathered: _Gathered | None = None


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
        self._engine.start(len(self.players), self.seed, begun)
        try:
            self._engine.advance()
            self._engine.state()
        except Fault as fault:
            raise MatchFault(fault, f"the match cannot start: {fault.where(program.sheet.sites)}") from None
        self._stopped()

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
        self._events: list[Event] = []
        self._logs: dict[int | None, list[tuple[int, Event]]] = {
            seat: [] for seat in (None, *range(len(players)))
        }
        """What each seat may read: the number of an event, and the event as the seat knows it."""
        self._filed = 0
        """Events that are in the logs, each as its reader may know it."""
        self._choices: list[int] = []
        self._undo: list[_Before] = []
        """Choices that may be undone as far as seats and dice show; what was seen is looked at when asked."""
        self._undo_is_fair: bool | None = None
        self._gathered: _Gathered | None = None
        self._decision: Decision | None = None
        self._unpacked: tuple[bytes, tuple[int, ...]] = (b"", ())
        self._open = hides_nothing(program)
        self._engine = engine
        self._busy = threading.Lock()

    @property
    def engine(self) -> Engine:
        """The engine that runs this match, for tools that set up positions. Players have no business here."""
        return self._engine

    def slots(self) -> tuple[int, ...]:
        """The numbers of the state. Everything is in them: not for players' eyes."""
        state = self._engine.state()
        if state != self._unpacked[0]:
            self._unpacked = (state, struct.unpack(f"<{len(state) // 4}i", state))
        return self._unpacked[1]

    @property
    def events(self) -> list[Event]:
        """Everything that happened since the start (or the restore). Not for players' eyes: see `log`."""
        if self._engine.pending():
            self._events += map(Event._make, self._engine.events())
        return self._events

    def _happened(self) -> int:
        """How many events there are."""
        return len(self._events) + self._engine.pending()

    def _stopped(self) -> None:
        """After the engine ran: drop the old decision. Events stay where they are until somebody asks."""
        self._decision = None
        self._undo_is_fair = None
        if self._engine.pending() > WAITING:
            _ = self.events

    def _file(self) -> None:
        """Put what happened into each seat's log, as the seat may know it."""
        events = self.events
        fresh = events[self._filed :]
        if all(is_for_all(event, self._open) for event in fresh):  # as most of the time
            for log in self._logs.values():
                log += enumerate(fresh, self._filed)
        else:
            for seat, log in self._logs.items():
                for number, event in enumerate(fresh, self._filed):
                    if (seen := as_read(self.program, event, seat)) is not None:
                        log.append((number, seen))
        self._filed = len(events)

    def _forget(self, count: int) -> None:
        """Drop what happened after the first so many events."""
        del self.events[count:]
        if self._filed > count:
            for log in self._logs.values():
                while log and log[-1][0] >= count:
                    log.pop()
            self._filed = count

    @property
    def decision(self) -> Decision | None:
        """What has to be decided now, or None when the match has ended. Where several choose at the same
        time, what the first of them has to decide; the others: see `decision_of`."""
        if self._engine.peek(STATUS) != DECISION:
            return None
        if self._decision is None:
            self._decision = self._asked()
        return self._decision

    def decision_of(self, seat: int) -> Decision | None:
        """What this seat has to decide now, or None when it has nothing to decide."""
        first = self.decision
        if first is None or seat not in first.seats:
            return None
        if first.seat == seat:
            return first
        focus(self._engine, seat)
        try:
            return self._asked()
        finally:
            focus(self._engine, None)

    def _asked(self) -> Decision:
        """What the engine asks."""
        slots, prompts = self.slots(), self.program.sheet.prompts
        seat, prompt = slots[SEAT], slots[PROMPT]
        reader = Knowledge(self.program, slots, seat)
        options = [option(index, payload, reader) for index, payload in enumerate(self._engine.options())]
        words = prompts[prompt] if 0 <= prompt < len(prompts) else ""
        found = gathering(self.program, slots)
        if found is not None:
            return Decision(seat, words, tuple(options), found.asked(seat), found.waiting)
        asked = self.program.sheet.result.get("asked")
        actor = -1 if asked is None else slots[asked]
        return Decision(seat, words, tuple(options), actor, (seat,))

    def choose(self, choice: Option | int | str, seat: int | None = None) -> None:
        """Take an option: the option itself, its number, or its text. Runs on to the next decision.

        Where several seats choose at the same time, `seat` says who it is; without it, it is the first who
        has not chosen. Raises ChoiceError when it is not on offer and MatchFault when the rules fail; the
        match then stays as it was.
        """
        if self._engine.peek(TOGETHER) and self._engine.peek(STATUS) == DECISION:
            self._choose_together(choice, seat)
            return
        if seat is not None:
            self._index(choice, seat)
        index = choice if type(choice) is int else self._index(choice)
        engine = self._engine
        if not self._busy.acquire(blocking=False):
            raise MatchError(SHARED)
        try:
            happened = self._happened()
            open_ended = engine.step(index)
        except IndexError:
            self._index(choice)  # says why
            raise
        except Fault as fault:
            raise MatchFault(fault, fault.where(self.program.sheet.sites)) from None
        finally:
            self._busy.release()
        if open_ended:
            self._undo.append(_Before(engine.before(), happened))
        else:
            self._undo.clear()
        self._choices.append(index)
        self._stopped()

    def _choose_together(self, choice: Option | int | str, seat: int | None) -> None:
        """One of those who choose at the same time has chosen."""
        if type(choice) is int:
            said, choice = unseated(choice)
            seat = said if seat is None else seat
        first = self.decision
        assert first is not None
        seat = first.seat if seat is None else seat
        index = self._index(choice, seat)
        engine, happened = self._engine, self._happened()
        began = self._gathered or _Gathered(engine.state(), happened, len(self._choices))
        which = number_of(engine)
        focus(engine, seat)
        try:
            engine.step(index)
        except Fault as fault:
            focus(engine, None)
            raise MatchFault(fault, fault.where(self.program.sheet.sites)) from None
        self._undo.clear()
        self._gathered = began if number_of(engine) == which else None
        self._choices.append(seated(seat, index))
        self._stopped()

    def _index(self, choice: Option | int | str, seat: int | None = None) -> int:
        decision = self.decision
        if decision is None:
            raise ChoiceError("the match has ended, there is nothing to choose")
        if seat is not None:
            decision = self.decision_of(seat)
            if decision is None:
                raise ChoiceError(f"seat {told(seat)} has nothing to choose now")
        match choice:
            case Option():
                if choice not in decision.options:
                    raise ChoiceError(f"{told(choice.text)} is not on offer now")
                return decision.options.index(choice)
            case str():
                wanted = choice.strip().casefold()
                found = [option.index for option in decision.options if option.text.casefold() == wanted]
                if not found:
                    raise ChoiceError(f"{told(choice)} is not on offer now")
                if len(found) > 1:
                    raise ChoiceError(f"{len(found)} options read {told(choice)}: choose by number")
                return found[0]
            case _:
                index = whole(choice)
                if index is None or not is_index(index, len(decision.options)):
                    offered = f"there are {len(decision.options)}, counted from 0"
                    raise ChoiceError(f"there is no option {told(choice)}: {offered}")
                return index

    def _takes_back(self, last: _Before) -> bool:
        """Whether the last choice may be undone: its maker learned nothing by it."""
        old, new = struct.unpack(f"<{len(last.state) // 4}i", last.state), self.slots()
        knew = Knowledge(self.program, old, old[SEAT])
        for event in self.events[last.events :]:
            kind = kinds.KINDS.get(event.kind)
            if kind is None or kind.undo == kinds.NEVER:
                return False
            if kind.undo == kinds.KNOWN and not knew.knows(event.a):
                return False
        if not Knowledge(self.program, new, old[SEAT]).cards <= knew.cards:
            return False
        return not has_learned(self.program, last.state, self._choices[-1], old[SEAT])

    def may_undo(self, seat: int) -> bool:
        """Whether this seat may take its last choice back now: while it decides, or, where several choose at
        the same time, until all have chosen."""
        if self._gathered is not None:
            return self._answer_of(seat) is not None
        decision = self.decision
        return decision is not None and decision.seat == seat and self.can_undo

    def _answer_of(self, seat: int) -> int | None:
        """Which of the choices is the last that a seat made among those who choose at the same time."""
        began = len(self._choices) if self._gathered is None else self._gathered.choices
        made = range(len(self._choices) - 1, began - 1, -1)
        return next((k for k in made if unseated(self._choices[k])[0] == seat), None)

    @property
    def can_undo(self) -> bool:
        """Whether the seat that decides may take its last choice back."""
        if self._gathered is not None:
            return self.decision is not None and self.may_undo(self.decision.seat)
        if self._undo and self._undo_is_fair is None:
            self._undo_is_fair = self._takes_back(self._undo[-1])
            if not self._undo_is_fair:
                self._undo.clear()
        return bool(self._undo)

    def undo(self, seat: int | None = None) -> None:
        """Take the last choice back. Allowed while the same seat decides and nothing was revealed; where
        several choose at the same time, until all have chosen, for the seat that is named (or whoever chose
        last). Raises MatchError otherwise.
        """
        if self._gathered is not None:
            self._change_mind(self._gathered, seat)
            return
        if seat is not None and not self.may_undo(seat):
            raise MatchError("nothing to take back: it revealed something, or another seat decides now")
        if not self.can_undo:
            raise MatchError("nothing to take back: it revealed something, or another seat decides now")
        before = self._undo.pop()
        self._return(before.state, before.events, len(self._choices) - 1)

    def _change_mind(self, began: _Gathered, seat: int | None) -> None:
        """Ask all anew, and let those choose again as they did who stay with it."""
        chosen = self._choices[began.choices :]
        taken = len(self._choices) - 1 if seat is None else self._answer_of(seat)
        if taken is None:
            raise MatchError("nothing to take back: this seat has not chosen yet")
        del chosen[taken - began.choices]
        self._return(began.state, began.events, began.choices)
        self._gathered = None
        for choice in chosen:
            self._choose_together(choice, None)

    def _return(self, state: bytes, events: int, choices: int) -> None:
        self._engine.load(state)
        self._forget(events)
        del self._choices[choices:]
        self._decision = None
        self._undo_is_fair = None

    def checkpoint(self) -> Checkpoint:
        """Where the match stands, for a caller that may have to take a choice back as if it never was."""
        undo = tuple(self._undo)
        return Checkpoint(self._engine.state(), self._happened(), len(self._choices), undo, self._gathered)

    def back(self, point: Checkpoint) -> None:
        """Go back to a checkpoint from which only choices were made; not a move of any player."""
        self._return(point.state, point.events, point.choices)
        self._undo, self._gathered = list(point.undo), point.gathered

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The match as a seat may see it (None: a spectator), ready for JSON. See `play.view`.

        A seat that has to choose also finds its `options` there.
        """
        found = view(self.program, self.slots(), self._seat(seat))
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
        seat = self._seat(seat)
        self._file()
        return [event for _, event in self._logs[seat][start:]]

    def logged(self, seat: int | None = None) -> int:
        """How many events `log` has."""
        seat = self._seat(seat)
        self._file()
        return len(self._logs[seat])

    def event_number(self, seat: int | None, line: int) -> int:
        """Which of all events a line of `log` tells of; -1 when there is no such line."""
        seat = self._seat(seat)
        self._file()
        log = self._logs[seat]
        return log[line][0] if 0 <= line < len(log) else -1

    def _seat(self, seat: int | None) -> int | None:
        """A seat of this match, or nobody's. Raises MatchError for any other."""
        if seat is None:
            return None
        if not is_index(seat, len(self.players)):
            raise MatchError(f"there is no seat {told(seat)}: seats are 0 to {len(self.players) - 1}")
        return whole(seat)

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
        if self._engine.peek(STATUS) != ENDED:
            return None
        return result_of(self.program, self.slots())

    @property
    def hash(self) -> int:
        """64 bits that name the state: equal states have equal hashes on every engine."""
        return self._engine.hash()

    @property
    def replay(self) -> Replay:
        """The match so far as seed and choices, to be stored or played again."""
        return Replay(
            program=self.program.digest,
            seed=self.seed,
            players=self.players,
            options=dict(self.options),
            choices=tuple(self._choices),
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
        return snapshot.pack(self.replay, self._engine.state())

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
        match._choices = list(replay.choices)
        try:
            match._engine.dice(seed)
            match._engine.load(state)
            slots = match.slots()
            if slots[STATUS] not in (DECISION, ENDED):
                raise ValueError("it stands neither at a decision nor at the end")
            if slots[DECISIONS] != len(replay.choices):
                raise ValueError("its state and its choices are not of one match")
            check_state(program, slots, len(players))
            match._engine.options()
            if match._engine.state() != state:
                raise ValueError("it does not ask what its state says")
        except (ValueError, Fault) as error:
            raise MatchError(f"the snapshot is damaged: {error}") from None
        return match
