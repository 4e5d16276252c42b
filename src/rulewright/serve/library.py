"""What the server needs to know of books, without knowing how they are compiled.

In:  the command line builds a Library from the shelf.
Out: Programs and rendered rulebooks by name, each with the engine that runs it here.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rulewright.ir.program import Program
from rulewright.ir.tables import encode
from rulewright.play.setup import EngineMaker
from rulewright.serve.errors import EdgeError
from rulewright.serve.rules import rule_at

logger = logging.getLogger("rulewright.serve")

SHEET = (
    "verbs",
    "sites",
    "things",
    "columns",
    "maps",
    "fields",
    "zones",
    "statuses",
    "orders",
    "endings",
    "prompts",
)


@dataclass
class Volume:
    """One edition of a book: its Program, its pages as HTML, the engine for its matches."""

    name: str
    program: Program
    html: str = ""
    engine: str | EngineMaker = "reference"
    mistakes: str = ""
    """Why a newer edition on the shelf is not this one: it does not compile."""

    def rule(self, file: str, line: int) -> str:
        """The HTML of the rule around a line of the book."""
        return rule_at(self.html, file, line)

    @cached_property
    def edition(self) -> str:
        """Names the Program together with its pages."""
        return hashlib.sha256(f"{self.program.digest} {self.html}".encode()).hexdigest()[:32]

    @cached_property
    def card(self) -> dict[str, Any]:
        """What the shelf shows of it."""
        program = self.program
        front = program.sheet.front
        return {
            "name": self.name,
            "title": program.title,
            "digest": program.digest,
            **{key: front.get(key, "") for key in ("summary", "designer", "licence", "length")},
            "seats": list(program.seats),
            "options": [
                {"name": o.name, "words": list(o.words), "default": o.words[o.default], "note": o.note}
                for o in program.sheet.options
            ],
            "bots": ["random", *program.sheet.strategies],
            "maps": sorted({m.grid for m in program.sheet.maps}),
        }

    @cached_property
    def packed(self) -> bytes:
        """The pages, compressed: half a megabyte becomes a tenth of it."""
        return gzip.compress(self.pages, 6, mtime=0)

    @cached_property
    def pages(self) -> bytes:
        """The book for the page, as JSON: rulebook, and the names behind its numbers."""
        sheet = {key: encode(getattr(self.program.sheet, key)) for key in SHEET}
        return json.dumps({**self.card, "html": self.html, "sheet": sheet}).encode()


def best_engine(program: Program) -> str:
    """Native code where it can be had, else the reference engine.

    Measured on the server's own work (a choice, its log, a view): native needs two thirds of the time of
    the reference and half the time to set up a match, and its bots think without the interpreter lock.
    The first compilation of a book takes a second or so; later ones come from the cache on disk.
    """
    try:
        from rulewright.native.library import library

        library(program)
    except (ImportError, OSError, RuntimeError) as error:
        logger.warning("no native code for %s: %s", program.name, error)
        return "reference"
    return "native"


@dataclass
class Library:
    """The shelf: names in order, a way to open a book, and a stamp that changes when the book does."""

    names: tuple[str, ...]
    open: Callable[[str], Volume]
    stamp: Callable[[str], object] = lambda name: None
    equip: Callable[[Program], str | EngineMaker] = best_engine
    first: str | None = None
    """The book that will be asked for first."""
    _kept: dict[str, tuple[object, Volume]] = field(default_factory=dict[str, tuple[object, Volume]])
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])

    async def get(self, name: str) -> Volume:
        """The newest edition that compiles. Raises EdgeError."""
        if name not in self.names:
            raise EdgeError("book/unknown")
        async with self._locks.setdefault(name, asyncio.Lock()):
            kept = self._kept.get(name)
            stamp = await asyncio.to_thread(self.stamp, name)
            if kept is None or kept[0] != stamp:
                kept = (stamp, await asyncio.to_thread(self._opened, name, kept[1] if kept else None))
                self._kept[name] = kept
        return kept[1]

    def _opened(self, name: str, before: Volume | None) -> Volume:
        try:
            volume = self.open(name)
        except Exception as error:  # an author's mistake must not take the other books down
            logger.warning("%s cannot be opened: %s", name, error)
            if before is None:
                raise EdgeError(
                    "book/broken", f"{name} has mistakes; `rulewright check {name}` shows them."
                ) from None
            before.mistakes = str(error)
            return before
        if (
            before is not None
            and before.program.digest == volume.program.digest
            and before.html == volume.html
        ):
            return before
        volume.engine = self.equip(volume.program)
        return volume

    async def warm(self) -> None:
        """Open every book before anybody asks for it, the most wanted one first."""
        for name in (*((self.first,) if self.first else ()), *self.names):
            with suppress(EdgeError):
                await self.get(name)

    async def shelf(self) -> list[dict[str, Any]]:
        """What the shelf shows: every book that compiles."""
        cards: list[dict[str, Any]] = []
        for name in self.names:
            try:
                cards.append((await self.get(name)).card)
            except EdgeError:
                continue
        return cards
