"""Kernels of the machine itself: the stack of suspended functions, decisions and dice.

In:  the header slots of the state.
Out: see each function. Called by code that the split pass makes, and by lowering for dice.
"""

from __future__ import annotations

from rulewright.ir.events import CHOSEN as CHOSE
from rulewright.ir.events import FORCED, READY, ROLL
from rulewright.ir.program import (
    ANSWERED,
    ANYWAY,
    CHOSEN,
    DECISION,
    FAULT_STACK,
    FP,
    PC,
    PROMPT,
    RESUME,
    SEAT,
    SP,
    STACK_END,
    STATUS,
    TOGETHER,
)
from rulewright.ir.subset import S, emit, fault, nopt, option, rnd


def push(size: int, return_pc: int) -> int:
    """Open a frame of so many slots, all 0, from which pop() goes back to return_pc."""
    base = S[SP]
    top = base + size
    if top > S[STACK_END]:
        fault(FAULT_STACK)
    i = base + 2
    while i < top:
        S[i] = 0
        i += 1
    S[base] = return_pc
    S[base + 1] = S[FP]
    S[FP] = base
    S[SP] = top
    return 0


def pop() -> int:
    """Close the frame; the result is the segment to go on with."""
    base = S[FP]
    S[FP] = S[base + 1]
    S[SP] = base
    return S[base]


def decide(this_pc: int, resume_pc: int, seat: int, prompt: int) -> int:
    """After a listing: stop for a decision, or go on when there is nothing to decide.

    Where several choose at the same time, or a rule asks anyway, a single option is asked for as well: who is
    not asked would be known to have no choice. What a strategy takes there is told when everybody is ready.
    """
    n = nopt()
    if n == 0:
        S[CHOSEN] = -1
        S[CHOSEN + 1] = 0
        S[CHOSEN + 2] = 0
        S[CHOSEN + 3] = 0
        return resume_pc
    if seat < 0 or (n == 1 and S[TOGETHER] == 0 and S[ANYWAY] == 0):
        S[CHOSEN] = option(0, 0)
        S[CHOSEN + 1] = option(0, 1)
        S[CHOSEN + 2] = option(0, 2)
        S[CHOSEN + 3] = option(0, 3)
        S[SEAT] = seat
        if S[TOGETHER] == 0:
            emit(FORCED, 0, S[CHOSEN], S[CHOSEN + 1], S[CHOSEN + 2], S[CHOSEN + 3])
        return resume_pc
    S[PC] = this_pc
    S[RESUME] = resume_pc
    S[SEAT] = seat
    S[PROMPT] = prompt
    S[STATUS] = DECISION
    S[ANSWERED] = 1
    return -1


def answered() -> int:
    """The rules go on after a decision: what a seat chose has happened."""
    if S[ANSWERED] == 1:
        S[ANSWERED] = 0
        if S[TOGETHER] == 0:
            emit(CHOSE, 0, S[CHOSEN], S[CHOSEN + 1], S[CHOSEN + 2], S[CHOSEN + 3])
        else:
            emit(READY, 0, S[SEAT], 0, 0, 0)
    return 0


def roll(sides: int, site: int) -> int:
    """One die: a face from 1 to sides."""
    face = rnd(sides)
    emit(ROLL, site, sides, face, 0, 0)
    return face + 1


def roll_sum(count: int, sides: int, site: int) -> int:
    """The sum of so many dice; 0 for none."""
    total = 0
    while count > 0:
        total += roll(sides, site)
        count -= 1
    return total
