"""What the server needs to know of books, without knowing how they are compiled.

In:  the command line builds a Library from the shelf.
Out: Programs and rendered rulebooks by name, each with the engine that runs it here.
"""

from __future__ import annotations

import asyncio
import gc
import gzip
import hashlib
import json
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from rulewright.ir.program import Program
from rulewright.ir.tables import encode
from rulewright.play.reasons import actions
from rulewright.play.setup import EngineMaker
from rulewright.players.bots import seatable
from rulewright.players.guide import Guide
from rulewright.serve.errors import EdgeError
from rulewright.serve.looks import looks_of
from rulewright.serve.pace import Pace
from rulewright.serve.rules import rule_at
from rulewright.serve.threads import aside

logger = logging.getLogger("rulewright.serve")

SHEET = (
    "verbs",
    "prices",
    "amounts",
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
    "dice",
)


@dataclass
class Volume:
    """One edition of a book: its Program, its pages as HTML, the engine for its matches."""

    name: str
    program: Program
    html: str = ""
    engine: str | EngineMaker = "reference"
    guide: Guide | None = None
    """Its first match for beginners, if it has one."""
    equipped: bool = False
    """Whether its best engine is there, or on the way."""
    pace: Pace = field(default_factory=Pace)
    """How quick its native code has shown to be."""

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
            "rules_only": program.rules_only,
            "options": [
                {"name": o.name, "words": list(o.words), "default": o.words[o.default], "note": o.note}
                for o in program.sheet.options
            ],
            "bots": list(seatable(program)),
            "maps": sorted({m.grid for m in program.sheet.maps}),
            "looks": looks_of(front),
            "guided": self.guide is not None,
            "reading": False,
        }

    @cached_property
    def packed(self) -> bytes:
        """The pages, compressed: half a megabyte becomes a tenth of it."""
        return gzip.compress(self.pages, 6, mtime=0)

    @cached_property
    def pages(self) -> bytes:
        """The book for the page, as JSON: rulebook, and the names behind its numbers."""
        sheet = {key: encode(getattr(self.program.sheet, key)) for key in SHEET}
        guide = None if self.guide is None else asdict(self.guide)
        named = {"actions": sorted(actions(self.program)), "html": self.html, "sheet": sheet, "guide": guide}
        return json.dumps({**self.card, **named}).encode()


def cover(name: str, front: Mapping[str, str], rules_only: bool) -> dict[str, Any]:
    """What the shelf shows of a book that is still being read: what it says of itself."""
    return {
        "name": name,
        "title": front.get("title", name),
        "digest": "",
        **{key: front.get(key, "") for key in ("summary", "designer", "licence", "length")},
        "seats": [],
        "rules_only": rules_only,
        "options": [],
        "bots": [],
        "maps": [],
        "looks": looks_of(front),
        "guided": False,
        "reading": True,
    }


def best_engine(volume: Volume) -> str | EngineMaker:
    """Native code where it can be had, else the reference engine.

    Measured on the server's own work (a choice, its log, two states): native needs two thirds of the time of
    the reference and half the time to set up a match, and its bots think without the interpreter lock.
    """
    try:
        from rulewright.native.library import library

        library(volume.program)
    except (ImportError, OSError, RuntimeError) as error:
        logger.warning("no native code for %s: %s", volume.name, error)
        return "reference"
    return "native"


@dataclass
class Library:
    """The shelf: names in order, a way to open a book, and a stamp that changes when the book does.

    Opening a book takes seconds when it is new, and native code for it seconds more. Matches need not wait
    for the latter: those that begin before it is there run on the reference engine.
    """

    names: tuple[str, ...]
    open: Callable[[str], Volume]
    stamp: Callable[[str], object] = lambda name: None
    equip: Callable[[Volume], str | EngineMaker] = best_engine
    first: str | None = None
    """The book that will be asked for first."""
    close: Callable[[], None] = lambda: None
    """Give up whatever is still being opened."""
    cover: Callable[[str], dict[str, Any]] = lambda name: cover(name, {}, False)
    """What is known of a book at once, while it is opened."""
    _kept: dict[str, tuple[object, Volume]] = field(default_factory=dict[str, tuple[object, Volume]])
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])
    _few: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(os.cpu_count() or 1))

    @property
    def volumes(self) -> list[Volume]:
        """The books that are open."""
        return [volume for _, volume in self._kept.values()]

    async def get(self, name: str) -> Volume:
        """The newest edition that compiles. Raises EdgeError."""
        if name not in self.names:
            raise EdgeError("book/unknown")
        async with self._locks.setdefault(name, asyncio.Lock()):
            kept = self._kept.get(name)
            stamp = await asyncio.to_thread(self.stamp, name)
            if kept is None or kept[0] != stamp:
                async with self._few:
                    volume = await aside(self._opened, name, kept[1] if kept else None)
                kept = self._kept[name] = (stamp, volume)
        return kept[1]

    def _opened(self, name: str, before: Volume | None) -> Volume:
        try:
            volume = self.open(name)
        except Exception as error:  # an author's mistake must not take the other books down
            logger.warning("%s cannot be opened: %s", name, error)
            if before is None:
                message = f"{name} has mistakes; `rulewright check {name}` shows them."
                raise EdgeError("book/broken", message) from None
            return before
        same = before is not None and before.edition == volume.edition
        return before if before is not None and same else volume

    async def ready(self, volume: Volume) -> None:
        """Give a book its best engine, if it has none yet."""
        if not volume.equipped:
            volume.equipped = True
            async with self._few:
                volume.engine = await aside(self.equip, volume)

    async def warm(self) -> None:
        """Open every book before anybody asks, the most wanted one first; then native code for each."""
        names = (*((self.first,) if self.first else ()), *self.names)
        found = await asyncio.gather(*(self.get(name) for name in names), return_exceptions=True)
        for volume in found:
            if isinstance(volume, Volume) and not volume.program.rules_only:
                await self.ready(volume)
        # The books stay, so the collector of garbage need not look through them again: with six of them that
        # took a fifth of a second, in which nobody could move.
        gc.freeze()

    async def shelf(self, wait: float | None = None) -> list[dict[str, Any]]:
        """What the shelf shows: every book that compiles, and after so many seconds the covers of those that
        are still being read. A machine that is new to them takes a second and more for each."""
        tasks = {name: asyncio.ensure_future(self.get(name)) for name in self.names}
        if tasks:
            await asyncio.wait(tasks.values(), timeout=wait)
        cards: list[dict[str, Any]] = []
        for name, task in tasks.items():
            if not task.done():
                task.add_done_callback(_heard)
                cards.append(await asyncio.to_thread(self.cover, name))
            elif _heard(task) is None:
                cards.append(task.result().card)
        return cards


def _heard(task: asyncio.Future[Volume]) -> BaseException | None:
    """What went wrong, if it did; asked for, so that nothing is said of it when the task is thrown away."""
    return None if task.cancelled() else task.exception()
