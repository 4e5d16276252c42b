"""The shelf for the server: books compiled and rendered, and again when their files change.

In:  the shelf, and perhaps one more file.
Out: a serve.Library.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from rulewright.book.text.files import read_source
from rulewright.book.text.keywords import HEADERS, KEYS
from rulewright.book.text.told import filled
from rulewright.cli.pages import render
from rulewright.cli.prepare import TooMuch, give_up, in_child
from rulewright.compiler import compile_book, find_book, is_kept
from rulewright.play.setup import EngineMaker
from rulewright.players.guide import read_guide
from rulewright.serve.library import Library, Volume, best_engine
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
        path = books[name]
        if not is_kept(path):
            in_child(path, native=False)
        program = compile_book(path)
        source = read_source(path, KEYS, HEADERS, find_book)
        looked[name] = tuple(source.looked)
        texts = filled(source.texts, program.sheet.told)
        guide, wrong = read_guide(texts)
        for mistake in wrong:
            logger.warning("%s", mistake)
        return Volume(name, program, render(texts, source.trials), guide=None if wrong else guide)

    def stamp(name: str) -> object:
        """Changes when a file does that the book was made of."""
        return tuple(_state(file) for file in looked.get(name, (books[name],)))

    def equip(volume: Volume) -> str | EngineMaker:
        path = books.get(volume.name)
        if path is not None:
            try:
                in_child(path, native=True)
            except TooMuch as error:
                logger.warning("no native code for %s: %s", volume.name, error)
                return "reference"
        return best_engine(volume)

    return Library(tuple(books), opened, stamp, equip, first, give_up)


def _state(file: Path) -> tuple[str, int, int]:
    try:
        state = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), state.st_mtime_ns, state.st_size
