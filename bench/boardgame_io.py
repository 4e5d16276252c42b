"""boardgame.io, which `make bench` and `make load` compare with: installed once, below build/.

In:  npm, where there is one.
Out: the folder with boardgame.io and our duel for it, or a note why there is none.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
PLACE = HERE.parent / "build" / "boardgame"


def installed(note: Callable[[str], None]) -> Path | None:
    """Where it is; None, and a note, when it cannot be had."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        note("no npm here, so no boardgame.io to compare with")
        return None
    given = HERE / "boardgame" / "package.json"
    fresh = not (PLACE / "node_modules").is_dir() or (PLACE / given.name).read_text() != given.read_text()
    if fresh:
        shutil.rmtree(PLACE, ignore_errors=True)
    shutil.copytree(given.parent, PLACE, dirs_exist_ok=True)
    if fresh:
        quiet = [npm, "install", "--no-audit", "--no-fund", "--silent"]
        if subprocess.run(quiet, cwd=PLACE, check=False, capture_output=True).returncode:
            shutil.rmtree(PLACE)
            note("npm cannot install boardgame.io here")
            return None
    return PLACE
