"""Lists in fields of the campaign notation, and names that are fit to be names.

In:  FieldText.
Out: Entry objects with their own lines and columns.

`A, B (text) x2` on one line, or one entry an indented line with an optional dash; entries may have a
value: `Name: value`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.text.source import FieldText, Line
from rulewright.book.text.tokens import apart

NAME = re.compile(r"[^\W\d_][^\[\]{}#,;:()\"]*")
COMMA = re.compile(",")
COUNT = re.compile(r"\s+x(\d+)\s*$")
PAREN = re.compile(r"\s*\(([^()]*)\)\s*$")
COORDINATE = re.compile(
    r"^(?:(?P<ns>\d+)(?P<n>[NS])(?:\s+(?P<ew>\d+)(?P<e>[EW]))?|(?P<only>\d+)(?P<o>[EW])|origin)$"
)


@dataclass(slots=True)
class Entry:
    """One entry of a list: its name, a number of copies, a remark in brackets, a value."""

    name: str
    line: Line
    value: Line | None = None
    copies: int | None = None
    remark: str = ""


def pieces(field: FieldText | None, whole_lines: bool = False) -> Iterator[Line]:
    """The entries as text: cut at commas outside of brackets, and at line ends.

    `whole_lines`: an indented line with a colon is one entry, because its description may have commas.
    """
    for index, line in enumerate(field.lines if field else ()):
        text = re.sub(r"^-\s+", "", line.text.strip())
        column = (
            line.column + line.text.index(text)
            if text and text in line.text and line.text[:1] == "-"
            else line.column
        )
        below = index > 0 or (field is not None and field.at is not None and field.at.number != line.number)
        if whole_lines and below and ":" in text:
            yield Line(line.file, line.number, column, text)
            continue
        for start, piece in apart(text, COMMA):
            if piece.strip():
                lead = len(piece) - len(piece.lstrip())
                yield Line(line.file, line.number, column + start + lead, piece.strip())


def entries(field: FieldText | None, whole_lines: bool = False) -> list[Entry]:
    """`Name [xN] [(remark)] [: value]`"""
    made: list[Entry] = []
    for line in pieces(field, whole_lines):
        head, colon, rest = line.text.partition(":")
        if "(" in head and colon and head.count("(") > head.count(")"):
            head, colon, rest = line.text, "", ""
        value = None
        if colon:
            lead = len(rest) - len(rest.lstrip())
            value = line.slice(len(head) + 1 + lead, text=rest.strip())
        entry = Entry(head.strip(), line, value)
        remark = PAREN.search(entry.name)
        if remark:
            entry.remark, entry.name = remark.group(1).strip(), entry.name[: remark.start()].strip()
        count = COUNT.search(entry.name)
        if count:
            entry.copies, entry.name = int(count.group(1)), entry.name[: count.start()].strip()
            remark = PAREN.search(entry.name)
            if remark:
                entry.remark, entry.name = remark.group(1).strip(), entry.name[: remark.start()].strip()
        made.append(entry)
    return made


def coordinate(text: str) -> tuple[int, int] | None:
    """`3N 2E` -> (east, north), or None when it is no coordinate."""
    match = COORDINATE.match(" ".join(text.split()))
    if match is None:
        return None
    north = int(match["ns"] or 0) * (1 if match["n"] != "S" else -1)
    east = int(match["ew"] or match["only"] or 0) * (1 if (match["e"] or match["o"]) != "W" else -1)
    return east, north


def well_formed(name: str) -> bool:
    """A name starts with a letter and holds no sign of the notation."""
    return NAME.fullmatch(name) is not None
