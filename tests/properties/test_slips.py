"""Two letters of a word exchanged: reported, at its own line. The measure of "nothing is read in silence".

The quick sample is of a few test books; `make long` takes one of every book that ships and one of every
book of the tests. Each prints its figure.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.compiler import check
from rulewright.shelf import shelf
from slips import Found, measured

TESTS = Path(__file__).parents[1]
SMALL = [
    TESTS / "language" / "everything.md",
    TESTS / "testing" / "everything.md",
    TESTS / "play" / "trail.md",
    TESTS / "serve" / "books" / "hands.md",
]
TRIED = [
    path for shelf_ in ("classics", "bluff", "attack/books") for path in sorted((TESTS / shelf_).glob("*.md"))
]
LONG = int(os.environ.get("RULEWRIGHT_SLIPS", "300"))


def judge(found: list[Found]) -> None:
    """At least 99 of 100 are reported, and 95 of 100 where they stand."""
    reported, own = sum(f.reported for f in found), sum(f.own_line for f in found)
    silent = [f.slip for f in found if not f.reported]
    print(f"{len(found)} slips: {reported} reported, {own} at their own line; silent: {silent[:12]}")
    assert reported >= 0.99 * len(found), silent
    assert own >= 0.95 * len(found)


def test_slips_in_small_books_are_reported(tmp_path: Path) -> None:
    judge([f for n, path in enumerate(SMALL) for f in measured(path, 60, 7, tmp_path / str(n))])


@pytest.mark.long
def test_slips_in_every_book_are_reported(tmp_path: Path) -> None:
    judge([f for entry in shelf() for f in measured(entry.path, LONG, 7, tmp_path)])


@pytest.mark.long
def test_slips_in_every_test_book_are_reported(tmp_path: Path) -> None:
    right = [
        path for path in [*SMALL, *TRIED] if not any(d.severity == "error" for d in check(path).diagnostics)
    ]
    assert len(right) > 20
    judge([f for n, path in enumerate(right) for f in measured(path, 40, 7, tmp_path / str(n))])
