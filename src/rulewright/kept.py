"""What was made of a book before, found again as long as none of its files has changed.

In:  the path of a book.
Out: its Program, or what `check` says of it, from the cache on disk; None where anything is new.

Here and not in `compiler`, because a book that has not changed needs no compiler: loading that takes longer
than all the rest.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import json
import os
import pickle
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.book.text.folders import Refused, read_file
from rulewright.ir import cache
from rulewright.shelf import shelf

if TYPE_CHECKING:
    from rulewright.ir.program import Program

PROGRAM, REPORT = "program", "report"
"""Our entries in the cache."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong with a book, as people read it."""

    errors: int
    warnings: int
    text: str


@contextmanager
def uncollected() -> Generator[None]:
    """Compiling makes hundreds of thousands of small things and drops few: looking among them for
    cycles again and again took a fifth of the time, and half of it when a kept Program is read."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@uncollected()
def kept_program(path: Path) -> Program | None:
    """The Program of a book, if it is as it was when it was last compiled on this machine."""
    from rulewright.ir.program import Program  # only here: `check` needs none

    kept = unchanged(cache.fetch(PROGRAM, key_of(path)))
    if kept is not None:
        with suppress(Exception):  # whatever cannot be read is compiled again
            found = pickle.loads(kept)
            if isinstance(found, Program):
                return found
    return None


def keep_program(path: Path, looked: Mapping[Path, str], program: Program) -> None:
    """Let `kept_program` find it. `looked`: every file that was looked for, and the hash of what it held."""
    cache.keep(PROGRAM, key_of(path), manifest(looked) + b"\n" + pickle.dumps(program, protocol=5))


def kept_report(path: Path) -> Report | None:
    """What `check` said of a book that is as it was then."""
    kept = unchanged(cache.fetch(REPORT, key_of(path)))
    if kept is not None:
        with suppress(ValueError, TypeError):
            errors, warnings, text = json.loads(kept)
            return Report(int(errors), int(warnings), str(text))
    return None


def keep_report(path: Path, looked: Mapping[Path, str], report: Report) -> None:
    """Let `kept_report` find it."""
    said = json.dumps([report.errors, report.warnings, report.text]).encode()
    cache.keep(REPORT, key_of(path), manifest(looked) + b"\n" + said)


def is_kept(path: Path) -> bool:
    """Whether `kept_program` will find the book, and so be quick."""
    return unchanged(cache.fetch(PROGRAM, key_of(path))) is not None


def manifest(looked: Mapping[Path, str]) -> bytes:
    """The files that something was made of, as one line at the head of an entry of the cache."""
    return json.dumps([[str(file), digest] for file, digest in looked.items()]).encode()


def unchanged(entry: bytes | None) -> bytes | None:
    """What stands behind the manifest of an entry, if every file that was looked for is as it was then."""
    if entry is None:
        return None
    first, _, content = entry.partition(b"\n")
    try:
        same = all(_digest(Path(file)) == digest for file, digest in json.loads(first))
    except (ValueError, TypeError):
        return None
    return content if same else None


def _digest(file: Path) -> str:
    """What a file holds; nothing where there is none, or something that could be waited for without end."""
    try:
        return hashlib.sha256(read_file(file, file.name)).hexdigest()
    except Refused:
        return ""


def key_of(path: Path) -> str:
    """What a Program depends on besides the files that are read: which book, the shelf, this compiler."""
    made = hashlib.sha256(_compiler_text())
    for part in (path.absolute(), path.resolve(), *(entry.path for entry in shelf())):
        made.update(os.fsencode(part) + b"\0")
    return made.hexdigest()


@functools.cache
def _compiler_text() -> bytes:
    """The compiler's own source: a change of it makes everything old that it has made."""
    root = Path(__file__).parent
    files = sorted(f for part in ("book", "lower", "ir") for f in (root / part).rglob("*.py"))
    own = [root / "compiler.py", root / "diagnostics.py", Path(__file__)]
    return b"".join(f.read_bytes() for f in [*files, *own])
