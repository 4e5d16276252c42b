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
from rulewright.book.source import Example, read_source
from rulewright.book.symbols import Symbols
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
