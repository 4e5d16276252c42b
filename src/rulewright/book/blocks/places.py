"""Map blocks -> maps of the core notation.

In:  the blocks; the framework's own legend (front matter `defaults: Map: Legend:`).
Out: a map definition each; when names are bound, the terrain of every space and the zones.

What a tile is follows from features: the legend gives a glyph some, a region gives its tiles more. Each
set of features that occurs is one Terrain, so that a tile can be tested, drawn and changed as one thing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book.blocks.parts import Area, Cell, Map
from rulewright.book.blocks.state import Blocks
from rulewright.book.declare.maps import Outline, origin, outline
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.lists import Entry, coordinate, entries, pieces
from rulewright.book.text.source import Definition, FieldText, Line


# ------------------------------------------------------------ reading
def read(c: Blocks) -> None:
    """Everything the blocks say."""
    probe = c.defaults(Definition("", "Map", Line(next(iter(sorted(c.bases)), ""), 0, 0, "")))
    legend = probe.get("legend")
    for char, found in _legend(c, legend) if legend else ():
        c.standard[char] = [e for e in found if not e.name.endswith("!")]
        c.kept[char] = [_kept(e) for e in found if e.name.endswith("!")]
    for d in c.blocks.get("Map", []):
        if c.named(d, "map"):
            c.maps[norm(d.title)] = _map(c, d)


def _legend(c: Blocks, field_: FieldText) -> list[tuple[str, list[Entry]]]:
    found: list[tuple[str, list[Entry]]] = []
    for line in field_.lines:
        starts = list(re.finditer(r"(?:^|(?<=[,;\s]))([^\s=])\s*=\s*", line.text))
        if not starts:
            c.problem("unexecutable", line, f"'{line.text}' is no line of a legend: write `SIGN = FEATURE`")
        for i, start in enumerate(starts):
            stop = starts[i + 1].start() if i + 1 < len(starts) else len(line.text)
            text = line.text[start.end() : stop].rstrip(" ,;")
            value = line.slice(start.end(), text=text)
            found.append((start.group(1), entries(FieldText("", [value])) if text else []))
    return found


def _map(c: Blocks, d: Definition) -> Map:
    made, picture = Map(d), d.get("picture")
    found = outline(d, c.problem)
    made.broken = found is None
    found = found or Outline(bounded=True)
    made.rows = ["".join(row) for row in found.rows]
    made.width, made.height = found.width, found.height
    made.column, made.row = origin(d, found, c.problem)
    _shown_origin(c, made, picture)
    made.legend = {char: list(found) for char, found in c.standard.items()}
    legend = d.get("legend")
    for char, found in _legend(c, legend) if legend else ():
        made.legend[char] = found
    for char, found in c.kept.items():
        made.legend[char] = [*made.legend.get(char, []), *found]
    _glyphs(c, made, picture)
    made.regions = _areas(c, made, d.get("regions"), "region")
    made.zones = _areas(c, made, d.get("deployment zones"), "zone")
    made.features = entries(d.get("features"))
    return made


def _glyphs(c: Blocks, made: Map, picture: FieldText | None) -> None:
    for line in picture.lines if picture else ():
        for char in dict.fromkeys(line.text.strip()):
            if char not in made.legend and made.rows:
                c.problem("unknown-name", line, f"the legend does not say what '{char}' is")


def _shown_origin(c: Blocks, made: Map, picture: FieldText | None) -> None:
    """`O` in the picture, where the legend gives that sign no other meaning."""
    if any(re.match(r"\s*O\s*=", line.text) for line in made.d.lines_of("legend")):
        return
    said = made.d.get("origin")
    stated = said is not None and bool(said.lines)
    at = picture.at if picture and picture.at else made.d.line
    shown = [(x, r) for r, row in enumerate(made.rows) for x, sign in enumerate(row) if sign == "O"]
    if len(shown) > 1:
        c.problem("unbalanced", at, "the picture has more than one origin")
    for column, r in shown[:1]:
        up = made.height - 1 - r
        if stated and (made.column, made.row) != (column, up):
            c.problem("unbalanced", at, "the picture and the origin disagree")
        made.column, made.row = column, up


def _areas(c: Blocks, made: Map, field_: FieldText | None, kind: str) -> list[Area]:
    found: list[Area] = []
    for line in field_.lines if field_ else ():
        match = re.match(r"-?\s*([^:]+?)\s*:\s*([^:]+?)\s*(?::\s*(.*))?$", line.text)
        if match is None:
            c.problem("unexecutable", line, f"'{line.text}' is no {kind}: write `NAME: TILES`")
            continue
        if any(norm(a.name) == norm(match.group(1)) for a in found):
            c.problem("duplicate-name", line, f"'{match.group(1)}' is declared twice")
            continue
        area = Area(match.group(1), cells(c, made, match.group(2), line), line)
        if match.group(3):
            area.features = entries(FieldText("", [line.slice(*match.span(3))]))
        found.append(area)
    return found


def cells(c: Blocks, made: Map, text: str, line: Line) -> list[Cell]:
    """`[from] A to B` or `A, B, C`; a bad coordinate is reported."""
    found: list[Cell] = []
    for piece in pieces(FieldText("", [replace(line, text=re.sub(r"^from\s+", "", text))])):
        ends = [coordinate(x) for x in re.split(r"\s+to\s+", piece.text)]
        if any(e is None for e in ends) or len(ends) > 2:
            c.problem("unexecutable", line, f"'{piece.text}' is no coordinate")
            continue
        good = [e for e in ends if e is not None]
        if any(not made.holds(e) for e in good) and not made.broken:
            c.problem("unknown-name", line, f"'{piece.text}' is not on the map '{made.d.title}'")
            continue
        xs, ys = sorted(e[0] for e in good), sorted(e[1] for e in good)
        found += [(x, y) for y in range(ys[0], ys[-1] + 1) for x in range(xs[0], xs[-1] + 1)]
    return sorted(dict.fromkeys(found), key=lambda c: (c[1], c[0]))


# ------------------------------------------------------------ writing
def references(c: Blocks) -> list[Entry]:
    """Every feature that maps name."""
    found: list[Entry] = []
    for map_ in c.maps.values():
        own = map_.d.get("legend")
        for _, names in _legend(c, own) if own else ():
            found += names
        for area in (*map_.regions, *map_.zones):
            found += area.features
        found += map_.features
    return found


def write(c: Blocks) -> None:
    """Core maps, and the terrain that they need."""
    for map_ in c.maps.values():
        d = map_.d
        made = Definition(d.title, "Map", d.line, cites=d.cites)
        for key, text in (
            ("grid", "square"), ("names", "aN bE"), ("dimensions", f"{map_.width} x {map_.height}"),
            ("origin", f"{map_.row}N {map_.column}E"), ("order", "rows from the south"),
        ):  # fmt: skip
            made.add(key, text)
        if map_.rows:
            made.add("picture", *map_.rows)
        c.defaults(made)
        made.fields = [f for f in made.fields if f.key.lower() != "legend"]
        c.source.maps.append(made)
    if not c.maps:
        nowhere = Definition("Nowhere", "Map", Line("", 0, 0, ""))
        nowhere.add("dimensions", "1 x 1")
        c.source.maps.append(c.defaults(nowhere))
        nowhere.fields = [f for f in nowhere.fields if f.key.lower() != "legend"]
    names = [a.name for g in c.maps.values() for a in (*g.regions, *g.zones)]
    c.words("Area", list({norm(n): n for n in names}.values()))


def combinations(c: Blocks) -> list[list[str]]:
    """Every set of features that some tile has."""
    found: dict[str, list[str]] = {}
    for map_ in c.maps.values():
        if map_.rows or map_.regions:
            for cell in all_cells(map_):
                names = map_.names(cell)
                found.setdefault(norm(terrain_name(names)), names)
    return [names for names in found.values() if names]


def all_cells(map_: Map) -> list[Cell]:
    """Every cell of a map."""
    return [(x - map_.column, y - map_.row) for y in range(map_.height) for x in range(map_.width)]


def bind(c: Blocks, s: Symbols) -> None:
    """Terrain of every space, tiles of every zone."""
    for key, map_ in c.maps.items():
        known = s.maps.get(key)
        if known is None:
            continue
        at = {(s.spaces[i].x, s.spaces[i].y): i for i in range(known.first, known.first + known.count)}
        if map_.rows or map_.regions:
            words = {norm(w): i for i, w in enumerate(s.terrains.words)}
            for cell, index in at.items():
                names = map_.names(cell)
                s.spaces[index].terrain = words.get(norm(terrain_name(names)), -1) if names else -1
        for area in (*map_.regions, *map_.zones):
            known.zones[area.name] = [at[cell] for cell in area.cells if cell in at]


def terrain_name(names: list[str]) -> str:
    """The name of a combination of features."""
    return " and ".join(n.replace("(", "").replace(")", "") for n in names)


def _kept(e: Entry) -> Entry:
    line = replace(e.line, text=e.line.text.rstrip("!"))
    return Entry(e.name.rstrip("!"), line, e.value, e.copies, e.remark)
