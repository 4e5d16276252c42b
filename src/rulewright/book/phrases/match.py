"""Phrases: how a book teaches the reader its own wording.

In:  titles with slots, such as `Push target {N} spaces away from actor`, and what they mean: text in the
     core notation, or the component that has this title.
Out: Phrase objects; `find` matches them against tokens, with what stands in the slots.

Text is put in place of a phrase word by word before anything is parsed, so whatever stands in its slots keeps
its own place in the book, and a mistake in it is reported there. What stands in the slots of a component's
title is an argument, read as one where it stands (`Argument`). `{a|b c|}` are alternatives (an empty
one makes it optional); any other braces are a slot, whose name says what may stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import (
    DICE,
    END,
    INDENT,
    MARK,
    NEWLINE,
    NUMBER,
    PATTERN,
    STRING,
    WORD,
    Token,
    nests,
    tokenize,
)
from rulewright.diagnostics import Diagnostic

EFFECT, CHECK, SENTENCE, TRIGGER, EVENT, HEADER, OUTCOME, DURATION, BEHAVIOR, NAME, SCENE = (
    "Effect", "Check", "Sentence", "Trigger", "Event", "Header", "Outcome", "Duration", "Behavior", "Name",
    "Scene",
)  # fmt: skip
PLACES = (EFFECT, CHECK, SENTENCE, TRIGGER, EVENT, HEADER, OUTCOME, DURATION, BEHAVIOR, NAME, SCENE)
"""Where a phrase may stand."""

SHAPED = ("number", "string", "count", "compare", "coordinate", "coordinates", "duration")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
COORDINATE = re.compile(r"\d+[NSEW]")
NO_DIE = re.compile(r"\d+d|\d*d\w*")


@dataclass(frozen=True, slots=True)
class Slot:
    """A gap with a name; the name tells the sort of text that fits."""

    name: str

    @property
    def sort(self) -> str:
        """number for one capital letter, else the name without digits."""
        return "number" if re.fullmatch(r"[A-Z]", self.name) else self.name.rstrip("0123456789").strip()


@dataclass(frozen=True, slots=True)
class Either:
    """Alternatives, each a row of pieces."""

    rows: tuple[tuple[Piece, ...], ...]


Piece = str | Slot | Either
Captured = dict[str, list[Token]]


class Argument(list[Token]):
    """What stands in a slot of a component's title, and the node that was made of it."""

    def __init__(self, tokens: Sequence[Token], node: Any) -> None:
        super().__init__(tokens)
        self.node = node


Reads = Callable[[str, int], "tuple[int, Any] | None"]
"""Reads the argument in a slot from a token on: where it ends, and the node; None where none stands."""


@dataclass(slots=True)
class Phrase:
    """One wording and its meaning: fields, of which most phrases have a single one called `means`."""

    title: str
    place: str
    pieces: tuple[Piece, ...]
    fields: list[tuple[list[Token], list[Token]]]
    definition: Definition
    component: Any = None
    """What is run with what stands in the slots, if this is the title of a component."""
    everywhere: bool = False
    """May it stand in open text? A book's own phrases may."""
    broken: bool = False
    """Something was wrong with the signs of its meaning, and was reported there."""
    weight: int = 0


@dataclass(slots=True)
class Book:
    """All phrases by place, and the words that count as the same."""

    phrases: dict[str, list[Phrase]] = field(default_factory=dict[str, list[Phrase]])
    starting: dict[tuple[str, str], list[Phrase]] = field(default_factory=dict[tuple[str, str], list[Phrase]])
    """By place and first word; under "" those that may start with anything."""
    alike: dict[str, str] = field(default_factory=dict[str, str])
    scene: bool = False
    """The text that is read now is a scene's: its durations are other ones."""
    loose: bool = False
    """Any words may stand in gaps for text of a certain shape: what is wrong with them is said later."""

    def __bool__(self) -> bool:
        return bool(self.phrases)

    def root(self, word: str) -> str:
        """The word that stands for all words like it."""
        low = word.lower().replace("’", "'")
        return self.alike.get(low, low)

    def add(self, made: Phrase) -> None:
        """File a phrase; wordings with more fixed words are tried first."""
        made.weight = _weight(made.pieces)
        self.phrases.setdefault(made.place, []).append(made)
        for first in {self.root(w) for w in _firsts(made.pieces)} or {""}:
            shelf = self.starting.setdefault((made.place, first), [])
            shelf.append(made)
            shelf.sort(key=lambda p: -p.weight)

    # ------------------------------------------------------------ matching
    def find(
        self,
        place: str,
        tokens: Sequence[Token],
        at: int,
        stop: Callable[[Token], bool],
        arguments: Callable[[Phrase], Reads] | None = None,
        closed: bool = True,
    ) -> Match | None:
        """The phrase that stands at this token, the longest one: of a framework's, in closed text only; of
        titles, wherever arguments can be read."""
        best: Match | None = None
        for phrase in self._candidates(place, tokens[at]):
            title = phrase.component is not None
            if arguments is None if title else not (closed or phrase.everywhere):
                continue
            reads = arguments(phrase) if title and arguments is not None else None
            for end, captured in self._row(phrase.pieces, tokens, at, {}, reads):
                if title or stop(tokens[end]):
                    if best is None or (end, phrase.weight) > (best.end, best.phrase.weight):
                        best = Match(phrase, end, captured)
                    break
        return best

    def _row(
        self,
        pieces: Sequence[Piece],
        tokens: Sequence[Token],
        at: int,
        captured: Captured,
        reads: Reads | None,
    ) -> Iterator[tuple[int, Captured]]:
        if not pieces:
            yield at, captured
            return
        for end, found in self._piece(pieces[0], tokens, at, captured, reads):
            yield from self._row(pieces[1:], tokens, end, found, reads)

    def _piece(
        self, piece: Piece, tokens: Sequence[Token], at: int, captured: Captured, reads: Reads | None
    ) -> Iterator[tuple[int, Captured]]:
        match piece:
            case str():
                token = tokens[at]
                if token.kind in (WORD, NUMBER, MARK, DICE) and self.root(token.text) == self.root(piece):
                    yield at + 1, captured
            case Either(rows=rows):
                for row in rows:
                    yield from self._row(row, tokens, at, captured, reads)
            case Slot() if reads is not None:
                argument = reads(piece.name, at)
                if argument is not None:
                    end, node = argument
                    yield end, {**captured, piece.name: Argument(tokens[at:end], node)}
            case Slot():
                for end, text in self._slot(piece.sort, tokens, at):
                    yield end, {**captured, piece.name: text}

    def _candidates(self, place: str, first: Token) -> Iterator[Phrase]:
        yield from self.starting.get((place, self.root(first.text)), ())
        yield from self.starting.get((place, ""), ())

    def _slot(self, sort: str, tokens: Sequence[Token], at: int) -> Iterator[tuple[int, list[Token]]]:
        if self.loose and sort in SHAPED:
            yield from _words(tokens, at)
            return
        match sort:
            case "number":
                end = number_end(tokens, at)
                if end > at:
                    yield end, list(tokens[at:end])
            case "string":
                if tokens[at].kind == STRING:
                    yield at + 1, [tokens[at]]
            case "count":
                if tokens[at].kind == WORD and re.fullmatch(r"x\d+", tokens[at].text):
                    yield at + 1, [tokens[at]._replace(kind=NUMBER, text=tokens[at].text[1:])]
            case "compare":
                if tokens[at].is_(*COMPARISONS, "==", "=>", "=<"):
                    yield at + 1, [tokens[at]]
            case "coordinate":
                end = coordinate_end(tokens, at)
                if end > at:
                    yield end, list(tokens[at:end])
            case "coordinates":
                yield from self._coordinates(tokens, at)
            case "duration":
                found = self.find(SCENE if self.scene else DURATION, tokens, at, lambda _: True)
                if found is not None:
                    yield found.end, expand(found.phrase.fields[0][1], found.captured, tokens[at])
            case "effects" | "text" | "Phase":
                end = at
                while tokens[end].kind != END:
                    end += 1
                if end > at:
                    yield end, list(tokens[at:end])
            case "check" | "one":
                yield from _run(tokens, at, commas=sort == "check")
            case "effect":
                end = at
                while tokens[end].kind not in (END, NEWLINE) and not tokens[end].is_(",", ";", "."):
                    end += 1
                if end > at:
                    yield end, list(tokens[at:end])
            case _:
                yield from _words(tokens, at)

    def _coordinates(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[int, list[Token]]]:
        end = coordinate_end(tokens, at)
        while end > at and tokens[end].is_(",") and coordinate_end(tokens, end + 1) > end + 1:
            end = coordinate_end(tokens, end + 1)
        if end > at:
            yield end, list(tokens[at:end])


@dataclass(slots=True)
class Match:
    """A phrase that was found, where it ends, and what its slots hold."""

    phrase: Phrase
    end: int
    captured: Captured


class Stop:
    """Says whether a phrase may end before this token."""

    def __init__(self, *texts: str) -> None:
        self.texts = frozenset(texts)

    def __call__(self, token: Token) -> bool:
        if token.kind in (NEWLINE, INDENT, "dedent", END):
            return True
        return token.kind in (WORD, MARK) and token.text.lower() in self.texts


AFTER_EFFECT = Stop(",", ";", ".", "else", ")")
AFTER_CHECK = Stop(",", ";", ".", ")", ":", "and", "or")


# ---------------------------------------------------------------- shapes of slots
def number_end(tokens: Sequence[Token], at: int) -> int:
    """Where a number that starts here ends, by its shape alone; `at` when none does."""
    i, wanted = at, True
    while True:
        token = tokens[i]
        if wanted and (token.kind in (NUMBER, DICE) or (token.kind == WORD and NO_DIE.fullmatch(token.text))):
            i, wanted = i + 1, False
        elif wanted and token.is_("[", "("):
            close = closing(tokens, i)
            if close < 0:
                return at
            i, wanted = close + 1, False
        elif not wanted and token.is_("+", "-", "*", "/"):
            i, wanted = i + 1, True
        else:
            break
    return at if wanted else i


def closing(tokens: Sequence[Token], at: int) -> int:
    """Where the bracket that opens here is closed; -1 if it is not."""
    depth, i = 0, at
    while tokens[i].kind not in (END, NEWLINE):
        depth += nests(tokens[i].text)
        if depth == 0:
            return i
        i += 1
    return -1


def coordinate_end(tokens: Sequence[Token], at: int) -> int:
    """Where `3N 2E`, `3N` or `origin` ends."""
    if at >= len(tokens) or tokens[at].kind != WORD:
        return at
    if tokens[at].text == "origin":
        return at + 1
    if not COORDINATE.fullmatch(tokens[at].text):
        return at
    first = tokens[at].text[-1]
    after = tokens[at + 1] if at + 1 < len(tokens) else tokens[at]
    if first in "NS" and after.kind == WORD and COORDINATE.fullmatch(after.text) and after.text[-1] in "EW":
        return at + 2
    return at + 1


def _words(tokens: Sequence[Token], at: int) -> Iterator[tuple[int, list[Token]]]:
    end = at
    while (end - at < 9 and tokens[end].kind in (WORD, NUMBER)) or (
        end > at and tokens[end].is_("/", ".", "&", "!", "-") and tokens[end + 1].kind == WORD
    ):
        end += 1
        yield end, list(tokens[at:end])


def _run(tokens: Sequence[Token], at: int, commas: bool) -> Iterator[tuple[int, list[Token]]]:
    depth, end = 0, at
    while tokens[end].kind not in (END, NEWLINE, INDENT):
        token = tokens[end]
        if depth == 0 and token.is_(",", ";") and not commas:
            return
        depth += nests(token.text)
        end += 1
        if depth == 0:
            yield end, list(tokens[at:end])


# ---------------------------------------------------------------- meaning
def expand(means: Sequence[Token], captured: Captured, at: Token | None) -> list[Token]:
    """What a phrase stands for, its slots filled; its own words point to where it was used, or stay."""
    made: list[Token] = []
    i = 0
    while i < len(means):
        token = means[i]
        if token.is_("{"):
            name, i = "", i + 1
            while i < len(means) and not means[i].is_("}"):
                name += (" " if name else "") + means[i].text
                i += 1
            made += _grouped(name, captured.get(name, ()))
        elif token.kind != END:
            made.append(token._replace(file=at.file, line=at.line, column=at.column) if at else token)
        i += 1
    return made


def _grouped(name: str, text: Sequence[Token]) -> list[Token]:
    """A whole quantity counts as one number, and where it could come out below 0 it counts as 0."""
    if not re.fullmatch(r"[A-Z]", name) or len(text) < 2 or not any(x.is_("+", "-", "*", "/") for x in text):
        return list(text)
    first = text[0]
    around = [first._replace(kind=MARK, text=x, closed=False) for x in "(,)"]
    return [first._replace(kind=WORD, text="whole", closed=False), around[0], *text, around[2]]


def holds(means: Sequence[Token], captured: Captured) -> bool:
    """False for a field that would only say what an optional slot left out."""
    return not (
        len(means) >= 3
        and means[0].is_("{")
        and means[-2].is_("}")
        and means[1].text not in captured
        and len(means) <= 5
    )


# ---------------------------------------------------------------- reading titles
def read(
    d: Definition, place: str, title: str, fields: list[FieldText], problems: list[Diagnostic]
) -> Phrase:
    """A phrase from its definition. What is wrong with its signs is reported here, not where it is used."""
    made: list[tuple[list[Token], list[Token]]] = []
    before = len(problems)
    for f in fields:
        key = _open(tokenize([Line(d.line.file, d.line.number, 0, f.key)], []))
        made.append((key, _open(tokenize(f.lines, problems))))
    return Phrase(title, place, pieces(title), made, d, broken=len(problems) > before)


def _open(tokens: list[Token]) -> list[Token]:
    return [token._replace(closed=False) for token in tokens]


def pieces(title: str) -> tuple[Piece, ...]:
    """A wording as what it is made of: words, slots, alternatives."""
    return tuple(_pieces(title, 0, "")[0])


def _pieces(text: str, at: int, closing: str) -> tuple[list[Piece], int]:
    made: list[Piece] = []
    plain = ""
    while at < len(text) and text[at] not in closing:
        if text[at] == "{":
            made += _literals(plain)
            plain = ""
            piece, at = _braces(text, at + 1)
            made.append(piece)
        else:
            plain += text[at]
            at += 1
    made += _literals(plain)
    return made, at


def _braces(text: str, at: int) -> tuple[Piece, int]:
    rows: list[tuple[Piece, ...]] = []
    start = at
    while True:
        row, at = _pieces(text, at, "|}")
        rows.append(tuple(row))
        if at >= len(text) or text[at] == "}":
            break
        at += 1
    if len(rows) == 1:
        return Slot(text[start:at].strip()), at + 1
    return Either(tuple(rows)), at + 1


def _literals(text: str) -> list[Piece]:
    return [m.group() for m in PATTERN.finditer(text) if m.lastgroup != "space"]


def slots(pieces: Sequence[Piece]) -> list[str]:
    """The names of the slots, in order."""
    found: list[str] = []
    for piece in pieces:
        match piece:
            case Slot(name=name):
                found.append(name)
            case Either(rows=rows):
                found += [name for row in rows for name in slots(row)]
            case _:
                pass
    return list(dict.fromkeys(found))


def _weight(pieces: Sequence[Piece]) -> int:
    """Fixed words count most, then slots that only text of one shape fits."""
    total = 0
    for piece in pieces:
        match piece:
            case str():
                total += 10
            case Slot():
                total += piece.sort in SHAPED
            case Either(rows=rows):
                total += min(_weight(row) for row in rows)
    return total


def _firsts(pieces: Sequence[Piece]) -> set[str]:
    """The words a row of pieces can begin with; none when a slot can come first."""
    found: set[str] = set()
    for piece in pieces:
        match piece:
            case str():
                return found | {piece}
            case Slot():
                return set()
            case Either(rows=rows):
                parts = [_firsts(row) for row in rows if row]
                if any(not part for part in parts):
                    return set()
                for part in parts:
                    found |= part
                if all(rows):
                    return found
    return set()
