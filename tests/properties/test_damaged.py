"""Damaged books give diagnostics, never a traceback or a hang."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from damage import damaged
from rulewright.compiler import compile_book
from rulewright.diagnostics import BookError
from rulewright.shelf import shelf

ROOT = Path(__file__).parents[2]
EVERYTHING = ROOT / "tests" / "language" / "everything.md"
LONG = int(os.environ.get("RULEWRIGHT_DAMAGED", "4000"))


def torture(source: Path, folder: Path, numbers: range) -> int:
    """Compile each damaged version; how many still were books."""
    for part in source.parent.glob("*.md"):
        shutil.copy(part, folder / part.name)
    text = source.read_text(encoding="utf-8")
    path = folder / source.name
    books = 0
    for number in numbers:
        path.write_text(damaged(text, number), encoding="utf-8")
        try:
            compile_book(path)
        except BookError as error:
            reasons = error.diagnostics
        else:
            books += 1
            continue
        assert reasons, f"damage {number} was refused without a reason"
    return books


def test_a_few_hundred(tmp_path: Path) -> None:
    books = torture(EVERYTHING, tmp_path, range(200))
    assert 0 < books < 150, "damage must break some books and leave some whole"


@pytest.mark.long
@pytest.mark.parametrize("entry", [e.path for e in shelf()], ids=lambda p: p.stem)
def test_many_thousand(entry: Path, tmp_path: Path) -> None:
    torture(entry, tmp_path, range(LONG))
