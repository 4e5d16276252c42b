"""What an expression shows of its value, without running it.

In:  ir.nodes expressions.
Out: yes or "not sure".
"""

from __future__ import annotations

from rulewright.ir.nodes import COMPARISONS, Binary, Call, Const, Expr, Load, Local, Not, Pick
from rulewright.ir.program import FP, SP

POINTERS = (FP, SP)
"""Slots that hold places in the stack."""


def is_truth(node: Expr) -> bool:
    """Is the value always 0 or 1?"""
    match node:
        case Const(value):
            return value in (0, 1)
        case Binary(op, left, right):
            return op in COMPARISONS or (op in "&|" and is_truth(left) and is_truth(right))
        case Not():
            return True
        case Pick(_, yes, no):
            return is_truth(yes) and is_truth(no)
        case _:
            return False


def is_pointer(node: Expr) -> bool:
    """Is it the frame or the stack pointer?"""
    match node:
        case Load("S", Const(slot)):
            return slot in POINTERS
        case _:
            return False


def fits_slot(node: Expr) -> bool:
    """Does the value surely fit 32 bits?"""
    match node:
        case Const(value):
            return -(2**31) <= value < 2**31
        case Load(array, _):
            return array == "S"
        case Binary("%", _, Const(by)):
            return 0 < by < 2**31
        case Pick(_, yes, no):
            return fits_slot(yes) and fits_slot(no)
        case Call("clamp", (_, low, high)):
            return isinstance(low, Const) and isinstance(high, Const) and fits_slot(low) and fits_slot(high)
        case _:
            return is_truth(node)


def is_plain(node: Expr, depth: int = 3) -> bool:
    """Is it free of effects, cannot fail, and no dearer than a branch?"""
    match node:
        case Const() | Local():
            return True
        case Load(array, Const()):
            return array in ("S", "P")
        case Binary(op, left, right):
            if op in ("//", "%") or depth == 0:
                return False
            return is_plain(left, depth - 1) and is_plain(right, depth - 1)
        case Not(value):
            return depth > 0 and is_plain(value, depth - 1)
        case _:
            return False
