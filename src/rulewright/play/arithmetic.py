"""Why something happened, as arithmetic: the test that was met and the sum that was made, with their numbers.

In:  a match, the number of an event, a reader.
Out: Sentences: "14 + 5 >= 11: yes", "3 + 4 + 2 = 9", and what each number is: a die, a field, a card, a rule.

The choice that led to the event is made again by a Tracer. A sentence with a number in it that the reader may
not know is left out as a whole: the others would tell it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rulewright.ir import events as kinds
from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.ir.sheet import ALL, NOBODY
from rulewright.play.engine import OptionRow
from rulewright.play.faults import Fault, MatchError
from rulewright.play.knowledge import Knowledge, as_read, bit
from rulewright.play.match import Match
from rulewright.play.replay import Replay
from rulewright.play.setup import EngineMaker
from rulewright.play.tallies import Reader, Tally, tallied
from rulewright.play.terms import (
    BOUNDED,
    DIE,
    FIELD,
    NAMED,
    SUM,
    TALLY,
    Leaf,
    Term,
    Test,
    by_chance,
    leaves,
    parts,
)
from rulewright.play.together import focus, unseated
from rulewright.play.tracing import Trace, Tracer
from rulewright.play.words import name_of

ORDERED = {">=": "\N{GREATER-THAN OR EQUAL TO}", "<=": "\N{LESS-THAN OR EQUAL TO}", ">": ">", "<": "<"}
"""Comparisons that people make with numbers."""
MOST = 4
"""Sentences that anybody reads."""
STARTS = (kinds.RULE, kinds.CHOSEN, kinds.FORCED)
"""Events that begin something."""


@dataclass(frozen=True, slots=True)
class Source:
    """One number of a sentence and what it is."""

    value: int
    what: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A test or a sum in figures, under the title of its rule, with what each of them is."""

    title: str
    text: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """A match as it was played so far: enough to play it again, away from the match itself."""

    program: Program
    replay: Replay
    engine: EngineMaker


def past(match: Match) -> Past:
    """What is needed to look back at a match."""
    return Past(match.program, match.replay, type(match.engine))


def arithmetic(match: Match, number: int, seat: int | None) -> tuple[Sentence, ...]:
    """What made an event of a match happen, as the seat may know it; nothing where no number was involved.

    `number` counts all events of the match. It may take a while: the match is played again up to there.
    """
    return explained(past(match), number, seat)


def explained(before: Past, number: int, seat: int | None) -> tuple[Sentence, ...]:
    """The same, of a match that may have gone on in the meantime."""
    return looked_back(before, number, seat).sums


@dataclass(frozen=True, slots=True)
class Looked:
    """The arithmetic of an event, and all rolls of the choice that led to it, by the reader's lines."""

    sums: tuple[Sentence, ...] = ()
    tallies: tuple[Tally, ...] = ()


def looked_back(before: Past, number: int, seat: int | None) -> Looked:
    """The arithmetic of an event and the rolls around it, of a match that may have gone on meanwhile."""
    found = _again(before, number)
    if found is None:
        return Looked()
    made, first, twin = found
    writer = _writer(before.program, made, before.replay.seed, seat)
    rolls = [
        replace(one, dice=tuple((line_of(twin, seat, first + at), part) for at, part in one.dice))
        for one in writer.tallies()
    ]
    return Looked(tuple(dict.fromkeys(writer.about(number - first)))[:MOST], tuple(rolls))


def line_of(match: Match, seat: int | None, event: int) -> int:
    """Which line of a seat's log tells of an event; -1 when none does."""
    lines = range(match.logged(seat))
    line = bisect_left(lines, event, key=lambda one: match.event_number(seat, one))
    return line if line < len(lines) and match.event_number(seat, line) == event else -1


class Made(NamedTuple):
    """A choice that was made: what was chosen, and the slots before and after it."""

    option: OptionRow
    before: tuple[int, ...]
    after: tuple[int, ...]


def reckoned(program: Program, made: Made, seed: int, seat: int | None, *events: int) -> tuple[Sentence, ...]:
    """What made events of one choice happen, counted from the first of the choice."""
    writer = _writer(program, made, seed, seat)
    return tuple(s for number in events for s in tuple(dict.fromkeys(writer.about(number)))[:MOST])


def _writer(program: Program, made: Made, seed: int, seat: int | None) -> _Writer:
    trace = Tracer(program, made.before, seed).take(made.option)
    return _Writer(program, trace, Knowledge(program, made.before, seat), made.after, seat)


def _again(before: Past, number: int) -> tuple[Made, int, Match] | None:
    """The choice that led to an event, the number of its first event, and the match right after it."""
    program, replay = before.program, before.replay
    try:
        twin = Match(
            program,
            replay.players,
            replay.seed,
            dict(replay.options),
            engine=before.engine,
            carried=replay.carried,
        )
        happened = len(twin.events)
        if number < happened:
            return None  # it was so from the beginning
        for choice in replay.choices:
            seat, option = unseated(choice)
            if seat is not None:
                focus(twin.engine, seat)
            old, payload = twin.slots(), twin.engine.options()[option]
            twin.choose(choice)
            if number < len(twin.events):
                return Made(payload, old, twin.slots()), happened, twin
            happened = len(twin.events)
    except (Fault, MatchError, IndexError):
        return None
    return None


class _Writer:
    """Sentences about one choice, for one reader."""

    def __init__(
        self, program: Program, trace: Trace, know: Knowledge, after: Sequence[int], seat: int | None
    ) -> None:
        self.program = program
        self.trace = trace
        self.know = know
        self.later = Knowledge(program, after, seat)
        self.seat = seat
        self.tests = [test for test in trace.tests if test.chance and self.readable(test)]

    def readable(self, test: Test) -> bool:
        """Whether a test says something, and the reader may know it."""
        titled = test.site > 0 and test.op in ORDERED and self.title(test.site)
        return bool(titled) and not _guards(test) and self.open(test.left, test.right)

    def about(self, index: int) -> Iterator[Sentence]:
        """Everything that explains an event of the choice."""
        events = self.trace.events
        if not 0 <= index < len(events):
            return
        kind = int(events[index][0])
        if kind in STARTS:
            end = next((i for i in range(index + 1, len(events)) if events[i][0] in STARTS), len(events))
            yield from self.tested(index, end)
            changes = [i for i in range(index, end) if events[i][0] == kinds.CHANGE]
            for i in sorted(changes, key=lambda i: not by_chance(events[i][5])):
                yield from self.change(i)
        elif kind == kinds.ROLL and index in self.trace.rolled:
            yield from self.thrown(self.trace.rolled[index])
        else:
            start = next((i for i in range(index, -1, -1) if events[i][0] in STARTS), 0)
            yield from self.change(index)
            yield from self.tested(start, index)

    def tallies(self) -> tuple[Tally, ...]:
        """What became of each roll."""
        reader = Reader(self.tests, self.readable, self.open, self.told, _summed, self.flip)
        return tallied(self.trace, reader)

    def flip(self, index: int) -> bool:
        """Whether a card was turned up that nobody saw before, where all see it."""
        kind, _, card, left, reached, *_ = self.trace.events[index]
        return kind == kinds.CARD and card >= 0 and self.shows(left) == NOBODY and self.shows(reached) == ALL

    def shows(self, place: int) -> str:
        """Who sees the cards of a zone, which is counted among those of all owners from 1."""
        sheet, left = self.program.sheet, int(place) - 1
        for zone in sheet.zones if left >= 0 else ():
            left -= len(sheet.things.get(zone.of, ())) if zone.of else 1
            if left < 0:
                return zone.seen
        return ""

    def tested(self, start: int, end: int) -> Iterator[Sentence]:
        """The last tests that dice or cards decided between two events."""
        yield from self.said([test for test in self.tests if start <= test.at <= end])

    def said(self, tests: list[Test]) -> Iterator[Sentence]:
        """Tests in figures, the last two; a number that is compared again and again is read in a table."""
        groups: dict[tuple[int, int], list[Test]] = {}
        for test in tests:
            groups.setdefault((test.site, id(test.left)), []).append(test)
        told: dict[Sentence, tuple[int, int]] = {}
        for group in groups.values():
            for test in group:
                told[self.read(test) if len(group) > 2 else self.test(test)] = (test.left, test.right)
        for sentence, sides in list(told.items())[-2:]:
            yield sentence
            for side in sides:
                yield from self.inner(side)

    def read(self, test: Test) -> Sentence:
        """A number that was looked up in a table: compared with one row after the other."""
        found = _counted(test.left)
        text = str(int(test.left)) if len(found) < 2 else f"{_figures(found)} = {int(test.left)}"
        return Sentence(self.title(test.site), text, self.sources(test.left))

    def thrown(self, die: Term) -> Iterator[Sentence]:
        """What a die had a part in."""
        yield from self.said([t for t in self.tests if _holds(t.left, die) or _holds(t.right, die)])
        for index, event in enumerate(self.trace.events):
            if event[0] == kinds.CHANGE and _holds(event[5], die):
                yield from self.change(index)

    def test(self, test: Test) -> Sentence:
        """A comparison in figures."""
        left, right = _figures(_counted(test.left)), _figures(_counted(test.right))
        text = f"{left} {ORDERED[test.op]} {right}: {'yes' if test.holds else 'no'}"
        return Sentence(self.title(test.site), text, (*self.sources(test.left), *self.sources(test.right)))

    def change(self, index: int) -> Iterator[Sentence]:
        """How a number came to be what it is now."""
        event = self.trace.events[index]
        if event[0] != kinds.CHANGE or not self.open(event[5]) or not self.told(index):
            return
        if not self.program.sheet.fields[int(event[2])].shown:
            return
        made = event[5]
        bounded = isinstance(made, Term) and made.kind == BOUNDED
        sum_ = made.left if isinstance(made, Term) and bounded else made
        found = _counted(sum_)
        if len(found) < 2:
            return
        title = self.title(int(event[1])) or self.program.sheet.fields[int(event[2])].name
        stop = f", which becomes {int(made)}" if bounded else ""
        yield Sentence(title, f"{self.summed(found, int(sum_))}{stop}", self.sources(sum_))
        yield from self.inner(sum_)

    def summed(self, found: list[Leaf], result: int) -> str:
        """A sum; where several numbers change one that was there, what they come to first."""
        first, *rest = found
        if len(rest) < 2 or not isinstance(first.value, Term) or first.value.kind != FIELD:
            return f"{_figures(found)} = {result}"
        by = sum(leaf.sign * int(leaf.value) for leaf in rest)
        if by < 0:
            rest = [Leaf(-leaf.sign, leaf.value, leaf.site) for leaf in rest]
        step = f"{'-' if by < 0 else '+'} {abs(by)}"
        return f"{_figures(rest)} = {abs(by)}; {int(first.value)} {step} = {result}"

    def inner(self, value: int) -> Iterator[Sentence]:
        """Sums that have a name of their own inside another."""
        for leaf in leaves(value):
            one, label = leaf.value, ""
            while isinstance(one, Term) and one.kind == NAMED:
                label = label or one.label
                found = _counted(one.left)
                if len(found) > 1 and not _is_tally(found):
                    yield Sentence(_capital(label), f"{_figures(found)} = {int(one)}", self.sources(one.left))
                    break
                one = _within(found[0].value) if found else 0

    # ------------------------------------------------------------ words
    def title(self, site: int) -> str:
        sites = self.program.sheet.sites
        return sites[site].title if 0 < site < len(sites) else ""

    def sources(self, value: int) -> tuple[Source, ...]:
        """What each number is."""
        return tuple(Source(int(leaf.value), what) for leaf in _counted(value) if (what := self.source(leaf)))

    def source(self, leaf: Leaf) -> str:
        one = leaf.value
        if not isinstance(one, Term):
            return self.title(leaf.site)
        match one.kind:
            case "field":
                return self.field(*one.place)
            case "die" | "card":
                return one.label
            case "named":
                return _capital(one.label)
            case "sum":
                inner = [self.source(part) for part in (*leaves(one.left), *leaves(one.right))]
                return f" {one.label} ".join(filter(None, inner))
            case "bounded":
                return "as far as it goes"
            case _:
                return self.title(leaf.site)

    def field(self, number: int, owner: int) -> str:
        """Whose number it is."""
        field = self.program.sheet.fields[number]
        owners = divmod(owner, field.counts[1]) if len(field.of) == 2 else (owner,)
        pairs = zip(field.of, owners, strict=False)
        who = ", ".join(name_of(self.program, kind, index, self.know.slots) for kind, index in pairs)
        return f"{who}: {field.name}" if who else field.name

    # ------------------------------------------------------------ who may know
    def open(self, *values: int) -> bool:
        """Whether the reader may know every number in these."""
        return all(self.knows(part) for value in values for part in parts(value))

    def knows(self, part: Term) -> bool:
        match part.kind:
            case "field":
                field = self.program.sheet.fields[part.place[0]]
                return self.know.sees_field(field, part.place[1]) or self.later.sees_field(
                    field, part.place[1]
                )
            case "card":
                return self.know.knows(part.place[0]) or self.later.knows(part.place[0])
            case "die":
                return part.place[0] >= 0 and self.told(part.place[0])
            case "named":
                return not part.chance or self.all_told
            case "kept":
                return bool(part.place[0] & bit(self.seat))
            case _:
                return True

    def told(self, index: int) -> bool:
        """Whether the reader is told of an event."""
        row = self.trace.events[index]
        event = Event(*(int(part) for part in row))
        return as_read(self.program, event, self.seat) is not None

    @property
    def all_told(self) -> bool:
        """Whether the reader is told of every die of this choice."""
        rolls = [i for i, event in enumerate(self.trace.events) if event[0] == kinds.ROLL]
        return all(self.told(index) for index in rolls)


def _within(value: int) -> int:
    """What was multiplied and divided and came out as it went in."""
    if isinstance(value, Term) and value.kind == SUM and value.label not in "+-":
        same = [part for part in parts(value) if part.kind == NAMED and part == value]
        return same[0] if same else value
    return value


def _holds(value: int, die: Term) -> bool:
    """Whether a die is part of a number."""
    return any(part.kind == DIE and part.place == die.place for part in parts(value))


def _guards(test: Test) -> bool:
    """Whether a test only sees to it that there is something at all, and there is."""
    none = not isinstance(test.right, Term) and not test.right
    return none and not test.holds and test.op in ("<", "<=")


def _counted(value: int) -> list[Leaf]:
    """The numbers of a sum that count: a 0 says something only when nothing else is there, or on a die."""
    found = leaves(value)
    shown = [
        leaf for leaf in found if leaf.value or (isinstance(leaf.value, Term) and leaf.value.kind == DIE)
    ]
    return shown or found[:1]


def _figures(found: list[Leaf]) -> str:
    if not found:
        return "0"
    first, *rest = (leaf.sign * int(leaf.value) for leaf in found)
    return str(first) + "".join(f" {'-' if value < 0 else '+'} {abs(value)}" for value in rest)


def _is_tally(found: list[Leaf]) -> bool:
    """Whether it is dice that were counted face by face: people count them at once."""
    return any(isinstance(leaf.value, Term) and leaf.value.kind == TALLY for leaf in found)


def _summed(value: int) -> str:
    """A number, and what it was added up from; of one that has a name, what that stands for."""
    found = _counted(value)
    while len(found) == 1 and isinstance(one := found[0].value, Term) and one.kind == NAMED:
        found = _counted(one.left)
    whole = len(found) < 2 or _is_tally(found)
    return str(int(value)) if whole else f"{_figures(found)} = {int(value)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
