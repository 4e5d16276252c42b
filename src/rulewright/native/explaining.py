"""Why native code failed, in the words of the reference engine.

In:  an arena that stands in a fault, the state before, what was done.
Out: a Fault: the reference's own, with its words and its line of the book.

Only where that would take seconds, or the reference would not stop the same way, the native one is given.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.ir.program import DECISION, FAULT, FAULT_BOUND, OPTION_ROOM, STATUS, Program
from rulewright.native import layout as at
from rulewright.native.arena import Arena
from rulewright.play.arguments import told
from rulewright.play.faults import ENDLESS, TOO_MANY_OPTIONS, Fault
from rulewright.play.reference import ReferenceEngine

Again = Callable[[ReferenceEngine], object]
"""The same thing done by the reference engine."""


def explained(
    program: Program, arena: Arena, seed: int, script: list[int] | None, before: bytes, again: Again
) -> Fault:
    """The reference's own error, if it fails the same way when it does it again."""
    code = arena.cells[FAULT]
    own = Fault(code, arena.word(at.FAULT_SITE))
    if code == FAULT_BOUND:  # the reference would take seconds to come to the same
        full = arena.word(at.OPTION_COUNT) >= OPTION_ROOM
        return Fault(code, own.site, TOO_MANY_OPTIONS if full else ENDLESS)
    twin = ReferenceEngine(program, arena.params())
    twin.record(False)
    twin.dice(seed)
    twin.script(script)
    try:
        twin.load(before)
        again(twin)
    except Fault as fault:
        if fault.code == code:
            return fault
    except ValueError:
        pass  # a poked state, which nobody would load
    return own


def stepping(index: int) -> Again:
    """An option taken, and the rules run on."""

    def again(twin: ReferenceEngine) -> None:
        twin.choose(index)
        twin.advance()

    return again


def refused(arena: Arena, index: int) -> IndexError:
    """There is no such option."""
    count = arena.word(at.OPTION_COUNT) if arena.cells[STATUS] == DECISION else 0
    return IndexError(f"option {told(index)} of {count}")
