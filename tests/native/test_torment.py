"""No input that the public API accepts can crash the process; wrong ones get the same clear errors on both
engines and change nothing. The cases are in `torment.py`; they run in a process of their own, so that a
crash or a hang is a failing test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import torment
from rulewright.ir.program import Program
from rulewright.play import reference, setup
from rulewright.shelf import shelf

ROOT = Path(__file__).parents[2]
EVERYTHING = str(ROOT / "tests" / "language" / "everything.md")
LONG = int(os.environ.get("RULEWRIGHT_TORMENT", "2200"))


def tormented(book: str, first: int, count: int, seconds: int) -> None:
    command = [sys.executable, "-X", "faulthandler", str(ROOT / "tests" / "torment.py"), book]
    try:
        done = subprocess.run(
            [*command, str(first), str(count)], cwd=ROOT, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired as late:
        told = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout
        pytest.fail(f"it hangs in: {(told or '').splitlines()[-1:]}")
    found = [line for line in done.stdout.splitlines() if line.startswith("FOUND")]
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, "\n".join(found or [f"died in {last}", done.stderr[-3000:]])
    assert len(done.stdout.splitlines()) == count


@pytest.mark.parametrize("book", [EVERYTHING, "random 5"], ids=["everything", "random"])
def test_a_little_nonsense(book: str):
    tormented(book, 0, 60, 300)


@pytest.mark.long
@pytest.mark.parametrize("book", [EVERYTHING, *(entry.name for entry in shelf())])
def test_much_nonsense_for_each_book(book: str):
    tormented(book, 1000, LONG, 3600)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 120))
def test_much_nonsense_for_random_programs(seed: int):
    tormented(f"random {seed}", 0, LONG // 4, 3600)


def _anything(value: object, count: int) -> bool:
    return True


def _any_params(program: Program, params: Sequence[int] | None) -> Sequence[int]:
    return params or program.params


# Controls: with one check taken away, the torment has something to find.
@pytest.mark.parametrize(
    ("place", "name", "instead", "case"),
    [
        (setup, "is_index", _anything, "case_look"),
        (reference, "checked_params", _any_params, "case_batch"),
    ],
)
def test_a_missing_check_is_found(
    monkeypatch: pytest.MonkeyPatch, place: object, name: str, instead: object, case: str
):
    monkeypatch.setattr(place, name, instead)
    monkeypatch.setattr(torment, "CASES", [case])
    assert torment.run(EVERYTHING, 0, 60)
