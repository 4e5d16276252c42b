"""Worked examples: the text of a fence -> steps with their lines.

In:  the lines of an `example` fence (anything with a number and a text).
Out: WorkedExample: title, rules covered, options, dice, and the steps to take, each with its line.
     A line that cannot be read becomes a `bad-example` diagnostic.

    A title, perhaps with a rule number          XX-EX-03
    title   do nothing and lose                  likewise, for one that begins with a word of examples
    covers  XX-TURN-01, -02
    seats   2                                    how many seats, if not the fewest
    seed    7                                    of the generator that shuffles, if not 0
    option  Weather: on                          a setting of the match; `scenario NAME` is one, too
    given   Ada: Health 0, Spent 3; at B6          the position, before the statements run
    do      #Turn on Ada                         statements; without any, the whole match runs
    dice    1d6=2  Hit Die=MISS  random=Lunge    every result of chance, in the order consumed
    shuffle Ada: Deck top Lunge, Rest            how the next shuffle of a zone falls
    choose  Ada: Strike: Wolf; pass
    refuse  Ada: Strike: Wolf                    is not on offer
    expect  Ada: Health 1
    note    for readers

Steps act in the written order, except dice and shuffles: they are one script for the whole example. What the
names mean is not known here; see `items`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rulewright.diagnostics import Diagnostic, Span, nearest

ID = r"[A-Z][A-Z0-9]{1,4}-[A-Z0-9]{2,6}-\d{1,3}[a-z]?"
NAMED = r"[A-Z][A-Z0-9]{1,4}-[A-Z0-9]{2,6}-[A-Z]{2,12}"
"""A rule that has a word where others have a number."""
TITLE_IDS = re.compile(rf"\s{{2,}}({ID}(?:,?\s+{ID})*)\s*$")
WORDS = (
    *("covers", "seats", "seed", "option", "scenario", "given", "do", "dice", "shuffle"),
    *("choose", "refuse", "refused", "expect", "note", "title"),
)
SCENARIO = "scenario"
"""As the name of an option: whichever one the book means by it."""
# A remark in brackets at the end of a line. It starts with a word: `(3,4)` may be the name of a space.
REMARK = re.compile(r"\s{2,}\([a-zA-Z][^()]*\)\s*$")
DIE = re.compile(r"^(\d*)\s*[dD](\d+)$")


class TextLine(Protocol):
    """A line of a book."""

    @property
    def number(self) -> int:
        """Its number in the file."""
        ...

    @property
    def column(self) -> int:
        """How far it is indented."""
        ...

    @property
    def text(self) -> str:
        """All of it."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One line of an example: `given`, `do`, `choose`, `refuse` or `expect`, and what it says."""

    word: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Die:
    """One scripted result. `kind` is `d6`, the name of a die, `random`, or empty for any die."""

    kind: str
    value: str
    line: int

    def __str__(self) -> str:
        return f"{self.kind}={self.value}" if self.kind else self.value


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """One example, read but not yet understood."""

    file: str
    line: int
    title: str
    ids: tuple[str, ...] = ()
    """Rule numbers in the title line."""
    covers: tuple[str, ...] = ()
    seats: int | None = None
    seed: int = 0
    options: tuple[tuple[str, str, int], ...] = ()
    """Name, word, line."""
    dice: tuple[Die, ...] = ()
    steps: tuple[Step, ...] = ()
    shuffles: tuple[Step, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    seats_line: int = 0
    lines: tuple[tuple[int, str], ...] = ()
    """The lines of the fence, with their numbers."""

    titled: bool = True
    """Whether it says what it is called."""

    @property
    def stages(self) -> int:
        """How many `do` lines there are."""
        return sum(step.word == "do" for step in self.steps)

    def place(self, line: int, words: str = "") -> tuple[int, int]:
        """Line and column of these words of the entry on a line; of what it says when they are not there."""
        return find_words(self.lines, line, words)


def parse_example(file: str, line: int, lines: Sequence[TextLine]) -> WorkedExample:
    """Read one fence. Never raises: what is wrong is in `problems`."""
    return _Reader(file, line).read(lines)


class _Reader:
    def __init__(self, file: str, line: int) -> None:
        self.file = file
        self.line = line
        self.title = ""
        self.ids: tuple[str, ...] = ()
        self.covers: list[str] = []
        self.seats: int | None = None
        self.seed = 0
        self.seats_line = line
        self.options: list[tuple[str, str, int]] = []
        self.dice: list[Die] = []
        self.steps: list[Step] = []
        self.shuffles: list[Step] = []
        self.problems: list[Diagnostic] = []
        self.lines: list[tuple[int, str]] = []

    def read(self, lines: Sequence[TextLine]) -> WorkedExample:
        self.lines = [(line.number, line.text) for line in lines]
        for word, text, line in self.entries(lines):
            self.entry(word, text, line)
        return WorkedExample(
            self.file,
            self.line,
            self.title or f"example on line {self.line}",
            self.ids,
            tuple(dict.fromkeys(self.covers)),
            self.seats,
            self.seed,
            tuple(self.options),
            tuple(self.dice),
            tuple(self.steps),
            tuple(self.shuffles),
            tuple(self.problems),
            self.seats_line,
            tuple(self.lines),
            bool(self.title),
        )

    def entries(self, lines: Sequence[TextLine]) -> list[tuple[str, str, int]]:
        """First word, rest and line of each entry; indented lines continue the one above."""
        found: list[tuple[str, str, int]] = []
        margin = min((line.column for line in lines if line.text.strip()), default=0)
        for line in lines:
            text = line.text.strip()
            if not text:
                continue
            word, _, rest = text.partition(" ")
            if line.column > margin and found:
                before, above, number = found[-1]
                # Dice are told apart by gaps; everywhere else a line end is a space.
                found[-1] = (before, f"{above}  {text}" if before == "dice" else f"{above} {text}", number)
            elif word in WORDS:
                found.append((word, rest.strip(), line.number))
            elif not found and not self.title:
                self.read_title(text)
            else:
                close = nearest(word, WORDS)
                guess = f"; did you mean '{close}'?" if close else f": use {', '.join(WORDS[:-1])} or note"
                self.bad(line.number, f"'{word}' is not a word of examples{guess}", word)
        return found

    def read_title(self, text: str) -> None:
        ids = TITLE_IDS.search(text)
        self.title = text[: ids.start()].strip() if ids else text
        self.ids = tuple(re.findall(ID, text))

    def bad(self, line: int, message: str, words: str = "") -> None:
        span = Span(self.file, *find_words(self.lines, line, words))
        self.problems.append(Diagnostic("bad-example", span, message))

    def entry(self, word: str, text: str, line: int) -> None:
        if word not in ("note", "do", "covers", "title"):
            text = REMARK.sub("", text)
        if not text and word != "note":
            self.bad(line, f"nothing stands after '{word}'")
            return
        match word:
            case "covers":
                self.covers += read_ids(text)
                if not self.covers:
                    self.bad(line, f"'{text}' names no rule; a rule number is like AB-CDE-01", text)
            case "seats" | "seed":
                if not text.isdigit():
                    self.bad(line, f"'{word}' takes a number, not '{text}'")
                else:
                    setattr(self, word, int(text))
                    self.seats_line = line if word == "seats" else self.seats_line
            case "option":
                name, colon, value = text.partition(":")
                if not colon or not value.strip():
                    self.bad(line, "write `option Name: word`")
                else:
                    self.options.append((name.strip(), value.strip(), line))
            case "scenario":
                self.options.append((SCENARIO, text, line))
            case "dice":
                self.read_dice(text, line)
            case "shuffle":
                self.shuffles.append(Step(word, text, line))
            case "note":
                pass
            case "title":
                self.read_title(text)
            case _:
                self.steps.append(Step("refuse" if word == "refused" else word, text, line))

    def read_dice(self, text: str, line: int) -> None:
        """`1d6=2  1d20=15, 8  Attack Die=STRIKE, JAM  random=NAME`, or bare faces."""
        # Between a word and the name of the next die there must be two spaces or a semicolon; elsewhere
        # one space is enough to see where the next die begins.
        spaced = re.sub(r"\s+(?=(?:\d*[dD]\d+|random)\s*=)|(?<=\d)\s+(?=[A-Z][^=,;]*=)", "   ", text)
        for group in re.split(r"\s{2,}|;", spaced):
            if not group.strip():
                continue
            key, equals, values = group.partition("=")
            kind = key.strip() if equals else ""
            faces = (
                [value.strip() for value in values.split(",") if value.strip()]
                if equals
                else re.split(r"[\s,]+", group.strip(" ,"))
            )
            die = DIE.match(kind)
            if die is not None:
                kind, count = f"d{die[2]}", int(die[1] or 1)
                if count == 0 or not faces or len(faces) % count:
                    faces_of_all = ", ".join(["1"] * max(1, count))
                    message = f"{group.strip()}: write every face, as in {key.strip()}={faces_of_all}"
                    self.bad(line, message, group)
                    continue
            if not faces:
                self.bad(line, f"'{group.strip()}' names no result", group)
            for face in faces:
                if (die is not None or not kind) and not face.isdigit():
                    self.bad(line, f"'{face}' is no face of a die with numbers", face)
                    continue
                self.dice.append(Die(kind, face, line))


def find_words(lines: Sequence[tuple[int, str]], line: int, words: str) -> tuple[int, int]:
    """Line and column of some words in the entry that begins on a line; else, where its text begins."""
    entry = [pair for pair in lines if pair[0] >= line]
    if not entry:
        return line, 1
    margin = len(entry[0][1]) - len(entry[0][1].lstrip())
    later = (i for i, (_, text) in enumerate(entry) if i and len(text) - len(text.lstrip()) <= margin)
    shape = re.compile(r"\s+".join(map(re.escape, words.split())) or r"(?!)", re.I)
    for number, text in entry[: next(later, len(entry))]:
        found = shape.search(text)
        if found is not None:
            return number, found.start() + 1
    first = re.match(r"\s*\S+\s+(?=\S)|\s*", entry[0][1])
    return line, (first.end() if first else 0) + 1


def read_ids(text: str) -> list[str]:
    """Rules of a `covers` line: each by itself, or `-07` for another one of the same series."""
    found: list[str] = []
    series = ""
    for token in re.findall(rf"{ID}|{NAMED}|(?<![\w-])-\d{{1,3}}[a-z]?", text):
        full = token if re.fullmatch(rf"{ID}|{NAMED}", token) else series + token
        if re.fullmatch(rf"{ID}|{NAMED}", full):
            found.append(full)
            series = full.rsplit("-", 1)[0]
    return found
