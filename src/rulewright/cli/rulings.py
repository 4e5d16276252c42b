"""The command `rulings`: what a book decided where its source is silent, unclear, or was changed on purpose.

In:  the texts of a book.
Out: Rulings with their rules, listed; exit code 1 if one names no rule, or a rule that the book has not.

A ruling is a paragraph of a block quote that opens with `**Ruling** RULES: words`, or with
`**Ruling (changed)**` where the source is clear and the book departs from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import typer
from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.padding import Padding

from rulewright.book.text.files import read_source
from rulewright.book.text.front import as_list, front_matter
from rulewright.cli.books import BookName
from rulewright.cli.console import console
from rulewright.compiler import find_book
from rulewright.shelf import find
from rulewright.testing.coverage import cited_in

OPENING = re.compile(r"\*\*Ruling(?P<changed> \(changed\))?\*\*\s+(?P<rules>[^:]*):\s*(?P<words>.*)", re.S)
MARK = "**Ruling"


@dataclass(frozen=True, slots=True)
class Ruling:
    """One decision of the book: where it stands, which rules it is about, what it says."""

    file: str
    line: int
    section: str
    rules: tuple[str, ...]
    """Rule numbers, written out, and titles of definitions."""
    named: str
    """The rules as the book writes them."""
    words: str
    changed: bool


def show_rulings(book: BookName) -> None:
    """List the rulings of a book with their rules: the questions its designer should answer first.

    A ruling stands in the book beside its rule, in a block quote that opens with **Ruling** and the numbers
    of the rules (or the titles of definitions), then a colon and what was decided. **Ruling (changed)** says
    that the source is clear and the book departs from it.

    Example: `rulewright rulings mygame.md`
    """
    path = find(book)
    source = read_source(path, find_book)
    parts = as_list(source.own_front.get("parts"))
    own = {path.name, *parts, *source.trials}  # what the books it uses decided is theirs
    texts = {file: text for file, text in source.texts.items() if file in own}
    found = [ruling for file, text in texts.items() for ruling in rulings_in(file, text)]
    out = console()
    for ruling in found:
        changed = "  (changed)" if ruling.changed else ""
        out.print(f"{ruling.file}:{ruling.line}  {ruling.section}{changed}", style="dim")
        out.print(ruling.named, style="bold")
        out.print(Padding(ruling.words, (0, 0, 1, 4)))
    wrong = problems(found, source.texts, {definition.title for definition in source.definitions})
    for line in wrong:
        out.print(line, style="red", soft_wrap=True)
    rules = {rule for ruling in found for rule in ruling.rules}
    changed = sum(ruling.changed for ruling in found)
    out.print(
        f"{path.name}: {len(found)} rulings on {len(rules)} rules, {changed} of them changes of the source"
    )
    if wrong:
        raise typer.Exit(1)


def rulings_in(file: str, text: str) -> Iterator[Ruling]:
    """The rulings of one file, in reading order."""
    _, skipped = front_matter(text, file, [])
    tokens = MarkdownIt("commonmark").parse("\n" * skipped + "\n".join(text.split("\n")[skipped:]))
    section = ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            section = tokens[at + 1].content
        elif token.type == "blockquote_open" and token.level == 0:
            yield from _quoted(file, section, tokens[at + 1 :])


def _quoted(file: str, section: str, tokens: Sequence[Token]) -> Iterator[Ruling]:
    """The rulings of one block quote; paragraphs without an opening go on with the one above."""
    ruling: Ruling | None = None
    for token in tokens:
        if token.type == "blockquote_close" and token.level == 0:
            break
        if token.type != "inline":
            continue
        plain = " ".join(token.content.split())
        if plain.startswith(MARK):
            if ruling:
                yield ruling
            ruling = _opened(file, (token.map or [0])[0] + 1, section, plain)
        elif ruling:
            ruling = replace(ruling, words=f"{ruling.words}\n{plain}")
    if ruling:
        yield ruling


def _opened(file: str, line: int, section: str, plain: str) -> Ruling:
    opening = OPENING.match(plain)
    if not opening:
        return Ruling(file, line, section, (), "", plain.removeprefix(MARK).lstrip("* "), False)
    named = opening["rules"].strip()
    titles = [part.strip(" `") for part in named.split(",") if not cited_in(f"AA-AA-00 {part}")[1:]]
    rules = (*cited_in(named), *filter(None, titles))
    return Ruling(file, line, section, rules, named, opening["words"], bool(opening["changed"]))


def problems(rulings: Sequence[Ruling], texts: Mapping[str, str], titles: set[str]) -> list[str]:
    """What is wrong with how rulings name their rules."""
    known = set(titles)
    for text in texts.values():
        for line in text.splitlines():
            if not line.startswith(">"):
                known.update(cited_in(line))
    found: list[str] = []
    for ruling in rulings:
        where = f"{ruling.file}:{ruling.line}"
        if not ruling.rules:
            found.append(f"{where}: this ruling names no rule before its first colon")
        found += [
            f"{where}: nothing in the book is called or cites '{rule}'"
            for rule in ruling.rules
            if rule not in known
        ]
    return found
