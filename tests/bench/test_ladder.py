"""Rows of the ladder grow from session to session, and start afresh when other players would play them."""

from __future__ import annotations

import argparse
import importlib
import math
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulewright import load
from rulewright.lab import simulate
from rulewright.lab.report import points_interval

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    made = importlib.import_module("ladder")
    monkeypatch.setattr(made, "PIECE", 4)
    return made


@pytest.fixture
def tally(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    return importlib.import_module("tally")


def row_of(ladder: ModuleType, wanted: int, *names: str) -> Any:
    return ladder.Row(load("penance-2"), names, names, wanted)


def test_a_row_goes_on_where_it_was_left(
    ladder: ModuleType, tally: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "PIECE", 20)
    names = ("Warden", "Hunter")
    path, row = tmp_path / "rows.jsonl", ladder.Row(load("penance-1"), names, names, 32)
    ladder.grow(row, tally.Kept(path), 50, 1)
    told = ladder.grow(row, tally.Kept(path), 90, 1)
    assert (told.sum.matches, told.missing) == (32, 0)
    (piece,) = tally.Kept(path).pieces
    assert (piece.first, piece.last) == (50, 65)
    whole = simulate(row.program, 32, names, seed=50, listen=False)
    assert 0 < told.sum.part == whole.points[0] / 32 < 1
    assert told.sum.interval() == pytest.approx(points_interval(whole))
    assert "| 32 | " in ladder.line(told, None, 2.0)


def test_other_rules_or_other_code_start_a_row_afresh(
    ladder: ModuleType, tally: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, row = tmp_path / "rows.jsonl", row_of(ladder, 8, "Duelist", "random")
    ladder.grow(row, tally.Kept(path), 50, 1)
    level = row_of(ladder, 8, "medium", "Duelist")
    before = level.version
    changed = replace(row, program=replace(row.program, digest="other"))
    told = ladder.known_of(changed, tally.Kept(path))
    assert (told.old, told.sum.matches, told.missing) == (True, 4, 8)
    assert ladder.line(told, 0.5, 2.0).endswith("(older players) |")
    again = tally.Kept(path)
    ladder.grow(changed, again, 70, 1)
    assert {piece.first for piece in tally.Kept(path).pieces} == {70}, "as many are played: the old ones go"
    monkeypatch.setattr(tally, "deciding", lambda: "other code")
    assert level.version != before
    assert row_of(ladder, 8, "Duelist", "random").version == row.version, "strategies are in the Program"


def test_what_is_said_about_code_changes_nothing(tally: ModuleType, tmp_path: Path) -> None:
    text = 'def f(x):\n    """Words."""\n    return x + 1  # why\n'
    assert tally.meaning(text) == tally.meaning("def f(x):\n\n    return (x + 1)\n")
    assert tally.meaning(text) != tally.meaning(text.replace("1", "2"))
    found = tally.modules("rulewright.players.levels")
    assert {"rulewright.players.race", "rulewright.native.outer.search"} <= {*found}
    assert "rulewright.players.explain" not in found, "what only tells decides nothing"


def test_no_seed_is_played_twice(
    ladder: ModuleType, tally: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, row = tmp_path / "rows.jsonl", row_of(ladder, 8, "Duelist", "random")
    kept = tally.Kept(path)
    ladder.grow(row, kept, 50, 1)
    with pytest.raises(ValueError, match="seed 50 was played twice"):
        tally.joined([*kept.pieces, *kept.pieces])
    text = (tmp_path / "rows.jsonl").read_text()
    (tmp_path / "twice.jsonl").write_text(2 * text)
    monkeypatch.setattr(
        sys, "argv", ["ladder.py", "penance-2", "--table", "--out", str(tmp_path / "twice.jsonl")]
    )
    with pytest.raises(SystemExit, match=r"twice.jsonl cannot be read: .* seed 50 was played twice"):
        ladder.main()
    with kept.held(), pytest.raises(BlockingIOError), tally.Kept(path).held():
        pass


def test_the_most_wanted_comes_first_and_time_ends_it(
    ladder: ModuleType, tally: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, order = tally.Kept(tmp_path / "rows.jsonl"), list[str]()
    some = [row_of(ladder, 4, "random", "Duelist"), row_of(ladder, 4, "Duelist", "random")]
    monkeypatch.setattr(ladder, "FIRST", (some[1].key,))
    grow = ladder.grow

    def noted(row: Any, *more: Any) -> Any:
        order.append(row.key)
        return grow(row, *more)

    monkeypatch.setattr(ladder, "grow", noted)
    wish = argparse.Namespace(seed=1, jobs=1, early=False, end=-math.inf)
    known = {row.key: ladder.known_of(row, kept) for row in some}
    ladder.climb(some, known, kept, wish)
    assert order == []
    wish.end = math.inf
    ladder.climb(some, known, kept, wish)
    assert order == [some[1].key, some[0].key]
    seeds = sorted(piece.first for piece in kept.pieces)
    assert seeds == [1, 1 + ladder.APART], "rows have seeds of their own"
    monkeypatch.setattr(ladder, "FIRST", tuple(row.key for row in some))
    slow, quick = (
        ladder.Told(row_of(ladder, 9, *row.players), replace(known[row.key].sum, seconds=s))
        for row, s in zip(some, (9.0, 2.0), strict=True)
    )
    both = {told.row.key: told for told in (slow, quick)}
    assert ladder.next_row([slow.row, quick.row], both) is quick.row, "who had less time is next"


def test_it_says_what_is_missing_and_how_long_that_takes(
    ladder: ModuleType, tally: ModuleType, tmp_path: Path
) -> None:
    row, kept = row_of(ladder, 40, "Duelist", "random"), tally.Kept(tmp_path / "rows.jsonl")
    (first, last) = ladder.missing([ladder.known_of(row, kept)], kept)
    assert first.endswith("40 of 40 matches are missing; nobody has timed them")
    assert "without 40 that nobody has timed" in last
    kept.pieces = [tally.Piece(row.key, row.version, 1, 2, 3, 0, 1, 8, 400.0, "2026-01-01")]
    (first, last) = ladder.missing([ladder.known_of(row, kept)], kept)
    assert first.endswith("36 of 40 matches are missing; about 60 min of a core")
    assert last == "36 matches are missing in all: about 1.0 hours of one core"
