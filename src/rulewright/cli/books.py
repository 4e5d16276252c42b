"""Commands about books themselves: list, new, check.

In:  names and paths.
Out: tables, files, diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rulewright.book.text.front import closes, front_matter
from rulewright.cli.checking import checked
from rulewright.cli.console import Problem, console, write_bytes
from rulewright.shelf import shelf

BookName = Annotated[
    str, typer.Argument(metavar="BOOK", help="A book that ships, or the path of a Markdown file.")
]


def list_books(
    names: Annotated[bool, typer.Option("--names", help="Only the names, one a line, for scripts.")] = False,
) -> None:
    """Show the books that ship.

    Example: `rulewright list`
    """
    entries = shelf()
    out = console()
    if names:
        for entry in entries:
            out.print(entry.name)
        return
    if not entries:
        out.print("The shelf is empty. Start a book with `rulewright new NAME`.")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("book", "title", "seats", "length", "about"):
        table.add_column(heading, no_wrap=heading in ("book", "seats"))
    for entry in entries:
        front = front_of(entry.path)
        if is_framework(front):
            front |= {"seats": "rules only", "length": "for other books"}
        table.add_row(entry.name, *(front.get(key, "") for key in ("title", "seats", "length", "summary")))
    out.print(table)


def is_framework(front: Mapping[str, str]) -> bool:
    """A book that gives others a notation cannot be played by itself."""
    return closes(front)


def front_of(path: Path) -> dict[str, str]:
    """The front matter of a book as text; empty where it is broken, `check` says why."""
    text = path.read_text("utf-8", errors="replace")
    return {key: str(value) for key, value in front_matter(text, path.name, [])[0].items()}


def new_book(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the book shall be called.")],
) -> None:
    """Write a small book that works, as a start for your own.

    The file NAME.md is made in this folder: two duelists, dice, a choice each turn, worked examples. It plays
    as it is. docs/tutorial.md explains it line by line.

    Example: `rulewright new mygame`, then `rulewright test mygame.md` and `rulewright play mygame.md`
    """
    stem = name.removesuffix(".md")
    if not re.fullmatch(r"[\w][\w .-]*", stem):
        raise Problem(f"'{name}' is no name for a file; use letters, digits and hyphens")
    path = Path(f"{stem}.md")
    if path.exists():
        raise Problem(f"{path} is there already; choose another name")
    title = re.sub(r"[-_.]+", " ", stem).strip().title()
    template = Path(__file__).with_name("new.md").read_text("utf-8")
    write_bytes(path, template.replace("TITLE", title).encode())
    console().print(f"Wrote {path}. Now try: rulewright check {path}")


def check_book(book: BookName) -> None:
    """Read a book and report every mistake, with its line and what may have been meant.

    Exit code 1 if there is any error; warnings alone are fine. docs/diagnostics.md explains the codes.

    Example: `rulewright check mygame.md`
    """
    if checked(book):
        raise typer.Exit(1)
