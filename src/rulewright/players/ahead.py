"""What a player expects: the lines of its tree that were tried most, and how they read.

In:  the memory of a tree after a search, a node below its root; a Program.
Out: `Step`s, and sentences for people.

A node of the tree knows a choice by its key (see `native.outer.search`): verb, things in 16 bits each, cards
by their faces. So a line reads the same whatever cards it was tried with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.native.outer import map as at
from rulewright.play.words import Thing, name_of, verb_text

LEAST = 5
"""A step that was tried less often than this is a guess, no expectation."""
LONGEST = 8
FACES = 32768


@dataclass(frozen=True, slots=True)
class Step:
    """A choice that is expected: whose, what (the key of the node), how often it was tried, what it promises
    whoever makes it, from 0 to 1."""

    seat: int
    key: int
    lines: int
    mean: float


def expected(memory: Sequence[int], node: int) -> tuple[Step, ...]:
    """The line below a node that was tried most."""
    found: list[Step] = []
    while len(found) < LONGEST:
        child, best = memory[node + at.CHILD], 0
        while child:
            if memory[child + at.VISITS] > (memory[best + at.VISITS] if best else 0):
                best = child
            child = memory[child + at.NEXT]
        if not best or memory[best + at.VISITS] < LEAST:
            break
        lines = memory[best + at.VISITS]
        mean = memory[best + at.SUM] / lines / at.ONE
        found.append(Step(memory[best + at.PLACE] % 32, memory[best + at.KEY], lines, mean))
        node = best
    return tuple(found)


def told(program: Program, key: int, slots: Sequence[int] = ()) -> str:
    """What a key says."""
    verb = key & 4095
    verbs = program.sheet.verbs
    kinds = verbs[verb].args if verb < len(verbs) else ()
    things: list[Thing] = []
    for number, kind in enumerate(kinds[:3]):
        cell = key >> (12 + 16 * number) & 65535
        if kind == "Card" and cell >= FACES:
            things.append(Thing("Face", cell - FACES, name_of(program, "Face", cell - FACES)))
        else:
            number_ = cell - 65536 if cell >= FACES else cell
            things.append(
                Thing(kind, number_, name_of(program, kind, number_, slots if kind != "Card" else ()))
            )
    return verb_text(program, verb if verb < len(verbs) else -1, things)
