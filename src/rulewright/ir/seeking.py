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

from rulewright.ir import nodes as n
from rulewright.ir.facts import fits_slot
from rulewright.ir.guards import asked_first
from rulewright.ir.piles import settled
from rulewright.ir.purity import harmless, is_harmless
from rulewright.ir.walk import assigned, expressions, operands, parts, rename, with_blocks

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
    base: n.Expr
    values: tuple[n.Expr, ...]
    pair: bool = False
    """Is it a row of a table of pairs, whose other half may be nobody?"""


@dataclass(frozen=True, slots=True)
class _Walk:
    """A loop over numbers: its counter, the name of the number in the body, its end, and what it tests."""

    counter: str
    it: str
    end: n.Expr
    test: n.Expr
    then: n.Block


def sought(functions: Mapping[str, n.Function], segments: Iterable[n.Function]) -> Sought:
    """Rewrite every loop that can be."""
    pure = harmless(functions)
    simple = {
        name: function
        for name, function in functions.items()
        if name in pure and len(function.body) == 1 and isinstance(function.body[0], n.Return)
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

    functions: dict[str, n.Function]
    segments: tuple[n.Function, ...]


@dataclass(frozen=True, slots=True)
class _Looking:
    functions: Mapping[str, n.Function]
    pure: Set[str]
    simple: Mapping[str, n.Function]

    def function(self, function: n.Function) -> n.Function:
        body = self._block(function.body, function)
        return function if body == function.body else replace(function, body=body)

    def _block(self, body: n.Block, function: n.Function) -> n.Block:
        return tuple(self._stmt(stmt, body[:k], function) for k, stmt in enumerate(body))

    def _stmt(self, stmt: n.Stmt, before: n.Block, function: n.Function) -> n.Stmt:
        if isinstance(stmt, n.While):
            walk = _walk(before, stmt)
            if walk is not None and not _read_outside(walk.counter, stmt, function):
                stmt = self._sought(walk, stmt) or stmt
        return with_blocks(stmt, lambda body: self._block(body, function))

    def _sought(self, walk: _Walk, loop: n.While) -> n.While | None:
        tests = _conjuncts(walk.test)
        if not all(is_harmless(test, self.pure) for test in tests):
            return None
        pieces = [(test, self._opened(test, DEEP)) for test in tests]
        changed = frozenset((walk.it, walk.counter))
        worst = DENSE if isinstance(walk.end, n.Const) and walk.end.value <= SHORT else SPARSE
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
        if key.name in n.KINDS and len(keys) > 1 and keys[1][0].name in n.KINDS and not any(pairs):
            other = keys[1][0]
            kinds = len(n.KINDS) * n.KINDS.index(key.name) + n.KINDS.index(other.name)
            key = _Key(0, "seek_both", key.base, (*key.values, other.base, *other.values, n.Const(kinds)))
            used.add(keys[1][1])
        if key.pair:
            used.clear()  # the row of nobody is no row: the test itself is asked again
        rest: list[n.Expr] = []
        for k, (test, inside) in enumerate(pieces):
            if any(k == place for place, _ in used):
                rest += [part for j, part in enumerate(inside) if (k, j) not in used]
            else:
                rest.append(test)
        return n.While(loop.test, _body(walk, key, rest, loop.site), loop.site)

    def _opened(self, test: n.Expr, deep: int) -> list[n.Expr]:
        """What a test asks; checks that are one expression are looked into."""
        match test:
            case n.Call(name, args) if deep and name in self.simple:
                if all(isinstance(arg, n.Const | n.Local) for arg in args):
                    function = self.simple[name]
                    given = dict(zip(function.params, args, strict=True))
                    (value,) = operands(function.body[0])
                    inside = _conjuncts(rename(value, lambda name: given.get(name, n.Const(0))))
                    return [part for found in inside for part in self._opened(found, deep - 1)]
            case _:
                pass
        return [test]


def _body(walk: _Walk, key: _Key, rest: list[n.Expr], site: int) -> n.Block:
    first = n.Binary("+", n.Local(walk.counter), n.Const(1))
    last = (
        n.Const(walk.end.value - 1) if isinstance(walk.end, n.Const) else n.Binary("-", walk.end, n.Const(1))
    )
    none = n.Binary(">=", n.Local(walk.counter), walk.end)
    return (
        n.Assign(walk.counter, n.Call(key.name, (key.base, first, walk.end, *key.values)), site),
        n.If(none, (n.Assign(walk.it, last, site), n.Break(site)), (), site),
        n.Assign(walk.it, n.Local(walk.counter), site),
        *((n.If(_all(rest), walk.then, (), site),) if rest else walk.then),
    )


def _conjuncts(test: n.Expr) -> list[n.Expr]:
    """What must all hold, in the order in which it is asked."""
    match test:
        case n.Pick(a, b, n.Const(0)):
            return [*_conjuncts(a), *(() if b == n.Const(1) else _conjuncts(b))]
        case n.Not(n.Not(a)):
            return _conjuncts(a)
        case _:
            return [test]


def _walk(before: n.Block, loop: n.While) -> _Walk | None:
    match loop.test:
        case n.Binary("<", n.Binary("+", n.Local(counter), n.Const(1)), n.Const() | n.Local() as end):
            pass
        case _:
            return None
    match loop.body:
        case (
            n.Assign(a, n.Binary("+", n.Local(b), n.Const(1))),
            n.Assign(it, n.Local(c)),
            n.If(test, then, ()),
        ):
            if not a == b == c == counter or it == counter or not _begins(before, counter):
                return None
        case _:
            return None
    if isinstance(end, n.Const) and end.value < LEAST:
        return None
    changed = assigned(then)
    if counter in changed or (isinstance(end, n.Local) and end.name in (*changed, it)):
        return None
    return _Walk(counter, it, end, test, then)


def _begins(before: n.Block, counter: str) -> bool:
    """Has the counter just been set, to -1 or to one less than a number of a table?"""
    for stmt in reversed(before):
        match stmt:
            case n.Assign(local, value) if local == counter:
                return (isinstance(value, n.Const) and value.value >= -1) or _is_table(value)
            case n.Assign():
                continue
            case _:
                return False
    return False


def _is_table(value: n.Expr) -> bool:
    match value:
        case n.Binary("-", n.Load("K"), n.Const(1)):
            return True
        case _:
            return False


def _read_outside(name: str, loop: n.While, function: n.Function) -> bool:
    """Is the local read anywhere but in this loop?"""

    def reads(block: n.Block) -> int:
        return sum(isinstance(part, n.Local) and part.name == name for part in expressions(block))

    return reads(function.body) != reads((loop,))


def key_of(test: n.Expr, it: str, changed: frozenset[str]) -> _Key | None:
    """What the test says of S[base + it], if it says something plain."""
    match test:
        case n.Binary("==", left, right):
            found = _compared("seek", 1, left, right, it, changed)
            return found or _compared("seek", 1, right, left, it, changed)
        case n.Pick(n.Binary("==", a, b), n.Const(1), n.Binary("==", c, d)):
            one, two = key_of(n.Binary("==", a, b), it, changed), key_of(n.Binary("==", c, d), it, changed)
            if one is not None and two is not None and one.base == two.base:
                return _Key(2, "seek_either", one.base, (*one.values, *two.values))
            return None
        case n.Not(n.Binary("==", left, right)) | n.Binary("!=", left, right):
            found = _compared("seek_not", 3, left, right, it, changed)
            return found if found is not None and fits_slot(found.values[0]) else None
        case n.Binary(
            ">", n.Call("cell", (n.Const() as base, n.Call("pair_index", pair), n.Const(0))), n.Const(0)
        ):
            row = _pair_row(base, pair, it, changed)
            return None if row is None else _Key(2, "seek_over", row, (n.Const(0),), True)
        case n.Binary(">", left, right):
            found = _compared("seek_over", 4, left, right, it, changed)
            return found if found is not None and fits_slot(found.values[0]) else None
        case _:
            base = _row(test, it)
            return None if base is None else _Key(5, "seek_not", base, (n.Const(0),))


def _compared(
    name: str, rank: int, cell: n.Expr, value: n.Expr, it: str, changed: frozenset[str]
) -> _Key | None:
    base = _row(cell, it)
    if base is None or not _steady(value, changed):
        return None
    return _Key(rank, name, base, (value,))


def _row(cell: n.Expr, it: str) -> n.Expr | None:
    """The base of S[base + it]; `it` is never below 0 where it is a number of a walk."""
    match cell:
        case n.Load("S", n.Binary("+", n.Const() as base, n.Local(name))):
            return base if name == it else None
        case n.Call("cell", (n.Const() as base, n.Local(name), _)):
            return base if name == it else None
        case n.Pick(n.Binary("<", n.Local(name), n.Const(0)), _, n.Load() as inside) if name == it:
            return _row(inside, it)
        case _:
            return None


def _pair_row(base: n.Const, pair: tuple[n.Expr, ...], it: str, changed: frozenset[str]) -> n.Expr | None:
    """Where the row of one half begins, as in waits by actor and action: few cells of it hold something."""
    match pair:
        case (one, n.Const(width), n.Local(name)) if name == it and _steady(one, changed):
            half = n.Pick(n.Binary("<", one, n.Const(0)), n.Const(0), one)
            return n.Binary("+", base, n.Binary("*", half, n.Const(width)))
        case _:
            return None


def _steady(value: n.Expr, changed: frozenset[str]) -> bool:
    return not any(isinstance(part, n.Local) and part.name in changed for part in parts(value))


def _all(tests: list[n.Expr]) -> n.Expr:
    found = tests[-1]
    for test in reversed(tests[:-1]):
        found = n.Pick(test, found, n.Const(0))
    return found
