"""Where the outcome of a choice or a roll goes: straight into something hidden, or not.

In:  statements, and what stands after them in their block.
Out: `Hidden`, the resource and whose it is, or None.

What goes straight into something hidden, and nowhere else, is as secret as that. An outcome that is used for
anything else as well is open, unless the book says `secretly`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import nodes


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
        case t.Secretly(statement=kept):
            return straight_into(kept, rest)
        case t.Choose(options=options):
            its = [option.selector.it for option in options if option.selector is not None]
            return _only([part for option in options for part in (option.body or [None])], its)
        case t.ChooseMany(body=body, selector=selector):
            return _only(body, [selector.it])
        case t.LetChoose(local=name):
            return _only([later for later in rest if speaks(later, name)], [name])
        case t.SetNumber(target=t.ReadLocal(name=name), value=value) if rolls(value):
            return _only([later for later in rest if speaks(later, name)])
        case _:
            return None


def _only(body: Sequence[object], chosen: Sequence[str] = ()) -> Hidden | None:
    found = [hidden_target(s) for s in body]
    if not found or found[0] is None or not all(found):
        return None
    return replace(found[0], chosen=tuple(map(spelt, chosen)))


def spelt(name: str) -> str:
    """The name of a local as it is compared."""
    return norm(name).lower()


def speaks(s: object, name: str) -> bool:
    """Whether a tree speaks of this local."""
    wanted = spelt(name)
    return any(isinstance(x, t.ReadLocal | t.TLocal) and spelt(x.name) == wanted for x in nodes(s))


def rolls(value: object) -> bool:
    """Whether dice may be rolled to work it out."""
    return any(isinstance(x, t.Dice | t.Component) for x in nodes(value))


def ends_hidden(s: t.Stmt_, rest: Sequence[t.Stmt_]) -> Hidden | None:
    """A hidden place that an open outcome goes to, among others: everybody was told what lies there."""
    if straight_into(s, rest) is not None:
        return None
    match s:
        case t.Choose(options=options):
            things = [_kept(option.body, option.selector.it) for option in options if option.selector]
            lines = [_hidden_in(option.body) for option in options if not option.selector]
            if lines and len({id(x.resource) if x else 0 for x in lines}) == 1 < len(lines):
                things += lines  # every line puts its own into the same place
            return next((x for x in things if x), None)
        case t.ChooseMany(body=body, selector=selector):
            return _kept(body, selector.it)
        case t.LetChoose(local=name):
            return _kept(rest, name)
        case t.SetNumber(target=t.ReadLocal(name=name), value=value) if any(
            isinstance(x, t.Dice) for x in nodes(value)
        ):
            return _kept(rest, name)
        case _:
            return None


def _kept(body: Sequence[object], name: str) -> Hidden | None:
    stored = [s for s in body if isinstance(s, t.SetNumber | t.SetThing) and speaks(s.value, name)]
    return _hidden_in(stored)


def _hidden_in(body: Sequence[object]) -> Hidden | None:
    return next((found for s in body if (found := hidden_target(s))), None)
