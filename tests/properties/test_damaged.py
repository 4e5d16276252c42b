"""Damaged books give diagnostics, never a traceback or a hang."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from damage import hit
from rulewright.compiler import compile_book
from rulewright.diagnostics import BookError
from rulewright.shelf import shelf

ROOT = Path(__file__).parents[2]
EVERYTHING = ROOT / "tests" / "language" / "everything.md"
LONG = int(os.environ.get("RULEWRIGHT_DAMAGED", "4000"))


def torture(source: Path, folder: Path, numbers: range) -> int:
    """Compile each damaged version, whichever of its files is hit; how many still were books."""
    home = folder / source.parent.name
    shutil.copytree(source.parent, home)
    path = home / source.name
    compile_book(path)  # whole, it is a book
    books = 0
    for number in numbers:
        file, text = hit(home, number)
        whole = file.read_text(encoding="utf-8")
        file.write_text(text, encoding="utf-8")
        try:
            compile_book(path)
        except BookError as error:
            reasons = error.diagnostics
        else:
            reasons = None
            books += 1
        file.write_text(whole, encoding="utf-8")
        assert reasons != (), f"damage {number} was refused without a reason"
    return books


def test_a_few_hundred(tmp_path: Path) -> None:
    home = tmp_path / "alone"
    home.mkdir()
    shutil.copy(EVERYTHING, home)
    books = torture(home / EVERYTHING.name, tmp_path / "hit", range(200))
    assert 0 < books < 150, "damage must break some books and leave some whole"


@pytest.mark.long
@pytest.mark.parametrize("entry", [e.path for e in shelf()], ids=lambda p: p.stem)
def test_many_thousand(entry: Path, tmp_path: Path) -> None:
    books = torture(entry, tmp_path, range(LONG))
    print(f"{entry.stem}: {LONG} damaged versions, {books} were still books")
    assert 0 < books < LONG
