"""A book whose rules are what they were: only its prose or its worked examples changed, no line moved.

In:  the Source of a book, just cut; what was made of it the time before.
Out: that Source as it was when its bodies had been read, with the texts and examples of now.

Most of what a designer types into a book is neither a name nor a rule. Then nothing is declared and no body
is read another time; what looks at the book as a whole (`book.review`) looks at it again.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

from rulewright.book.forest import Forest
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Definition, FieldText, Source
from rulewright.diagnostics import Diagnostic

NOW = ("texts", "examples", "diagnostics", "looked", "unsaved")
"""What of a Source says nothing to those who declare and read bodies."""


@dataclass(frozen=True, slots=True)
class Read:
    """A book that was read: as it was cut, as it was then, and what was found wrong in between."""

    cut: Source
    source: Source
    symbols: Symbols
    problems: tuple[Diagnostic, ...]
    forest: Forest


def as_cut(source: Source) -> Source:
    """What later stages do not change: they add to the lists and fields of what they are given."""
    kept = copy(source)
    kept.front, kept.own_front, kept.roles = dict(source.front), dict(source.own_front), dict(source.roles)
    kept.bases, kept.lost, kept.kinds = set(source.bases), set(source.lost), dict(source.kinds)
    kept.texts, kept.diagnostics = dict.fromkeys(source.texts, ""), list(source.diagnostics)
    kept.definitions, kept.maps = [*map(_copy, source.definitions)], [*map(_copy, source.maps)]
    return kept


def _copy(d: Definition) -> Definition:
    steps = [FieldText(f.key, list(f.lines), f.at) for f in d.steps]
    lists = {"columns": list(d.columns), "heads": list(d.heads), "rows": list(d.rows)}
    fields = [FieldText(f.key, list(f.lines), f.at) for f in d.fields]
    return replace(d, fields=fields, steps=steps, **lists)


def same(read: Read, source: Source) -> bool:
    """Whether all that is declared and read stands where it stood. Names of files count, texts do not."""
    parts = (name for name in Source.__slots__ if name not in NOW)
    return list(read.cut.texts) == list(source.texts) and all(
        getattr(read.cut, name) == getattr(source, name) for name in parts
    )


def take_up(read: Read, source: Source) -> None:
    """Let the Source be as it was when all had been read, but for what is written now."""
    for name in Source.__slots__:
        if name not in NOW:
            setattr(source, name, getattr(read.source, name))
    source.diagnostics += read.problems
