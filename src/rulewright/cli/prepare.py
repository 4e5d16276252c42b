"""What a server has done with a book in a process of its own: compiled, rendered, made native.

In:  the path of a book.
Out: an Edition, or warm caches for native code. A book with mistakes raises Mistaken; one that takes too long
     or too much memory raises TooMuch.

A book is untrusted, and so is how long it takes to read. The server itself only ever takes what such a child
has made, from its pipe or from the cache: nothing of the compiler or the renderer runs beside the tables.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from rulewright.cli.editions import Edition, kept_edition, make_edition

PATIENCE = 300
"""Seconds after which a child is given up; the same of processor time."""
MEMORY, NATIVE = 3 * 2**30, 6 * 2**30
"""Bytes that a child may ask for, and one that makes native code. The largest shipped book takes a tenth."""
MISTAKEN = 3
"""The exit status of a child that found mistakes."""


_children: set[subprocess.Popen[bytes]] = set()


class TooMuch(Exception):
    """Compiling took more time or memory than a server gives it."""


class Mistaken(Exception):
    """The book has mistakes; the message shows the first ones."""


def edition(path: Path) -> Edition:
    """The book as it is now: made before, or made now in a child. Raises Mistaken, TooMuch."""
    found = kept_edition(path)
    if found is None:
        found = pickle.loads(_in_child(path, "edition"))  # our own child wrote it
        if not isinstance(found, Edition):
            raise TooMuch("it could not be compiled")
    return found


def warm_native(path: Path) -> None:
    """Have native code made where the cache keeps it. Raises Mistaken, TooMuch."""
    _in_child(path, "native")


def _in_child(path: Path, what: str) -> bytes:
    code = "from rulewright.cli.prepare import main; main()"
    command = [sys.executable, "-c", code, str(path), what]
    nothing, pipe = subprocess.DEVNULL, subprocess.PIPE
    try:
        child = subprocess.Popen(command, stdin=nothing, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise TooMuch(f"no process can be started for it: {error}") from None
    _children.add(child)
    try:
        made, said = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise TooMuch(f"it takes more than {PATIENCE} seconds to compile") from None
    finally:
        child.kill()
        child.communicate()
        _children.discard(child)
    words = said.decode("utf-8", "replace").strip()
    if child.returncode == MISTAKEN:
        raise Mistaken(words[:2000])
    if child.returncode != 0:
        short = child.returncode < 0 or "MemoryError" in words[-2000:]
        reason = "it takes too much time or memory to compile" if short else words[-300:]
        raise TooMuch(reason or "it could not be compiled")
    return made


def give_up() -> None:
    """End the children that are still at it: nobody waits for them any more."""
    for child in tuple(_children):
        child.kill()


def main() -> None:
    """What the child does."""
    from rulewright.compiler import compile_book
    from rulewright.diagnostics import BookError
    from rulewright.play.printed import factory

    path, what = Path(sys.argv[1]), sys.argv[2]
    with suppress(ImportError, ValueError, OSError):  # not on Windows; or less than that is allowed
        import resource

        most = NATIVE if what == "native" else MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
    try:
        program = compile_book(path)
        factory(program)
        if what == "edition":
            sys.stdout.buffer.write(pickle.dumps(make_edition(path, program), protocol=5))
            return
    except BookError as error:
        sys.stderr.write(str(error))
        sys.exit(MISTAKEN)
    from rulewright.native.library import library

    library(program)
