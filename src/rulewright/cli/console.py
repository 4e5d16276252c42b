"""Where commands print, and how they fail.

In:  text, tables, problems.
Out: lines on a terminal or in a pipe; Problem for whatever ends a command with one clear line.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console


class Problem(Exception):
    """A command cannot do what it was asked for. The message is one line, fit to print."""


def console(width: int | None = None) -> Console:
    """Standard output. In a pipe it is plain text, wide enough not to break lines."""
    # A file name with a line, such as `x.md:100:`, must not turn into a picture, nor `[R]` into a style.
    if sys.stdout.isatty():
        return Console(width=width, highlight=False, emoji=False, markup=False)
    wide = width or 200
    return Console(width=wide, highlight=False, emoji=False, markup=False, color_system=None)


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
