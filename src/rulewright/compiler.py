"""The whole pipeline on one screen.

In:  the path of a book.
Out: its Program, or a BookError with every diagnostic.

    text -> definitions (book.source) -> names and types (book.declare) -> bodies (book.bodies)
         -> functions (lower) -> Program (ir.link)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulewright.book.bodies import Bodies
from rulewright.book.declare import HEADERS, KEYS, Declarer
from rulewright.book.parser import Scope
from rulewright.book.source import Example, Line, read_source
from rulewright.book.statements import Statements
from rulewright.book.symbols import Symbols
from rulewright.book.tokens import tokenize
from rulewright.book.tree import Block_
from rulewright.diagnostics import BookError, Diagnostic
from rulewright.ir.program import Program
from rulewright.lower.program import lower


@dataclass(frozen=True, slots=True)
class Checked:
    """A book that was read: what it declares, what is wrong with it, its examples and texts."""

    symbols: Symbols
    diagnostics: tuple[Diagnostic, ...]
    examples: tuple[Example, ...]
    texts: dict[str, str]
    name: str

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Diagnostics that keep it from running."""
        return tuple(d for d in self.diagnostics if d.severity == "error")


def check(path: Path) -> Checked:
    """Read and check a book; never raises for what an author wrote."""
    source = read_source(path, KEYS, HEADERS)
    declarer = Declarer(source)
    symbols = declarer.run()
    Bodies(declarer).run()
    ordered = sorted(dict.fromkeys(source.diagnostics), key=lambda d: (d.span.file, d.span.line, d.span.column))
    return Checked(symbols, tuple(ordered), tuple(source.examples), source.texts, path.stem)


def compile_book(path: Path) -> Program:
    """The Program of a book. Raises BookError when it has errors."""
    checked = check(path)
    if checked.errors:
        raise BookError(checked.diagnostics)
    return lower(checked.name, checked.symbols, [])


def compile_tests(path: Path, further: Path | None = None) -> tuple[Program, tuple[Example, ...]]:
    """A Program that can also run the book's examples (and those of a further file), and the examples.

    Example k (counted from 1) runs when slot `sheet.result["example"]` holds k at the start.
    """
    checked = check(path)
    examples = checked.examples
    texts = dict(checked.texts)
    if further is not None:
        more = read_source(further, KEYS, HEADERS)
        examples = (*examples, *more.examples)
        texts.update(more.texts)
    problems = list(checked.diagnostics)
    blocks: list[Block_ | None] = []
    for example in examples:
        lines = [_after_word(line) for line in example.lines if line.text.split()[:1] == ["do"]]
        parser = Statements(tokenize(lines, problems), checked.symbols, Scope(), problems) if lines else None
        blocks.append(parser.body() if parser is not None else None)
    if any(d.severity == "error" for d in problems):
        raise BookError(tuple(problems))
    return lower(checked.name, checked.symbols, [], tuple(blocks)), tuple(examples)


def _after_word(line: Line) -> Line:
    """The line without its first word. All lines of an example's `do` are one block."""
    text = line.text.strip()
    rest = text.split(None, 1)[1] if " " in text else ""
    return Line(line.file, line.number, 8, rest)
