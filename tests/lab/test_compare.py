"""What changed is found, what did not change is not: planted damage, a dead rule, a book against itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright import Program, load
from rulewright.cli import main
from rulewright.lab import simulate
from rulewright.lab.compare import compare
from rulewright.lab.report import summary, to_json

DUEL = Path(__file__).parents[2] / "bench" / "duel.md"


def facts(program: Program, seed: int, matches: int = 4000, names: tuple[str, ...] = ("random",)) -> Any:
    return summary(simulate(program, matches, names, seed=seed))


@pytest.fixture(scope="module")
def duel() -> Program:
    return load(DUEL)


def changed(tmp_path: Path, old: str, new: str) -> Program:
    text = DUEL.read_text()
    assert old in text
    book = tmp_path / "changed.md"
    book.write_text(text.replace(old, new, 1))
    return load(book)


def test_a_planted_point_of_damage_is_found(duel: Program, tmp_path: Path) -> None:
    planted = changed(tmp_path, "1d8 + 3", "1d8 + 4")
    found = compare(facts(duel, 1), facts(planted, 10**6))
    assert found[0].what == "decisions in a match"
    assert found[0].now < found[0].before
    assert "standard errors" in str(found[0])


def test_a_rule_that_died_is_found(duel: Program, tmp_path: Path) -> None:
    planted = changed(
        tmp_path, "requires: #Has Point AND [Guard] = 0", "requires: #Has Point AND [Guard] = 2"
    )
    found = {row.what: row for row in compare(facts(duel, 1), facts(planted, 10**6))}
    assert found["matches with action Defend"].now == 0


@pytest.mark.parametrize("book", ["duel", "penance-1"])
def test_a_book_against_itself_gives_no_alarm(duel: Program, book: str) -> None:
    """Twenty pairs of runs that differ in their seeds: at most one may be called different."""
    program = duel if book == "duel" else load(book)
    names = ("random",) if book == "duel" else (program.sheet.strategies[-1],)
    matches = 1500 if book == "duel" else 400
    alarms = 0
    for pair in range(20):
        before, now = (facts(program, seed * 10**6, matches, names) for seed in (2 * pair + 1, 2 * pair + 2))
        alarms += bool(compare(before, now))
    assert alarms <= 1


def test_the_command_says_so(duel: Program, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "before.json"
    file.write_text(to_json(simulate(duel, 1500, ["random"])))
    book = tmp_path / "harder.md"
    book.write_text(DUEL.read_text().replace("1d8 + 3", "1d8 + 5"))
    with pytest.raises(SystemExit):
        main(["simulate", str(book), "--matches", "1500", "--seats", "random", "--before", str(file)])
    assert "different from the earlier run" in capsys.readouterr().out
    file.write_text("{}")
    with pytest.raises(SystemExit) as stopped:
        main(["simulate", str(book), "--matches", "20", "--before", str(file)])
    assert stopped.value.code == 1
    assert "rulewright: " in capsys.readouterr().err
