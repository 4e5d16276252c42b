"""Kernels for choices that are made at the same time.

In:  g, where it is noted who chooses: how many there are, a number that tells one gathering from the next,
     then six slots for each of them: the actor, whether it has chosen, and the four parts of what it chose.
     c, the slot of the first actor's controller.
Out: see each function. Nothing else reads what somebody has chosen until all have, so a state is told by who
     chose what, whoever was first.
"""

from __future__ import annotations

from rulewright.ir.program import CHOSEN, FAULT_STACK, FOCUS
from rulewright.ir.subset import S, fault

ROWS, ROW = 2, 6
DONE, PARTS = 1, 2


def gather(g: int, actor: int) -> int:
    """One more who chooses."""
    row = g + ROWS + ROW * S[g]
    S[row] = actor
    i = 1
    while i < ROW:
        S[row + i] = 0
        i += 1
    S[g] += 1
    return 0


def asked_row(g: int, c: int) -> int:
    """The row of whoever is asked now: the first who has not chosen, of the seat in focus if there is one;
    0 when all have chosen."""
    first = 0
    row = g + ROWS
    end = row + ROW * S[g]
    while row < end:
        if S[row + DONE] == 0:
            if S[FOCUS] == 0 or S[c + S[row]] == S[FOCUS] - 1:
                return row
            if first == 0:
                first = row
        row += ROW
    return first


def asked_actor(g: int, c: int) -> int:
    """Who is asked now."""
    return S[asked_row(g, c)]


def asked_seat(g: int, c: int) -> int:
    """The seat that is asked now; -1 for an actor without one."""
    return S[c + asked_actor(g, c)]


def note_answer(g: int, c: int) -> int:
    """What was chosen is put away until all have chosen."""
    row = asked_row(g, c)
    S[row + DONE] = 1
    S[row + PARTS] = S[CHOSEN]
    S[row + PARTS + 1] = S[CHOSEN + 1]
    S[row + PARTS + 2] = S[CHOSEN + 2]
    S[row + PARTS + 3] = S[CHOSEN + 3]
    S[CHOSEN] = 0
    S[CHOSEN + 1] = 0
    S[CHOSEN + 2] = 0
    S[CHOSEN + 3] = 0
    S[FOCUS] = 0
    return 0


def forget_answer(row: int) -> int:
    """What was chosen has been told and is done now: nothing of it is kept."""
    i = DONE
    while i < ROW:
        S[row + i] = 0
        i += 1
    return 0


def still_gathered(g: int, number: int) -> int:
    """Faults when what follows from a choice has gathered the same people anew: the answers are gone."""
    if S[g + 1] != number:
        fault(FAULT_STACK)
    return 0
