"""Small books in the notation of campaigns, and exactly what is said about each.

One file of `mistakes/` a rule of the framework about errors (and some for other rules); in it, a heading a
book. Where a mistake is reported matters as much as what is said: it is the line its author has to edit.
`RULEWRIGHT_UPDATE=1 pytest tests/campaign/test_mistakes.py` rewrites the expectations; read the diff.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from shutil import copytree

import pytest

from rulewright.compiler import check
from rulewright.shelf import shelf

HERE = Path(__file__).parent / "mistakes"
CASE = re.compile(r"^## (.+?)\n\n````book\n(.*?)^````\n\n```expect\n(.*?)^```$", re.S | re.M)
CASES = [(path, *match) for path in sorted(HERE.glob("*.md")) for match in CASE.findall(path.read_text())]


def said(text: str, folder: Path) -> str:
    path = folder / "book.md"
    path.write_text(text)
    lines = [
        f"{d.span.line}:{d.span.column} {d.code}  {d.message}" + (f" ({d.help})" if d.help else "")
        for d in check(path).diagnostics
    ]
    return "".join(line + "\n" for line in lines)


@pytest.mark.parametrize(
    ("path", "title", "book", "wanted"), CASES, ids=[f"{path.stem}: {title}" for path, title, *_ in CASES]
)
def test_mistakes_are_as_expected(path: Path, title: str, book: str, wanted: str, tmp_path: Path) -> None:
    found = said(book, tmp_path)
    if os.environ.get("RULEWRIGHT_UPDATE"):
        text = path.read_text()
        at = text.index(f"## {title}\n")
        start = text.index("```expect\n", at) + len("```expect\n")
        path.write_text(text[:start] + found + text[text.index("```\n", start) :])
        return
    assert found == wanted


def test_every_rule_about_errors_has_its_books() -> None:
    stems = {path.stem for path, *_ in CASES}
    assert {f"err-{number:02}" for number in range(1, 12)} <= stems
    for path in HERE.glob("*.md"):
        assert path.read_text().count("````book\n") == sum(path == other for other, *_ in CASES)


def test_right_books_have_no_mistakes() -> None:
    assert all(wanted == "" for path, _, _, wanted in CASES if path.stem == "right")
    assert all(wanted for path, _, _, wanted in CASES if path.stem.startswith("err-"))


def test_a_moved_mistake_is_noticed(tmp_path: Path) -> None:
    """Control: the same book two lines further down is not as expected."""
    path, _, book, wanted = CASES[0]
    assert path.stem == "err-01"
    assert said("\n\n" + book, tmp_path) != wanted


def test_a_misspelt_line_of_a_behavior_is_reported_where_it_stands(tmp_path: Path) -> None:
    book = next(entry.path for entry in shelf() if entry.path.stem == "raven-road")
    home = tmp_path / "book"
    copytree(book.parent, home)
    path = home / book.name
    wrong = path.read_text("utf-8").replace("within 4 spaces\nif:", "within 4 spaces\nfi:")
    path.write_text(wrong, "utf-8")
    assert [d.code for d in check(path).diagnostics] == ["unknown-field"]
