"""What a server does with books of strangers happens in a child, with limits of time and memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli import prepare, volumes
from rulewright.cli.prepare import Mistaken, TooMuch, edition
from rulewright.compiler import check
from rulewright.kept import is_kept

BOOK = Path(__file__).parents[1] / "serve" / "books" / "coin.md"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.md"
    path.write_text(BOOK.read_text("utf-8"), "utf-8")
    return path


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("this runs in the server itself")


def test_nothing_is_compiled_or_rendered_beside_the_tables(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.compiler.check", refuse)
    monkeypatch.setattr("rulewright.cli.pages.render", refuse)
    monkeypatch.setattr("rulewright.cli.editions.read_source", refuse)
    first = volumes.make_library({"book": book}).open("book")
    assert "Coin" in first.html
    assert is_kept(book)
    monkeypatch.setattr(prepare, "_in_child", refuse)
    assert volumes.make_library({"book": book}).open("book").edition == first.edition  # from the cache
    book.write_text(book.read_text("utf-8").replace("# ", "# A new ", 1), "utf-8")
    with pytest.raises(AssertionError):
        volumes.make_library({"book": book}).open("book")


def test_mistakes_are_found_in_the_child_too(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book.write_text(book.read_text("utf-8") + "\n```rules\nFall (Effect)\ndo: [Gold] += 1\n```\n", "utf-8")
    assert check(book).errors
    monkeypatch.setattr("rulewright.compiler.check", refuse)
    with pytest.raises(Mistaken, match=r"book\.md:\d+:\d+: error"):
        edition(book)


def test_a_cache_that_cannot_be_written_is_no_hindrance(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", os.devnull)
    assert "Coin" in edition(book).html


def test_time_has_an_end(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "PATIENCE", 0.05)
    with pytest.raises(TooMuch, match="seconds"):
        edition(book)


@pytest.mark.skipif(os.name == "nt", reason="there are no such limits")
@pytest.mark.parametrize(("limit", "value"), [("MEMORY", 300 * 2**20), ("PATIENCE", 1)])
def test_memory_and_processor_time_have_an_end(
    book: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    """As set in the child: one that wants more of either than it may have is given up."""
    work = "bytearray(2**29)" if limit == "MEMORY" else "sum(range(10**12))"
    code = f"import rulewright.cli.prepare as p; p.{limit} = {value}; import rulewright.compiler as c\n"
    code += f"c.compile_book = lambda path: {work}\np.main()"
    real: Any = prepare.subprocess.Popen

    def other(command: list[str], **pipes: Any) -> Any:
        return real([*command[:2], code, *command[3:]], **pipes)

    monkeypatch.setattr(prepare.subprocess, "Popen", other)
    with pytest.raises(TooMuch, match="too much time or memory"):
        edition(book)


def test_a_file_that_became_a_pipe_is_not_waited_for(book: Path) -> None:
    edition(book)
    book.unlink()
    os.mkfifo(book)
    assert not is_kept(book)
