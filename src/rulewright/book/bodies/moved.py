"""Definitions that say what they said, some lines further down or up.

In:  a definition as it was and as it is; a symbol with the trees that were read into it.
Out: by how many lines it moved; the same symbol, its trees where the text stands now.

Nodes are frozen for everybody else. Here alone one is changed, and only in where it is written, so that a
line that is put in above does not make half a file be read again.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, cast

from rulewright.book import tree as t
from rulewright.book.text.source import Definition, FieldText, Line, Row
from rulewright.book.text.tokens import Token
from rulewright.book.walk import FIELDS, NAMED

ELSEWHERE = (*NAMED, t.Rules)
"""What a tree refers to, and what is written in a place of its own."""
COUNTED = "line"
"""Every part of a tree that knows its line calls it so."""


def moved_by(old: Definition, new: Definition) -> int | None:
    """By how many lines it stands further down; None if it says something else."""
    by = new.line.number - old.line.number
    return by if _further(old, by) == new else None


def _further(part: Any, by: int) -> Any:
    """The same text so many lines further down."""
    match part:
        case Line():
            return replace(part, number=part.number + by)
        case Definition(lines=lines):
            return replace(part, **_parts(part, by) | {"lines": {n + by: said for n, said in lines.items()}})
        case FieldText() | Row():
            return replace(part, **_parts(part, by))
        case list():
            return [_further(one, by) for one in cast("list[object]", part)]
        case tuple():
            return tuple(_further(one, by) for one in cast("tuple[object, ...]", part))
        case _:
            return part


def _parts(part: Definition | FieldText | Row, by: int) -> dict[str, Any]:
    return {f.name: _further(getattr(part, f.name), by) for f in fields(part)}


def extent(d: Definition) -> tuple[str, int, int]:
    """The lines that a definition takes."""
    fields = [line for f in (*d.fields, *d.steps) for line in (*f.lines, *([f.at] if f.at else []))]
    cells = [cell for row in d.rows for _, cell in row.cells]
    numbers = [line.number for line in (d.line, *d.heads, *fields, *cells)]
    return d.line.file, min(numbers), max(numbers)


def move(symbol: Any, by: int, was: tuple[str, int, int]) -> None:
    """Let everything that was read into a symbol from these lines stand so many lines further down."""
    tokens: dict[Token, Token] = {}
    seen = {id(symbol)}
    _lines(symbol, by)
    waiting: list[object] = [getattr(symbol, name) for name in symbol.__slots__]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind in (list, tuple):
            waiting += cast("list[object]", part)
        elif kind is dict:
            waiting += cast("dict[object, object]", part).values()
        elif kind in FIELDS and kind not in ELSEWHERE and id(part) not in seen and not _foreign(part, was):
            seen.add(id(part))
            _lines(part, by)
            _written(part, by, tokens)
            waiting += [getattr(part, name) for name in FIELDS[kind]]


def _foreign(part: Any, was: tuple[str, int, int]) -> bool:
    """Whether it is written in another definition: a Preference is read wherever it is named."""
    written = getattr(part, "written", None)
    if written is None or not written[0].line:
        return False
    file, first, last = was
    return written[0].file != file or not first <= written[0].line <= last


def _lines(part: Any, by: int) -> None:
    """The line that it knows itself by; 0 stands for none."""
    number = getattr(part, COUNTED, 0)
    if number.__class__ is int and number:
        object.__setattr__(part, COUNTED, number + by)
    numbers = getattr(part, "step_lines", None)
    if numbers:
        part.step_lines = [number + by if number else 0 for number in numbers]


def _written(part: Any, by: int, tokens: dict[Token, Token]) -> None:
    """Its first and its last word."""
    written = getattr(part, "written", None)
    if written is None:
        return
    for token in written:
        if token not in tokens:
            tokens[token] = token._replace(line=token.line + by) if token.line else token
    vars(part)["written"] = tuple(tokens[token] for token in written)
