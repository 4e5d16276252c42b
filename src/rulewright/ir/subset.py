"""The names that kernels use, so that editors and type checkers understand them.

In:  nothing.
Out: stand-ins only. Kernels are read as text and run by the engines, never called as they stand.
"""

from __future__ import annotations

S: list[int] = []
P: list[int] = []
K: list[int] = []
W: list[int] = []


def rnd(n: int) -> int:
    """A uniform number from 0 to n - 1."""
    raise NotImplementedError


def mix(n: int) -> int:
    """As `rnd`, but never from a script: an example scripts dice, not how cards were shuffled."""
    raise NotImplementedError


def emit(kind: int, site: int, a: int, b: int, c: int, d: int) -> int:
    """Record an event. As it stands it is for nobody: see `audience`."""
    raise NotImplementedError


def tell(kind: int, site: int, a: int, b: int, c: int, d: int, by: int, who: int, knows: int) -> int:
    """Record an event with who may read it. `audience` makes this of `emit`."""
    raise NotImplementedError


def fault(code: int) -> int:
    """Stop the match: it cannot go on."""
    raise NotImplementedError


def opt(verb: int, a: int, b: int, c: int) -> int:
    """Offer an option."""
    raise NotImplementedError


def nopt() -> int:
    """How many options are offered now."""
    raise NotImplementedError


def option(index: int, part: int) -> int:
    """Part 0 to 3 (verb, a, b, c) of an option that is offered now."""
    raise NotImplementedError


def clear_options() -> int:
    """Offer nothing."""
    raise NotImplementedError


def fill(start: int, count: int, value: int) -> int:
    """W[start] to W[start + count - 1] become the value."""
    raise NotImplementedError


def seek(base: int, first: int, end: int, value: int) -> int:
    """The first i from `first` to `end` - 1 with S[base + i] == value, or `end`. The row from S[base] to
    S[base + end - 1] must be in the state, past its header; `first` outside it finds nothing."""
    raise NotImplementedError


def seek_not(base: int, first: int, end: int, value: int) -> int:
    """As `seek`, for S[base + i] != value."""
    raise NotImplementedError


def seek_over(base: int, first: int, end: int, value: int) -> int:
    """As `seek`, for S[base + i] > value."""
    raise NotImplementedError


def seek_either(base: int, first: int, end: int, value: int, other: int) -> int:
    """As `seek`, for S[base + i] == value or S[base + i] == other."""
    raise NotImplementedError


def seek_both(base: int, first: int, end: int, value: int, second: int, other: int, kinds: int) -> int:
    """As `seek`, for S[base + i] against value and S[second + i] against other. `kinds`: 3 times what is
    asked of the first row, plus what is asked of the second: 0 equal, 1 not equal, 2 greater."""
    raise NotImplementedError
