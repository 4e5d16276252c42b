"""Damaged books give diagnostics, never a traceback or a hang."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import torture
from rulewright.compiler import Checked, check
from rulewright.ir.program import Program
from rulewright.shelf import shelf
from torture import Torture, at_length

ROOT = Path(__file__).parents[2]
EVERYTHING = ROOT / "tests" / "language" / "everything.md"
SEPARATOR = re.compile(r"^\|[-:| ]*-[-:| ]*\n", re.MULTILINE)
STILL_A_BOOK = 14
"""A damage that leaves something to compile."""
LONG = int(os.environ.get("RULEWRIGHT_DAMAGED", "4000"))
KEPT = os.environ.get("RULEWRIGHT_DAMAGED_KEPT", "")
"""A folder in which the long run keeps what it has done, to go on from there when it was stopped."""


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A small book that has everything, in a folder of its own."""
    home = tmp_path / "alone"
    home.mkdir()
    shutil.copy(EVERYTHING, home)
    return home / EVERYTHING.name


def test_a_few_hundred(alone: Path, tmp_path: Path) -> None:
    made = Torture(alone, tmp_path / "hit").hit(range(200))
    assert made.wrong == []
    assert made.counts["copies"] == 200
    assert 0 < made.counts["books"] < 150, "damage must break some books and leave some whole"
    assert made.counts["refused"] > 50
    assert made.counts["played"] > 0
    assert made.counts["afresh"] >= 10


@pytest.mark.parametrize("entry", [e.path for e in shelf()], ids=lambda p: p.stem)
def test_a_bar_alone_is_a_row_of_any_table(entry: Path, tmp_path: Path) -> None:
    """A row without a cell, in every table of a book at once: mistakes, each at its place."""
    home = tmp_path / "books"
    shutil.copytree(entry.parent.parent, home)
    tables = 0
    for file in (home / entry.parent.name).glob("**/*.md"):
        text, found = SEPARATOR.subn(r"\g<0>|\n", file.read_text("utf-8"))
        file.write_text(text, encoding="utf-8")
        tables += found
    assert tables > 0
    checked = check(home / entry.parent.name / entry.name)
    assert all(str(d) for d in checked.errors)


def _tracebacks(*_: object, **__: object) -> None:
    raise KeyError("planted")


def _hangs(*_: object, **__: object) -> None:
    while True:
        pass


@pytest.mark.parametrize(("planted", "words"), [(_tracebacks, "planted"), (_hangs, "processor time")])
@pytest.mark.parametrize("stage", ["check", "compile_checked"])
def test_what_goes_wrong_is_told(
    stage: str, planted: object, words: str, alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Torture(alone, tmp_path / "hit", longest=3)
    monkeypatch.setattr(torture, stage, planted)
    made.hit([STILL_A_BOOK])
    assert len(made.wrong) == 1
    assert words in made.wrong[0]


def _after_the_first(compiling: Callable[..., Program]) -> Callable[..., Program]:
    """The whole book compiles, and no copy of it does."""
    made: list[Program] = []

    def once(checked: Checked) -> Program:
        if made:
            raise KeyError("planted")
        made.append(compiling(checked))
        return made[0]

    return once


def test_a_long_run_goes_on_where_it_stopped(
    alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.json"
    with monkeypatch.context() as patch:
        patch.setattr(torture, "compile_checked", _after_the_first(torture.compile_checked))
        first = at_length(alone, tmp_path / "first", 20, of=10, kept=kept)
    assert first.counts["copies"] == 20
    assert len(first.wrong) == first.counts["books"] > 0
    gone_on = at_length(alone, tmp_path / "second", 30, of=10, kept=kept)
    whole = at_length(alone, tmp_path / "whole", 30)
    assert gone_on.wrong == whole.wrong == []
    assert gone_on.counts["copies"] == whole.counts["copies"] == 30
    assert at_length(alone, tmp_path / "third", 30, kept=kept).counts == gone_on.counts


@pytest.mark.long
@pytest.mark.parametrize("entry", [e.path for e in shelf()], ids=lambda p: p.stem)
def test_many_thousand(entry: Path, tmp_path: Path) -> None:
    made = at_length(entry, tmp_path, LONG, kept=Path(KEPT) / f"{entry.stem}.json" if KEPT else None)
    assert made.wrong == []
    assert 0 < made.counts["books"] < LONG
