"""Checks of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.book.tree.base import Cond_, Num_, Thing_
from rulewright.book.tree.declared import ActionSym, Component, Resource
from rulewright.book.tree.selectors import Selector
from rulewright.book.tree.things import TLocal


@dataclass(slots=True, frozen=True)
class Compare(Cond_):
    op: str
    left: Num_
    right: Num_


@dataclass(slots=True, frozen=True)
class Both(Cond_):
    parts: list[Cond_]


@dataclass(slots=True, frozen=True)
class Either(Cond_):
    parts: list[Cond_]


@dataclass(slots=True, frozen=True)
class Never(Cond_):
    """not"""

    part: Cond_


@dataclass(slots=True, frozen=True)
class Same(Cond_):
    left: Thing_
    right: Thing_


@dataclass(slots=True, frozen=True)
class Within(Cond_):
    """Is it in this zone of a map?"""

    thing: Thing_
    map: str
    zone: str


@dataclass(slots=True, frozen=True)
class IsWord(Cond_):
    """An adjective whose noun is still to come; none is left when the book is parsed."""

    thing: TLocal
    list: str
    word: int


@dataclass(slots=True, frozen=True)
class Exists(Cond_):
    selector: Selector


@dataclass(slots=True, frozen=True)
class IsRunning(Cond_):
    """Does the sequence run now, anywhere?"""

    sequence: Component


@dataclass(slots=True, frozen=True)
class RunCheck(Cond_):
    component: Component
    self_: Thing_ | None
    args: list[Any]


@dataclass(slots=True, frozen=True)
class CanPerform(Cond_):
    actor: Thing_
    action: ActionSym
    target: Thing_ | None


@dataclass(slots=True, frozen=True)
class CanBecome(Cond_):
    """Is nothing in the way of this status? `status` is a name, or a thing that is a status."""

    actor: Thing_
    status: Any


@dataclass(slots=True, frozen=True)
class Runs(Cond_):
    """Does an action, when it is done, run this component or lower this number of its target?"""

    action: Thing_
    component: Component | None
    lowers: Resource | None


@dataclass(slots=True, frozen=True)
class CanPay(Cond_):
    """Are the sure costs in an action's `then` covered?"""

    actor: Thing_
    action: Thing_


@dataclass(slots=True, frozen=True)
class HasStart(Cond_):
    """Does anything say with which value this number of the actor starts?"""

    resource: Resource
    actor: Thing_


@dataclass(slots=True, frozen=True)
class InZone(Cond_):
    card: Thing_
    zone: str
    owner: Thing_ | None


@dataclass(slots=True, frozen=True)
class OptionIs(Cond_):
    option: str
    word: int


@dataclass(slots=True, frozen=True)
class Always(Cond_):
    value: bool


@dataclass(slots=True, frozen=True)
class Sees(Cond_):
    """A straight line on squares that passes no space failing the check; corners by the map."""

    start: Thing_
    goal: Thing_
    it: str
    past: Cond_


@dataclass(slots=True, frozen=True)
class HasStatus(Cond_):
    thing: Thing_
    status: int


@dataclass(slots=True, frozen=True)
class IsA(Cond_):
    """Does it descend from this template?"""

    thing: Thing_
    template: int


@dataclass(slots=True, frozen=True)
class InPlay(Cond_):
    thing: Thing_


@dataclass(slots=True, frozen=True)
class HasSeat(Cond_):
    """Does a seat decide for it?"""

    thing: Thing_


@dataclass(slots=True, frozen=True)
class OnTerrain(Cond_):
    thing: Thing_
    terrain: int


@dataclass(slots=True, frozen=True)
class OnSide(Cond_):
    thing: Thing_
    side: int


@dataclass(slots=True, frozen=True)
class HasFeature(Cond_):
    thing: Thing_
    feature: int


@dataclass(slots=True, frozen=True)
class IsLaid(Cond_):
    thing: Thing_


@dataclass(slots=True, frozen=True)
class OnMap(Cond_):
    """Is this the map in use?"""

    map: int


@dataclass(slots=True, frozen=True)
class IsCopy(Cond_):
    """Is it one of several with a number?"""

    thing: Thing_


@dataclass(slots=True, frozen=True)
class IsAlly(Cond_):
    thing: Thing_
    other: Thing_


@dataclass(slots=True, frozen=True)
class SameSide(Cond_):
    thing: Thing_
    other: Thing_


@dataclass(slots=True, frozen=True)
class BearsStatus(Cond_):
    thing: Thing_
    status: Thing_


@dataclass(slots=True, frozen=True)
class InArea(Cond_):
    thing: Thing_
    area: Thing_
