"""What a seat cannot know of the values on the stack: secret rolls and choices that rules still hold.

In:  a Program, the slots of a state that waits for a decision, a seat.
Out: `words`, the secrets there are; `on_stack`, those that are kept from a seat with what they could be.

The compiler noted in the sheet where functions keep such values, and beside each of them in its frame who may
know it and how it was drawn. So nothing here depends on the value itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from rulewright.ir.program import FP, PC, Program
from rulewright.play.knowledge import bit

Place = tuple[str, int]
"""A function, and where in its frames."""
Secret = tuple[tuple[int, ...], tuple[int, ...]]
"""Slots that hold one secret number, and what that could be; what is likelier is there more often."""
LIKELY = 1300
"""Sums of dice with more outcomes than that are drawn as if all were as likely."""


class Word(NamedTuple):
    """A secret on the stack: its place, its slots (copies are last), who may know it, how it was drawn."""

    place: Place
    slots: tuple[int, ...]
    who: int
    many: int
    low: int
    high: int


class Frame(NamedTuple):
    """A frame: whose it is, where it begins, the segment it goes back to."""

    function: str
    base: int
    back: int


def frames(program: Program, slots: Sequence[int]) -> list[Frame]:
    """What is being done, the outermost first."""
    found: list[Frame] = []
    base, at = slots[FP], slots[PC]
    while True:
        function = program.segments[at].name.partition("_")[2]
        if base <= program.stack_base:
            found.append(Frame(function, base, -1))
            return found[::-1]
        found.append(Frame(function, base, slots[base]))
        base, at = slots[base + 1], slots[base]


def words(program: Program, slots: Sequence[int]) -> Iterator[Word]:
    """Every secret that lies on the stack now."""
    sheet = program.sheet
    if not sheet.secrets:
        return
    held: dict[int, list[int]] = {}
    found: list[tuple[Place, int, int]] = []
    below = -1
    for function, base, back in frames(program, slots):
        for copy in sheet.secret_copies:
            if (copy.back, copy.function) == (back, function) and below + copy.of in held:
                held[base + copy.place] = held[below + copy.of]
                held[base + copy.place].append(base + copy.place)
        for local in sheet.secrets:
            if local.function == function and slots[base + local.about]:
                held[base + local.place] = [base + local.place]
                found.append(((function, local.place), base + local.place, base + local.about))
        below = base
    for place, slot, about in found:
        who, many, low, high = slots[about : about + 4]
        yield Word(place, tuple(held[slot]), who - 1, many, low, high)


def on_stack(
    program: Program, slots: Sequence[int], seat: int, met: Mapping[Place, tuple[int, ...]]
) -> Iterator[Secret]:
    """The secrets that are kept from a seat. `met`: what was found in a place when a book's matches began."""
    for word in words(program, slots):
        if not word.who & bit(seat):
            yield word.slots, _values(word) or met.get(word.place, (0,))


def _values(word: Word) -> tuple[int, ...]:
    """What it could be by how it was drawn; nothing where that cannot be said."""
    faces = range(word.low, word.high + 1)
    if word.many < 0 or not faces:
        return ()
    if len(faces) ** word.many <= LIKELY:
        return tuple(sorted(map(sum, product(faces, repeat=word.many))))
    return tuple(range(word.many * word.low, word.many * word.high + 1))
