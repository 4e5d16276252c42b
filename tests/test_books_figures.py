"""No figure stands loose in the prose of a shipped book.

Every figure of a sentence is read from a definition (`{[Hand Size]}`), or a line of the rules holds it
(tests/figures.py says how, and books_figures.txt records which, so that neither side changes alone), or a row
of books_figures.toml does, or a test of test_books_numbers.py, or that file says why nothing need hold it.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

from figures import chapters, loose, stand

BOOKS = Path(__file__).parent.parent / "books"
RECORD = Path(__file__).parent / "books_figures.txt"
NOT_CHAPTERS = {"examples", "cases", "edges", "bots", "laws"}
"""Pages of worked examples, of bots (their figures are measured) and of laws."""

TOLD = tomllib.loads((Path(__file__).parent / "books_figures.toml").read_text(encoding="utf-8"))
ROWS = [(row["book"], row["said"], row["done"]) for row in TOLD["row"]]
"""A sentence, and the rule that has its figures: what the groups of both find must be the same."""
SHIPPED = sorted(folder.name for folder in BOOKS.iterdir() if folder.is_dir())


def pages(book: str) -> dict[str, str]:
    return {
        p.name: p.read_text(encoding="utf-8")
        for p in sorted((BOOKS / book).glob("*.md"))
        if p.stem not in NOT_CHAPTERS
    }


def sentences_of(texts: dict[str, str]) -> list[str]:
    return [sentence for text in texts.values() for chapter in chapters(text) for _, sentence in chapter.said]


@pytest.mark.parametrize("book", SHIPPED)
def test_no_figure_stands_loose(book: str) -> None:
    texts = pages(book)
    known = [re.compile(said) for name, said, _ in ROWS if name == book]
    told = [words for part in TOLD["loose"] if part["book"] == book for words in part["words"]]
    left = [x for x in loose(texts) if not any(k.search(x.sentence) for k in known)]
    assert not [
        f"{x.file}:{x.line}: {x.number} in: {x.sentence}"
        for x in left
        if not any(w in x.sentence for w in told)
    ]
    idle = [w for w in told if not any(w in x.sentence for x in left)]
    assert not idle, "nothing is loose there any more: take these from the list"


@pytest.mark.parametrize(("book", "said", "done"), ROWS)
def test_a_sentence_says_what_its_rule_does(book: str, said: str, done: str) -> None:
    """The row of a sentence: the same figures on both sides, wherever either stands."""
    texts = pages(book)
    told = {found.groups() for found in re.finditer(said, "\n".join(sentences_of(texts)))}
    played = {found.groups() for found in re.finditer(done, "\n".join(texts.values()))}
    assert told, said
    assert told == played, (said, done)


def held(book: str) -> list[str]:
    """A line for each sentence: its words, and each figure with the definitions that hold it."""
    found: dict[tuple[str, str], list[str]] = {}
    for figure, by in stand(pages(book)):
        if by:
            words = " ".join(re.sub(r"\{\[.*?\]\}|[|*_`]", "", figure.sentence).split())[:70].strip()
            found.setdefault((figure.file, words), []).append(f"{figure.number} {', '.join(by)}")
    return [f"{book}/{file} | {words} | {'; '.join(parts)}" for (file, words), parts in found.items()]


def test_figures_and_rules_change_together() -> None:
    """Whoever tunes a number on one side alone finds the sentence and the rules that held it."""
    now = [line for book in SHIPPED for line in held(book)]
    if os.environ.get("RULEWRIGHT_UPDATE"):
        RECORD.write_text("\n".join(now) + "\n", encoding="utf-8")
    before = RECORD.read_text(encoding="utf-8").splitlines()
    changed = [f"- {line}" for line in before if line not in set(now)] + [
        f"+ {line}" for line in now if line not in set(before)
    ]
    assert not changed, (
        "read these sentences beside their rules; then RULEWRIGHT_UPDATE=1 writes the record anew"
    )


TUNED = [
    ("vigil", "foes.md", "[Charge Lost] >= 15", "[Charge Lost] >= 24"),
    ("vigil", "heroes.md", "she regains 3 AP", "she regains 4 AP"),
    ("p52", "items.md", "10 or more opens it", "11 or more opens it"),
    ("penance-1", "penance-1.md", "+2 for a critical", "+5 for a critical"),
    ("penance-2", "penance-2.md", "*Minor Overload*: gain 1 Heat", "*Minor Overload*: gain 8 Heat"),
    ("raven-road", "raven-road.md", "within 3 spaces 1d6 + Wisdom", "within 4 spaces 1d6 + Wisdom"),
]


@pytest.mark.parametrize(("book", "file", "is_so", "tuned"), TUNED)
def test_a_figure_that_is_tuned_alone_is_found(
    monkeypatch: pytest.MonkeyPatch, book: str, file: str, is_so: str, tuned: str
) -> None:
    """The control: one side is changed, the other is not."""
    texts = pages(book)
    assert is_so in texts[file]
    before = held(book)
    monkeypatch.setattr(
        sys.modules[__name__], "pages", lambda _: texts | {file: texts[file].replace(is_so, tuned)}
    )
    assert held(book) != before
