"""Blocks of a campaign as they are read: actors, casts, maps, encounters, scenes.

Out: plain data, each with the definition it was read from.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.book.text.lists import Entry
from rulewright.book.text.source import Definition, Line

Cell = tuple[int, int]


@dataclass(slots=True)
class Actor:
    """An Actor or Template block."""

    d: Definition
    parent: str = ""
    copies: int = 0
    single: bool = False
    cast: str = ""
    home: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """Its name as written."""
        return self.d.title


@dataclass(slots=True)
class Cast:
    """A Cast block."""

    d: Definition
    members: list[Entry]
    title: str
    chair: int = 0
    strategy: Line | None = None


@dataclass(slots=True)
class Area:
    """A region or deployment zone."""

    name: str
    cells: list[Cell]
    line: Line
    features: list[Entry] = field(default_factory=list[Entry])


@dataclass(slots=True)
class Map:
    """One map, read."""

    d: Definition
    width: int = 0
    height: int = 0
    column: int = 0
    row: int = 0
    rows: list[str] = field(default_factory=list[str])
    legend: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    regions: list[Area] = field(default_factory=list[Area])
    zones: list[Area] = field(default_factory=list[Area])
    features: list[Entry] = field(default_factory=list[Entry])
    broken: bool = False

    def holds(self, cell: Cell) -> bool:
        """Is the cell on the map?"""
        x, y = cell[0] + self.column, cell[1] + self.row
        return 0 <= x < self.width and 0 <= y < self.height

    def glyph(self, cell: Cell) -> str:
        """The sign of a cell in the picture."""
        if not self.rows or self.broken:
            return "."
        return self.rows[self.height - 1 - (cell[1] + self.row)][cell[0] + self.column]

    def names(self, cell: Cell) -> list[str]:
        """The features of a tile: of its glyph, then of its regions."""
        found = [e.line.text for e in self.legend.get(self.glyph(cell), [])]
        for region in self.regions:
            if cell in region.cells:
                found += [e.line.text for e in region.features]
        return list(dict.fromkeys(found))


@dataclass(slots=True)
class Deployment:
    """Where somebody starts."""

    name: str
    line: Line
    cell: Cell | None = None


@dataclass(slots=True)
class Event:
    """An event of a map or encounter."""

    name: str
    line: Line
    trigger: list[Line] = field(default_factory=list[Line])
    effect: list[Line] = field(default_factory=list[Line])


@dataclass(slots=True)
class Encounter:
    """One encounter, read."""

    d: Definition
    map: Map | None = None
    parties: list[tuple[str, str, Entry]] = field(default_factory=list[tuple[str, str, Entry]])
    """(side, cast or actor, name), players first."""
    deployments: list[Deployment] = field(default_factory=list[Deployment])
    outcomes: list[tuple[str, Line]] = field(default_factory=list[tuple[str, Line]])
    transitions: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    events: list[Event] = field(default_factory=list[Event])
    strangers: list[str] = field(default_factory=list[str])
    """Names it lists or places that are nobody's: of who is missing, one like these was probably meant."""

    @property
    def word(self) -> str:
        """Its word in the list of phases."""
        return f"{self.d.kind} {self.d.title}"


@dataclass(slots=True)
class Act:
    """One line of a scene or option: effect, check, roll, if, transition, text."""

    kind: str
    line: Line
    lines: list[Line] = field(default_factory=list[Line])
    rows: list[tuple[int, int, list[Line]]] = field(default_factory=list[tuple[int, int, list[Line]]])
    branches: dict[str, list[Line]] = field(default_factory=dict[str, list[Line]])


@dataclass(slots=True)
class Choice:
    """A lettered option."""

    letter: str
    text: str
    line: Line
    cost: tuple[int, str, Line] | None = None
    requires: Line | None = None
    acts: list[Act] = field(default_factory=list[Act])


@dataclass(slots=True)
class Scene:
    """One scene, read."""

    d: Definition
    story: list[str] = field(default_factory=list[str])
    lead: Line | None = None
    condition: list[Line] = field(default_factory=list[Line])
    skip: Line | None = None
    choices: list[Choice] = field(default_factory=list[Choice])
    acts: list[Act] = field(default_factory=list[Act])

    @property
    def word(self) -> str:
        """Its word in the list of phases."""
        return f"Scene {self.d.title}"
