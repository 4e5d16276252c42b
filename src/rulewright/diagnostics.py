"""Say where a rulebook is wrong, in one shape.

In:  a code from CODES, the place in the text, one sentence, and a guess at what was meant.
Out: a Diagnostic, a plain value; `render` turns it into the only text form there is.

A writer's mistake is a value: stages return diagnostics and go on, so that one run finds many.
BookError exists for the one place where a caller asked for a Program and there is none to give.
Our own mistakes (a code that is not in the table) raise at once.

Lines and columns count from 1, columns in characters of the source line. A diagnostic about a whole
file points to line 1, column 1.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Severity = Literal["error", "warning"]

CODES: Mapping[str, str] = MappingProxyType(
    {
        "bad-dice": "A dice expression cannot be rolled as it is written.",
        "bad-example": "A worked example has a line that cannot be read or run.",
        "bad-front-matter": "The front matter at the top of the book is missing or is not valid YAML.",
        "card-in-no-deck": "A card is defined, but no deck or other zone ever holds it.",
        "circular": "Definitions need each other in a circle, so none of them can be worked out.",
        "duplicate-name": "Two definitions of one kind have the same name.",
        "empty-choice": "A decision can come up with nothing to choose.",
        "endless-sequence": "A sequence has no step that can end it.",
        "hidden-it": "An `it` means the nearer of two things, and the farther one may have been meant.",
        "missing-part": "A definition or a sentence lacks a part that it needs.",
        "no-ending": "A match can run out without one of the book's endings.",
        "open-secret": "Everybody is told what comes out of a choice or a roll, and then it is hidden.",
        "outside-book": "A book names a file that it may not read: outside its folder, or not a plain one.",
        "rolled-anyway": "Dice of a condition are rolled even if the part before them has settled it.",
        "silent-tie": "Who wins is picked by a preference in which several can be equal.",
        "skipped-reset": "A number is set and later set back, but what runs between may be cut short.",
        "stray-condition": "A condition after `where` says nothing about what is looked for.",
        "table-gap": "A table has no row for a result that its roll can give.",
        "table-overlap": "Two rows of a table claim the same result.",
        "too-large": "A book goes beyond a limit of size, depth or number.",
        "type-mismatch": "A value of one type stands where another type is needed.",
        "unbalanced": "A bracket, quotation mark or fence is opened and never closed, or the reverse.",
        "unexecutable": "A line of a rules block is not a sentence of the notation.",
        "unknown-field": "A definition has a field that its kind does not know.",
        "unknown-name": "A name is used that nothing in the book declares.",
        "unknown-option": "A setting names an option that the book does not offer.",
        "unreachable": "Something is defined that can never come up in a match.",
        "unreachable-row": "A row of a table can never be the result of its roll.",
        "wrong-kind": "A name is used as one kind of thing, but declared as another.",
    }
)
"""Every code with what it says to a writer. docs/diagnostics.md has an entry for each; a test compares."""

_EXCERPT = 160
"""Longest piece of a source line that is shown. A damaged file can be one line of a megabyte."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one line of a book. `file` is the name to print, never a machine's full path."""

    file: str
    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong, where, and what may have been meant."""

    code: str
    span: Span
    message: str
    help: str | None = None
    severity: Severity = "error"

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"{self.code!r} is not in diagnostics.CODES")

    def __str__(self) -> str:
        span = self.span
        return f"{span.file}:{span.line}:{span.column}: {self.severity}[{self.code}]: {self.message}"


class BookError(Exception):
    """A book could not become a Program. Holds every diagnostic, warnings too, in reading order."""

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> None:
        """`sources` maps each span's file to its text; with it, the error shows the lines concerned."""
        self.diagnostics = in_order(diagnostics)
        self.sources = dict(sources or {})
        super().__init__(self.diagnostics, self.sources)  # args, so that it survives pickling

    def __str__(self) -> str:
        return render_all(self.diagnostics, self.sources)


def error(code: str, span: Span, message: str, help: str | None = None) -> Diagnostic:
    """A mistake that keeps the book from running."""
    return Diagnostic(code, span, message, help, "error")


def warning(code: str, span: Span, message: str, help: str | None = None) -> Diagnostic:
    """Something that runs, but is hardly what the writer wants."""
    return Diagnostic(code, span, message, help, "warning")


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Reading order, and each only once: two stages may stumble over the same word."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=lambda d: (d.span, d.code, d.message)))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """True when a book with these diagnostics cannot run."""
    return any(d.severity == "error" for d in diagnostics)


def render(diagnostic: Diagnostic, source_text: str) -> str:
    """The diagnostic as people read it, with the source line and carets under the span.

    Without a source line (no text, or a line past its end) the excerpt is left out.
    """
    parts = [str(diagnostic)]
    span = diagnostic.span
    lines = re.split(r"\r\n|\r|\n", source_text)  # not splitlines: a form feed does not end a book's line
    if source_text and 1 <= span.line <= len(lines):
        number = f"{span.line:>5}"
        text, before, carets = _excerpt(lines[span.line - 1], span)
        parts.append(f"{number} | {text}".rstrip())
        parts.append(f"{' ' * len(number)} | {' ' * before}{'^' * carets}")
    if diagnostic.help:
        parts.append(f"   help: {diagnostic.help}")
    return "\n".join(parts)


def render_all(diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> str:
    """Every diagnostic, rendered with the text of its own file, an empty line between."""
    return "\n\n".join(render(d, sources.get(d.span.file, "")) for d in diagnostics)


GUESSES = 200_000
"""Names that are compared while one book is checked: enough for the first hundred mistakes of a large one."""


class _Guesses:
    """How many names may still be compared, and what was guessed before: bodies are read twice."""

    def __init__(self) -> None:
        self.left = GUESSES
        self.known: dict[tuple[str, int], str | None] = {}


_guesses: ContextVar[_Guesses | None] = ContextVar("guesses", default=None)


@contextmanager
def guessing() -> Generator[None]:
    """While a book is checked: after very many mistakes what was meant is not guessed any more, for that
    would take longer than all the rest."""
    token = _guesses.set(_Guesses())
    try:
        yield
    finally:
        _guesses.reset(token)


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant: at most two letters off, or else similar enough, or None.

    White space and case do not count. Of equals the first in alphabetical order wins, because
    candidates often come from a set and its order must not reach a message.
    """
    wanted = _squash(name)
    if not wanted or len(wanted) > 80:
        return None
    guesses = _guesses.get()
    if guesses is None:
        return _nearest(wanted, candidates)
    names = candidates if isinstance(candidates, Collection) else list(candidates)
    key = (wanted, len(names))
    if key not in guesses.known and guesses.left > 0:
        guesses.left -= len(names)
        guesses.known[key] = _nearest(wanted, names)
    return guesses.known.get(key)


def suggest(name: str, candidates: Iterable[str], mark: str = "") -> str:
    """The help of a message about a name that there is not: which one was probably meant, or nothing. What
    stands behind such a name is shown with it."""
    close = nearest(name, candidates)
    return f"did you mean '{close}{mark}'?" if close else ""


def _nearest(wanted: str, candidates: Iterable[str]) -> str | None:
    keys: dict[str, str] = {}
    for candidate in sorted(candidates):
        keys.setdefault(_squash(candidate), candidate)
    # A two-letter name is two edits away from every other one; that would be no suggestion.
    limit = min(2, len(wanted) - 1)
    best = min(((_distance(wanted, key, limit), key) for key in keys), default=(limit + 1, ""))
    if best[0] <= limit:
        return keys[best[1]]
    close = difflib.get_close_matches(wanted, keys, n=1, cutoff=0.7)
    return keys[close[0]] if close else None


def is_slip(name: str, meant: str) -> bool:
    """Whether a name is so near to another that it can only be a slip of the finger."""
    limit = 1 if len(_squash(name)) < 5 else 2
    return _distance(_squash(name), _squash(meant), limit) <= limit


def is_exchange(name: str, meant: str) -> bool:
    """Whether a name has all the letters of another with a neighbouring pair exchanged."""
    a, b = _squash(name), _squash(meant)
    return a != b and sorted(a) == sorted(b) and _distance(a, b, 1) == 1


def _squash(name: str) -> str:
    return "".join(name.split()).casefold()


def _distance(a: str, b: str, limit: int) -> int:
    """Letters added, dropped, changed or swapped, or limit + 1 as soon as it is known to be more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    above, row = list[int](), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, above, row = above, row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y)))
            if min(i, j) > 1 and x == b[j - 2] and y == a[i - 2]:
                row[j] = min(row[j], before[j - 2] + 1)
        if min(row) > limit:
            return limit + 1
    return row[-1]


def _excerpt(line: str, span: Span) -> tuple[str, int, int]:
    """What to show of the line, how far the carets stand from its start, and how many they are."""
    start = min(max(span.column - 1, 0), len(line))
    stop = min(start + max(span.length, 1), len(line))
    left, right = 0, len(line)
    if len(line) > _EXCERPT:
        left = max(0, start - _EXCERPT // 2)
        right = min(len(line), left + _EXCERPT)
        stop = min(stop, right)
    head, tail = ("..." if left else ""), ("..." if right < len(line) else "")
    text = head + _printable(line[left:right]) + tail
    before = len(head) + _width(_printable(line[left:start]))
    return text, before, max(1, _width(_printable(line[start:stop])))


def _printable(text: str) -> str:
    """One column for a tab or a control character, so that carets stay under their word."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in text)


def _width(text: str) -> int:
    """Columns on a terminal: two for wide letters, none for accents that combine."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
