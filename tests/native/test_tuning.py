"""Numbers that a designer tunes are data: another cost, damage, table row or deck runs the code that was
compiled before. Only 0, and a 1 that is set or asked for as a mark, are part of the code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.native.module import translate
from rulewright.shelf import shelf

BOOK = "penance-2"
TUNED = {
    "a cost": (
        "cards.md",
        "| Faithful Thrust    | 3   | Primary   | Melee    | 2 ",
        "Melee    | 2 ",
        "Melee    | 4 ",
    ),
    "a damage": (
        "cards.md",
        "| Righteous Slash    | 2   | Primary   | Melee    | 2  | 1     | 4 ",
        "1     | 4 ",
        "1     | 6 ",
    ),
    "a deck": ("cards.md", "| Cleaving Strike    | 2 ", "| 2 ", "| 1 "),
    "a table row": ("penance-2.md", "| 7-8       | Strong Hit   | 1 ", "| 1 ", "| 3 "),
}


def edited(folder: Path, *changes: tuple[str, str, str, str]) -> Program:
    """The book with some of its text changed: (file, the only place of this, in which this, is that)."""
    source = next(entry.path for entry in shelf() if entry.name == BOOK)
    shutil.copytree(source.parent, folder)
    for file, place, old, new in changes:
        text = (folder / file).read_text("utf-8")
        assert text.count(place) == 1
        (folder / file).write_text(text.replace(place, place.replace(old, new)), "utf-8")
    return compile_book(folder / source.name)


def texts(program: Program) -> list[str]:
    return list(translate(program).parts())


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return edited(tmp_path_factory.mktemp("printed") / "book")


def test_tuned_numbers_need_no_compiler(tmp_path: Path, printed: Program):
    tuned = edited(tmp_path / "book", *TUNED.values())
    changed = sum(a != b for a, b in zip(tuned.params, printed.params, strict=True))
    assert changed >= len(TUNED)
    assert tuned.digest != printed.digest
    assert tuned.code_digest == printed.code_digest
    assert texts(tuned) == texts(printed)


def test_a_cost_and_a_limit_of_one_are_numbers_too(tmp_path: Path):
    duel = Path(__file__).parents[2] / "bench" / "duel.md"
    text = duel.read_text("utf-8")
    dearer = text.replace("[Action Points] -= 1", "[Action Points] -= 2").replace(
        "[Action Points] >= 1", "[Action Points] >= 2"
    )
    assert dearer.count("-= 2") == 2
    (tmp_path / "duel.md").write_text(dearer, "utf-8")
    tuned, printed = compile_book(tmp_path / "duel.md"), compile_book(duel)
    assert tuned.digest != printed.digest
    assert tuned.code_digest == printed.code_digest
    assert texts(tuned) == texts(printed)


def test_control_another_rule_is_other_code(tmp_path: Path, printed: Program):
    rule = ("penance-2.md", "[Attacks Made] = 0, [Acted] = 0, [SP Spent] = 0", ", [SP Spent] = 0", "")
    other = edited(tmp_path / "book", rule)
    assert other.code_digest != printed.code_digest
    assert texts(other) != texts(printed)
