"""Find rulebooks by name: the books that ship, or any Markdown file.

In:  what a user typed, such as `duel` or `games/duel.md`.
Out: the path of the file; ShelfError says what is wrong with the name, and suggests another.

A shipped book is a folder `NAME` that holds `NAME.md`; nothing else registers it. The folders are at
the root of the repository, and inside the package when it is installed from a wheel. Nothing here
opens a book.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulewright.diagnostics import nearest


@dataclass(frozen=True, slots=True)
class Entry:
    """A book on the shelf."""

    name: str
    path: Path


class ShelfError(Exception):
    """What the user named is no book. The message is one sentence, fit to print."""


def shelf(folder: Path | None = None) -> list[Entry]:
    """The books that ship, by name; or those of another folder laid out alike."""
    root = books_folder() if folder is None else folder
    if not root.is_dir():
        return []
    found = (Entry(place.name, place / f"{place.name}.md") for place in root.iterdir() if place.is_dir())
    return sorted((entry for entry in found if entry.path.is_file()), key=lambda entry: entry.name)


def find(name_or_path: str | Path, folder: Path | None = None) -> Path:
    """The file of a shipped book, or of the Markdown file (or a folder laid out as on the shelf) at a path.

    A shipped name wins over a path, so that a stray file cannot change what `rulewright play NAME`
    means; write `./NAME` to have the path.
    """
    if not isinstance(name_or_path, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ShelfError(f"a book is a name or a path, not a {type(name_or_path).__name__}")
    text = str(name_or_path)
    books = {entry.name: entry.path for entry in shelf(folder)}
    if text in books:
        return books[text]
    path = Path(text)
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except OSError as problem:  # too long a name, or a folder we may not look into
        raise ShelfError(f"{text[:80]!r} cannot be opened: {problem.strerror}") from None
    if is_folder:
        inside = path / f"{path.resolve().name}.md"
        if not inside.is_file():
            raise ShelfError(f"{text!r} is a folder without a {inside.name}; name the Markdown file in it")
        return inside
    if is_file:
        if path.suffix.lower() not in (".md", ".markdown"):
            raise ShelfError(f"{text!r} is not a Markdown file; a book's name ends in .md")
        return path
    if "/" in text or "\\" in text or path.suffix:
        raise ShelfError(f"there is no file {text!r}")
    guess = nearest(text, books)
    if guess is not None:
        raise ShelfError(f"no book is called {text!r}; did you mean {guess!r}?")
    listing = ", ".join(books) or "none"
    raise ShelfError(f"no book is called {text!r}; the shelf holds: {listing}")


def books_folder() -> Path:
    """Where the shipped books are: in the package if it was built, else at the root of the repository."""
    package = Path(__file__).resolve().parent
    packed = package / "books"
    return packed if packed.is_dir() else package.parents[1] / "books"
