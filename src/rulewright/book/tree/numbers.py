"""Numbers of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.book.tree.base import Cond_, Num_, Thing_
from rulewright.book.tree.declared import ActionSym, Component, Resource
from rulewright.book.tree.selectors import Selector


@dataclass(slots=True, frozen=True)
class Num(Num_):
    value: int
    name: str = ""


@dataclass(slots=True, frozen=True)
class Dice(Num_):
    count: Num_
    sides: Num_
    line: int = 0


@dataclass(slots=True, frozen=True)
class Arith(Num_):
    op: str
    left: Num_
    right: Num_


@dataclass(slots=True, frozen=True)
class Fn(Num_):
    name: str
    args: list[Num_]


@dataclass(slots=True, frozen=True)
class IfNum(Num_):
    test: Cond_
    yes: Num_
    no: Num_


@dataclass(slots=True, frozen=True)
class ReadRes(Num_):
    resource: Resource
    owners: list[Thing_]
    stored: bool = False
    maximum: bool = False


@dataclass(slots=True, frozen=True)
class ReadLocal(Num_):
    name: str


@dataclass(slots=True, frozen=True)
class ReadKept(Num_):
    sequence: Component | ActionSym
    name: str


@dataclass(slots=True, frozen=True)
class ReadColumn(Num_):
    list: str
    column: str
    thing: Thing_


@dataclass(slots=True, frozen=True)
class ReadTable(Num_):
    table: Component
    column: str


@dataclass(slots=True, frozen=True)
class Count(Num_):
    selector: Selector


@dataclass(slots=True, frozen=True)
class Aggregate(Num_):
    how: str
    value: Num_
    selector: Selector


@dataclass(slots=True, frozen=True)
class StatusNum(Num_):
    what: str
    status: Any
    """The name of a status, or a thing that is one."""
    owner: Thing_


@dataclass(slots=True, frozen=True)
class TallyNum(Num_):
    local: str
    die: str
    faces: list[int]
    column: str = ""
    highest: Num_ | None = None


@dataclass(slots=True, frozen=True)
class Truth(Num_):
    """A check used as a number: 1 or 0."""

    check: Cond_


@dataclass(slots=True, frozen=True)
class Starting(Num_):
    """The value with which a number of the owner started."""

    resource: Resource
    owners: list[Thing_]


@dataclass(slots=True, frozen=True)
class Final(Num_):
    """A whole number of a book whose numbers are never below 0."""

    value: Num_


@dataclass(slots=True, frozen=True)
class Run(Num_, Thing_):
    """A component run for what it gives; also a thing."""

    component: Component
    self_: Thing_ | None
    args: list[Any]
    line: int = 0
    start: int = 0
    """A sequence may begin at a later step: `#Turn on X from Action`."""

    @property
    def type(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What running it gives."""
        return self.component.gives


@dataclass(slots=True, frozen=True)
class Distance(Num_):
    a: Thing_
    b: Thing_


@dataclass(slots=True, frozen=True)
class Adjacent(Num_):
    """1 for spaces side by side, else 0."""

    a: Thing_
    b: Thing_


@dataclass(slots=True, frozen=True)
class FacedSide(Num_):
    """Which side somebody turns to another."""

    who: Thing_
    other: Thing_


@dataclass(slots=True, frozen=True)
class SeatCount(Num_):
    """How many seats play."""


@dataclass(slots=True, frozen=True)
class PathLength(Num_):
    path: Thing_


@dataclass(slots=True, frozen=True)
class Coordinate(Num_):
    """x or y."""

    axis: str
    of: Thing_


@dataclass(slots=True, frozen=True)
class Rank(Num_):
    """The place of an actor in an order, from 0; -1 for none."""

    who: Thing_
    order: str


@dataclass(slots=True, frozen=True)
class WalkCost(Num_):
    """The cost of the cheapest way."""

    start: Thing_
    goal: Thing_
    walk: str


@dataclass(slots=True, frozen=True)
class NaturalFace(Num_):
    """What the first die of the test showed (`face`), or its sides (`die`)."""

    what: str


@dataclass(slots=True, frozen=True)
class PathCost(Num_):
    """What a walk along the path costs."""

    path: Thing_
    walk: str


@dataclass(slots=True, frozen=True)
class Course(Num_):
    """The direction from a place to another, as an angle in steps."""

    start: Thing_
    goal: Thing_
