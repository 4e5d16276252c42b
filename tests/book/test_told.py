"""Numbers that prose reads from definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.text.told import filled, gaps
from rulewright.cli.pages import render
from rulewright.compiler import book_texts, check, compile_book
from rulewright.shelf import shelf

BOOK = """---
title: T
seats: 1
---
# T

You hold {[Hand Size]} cards, and Heat ends at {[Most Heat]}; a `{[Hand Size]}` in code is code.
A Club weighs {[Weight of Club]}, twice the Price of {[Price]}. Ada begins with {[Wits of Ada]} Wits.
PROSE

```rules
Hero (Template) seat: any; Wits: 3
Ada (Actor) is: Hero
Wits (Resource)
Luck (Resource) starts: 1 + [Wits]
Hand Size (Resource) starts: 6
Heat (Resource) range: 0 to 12
Price (Value) 2
Done (Ending)
Match (Sequence)
1. Play    say "{[Hand Size of Ada]}"
           end the match with Done, a draw
```

**Tool (List)**

| Tool | Weight |
|------|--------|
| Club | 4      |
"""


def written(folder: Path, prose: str = "") -> Path:
    path = folder / "book.md"
    path.write_text(BOOK.replace("PROSE", prose))
    return path


def test_prose_tells_what_the_definitions_say(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert not check(path).errors
    shown = render(filled(book_texts(path), compile_book(path).sheet.told))
    assert "You hold 6 cards, and Heat ends at 12" in shown
    assert "A Club weighs 4, twice the Price of 2. Ada begins with 3 Wits." in shown
    assert "<code>{[Hand Size]}</code>" in shown


def test_a_tuned_number_changes_the_sentence(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text().replace("starts: 6", "starts: 7"))
    assert compile_book(path).sheet.told["Hand Size"] == 7


@pytest.mark.parametrize(
    ("prose", "code", "words"),
    [
        ("{[Hand Sise]}", "unknown-name", "did you mean 'Hand Size'"),
        ("{[Weight of Clubb]}", "unknown-name", "no number is called"),
        ("{[Luck]}", "type-mismatch", "not one number"),
    ],
)
def test_a_gap_without_a_number_is_reported_at_its_place(
    tmp_path: Path, prose: str, code: str, words: str
) -> None:
    found = [d for d in check(written(tmp_path, f"So {prose}.")).diagnostics if d.severity == "error"]
    assert [(d.code, d.span.line, d.span.column) for d in found] == [(code, 9, 6)]
    assert words in found[0].message + (found[0].help or "")


def test_fences_and_backticks_are_left_alone() -> None:
    text = "a {[X]} `{[X]}`\n```rules\n{[X]}\n```\n~~~\n{[X]}\n~~~\n{[Y]}"
    assert list(gaps(text)) == [(1, 5, "X"), (8, 3, "Y")]
    assert filled({"f": text}, {"X": 1})["f"] == text.replace("a {[X]}", "a 1")


def test_shipped_books_read_some_of_their_numbers() -> None:
    told = {entry.name: compile_book(entry.path).sheet.told for entry in shelf()}
    assert told["penance-1"]["Hand Size"] == 6
