"""Set up and test a position: items against the slots of an engine.

In:  an Engine at a stop, Items.
Out: changed slots (`give`), or a sentence that names both values (`test`).

`Health 3` in an expectation compares what the rules read, with everything that modifies it, because that is
what `[Health]` means in a book; `stored Health 3` compares the store. A position sets the store.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Sequence
from struct import unpack

from rulewright.ir.program import ENDED, STATUS, Program, code_of
from rulewright.ir.sheet import Field
from rulewright.play.engine import Engine
from rulewright.play.knowledge import find_field
from rulewright.play.reference import ReferenceEngine
from rulewright.play.results import result_of
from rulewright.play.words import name_of
from rulewright.testing.cards import Cards
from rulewright.testing.items import (
    Ended,
    HasStatus,
    InPlay,
    Item,
    Members,
    Pile,
    Scores,
    Subject,
    Value,
    read_items,
    subjects,
)
from rulewright.testing.names import NameProblem, Names, norm

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _about(item: Item) -> tuple[object, ...]:
    """What a position gives, by name and number: each thing once."""
    match item:
        case Value(field=field, index=index):
            return field.name.lstrip("!"), index
        case HasStatus(status=status, actor=actor):
            return status.name, actor
        case Pile(zone=zone, owner=owner, how=how):
            return zone.name, owner, how
        case _:
            return (item,)


class Position:
    """What one engine's state says, in the words of examples."""

    def __init__(self, engine: Engine, whole: bool = True) -> None:
        """`whole`: the match runs, not only some statements, so when it stops it has ended."""
        self.engine = engine
        self.whole = whole
        self.program: Program = engine.program
        self.names = Names(engine.program, self.slots)
        self.cards = Cards(engine)
        self.log: list[str] = []
        """What has happened so far, in words."""
        self._twin: ReferenceEngine | None = None

    def slots(self) -> Sequence[int]:
        """The state now."""
        state = self.engine.state()
        return unpack(f"<{len(state) // 4}i", state)

    def call(self, function: str, *args: int) -> int:
        """Run a pure function of the Program on this state, whichever engine holds it."""
        engine = self.engine
        if not isinstance(engine, ReferenceEngine):
            if self._twin is None:
                self._twin = ReferenceEngine(self.program)
            engine = self._twin
            engine.load(self.engine.state())
        return int(engine.functions[function](*args))

    def has(self, function: str) -> bool:
        """Whether the Program has this function."""
        return function in self.program.functions

    # ------------------------------------------------------------ lines
    def read(self, text: str) -> list[tuple[Subject, list[Item]]]:
        """`SUBJECT: items` for each subject; without a subject the items are the match's."""
        head, colon, rest = text.partition(":")
        if colon:
            return [
                (subject, read_items(self.names, subject, rest)) for subject in subjects(self.names, head)
            ]
        match = Subject(None, 0, "match")
        return [(match, read_items(self.names, match, text))]

    def give(self, text: str, enter: bool) -> None:
        """Set up what a `given` line says. Raises NameProblem. `enter`: actors named here are in play."""
        for subject, items in self.read(text):
            playing = find_field(self.program, "Actor", "in play")
            if enter and subject.kind == "Actor" and playing is not None:
                self.engine.poke(playing.base + subject.id, 1)
            given = set[tuple[object, ...]]()
            for item in items:
                about = _about(item)
                if about in given:
                    raise NameProblem(f"{about[0]} is given twice")
                given.add(about)
                self.set(item)

    def expect(self, text: str) -> list[str]:
        """What an `expect` line finds otherwise, one sentence each. Raises NameProblem."""
        found: list[str] = []
        for subject, items in self.read(text):
            for item in items:
                problem = self.test(item)
                if problem is not None:
                    found.append(problem if subject.kind is None else f"{subject.name}: {problem}")
        return found

    # ------------------------------------------------------------ setting up
    def set(self, item: Item) -> None:
        """Make it so."""
        match item:
            case InPlay(actor=actor, yes=yes):
                field = find_field(self.program, "Actor", "in play")
                if field is not None:
                    self.engine.poke(field.base + actor, int(yes))
            case Value(field=field, index=index, op="=", value=value):
                if field.holds is None and not field.low <= value <= field.high:
                    raise NameProblem(
                        f"{field.name} is from {field.low} to {field.high}, it cannot be {value}"
                    )
                self.engine.poke(field.base + index, self.held(field, value))
            case HasStatus(status=status, actor=actor, yes=yes):
                parts = [item.turns or 0, 1 if item.stacks is None else item.stacks, item.power or 0]
                parts.append(0 if item.source is None else item.source + 1)
                for i, part in enumerate(parts):
                    self.engine.poke(status.base + 4 * actor + i, part if yes else 0)
            case Pile(zone=zone, owner=owner, how="is" | "top" | "bottom", faces=faces):
                self.cards.give(zone, owner, item.how, faces)
            case Members(order=order, actors=actors):
                if len(actors) > order.capacity:
                    raise NameProblem(f"{order.name} holds at most {order.capacity}")
                before = self.engine.peek(order.base)
                self.engine.poke(order.base, len(actors))
                for i in range(max(before, len(actors))):
                    self.engine.poke(order.base + 2 + i, actors[i] if i < len(actors) else 0)
            case Pile() | Value():
                raise NameProblem("a position says exactly what is there; this can only be expected")
            case _:
                raise NameProblem("this can be expected, but not given")

    def held(self, field: Field, value: int) -> int:
        """The value to store: fields that hold cards are given a face, and hold a card with it."""
        if field.holds != "Card" or value < 0:
            return value
        count = len(self.program.sheet.things.get("Card", ()))
        found = next((card for card in range(count) if self.cards.face(card) == value), None)
        if found is None:
            raise NameProblem(f"no card {name_of(self.program, 'Face', value)} is in the match")
        return found

    # ------------------------------------------------------------ testing
    def test(self, item: Item) -> str | None:
        """What is otherwise, or None."""
        match item:
            case InPlay(actor=actor, yes=yes):
                now = self.plays(actor)
                words = ("out of play", "in play")
                return None if now == yes else f"expected {words[yes]}, is {words[now]}"
            case Value():
                return self._value(item)
            case HasStatus():
                return self._status(item)
            case Pile():
                return self._pile(item)
            case Members(order=order, actors=actors):
                count = self.engine.peek(order.base)
                now = tuple(self.engine.peek(order.base + 2 + i) for i in range(count))
                if now == actors:
                    return None
                return f"{order.name}: expected {self.list('Actor', actors)}; is {self.list('Actor', now)}"
            case Ended(ending=ending, yes=yes):
                return self._ended(ending, yes)
            case Scores(word=word, numbers=numbers):
                wanted = f"expected {word} {' '.join(map(str, numbers))}"
                if not self.ended:
                    return f"{wanted}, but the match has not ended"
                found = result_of(self.program, self.slots())
                now = {"result": found.scores, "ranks": found.ranks, "scores": found.points}[word]
                if now is None:
                    return f"{wanted}, but this ending gives none"
                return None if now == numbers else f"{wanted}, is {' '.join(map(str, now))}"

    def read_value(self, field: Field, index: int) -> int:
        """A field as the rules read it."""
        get = code_of(self.program, field).get
        return self.call(get, index) if self.has(get) else self.engine.peek(field.base + index)

    def plays(self, actor: int) -> bool:
        """Whether an actor is in play."""
        field = find_field(self.program, "Actor", "in play")
        return field is None or self.engine.peek(field.base + actor) != 0

    def _value(self, item: Value) -> str | None:
        field, stored = item.field, self.engine.peek(item.field.base + item.index)
        now = stored if item.stored else self.read_value(field, item.index)
        stands = (field.of, field.name) == (("Actor",), "place")
        if stands and (item.value < 0 or item.op != "=") and not self.plays(item.index):
            now = -1  # whoever has left play stands nowhere; `at` still tells where that was
        if field.holds == "Card" and now >= 0:
            now = self.cards.face(now)
        if OPERATORS[item.op](now, item.value):
            return None
        kind = "Face" if field.holds == "Card" else field.holds or "number"
        slots = self.slots()
        name = field.name
        if len(field.of) == 2:
            name = f"{name} of {name_of(self.program, field.of[1], item.index % field.counts[1], slots)}"
        sign = "" if item.op == "=" else f"{item.op} "
        wanted, is_ = (
            "nowhere" if stands and value < 0 else name_of(self.program, kind, value, slots)
            for value in (item.value, now)
        )
        more = (
            f" (stored {name_of(self.program, kind, stored, slots)})"
            if field.holds is None and stored != now
            else ""
        )
        return f"expected {name} {sign}{wanted}, is {is_}{more}"

    def _status(self, item: HasStatus) -> str | None:
        status = item.status
        turns, stacks, power, source = (self.engine.peek(status.base + 4 * item.actor + i) for i in range(4))
        there = stacks > 0
        if not there:
            return f"expected {status.name}, does not have it" if item.yes else None
        by = name_of(self.program, "Actor", source - 1)
        words = f"{status.name} {stacks} for {turns} turns, power {power}, by {by}"
        if not item.yes:
            return f"expected no {status.name}, has {words}"
        wanted = ((item.stacks, stacks, "stacks"), (item.turns, turns, "turns"), (item.power, power, "power"))
        for want, now, what in wanted:
            if want is not None and want != now:
                return f"expected {status.name} with {what} {want}, has {words}"
        if item.source is not None and item.source != source - 1:
            return f"expected {status.name} by {name_of(self.program, 'Actor', item.source)}, has {words}"
        return None

    def _pile(self, item: Pile) -> str | None:
        now = [self.cards.face(card) for card in self.cards.pile(item.zone, item.owner)][::-1]
        wanted = list(item.faces)
        size = len(wanted)
        match item.how:
            case "count":
                if len(now) == item.count:
                    return None
                held = f"there are {len(now)}: {self.list('Face', now)}"
                return f"expected {item.count} cards in {item.zone.name}, {held}"
            case "top":
                fits = now[:size] == wanted
            case "bottom":
                fits = now[-size:] == wanted if size else True
            case "has":
                fits = not Counter(wanted) - Counter(now)
            case "without":
                fits = not Counter(wanted) & Counter(now)
            case _:
                fits = Counter(now) == Counter(wanted)
        how = "" if item.how == "is" else f"{item.how} "
        return (
            None
            if fits
            else f"expected {item.zone.name} {how}{self.list('Face', wanted)}; is {self.list('Face', now)}"
        )

    @property
    def ended(self) -> bool:
        """Whether the rules have ended the match."""
        slot = self.program.sheet.result.get("ending")
        if slot is not None and self.engine.peek(slot) > 0:
            return True
        return self.whole and self.engine.peek(STATUS) == ENDED

    def _ended(self, ending: str, yes: bool) -> str | None:
        if not self.ended:
            return (
                f"expected the end of the match{f' with {ending}' if ending else ''}, it goes on"
                if yes
                else None
            )
        now = result_of(self.program, self.slots()).ending
        if not yes:
            return (
                f"the match has ended{f' with {now}' if now else ''}"
                if not ending or norm(now) == norm(ending)
                else None
            )
        return (
            None
            if not ending or norm(now) == norm(ending)
            else f"expected the ending {ending}, is {now or 'none'}"
        )

    def list(self, kind: str, things: Sequence[int]) -> str:
        """Names with commas."""
        return ", ".join(name_of(self.program, kind, thing) for thing in things) or "nothing"
