"""Compile a book in a process of its own, so that a server that waits for it stays quick.

In:  the path of a book; whether native code is wanted too.
Out: nothing but warm caches. A mistake in the book is found again, and reported, where it is really opened; a
     book that takes too long or too much memory is not opened at all: TooMuch.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

PATIENCE = 300
"""Seconds after which a child is given up."""
MEMORY = 6 * 2**30
"""Bytes that a child may ask for."""


_children: set[subprocess.Popen[bytes]] = set()


class TooMuch(Exception):
    """Compiling took more time or memory than a server gives it."""


def in_child(path: Path, native: bool) -> None:
    """Fill the caches from another process. Raises TooMuch."""
    code = "from rulewright.cli.prepare import main; main()"
    command = [sys.executable, "-c", code, str(path), *(["native"] if native else [])]
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
    except OSError:
        return
    _children.add(child)
    try:
        _, said = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise TooMuch(f"it takes more than {PATIENCE} seconds to compile") from None
    finally:
        child.kill()
        child.wait()
        _children.discard(child)
    if child.returncode < 0 or b"MemoryError" in said[-2000:]:
        raise TooMuch("it takes too much time or memory to compile")


def give_up() -> None:
    """End the children that are still at it: nobody waits for them any more."""
    for child in tuple(_children):
        child.kill()


def main() -> None:
    """What the child does."""
    from rulewright.compiler import compile_book
    from rulewright.play.printed import factory

    with suppress(ImportError, ValueError, OSError):  # not on Windows; or less than that is allowed
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
    program = compile_book(Path(sys.argv[1]))
    factory(program)
    if "native" in sys.argv[2:]:
        from rulewright.native.library import library

        library(program)
