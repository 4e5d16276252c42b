"""Operators on 64-bit values, in LLVM text.

In:  two values: names, or digits if they are known.
Out: the result, worked out at once if both are known.

Sums and products wrap at 64 bits. Division rounds down, as in Python; dividing by 0 is a fault, and the
one quotient that does not fit (the least number by -1) wraps instead of stopping the processor.
"""

from __future__ import annotations

from rulewright.native.layout import FAULT_BROKEN
from rulewright.native.writer import Writer

ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or"}
_PREDICATES = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}


def wrapped(value: int) -> int:
    """The number as 64 bits hold it."""
    return (value + 2**63) % 2**64 - 2**63


def binary(writer: Writer, op: str, a: str, b: str) -> str:
    """An operator on two 64-bit values. Division rounds down; dividing by 0 is a fault."""
    if a[0] != "%" and b[0] != "%":
        known = _folded(op, int(a), int(b))
        if known is not None:
            return str(known)
    if (b == "0" and op in "+-|") or (b == "1" and op in ("*", "//")):
        return a
    if a == "0" and op == "+":
        return b
    if op in ARITHMETIC:
        return writer.let(f"{ARITHMETIC[op]} i64 {a}, {b}")
    if b[0] != "%" and int(b) > 0:
        return _divided(writer, op, a, int(b))
    writer.require(writer.let(f"icmp ne i64 {b}, 0"), FAULT_BROKEN)
    name = "rw.floor" if op == "//" else "rw.modulo"
    return writer.let(f"call i64 @{name}(i64 {a}, i64 {b})")


def compared(writer: Writer, op: str, a: str, b: str) -> str:
    """A comparison of two 64-bit values: one bit, `true` or `false`."""
    if a[0] != "%" and b[0] != "%":
        return "true" if _holds(op, int(a), int(b)) else "false"
    return writer.let(f"icmp {_PREDICATES[op]} i64 {a}, {b}")


def widened(writer: Writer, bit: str) -> str:
    """One bit as a number."""
    if bit[0] != "%":
        return "1" if bit == "true" else "0"
    return writer.let(f"zext i1 {bit} to i64")


def _divided(writer: Writer, op: str, a: str, by: int) -> str:
    """Division by a known positive number, without a divide instruction."""
    if by & (by - 1) == 0:
        if op == "%":
            return writer.let(f"and i64 {a}, {by - 1}")
        return writer.let(f"ashr i64 {a}, {by.bit_length() - 1}")
    rest = writer.let(f"srem i64 {a}, {by}")
    below = writer.let(f"icmp slt i64 {rest}, 0")
    if op == "%":
        lifted = writer.let(f"add i64 {rest}, {by}")
        return writer.let(f"select i1 {below}, i64 {lifted}, i64 {rest}")
    quotient = writer.let(f"sdiv i64 {a}, {by}")
    return writer.let(f"sub i64 {quotient}, {widened(writer, below)}")


def _folded(op: str, a: int, b: int) -> int | None:
    match op:
        case "+":
            return wrapped(a + b)
        case "-":
            return wrapped(a - b)
        case "*":
            return wrapped(a * b)
        case "&":
            return a & b
        case "|":
            return a | b
        case "//" if b > 0:
            return a // b
        case "%" if b > 0:
            return a % b
        case _:
            return None


def _holds(op: str, a: int, b: int) -> bool:
    match op:
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
        case "==":
            return a == b
        case _:
            return a != b
