"""What every part of the tree stands on: the four sorts of nodes, and the names of types.

A node is a frozen value. Its sort says where it can stand and which table of lower/dispatch.py knows it.
"""

from __future__ import annotations

from typing import TypeAlias

NUMBER = "number"
ACTOR, CARD, SPACE, FACE, SIDE, LINE, PATH, DIRECTION, PLACE = (
    "Actor", "Card", "Space", "Face", "Side", "Line", "Path", "Direction", "Place",
)  # fmt: skip
STATUS, TERRAIN, SEAT = "Status", "Terrain", "Seat"
TALLY = "tally:"
"""Type of a local that holds a tally of a die: "tally:" and the die's name."""


class Num_:
    """A number."""

    __slots__ = ()


class Thing_:
    """An actor, a card, a space, a word: something of a type."""

    __slots__ = ()
    type: str


class Cond_:
    """A check: it holds or it does not."""

    __slots__ = ()


class Stmt_:
    """A statement, with the line it is written on."""

    __slots__ = ()
    line: int


Block_: TypeAlias = list[Stmt_]
