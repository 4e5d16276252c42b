"""A guided first match: what a book says to somebody who plays it for the first time, choice by choice.

In:  the `guide` fence of a book's texts.
Out: a Guide: how the table is set up, and at each choice of the first seat what is said and what is advised.

    ```guide
    seed    3
    with    Encounter: Scrapyard Gate
    seats   you, Steady Hand
    say     What to know before the next choice, in a sentence or two.
    choose  the option, as it is offered
    say     After the last choice: what is left to say.
    ```

With its seed and its choices a match is always the same, so a guide can be played: `played` does it, and says
where the book no longer offers what its guide advises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.play.faults import MatchError
from rulewright.play.match import Match
from rulewright.play.setup import EngineMaker
from rulewright.players.bots import seatable, think

FENCE = re.compile(r"^(?P<ticks>```+|~~~+)[ \t]*guide[ \t]*\n(?P<body>.*?)^(?P=ticks)[ \t]*$", re.M | re.S)
YOU = "you"
LONGEST = 2000
"""Choices of others that a test waits for."""


@dataclass(frozen=True, slots=True)
class Step:
    """One choice of the first seat."""

    says: str
    choose: str
    line: int


@dataclass(frozen=True, slots=True)
class Guide:
    """A first match."""

    file: str
    line: int
    seed: int
    options: dict[str, str]
    seats: tuple[str, ...]
    """Who sits where: `you`, then names of bots."""
    steps: tuple[Step, ...]
    closing: str
    """Said when the last step is done."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A mistake in a guide, at its line."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def read_guide(texts: Mapping[str, str]) -> tuple[Guide | None, list[Wrong]]:
    """The first guide in a book's texts, and what cannot be understood in it."""
    for file, text in texts.items():
        found = FENCE.search(text.replace("\r\n", "\n"))
        if found is not None:
            line = text.count("\n", 0, found.start()) + 1
            return _read(file, line, found["body"])
    return None, []


def _read(file: str, first: int, body: str) -> tuple[Guide, list[Wrong]]:
    wrong: list[Wrong] = []
    seed, options, seats = 0, dict[str, str](), (YOU,)
    says: list[str] = []
    steps: list[Step] = []
    for number, raw in enumerate(body.split("\n"), first + 1):
        word, _, rest = raw.strip().partition(" ")
        rest = rest.strip()
        match word:
            case "":
                continue
            case "seed" if rest.isdigit():
                seed = int(rest)
            case "with" if ":" in rest:
                name, _, value = rest.partition(":")
                options[name.strip()] = value.strip()
            case "seats" if rest:
                seats = tuple(part.strip() for part in rest.split(","))
            case "say" if rest:
                says.append(rest)
            case "choose" if rest:
                steps.append(Step(" ".join(says), rest, number))
                says = []
            case _:
                known = "`seed N`, `with Option: word`, `seats you, Bot`, `say ...` or `choose ...`"
                wrong.append(Wrong(file, number, f"a guide says {known}, not '{raw.strip()}'"))
    if not steps:
        wrong.append(Wrong(file, first, "a guide that advises nothing"))
    return Guide(file, first, seed, options, seats, tuple(steps), " ".join(says)), wrong


def played(program: Program, guide: Guide, engine: str | EngineMaker = "reference") -> list[Wrong]:
    """Play a guided match and say what does not fit the book."""
    at_start = guide.line
    bots = {word.casefold() for word in seatable(program)}
    strangers = [name for name in guide.seats[1:] if name.casefold() not in bots]
    if guide.seats[0] != YOU or strangers:
        named = ", ".join(strangers) or guide.seats[0]
        return [
            Wrong(guide.file, at_start, f"the first seat is yours and the others are for bots, not {named}")
        ]
    try:
        match = Match(program, len(guide.seats), guide.seed, guide.options, engine=engine)
        for step in guide.steps:
            if not _to_first(match, guide):
                return [Wrong(guide.file, step.line, f"the match is over before '{step.choose}'")]
            assert match.decision is not None
            offered = [option.text for option in match.decision.options]
            if step.choose not in offered:
                some = "; ".join(offered[:6])
                return [Wrong(guide.file, step.line, f"'{step.choose}' is not on offer, but: {some}")]
            match.choose(offered.index(step.choose))
    except MatchError as problem:
        return [Wrong(guide.file, at_start, str(problem))]
    return []


def _to_first(match: Match, guide: Guide) -> bool:
    """Let the others choose until it is the first seat's turn; False when the match ends."""
    for _ in range(LONGEST):
        if match.decision is None or match.decision.seat == 0:
            break
        match.choose(think(match, guide.seats[match.decision.seat]))
    return match.decision is not None and match.decision.seat == 0
