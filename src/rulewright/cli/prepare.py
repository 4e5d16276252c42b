"""Compile a book in a process of its own, so that a server that waits for it stays quick.

In:  the path of a book; whether native code is wanted too.
Out: nothing but warm caches. What fails here fails again, and is reported, where the book is really opened.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PATIENCE = 300
"""Seconds after which a child is given up."""


def in_child(path: Path, native: bool) -> None:
    """Fill the caches from another process."""
    code = "from rulewright.cli.prepare import main; main()"
    command = [sys.executable, "-c", code, str(path), *(["native"] if native else [])]
    try:
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return


def main() -> None:
    """What the child does."""
    from rulewright.compiler import compile_book
    from rulewright.play.printed import factory

    program = compile_book(Path(sys.argv[1]))
    factory(program)
    if "native" in sys.argv[2:]:
        from rulewright.native.library import library

        library(program)
