"""The parts of a book as they are written: definitions, tables, maps, examples, and what they cite.

Out: Source: raw definitions with the lines of their fields, still plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulewright.diagnostics import Diagnostic, Span

CITE = r"[A-Z][A-Z0-9]{1,4}-[A-Z0-9]{2,6}-\d{1,3}[a-z]?"

CITES = re.compile(
    rf"(?:\s{{2,}}|^\s*|(?<=\)) )({CITE}(?:(?:,\s*|\s+to\s+|\s+)(?:{CITE}|-\d{{1,3}}[a-z]?))*)\s*$"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the book: its number, the column of its first character, its text."""

    file: str
    number: int
    column: int
    text: str

    @property
    def span(self) -> Span:
        """The whole line, to point at."""
        return Span(self.file, self.number, self.column + 1, max(1, len(self.text)))

    def slice(self, start: int, end: int | None = None, text: str | None = None) -> Line:
        """A part of the line where it stands; or another text that stands there."""
        shown = self.text[start:end] if text is None else text
        return Line(self.file, self.number, self.column + start, shown)

    def problem(self, code: str, message: str, help: str = "") -> Diagnostic:
        """A mistake at this line."""
        return Diagnostic(code, self.span, message, help)


class Reports:
    """Whoever finds mistakes, and says at which line."""

    problems: list[Diagnostic]

    def problem(self, code: str, line: Line, message: str, help: str = "") -> None:
        """Report a mistake."""
        self.problems.append(line.problem(code, message, help))

    def twice(self, line: Line, what: str, first: Line, words: str = "is declared twice") -> None:
        """Report what stood somewhere else before."""
        where = f"first declared on line {first.number}"
        where += "" if first.file == line.file else f" of {first.file}"
        self.problem("duplicate-name", line, f"{what} {words}", where)


@dataclass(slots=True)
class FieldText:
    """One field of a definition and its lines; the key as written."""

    key: str
    lines: list[Line]
    at: Line | None = None
    """The line of the key."""

    @property
    def first(self) -> Line:
        """Where it is complained about: its first line, or that of its key when it says nothing."""
        return self.lines[0] if self.lines else self.at or Line("", 1, 0, "")

    @property
    def text(self) -> str:
        """The field as one line."""
        return " ".join(line.text.strip() for line in self.lines).strip()


@dataclass(slots=True)
class Row:
    """A row of a table: cells by column heading."""

    line: Line
    cells: list[tuple[str, Line]]


@dataclass(slots=True)
class Definition:
    """A title, a kind, fields; perhaps numbered steps or the rows of a table."""

    title: str
    kind: str
    line: Line
    extra: str = ""
    cites: tuple[str, ...] = ()
    fields: list[FieldText] = field(default_factory=list[FieldText])
    steps: list[FieldText] = field(default_factory=list[FieldText])
    columns: list[str] = field(default_factory=list[str])
    heads: list[Line] = field(default_factory=list["Line"])
    """Where the headings of the columns stand."""
    rows: list[Row] = field(default_factory=list[Row])
    is_table: bool = False
    part: str = ""
    """The section of the book it stands in."""
    build: Callable[..., Any] | None = None
    """Makes the body of a definition that no text of the book holds: from (bodies, scope) to a tree."""
    lines: dict[int, tuple[int, tuple[str, ...]]] = field(
        default_factory=dict[int, tuple[int, tuple[str, ...]]]
    )
    """The column and the citations of each of its lines."""

    def cited(self, line: int) -> tuple[str, ...]:
        """What a line of it cites: itself, or the line it belongs under, or its title; else all of it."""
        column = self.lines.get(line, (0, ()))[0] + 1
        for number in range(line, self.line.number, -1):
            at, cites = self.lines.get(number, (column, ()))
            if at < column:
                if cites:
                    return cites
                column = at
        return self.lines.get(self.line.number, (0, ()))[1] or self.cites

    @property
    def heading(self) -> Span:
        """Where its title stands."""
        return Span(self.line.file, self.line.number, self.line.column + 1, max(1, min(len(self.title), 80)))

    def spot(self, line: int) -> Span:
        """The words of one of its lines."""
        column = self.lines.get(line, (0, ()))[0]
        said = (x for f in (*self.fields, *self.steps) for x in f.lines)
        end = max((x.column + len(x.text) for x in (self.line, *said) if x.number == line), default=0)
        return Span(self.line.file, line, column + 1, max(1, end - column))

    def copied(self) -> Definition:
        """The same, to which later stages may add."""
        fields = [FieldText(f.key, list(f.lines), f.at) for f in self.fields]
        steps = [FieldText(f.key, list(f.lines), f.at) for f in self.steps]
        lists = {"columns": list(self.columns), "heads": list(self.heads), "rows": list(self.rows)}
        return replace(self, fields=fields, steps=steps, **lists)

    def said(self, key: str, usual: str = "") -> str:
        """What it says in a field; the usual, if it has no such field."""
        found = self.get(key)
        return usual if found is None else found.text

    def words_of(self, *keys: str) -> list[str]:
        """What it names in the first of these fields, separated by commas."""
        found = self.get(*keys)
        return [x.strip() for x in found.text.split(",") if x.strip()] if found is not None else []

    def lines_of(self, *keys: str) -> list[Line]:
        """The lines of all fields with one of these keys."""
        return [line for f in self.fields if f.key.lower() in keys for line in f.lines]

    def add(self, key: str, *texts: str) -> None:
        """Give it a field that no text of the book holds."""
        at = self.line
        self.fields.append(FieldText(key, [Line(at.file, at.number, 0, text) for text in texts]))

    def start_of(self, f: FieldText) -> Line:
        """Where one of its fields begins."""
        return f.at or (f.lines[0] if f.lines else self.line)

    def key_of(self, f: FieldText) -> Line:
        """The key of one of its fields, as it stands before its lines."""
        return self.start_of(f).slice(0, text=f.key)

    def get(self, *keys: str) -> FieldText | None:
        """The first field with one of these keys, ignoring case."""
        wanted = tuple(map(str.lower, keys))
        for f in self.fields:
            if f.key.lower() in wanted:
                return f
        return None


@dataclass(slots=True)
class Example:
    """An `example` fence: its lines."""

    file: str
    line: int
    lines: list[Line]


@dataclass(slots=True)
class Source:
    """A whole book, cut up."""

    front: dict[str, Any]
    definitions: list[Definition]
    examples: list[Example]
    maps: list[Definition]
    texts: dict[str, str]
    diagnostics: list[Diagnostic]
    bases: set[str] = field(default_factory=set[str])
    """Files of books that define a notation of their own (`text: closed`) for the books that use them."""
    main: str = ""
    lost: set[str] = field(default_factory=set[str])
    """Titles and glyphs of definitions that were no good as a whole, or stood where nothing reads them: that
    nothing is called so is no second mistake."""
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Kinds of blocks that the book declares, with the names of their fields."""
    roles: dict[str, tuple[Span, Span]] = field(default_factory=dict[str, tuple[Span, Span]])
    """Where each role of the front matter and the name that it has stand."""
    own_front: dict[str, Any] = field(default_factory=dict[str, Any])
    """The front matter of the book itself, without that of what it uses."""
    looked: dict[Path, str] = field(default_factory=dict[Path, str])
    """Every file that was looked for, and the hash of what it held: all that the book depends on."""
    unsaved: Mapping[Path, str] = field(default_factory=dict[Path, str])
    """Texts that stand for what is in a file, as an editor has them before they are saved."""
    trials: set[str] = field(default_factory=set[str])
    """Files that only try the rules out: worked examples, and what is set up for them."""
    unread: bool = False
    """A file could not be read: then that is what is wrong with the book, and nothing else is looked at."""


def expand_cites(text: str) -> tuple[str, ...]:
    """`AB-RULE-01, -03 to -05` -> the four IDs."""
    found: list[str] = []
    series, number, upto = "", 0, False
    for token in re.findall(rf"{CITE}|\bto\b|-\d{{1,3}}[a-z]?", text):
        if token == "to":
            upto = bool(series)
            continue
        full = token if re.fullmatch(CITE, token) else series + token
        head, tail = full.rsplit("-", 1)
        digits = tail.rstrip("abcdefghijklmnopqrstuvwxyz")
        this, width = int(digits), len(digits)
        if upto and head == series:
            found += [f"{head}-{n:0{width}}" for n in range(number + 1, this)]
        found.append(full)
        series, number, upto = head, this, False
    return tuple(dict.fromkeys(found))


def take_cites(text: str) -> tuple[str, tuple[str, ...]]:
    """Split the citations off the end of a line."""
    match = CITES.search(text)
    if match is None:
        return text.rstrip(), ()
    return text[: match.start()].rstrip(), expand_cites(match.group(1))
