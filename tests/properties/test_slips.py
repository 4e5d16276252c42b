"""Two letters of a word exchanged: reported, at its own line. The measure of "nothing is read in silence".

The quick sample is of a few test books; `make long` takes one of every book that ships and one of every
book of the tests. Each prints its figure.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

import slips
from rulewright.book.bodies.again import Again
from rulewright.compiler import Checked, check
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


def _says_nothing(checked: Checked) -> Checked:
    return replace(checked, diagnostics=())


def _points_elsewhere(checked: Checked) -> Checked:
    moved = tuple(replace(d, span=replace(d.span, line=1), message="moved") for d in checked.diagnostics)
    return replace(checked, diagnostics=moved)


@pytest.mark.parametrize("fault", [_says_nothing, _points_elsewhere])
def test_the_measure_can_fail(
    fault: Callable[[Checked], Checked], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checker with a fault is found out, one slip of ten kept from its eyes is enough."""
    real, asked = slips.read_again, count()

    def faulty(path: Path, again: Again) -> tuple[Checked, Again]:
        checked, again = real(path, again)
        return (fault(checked) if next(asked) % 10 == 0 else checked), again

    monkeypatch.setattr(slips, "read_again", faulty)
    found = measured(SMALL[0], 60, 7, tmp_path)
    with pytest.raises(AssertionError):
        judge(found)


def test_a_traceback_is_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(slips, "read_again", broken)
    with pytest.raises(KeyError, match="planted"):
        measured(SMALL[0], 1, 7, tmp_path)


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
