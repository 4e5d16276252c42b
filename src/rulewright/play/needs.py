"""Which one condition keeps an action from being done, with its numbers.

In:  a state, a seat, a function of the Program that says yes or no, what it is asked about.
Out: "needs 3 SP, Ada has 2"; nothing where no number decided, or where the seat may not know it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ir.program import Program
from rulewright.play.faults import Fault
from rulewright.play.knowledge import Knowledge, bit
from rulewright.play.terms import CARD, DIE, FIELD, KEPT, NAMED, Term, Test, leaves, parts
from rulewright.play.tracing import Tracer
from rulewright.play.words import name_of

AGAINST = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
TURNED = {">=": "<=", "<": ">", ">": "<", "<=": ">=", "==": "==", "!=": "!="}
AMOUNTS = {
    ">=": "{n} {what}",
    ">": "more than {n} {what}",
    "<=": "at most {n} {what}",
    "<": "less than {n} {what}",
    "==": "exactly {n} {what}",
    "!=": "{what} other than {n}",
}


def missing(program: Program, slots: Sequence[int], seat: int | None, name: str, *args: int) -> str | None:
    """Why a function says no; "" when it says yes; None when that cannot be told in numbers."""
    try:
        met = Tracer(program, slots).call(name, *args)
    except (Fault, KeyError, ValueError, IndexError):
        return None
    if met:
        return ""
    test = met.test if isinstance(met, Term) else None
    if test is None or not is_open(Knowledge(program, slots, seat), test):
        return None
    return _worded(program, slots, test)


def is_open(know: Knowledge, test: Test) -> bool:
    """Whether the seat may know every number of the test."""
    for part in (*parts(test.left), *parts(test.right)):
        if part.kind == FIELD and not know.sees_field(
            know.program.sheet.fields[part.place[0]], part.place[1]
        ):
            return False
        if part.kind in (CARD, DIE) and not know.knows(part.place[0]):
            return False
        if part.kind == KEPT and not part.place[0] & bit(know.seat):
            return False
    return True


def _worded(program: Program, slots: Sequence[int], test: Test) -> str | None:
    op, left, right = test.op, _bare(test.left), _bare(test.right)
    if test.holds:  # it should not
        op = AGAINST[op]
    if not isinstance(left, Term) or (isinstance(right, Term) and right.kind == FIELD and left.kind != FIELD):
        op, left, right = TURNED[op], right, left
    if not isinstance(left, Term):
        return None
    if left.kind == FIELD:
        return _amount(program, slots, left, op, int(right))
    what = left.label if left.kind in (NAMED, CARD) else _sum(program, left)
    return f"needs {AMOUNTS[op].format(n=int(right), what=what or 'of it')}, there is {int(left)}"


def _bare(value: int) -> int:
    """A number that a rule keeps has no name that people know it by."""
    return int(value) if isinstance(value, Term) and value.kind == KEPT else value


def _amount(program: Program, slots: Sequence[int], one: Term, op: str, needed: int) -> str | None:
    number, owner = one.place
    field = program.sheet.fields[number]
    if not field.shown or field.quiet:
        return None
    first, second = divmod(owner, field.counts[1]) if len(field.of) == 2 else (owner, -1)
    what = field.name
    if second >= 0:
        what = f"{what} ({name_of(program, field.of[1], second, slots)})"
    if field.low == 0 and field.high == 1:
        return f"{what} already" if one else f"needs {what}"
    if (op, needed) == (">", 0):
        op, needed = ">=", 1
    has = f"{name_of(program, field.of[0], first, slots)} has" if field.of else "there is"
    return f"needs {AMOUNTS[op].format(n=needed, what=what)}, {has} {int(one)}"


def _sum(program: Program, one: Term) -> str:
    """What a sum is of."""
    names = [
        program.sheet.fields[leaf.value.place[0]].name
        for leaf in leaves(one)
        if isinstance(leaf.value, Term) and leaf.value.kind == FIELD
    ]
    return " and ".join(dict.fromkeys(names))
