"""Who is let into a secret: rolls and choices whose outcome is hidden, or said to be secret.

In:  where an outcome goes (see `book.hidden`), or `secretly`.
Out: code that says, around the roll or the question, which seats may read what comes out of it.

What is hidden from somebody is told to those who may see it, and to whoever decides. An outcome that is used
for anything else as well is open, as everything is that a book does not hide.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rulewright.book import tree as t
from rulewright.book.hidden import Hidden, rolls, spelt, straight_into
from rulewright.book.walk import nodes, replaced
from rulewright.ir import nodes as n
from rulewright.ir.hiding import UNTOLD, companions, who_knows, with_secret
from rulewright.ir.program import SECRET
from rulewright.ir.walk import calls
from rulewright.lower.builder import Builder, field_of, var
from rulewright.lower.dispatch import STATEMENTS, lowers
from rulewright.lower.terms import first_owner, kept, kept_companions, owner_index
from rulewright.lower.writer import CHECK, Writer, call, const, local, state

__all__ = [
    "Hidden",
    "Into",
    "Outright",
    "audience",
    "goes",
    "heard",
    "hide",
    "hide_kept",
    "keep",
    "made_of",
    "taken",
    "told_to",
]


@dataclass(frozen=True, slots=True)
class Outright:
    """The book says that it is secret; what comes out may go into something hidden besides."""

    into: Hidden | None = None


Into = Hidden | Outright | None
"""Where the outcome of a choice or a roll goes, if that is not for everybody."""


def goes(w: Writer, s: t.Stmt_) -> Into:
    """Where the outcome of this statement goes. That the book calls it secret holds for this one only, not
    for what follows in its block."""
    hidden, kept, w.kept = straight_into(s, w.after), w.kept, False
    return Outright(hidden) if kept else hidden


@lowers(STATEMENTS, t.Secretly)
def secretly(b: Builder, w: Writer, s: t.Secretly) -> None:
    """A statement that says it is secret."""
    w.kept = True
    STATEMENTS[type(s.statement)](b, w, s.statement)
    w.kept = False


def _seats(b: Builder, r: t.Resource, index: n.Expr) -> n.Expr:
    """Who may see the resource of this owner."""
    if r.seen != "owner" or not r.of:
        return const(0)
    first = first_owner(b, r, index)
    base = b.layout.base
    if r.of[0] == t.ACTOR:
        return call("seat_bit", call("cell", base["!controller"], first, -1))
    if r.of[0] == t.SEAT:
        return call("seat_bit", first)
    if r.of[0] == t.SIDE:
        return call("side_seats", first, base["!side"], base["!controller"], len(b.symbols.actors))
    return const(0)


@contextmanager
def told_to(w: Writer, seats: n.Expr) -> Generator[None, None, None]:
    """What is rolled or chosen in here is told to these seats, and nothing after it, however it is left: what
    may end a sequence around it is in a loop of its own, which is all that is left at first."""
    before = w.temp(state(SECRET), "told")
    w.store(SECRET, seats + 1)
    with w.nested() as body:
        yield
    ends = any(call.name == CHECK for call in calls(tuple(body)))
    for part in (n.While(const(1), (*body, n.Break(w.site)), w.site),) if ends else body:
        w.emit(part)
    w.store(SECRET, local(before))
    if ends:
        w.check()


def heard(b: Builder, w: Writer, into: Into, made: Callable[[], n.Expr]) -> n.Expr:
    """What `made` computes, told to those only whom it is for. What is then done with it is no secret."""
    if into is None:
        return made()
    with told_to(w, audience(b, w, into)):
        outcome = w.temp(made(), "secret")
    return local(outcome)


def hide(w: Writer, name: str, seats: n.Expr, draws: tuple[n.Expr, n.Expr, n.Expr] | None = None) -> None:
    """Say of a local that just got its value: these seats may know it. `draws`: it is the sum of so many,
    each from a number to another."""
    many, low, high = draws or (const(UNTOLD), const(0), const(0))
    told = w.secrets[name] = (seats + 1, many, low, high)
    for said in with_secret(name, *told, w.site):
        w.emit(said)


def taken(b: Builder, w: Writer, value: Any) -> Any:
    """A value that is about to be given to a local, a kept value or a component, with locals for the kept
    secrets in it: of those it can be said who may know what is made of them."""

    def secret(node: object) -> object | None:
        if not isinstance(node, t.ReadKept | t.TKept):
            return None
        places = kept_companions(b, node.sequence, node.name)
        if not places:
            return None
        number = isinstance(node, t.ReadKept)
        name = f"itkept{next(w.temps)}"
        w.assign(name, kept(b, node.sequence, node.name, 0 if number else -1))
        frame = state(b.layout.current[id(node.sequence)])
        told = [n.Pick(frame, state(frame + place), const(0)) for place in places]
        w.secrets[name] = (told[0], told[1], told[2], told[3])
        for said in with_secret(name, *w.secrets[name], w.site):
            w.emit(said)
        return t.ReadLocal(name) if number else t.TLocal(node.type, name)

    return replaced(value, secret)


def made_of(w: Writer, name: str, value: Any, copied: bool) -> None:
    """Say of a local that just got this value who may know it: whoever knows all secrets in it. A copy came
    about as what it is a copy of."""
    read = _secrets(w, value)
    if not read:
        return
    plain = copied and isinstance(value, t.ReadLocal | t.TLocal)
    _, many, low, high = map(local, companions(read[0]))
    hide(w, name, who_knows(read) - 1, (many, low, high) if plain else None)
    who, many, low, high = map(local, companions(name))
    w.secrets[name] = (who, many, low, high)


def hide_kept(
    b: Builder, w: Writer, s: t.SetNumber | t.SetThing, target: t.ReadKept | t.TKept, frame: n.Expr
) -> None:
    """Say of a kept value that just got its value who may know it: of a secret local whoever may know that,
    of what is made of one too. It is open again when it gets what nobody keeps."""
    places = kept_companions(b, target.sequence, target.name)
    if not places:
        return
    told = [w.secrets[name] for name in _secrets(w, s.value)]
    untold = (const(UNTOLD), const(0), const(0))
    said: tuple[n.Expr, ...] = untold
    if told:
        same = isinstance(s.value, t.ReadLocal | t.TLocal) and (isinstance(s, t.SetThing) or s.op == "=")
        said = told[0] if same else (told[0][0], *untold)
    elif not any(isinstance(x, t.ReadLocal | t.TLocal) for x in nodes([s.value])):
        said = (const(0), *untold)
    for place, value in zip(places[-len(said) :], said, strict=True):
        w.store(frame + place, value)


def _secrets(w: Writer, value: Any) -> list[str]:
    """The locals in a value that got a secret."""
    read = [var(x.name) for x in nodes([value]) if isinstance(x, t.ReadLocal | t.TLocal)]
    return [name for name in read if name in w.secrets]


def keep(b: Builder, w: Writer, r: t.Resource, index: n.Expr, value: object, made: Any) -> n.Expr:
    """What `made` computes; if that may roll dice for something hidden, only those see them who see that."""
    if r.seen == "all" or not rolls(value):
        return made()
    with told_to(w, _seats(b, r, index)):
        outcome = w.temp(made(), "secret")
    return local(outcome)


def audience(b: Builder, w: Writer, into: Hidden | Outright, seat: n.Expr | None = None) -> n.Expr:
    """Who is told what goes into a hidden place: whoever may see it, and whoever decides. Of what the book
    calls secret without a decision: whoever self is."""
    if isinstance(into, Outright):
        if seat is None:
            seat = field_of(b, "!controller", local("self"))
        if into.into is None:
            return call("seat_bit", seat)
        into = into.into
    seats: n.Expr = const(0)
    found = list(nodes(into.owners))
    late = any(isinstance(x, t.TLocal) and spelt(x.name) in into.chosen for x in found)
    if into.resource.of and not late and not any(isinstance(x, t.Selector | t.Component) for x in found):
        seats = _seats(b, into.resource, owner_index(b, w, into.resource, into.owners))
    if seat is None:
        return seats
    decider = call("seat_bit", seat)
    return decider if seats == const(0) else decider | seats
