"""Checks of the tree."""

from __future__ import annotations

from typing import Any

from rulewright.book.tree.base import Cond_, Num_, Thing_
from rulewright.book.tree.declared import ActionSym, Component, Resource
from rulewright.book.tree.selectors import Selector
from rulewright.book.tree.things import TLocal


class Compare(Cond_):
    op: str
    left: Num_
    right: Num_


class Both(Cond_):
    parts: list[Cond_]


class Either(Cond_):
    parts: list[Cond_]


def joined(how: type[Both | Either], parts: list[Cond_]) -> Cond_:
    """Several checks as one; a single one stands by itself."""
    return parts[0] if len(parts) == 1 else how(parts)


class Never(Cond_):
    """not"""

    part: Cond_


class Same(Cond_):
    left: Thing_
    right: Thing_


class Within(Cond_):
    """Is it in this zone of a map?"""

    thing: Thing_
    map: str
    zone: str


class IsWord(Cond_):
    """An adjective whose noun is still to come; none is left when the book is parsed."""

    thing: TLocal
    list: str
    word: int


class Exists(Cond_):
    selector: Selector


class IsRunning(Cond_):
    """Does the sequence run now, anywhere?"""

    sequence: Component


class RunCheck(Cond_):
    component: Component
    self_: Thing_ | None
    args: list[Any]


class CanPerform(Cond_):
    actor: Thing_
    action: ActionSym
    target: Thing_ | None


class CanBecome(Cond_):
    """Is nothing in the way of this status? `status` is a name, or a thing that is a status."""

    actor: Thing_
    status: Any


class Runs(Cond_):
    """Does an action, when it is done, run this component or lower this number of its target?"""

    action: Thing_
    component: Component | None
    lowers: Resource | None


class CanPay(Cond_):
    """Are the sure costs in an action's `then` covered?"""

    actor: Thing_
    action: Thing_


class HasStart(Cond_):
    """Does anything say with which value this number of the actor starts?"""

    resource: Resource
    actor: Thing_


class InZone(Cond_):
    card: Thing_
    zone: str
    owner: Thing_ | None


class OptionIs(Cond_):
    option: str
    word: int


class Always(Cond_):
    value: bool


class Sees(Cond_):
    """A straight line on squares that passes no space failing the check; corners by the map."""

    start: Thing_
    goal: Thing_
    it: str
    past: Cond_


class HasStatus(Cond_):
    thing: Thing_
    status: int


class IsA(Cond_):
    """Does it descend from this template?"""

    thing: Thing_
    template: int


class InPlay(Cond_):
    thing: Thing_


class HasSeat(Cond_):
    """Does a seat decide for it?"""

    thing: Thing_


class OnTerrain(Cond_):
    thing: Thing_
    terrain: int


class OnSide(Cond_):
    thing: Thing_
    side: int


class HasFeature(Cond_):
    thing: Thing_
    feature: int


class IsLaid(Cond_):
    thing: Thing_


class OnMap(Cond_):
    """Is this the map in use?"""

    map: int


class IsCopy(Cond_):
    """Is it one of several with a number?"""

    thing: Thing_


class IsAlly(Cond_):
    thing: Thing_
    other: Thing_


class SameSide(Cond_):
    thing: Thing_
    other: Thing_


class BearsStatus(Cond_):
    thing: Thing_
    status: Thing_


class InArea(Cond_):
    thing: Thing_
    area: Thing_
