"""The files of a book, read within its own folder: nobody's book looks at the rest of a machine.

In:  the folder a book lies in, and a name that its front matter gives.
Out: the text of the file, or one sentence that says why it is not read.

A book is untrusted: people send them to each other, and a server shows every file of one to anybody. So a
name leads to a Markdown file below the folder, by no link out of it, and to nothing that is not a plain file.
It is opened once, looked at while open, and read up to a limit: nothing can be exchanged in between.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePath

from rulewright.diagnostics import Span

FILE_BYTES = 2_000_000
"""The largest file. The largest part of a shipped book is a twentieth of it."""
BOOK_BYTES = 6_000_000
FILES = 200
DEPTH = 20
LINE = 20_000
"""Characters of the longest line. What is longer was not typed."""
ENDINGS = (".md", ".markdown")


class Refused(Exception):
    """A file is not read. The message is one sentence for the writer; `code` is that of the diagnostic, and
    `span` says where it is when that is not where the file is named."""

    def __init__(self, message: str, code: str = "outside-book", span: Span | None = None) -> None:
        super().__init__(message)
        self.code, self.span = code, span


def place_of(folder: Path, name: str) -> Path:
    """The file that a name in the front matter means. Raises Refused when it may not be read."""
    _plain(name)
    if PurePath(name).suffix.lower() not in ENDINGS:
        raise Refused(f"'{_shown(name)}' is not a Markdown file", "missing-part")
    return _inside(folder, folder / name, name)


def places_of(folder: Path, pattern: str) -> list[Path]:
    """The files that a pattern means, in order. Raises Refused as well when there is none."""
    _plain(pattern)
    if "**" in pattern:
        raise Refused(f"'{_shown(pattern)}' could be any file: name the folder, such as `examples/*.md`")
    try:
        found = sorted(p for p in folder.glob(pattern) if p.suffix.lower() in ENDINGS and p.is_file())
    except (ValueError, NotImplementedError, OSError):
        found = []
    if not found:
        raise Refused(f"there is no file '{_shown(pattern)}' with examples to read", "missing-part")
    if len(found) > FILES:
        raise Refused(f"'{_shown(pattern)}' means more than {FILES} files", "too-large")
    return [_inside(folder, path, pattern) for path in found]


def read_file(path: Path, name: str) -> bytes:
    """What is in a plain file that is not too large. Raises Refused."""
    missing = Refused(f"there is no file '{_shown(name)}' to read", "missing-part")
    try:
        # Not blocking: a pipe that nobody writes to would be waited for without end.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (OSError, ValueError):
        raise missing from None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise Refused(f"'{_shown(name)}' is not a plain file")
        try:
            data = file.read(FILE_BYTES + 1)
        except OSError:
            raise missing from None
    if len(data) > FILE_BYTES:
        raise Refused(f"a file of a book has at most {FILE_BYTES:,} bytes", "too-large")
    return data


def text_of(data: bytes) -> str:
    """A file as text, with one sort of line ends."""
    return data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def _plain(name: str) -> None:
    """A name that leads downwards only."""
    if not name.strip() or any(ord(sign) < 32 for sign in name):
        raise Refused("a file has a name without control characters")
    if name.startswith(("/", "\\", "~")) or "\\" in name or ":" in name or ".." in PurePath(name).parts:
        raise Refused(f"'{_shown(name)}' leads out of the book's folder")


def _inside(folder: Path, path: Path, name: str) -> Path:
    """The file itself, once links are followed."""
    try:
        found, home = path.resolve(), folder.resolve()
    except (OSError, RuntimeError, ValueError):  # a circle of links
        raise Refused(f"there is no file '{_shown(name)}' to read", "missing-part") from None
    if not found.is_relative_to(home):
        raise Refused(f"'{_shown(name)}' is a link that leads out of the book's folder")
    return found


def _shown(name: str) -> str:
    return name if len(name) <= 80 else name[:77] + "..."
