"""The whole pipeline on one screen.

In:  the path of a book.
Out: its Program, or a BookError with every diagnostic.

    text -> definitions (book.text) -> names and types (book.declare) -> bodies (book.bodies)
         -> functions (lower) -> Program (ir.link)
"""

from __future__ import annotations

import functools
import gc
import hashlib
import json
import os
import pickle
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rulewright.book.blocks.campaign import bind, finish, translate
from rulewright.book.blocks.kinds import make_blocks
from rulewright.book.blocks.state import Campaign
from rulewright.book.bodies.definitions import read_bodies
from rulewright.book.declare.declaring import Declaring
from rulewright.book.declare.definitions import declare
from rulewright.book.examples import ExampleCode, example_code
from rulewright.book.review.book import review
from rulewright.book.review.sizes import too_many
from rulewright.book.symbols import Symbols
from rulewright.book.text.files import read_source
from rulewright.book.text.folders import Refused, read_file
from rulewright.book.text.front import front_matter
from rulewright.book.text.keywords import HEADERS, KEYS
from rulewright.book.text.source import Example
from rulewright.diagnostics import BookError, Diagnostic, Span, guessing, in_order
from rulewright.ir import cache
from rulewright.ir.program import Program
from rulewright.shelf import shelf


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


@contextmanager
def _uncollected() -> Generator[None]:
    """Compiling makes hundreds of thousands of small things and drops few: looking among them for
    cycles again and again took a fifth of the time, and half of it when a kept Program is read."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


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
    return read_source(path, KEYS, HEADERS, find_book).texts


def _too_deep(path: Path) -> Diagnostic:
    """What is said of definitions that lie in each other deeper than any compiler can follow."""
    words = "definitions use each other in a chain that is too long to follow"
    return Diagnostic("too-large", Span(path.name, 1, 1), words, "let some of them do more by themselves")


def _followable(checking: Callable[..., Checked]) -> Callable[..., Checked]:
    """A chain without end of what needs what is a mistake of the book, not of the compiler."""

    @functools.wraps(checking)
    def wrapped(path: Path, further: Path | None = None) -> Checked:
        try:
            return checking(path, further)
        except RecursionError:
            source = read_source(path, KEYS, HEADERS, find_book)
            return Checked(Symbols(), (_too_deep(path),), (), source.texts, path.stem, source.looked)

    return wrapped


@_followable
@guessing()
@_uncollected()
def check(path: Path, further: Path | None = None) -> Checked:
    """Read and check a book; never raises for what an author wrote.

    A further file adds its examples, and whatever its own `rules` and `map` blocks define for them.
    """
    source = read_source(path, KEYS, HEADERS, find_book)
    if further is not None:
        more = read_source(further, KEYS, HEADERS)  # it belongs to this book, and brings no other along
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
    make_blocks(source)
    campaign = Campaign(source) if source.bases else None
    if campaign is not None:
        translate(campaign)
    declaring = Declaring(source)
    symbols = declare(declaring)
    if campaign is not None:
        bind(campaign, symbols)
    bodies = read_bodies(declaring)
    if campaign is not None:
        finish(campaign, bodies)
    review(source, symbols)
    found = dict.fromkeys(source.diagnostics)
    # What only follows from an unbalanced sign on the same line is not a second mistake.
    broken = {(d.span.file, d.span.line) for d in found if d.code == "unbalanced"}
    single = [d for d in found if d.code == "unbalanced" or (d.span.file, d.span.line) not in broken]
    lost = tuple(f"is called '{title}'" for title in source.lost)
    single = [d for d in single if d.code != "unknown-name" or not d.message.endswith(lost)]
    ordered = sorted(single, key=lambda d: (d.span.file, d.span.line, d.span.column))
    examples, looked = tuple(source.examples), source.looked
    return Checked(symbols, tuple(ordered), examples, source.texts, path.stem, looked)


@_uncollected()
def compile_book(path: Path) -> Program:
    """The Program of a book. Raises BookError when it has errors.

    A book that has not changed since it was last compiled on this machine comes from the cache.
    """
    key = key_of(path)
    kept = unchanged(cache.fetch("program", key))
    if kept is not None:
        with suppress(Exception):  # whatever cannot be read is compiled again
            found = pickle.loads(kept)
            if isinstance(found, Program):
                return found
    checked = check(path)
    program = compile_checked(checked)
    cache.keep("program", key, manifest(checked.looked) + b"\n" + pickle.dumps(program, protocol=5))
    return program


def is_kept(path: Path) -> bool:
    """Whether `compile_book` will find the book in the cache, and so be quick."""
    return unchanged(cache.fetch("program", key_of(path))) is not None


def manifest(looked: Mapping[Path, str]) -> bytes:
    """The files that something was made of, as one line at the head of an entry of the cache."""
    return json.dumps([[str(file), digest] for file, digest in looked.items()]).encode()


def unchanged(entry: bytes | None) -> bytes | None:
    """What stands behind the manifest of an entry, if every file that was looked for is as it was then."""
    if entry is None:
        return None
    first, _, content = entry.partition(b"\n")
    try:
        same = all(_digest(Path(file)) == digest for file, digest in json.loads(first))
    except (ValueError, TypeError):
        return None
    return content if same else None


def _digest(file: Path) -> str:
    """What a file holds; nothing where there is none, or something that could be waited for without end."""
    try:
        return hashlib.sha256(read_file(file, file.name)).hexdigest()
    except Refused:
        return ""


def key_of(path: Path) -> str:
    """What a Program depends on besides the files that are read: which book, the shelf, this compiler."""
    made = hashlib.sha256(_compiler_text())
    for part in (path.absolute(), path.resolve(), *(entry.path for entry in shelf())):
        made.update(os.fsencode(part) + b"\0")
    return made.hexdigest()


@functools.cache
def _compiler_text() -> bytes:
    """The compiler's own source: a change of it makes every kept Program old."""
    root = Path(__file__).parent
    files = sorted(f for part in ("book", "lower", "ir") for f in (root / part).rglob("*.py"))
    return b"".join(f.read_bytes() for f in [*files, Path(__file__)])


@_uncollected()
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


@_uncollected()
def compile_tests(path: Path, further: Path | None = None) -> CompiledExamples:
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
