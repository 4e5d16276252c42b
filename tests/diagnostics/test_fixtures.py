"""A file or more for each code (`code--what.md`): small wrong books, and exactly what is said about each.

`RULEWRIGHT_UPDATE=1 pytest tests/diagnostics` rewrites the expectations; read the diff.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rulewright.compiler import check
from rulewright.diagnostics import CODES

HERE = Path(__file__).parent
FIXTURES = sorted(HERE.glob("*.md"))
BOOK = re.compile(r"^````book\n(.*?)^````$", re.S | re.M)
EXPECT = re.compile(r"^```expect\n(.*?)^```$", re.S | re.M)


def said(text: str, folder: Path) -> str:
    """`line:column code  sentence` for each diagnostic; lines count within the book."""
    path = folder / "book.md"
    path.write_text(text)
    lines = [
        f"{d.span.line}:{d.span.column} {d.code}  {d.message}" + (f" ({d.help})" if d.help else "")
        for d in check(path).diagnostics
    ]
    return "".join(line + "\n" for line in lines)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.stem)
def test_diagnostics_are_as_expected(path: Path, tmp_path: Path) -> None:
    text = path.read_text()
    books = BOOK.findall(text)
    assert books, "a fixture has a ````book fence"
    found = [said(book, tmp_path) for book in books]
    if os.environ.get("RULEWRIGHT_UPDATE"):
        answers = iter(found)
        path.write_text(EXPECT.sub(lambda _: f"```expect\n{next(answers)}```", text))
        return
    assert found == EXPECT.findall(text), "an ```expect fence for each book says what is reported"
    code = path.stem.split("--")[0]
    for one in found:
        assert f" {code} " in one, "the fixture shows its own code"


def test_every_code_has_a_fixture() -> None:
    assert {p.stem.split("--")[0] for p in FIXTURES} == set(CODES)


def test_a_moved_mistake_is_noticed(tmp_path: Path) -> None:
    """Control: the same book one line further down is not as expected."""
    text = (HERE / "unknown-name.md").read_text()
    book, wanted = BOOK.search(text), EXPECT.search(text)
    assert book is not None
    assert wanted is not None
    assert said("\n" + book.group(1), tmp_path) != wanted.group(1)
