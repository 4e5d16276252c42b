"""Things of the tree: actors, cards, spaces, words."""

from __future__ import annotations

from rulewright.book.tree.base import Cond_, Num_, Thing_
from rulewright.book.tree.declared import ActionSym, Component, Resource
from rulewright.book.tree.kinds import ACTOR, CARD, DIRECTION, FACE, PATH, SEAT, SIDE, SPACE, TERRAIN
from rulewright.book.tree.selectors import Selector


class TLocal(Thing_):
    name: str
    type: str


class TConst(Thing_):
    type: str
    id: int


class THold(Thing_):
    resource: Resource
    owners: list[Thing_]
    type: str


class TKept(Thing_):
    sequence: Component | ActionSym
    name: str
    type: str


class TColumn(Thing_):
    list: str
    column: str
    thing: Thing_
    type: str


class TSelect(Thing_):
    selector: Selector
    type: str


class TIf(Thing_):
    test: Cond_
    yes: Thing_
    no: Thing_
    type: str


class Active(Thing_):
    """Whose turn it is."""

    type: str = ACTOR


class Aim(Thing_):
    """Whom the action that is being done is aimed at."""

    type: str = ACTOR


class SeatOf(Thing_):
    """A seat by its number."""

    number: Num_
    type: str = SEAT


class LastSpace(Thing_):
    """The space that was laid last."""

    type: str = SPACE


class SpaceAt(Thing_):
    place: Thing_
    type: str = SPACE


class Spot(Thing_):
    """A space of the map in use by its coordinates."""

    x: int
    y: int
    type: str = SPACE


class SpaceOf(Thing_):
    who: Thing_
    type: str = SPACE


class FacingOf(Thing_):
    who: Thing_
    type: str = DIRECTION


class SideOf(Thing_):
    who: Thing_
    type: str = SIDE


class OwnerOf(Thing_):
    card: Thing_
    type: str = ACTOR


class TerrainOf(Thing_):
    space: Thing_
    type: str = TERRAIN


class FaceOf(Thing_):
    card: Thing_
    type: str = FACE


class PathEnd(Thing_):
    """Where a path leads from where somebody stands."""

    path: Thing_
    walker: Thing_
    type: str = SPACE


class SourceOf(Thing_):
    """Who gave a status."""

    status: str | Thing_
    owner: Thing_
    type: str = ACTOR


class EndOfZone(Thing_):
    """The top or the bottom card of a zone."""

    zone: str
    owner: Thing_ | None
    bottom: bool = False
    type: str = CARD


class OrElse(Thing_):
    thing: Thing_
    other: Thing_
    type: str


class Neighbour(Thing_):
    direction: Thing_
    space: Thing_
    type: str = SPACE


class DirectionTo(Thing_):
    start: Thing_
    goal: Thing_
    type: str = DIRECTION


class Turned(Thing_):
    direction: Thing_
    steps: Num_
    type: str = DIRECTION


class Opposite(Thing_):
    direction: Thing_
    type: str


class NextWord(Thing_):
    """The word of the list behind this one, or before it."""

    thing: Thing_
    type: str
    back: bool = False


class StraightPath(Thing_):
    walk: str
    direction: Thing_
    budget: Num_
    type: str = PATH


class PathTo(Thing_):
    walk: str
    selector: Selector
    budget: Num_ | None
    within: bool
    straight: Cond_ | None
    type: str = PATH


STANDS_FOR = {(ACTOR, SPACE): SpaceOf, (CARD, FACE): FaceOf}
"""Where a thing of the second kind is asked for, one of the first says which."""
