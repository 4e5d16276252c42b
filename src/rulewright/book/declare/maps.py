"""A map's fields -> spaces with coordinates, names and terrain.

In:  the definition of a Map (a `map` fence, or a block in the campaign notation).
Out: MapSym and its Spaces in Symbols.

All grids are integer lattices. Hexes use axial coordinates in which the six steps are N (0,-1),
NE (1,0), SE (1,1), S (0,1), SW (-1,0), NW (-1,-1), whatever the printed names look like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rulewright.book.declare.declaring import MOST, Report, how_many
from rulewright.book.symbols import MapSym, Space, Symbols, norm
from rulewright.book.text.lists import coordinate
from rulewright.book.text.source import Definition, Line
from rulewright.diagnostics import is_exchange, nearest

ENDLESS = 61
"""Spaces each way of a map without bounds: nobody walks thirty spaces from the origin."""
HEX = (("N", 0, -1), ("NE", 1, 0), ("SE", 1, 1), ("S", 0, 1), ("SW", -1, 0), ("NW", -1, -1))
SQUARE = (
    ("N", 0, 1), ("NE", 1, 1), ("E", 1, 0), ("SE", 1, -1), ("S", 0, -1), ("SW", -1, -1), ("W", -1, 0),
    ("NW", -1, 1),
)  # fmt: skip


def declare_map(d: Definition, s: Symbols, report: Report) -> None:
    """Add the map and its spaces to the symbols."""
    grid = (d.said("grid").split() or ["square"])[0]
    if grid == "plan":
        s.plans[norm(d.title)] = _plan(d, report)
        return
    if grid not in ("square", "hex", "spots"):  # reported where closed words are reviewed
        grid = "square"
    made = MapSym(d.title, d, len(s.maps), grid, first=len(s.spaces))
    made.names = d.said("names", {"spots": "(x,y)", "hex": "A1"}.get(grid, "aN bE"))
    made.upward = grid != "hex"
    made.metric = d.said("distance", "steps")
    made.corners = grid == "square" and "corner" in d.said("adjacent", "edges and corners")
    made.flanks = "flank" in d.said("corners")
    if not s.directions.words:
        for name, _, _ in HEX if grid == "hex" else SQUARE:
            s.directions.add(name)
    s.maps[norm(d.title)] = made
    if grid == "spots":
        for n in range(how_many(d.said("grid"), 40, d.line, report)):
            s.spaces.append(Space(f"spot {n + 1}", made.index, 0, 0, -1))
    else:
        _cells(d, s, made, report)
    made.count = len(s.spaces) - made.first
    _zones(d, s, made, report)


def _plan(d: Definition, report: Report) -> list[tuple[int, int]]:
    """Where spaces are laid: `S` first, then row by row from the bottom; `#` and `_` are gaps."""
    picture = d.get("picture")
    rows = (
        [line.text.split() if " " in line.text.strip() else list(line.text.strip()) for line in picture.lines]
        if picture
        else []
    )
    cells = [
        (x, len(rows) - 1 - r, glyph)
        for r, row in enumerate(rows)
        for x, glyph in enumerate(row)
        if glyph not in "#_"
    ]
    if not cells:
        report("missing-part", d.line, f"'{d.title}' has no picture")
    return [(x, y) for x, y, _ in sorted(cells, key=lambda c: (c[2] != "S", c[1], c[0]))]


def _legend(d: Definition, s: Symbols, report: Report) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, word in enumerate(s.terrains.words):
        found.setdefault(word[:1], index)
    for rules in s.rules:
        glyph = rules.definition.get("glyph") if rules.bearer == "terrain" else None
        if glyph is not None and glyph.text:
            found[glyph.text.strip("`")] = rules.index
    legend = d.get("legend")
    if legend is not None:
        for line in legend.lines:
            for piece in re.findall(r"(\S)\s*=\s*([^,;=]+?)(?=\s*(?:[,;]|$))", line.text):
                known = s.terrains.numbers.get(norm(piece[1]))
                close = nearest(piece[1], s.terrains.words) if known is None else None
                if close is not None and is_exchange(piece[1], close):
                    at = line.slice(line.text.index(piece[1]), text=piece[1])
                    words = f"no terrain is called '{piece[1]}'"
                    report("unknown-name", at, words, f"did you mean '{close}'?")
                found[piece[0]] = s.terrains.add(piece[1].strip()) if known is None else known
    return found


def _strange(lines: list[Line], rows: list[list[str]], legend: dict[str, int], report: Report) -> None:
    """Each glyph says what lies there; only `.` may stand for nothing in particular."""
    told = {".", *legend}
    for line, row in zip(lines, rows, strict=True):
        for glyph in row:
            if glyph not in told:
                told.add(glyph)
                at = line.slice(line.text.index(glyph), text=glyph)
                help_ = f"say it in the legend: `legend: {glyph} = Terrain`"
                report("unknown-name", at, f"no terrain has the glyph '{glyph}'", help_)


def _cells(d: Definition, s: Symbols, made: MapSym, report: Report) -> None:
    picture = d.get("picture")
    found = outline(d, report)
    if found is None:
        return
    rows, made.width, made.height = found.rows, found.width, found.height
    if not rows:
        rows = [["."] * made.width for _ in range(made.height)]
    legend = _legend(d, s, report)
    if picture is not None and picture.lines and not s.closes:
        _strange(picture.lines, rows, legend, report)
    column0, row0 = origin(d, found, report)
    named = d.get("words")
    words = [[w.strip() for w in line.text.split(",")] for line in named.lines] if named else []
    if named and [len(row) for row in words] != [made.width] * made.height:
        report("unbalanced", named.first, "the words name each space: a line for each row of the map")
        return
    order = d.said("order")
    cells = [(r, c) for r in range(made.height) for c in range(made.width)]
    if order.startswith("columns"):
        cells.sort(key=lambda cell: cell[1])
    elif order.startswith("rows from the south"):
        cells.sort(key=lambda cell: -cell[0])
    for r, c in cells:
        glyph = rows[r][c]
        x, yy, name = _place(made, c, r if made.grid == "hex" else made.height - 1 - r, column0, row0)
        if words:
            name = words[r][c]
        # Maps may share names: the map in play tells which is meant, in the book's text the first.
        s.space_names.setdefault(norm(name), len(s.spaces))
        s.spaces.append(Space(name, made.index, x, yy, legend.get(glyph, -1)))
        made.glyphs.append(glyph)


@dataclass(frozen=True, slots=True)
class Outline:
    """How large a map is, and its picture, if it has one."""

    rows: list[list[str]] = field(default_factory=list[list[str]])
    width: int = ENDLESS
    height: int = ENDLESS
    bounded: bool = False


def outline(d: Definition, report: Report) -> Outline | None:
    """What the picture and the dimensions say; None, if that is nothing."""
    picture, size = d.get("picture"), d.get("dimensions", "size")
    rows: list[list[str]] = []
    at = (picture.at or picture.first) if picture is not None else d.line
    if picture is not None:
        texts = [line.text.strip() for line in picture.lines if line.text.strip()]
        rows = [x.split() if " " in x else list(x) for x in texts]
        if len({len(row) for row in rows}) != 1:
            report("unbalanced", at, "the rows of a picture are equally long")
            return None
    if size is None or not size.lines:
        return Outline(rows, len(rows[0]), len(rows), bounded=True) if rows else Outline()
    match = re.fullmatch(r"(\d{1,9})\s*x\s*(\d{1,9})(?: [a-z]+)?", size.text)
    if match is None:
        report("unexecutable", size.first, "a size is `WIDTH x HEIGHT`")
        return None
    width, height = int(match.group(1)), int(match.group(2))
    if not 0 < width * height <= MOST:
        report("unexecutable", size.first, f"a map has from 1 to {MOST} spaces")
        return None
    if rows and (len(rows[0]), len(rows)) != (width, height):
        shown = f"the picture is {len(rows[0])} x {len(rows)}, the dimensions say {size.text}"
        report("unbalanced", at, shown)
        return None
    return Outline(rows, width, height, bounded=True)


def origin(d: Definition, found: Outline, report: Report) -> tuple[int, int]:
    """The column and the row of the space from which the others are counted."""
    said = d.get("origin")
    center = found.width // 2, found.height // 2
    if said is None or not said.lines:
        return (0, 0) if found.bounded else center
    text = said.text.strip()
    cell = coordinate(text)
    if cell is None and text not in ("center", "southwest corner"):
        report("unexecutable", said.first, "an origin is `southwest corner`, `center` or such as `2N 3E`")
    return center if text == "center" else cell or (0, 0)


def letters(column: int) -> str:
    """A to Z, then AA to AZ, BA and so on."""
    return (letters(column // 26 - 1) if column >= 26 else "") + chr(65 + column % 26)


def _place(made: MapSym, column: int, y: int, column0: int, row0: int) -> tuple[int, int, str]:
    if made.grid == "hex":
        if made.names.startswith("A1"):
            return column, y, f"{letters(column)}{y + 1}"
        # Columns stand upright; even ones (counted from 1) sit half a hex lower.
        z = y - (column - column % 2) // 2
        return column, z + column, f"{made.names.partition('(')[0].strip()}({column + 1},{y + 1})"
    if made.names.startswith("A1"):
        return column, y, f"{letters(column)}{made.height - y}"
    e, n = column - column0, y - row0
    if made.names.startswith("("):
        return e, n, f"({e},{n})"
    north = f"{n}N" if n >= 0 else f"{-n}S"
    east = f"{e}E" if e >= 0 else f"{-e}W"
    return e, n, north + " " + east


def _zones(d: Definition, s: Symbols, made: MapSym, report: Report) -> None:
    for said in d.fields:
        key = said.key
        if key.lower().startswith("zone "):
            made.zones[key[5:].strip()] = spaces_of(
                said.text, s, made, report, said.first if said.lines else d.line
            )
        elif key.lower() in ("regions", "deployment zones"):
            for line in said.lines:
                match = re.match(r"-?\s*([^:]+):\s*([^:]+)", line.text)
                if match:
                    made.zones[match.group(1).strip()] = spaces_of(match.group(2), s, made, report, line)


def spaces_of(text: str, s: Symbols, made: MapSym, report: Report, at: Line) -> list[int]:
    """`A to B` (a rectangle, corners included) or a list of names -> space numbers."""
    found: list[int] = []
    text = re.sub(r"^\s*from\s+", "", text.strip())
    pieces = re.split(r",(?![^()]*\))", text)
    here = {norm(s.spaces[i].name): i for i in range(made.first, len(s.spaces))}
    for piece in pieces:
        ends = [norm(x) for x in re.split(r"\bto\b", piece)]
        if any(e not in s.space_names for e in ends):
            report("unknown-name", at, f"'{piece.strip()}' names no space of '{made.name}'")
            continue
        numbers = [here.get(e, s.space_names[e]) for e in ends]
        if len(numbers) == 1:
            found.append(numbers[0])
            continue
        if made.grid == "hex" and not made.names.startswith("A1"):
            offsets = [(n - made.first) for n in numbers]
            c = sorted(o % made.width for o in offsets)
            r = sorted(o // made.width for o in offsets)
            found += [
                made.first + y * made.width + x for y in range(r[0], r[1] + 1) for x in range(c[0], c[1] + 1)
            ]
        else:
            xs = sorted(s.spaces[n].x for n in numbers)
            ys = sorted(s.spaces[n].y for n in numbers)
            found += [
                i
                for i in range(made.first, len(s.spaces))
                if xs[0] <= s.spaces[i].x <= xs[1] and ys[0] <= s.spaces[i].y <= ys[1]
            ]
    return found
