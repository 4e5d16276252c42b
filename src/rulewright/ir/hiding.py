"""Locals that hold a secret, and what is known about them.

In:  functions in which a local gets a secret value and, right after it, its companions: locals that say who
     may know it and how it came about.
Out: the same functions, in which a local that is made of secrets is one, and one that gets any other value is
     none any more; where secrets lie in frames, for the sheet.

The companions lie in the frame behind the local they speak of, and only if that one outlives a segment: what
does not is on no stack while somebody decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, zip_longest
from typing import NamedTuple

from rulewright.ir import nodes as n
from rulewright.ir.program import FRAME
from rulewright.ir.sheet import SecretCopy, SecretLocal
from rulewright.ir.walk import assigned, parts, statements, with_blocks

COMPANIONS = ("__who", "__many", "__low", "__high")
"""Who may know it, as in the slot SECRET; and that it is the sum of so many draws, each from low to high."""
UNTOLD = -1
"""As `many`: how it came about cannot be said."""


class Passed(NamedTuple):
    """A local that one function hands to another that may stop."""

    back: int
    """Where it goes on after the call: a label, later a segment."""
    caller: str
    local: str | None
    """None: something else than a local is handed over."""
    callee: str
    place: int


def companions(local: str) -> tuple[str, ...]:
    """The locals that speak of this one."""
    return tuple([local + part for part in COMPANIONS])


def is_companion(local: str) -> bool:
    """Whether a local speaks of another."""
    return local.endswith(COMPANIONS)


def is_secret(function: n.Function, local: str) -> bool:
    """Whether a local of the function ever holds a secret."""
    return local + COMPANIONS[0] in assigned(function.body)


def with_secret(local: str, who: n.Expr, many: n.Expr, low: n.Expr, high: n.Expr, site: int) -> list[n.Stmt]:
    """What is said right after a local got a secret value."""
    told = zip(companions(local), (who, many, low, high), strict=True)
    return [n.Assign(name, value, site) for name, value in told]


def without_companions(function: n.Function) -> n.Function:
    """A function that never stops needs none but those which it keeps elsewhere."""
    if not any(map(is_companion, assigned(function.body))):
        return function
    said = asked_for([function.body], ())
    if said:
        function = opened(function)
        said = asked_for([function.body], ())
    return replace(function, body=bare(function.body, said))


def bare(block: n.Block, but: Collection[str] = ()) -> n.Block:
    """A block in which nothing is said about secrets, `but` in these companions."""
    made: list[n.Stmt] = []
    for stmt in block:
        if not isinstance(stmt, n.Assign) or not is_companion(stmt.local) or stmt.local in but:
            made.append(with_blocks(stmt, lambda inner: bare(inner, but)))
    return tuple(made)


def opened(function: n.Function) -> n.Function:
    """What a local is made of says who may know it: of nothing secret, it is open; of secrets, whoever knows
    all of them. A local that is changed only if a secret is so and so tells of it as well, changed or not."""
    found = assigned(function.body)
    kept = frozenset([name for name in found if name + COMPANIONS[0] in found])
    if not kept:
        return function
    body = _handed(function.body, _told_of(function.body, kept), count())
    return replace(function, body=_marked(body, _told_of(body, kept)))


def _handed(block: n.Block, kept: frozenset[str], numbers: Iterator[int]) -> n.Block:
    """What is computed from secrets and handed to another function gets a local, of which it can be said."""
    made: list[n.Stmt] = []
    for stmt in block:
        match stmt:
            case n.Do(call=n.Call() as call):
                call = _named(call, kept, numbers, made)
                made.append(replace(stmt, call=call))
            case n.Assign(value=n.Call() as call):
                call = _named(call, kept, numbers, made)
                made.append(replace(stmt, value=call))
            case _:
                made.append(with_blocks(stmt, lambda inner: _handed(inner, kept, numbers)))
    return tuple(made)


def _named(call: n.Call, kept: frozenset[str], numbers: Iterator[int], before: list[n.Stmt]) -> n.Call:
    if any(isinstance(part, n.Call) for arg in call.args for part in parts(arg)):
        return call  # in which order things happen must stay as it is
    args: list[n.Expr] = []
    for arg in call.args:
        if not isinstance(arg, n.Local) and _sources(arg, kept):
            name = f"handed_{next(numbers)}__"
            before.append(n.Assign(name, arg))
            arg = n.Local(name)
        args.append(arg)
    return replace(call, args=tuple(args))


def _told_of(body: n.Block, kept: frozenset[str]) -> frozenset[str]:
    """The locals that may hold a secret, or something made of one."""
    found, before = set(kept), 0
    while len(found) > before:
        before = len(found)
        for stmt in statements(body):
            match stmt:
                case n.Assign(local=name, value=value) if not is_companion(name) and _sources(value, found):
                    found.add(name)
                case n.If(test=test, then=then, orelse=orelse) if _sources(test, found):
                    found.update(_plain(then + orelse))
                case n.While(test=test, body=inside) if _sources(test, found):
                    found.update(_plain(inside))
                case _:
                    pass
    return frozenset(found)


def _plain(block: n.Block) -> list[str]:
    return [name for name in assigned(block) if not is_companion(name)]


def _sources(value: n.Expr, kept: Iterable[str]) -> list[str]:
    """The secrets that an expression reads, in order."""
    read = dict.fromkeys(part.name for part in parts(value) if isinstance(part, n.Local))
    return [name for name in read if name in kept]


def _marked(block: n.Block, kept: frozenset[str]) -> n.Block:
    made: list[n.Stmt] = []
    for stmt, after in zip_longest(block, block[1:]):
        match stmt:
            case n.If(test=test):
                then, orelse = _marked(stmt.then, kept), _marked(stmt.orelse, kept)
                made.append(replace(stmt, then=then, orelse=orelse))
                made += _tied(_plain(stmt.then + stmt.orelse), _sources(test, kept))
            case n.While(test=test):
                made.append(replace(stmt, body=_marked(stmt.body, kept)))
                made += _tied(_plain(stmt.body), _sources(test, kept))
            case n.Assign(local=name, value=value) if name in kept:
                made.append(stmt)
                who, many, *_ = companions(name)
                if isinstance(after, n.Assign) and after.local == who:
                    continue
                sources = _sources(value, kept)
                made.append(n.Assign(who, who_knows(sources)))
                if sources:
                    made.append(n.Assign(many, n.Const(UNTOLD)))
            case _:
                made.append(stmt)
    return tuple(made)


def _tied(changed: Iterable[str], sources: Sequence[str]) -> list[n.Stmt]:
    """What is said of locals that were perhaps changed because of secrets."""
    made: list[n.Stmt] = []
    if sources:
        for name in changed:
            who, many, *_ = companions(name)
            made.append(n.Assign(many, n.Pick(who_knows(sources), n.Const(UNTOLD), n.Local(many))))
            made.append(n.Assign(who, who_knows([name, *(x for x in sources if x != name)])))
    return made


def who_knows(sources: Sequence[str]) -> n.Expr:
    """Who knows all of these; 0 where none of them is a secret now."""
    found: n.Expr = n.Const(0)
    for name in sources:
        one = n.Local(name + COMPANIONS[0])
        if found == n.Const(0):
            found = one
            continue
        both = n.Binary(
            "+", n.Binary("&", n.Binary("-", found, n.Const(1)), n.Binary("-", one, n.Const(1))), n.Const(1)
        )
        found = n.Pick(found, n.Pick(one, both, found), one)
    return found


def held_with(function: n.Function, held: Iterable[str], passed: Iterable[Passed]) -> dict[str, None]:
    """What lies in a frame: locals that outlive a segment or are handed on, each secret one with all of its
    companions, in their order; then companions that others are made of."""
    handed = [x.local for x in passed if x.caller == function.name and x.local is not None]
    given = [*held]
    fixed = (*function.params, *function.keeps)
    found: dict[str, None] = dict.fromkeys(fixed)
    found.update(dict.fromkeys(name for name in given if not is_companion(name)))
    found.update(dict.fromkeys(name for name in handed if is_secret(function, name)))
    for name in [*found]:
        if is_secret(function, name):
            found.update(dict.fromkeys(companions(name)))
    found.update(dict.fromkeys(given))
    return found


def asked_for(bodies: Sequence[n.Block], held: Iterable[str]) -> frozenset[str]:
    """The companions that lie in a frame, and those that they are made of."""
    found = set(filter(is_companion, held))
    for stmt in (stmt for body in bodies for stmt in statements(body) if isinstance(stmt, n.Store)):
        read = (part.name for part in parts(stmt.value) if isinstance(part, n.Local))
        found.update(filter(is_companion, read))  # what is kept of a secret says who may know it
    before = -1
    while len(found) > before:
        before = len(found)
        for stmt in (stmt for body in bodies for stmt in statements(body)):
            if isinstance(stmt, n.Assign) and stmt.local in found:
                read = (part.name for part in parts(stmt.value) if isinstance(part, n.Local))
                found.update(filter(is_companion, read))
    return frozenset(found)


def secret_places(
    functions: Mapping[str, n.Function], frames: Mapping[str, Mapping[str, int]], passed: Iterable[Passed]
) -> tuple[tuple[SecretLocal, ...], tuple[SecretCopy, ...]]:
    """Where secrets lie in frames, and where copies of them that were handed on. What may have been changed
    since is no copy."""
    own = tuple(
        SecretLocal(function, places[name], places[name + COMPANIONS[0]])
        for function, places in frames.items()
        for name in places
        if name + COMPANIONS[0] in places
    )
    given: dict[tuple[int, str, int], set[tuple[str, int] | None]] = {}
    changed = {name: frozenset(assigned(functions[name].body)) for name in frames}
    for x in passed:
        if functions[x.callee].params[x.place - FRAME] in changed[x.callee]:
            continue
        place = frames[x.caller].get(x.local) if x.local is not None else None
        given.setdefault((x.back, x.callee, x.place), set()).add(None if place is None else (x.caller, place))
    secret = {(x.function, x.place) for x in own}
    copies: dict[SecretCopy, None] = {}
    grown = True
    while grown:  # what was handed on may be handed on again
        grown = False
        for (back, callee, place), sources in given.items():
            source = next(iter(sources))
            if len(sources) == 1 and source is not None and source in secret:
                copy = SecretCopy(back, callee, place, source[1])
                grown = grown or copy not in copies
                copies[copy] = None
                secret.add((callee, place))
    return own, tuple(copies)


def place_of(argument: int) -> int:
    """Where an argument lies in the frame of what is called."""
    return FRAME + argument
