"""What a seat cannot know, and what it could be instead: tables made once a decision.

In:  a Program, the slots of a state, a seat.
Out: `Guess`: classes of cards that could be one another, each with its rows, and secret numbers with the
     values they could have. Nothing in it depends on what the seat cannot see.

Cards could be one another when they have the same owner, their faces are of one family (faces that are found
in the same hidden piles), and so are the cards themselves: of two decks with the same faces neither card ever
lies in the other's piles. Families, and the values that secret numbers have, are learned from how matches of
the book with these seats and options begin, once for each of them.

A number that its owner alone may see is secret. One that nobody is shown is kept as it is: books mark so
what rules keep for themselves (see `is_secret`, the one place that decides it). What rules hold on the stack
is looked at by `stack`.
"""

from __future__ import annotations

import random
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from rulewright.ir.program import DECISION, SEATS, STATUS, Program
from rulewright.ir.sheet import ALL, OWNER, Field
from rulewright.native.engine import NativeEngine
from rulewright.play.engine import Engine
from rulewright.play.faults import Fault
from rulewright.play.frames import Place, words
from rulewright.play.knowledge import Knowledge, find_field, zone_bases
from rulewright.play.reference import ReferenceEngine
from rulewright.players.families import Families
from rulewright.players.stack import Secret, on_stack

PLACED = ("zone", "known", "owner")
"""What belongs to a card's place rather than to its face."""
MATCHES, MORE, STEPS = 3, 20, 60
"""How much is played to learn how a book's piles are built, and what its secret numbers are."""
DEALS, FEW = 17, 3
"""So many more matches are only begun: each deals the cards otherwise."""
SMALL = 20
"""Ranges of so many numbers are filled up where most of them were met."""
KEPT = 64

Column = tuple[int, int]
"""The slot of card 0, and how far apart cards are."""


@dataclass(frozen=True, slots=True)
class Class:
    """Cards that could be one another. Rows are sorted: where they really lie must not shine through."""

    cards: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """What is open to a seat."""

    columns: tuple[Column, ...]
    classes: tuple[Class, ...]
    secrets: tuple[Secret, ...]

    @property
    def sure(self) -> bool:
        """Whether nothing is open but the dice."""
        return not self.classes and not self.secrets

    def cells(self) -> list[int]:
        """The tables as native code reads them (see `native.outer.sample`)."""
        found: list[int] = []
        for group in self.classes:
            found += [len(group.cards), len(self.columns), *chain.from_iterable(self.columns)]
            found += [*group.cards, *chain.from_iterable(group.rows), *([0] * len(group.cards))]
        for slots, values in self.secrets:
            found += [len(values), *values, len(slots), *slots]
        return found


@dataclass(frozen=True, slots=True)
class Habits:
    """How matches of a book begin: the family of each face, the values of each secret slot."""

    families: dict[int, int]
    zones: dict[int, int]
    """The family of what lies in each zone, for faces that were never met."""
    cards: dict[int, int]
    """The family of each card that was met in a hidden pile."""
    values: dict[tuple[int, bool], tuple[int, ...]]
    """What a secret number can be, by where it begins, of those in play and of the others."""
    stack: dict[Place, tuple[int, ...]]
    """What was met in each place of the stack while it was a secret, as often as it was met."""


def is_secret(field: Field) -> bool:
    """Whether a number is kept from some seats, rather than merely not shown."""
    return field.seen == OWNER


def has_secrets(program: Program) -> bool:
    """Whether seats know things that others do not: cards in hand, numbers of their own."""
    sheet = program.sheet
    hidden = any(zone.seen == OWNER for zone in sheet.zones) or any(map(is_secret, sheet.fields))
    return hidden or bool(sheet.secrets)


def guess(program: Program, slots: Sequence[int], seat: int, native: bool = False) -> Guess:
    """What is open to a seat in a state."""
    face = find_field(program, "Card", "face")
    hidden = [field for field in program.sheet.fields if is_secret(field) and "Card" not in field.of]
    if face is None and not hidden and not program.sheet.secrets:
        return Guess((), (), ())
    know = Knowledge(program, slots, seat)
    habits = _habits(program, slots, native)
    secrets = tuple(
        ((slot,), habits.values.get((field.base, _plays(know, field, index))) or (program.initial[slot],))
        for field in hidden
        for slot, index in _slots_of(field)
        if not know.sees_field(field, index)
    )
    secrets += tuple(on_stack(program, slots, seat, habits.stack))
    columns = tuple(_columns(program)) if face is not None else ()
    return Guess(columns, tuple(_classes(know, face, columns, habits)) if face is not None else (), secrets)


def _columns(program: Program) -> Iterator[Column]:
    """Everything that goes with a face: what is kept about a card, also by a second owner."""
    for field in program.sheet.fields:
        if field.of and field.of[0] == "Card" and field.name not in PLACED:
            width = field.counts[1] if len(field.of) > 1 else 1
            yield from ((field.base + part, width) for part in range(width))


def _classes(know: Knowledge, face: Field, columns: Sequence[Column], habits: Habits) -> Iterator[Class]:
    slots, owner = know.slots, find_field(know.program, "Card", "owner")
    lies = _zone_of(know.program, slots)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for card in range(face.counts[0]):
        held = slots[face.base + card]
        if held < 0 or know.knows(card):
            continue
        family = habits.families.get(held, habits.zones.get(lies.get(card, -1), -1 - lies.get(card, -1)))
        whose = slots[owner.base + card] if owner is not None else -1
        groups.setdefault((whose, family, habits.cards.get(card, -1)), []).append(card)
    for key in sorted(groups):
        cards = groups[key]
        if len(cards) < 2:
            continue
        held = (slots[base : base + face.counts[0] * apart : apart] for base, apart in columns)
        rows = sorted(zip(*map(itemgetter(*cards), held), strict=True))
        if rows[0] != rows[-1]:
            yield Class(tuple(cards), tuple(rows))


def _zone_of(program: Program, slots: Sequence[int]) -> dict[int, int]:
    """The zone (its number on the sheet) that each card lies in."""
    found: dict[int, int] = {}
    for number, zone in enumerate(program.sheet.zones):
        for _, pile in zone_bases(program, zone):
            for card in slots[pile + 1 : pile + 1 + slots[pile]]:
                found[card] = number
    return found


def _slots_of(field: Field) -> Iterator[tuple[int, int]]:
    many = 1
    for count in field.counts:
        many *= count
    return ((field.base + index, index) for index in range(many))


_lock = threading.Lock()
_learned: OrderedDict[tuple[object, ...], Habits] = OrderedDict()


def _habits(program: Program, slots: Sequence[int], native: bool) -> Habits:
    chosen = tuple((option.slot, slots[option.slot]) for option in program.sheet.options)
    key = (program.digest or id(program), slots[SEATS], chosen)
    with _lock:
        found = _learned.get(key)
        if found is None:
            engine = NativeEngine(program) if native else ReferenceEngine(program)
            found = _learned[key] = learn(program, engine, slots[SEATS], dict(chosen))
            while len(_learned) > KEPT:
                _learned.popitem(last=False)
        return found


def learn(program: Program, engine: Engine, seats: int, options: dict[int, int]) -> Habits:
    """Play how matches begin, the same on every engine, and see what lies where."""
    engine.record(False)
    faces, cards = Families(), Families()
    secret = [field for field in program.sheet.fields if is_secret(field) and "Card" not in field.of]
    values: dict[tuple[int, bool], set[int]] = {}
    stack: dict[Place, list[int]] = {}
    many = MORE if secret or program.sheet.secrets else MATCHES
    for slots in _beginnings(engine, seats, options, many):
        for card, face, zone in _hidden_cards(program, slots):
            faces.join(face, -1 - zone)
            cards.join(card, -1 - zone)
        for word in words(program, slots):
            stack.setdefault(word.place, []).append(slots[word.slots[0]])
        for field in secret:  # what one of its owners can have, the others can have as well
            know = Knowledge(program, slots, None)
            for slot, index in _slots_of(field):
                values.setdefault((field.base, _plays(know, field, index)), set()).add(slots[slot])
    return Habits(
        faces.found(),
        {-1 - node: faces.top(node) for node in [*faces.parent] if node < 0},
        cards.found(),
        {key: _domain(field, met) for field in secret for key, met in values.items() if key[0] == field.base},
        {place: tuple(sorted(met)) for place, met in stack.items()},
    )


def _plays(know: Knowledge, field: Field, index: int) -> bool:
    """Whether the owner of a number is in play; who is no actor always is."""
    if field.of[:1] != ("Actor",):
        return True
    actor = index // field.counts[1] if len(field.of) > 1 else index
    return know.actor_value("in play", actor, 1) != 0


def _domain(field: Field, met: set[int]) -> tuple[int, ...]:
    """What a secret number can be: what it was, and what lies between where few are missing."""
    if met and field.holds is None and max(met) - min(met) < min(SMALL, 2 * len(met)):
        met = {*range(min(met), max(met) + 1)}
    return tuple(sorted(met))


def _beginnings(engine: Engine, seats: int, options: dict[int, int], matches: int) -> Iterator[Sequence[int]]:
    """States from the first decisions of a few matches, played at random, and of how others begin."""
    for seed in range(matches + DEALS):
        chance = random.Random(seed)
        try:
            engine.start(seats, seed, options)
            engine.advance()
            for _ in range(STEPS if seed < matches else FEW):
                if engine.peek(STATUS) != DECISION:
                    break
                yield memoryview(engine.state()).cast("i")
                engine.choose(chance.randrange(len(engine.options())))
                engine.advance()
        except (Fault, ValueError):
            continue


def _hidden_cards(program: Program, slots: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(card, face, zone) of each card in a pile that not everybody sees."""
    face = find_field(program, "Card", "face")
    if face is None:
        return
    for number, zone in enumerate(program.sheet.zones):
        if zone.seen == ALL:
            continue
        for _, pile in zone_bases(program, zone):
            for card in slots[pile + 1 : pile + 1 + slots[pile]]:
                held = slots[face.base + card]
                if held >= 0:
                    yield card, held, number
