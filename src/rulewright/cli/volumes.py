"""The shelf for the server: books compiled and rendered, and again when their files change.

In:  the shelf, and perhaps one more file.
Out: a serve.Library.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.cli.books import front_of, is_framework
from rulewright.cli.prepare import Mistaken, TooMuch, edition, give_up, warm_native
from rulewright.play.setup import EngineMaker
from rulewright.serve.library import Library, Volume, best_engine, cover
from rulewright.shelf import shelf

logger = logging.getLogger("rulewright.serve")


def shelved(further: Path | None = None) -> tuple[dict[str, Path], str | None]:
    """Books by the name they are served under, and the name of the further file among them."""
    found = {entry.name: entry.path for entry in shelf()}
    if further is None:
        return found, None
    for name, path in found.items():
        if path.resolve() == further.resolve():
            return found, name
    name = further.stem if further.stem not in found else f"{further.stem} (file)"
    return {name: further, **found}, name


def make_library(books: Mapping[str, Path], first: str | None = None) -> Library:
    """The books, opened when they are asked for."""
    looked: dict[str, tuple[Path, ...]] = {}
    """Every file a book was made of when it was opened last, and those it would have been made of."""

    def opened(name: str) -> Volume:
        made = edition(books[name])
        looked[name] = tuple(made.looked)
        for mistake in made.wrong:
            logger.warning("%s", mistake)
        return Volume(name, made.program, made.html, guide=made.guide)

    def stamp(name: str) -> object:
        """Changes when a file does that the book was made of."""
        return tuple(_state(file) for file in looked.get(name, (books[name],)))

    def equip(volume: Volume) -> str | EngineMaker:
        path = books.get(volume.name)
        if path is not None:
            try:
                warm_native(path)
            except (TooMuch, Mistaken) as error:
                logger.warning("no native code for %s: %s", volume.name, error)
                return "reference"
        return best_engine(volume)

    def covered(name: str) -> dict[str, Any]:
        front = front_of(books[name])
        return cover(name, front, is_framework(front))

    return Library(tuple(books), opened, stamp, equip, first, give_up, covered)


def _state(file: Path) -> tuple[str, int, int]:
    try:
        state = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), state.st_mtime_ns, state.st_size
