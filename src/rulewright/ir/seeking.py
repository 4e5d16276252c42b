"""Loops that look for a value in a row of slots -> one instruction that looks.

In:  functions and segments of a book, as lowering wrote them.
Out: the same, in which such loops call `seek` and its kin; what they find, and in which order, is the same.

Half of a book's work is walking over everybody or everything to find who stands here, which cards are in
this hand, who is still in play: `while i + 1 < 18: i = i + 1; it = i; if S[9 + it] == place ..: ..`. A
processor compares eight slots at once, so there is no need for an index that would have to be kept right: the
row of slots is the index. Tests that change nothing may be left out for what the row already rules out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

from rulewright.ir.facts import fits_slot
from rulewright.ir.guards import asked_first
from rulewright.ir.nodes import (
    KINDS,
    Ask,
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Const,
    Expr,
    Function,
    If,
    Load,
    Local,
    Not,
    Pick,
    Return,
    Stmt,
    While,
)
from rulewright.ir.piles import settled
from rulewright.ir.purity import harmless, is_harmless
from rulewright.ir.walk import assigned, expressions, operands, parts, rename

LEAST = 8
"""Rows of fewer slots are walked through as before: a processor that has just written one slot waits when it
reads many at once."""

SHORT = 32
"""Rows of at most so many slots are looked at all at once; of longer ones only what few slots hold is worth
looking for."""
SPARSE, DENSE = 2, 5
"""The ranks of what few hold, and of what any number may."""

DEEP = 3
"""Checks that are looked into, one inside the other, for what they compare."""


@dataclass(frozen=True, slots=True)
class _Key:
    """What a test says of a row of slots: the instruction, its base, its values; the better, the lower."""

    rank: int
    name: str
    base: Expr
    values: tuple[Expr, ...]
    pair: bool = False
    """Is it a row of a table of pairs, whose other half may be nobody?"""


@dataclass(frozen=True, slots=True)
class _Walk:
    """A loop over numbers: its counter, the name of the number in the body, its end, and what it tests."""

    counter: str
    it: str
    end: Expr
    test: Expr
    then: Block


def sought(functions: Mapping[str, Function], segments: Iterable[Function]) -> Sought:
    """Rewrite every loop that can be."""
    pure = harmless(functions)
    simple = {
        name: function
        for name, function in functions.items()
        if name in pure and len(function.body) == 1 and isinstance(function.body[0], Return)
    }
    looking = _Looking(functions, pure, simple)
    found = {name: settled(looking.function(function), pure) for name, function in functions.items()}
    return Sought(
        asked_first(found, pure),
        tuple(settled(looking.function(segment), pure) for segment in segments),
    )


@dataclass(frozen=True, slots=True)
class Sought:
    """A Program's code."""

    functions: dict[str, Function]
    segments: tuple[Function, ...]


@dataclass(frozen=True, slots=True)
class _Looking:
    functions: Mapping[str, Function]
    pure: Set[str]
    simple: Mapping[str, Function]

    def function(self, function: Function) -> Function:
        body = self._block(function.body, function)
        return function if body == function.body else replace(function, body=body)

    def _block(self, body: Block, function: Function) -> Block:
        return tuple(self._stmt(stmt, body[:k], function) for k, stmt in enumerate(body))

    def _stmt(self, stmt: Stmt, before: Block, function: Function) -> Stmt:
        match stmt:
            case If(test, then, orelse):
                return If(test, self._block(then, function), self._block(orelse, function), stmt.site)
            case While(test, body):
                walk = _walk(before, stmt)
                if walk is not None and not _read_outside(walk.counter, stmt, function):
                    found = self._sought(walk, stmt)
                    if found is not None:
                        test, body = found.test, found.body
                return While(test, self._block(body, function), stmt.site)
            case Ask(listing, seat, prompt):
                return Ask(self._block(listing, function), seat, prompt, stmt.site)
            case _:
                return stmt

    def _sought(self, walk: _Walk, loop: While) -> While | None:
        tests = _conjuncts(walk.test)
        if not all(is_harmless(test, self.pure) for test in tests):
            return None
        pieces = [(test, self._opened(test, DEEP)) for test in tests]
        changed = frozenset((walk.it, walk.counter))
        worst = DENSE if isinstance(walk.end, Const) and walk.end.value <= SHORT else SPARSE
        keys = [
            (key, (k, j))
            for k, (_, inside) in enumerate(pieces)
            for j, part in enumerate(inside)
            if (key := key_of(part, walk.it, changed)) is not None and key.rank <= worst
        ]
        if not keys:
            return None
        keys.sort(key=lambda found: (found[0].rank, found[1]))
        key, used = keys[0][0], {keys[0][1]}
        pairs = [found.pair for found, _ in keys[:2]]
        if key.name in KINDS and len(keys) > 1 and keys[1][0].name in KINDS and not any(pairs):
            other = keys[1][0]
            kinds = len(KINDS) * KINDS.index(key.name) + KINDS.index(other.name)
            key = _Key(0, "seek_both", key.base, (*key.values, other.base, *other.values, Const(kinds)))
            used.add(keys[1][1])
        if key.pair:
            used.clear()  # the row of nobody is no row: the test itself is asked again
        rest: list[Expr] = []
        for k, (test, inside) in enumerate(pieces):
            if any(k == place for place, _ in used):
                rest += [part for j, part in enumerate(inside) if (k, j) not in used]
            else:
                rest.append(test)
        return While(loop.test, _body(walk, key, rest, loop.site), loop.site)

    def _opened(self, test: Expr, deep: int) -> list[Expr]:
        """What a test asks; checks that are one expression are looked into."""
        match test:
            case Call(name, args) if deep and name in self.simple:
                if all(isinstance(arg, Const | Local) for arg in args):
                    function = self.simple[name]
                    given = dict(zip(function.params, args, strict=True))
                    (value,) = operands(function.body[0])
                    inside = _conjuncts(rename(value, lambda name: given.get(name, Const(0))))
                    return [part for found in inside for part in self._opened(found, deep - 1)]
            case _:
                pass
        return [test]


def _body(walk: _Walk, key: _Key, rest: list[Expr], site: int) -> Block:
    first = Binary("+", Local(walk.counter), Const(1))
    last = Const(walk.end.value - 1) if isinstance(walk.end, Const) else Binary("-", walk.end, Const(1))
    none = Binary(">=", Local(walk.counter), walk.end)
    return (
        Assign(walk.counter, Call(key.name, (key.base, first, walk.end, *key.values)), site),
        If(none, (Assign(walk.it, last, site), Break(site)), (), site),
        Assign(walk.it, Local(walk.counter), site),
        *((If(_all(rest), walk.then, (), site),) if rest else walk.then),
    )


def _conjuncts(test: Expr) -> list[Expr]:
    """What must all hold, in the order in which it is asked."""
    match test:
        case Pick(a, b, Const(0)):
            return [*_conjuncts(a), *(() if b == Const(1) else _conjuncts(b))]
        case Not(Not(a)):
            return _conjuncts(a)
        case _:
            return [test]


def _walk(before: Block, loop: While) -> _Walk | None:
    match loop.test:
        case Binary("<", Binary("+", Local(counter), Const(1)), Const() | Local() as end):
            pass
        case _:
            return None
    match loop.body:
        case (Assign(a, Binary("+", Local(b), Const(1))), Assign(it, Local(c)), If(test, then, ())):
            if not a == b == c == counter or it == counter or not _begins(before, counter):
                return None
        case _:
            return None
    if isinstance(end, Const) and end.value < LEAST:
        return None
    changed = assigned(then)
    if counter in changed or (isinstance(end, Local) and end.name in (*changed, it)):
        return None
    return _Walk(counter, it, end, test, then)


def _begins(before: Block, counter: str) -> bool:
    """Has the counter just been set, to -1 or to one less than a number of a table?"""
    for stmt in reversed(before):
        match stmt:
            case Assign(local, value) if local == counter:
                return (isinstance(value, Const) and value.value >= -1) or _is_table(value)
            case Assign():
                continue
            case _:
                return False
    return False


def _is_table(value: Expr) -> bool:
    match value:
        case Binary("-", Load("K"), Const(1)):
            return True
        case _:
            return False


def _read_outside(name: str, loop: While, function: Function) -> bool:
    """Is the local read anywhere but in this loop?"""

    def reads(block: Block) -> int:
        return sum(isinstance(part, Local) and part.name == name for part in expressions(block))

    return reads(function.body) != reads((loop,))


def key_of(test: Expr, it: str, changed: frozenset[str]) -> _Key | None:
    """What the test says of S[base + it], if it says something plain."""
    match test:
        case Binary("==", left, right):
            found = _compared("seek", 1, left, right, it, changed)
            return found or _compared("seek", 1, right, left, it, changed)
        case Pick(Binary("==", a, b), Const(1), Binary("==", c, d)):
            one, two = key_of(Binary("==", a, b), it, changed), key_of(Binary("==", c, d), it, changed)
            if one is not None and two is not None and one.base == two.base:
                return _Key(2, "seek_either", one.base, (*one.values, *two.values))
            return None
        case Not(Binary("==", left, right)) | Binary("!=", left, right):
            found = _compared("seek_not", 3, left, right, it, changed)
            return found if found is not None and fits_slot(found.values[0]) else None
        case Binary(">", Call("cell", (Const() as base, Call("pair_index", pair), Const(0))), Const(0)):
            row = _pair_row(base, pair, it, changed)
            return None if row is None else _Key(2, "seek_over", row, (Const(0),), True)
        case Binary(">", left, right):
            found = _compared("seek_over", 4, left, right, it, changed)
            return found if found is not None and fits_slot(found.values[0]) else None
        case _:
            base = _row(test, it)
            return None if base is None else _Key(5, "seek_not", base, (Const(0),))


def _compared(name: str, rank: int, cell: Expr, value: Expr, it: str, changed: frozenset[str]) -> _Key | None:
    base = _row(cell, it)
    if base is None or not _steady(value, changed):
        return None
    return _Key(rank, name, base, (value,))


def _row(cell: Expr, it: str) -> Expr | None:
    """The base of S[base + it]; `it` is never below 0 where it is a number of a walk."""
    match cell:
        case Load("S", Binary("+", Const() as base, Local(name))):
            return base if name == it else None
        case Call("cell", (Const() as base, Local(name), _)):
            return base if name == it else None
        case Pick(Binary("<", Local(name), Const(0)), _, Load() as inside) if name == it:
            return _row(inside, it)
        case _:
            return None


def _pair_row(base: Const, pair: tuple[Expr, ...], it: str, changed: frozenset[str]) -> Expr | None:
    """Where the row of one half begins, as in waits by actor and action: few cells of it hold something."""
    match pair:
        case (one, Const(width), Local(name)) if name == it and _steady(one, changed):
            half = Pick(Binary("<", one, Const(0)), Const(0), one)
            return Binary("+", base, Binary("*", half, Const(width)))
        case _:
            return None


def _steady(value: Expr, changed: frozenset[str]) -> bool:
    return not any(isinstance(part, Local) and part.name in changed for part in parts(value))


def _all(tests: list[Expr]) -> Expr:
    found = tests[-1]
    for test in reversed(tests[:-1]):
        found = Pick(test, found, Const(0))
    return found
