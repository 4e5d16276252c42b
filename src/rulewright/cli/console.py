"""Where commands print, and how they fail.

In:  text, tables, problems.
Out: lines on a terminal or in a pipe; Problem for whatever ends a command with one clear line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from rulewright.cli.plain import UNFIT, Problem

__all__ = ["Plain", "Problem", "console", "read_bytes", "read_text", "write_bytes"]


class Plain(Console):
    """Prints what stands in books and files as nothing but text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces of something. Colours and the like are no text, and stay."""
        for piece in super().render(renderable, options):
            if piece.control is None and UNFIT.search(piece.text):
                yield Segment(UNFIT.sub("", piece.text), piece.style)
            else:
                yield piece


def console(width: int | None = None) -> Console:
    """Standard output. In a pipe it is plain text, wide enough not to break lines."""
    # A file name with a line, such as `x.md:100:`, must not turn into a picture, nor `[R]` into a style.
    if sys.stdout.isatty():
        return Plain(width=width, highlight=False, emoji=False, markup=False)
    wide = width or 200
    return Plain(width=wide, highlight=False, emoji=False, markup=False, color_system=None)


def read_bytes(path: Path) -> bytes:
    """A file, or a Problem."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Problem(f"cannot read {path}: {(error.strerror or 'it is not a file').lower()}") from None


def read_text(path: Path) -> str:
    """A text file, or a Problem."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise Problem(f"{path} is not a text file") from None


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, or a Problem."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Problem(f"cannot write {path}: {(error.strerror or 'unknown reason').lower()}") from None
