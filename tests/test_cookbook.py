"""Every book in docs/cookbook.md compiles without a word, and its examples hold on both engines.

The recipes together show every kind of definition and every statement, and the reference names them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.book.grammar.dispatch import BEGINNINGS
from rulewright.book.text.keywords import KINDS
from rulewright.compiler import check, compile_tests
from rulewright.testing import parse_example, run_examples

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "cookbook.md").read_text(encoding="utf-8")
REFERENCE = (DOCS / "language.md").read_text(encoding="utf-8")
NO_RECIPE = {"Note", "Phrase"}
"""Kinds that are remarks, or only make sense in a framework."""
OF_FRAMEWORKS = {"as", "settle", "forget", "expire", "undo", "none", "free"}
"""Statements that only frameworks need."""


def recipes(page: str) -> list[tuple[str, str]]:
    """Each book with the heading it stands under."""
    found: list[tuple[str, str]] = []
    title, book = "", list[str]()
    inside = False
    for line in page.splitlines(keepends=True):
        if line.startswith("````"):
            inside = line.startswith("````book")
            if not inside:
                found.append((title, "".join(book)))
                book.clear()
        elif inside:
            book.append(line)
        elif line.startswith("##"):
            title = line.lstrip("#").strip()
    return found


BOOKS = recipes(PAGE)
RULES = "\n".join(
    block
    for _, text in BOOKS
    for block in re.findall(r"^```(?:rules|example|map)\n(.*?)^```", text, re.S | re.M)
)


@pytest.mark.parametrize(("title", "text"), BOOKS, ids=[title for title, _ in BOOKS])
def test_the_recipe_works(title: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.md"
    path.write_text(text if text.startswith("---") else f"---\ntitle: {title}\n---\n{text}", encoding="utf-8")
    assert [str(d) for d in check(path).diagnostics] == []
    tests = compile_tests(path)
    worked = [parse_example(e.file, e.line, e.lines) for e in tests.examples]
    assert worked, "a recipe shows what it does"
    results = run_examples(tests.program, worked, "both", tests.problems)
    assert [str(failure) for result in results for failure in result.failures] == []


def test_there_are_recipes() -> None:
    assert len(BOOKS) == PAGE.count("\n````book\n") >= 25


def test_every_kind_has_a_recipe_and_a_row() -> None:
    shown = set(re.findall(r"\(([A-Z][a-z]+)\)", "".join(text for _, text in BOOKS)))
    assert sorted(KINDS - NO_RECIPE - shown) == []
    rows = {kind for row in re.findall(r"^\| ([A-Z][^|]*) \|", REFERENCE, re.M) for kind in row.split(", ")}
    assert sorted(KINDS - {"Note"} - rows) == []


def test_every_statement_has_a_recipe_and_is_named() -> None:
    begun = set(re.findall(r"(?:^|[:,;]|  )\s*([a-z]+)\b", RULES, re.M))
    assert sorted(set(BEGINNINGS) - OF_FRAMEWORKS - begun) == []
    assert sorted(w for w in set(BEGINNINGS) - OF_FRAMEWORKS if not re.search(rf"\b{w}\b", REFERENCE)) == []


def test_control_a_recipe_under_a_smaller_heading_is_found() -> None:
    page = "## A\n````book\none\n````\n### B\ntext\n````book\n## no heading\n````\n"
    assert recipes(page) == [("A", "one\n"), ("B", "## no heading\n")]
