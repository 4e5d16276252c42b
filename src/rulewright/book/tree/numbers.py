"""Numbers of the tree."""

from __future__ import annotations

from typing import Any

from rulewright.book.tree.base import Cond_, Num_, Thing_
from rulewright.book.tree.declared import ActionSym, Component, Resource
from rulewright.book.tree.selectors import Selector


class Num(Num_):
    value: int
    name: str = ""


class Dice(Num_):
    count: Num_
    sides: Num_
    line: int = 0


class Arith(Num_):
    op: str
    left: Num_
    right: Num_


class Fn(Num_):
    name: str
    args: list[Num_]


class IfNum(Num_):
    test: Cond_
    yes: Num_
    no: Num_


class ReadRes(Num_):
    resource: Resource
    owners: list[Thing_]
    stored: bool = False
    maximum: bool = False


class ReadLocal(Num_):
    name: str


class ReadKept(Num_):
    sequence: Component | ActionSym
    name: str


class ReadColumn(Num_):
    list: str
    column: str
    thing: Thing_


class ReadTable(Num_):
    table: Component
    column: str


class Count(Num_):
    selector: Selector


class Aggregate(Num_):
    how: str
    value: Num_
    selector: Selector


class StatusNum(Num_):
    what: str
    status: Any
    """The name of a status, or a thing that is one."""
    owner: Thing_


class TallyNum(Num_):
    local: str
    die: str
    faces: list[int]
    column: str = ""
    highest: Num_ | None = None


class Truth(Num_):
    """A check used as a number: 1 or 0."""

    check: Cond_


class Starting(Num_):
    """The value with which a number of the owner started."""

    resource: Resource
    owners: list[Thing_]


class Final(Num_):
    """A whole number of a book whose numbers are never below 0."""

    value: Num_


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


class Distance(Num_):
    a: Thing_
    b: Thing_


class Adjacent(Num_):
    """1 for spaces side by side, else 0."""

    a: Thing_
    b: Thing_


class FacedSide(Num_):
    """Which side somebody turns to another."""

    who: Thing_
    other: Thing_


class SeatCount(Num_):
    """How many seats play."""


class PathLength(Num_):
    path: Thing_


class Coordinate(Num_):
    """x or y."""

    axis: str
    of: Thing_


class Rank(Num_):
    """The place of an actor in an order, from 0; -1 for none."""

    who: Thing_
    order: str


class WalkCost(Num_):
    """The cost of the cheapest path."""

    start: Thing_
    goal: Thing_
    walk: str


class NaturalFace(Num_):
    """What the first die of the test showed (`face`), or its sides (`die`)."""

    what: str


class PathCost(Num_):
    """What a walk along the path costs."""

    path: Thing_
    walk: str


class Course(Num_):
    """The direction from a place to another, as an angle in steps."""

    start: Thing_
    goal: Thing_
