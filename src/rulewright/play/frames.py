"""What is being done in a state: frames on the stack, and the secrets that rules still hold in them.

In:  a Program, the slots of a state that waits for a decision.
Out: `frames`, the outermost first; `words`, secret rolls and choices, each with who may know it.

The compiler noted in the sheet where functions keep such values, and beside each of them in its frame who may
know it and how it was drawn. So nothing here depends on the value itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.ir.program import FP, PC, Program

Place = tuple[str, int]
"""A function, and where in its frames."""


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
