"""The shelf: shipped names, paths, and what it says when there is no such book."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from rulewright.shelf import Entry, ShelfError, find, shelf

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("duel", "chess-two"):
        (tmp_path / "books" / name).mkdir(parents=True)
        (tmp_path / "books" / name / f"{name}.md").write_text("# A game")
    (tmp_path / "books" / "notes").mkdir()  # a folder without its book
    (tmp_path / "books" / "README.md").write_text("")
    (tmp_path / "own.md").write_text("# Mine")
    (tmp_path / "own.txt").write_text("Mine")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "books"


def test_a_book_is_a_folder_with_its_markdown_file(books: Path) -> None:
    assert shelf(books) == [
        Entry("chess-two", books / "chess-two" / "chess-two.md"),
        Entry("duel", books / "duel" / "duel.md"),
    ]


def test_a_missing_shelf_is_empty(tmp_path: Path) -> None:
    assert shelf(tmp_path / "none") == []


def test_find_by_name_and_by_path(books: Path) -> None:
    assert find("duel", books) == books / "duel" / "duel.md"
    assert find("own.md", books) == Path("own.md")
    assert find(Path("own.md"), books) == Path("own.md")
    Path("duel").mkdir()
    assert find("duel", books) == books / "duel" / "duel.md"
    assert find("books/duel/", books) == Path("books/duel/duel.md")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dual", "no book is called 'dual'; did you mean 'duel'?"),
        ("backgammon", "no book is called 'backgammon'; the shelf holds: chess-two, duel"),
        ("gone.md", "there is no file 'gone.md'"),
        ("./duel", "there is no file './duel'"),
        ("own.txt", "'own.txt' is not a Markdown file; a book's name ends in .md"),
        ("books", "'books' is a folder without a books.md; name the Markdown file in it"),
        ("../notes", "there is no file '../notes'"),
    ],
)
def test_what_is_no_book(books: Path, text: str, message: str) -> None:
    with pytest.raises(ShelfError) as caught:
        find(text, books)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["", "a\0b", "x" * 5000, "\udc80"])
def test_nonsense_gives_a_clear_error(books: Path, text: str) -> None:
    with pytest.raises(ShelfError):
        find(text, books)


def test_the_shipped_books_are_those_of_the_repository() -> None:
    assert importlib.import_module("rulewright.shelf").books_folder() == ROOT / "books"
    folders = sorted(folder.name for folder in (ROOT / "books").glob("*/"))
    assert [entry.name for entry in shelf()] == folders
