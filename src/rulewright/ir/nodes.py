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
from typing import Any, TypeAlias

STATE, PARAMS, CONSTS, WORK = "S", "P", "K", "W"
ARRAYS = (STATE, PARAMS, CONSTS, WORK)
WRITABLE = (STATE, WORK)
OPERATORS = ("+", "-", "*", "//", "%", "<", "<=", ">", ">=", "==", "!=", "&", "|")
COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
INTRINSICS = {
    "rnd": 1,
    "mix": 1,
    "opt": 4,
    "nopt": 0,
    "clear_options": 0,
    "emit": 6,
    "tell": 9,
    "fault": 1,
    "option": 2,
    "fill": 3,
    "seek": 4,
    "seek_not": 4,
    "seek_over": 4,
    "seek_either": 5,
    "seek_both": 7,
}
SEEKS = frozenset(name for name in INTRINSICS if name.startswith("seek"))
"""Those that look through a row of slots, from their second argument on."""
KINDS = ("seek", "seek_not", "seek_over")
"""What `seek_both` can ask of each of its two rows."""


def _remade(node: Any) -> tuple[Any, tuple[object, ...]]:
    """Pickled as its class and its fields: read back in a third of the time that dataclasses take, and a
    Program has tens of thousands of nodes."""
    return node.__class__, tuple([getattr(node, name) for name in node.__match_args__])


class _Node:
    __slots__ = ()

    def __reduce__(self) -> tuple[Any, tuple[object, ...]]:
        return _remade(self)


class _Value:
    """Operators on expressions write code, and whole numbers beside them are constants; only a sum of two
    constants, and one with 0, is worked out at once. `==` asks whether two expressions are the same text, so
    nothing here is true or false: what a test gives is known when the code runs."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, tuple[object, ...]]:
        return _remade(self)

    def __bool__(self) -> bool:
        raise TypeError("code is neither true nor false")

    def __add__(self, other: Expr | int) -> Expr:
        return _sum(_code(self), _code(other))

    def __radd__(self, other: int) -> Expr:
        return _sum(Const(other), _code(self))

    def __sub__(self, other: Expr | int) -> Expr:
        return Binary("-", _code(self), _code(other))

    def __rsub__(self, other: int) -> Expr:
        return Binary("-", Const(other), _code(self))

    def __mul__(self, other: Expr | int) -> Expr:
        return Binary("*", _code(self), _code(other))

    def __floordiv__(self, other: Expr | int) -> Expr:
        return Binary("//", _code(self), _code(other))

    def __mod__(self, other: Expr | int) -> Expr:
        return Binary("%", _code(self), _code(other))

    def __and__(self, other: Expr | int) -> Expr:
        return Binary("&", _code(self), _code(other))

    def __or__(self, other: Expr | int) -> Expr:
        return Binary("|", _code(self), _code(other))

    def __lt__(self, other: Expr | int) -> Expr:
        return Binary("<", _code(self), _code(other))

    def __le__(self, other: Expr | int) -> Expr:
        return Binary("<=", _code(self), _code(other))

    def __gt__(self, other: Expr | int) -> Expr:
        return Binary(">", _code(self), _code(other))

    def __ge__(self, other: Expr | int) -> Expr:
        return Binary(">=", _code(self), _code(other))


def _code(value: Any) -> Expr:
    return Const(value) if isinstance(value, int) else value


def _sum(a: Expr, b: Expr) -> Expr:
    match a, b:
        case Const(x), Const(y):
            return Const(x + y)
        case Const(0), _:
            return b
        case _, Const(0):
            return a
        case _:
            return Binary("+", a, b)


@dataclass(frozen=True, slots=True)
class Const(_Value):
    """A number known when the book is compiled."""

    value: int


@dataclass(frozen=True, slots=True)
class Local(_Value):
    """The value of a local variable or parameter; 0 until assigned."""

    name: str


@dataclass(frozen=True, slots=True)
class Load(_Value):
    """One cell of an array."""

    array: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Binary(_Value):
    """Two values, one operator; both sides are always evaluated."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(_Value):
    """1 for 0, and 0 for anything else."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Pick(_Value):
    """`yes` if the test is not 0, else `no`; only the one picked is evaluated."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class Call(_Value):
    """The result of a function, kernel or intrinsic."""

    name: str
    args: tuple[Expr, ...] = ()


Expr: TypeAlias = Const | Local | Load | Binary | Not | Pick | Call


def _site() -> int:
    return field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Assign(_Node):
    """Give a local a value."""

    local: str
    value: Expr
    site: int = _site()


@dataclass(frozen=True, slots=True)
class Store(_Node):
    """Write one cell of the state or of the work memory."""

    array: str
    index: Expr
    value: Expr
    site: int = _site()


@dataclass(frozen=True, slots=True)
class If(_Node):
    """Run one of two blocks."""

    test: Expr
    then: Block
    orelse: Block = ()
    site: int = _site()


@dataclass(frozen=True, slots=True)
class While(_Node):
    """Run the block as long as the test is not 0."""

    test: Expr
    body: Block
    site: int = _site()


@dataclass(frozen=True, slots=True)
class Break(_Node):
    """Leave the innermost loop."""

    site: int = _site()


@dataclass(frozen=True, slots=True)
class Continue(_Node):
    """Go on with the innermost loop's test."""

    site: int = _site()


@dataclass(frozen=True, slots=True)
class Return(_Node):
    """Leave the function with a value."""

    value: Expr = Const(0)
    site: int = _site()


@dataclass(frozen=True, slots=True)
class Do(_Node):
    """Call for the effect; the result is dropped."""

    call: Call
    site: int = _site()


@dataclass(frozen=True, slots=True)
class Ask(_Node):
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
class Function(_Node):
    """A named piece of code. `framed`: its locals live in the state from the start, `keeps` first."""

    name: str
    params: tuple[str, ...]
    body: Block
    framed: bool = False
    keeps: tuple[str, ...] = ()
    site: int = _site()
