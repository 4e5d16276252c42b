"""What the server needs to know of books, without knowing how they are compiled.

In:  the command line builds a Library from the shelf.
Out: Programs and rendered rulebooks by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rulewright.ir.program import Program
from rulewright.ir.tables import encode


@dataclass(slots=True)
class Volume:
    """One book: its Program, its pages as HTML, and the text of each rule by file and line."""

    name: str
    program: Program
    html: str = ""
    rule: Callable[[str, int], str] = field(default=lambda file, line: "")


@dataclass(slots=True)
class Library:
    """The shelf: names in order, and a way to open one (compiled once, then kept)."""

    names: tuple[str, ...]
    open: Callable[[str], Volume]
    volumes: dict[str, Volume] = field(default_factory=dict[str, Volume])

    def get(self, name: str) -> Volume | None:
        """The book, or None when the shelf does not have it."""
        if name not in self.names:
            return None
        if name not in self.volumes:
            self.volumes[name] = self.open(name)
        return self.volumes[name]


def card(volume: Volume) -> dict[str, Any]:
    """What the shelf shows of a book."""
    program = volume.program
    front = program.sheet.front
    return {
        "name": volume.name,
        "title": program.title,
        "summary": front.get("summary", ""),
        "designer": front.get("designer", ""),
        "licence": front.get("licence", ""),
        "length": front.get("length", ""),
        "seats": list(program.seats),
        "options": [
            {"name": o.name, "words": list(o.words), "default": o.words[o.default], "note": o.note}
            for o in program.sheet.options
        ],
        "bots": ["random", *program.sheet.strategies],
        "maps": sorted({m.grid for m in program.sheet.maps}),
    }


def pages(volume: Volume) -> dict[str, Any]:
    """The book for the page: rulebook and tables of names."""
    sheet = volume.program.sheet
    keys = (
        "verbs", "sites", "things", "columns", "maps", "fields", "zones", "statuses", "orders", "endings", "prompts",
    )  # fmt: skip
    return {**card(volume), "html": volume.html, "sheet": {key: encode(getattr(sheet, key)) for key in keys}}
