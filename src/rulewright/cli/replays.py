"""The command `replay`: step through a saved match, verify it, explain it.

In:  a file that `save` wrote, and its book.
Out: screens, one a choice; or the whole log; or one line that says whether it still holds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from rulewright.book.text.told import filled
from rulewright.cli.books import front_of
from rulewright.cli.console import Problem, console, read_bytes, write_bytes
from rulewright.cli.screen import LogLine, draw, log_lines
from rulewright.cli.simulate import opened, run_head
from rulewright.cli.terminal import Book, reader, replayed
from rulewright.cli.why import why
from rulewright.compiler import book_texts, compile_book
from rulewright.ir.program import Program
from rulewright.lab.again import again
from rulewright.native.engine import NativeEngine
from rulewright.play.chance import commitment as promised
from rulewright.play.replay import Replay
from rulewright.play.results import standing
from rulewright.play.setup import resolve_seed
from rulewright.play.together import unseated
from rulewright.shelf import find, shelf

HELP = "Enter: next choice; b: back; a number: go to that choice; why: the rule behind the last event; log; q"


def replay_match(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A match that was saved.")] = None,
    book: Annotated[
        str | None, typer.Option("--book", metavar="BOOK", help="Its book, if it is not one that ships.")
    ] = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Only play it again, on both engines, and say whether it ends in the same state."
        ),
    ] = False,
    commitment: Annotated[
        str | None,
        typer.Option(
            "--commitment",
            metavar="HASH",
            help="Say whether its seed was promised by this; with --verify, check the match too.",
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Only print the whole log.")] = False,
    of: Annotated[
        str | None,
        typer.Option("--of", metavar="RUN.json:N", help="Match N of a run that `simulate --json` wrote."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Only write it, for the page to open.")
    ] = None,
) -> None:
    """Step through a saved match, choice by choice.

    A saved match is a seed and the choices that were made, so it can be played again at any time, with the
    same book, to the same state. Enter goes on, `b` goes back, `why` quotes the rule behind the last event.

    Examples: `rulewright replay game.json`, `rulewright replay game.json --verify --book mygame.md`
    """
    if (file is None) == (of is None):
        raise Problem("name a file that was saved, or a match of a run with --of RUN.json:N")
    replay = Replay.from_json(read_bytes(file)) if file is not None else _of_run(of or "", book)
    if save is not None:
        write_bytes(save, replay.to_json().encode())
        return
    if commitment is not None:
        if promised(resolve_seed(replay.seed)) != commitment.strip().lower():
            raise Problem("the seed of this match is not the one that was promised at its opening")
        console().print("The seed of this match is the one that was promised at its opening.")
        if not verify:
            return
    found = find_book(replay, book)
    out = console(None if sys.stdout.isatty() else 100)
    if verify:
        state = replay.verify(found.program)
        if replay.verify(found.program, NativeEngine) != state:
            raise Problem("the engines end in different states")
        out.print(f"{len(replay.choices)} choices, the same final state {state:016x} on both engines")
    elif show:
        _show(out, found.program, replay)
    else:
        step_through(out, found, replay)


def _show(out: Console, program: Program, replay: Replay) -> None:
    """The whole log, and how it ended."""
    match = replayed(program, replay)
    out.print(f"{replay.title}, seed {replay.seed}, {', '.join(replay.players)}")
    for line in log_lines(match, None):
        out.print(line.shown())
    if match.result is not None:
        names = (f"{name}{standing(match.result, i)}" for i, name in enumerate(replay.players))
        out.print(f"ended: {match.result.ending}, scores {match.result.scores}: {', '.join(names)}")


def _of_run(words: str, book: str | None) -> Replay:
    """A match of a run: `RUN.json:N`, or `REPORT.html:RUN:N`."""
    name, _, number = words.rpartition(":")
    if not name or not number.isdigit():
        raise Problem(f"'{words}' is no match of a run; write --of RUN.json:N")
    file, _, word = name.rpartition(":")
    if not file or Path(name).exists():
        file, word = name, ""
    head = run_head(Path(file), word)
    program = compile_book(find(book if book is not None else head["book"]))
    table, match = opened(program, Path(file), int(number), head)
    return again(table, match)


def find_book(replay: Replay, name: str | None) -> Book:
    """The book of a replay: the one that is named, or the shipped one with its title."""
    if name is not None:
        paths = [find(name)]
    else:
        paths = [
            entry.path for entry in shelf() if front_of(entry.path).get("title", entry.name) == replay.title
        ]
        if not paths:
            raise Problem(f"no book that ships is called '{replay.title}'; name its file with --book")
    program = compile_book(paths[0])
    if program.digest != replay.program:
        raise Problem(f"the match was played with another version of {program.title}, or with another book")
    return Book(program, filled(book_texts(paths[0]), program.sheet.told))


def step_through(out: Console, book: Book, replay: Replay) -> None:
    """Screens as a spectator sees them."""
    at, ask = 0, reader(out)
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    match = replayed(book.program, replay, at)
    while True:
        title = f"{book.program.title}   choice {at} of {len(replay.choices)}"
        lines = log_lines(match, None)
        drawn = draw(out, match, None, lines, out.height if screen else None, title)
        if screen:
            out.clear()
        for line in drawn:
            out.print(line, no_wrap=True, overflow="ellipsis", crop=True)
        if at < len(replay.choices) and match.decision is not None:
            said, number = unseated(replay.choices[at])
            seat = match.decision.seat if said is None else said
            decision = match.decision_of(seat) or match.decision
            option = decision.options[number]
            out.print(Text(f"next: {match.players[seat]} takes {option.index + 1} {option.text}"))
        word = _command(out, ask, book, lines)
        if word == "q":
            return
        wanted = int(word) if word.isdigit() else at - 1 if word == "b" else at + 1
        if wanted > len(replay.choices):
            out.print("That was the last choice.")
            return
        wanted = max(0, wanted)
        if wanted == at + 1:
            match.choose(replay.choices[at])
        elif wanted != at:
            match = replayed(book.program, replay, wanted)
        at = wanted


def _command(out: Console, ask: Callable[[str], str], book: Book, lines: Sequence[LogLine]) -> str:
    """What to do next: a number, `b`, `q`, or nothing to go on. Explanations are given right here."""
    while True:
        try:
            word = ask("Enter, b, why, log, help, q > ").strip().casefold()
        except EOFError:
            return "q"
        match word:
            case "" | "b":
                return word
            case "q" | "quit":
                return "q"
            case "why":
                last = next((line for line in reversed(lines) if line.site > 0), None)
                for text in why(book.program, book.texts, last.text, last.site) if last else ():
                    out.print(text)
            case "log":
                for line in lines:
                    out.print(line.shown())
            case _ if word.isdigit():
                return word
            case _:
                out.print(HELP)
