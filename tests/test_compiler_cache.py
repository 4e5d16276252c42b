"""A book that was compiled before is not compiled again, unless any file it is made of has changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulewright.cli.app import app
from rulewright.cli.volumes import make_library
from rulewright.compiler import compile_book
from rulewright.kept import is_kept

BOOK = Path(__file__).parent / "serve" / "books" / "coin.md"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book with a part in a folder below it."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "book"
    (folder / "below").mkdir(parents=True)
    text = BOOK.read_text("utf-8")
    assert text.startswith("---\n")
    (folder / "book.md").write_text(text.replace("---\n", "---\nparts: [below/part.md]\n", 1), "utf-8")
    (folder / "below" / "part.md").write_text(PART.format(7), "utf-8")
    return folder / "book.md"


PART = """# More

```rules
Fortune{} (Resource)
```
"""


def test_a_part_in_a_folder_below_counts(book: Path) -> None:
    first = compile_book(book)
    assert is_kept(book)
    assert compile_book(book).digest == first.digest
    (book.parent / "below" / "part.md").write_text(PART.format(8), "utf-8")
    assert not is_kept(book)
    assert compile_book(book).digest != first.digest


def test_a_server_sees_it_too(book: Path) -> None:
    library = make_library({"book": book})
    library.open("book")
    before = library.stamp("book")
    assert library.stamp("book") == before
    (book.parent / "below" / "part.md").write_text(PART.format(8) + "\n", "utf-8")
    assert library.stamp("book") != before


def report(book: Path) -> str:
    return CliRunner().invoke(app, ["check", str(book)]).output


def refuse(*_: object) -> None:
    raise AssertionError("it was read again")


def test_what_check_says_is_kept_until_a_part_changes(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (book.parent / "below" / "part.md").write_text(PART.format(7) + MISTAKE, "utf-8")
    first = report(book)
    assert "no resource is called 'Gold'" in first
    with monkeypatch.context() as changed:
        changed.setattr("rulewright.compiler.check", refuse)
        assert report(book) == first
        (book.parent / "below" / "part.md").write_text(PART.format(7), "utf-8")
        assert "no resource" not in report(book)  # refused, not told from memory
    assert "no mistakes found" in report(book)


MISTAKE = """
```rules
Fall (Effect)
do: [Gold] += 1
```
"""


def test_a_book_that_was_kept_needs_no_compiler(book: Path) -> None:
    code = (
        "import sys, rulewright\n"
        f"rulewright.load({str(book)!r})\n"
        "print('rulewright.compiler' in sys.modules, 'rulewright.book.declare' in sys.modules)"
    )
    said = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said == ["True True\n", "False False\n"]
