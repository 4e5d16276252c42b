"""Draw a map in text: squares, hexes and laid spots.

In:  a Program, the slots of a state, what a seat sees of the actors.
Out: lines of rich Text, one cell a space; actors by the first letters of their names.

Hexes stand in upright columns, each half a line lower or higher than its neighbours, so a hex lies on
line 2 * y - x; that makes all six neighbours touch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from rulewright.ir.program import Program
from rulewright.ir.sheet import Field, MapSheet
from rulewright.play.words import name_of

COLOURS = ("cyan", "red", "green", "yellow", "magenta", "blue", "bright_cyan", "bright_red")
POINTERS = {"N": "↑", "NE": "↗", "E": "→", "SE": "↘", "S": "↓", "SW": "↙", "W": "←", "NW": "↖"}
MARGIN = 4
"""How far a map without edges is drawn around the actors."""


def colour(side: int) -> str:
    """The colour of a side; actors without one have numbers from 100."""
    return COLOURS[side % 100 % len(COLOURS)]


def short_names(names: Sequence[str]) -> list[str]:
    """Two or three letters for each name, no two alike: `Wolf 2` is W2, `Ada` is Ad."""
    found: list[str] = []
    for name in names:
        number = re.search(r"(\d+)$", name)
        word = re.sub(r"[^\w]", "", name)
        tries = [f"{word[:1]}{number[1]}"] if number else [word[:2]]
        tries += [word[:1] + word[i] for i in range(2, len(word))] + [f"{word[:1]}{i}" for i in range(1, 100)]
        found.append(next((text for text in tries if text not in found), word[:3]))
    return found


class MapDrawing:
    """One map in one state."""

    def __init__(self, program: Program, slots: Sequence[int], seen: Mapping[str, Any]) -> None:
        self.program = program
        self.slots = slots
        self.sheet = program.sheet
        names = [actor["name"] for actor in seen["actors"]]
        self.short = short_names(names)
        self.actors = [a for a in seen["actors"] if a.get("in_play", 1) and a.get("place", -1) >= 0]
        self.seat: int | None = seen["seat"]
        self.own = {actor["place"] for actor in self.actors if actor["seat"] == self.seat}
        self.terrain = self.field("terrain", ("Space",))
        # Which terrain a glyph of the picture stands for, to draw ground that has changed during play.
        self.glyphs: dict[str, str] = {}
        for drawn in self.sheet.maps:
            for word, glyph in zip(drawn.terrain, drawn.glyphs, strict=False):
                self.glyphs.setdefault(word, glyph)
        printed = self.sheet.columns.get("Terrain", {}).get("Glyph", ())
        for word, text in zip(self.sheet.things.get("Terrain", ()), printed, strict=False):
            if glyph := str(text).strip("`")[:1]:
                self.glyphs.setdefault(word, glyph)

    def letters(self, actor: Mapping[str, Any]) -> str:
        number: int = actor["id"]
        return self.short[number]

    def field(self, name: str, of: tuple[str, ...]) -> Field | None:
        return next((f for f in self.sheet.fields if f.name == name and f.of == of), None)

    def current(self) -> MapSheet | None:
        """The map on which the viewer's actors stand, or else any actor's; while it is laid, nobody's."""
        for places in (self.own, {actor["place"] for actor in self.actors}):
            for drawn in self.sheet.maps:
                if any(drawn.first <= place < drawn.first + drawn.count for place in places):
                    return drawn
        slot, maps = self.sheet.result.get("map"), self.sheet.maps
        if slot is None:
            return maps[0] if len(maps) == 1 and self.cells(maps[0]) else None
        return maps[self.slots[slot]] if maps else None

    def lines(self, width: int) -> list[Text]:
        """The map, or nothing when there is none."""
        drawn = self.current()
        if drawn is None:
            return []
        cells = self.cells(drawn)
        if drawn.grid == "hex":
            return self.hexes(drawn, cells)
        return self.squares(drawn, cells, width)

    # ------------------------------------------------------------ cells
    def cells(self, drawn: MapSheet) -> dict[tuple[int, int], int]:
        """Which space lies where."""
        if drawn.grid != "spots":
            return {drawn.coords[i]: drawn.first + i for i in range(drawn.count)}
        x, y, laid = self.field("x", ("Space",)), self.field("y", ("Space",)), self.field("laid", ())
        if x is None or y is None:
            return {}
        count = self.slots[laid.base] if laid is not None else drawn.count
        found: dict[tuple[int, int], int] = {}
        for space in range(drawn.first, drawn.first + min(count, drawn.count)):
            found.setdefault((self.slots[x.base + space], self.slots[y.base + space]), space)
        return found

    def glyph(self, drawn: MapSheet, space: int) -> str:
        """The ground of a space."""
        index = space - drawn.first
        if self.terrain is not None:
            ground = self.slots[self.terrain.base + space]
            words = self.sheet.things.get("Terrain", ())
            word = words[ground] if 0 <= ground < len(words) else ""
            printed = drawn.terrain[index] if index < len(drawn.terrain) else ""
            if word and word != printed:
                return self.glyphs.get(word, word[:1])
        return drawn.glyphs[index] if index < len(drawn.glyphs) else "."

    def cell(self, drawn: MapSheet, space: int, width: int, label: str = "") -> Text:
        """One space: who stands there with its facing, or else its ground."""
        here = [actor for actor in self.actors if actor["place"] == space]
        if not here:
            return Text(f"{label}{self.glyph(drawn, space)}".ljust(width), style="dim")
        actor = here[0]
        directions = self.sheet.things.get("Direction", ())
        facing: int = actor.get("facing", -1)
        pointer = POINTERS.get(directions[facing], "") if 0 <= facing < len(directions) else ""
        mark = "+" if len(here) > 1 else ""
        style = f"bold {colour(actor.get('side', 0))}" + (" reverse" if actor["seat"] == self.seat else "")
        text = Text(f"{self.letters(actor)}{pointer}{mark}"[:width], style=style)
        text.append(" " * (width - text.cell_len), style="default")
        return text

    # ------------------------------------------------------------ grids
    def squares(self, drawn: MapSheet, cells: Mapping[tuple[int, int], int], width: int) -> list[Text]:
        """Rows from the top, with the coordinates that the names are made of."""
        xs, ys = self.window([x for x, _ in cells], [y for _, y in cells], cells, max(4, (width - 5) // 4))
        columns, rows = self.edges(cells)
        lines: list[Text] = []
        for y in sorted(ys, reverse=drawn.upward):
            line = Text(f"{rows.get(y, y):>3} ", style="dim")
            for x in xs:
                space = cells.get((x, y))
                line.append_text(Text("    ") if space is None else self.cell(drawn, space, 4))
            lines.append(line)
        lines.append(Text("    " + "".join(f"{columns.get(x, x):<4}" for x in xs), style="dim"))
        return lines

    def edges(self, cells: Mapping[tuple[int, int], int]) -> tuple[dict[int, str], dict[int, str]]:
        """What stands at the edges where spaces are named by a letter and a number, as B6 is."""
        columns, rows = dict[int, str](), dict[int, str]()
        for (x, y), space in cells.items():
            named = re.fullmatch(r"([A-Z]+)(\d+)", name_of(self.program, "Space", space, self.slots))
            if named is not None:
                columns[x], rows[y] = named[1], named[2]
        return columns, rows

    def window(
        self, xs: list[int], ys: list[int], cells: Mapping[tuple[int, int], int], most: int
    ) -> tuple[range, range]:
        """The columns and rows to draw: all, or those around the actors."""
        if not xs:
            return range(0), range(0)
        where = [at for at, space in cells.items() if any(actor["place"] == space for actor in self.actors)]
        spans: list[range] = []
        for values, axis in ((xs, 0), (ys, 1)):
            low, high = min(values), max(values)
            limit = most if axis == 0 else 24
            if high - low >= limit and where:
                low = max(low, min(at[axis] for at in where) - MARGIN)
                high = min(high, max(at[axis] for at in where) + MARGIN, low + limit - 1)
            spans.append(range(low, high + 1))
        return spans[0], spans[1]

    def hexes(self, drawn: MapSheet, cells: Mapping[tuple[int, int], int]) -> list[Text]:
        """Columns side by side; short names stand in their hexes."""
        names = {space: name_of(self.program, "Space", space, self.slots) for space in cells.values()}
        longest = max((len(name) for name in names.values()), default=0)
        labelled = longest <= 3
        size = max(3, longest + 1 if labelled else 3) + 1
        levels: dict[int, list[tuple[int, int]]] = {}
        for (x, y), space in cells.items():
            levels.setdefault(2 * y - x, []).append((x, space))
        left = min((x for x, _ in cells), default=0)
        lines: list[Text] = []
        for level in range(min(levels, default=0), max(levels, default=-1) + 1):
            line = Text()
            for x, space in sorted(levels.get(level, [])):
                line.append(" " * ((x - left) * size - line.cell_len))
                line.append_text(self.cell(drawn, space, size, names[space] if labelled else ""))
            line.rstrip()
            lines.append(line)
        return lines

    def key(self) -> Text:
        """What the glyphs and letters mean."""
        drawn = self.current()
        if drawn is None:
            return Text()
        line = Text()
        for actor in self.actors:
            line.append(self.letters(actor), style=f"bold {colour(actor.get('side', 0))}")
            line.append(f" {actor['name']}  ")
        grounds = dict(zip(drawn.glyphs, drawn.terrain, strict=False))
        if self.terrain is not None:
            words = self.sheet.things.get("Terrain", ())
            laid = {self.slots[self.terrain.base + space] for space in self.cells(drawn).values()}
            for ground in sorted(laid):
                if 0 <= ground < len(words) and words[ground] in self.glyphs:
                    grounds.setdefault(self.glyphs[words[ground]], words[ground])
        line.append("  ".join(f"{glyph} {word}" for glyph, word in grounds.items() if word), style="dim")
        return line
