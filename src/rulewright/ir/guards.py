"""Requirements that stay the same while candidates are tried -> asked once, before the walk.

In:  functions of a book, as lowering and `seeking` left them.
Out: the same; a walk that only offers options, each behind a test, begins with what that test says of nobody
     in particular. What is offered, and in which order, is the same.

Lowering tries the candidates of an action and asks for each whether the action's requirements hold. Most
of those are about whoever acts: a price, a limit, something held. Where they do not hold no candidate needs
to be looked at, and where they do, once is enough. Only what merely looks and has no loop of its own is
moved: it may now be asked where there is no candidate at all, so it must do nothing, and cost little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import reduce

from rulewright.ir import nodes as n
from rulewright.ir.liveness import live_parameters
from rulewright.ir.piles import OFFERS, only_looks
from rulewright.ir.walk import assigned, called, operands, parts, rename, statements, with_blocks


def asked_first(functions: Mapping[str, n.Function], pure: Set[str]) -> dict[str, n.Function]:
    """Rewrite every such walk. `pure`: functions that only look."""
    asking = _Asking(functions, pure, _short(functions, pure), live_parameters(functions))
    return {
        name: asking.function(function) if OFFERS & called(function.body) else function
        for name, function in functions.items()
    }


def _short(functions: Mapping[str, n.Function], pure: Set[str]) -> frozenset[str]:
    """Functions that only look, not at the options either, and reach no loop."""
    made = {name: called(functions[name].body) for name in pure}
    found = {
        name
        for name in pure
        if not any(isinstance(node, n.While) for node in statements(functions[name].body))
    }
    while True:
        kept = {name for name in found if made[name] <= found | n.SEEKS}
        if kept == found:
            return frozenset(found)
        found = kept


@dataclass(frozen=True, slots=True)
class _Asking:
    functions: Mapping[str, n.Function]
    pure: Set[str]
    short: Set[str]
    live: Mapping[str, frozenset[str]]

    def function(self, function: n.Function) -> n.Function:
        reads = _reads(function.body)
        body = self._block(function.body, reads)
        return function if body == function.body else replace(function, body=body)

    def _block(self, body: n.Block, reads: Counter[str]) -> n.Block:
        """Inner walks first: what they asked for may be the same for the outer one as well."""
        made: list[n.Stmt] = []
        for stmt in body:
            done = with_blocks(stmt, lambda inner: self._block(inner, reads))
            if isinstance(done, n.While):
                made[-1:] = self._walk(made[-1:], done, reads)
            else:
                made.append(done)
        return tuple(made)

    def _walk(self, before: list[n.Stmt], loop: n.While, reads: Counter[str]) -> Iterable[n.Stmt]:
        """A loop and the statement before it."""
        as_it_is = [*before, loop]
        match before:
            case [n.Assign() as first]:
                pair = (first, loop)
            case _:
                return as_it_is
        changing = frozenset(assigned(pair))
        inside = _reads(pair)
        leaves = any(isinstance(node, n.Return) for node in statements(loop.body))
        if leaves or not only_looks(loop.body, self.pure) or any(inside[n] != reads[n] for n in changing):
            return as_it_is
        asked: list[n.Expr] = []
        body = self._stripped(loop.body, changing, asked)
        if not asked:
            return as_it_is
        once = tuple(dict.fromkeys(asked))
        reads.update(_reads((n.If(_both(once), ()),)))
        reads.subtract(inside)
        loop = replace(loop, body=body)
        reads.update(_reads((first, loop)))
        return [n.If(_both(once), (first, loop), (), site=loop.site)]

    def _stripped(self, body: n.Block, changing: Set[str], asked: list[n.Expr]) -> n.Block:
        """The body of a walk without what can be asked before it, if all it offers is behind one test."""
        offers = [k for k, stmt in enumerate(body) if _offers(stmt)]
        if len(offers) != 1:
            return body
        (k,) = offers
        stmt = body[k]
        if not isinstance(stmt, n.If) or any(map(_offers, stmt.orelse)):
            return body
        pieces = self._pieces(stmt.test, changing)
        steady = [piece for piece in pieces if self._is_steady(piece, changing)]
        then = self._stripped(stmt.then, changing, asked)
        test = stmt.test
        if steady and not stmt.orelse:
            asked += [self._plain(piece) for piece in steady]
            test = _both([piece for piece in pieces if piece not in steady])
        return (*body[:k], n.If(test, then, stmt.orelse, site=stmt.site), *body[k + 1 :])

    def _pieces(self, test: n.Expr, changing: Set[str]) -> list[n.Expr]:
        """What must all hold; a check of one `return` is opened where that helps."""
        match test:
            case n.Const(value) if value:
                return []
            case n.Pick(first, second, n.Const(0)):
                return [*self._pieces(first, changing), *self._pieces(second, changing)]
            case n.Call(name, args) if name in self.short and not self._is_steady(test, changing):
                function = self.functions[name]
                given = dict(zip(function.params, args, strict=True))
                match function.body:
                    case (n.Return(value),) if all(isinstance(arg, n.Local | n.Const) for arg in args):
                        inner = self._pieces(rename(value, given.__getitem__), changing)
                        if any(self._is_steady(piece, changing) for piece in inner):
                            return inner
                    case _:
                        pass
                return [test]
            case _:
                return [test]

    def _is_steady(self, expr: n.Expr, changing: Set[str]) -> bool:
        """Is it the same for every candidate, and cheap to ask?"""
        within = parts(self._plain(expr))
        return all(
            (part.name not in changing)
            if isinstance(part, n.Local)
            else not isinstance(part, n.Call) or part.name in self.short or part.name in n.SEEKS
            for part in within
        )

    def _plain(self, expr: n.Expr) -> n.Expr:
        """The expression without values for parameters that nobody reads, if it is a call."""
        match expr:
            case n.Call(name, args) if name in self.functions:
                live = self.live[name]
                params = self.functions[name].params
                kept = (
                    self._plain(arg) if parameter in live else n.Const(0)
                    for parameter, arg in zip(params, args, strict=True)
                )
                return n.Call(name, tuple(kept))
            case _:
                return expr


def _offers(stmt: n.Stmt) -> bool:
    """Does it, or anything in it, do more than give a local a value?"""
    return any(isinstance(node, n.Do) for node in statements((stmt,)))


def _both(pieces: Sequence[n.Expr]) -> n.Expr:
    """All of them."""
    return reduce(lambda one, two: n.Pick(one, two, n.Const(0)), pieces) if pieces else n.Const(1)


def _reads(body: n.Block) -> Counter[str]:
    """How often each local is read."""
    return Counter(
        part.name
        for stmt in statements(body)
        for operand in operands(stmt)
        for part in parts(operand)
        if isinstance(part, n.Local)
    )
