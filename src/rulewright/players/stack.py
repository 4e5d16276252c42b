"""What a seat cannot know of the values on the stack: secret rolls and choices that rules still hold.

In:  a Program, the slots of a state that waits for a decision, a seat.
Out: those secrets that are kept from the seat (`play.frames`), with what they could be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from rulewright.ir.program import Program
from rulewright.play.frames import Place, Word, words
from rulewright.play.knowledge import bit

Secret = tuple[tuple[int, ...], tuple[int, ...]]
"""Slots that hold one secret number, and what that could be; what is likelier is there more often."""
LIKELY = 1300
"""Sums of dice with more outcomes than that are drawn as if all were as likely."""


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
