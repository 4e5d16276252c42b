"""The instruction set: a small structured language of integers.

In:  nothing; lowering builds these nodes and the reader parses them back.
Out: what the verifier, the split pass and both engines match on.

Every value is an integer, every variable a local of its function, every memory one of four flat
arrays. The printed form of a function is a small subset of Python, which is why there is no
separate bytecode: the reference engine executes that text, the native engine translates the nodes,
and the kernel library is written in the same subset by hand.

Deliberately absent: lists, strings, closures, exceptions. What must be remembered is in `S`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

STATE, PARAMS, CONSTS, WORK = "S", "P", "K", "W"
ARRAYS = (STATE, PARAMS, CONSTS, WORK)
WRITABLE = (STATE, WORK)
OPERATORS = ("+", "-", "*", "//", "%", "<", "<=", ">", ">=", "==", "!=", "&", "|")
COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
INTRINSICS = {"rnd": 1, "mix": 1, "opt": 4, "nopt": 0, "clear_options": 0, "emit": 6, "fault": 1, "option": 2}


@dataclass(frozen=True, slots=True)
class Const:
    """A number known when the book is compiled."""

    value: int


@dataclass(frozen=True, slots=True)
class Local:
    """The value of a local variable or parameter; 0 until assigned."""

    name: str


@dataclass(frozen=True, slots=True)
class Load:
    """One cell of an array."""

    array: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """Two values, one operator; both sides are always evaluated."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not:
    """1 for 0, and 0 for anything else."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Pick:
    """`yes` if the test is not 0, else `no`; only the one picked is evaluated."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """The result of a function, kernel or intrinsic."""

    name: str
    args: tuple[Expr, ...] = ()


Expr: TypeAlias = Const | Local | Load | Binary | Not | Pick | Call


def _site() -> int:
    return field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """Give a local a value."""

    local: str
    value: Expr
    site: int = _site()


@dataclass(frozen=True, slots=True)
class Store:
    """Write one cell of the state or of the work memory."""

    array: str
    index: Expr
    value: Expr
    site: int = _site()


@dataclass(frozen=True, slots=True)
class If:
    """Run one of two blocks."""

    test: Expr
    then: Block
    orelse: Block = ()
    site: int = _site()


@dataclass(frozen=True, slots=True)
class While:
    """Run the block as long as the test is not 0."""

    test: Expr
    body: Block
    site: int = _site()


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""

    site: int = _site()


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on with the innermost loop's test."""

    site: int = _site()


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function with a value."""

    value: Expr = Const(0)
    site: int = _site()


@dataclass(frozen=True, slots=True)
class Do:
    """Call for the effect; the result is dropped."""

    call: Call
    site: int = _site()


@dataclass(frozen=True, slots=True)
class Ask:
    """A decision: the listing offers options; afterwards the chosen one is in S[CHOSEN..+3].

    Only before the split pass. The listing is pure, so it can be run again after a restore.
    """

    listing: Block
    seat: Expr
    prompt: Expr
    site: int = _site()


Stmt: TypeAlias = Assign | Store | If | While | Break | Continue | Return | Do | Ask
Block: TypeAlias = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A named piece of code. `framed`: its locals live in the state from the start, `keeps` first."""

    name: str
    params: tuple[str, ...]
    body: Block
    framed: bool = False
    keeps: tuple[str, ...] = ()
    site: int = _site()
