"""The whole pipeline on one screen.

In:  the path of a book.
Out: its Program, or a BookError with every diagnostic.

    text -> definitions (book.text) -> names and types (book.declare) -> bodies (book.bodies)
         -> functions (lower) -> Program (ir.link)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.book.blocks.campaign import bind, finish, translate
from rulewright.book.blocks.state import Blocks
from rulewright.book.bodies.again import Again, Read, as_cut, same, take_up
from rulewright.book.bodies.definitions import read_bodies
from rulewright.book.declare.declaring import Declaring
from rulewright.book.declare.definitions import declare
from rulewright.book.examples import ExampleCode, example_code
from rulewright.book.forest import Forest
from rulewright.book.review.book import review
from rulewright.book.review.sizes import too_many
from rulewright.book.symbols import Symbols
from rulewright.book.text.files import read_source
from rulewright.book.text.front import front_matter
from rulewright.book.text.source import Example, Source
from rulewright.diagnostics import BookError, Diagnostic, Span, guessing, in_order
from rulewright.kept import keep_program, kept_program, uncollected
from rulewright.shelf import shelf

if TYPE_CHECKING:
    from rulewright.ir.program import Program

__all__ = [
    "Again", "Checked", "CompiledExamples", "book_texts", "check", "compile_book", "compile_checked",
    "compile_tests", "find_book",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checked:
    """A book that was read: what it declares, what is wrong with it, its examples and texts."""

    symbols: Symbols
    diagnostics: tuple[Diagnostic, ...]
    examples: tuple[Example, ...]
    texts: dict[str, str]
    name: str
    looked: Mapping[Path, str]
    """Every file that was looked for, and the hash of what it held."""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Diagnostics that keep it from running."""
        return tuple(d for d in self.diagnostics if d.severity == "error")


def find_book(name: str) -> Path | None:
    """A shelf book by name; for the empty name the one that says `base: true`."""
    for entry in shelf():
        if entry.name == name:
            return entry.path
        if not name and front_matter(entry.path.read_text("utf-8", "replace"), entry.name, [])[0].get("base"):
            return entry.path
    return None


def book_texts(path: Path) -> dict[str, str]:
    """The text of every file of a book, by the name that sites and diagnostics give it."""
    return read_source(path, find_book).texts


def _too_deep(path: Path) -> Diagnostic:
    """What is said of definitions that lie in each other deeper than any compiler can follow."""
    words = "definitions use each other in a chain that is too long to follow"
    return Diagnostic("too-large", Span(path.name, 1, 1), words, "let some of them do more by themselves")


def _followable(checking: Callable[..., Checked]) -> Callable[..., Checked]:
    """A chain without end of what needs what is a mistake of the book, not of the compiler."""

    @functools.wraps(checking)
    def wrapped(
        path: str | Path,
        further: str | Path | None = None,
        again: Again | None = None,
        unsaved: Mapping[Path, str] | None = None,
    ) -> Checked:
        path = Path(path)
        try:
            return checking(path, None if further is None else Path(further), again, unsaved)
        except RecursionError:
            source = read_source(path, find_book, unsaved)
            return Checked(Symbols(), (_too_deep(path),), (), source.texts, path.stem, source.looked)

    return wrapped


@_followable
@guessing()
@uncollected()
def check(
    path: Path,
    further: Path | None = None,
    again: Again | None = None,
    unsaved: Mapping[Path, str] | None = None,
) -> Checked:
    """Read and check a book; never raises for what an author wrote.

    A further file adds its examples, and whatever its own `rules` and `map` blocks define for them. Who
    checks a book over and over while it is edited gives the same `again` each time: then only definitions
    that have changed are read. An editor gives the texts it has not saved (`unsaved`), by their files.
    """
    source = read_source(path, find_book, unsaved)
    if further is not None:
        more = read_source(further)  # it belongs to this book, and brings no other along
        if more.examples or more.unread:  # what defines something for no example was given by mistake
            source.definitions += more.definitions
            source.maps += more.maps
            source.examples += more.examples
            source.diagnostics += more.diagnostics
            source.texts.update(more.texts)
            source.unread = source.unread or more.unread
    large = too_many(source)
    if large is not None:
        source.diagnostics.append(large)
    if source.unread or large is not None:
        problems = in_order(source.diagnostics)
        return Checked(Symbols(), problems, (), source.texts, path.stem, source.looked)
    symbols, forest = _read(source) if again is None else _read_again(source, again)
    review(source, symbols, forest)
    found = dict.fromkeys(source.diagnostics)
    # What only follows from an unbalanced sign on the same line is not a second mistake.
    broken = {(d.span.file, d.span.line) for d in found if d.code == "unbalanced"}
    single = [d for d in found if d.code == "unbalanced" or (d.span.file, d.span.line) not in broken]
    lost = tuple(f"{words} '{title}'" for title in source.lost for words in ("is called", "has the glyph"))
    single = [d for d in single if d.code != "unknown-name" or not d.message.endswith(lost)]
    ordered = sorted(single, key=lambda d: (d.span.file, d.span.line, d.span.column))
    examples, looked = tuple(source.examples), source.looked
    return Checked(symbols, tuple(ordered), examples, source.texts, path.stem, looked)


def _read(source: Source, again: Again | None = None, before: Forest | None = None) -> tuple[Symbols, Forest]:
    """All that a book declares and says; what is wrong with it is added to the Source."""
    blocks = Blocks(source)
    translate(blocks)
    declaring = Declaring(source)
    symbols = declare(declaring)
    if source.bases:
        bind(blocks, symbols)
    bodies = again.read_bodies(declaring) if again is not None else read_bodies(declaring)
    if source.bases:
        finish(blocks, bodies)
    return bodies.symbols, Forest(bodies.symbols, before)


def _read_again(source: Source, again: Again) -> tuple[Symbols, Forest]:
    """The same, and nothing is read where only prose or examples are others than the last time."""
    last, again.last = again.last, None
    if last is None or not same(last, source):
        cut, problems = as_cut(source), len(source.diagnostics)
        symbols, forest = _read(source, again, last.forest if last is not None else None)
        last = Read(cut, copy(source), symbols, tuple(source.diagnostics[problems:]), forest)
    else:
        again.read = []
        take_up(last, source)
    again.last = last
    return last.symbols, last.forest


@uncollected()
def compile_book(path: str | Path) -> Program:
    """The Program of a book. Raises BookError when it has errors.

    A book that has not changed since it was last compiled on this machine comes from the cache.
    """
    path = Path(path)
    found = kept_program(path)
    if found is None:
        checked = check(path)
        found = compile_checked(checked)
        keep_program(path, checked.looked, found)
    return found


@uncollected()
def compile_checked(checked: Checked) -> Program:
    """The Program of a book that was read already. Raises BookError when it has errors."""
    if checked.errors:
        raise BookError(checked.diagnostics, checked.texts)
    from rulewright.lower.program import lower  # only here: `check` is quick without it

    try:
        return lower(checked.name, checked.symbols, [])
    except RecursionError:
        raise BookError([_too_deep(Path(next(iter(checked.texts), "")))], checked.texts) from None


@dataclass(frozen=True, slots=True)
class CompiledExamples:
    """A Program that can also run worked examples: number k (counted from 1) runs when the slot
    `program.sheet.result["example"]` holds k at the start of the match."""

    program: Program
    examples: tuple[Example, ...]
    problems: tuple[tuple[Diagnostic, ...], ...]
    """For each example what is wrong with its statements. One with problems has no code."""
    texts: dict[str, str]


@uncollected()
def compile_tests(path: str | Path, further: str | Path | None = None) -> CompiledExamples:
    """The examples of a book (and those of a further file) with a Program for them.

    Raises BookError when the book itself has errors; a broken example only fails by itself.
    """
    from rulewright.lower.program import lower

    checked = check(path, further)
    if any(error.code != "bad-example" for error in checked.errors):
        raise BookError(checked.diagnostics, checked.texts)
    codes = [example_code(example, checked.symbols) for example in checked.examples]
    problems = tuple(tuple(code.problems) for code in codes)
    sound = [code if not code.problems else ExampleCode(code.definition) for code in codes]
    program = lower(checked.name, checked.symbols, [], tuple(sound))
    return CompiledExamples(program, checked.examples, problems, checked.texts)
