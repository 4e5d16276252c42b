"""Map blocks -> maps of the core notation.

In:  the blocks; the framework's own legend (front matter `defaults: Map: Legend:`).
Out: a map definition each; when names are bound, the terrain of every space and the zones.

What a tile is follows from features: the legend gives a glyph some, a region gives its tiles more. Each
set of features that occurs is one Terrain, so that a tile can be tested, drawn and changed as one thing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulewright.book.symbols import norm
from rulewright.book.text.lists import Entry, coordinate, entries, pieces
from rulewright.book.text.source import Definition, FieldText, Line

if TYPE_CHECKING:
    from rulewright.book.blocks.campaign import Campaign
    from rulewright.book.symbols import Symbols

ENDLESS = 61
"""Tiles each way of a map without bounds: nobody walks thirty tiles from the origin."""
Cell = tuple[int, int]


@dataclass(slots=True)
class Area:
    """A region or deployment zone."""

    name: str
    cells: list[Cell]
    line: Line
    features: list[Entry] = field(default_factory=list[Entry])


@dataclass(slots=True)
class Ground:
    """One map, read."""

    d: Definition
    width: int = ENDLESS
    height: int = ENDLESS
    column: int = ENDLESS // 2
    row: int = ENDLESS // 2
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


class Places:
    """All maps of a campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self.c = campaign
        self.grounds: dict[str, Ground] = {}
        self.standard: dict[str, list[Entry]] = {}
        self.kept: dict[str, list[Entry]] = {}
        """Features that a glyph keeps whatever a book's own legend says."""

    # ------------------------------------------------------------ reading
    def read(self) -> None:
        """Everything the blocks say."""
        probe = self.c.defaults(
            Definition("", "Map", Line(next(iter(sorted(self.c.frameworks)), ""), 0, 0, ""))
        )
        legend = probe.get("legend")
        for char, found in self._legend(legend) if legend else ():
            self.standard[char] = [e for e in found if not e.name.endswith("!")]
            self.kept[char] = [_kept(e) for e in found if e.name.endswith("!")]
        for d in self.c.blocks.get("Map", []):
            if self.c.named(d, "map"):
                self.grounds[norm(d.title)] = self._ground(d)

    def _legend(self, field_: FieldText) -> list[tuple[str, list[Entry]]]:
        found: list[tuple[str, list[Entry]]] = []
        for line in field_.lines:
            starts = list(re.finditer(r"(?:^|(?<=[,;\s]))([^\s=])\s*=\s*", line.text))
            if not starts:
                self.c.problem(
                    "unexecutable", line, f"'{line.text}' is no line of a legend: write `SIGN = FEATURE`"
                )
            for i, start in enumerate(starts):
                stop = starts[i + 1].start() if i + 1 < len(starts) else len(line.text)
                text = line.text[start.end() : stop].rstrip(" ,;")
                value = Line(line.file, line.number, line.column + start.end(), text)
                found.append((start.group(1), entries(FieldText("", [value])) if text else []))
        return found

    def _ground(self, d: Definition) -> Ground:
        made = Ground(d)
        picture = d.get("picture")
        size = d.get("dimensions")
        at = picture.at or d.line if picture is not None else d.line
        if picture is not None:
            made.rows = [x.text.strip() for x in picture.lines if x.text.strip()]
            if not made.rows or len({len(r) for r in made.rows}) > 1:
                self.c.problem("unbalanced", at, "the rows of a picture are equally long")
                made.rows, made.broken = [], True
        if size is not None and size.lines:
            match = re.fullmatch(r"(\d+)\s*x\s*(\d+)", size.text)
            if (
                match is None
                or not int(match.group(1))
                or not int(match.group(2))
                or max(map(int, match.groups())) > 99
            ):
                self.c.problem("unexecutable", size.lines[0], "a size is `WIDTH x HEIGHT`, each at most 99")
                made.rows, made.broken = [], True
            else:
                made.width, made.height = int(match.group(1)), int(match.group(2))
                if made.rows and (len(made.rows[0]), len(made.rows)) != (made.width, made.height):
                    self.c.problem(
                        "unbalanced",
                        at,
                        f"the picture is {len(made.rows[0])} x {len(made.rows)}, "
                        f"the dimensions say {size.text}",
                    )
                    made.rows, made.broken = [], True
        elif made.rows:
            made.width, made.height = len(made.rows[0]), len(made.rows)
        self._origin(made, picture, bounded=size is not None or picture is not None)
        made.legend = {char: list(found) for char, found in self.standard.items()}
        legend = d.get("legend")
        for char, found in self._legend(legend) if legend else ():
            made.legend[char] = found
        for char, found in self.kept.items():
            made.legend[char] = [*made.legend.get(char, []), *found]
        self._glyphs(made, picture)
        made.regions = self._areas(made, d.get("regions"), "region")
        made.zones = self._areas(made, d.get("deployment zones"), "zone")
        made.features = entries(d.get("features"))
        return made

    def _glyphs(self, made: Ground, picture: FieldText | None) -> None:
        for line in picture.lines if picture else ():
            for char in dict.fromkeys(line.text.strip()):
                if char not in made.legend and made.rows:
                    self.c.problem("unknown-name", line, f"the legend does not say what '{char}' is")

    def _origin(self, made: Ground, picture: FieldText | None, bounded: bool) -> None:
        if bounded:
            made.column = made.row = 0
        origin = made.d.get("origin")
        stated = origin is not None and bool(origin.lines)
        if origin is not None and origin.lines:
            text = origin.text.strip()
            cell = coordinate(text)
            if text == "center":
                made.column, made.row = made.width // 2, made.height // 2
            elif cell is not None:
                made.column, made.row = cell
            elif text != "southwest corner":
                self.c.problem(
                    "unexecutable",
                    origin.lines[0],
                    "an origin is `southwest corner`, `center` or such as `2N 3E`",
                )
        if self._own(made.d, "O"):
            return
        at = picture.at if picture and picture.at else made.d.line
        shown = [(x, r) for r, row in enumerate(made.rows) for x, sign in enumerate(row) if sign == "O"]
        if len(shown) > 1:
            self.c.problem("unbalanced", at, "the picture has more than one origin")
        for column, r in shown[:1]:
            up = made.height - 1 - r
            if stated and (made.column, made.row) != (column, up):
                self.c.problem("unbalanced", at, "the picture and the origin disagree")
            made.column, made.row = column, up

    def _own(self, d: Definition, char: str) -> bool:
        legend = d.get("legend")
        return any(re.match(rf"\s*{re.escape(char)}\s*=", x.text) for x in legend.lines) if legend else False

    def _areas(self, made: Ground, field_: FieldText | None, kind: str) -> list[Area]:
        found: list[Area] = []
        for line in field_.lines if field_ else ():
            match = re.match(r"-?\s*([^:]+?)\s*:\s*([^:]+?)\s*(?::\s*(.*))?$", line.text)
            if match is None:
                self.c.problem("unexecutable", line, f"'{line.text}' is no {kind}: write `NAME: TILES`")
                continue
            if any(norm(a.name) == norm(match.group(1)) for a in found):
                self.c.problem("duplicate-name", line, f"'{match.group(1)}' is declared twice")
                continue
            area = Area(match.group(1), self.cells(made, match.group(2), line), line)
            if match.group(3):
                area.features = entries(
                    FieldText(
                        "", [Line(line.file, line.number, line.column + match.start(3), match.group(3))]
                    )
                )
            found.append(area)
        return found

    def cells(self, made: Ground, text: str, line: Line) -> list[Cell]:
        """`[from] A to B` or `A, B, C`; a bad coordinate is reported."""
        found: list[Cell] = []
        for piece in pieces(
            FieldText("", [Line(line.file, line.number, line.column, re.sub(r"^from\s+", "", text))])
        ):
            ends = [coordinate(x) for x in re.split(r"\s+to\s+", piece.text)]
            if any(e is None for e in ends) or len(ends) > 2:
                self.c.problem("unexecutable", line, f"'{piece.text}' is no coordinate")
                continue
            good = [e for e in ends if e is not None]
            if any(not made.holds(e) for e in good) and not made.broken:
                self.c.problem("unknown-name", line, f"'{piece.text}' is not on the map '{made.d.title}'")
                continue
            xs, ys = sorted(e[0] for e in good), sorted(e[1] for e in good)
            found += [(x, y) for y in range(ys[0], ys[-1] + 1) for x in range(xs[0], xs[-1] + 1)]
        return sorted(dict.fromkeys(found), key=lambda c: (c[1], c[0]))

    # ------------------------------------------------------------ writing
    def references(self) -> list[Entry]:
        """Every feature that maps name."""
        found: list[Entry] = []
        for ground in self.grounds.values():
            own = ground.d.get("legend")
            for _, names in self._legend(own) if own else ():
                found += names
            for area in (*ground.regions, *ground.zones):
                found += area.features
            found += ground.features
        return found

    def write(self) -> None:
        """Core maps, and the terrain that they need."""
        for ground in self.grounds.values():
            d = ground.d
            made = Definition(d.title, "Map", d.line, cites=d.cites)
            for key, text in (
                ("grid", "square"), ("names", "aN bE"), ("dimensions", f"{ground.width} x {ground.height}"),
                ("origin", f"{ground.row}N {ground.column}E"), ("order", "rows from the south"),
            ):  # fmt: skip
                made.fields.append(FieldText(key, [Line(d.line.file, d.line.number, 0, text)]))
            if ground.rows:
                made.fields.append(
                    FieldText("picture", [Line(d.line.file, d.line.number, 0, row) for row in ground.rows])
                )
            self.c.defaults(made)
            made.fields = [f for f in made.fields if f.key.lower() != "legend"]
            self.c.source.maps.append(made)
        if not self.grounds:
            at = Line("", 0, 0, "")
            nowhere = Definition(
                "Nowhere", "Map", at, fields=[FieldText("dimensions", [Line("", 0, 0, "1 x 1")])]
            )
            self.c.source.maps.append(self.c.defaults(nowhere))
            nowhere.fields = [f for f in nowhere.fields if f.key.lower() != "legend"]
        names = [a.name for g in self.grounds.values() for a in (*g.regions, *g.zones)]
        self.c.words("Area", list({norm(n): n for n in names}.values()))

    def combinations(self) -> list[list[str]]:
        """Every set of features that some tile has."""
        found: dict[str, list[str]] = {}
        for ground in self.grounds.values():
            if ground.rows or ground.regions:
                for cell in self.all_cells(ground):
                    names = ground.names(cell)
                    found.setdefault(_key(names), names)
        return [names for names in found.values() if names]

    def all_cells(self, ground: Ground) -> list[Cell]:
        """Every cell of a map."""
        return [
            (x - ground.column, y - ground.row) for y in range(ground.height) for x in range(ground.width)
        ]

    def bind(self, s: Symbols) -> None:
        """Terrain of every space, tiles of every zone."""
        for key, ground in self.grounds.items():
            map_ = s.maps.get(key)
            if map_ is None:
                continue
            at = {(s.spaces[i].x, s.spaces[i].y): i for i in range(map_.first, map_.first + map_.count)}
            if ground.rows or ground.regions:
                words = {norm(w): i for i, w in enumerate(s.terrains.words)}
                for cell, index in at.items():
                    names = ground.names(cell)
                    s.spaces[index].terrain = words.get(norm(terrain_name(names)), -1) if names else -1
            for area in (*ground.regions, *ground.zones):
                map_.zones[area.name] = [at[cell] for cell in area.cells if cell in at]


def terrain_name(names: list[str]) -> str:
    """The name of a combination of features."""
    return " and ".join(n.replace("(", "").replace(")", "") for n in names)


def _key(names: list[str]) -> str:
    return norm(terrain_name(names))


def _kept(e: Entry) -> Entry:
    line = Line(e.line.file, e.line.number, e.line.column, e.line.text.rstrip("!"))
    return Entry(e.name.rstrip("!"), line, e.value, e.copies, e.remark)
