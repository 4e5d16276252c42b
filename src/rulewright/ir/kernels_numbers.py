"""Kernels for numbers.

In:  values.
Out: values; no state is touched.
"""

from __future__ import annotations

from rulewright.ir.subset import K, P, S


def div(a: int, b: int) -> int:
    """a / b rounded down; 0 when b is 0, because a rule that divides by nothing changes nothing."""
    if b == 0:
        return 0
    return a // b


def mod(a: int, b: int) -> int:
    """What is left after `div`, with the sign of b; 0 when b is 0."""
    if b == 0:
        return 0
    return a % b


def pair_index(a: int, width: int, b: int) -> int:
    """The place of a pair in a table of rows; -1 when one of the two is nobody."""
    if (a < 0) | (b < 0):
        return -1
    return a * width + b


def minimum(a: int, b: int) -> int:
    """The smaller one."""
    return a if a < b else b


def maximum(a: int, b: int) -> int:
    """The larger one."""
    return a if a > b else b


def absolute(a: int) -> int:
    """The distance from 0."""
    return a if a >= 0 else 0 - a


def clamp(x: int, lo: int, hi: int) -> int:
    """x, but not above hi and not below lo; lo wins when the two cross."""
    if x > hi:
        x = hi
    if x < lo:
        x = lo
    return x


def sign(a: int) -> int:
    """-1, 0 or 1."""
    return 1 if a > 0 else (-1 if a < 0 else 0)


def cell(base: int, index: int, blank: int) -> int:
    """S[base + index], or blank for nobody."""
    return blank if index < 0 else S[base + index]


def entry(base: int, index: int, blank: int) -> int:
    """P[base + index], or blank for nothing."""
    return blank if index < 0 else P[base + index]


def entry_k(base: int, index: int, blank: int) -> int:
    """K[base + index], or blank for nothing."""
    return blank if index < 0 else K[base + index]


def or_else(first: int, second: int) -> int:
    """The first thing unless it is none."""
    return second if first < 0 else first
