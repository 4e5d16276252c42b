"""Every message points at words of its own: what it speaks of stands there, and is not cut in two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.compiler import check
from rulewright.diagnostics import Span

HERE = Path(__file__).parent
FIXTURES = sorted((*HERE.glob("*.md"), *(HERE.parent / "campaign" / "mistakes").glob("*.md")))
BOOK = re.compile(r"^````book\n(.*?)^````$", re.S | re.M)
WHOLE = Span("book.md", 1, 1)
"""What is wrong with a whole file."""


def astray(span: Span, text: str) -> str:
    """What is wrong with a place in a text; nothing, if words stand there and end there."""
    if span == WHOLE:
        return ""
    lines = text.split("\n")
    if not 0 < span.line <= len(lines):
        return "there is no such line"
    line, start = lines[span.line - 1], span.column - 1
    end = start + span.length
    if not line[start:end].strip():
        return f"nothing stands there in {line!r}"
    if end > len(line):
        return f"the line ends before it: {line!r}"
    if line[start].isspace():
        return f"it begins with a space: {line[start:end]!r}"
    if start and line[start - 1].isalnum() and line[start].isalnum():
        return f"it begins within a word: {line[start - 1 : end]!r}"
    return ""


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_what_a_message_points_at_stands_there(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    wrong: list[str] = []
    for book in BOOK.findall(path.read_text()):
        file.write_text(book)
        for found in check(file).diagnostics:
            problem = astray(found.span, book) if found.span.file == file.name else ""
            wrong += [f"{found}: {problem}"] if problem else []
    assert wrong == []


@pytest.mark.parametrize(
    ("column", "length", "wrong"),
    [
        (4, 1, ""),
        (4, 5, ""),
        (1, 1, "nothing stands"),
        (4, 99, "ends before"),
        (6, 2, "within a word"),
        (3, 3, "begins with a space"),
    ],
)
def test_control_a_place_between_words_is_noticed(column: int, length: int, wrong: str) -> None:
    found = astray(Span("book.md", 2, column, length), "first\n   let [N] = 1\n")
    assert (wrong in found) if wrong else not found
