"""Locals that hold a secret, and what is known about them.

In:  functions in which a local gets a secret value and, right after it, its companions: locals that say who
     may know it and how it came about.
Out: the same functions, in which a local that gets any other value is no secret any more; where secrets lie
     in frames, for the sheet.

The companions lie in the frame behind the local they speak of, and only if that one outlives a segment: what
does not is on no stack while somebody decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from rulewright.ir.nodes import Assign, Block, Const, Expr, Function, If, Local, Stmt, While
from rulewright.ir.program import FRAME
from rulewright.ir.sheet import SecretCopy, SecretLocal
from rulewright.ir.walk import assigned, parts

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


def is_secret(function: Function, local: str) -> bool:
    """Whether a local of the function ever holds a secret."""
    return local + COMPANIONS[0] in assigned(function.body)


def with_secret(local: str, who: Expr, many: Expr, low: Expr, high: Expr, site: int) -> list[Stmt]:
    """What is said right after a local got a secret value."""
    told = zip(companions(local), (who, many, low, high), strict=True)
    return [Assign(name, value, site) for name, value in told]


def without_companions(function: Function) -> Function:
    """A function that never stops needs none."""
    if not any(map(is_companion, assigned(function.body))):
        return function
    return replace(function, body=bare(function.body))


def bare(block: Block) -> Block:
    """A block in which nothing is said about secrets."""
    return _block(block, frozenset(), True)


def opened(function: Function) -> Function:
    """Any other value that such a local gets is open; one that is made of it is as secret, in a way that
    cannot be said."""
    found = assigned(function.body)
    kept = frozenset([name for name in found if name + COMPANIONS[0] in found])
    return replace(function, body=_block(function.body, kept, False)) if kept else function


def _block(block: Block, kept: frozenset[str], drop: bool) -> Block:
    made: list[Stmt] = []
    for stmt, after in zip_longest(block, block[1:]):
        match stmt:
            case If():
                then, orelse = _block(stmt.then, kept, drop), _block(stmt.orelse, kept, drop)
                made.append(replace(stmt, then=then, orelse=orelse))
            case While():
                made.append(replace(stmt, body=_block(stmt.body, kept, drop)))
            case Assign(local=name) if drop and is_companion(name):
                pass
            case Assign(local=name, value=value) if name in kept:
                made.append(stmt)
                who, many, *_ = companions(name)
                if not (isinstance(after, Assign) and after.local == who):
                    own = Local(name) in parts(value)
                    made.append(Assign(many, Const(UNTOLD)) if own else Assign(who, Const(0)))
            case _:
                made.append(stmt)
    return tuple(made)


def held_with(function: Function, held: Iterable[str], passed: Iterable[Passed]) -> dict[str, None]:
    """What lies in a frame: locals that outlive a segment or are handed on, secret ones with companions."""
    handed = [x.local for x in passed if x.caller == function.name and x.local is not None]
    found: dict[str, None] = dict.fromkeys(held)
    found.update(dict.fromkeys(name for name in handed if is_secret(function, name)))
    for name in [*found]:
        if is_secret(function, name):
            found.update(dict.fromkeys(companions(name)))
    return found


def secret_places(
    functions: Mapping[str, Function], frames: Mapping[str, Mapping[str, int]], passed: Iterable[Passed]
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
