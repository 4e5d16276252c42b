"""The arena: one block of memory holding everything a running match touches.

In:  the sizes a Program states.
Out: byte offsets, shared by the LLVM text we write and the Python that fills and reads the block.

One pointer reaches it all: control words at fixed offsets, then the state, the parameters and the
work memory at offsets that are constants of the Program, so an access is a single instruction with
no pointer to fetch first. Only what is shared (constants) or grows (options, events) is behind a
pointer. Arenas share nothing they write, so each thread simply has its own.

State cells and options, which end up in the state, are 32-bit, as in a snapshot; parameters, constants,
work cells and events are 64-bit, as arithmetic is.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ir.facts import POINTERS
from rulewright.ir.nodes import Binary, Call, Const, Expr, Load, Local
from rulewright.ir.program import HEADER, Program
from rulewright.ir.walk import calls

# Control words, 8 bytes each unless noted.
RECORDING = 0  # 0 or 1: are events kept?
EVENTS, EVENT_COUNT, EVENT_ROOM = 8, 16, 24
OPTIONS, OPTION_COUNT = 32, 40
BEFORE_BYTES = 48  # length of the state before the last step, which is kept at `Layout.before_at`
SCRIPT, SCRIPT_LENGTH, SCRIPT_USED = 56, 64, 72
FUEL = 80  # of STEP_LIMIT, what is left before the match counts as running away
DEPTH = 88  # nested calls of functions that call themselves
FAULT_SITE = 96
POLICY_RNG = 104  # the random player's own stream: it must not disturb the dice
REALLOC, SETJMP, LONGJMP = 112, 120, 128
MODE = 136  # one of the modes below
CONSTS = 144
SEED = 152
MATCHES, MATCH = 160, 168  # how many to play in this call, and how many are done
START, START_BYTES = 176, 184  # the state every match of a batch begins from
COLUMNS, SLOTS = 192, 200  # result columns: how many, and the slot of each
ROWS = 208  # one 32-bit row a match, or null
TALLY = 216  # see TALLY_* below
STARTED = 224  # 1 while a match of the batch is under way (a fault ends it)
BOUND = 232  # decisions a match may take
BEFORE_EVENTS, BEFORE_USED = 240, 248  # EVENT_COUNT and SCRIPT_USED before the last step
POLICIES = 256  # MAX_SEATS 32-bit words: 0 random, k = function policy_<k-1>
MAX_SEATS = 32
JUMP = 384  # a C jmp_buf; 512 bytes is more than any platform's
KEYED = 896  # 1 where dice come from the key that follows; the state then holds only where they stand
KEY_0, KEY_1, KEY_2, KEY_3 = 904, 912, 920, 928
STATE = 1024

# Stop at every decision; let the random player answer without leaving the code; or run one segment
# only, to list the options of a decision again.
STEPPING, ANSWERING, LISTING = range(3)

# What a step gives: the status, whether something was learned by it, and from COUNT_SHIFT on the number of
# options there are now; or one of two numbers below 0.
STATUS_BITS, LEARNED_BIT, COUNT_SHIFT = 3, 4, 8
STEP_FAULT, STEP_REFUSED = -1, -2

FAULT_BROKEN = 0
"""What the reference gives for an index outside its array or a division by 0: our own mistake."""

OPTION_BYTES = 16

EVENT_BYTES = 72

# Per column: sum, sum of squares, least, greatest, then how often each value 0..BINS-1 came up.
TALLY_SUM, TALLY_SQUARES, TALLY_LEAST, TALLY_GREATEST, TALLY_BINS = 0, 8, 16, 24, 32
BINS = 28
TALLY_BYTES = TALLY_BINS + 8 * BINS

# Slots of the header are reached only by constant index. Code that computes an index can neither read
# nor write them, so LLVM may keep them in registers.
CORE = HEADER

SLACK = 1024
"""Cells after the state. Frame and stack pointer are checked where they are set, at entry and by the code
that opens and closes frames, and then trusted: an offset below this stays inside the arena."""

DEPTH_LIMIT = 200
"""Nested calls of recursive functions; small enough for the smallest thread stack."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a Program's arrays stand in its arena, and how long they are."""

    size: int
    stack_base: int
    params: int
    consts: int
    work: int
    counters: int
    """Two for each function and segment; see `traffic`."""
    branches: int
    """Tests that are counted, two cells for each: how often it held, and how often it was made."""
    frame: int
    """The size of the largest frame. An index that is a constant of at least this (and past the header)
    plus something computed cannot be meant for a frame, so it must land before the stack."""

    @property
    def params_at(self) -> int:
        return _aligned(STATE + 4 * (self.size + SLACK))

    @property
    def work_at(self) -> int:
        return self.params_at + 8 * self.params

    @property
    def counters_at(self) -> int:
        return self.work_at + 8 * self.work

    @property
    def branches_at(self) -> int:
        return self.counters_at + 8 * self.counters

    @property
    def before_at(self) -> int:
        return _aligned(self.branches_at + 16 * self.branches)

    @property
    def bytes(self) -> int:
        return _aligned(self.before_at + 4 * self.size)

    @classmethod
    def of(cls, program: Program) -> Layout:
        return cls(
            size=max(program.size, HEADER),
            stack_base=program.stack_base,
            params=len(program.params),
            consts=len(program.consts),
            work=program.work,
            counters=2 * (len(program.functions) + len(program.segments)),
            branches=0,
            frame=_largest_frame(program),
        )


def frame_offset(index: Expr, pointers: frozenset[str]) -> tuple[Expr, int] | None:
    """(pointer, k) if the index is a pointer into the stack plus a constant, in any order, else None.
    `pointers`: locals that hold the frame or the stack pointer and nothing else."""
    offset = 0
    while True:
        match index:
            case Binary("+", left, Const(value)):
                index, offset = left, offset + value
            case Binary("+", Const(value), right):
                index, offset = right, offset + value
            case Load("S", Const(slot)) if slot in POINTERS:
                break
            case Local(name) if name in pointers:
                break
            case _:
                return None
    return (index, offset) if 0 <= offset < SLACK else None


def _largest_frame(program: Program) -> int:
    sizes = [program.frame_size]
    for segment in program.segments:
        for call in calls(segment.body):
            match call:
                case Call("push", (Const(size), _)):
                    sizes.append(size)
                case Call("push"):
                    sizes.append(program.size)
                case _:
                    pass
    return max(sizes)


def _aligned(offset: int) -> int:
    return (offset + 63) // 64 * 64
