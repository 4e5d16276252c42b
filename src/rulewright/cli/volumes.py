"""The shelf for the server: books compiled and rendered, and again when their files change.

In:  the shelf, and perhaps one more file.
Out: a serve.Library.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rulewright.book.files import read_source
from rulewright.book.keywords import HEADERS, KEYS
from rulewright.cli.pages import render
from rulewright.cli.prepare import in_child
from rulewright.compiler import compile_book, find_book, is_kept
from rulewright.play.setup import EngineMaker
from rulewright.serve.library import Library, Volume, best_engine
from rulewright.shelf import shelf


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

    def opened(name: str) -> Volume:
        path = books[name]
        if not is_kept(path):
            in_child(path, native=False)
        program = compile_book(path)
        return Volume(name, program, render(read_source(path, KEYS, HEADERS, find_book).texts))

    def stamp(name: str) -> object:
        """Changes when a file does that the book may be made of: in its folder, or in a book it uses."""
        found: list[tuple[str, int, int]] = []
        for folder in sorted({books[name].parent, *(entry.path.parent for entry in shelf())}):
            for part in sorted(folder.glob("*.md"))[:500]:
                with suppress(OSError):
                    state = part.stat()
                    found.append((str(part), state.st_mtime_ns, state.st_size))
        return tuple(found)

    def equip(volume: Volume) -> str | EngineMaker:
        path = books.get(volume.name)
        if path is not None:
            in_child(path, native=True)
        return best_engine(volume)

    return Library(tuple(books), opened, stamp, equip, first)
