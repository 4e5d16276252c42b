"""Which dice and turned-up cards counted, what they came to, and against what.

In:  the trace of a choice, its tests as far as a reader may know them.
Out: Tallies: the part that each die of a roll has, what is made of them ("Successes 3"), and the test
     that they decided ("3 against 1").

Dice that are counted by their faces are one roll; others are one that a rule rolled in a row. What it comes
to is the smallest number in which all of its dice that are ever used have a part: `Successes - Botches`, so
that a botch is seen to take away. A roll that is used nowhere, or in something that the reader may not know,
has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulewright.ir import events as kinds
from rulewright.play.terms import BOUNDED, DIE, NAMED, SUM, TALLY, Leaf, Term, Test, leaves
from rulewright.play.tracing import Trace

Units = frozenset[tuple[int, int]]
"""What has a part in a number: (handful, face), (ROW, event of a die) or (FLIP, card)."""
ROW, FLIP = -1, -2
TABLE = 2
"""A number that is compared more often in one place is looked up in a table: nothing is decided yet."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One roll. `dice` has the event (or line) of each die or card and its part: 1 counts, -1 takes away,
    0 does neither."""

    dice: tuple[tuple[int, int], ...]
    text: str
    against: str


@dataclass(frozen=True, slots=True)
class Reader:
    """What somebody may know of a trace, and how it is said."""

    tests: list[Test]
    """Those that dice decided."""
    readable: Callable[[Test], bool]
    """Whether any other test may be known, and says something."""
    open: Callable[[int], bool]
    told: Callable[[int], bool]
    """Whether there is a line for this event."""
    figures: Callable[[int], str]
    flip: Callable[[int], bool]
    """Whether this event turned up a card that lay hidden."""


@dataclass(frozen=True, slots=True)
class _Roll:
    events: tuple[int, ...]
    handful: int

    def has(self, unit: tuple[int, int]) -> bool:
        return unit[0] == self.handful and (self.handful != ROW or unit[1] in self.events)


def tallied(trace: Trace, reader: Reader) -> tuple[Tally, ...]:
    """The rolls of a choice, as a reader may know them; cards that were turned up after them."""
    counter = _Counter(trace, reader)
    return (*counter.rolled(), *counter.flipped())


class _Counter:
    def __init__(self, trace: Trace, reader: Reader) -> None:
        self.trace, self.reader = trace, reader
        self.known: dict[int, Units] = {}
        made = [event[5] for event in trace.events if event[0] == kinds.CHANGE]
        read = [side for test in trace.tests if test.site > 0 for side in (test.left, test.right)]
        self.values = _inside([*made, *read])
        """Every number of which the rules of the book have made something."""
        self.rolls = sorted([*self.handfuls(), *self.rows()], key=lambda roll: roll.events)
        places = [(test.site, id(test.left)) for test in reader.tests]
        self.tests = [
            test
            for test, at in zip(reader.tests, places, strict=True)
            if places.count(at) <= TABLE and self.units(test.left) != self.units(test.right)
        ]
        self.left = {event for value in trace.dropped for kind, event in self.units(value) if kind == ROW}
        """Dice that were rolled to be passed over."""

    def handfuls(self) -> Iterator[_Roll]:
        for number, dice in enumerate(self.trace.handfuls):
            if dice:
                yield _Roll(tuple(die.place[0] for die in dice), number)

    def rows(self) -> Iterator[_Roll]:
        """Dice that a rule rolled one after the other."""
        counted = {die.place[0] for dice in self.trace.handfuls for die in dice}
        row: list[int] = []
        for event in sorted(set(self.trace.rolled) - counted):
            if row and (event != row[-1] + 1 or self.trace.events[event][1] != self.trace.events[row[-1]][1]):
                yield _Roll(tuple(row), ROW)
                row = []
            row.append(event)
        if row:
            yield _Roll(tuple(row), ROW)

    def rolled(self) -> Iterator[Tally]:
        waiting = list(reversed(self.rolls))
        while waiting:
            roll = waiting.pop()
            made = self.made(roll)
            if made is None or not self.reader.open(made) or not all(map(self.reader.told, roll.events)):
                continue
            part = dict(_parts(made, 1))
            others = [event for event in roll.events if event not in part and event not in self.left]
            if roll.handful == ROW and others:  # they are about something else
                waiting.append(_Roll(tuple(others), ROW))
                roll = _Roll(tuple(event for event in roll.events if event not in others), ROW)
            dice = tuple((event, part.get(event, 0)) for event in roll.events)
            tally = Tally(dice, self.text(made, len(roll.events)), self.against(roll, made))
            if tally.text or tally.against:
                yield tally

    def flipped(self) -> Iterator[Tally]:
        """Cards that were turned up and then decided something."""
        flips = {int(event[2]): i for i, event in enumerate(self.trace.events) if self.reader.flip(i)}
        for test in self.trace.tests if flips else ():
            units = self.units(test.left) | self.units(test.right)
            shown = [card for kind, card in units if kind == FLIP and flips.get(card, test.at) < test.at]
            if shown and self.reader.readable(test) and (against := self.compared(test, frozenset())):
                yield Tally(
                    tuple((event, 1) for event in sorted(flips.pop(card) for card in shown)), "", against
                )

    def made(self, roll: _Roll) -> Term | None:
        """What a roll came to."""
        covers = [(sum(map(roll.has, self.units(value))), value) for value in self.values]
        most = max((count for count, _ in covers), default=0)
        found = [value for count, value in covers if count == most]
        return min(found, key=lambda value: len(_inside([value]))) if most else None

    def text(self, made: Term, dice: int) -> str:
        """What a roll came to in words and figures; nothing where one die says it all."""
        name, top = "", made
        while (over := next((value for value in self.values if _wraps(value, top)), None)) is not None:
            name, top = name or over.label, over
        first, *rest = leaves(made) or [Leaf(1, made, 0)]
        rest = [leaf for leaf in rest if leaf.value]
        # What is taken away is taken away from something, even from nothing.
        found = [first, *rest] if first.value or not rest or rest[0].sign < 0 else rest
        labels = [
            leaf.value.label for leaf in found if isinstance(leaf.value, Term) and leaf.value.kind == NAMED
        ]
        if not labels or len(labels) < len(found):
            return _named(name, top) if name or dice > 1 else ""
        words = (
            "".join(
                f" {'-' if leaf.sign < 0 else '+'} {_named(label, leaf.value)}"
                for leaf, label in zip(found, labels, strict=True)
            )
            .removeprefix(" + ")
            .strip()
        )
        return f"{words} = {int(top)}" if len(found) > 1 or top != found[0].value else words

    def against(self, roll: _Roll, made: Term) -> str:
        """The test that this roll decided, being the last that it needed."""
        mine = frozenset(filter(roll.has, self.units(made)))
        for test in self.tests:
            units = self.units(test.left) | self.units(test.right)
            if mine <= units and max(self.ends(units), default=-1) in roll.events:
                return self.compared(test, mine)
        return ""

    def ends(self, units: Units) -> Iterator[int]:
        """The last die of each roll."""
        for kind, event in units:
            if kind == ROW:
                yield event
            elif kind >= 0:
                yield from (max(roll.events) for roll in self.rolls if roll.handful == kind)

    def compared(self, test: Test, mine: Units) -> str:
        """A test as one number against another; a difference that is compared with nothing is two."""
        sides = test.left, test.right
        if (
            not test.right
            and isinstance(test.left, Term)
            and test.left.kind == SUM
            and test.left.label == "-"
        ):
            sides = test.left.left, test.left.right
        if mine <= self.units(sides[1]) and not mine <= self.units(sides[0]):
            sides = sides[1], sides[0]
        return " against ".join(map(self.reader.figures, sides)) if any(sides) else ""

    def units(self, value: int) -> Units:
        if not isinstance(value, Term):
            return frozenset()
        if id(value) not in self.known:
            self.known[id(value)] = self._units(value)
        return self.known[id(value)]

    def _units(self, value: Term) -> Units:
        match value.kind:
            case "die":
                return frozenset([(ROW, value.place[0])])
            case "card":
                return frozenset([(FLIP, value.place[0])])
            case "tally":
                return frozenset([value.place])
            case "sum" | "named" | "bounded":
                return self.units(value.left) | self.units(value.right)
            case "truth" if value.test is not None:  # what is printed on a card is found by its face
                sides = self.units(value.test.left) | self.units(value.test.right)
                return frozenset(unit for unit in sides if unit[0] == FLIP)
            case _:
                return frozenset()


def _inside(values: list[int]) -> list[Term]:
    """Each Term that numbers are made of, once; a test that made something so is no part of it."""
    found: dict[int, Term] = {}
    waiting = list(values)
    while waiting:
        one = waiting.pop()
        if isinstance(one, Term) and id(one) not in found:
            found[id(one)] = one
            if one.kind in (SUM, NAMED, BOUNDED):
                waiting += [one.left, one.right]
    return list(found.values())


def _wraps(value: Term, inner: Term) -> bool:
    return value.kind in (NAMED, BOUNDED) and value.left is inner


def _parts(value: int, sign: int) -> Iterator[tuple[int, int]]:
    """The dice of a number, and whether they add to it or are taken away."""
    if not isinstance(value, Term):
        return
    if value.kind == DIE:
        yield value.place[0], sign
    elif value.kind == TALLY:
        yield from _parts(value.left, sign)
        yield from _parts(value.right, sign)
    elif value.kind in (SUM, NAMED, BOUNDED) and not (
        value.label == "*" and not (value.left and value.right)
    ):
        yield from _parts(value.left, sign)
        yield from _parts(value.right, -sign if value.kind == SUM and value.label == "-" else sign)


def _named(label: str, value: int) -> str:
    return f"{label[:1].upper()}{label[1:]} {int(value)}".strip()
