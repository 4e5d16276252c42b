"""What a book calls its things is no business of the compiler: no title stands as a string in it.

Titles that are words of the language (kinds, `Match`, `Turn`) may stand there, and nothing else: what the
language must know of a book it is told under `roles:`, or in the declaration of a kind of block.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from rulewright.book.declare.declaring import expand
from rulewright.book.symbols import norm
from rulewright.book.text.files import read_source
from rulewright.book.text.keywords import KINDS
from rulewright.compiler import find_book

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src" / "rulewright"
LANGUAGE = {
    *KINDS, "Match", "Turn", "Round", "Seat", "Self", "Adjacent", "Melee", "Close", "Asked",
    "Scene", "Phase", "Outcome", "Type", "Lead", "Most", "Hidden",
}  # fmt: skip
"""Words of the language that some book also uses for a title."""


@cache
def titles() -> frozenset[str]:
    found: set[str] = set()
    for folder in sorted((ROOT / "books").iterdir()):
        source = read_source(folder / f"{folder.name}.md", find_book)
        for d in (*source.definitions, *source.maps):
            found |= {norm(one.title) for one in (expand(d) if d.is_table else [d])}
    return frozenset(found)


def strings(text: str) -> set[str]:
    """The texts in a module that are no docstrings."""
    tree = ast.parse(text)
    said = {id(x.value) for x in ast.walk(tree) if isinstance(x, ast.Expr)}
    nodes = (x for x in ast.walk(tree) if isinstance(x, ast.Constant) and id(x) not in said)
    return {x.value.strip() for x in nodes if isinstance(x.value, str) and x.value[:1].isupper()}


def found(text: str) -> list[str]:
    known = {norm(word) for word in LANGUAGE}
    return sorted(x for x in strings(text) if norm(x) in titles() - known)


def test_no_title_of_a_book_stands_in_the_compiler() -> None:
    paths = sorted(p for part in ("book", "lower") for p in (SRC / part).rglob("*.py"))
    here = {p.relative_to(SRC).as_posix(): ", ".join(found(p.read_text("utf-8"))) for p in paths}
    assert {name: names for name, names in here.items() if names} == {}


def test_control_a_title_is_seen() -> None:
    assert found('"""Enlist"""\nx = tree.run("Enlist Cast", "Turn", "no title at all")') == ["Enlist Cast"]
