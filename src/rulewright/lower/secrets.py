"""Who is let into a secret: rolls and choices whose outcome goes straight into something hidden.

In:  statements, and what stands after them in their block.
Out: code that says, around the roll or the question, which seats may read what comes out of it.

What is hidden from somebody is told to those who may see it, and to whoever decides. An outcome that is used
for anything else as well is open, as everything is that a book does not hide.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from rulewright.book import tree as t
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.ir.program import SECRET
from rulewright.lower.builder import Builder, var
from rulewright.lower.terms import owner_index
from rulewright.lower.writer import Writer, add, const, local, state


@dataclass(frozen=True, slots=True)
class Hidden:
    """A resource that somebody may not see, and whose it is."""

    resource: t.Resource
    owners: list[Any]
    chosen: tuple[str, ...] = ()
    """What is still being chosen, so that an owner who is found by it is not known yet."""


def hidden_target(s: object) -> Hidden | None:
    """The hidden place that a statement puts something into, and does nothing else."""
    match s:
        case t.SetNumber(target=t.ReadRes(resource=r, owners=owners), until=None) if r.seen != "all":
            return Hidden(r, owners)
        case t.SetThing(target=t.THold(resource=r, owners=owners)) if r.seen != "all":
            return Hidden(r, owners)
        case _:
            return None


def straight_into(s: t.Stmt_, rest: Sequence[t.Stmt_]) -> Hidden | None:
    """The hidden place that the outcome of a choice or a roll goes to, and to nowhere else."""
    match s:
        case t.Choose(options=options):
            its = [option.selector.it for option in options if option.selector is not None]
            return _only([part for option in options for part in (option.body or [None])], its)
        case t.ChooseMany(body=body, selector=selector):
            return _only(body, [selector.it])
        case t.LetChoose(local=name):
            return _only([later for later in rest if _speaks(later, name)], [name])
        case t.SetNumber(target=t.ReadLocal(name=name), value=value) if rolls(value):
            return _only([later for later in rest if _speaks(later, name)])
        case _:
            return None


def _only(body: Sequence[object], chosen: Sequence[str] = ()) -> Hidden | None:
    found = [hidden_target(s) for s in body]
    if not found or found[0] is None or not all(found):
        return None
    return replace(found[0], chosen=tuple(map(var, chosen)))


def _speaks(s: object, name: str) -> bool:
    wanted = var(name)
    return any(isinstance(x, t.ReadLocal | t.TLocal) and var(x.name) == wanted for x in nodes(s))


def rolls(value: object) -> bool:
    """Whether dice may be rolled to work it out."""
    return any(isinstance(x, t.Dice | t.Component) for x in nodes(value))


def _seats(b: Builder, r: t.Resource, index: n.Expr) -> n.Expr:
    """Who may see the resource of this owner."""
    if r.seen != "owner" or not r.of:
        return const(0)
    first = index if len(r.of) == 1 else n.Binary("//", index, const(b.layout.count_of(r.of[1])))
    base = b.layout.base
    if r.of[0] == t.ACTOR:
        return n.Call("seat_bit", (n.Call("cell", (const(base["!controller"]), first, const(-1))),))
    if r.of[0] == t.SIDE:
        return n.Call(
            "side_seats",
            (first, const(base["!side"]), const(base["!controller"]), const(len(b.symbols.actors))),
        )
    return const(0)


@contextmanager
def told_to(w: Writer, seats: n.Expr) -> Generator[None, None, None]:
    """What is rolled or chosen in here is told to these seats."""
    before = w.temp(state(SECRET), "told")
    w.store(SECRET, add(seats, 1))
    yield
    w.store(SECRET, local(before))


def keep(b: Builder, w: Writer, r: t.Resource, index: n.Expr, value: object, made: Any) -> n.Expr:
    """What `made` computes; if that may roll dice for something hidden, only those see them who see that."""
    if r.seen == "all" or not rolls(value):
        return made()
    with told_to(w, _seats(b, r, index)):
        outcome = w.temp(made(), "secret")
    return local(outcome)


def audience(b: Builder, w: Writer, into: Hidden, seat: n.Expr | None = None) -> n.Expr:
    """Who is told what goes into a hidden place: whoever may see it, and whoever decides."""
    seats: n.Expr = const(0)
    found = list(nodes(into.owners))
    late = any(isinstance(x, t.TLocal) and var(x.name) in into.chosen for x in found)
    if into.resource.of and not late and not any(isinstance(x, t.Selector | t.Component) for x in found):
        seats = _seats(b, into.resource, owner_index(b, w, into.resource, into.owners))
    if seat is None:
        return seats
    decider = n.Call("seat_bit", (seat,))
    return decider if seats == const(0) else n.Binary("|", decider, seats)
