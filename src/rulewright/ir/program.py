"""The Program: the contract between the compiler and everything that runs a match.

In:  lowering and the split pass.
Out: engines, views, replays, reports. Picklable, printable, hashable; no text of the book in it
     but names and labels.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.ir.nodes import Function
from rulewright.ir.sheet import Field, FieldCode, Sheet

# The first slots of every state. Book slots start at HEADER; the stack is the last part.
PC, FP, SP, RNG_LO, RNG_HI, STATUS, SEAT, PROMPT, RESUME, CHOSEN = range(10)
UNWIND, RV, DECISIONS, FAULT, SEATS = 13, 14, 15, 16, 17
STACK_END = 18  # the size of the state, so that the kernel `push` can see the end of the stack
SECRET = 19  # who is let into what happens now, + 1: a set of seats as in `events`; 0: everybody
ANSWERED = 20  # 1 from when a seat is asked until the rules take its answer
TOGETHER = 21  # where it is noted who chooses at the same time (see `kernels_together`); 0: one seat decides
FOCUS = 22  # of those who choose at the same time, the seat that is asked now, + 1; 0: the first who has not
ANYWAY = 23  # 1 while somebody is asked who may have only one option: not to ask would tell that
HEADER = 24
FRAME = 2  # return pc and saved frame pointer stand before a frame's locals

RUNNING, DECISION, ENDED, FAULTED = range(4)

# Fault codes, shared by both engines.
FAULT_BOUND, FAULT_STACK, FAULT_SCRIPT, FAULT_RANGE, FAULT_TIMED, FAULT_ZONE, FAULT_ORDER = range(1, 8)
FAULTS = {
    FAULT_BOUND: "the match went on beyond the bound the book states",
    FAULT_STACK: "rules are nested deeper than the book's stack allows",
    FAULT_SCRIPT: "the script of dice ran out, or a face does not fit the die",
    FAULT_RANGE: "a value is outside what its slot can hold",
    FAULT_TIMED: "more timed changes at once than the book's state holds",
    FAULT_ZONE: "a zone overflowed",
    FAULT_ORDER: "a turn order overflowed",
}


# Limits of every engine. More than anyone could read; a rule that wants more has run away.
SLOT_LIMIT = 2**31
"""A slot holds whole numbers from -SLOT_LIMIT to SLOT_LIMIT - 1."""
OPTION_ROOM = 2**15
"""Options of one decision."""
STEP_LIMIT = 2**24
"""Units of work between two decisions; see `budget`. No step of a book that ships needs a twentieth; what
runs away is stopped in a fraction of a second by native code, and in a few seconds by the reference."""
EVENT_LIMIT = 2**19
"""Events that nobody has taken yet."""
UNSTATED_BOUND = 100_000
"""Decisions of a match of a book that does not say how many there can be."""

RULES_ONLY = "rules only"
"""The entry of the front matter that marks a book which cannot be started."""


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled book."""

    name: str
    title: str
    functions: dict[str, Function]
    segments: tuple[Function, ...]
    entry: int
    size: int
    stack_base: int
    work: int
    initial: tuple[int, ...]
    params: tuple[int, ...] = ()
    param_names: tuple[str, ...] = ()
    consts: tuple[int, ...] = ()
    bound: int = UNSTATED_BOUND
    seats: tuple[int, int] = (1, 1)
    frame_size: int = FRAME
    """Slots of the root frame."""
    sheet: Sheet = field(default_factory=Sheet)
    digest: str = ""
    """Hex sha256 of the printed text; names the Program in replays and caches."""
    code_digest: str = ""
    """The same of its code alone, without numbers, names and texts; names its machine code."""

    @property
    def policies(self) -> tuple[str, ...]:
        """Its functions that pick an option for a seat."""
        return self.sheet.policies

    @property
    def asked(self) -> tuple[str, ...]:
        """Its functions that are called from outside of play: the policies, then the value of a position."""
        return (*self.policies, self.sheet.value) if self.sheet.value else self.policies

    @property
    def rules_only(self) -> bool:
        """A framework, or a book that holds nothing to start: other books may use it, nobody can play it."""
        return RULES_ONLY in self.sheet.front


def code_of(program: Program, field: Field) -> FieldCode:
    """The functions of one number; a Program without that table has none."""
    sheet = program.sheet
    at = sheet.fields.index(field) if sheet.field_code else -1
    return sheet.field_code[at] if at >= 0 else FieldCode()
