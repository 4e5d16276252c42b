"""One file a code: a small wrong book, and exactly what is said about it.

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
    book = BOOK.search(text)
    assert book is not None, "a fixture has a ````book fence"
    found = said(book.group(1), tmp_path)
    if os.environ.get("RULEWRIGHT_UPDATE"):
        path.write_text(EXPECT.sub(lambda _: f"```expect\n{found}```", text))
        return
    wanted = EXPECT.search(text)
    assert wanted is not None, "a fixture has an ```expect fence"
    assert found == wanted.group(1)
    assert any(f" {path.stem} " in line for line in found.splitlines()), "the fixture shows its own code"


def test_every_code_has_a_fixture() -> None:
    assert {p.stem for p in FIXTURES} == set(CODES)


def test_a_moved_mistake_is_noticed(tmp_path: Path) -> None:
    """Control: the same book one line further down is not as expected."""
    text = (HERE / "unknown-name.md").read_text()
    book, wanted = BOOK.search(text), EXPECT.search(text)
    assert book is not None
    assert wanted is not None
    assert said("\n" + book.group(1), tmp_path) != wanted.group(1)
