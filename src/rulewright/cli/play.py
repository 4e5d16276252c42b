"""The command `play`: set up a table and sit down.

In:  a book, who sits where, a seed, options.
Out: a table in the browser, or a match at the terminal.
"""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from rulewright.book.text.told import filled
from rulewright.cli.books import front_of, is_framework
from rulewright.cli.console import Problem, console, read_bytes
from rulewright.cli.options import Choices, read_options
from rulewright.cli.serve import play_in_browser
from rulewright.cli.terminal import YOU, Book, TerminalTable, reader
from rulewright.compiler import book_texts, compile_book
from rulewright.ir.program import Program
from rulewright.play.keepsake import Keepsake, keeps_of
from rulewright.play.match import Match
from rulewright.play.setup import require_playable, resolve_options, with_scenario
from rulewright.players import bots
from rulewright.shelf import find, shelf

Named = Annotated[
    str | None,
    typer.Argument(
        metavar="[BOOK]",
        help="A book that ships, or the path of a Markdown file; without it the shelf opens.",
    ),
]
InTerminal = Annotated[bool, typer.Option("--terminal", help="Play in this terminal.")]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Only print the address; open no browser.")]
Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        metavar="WHO",
        help="Who sits at each seat, with commas: `you`, random, easy, medium, hard, a bot of the book",
    ),
]
SameSeed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="The same seed and choices give the same match.")
]
Scenario = Annotated[
    str | None, typer.Option("--scenario", metavar="NAME", help="Which of the book's scenarios.")
]
Carried = Annotated[
    Path | None,
    typer.Option("--carried", metavar="FILE", help="What was kept from an earlier match; with --terminal."),
]
Keep = Annotated[
    Path | None,
    typer.Option(
        "--keep", metavar="FILE", help="Where to keep what is carried over, at the end; with --terminal."
    ),
]


def play_book(
    book: Named = None,
    terminal: InTerminal = False,
    no_open: NoOpen = False,
    seat: Seats = None,
    seed: SameSeed = None,
    option: Choices = None,
    scenario: Scenario = None,
    carried: Carried = None,
    keep: Keep = None,
) -> None:
    """Play a book: in the browser, or with --terminal right here.

    The browser's table is served from this machine to this machine only, until Ctrl-C.

    At the terminal every screen shows the turn order, the map, the sheets of those in play, what just
    happened with the rules it follows, and your legal options by number. Type `help` there; `why` explains
    the last event, `why not ACTION` what keeps an action from you.

    Examples: `rulewright play mygame.md`, `rulewright play mygame.md --terminal --seed 7`
    """
    if not terminal and book is None:
        play_in_browser(None, None, not no_open)
        return
    path = _meant(book)
    if sys.stdout.isatty():
        console().print(f"Reading {path.name} ...")
    program = compile_book(path)
    require_playable(program)
    settings = resolve_options(program, with_scenario(program, read_options(option), scenario))
    brought = Keepsake.from_json(read_bytes(carried)) if carried is not None else None
    company = int(front_of(path).get("company", 0)) if brought is None else len(brought.actors)
    players = read_seats(program, seat or [], company)
    if keep is not None:
        keeps_of(program)
    if not terminal:
        if carried is not None or keep is not None:
            raise Problem("--carried and --keep need --terminal")
        wished = seat or option or seed is not None or scenario is not None
        wish = {"seats": browser_seats(players), "options": settings, "seed": seed}
        play_in_browser(path, wish if wished else None, not no_open)
        return
    number = secrets.randbelow(1_000_000) if seed is None else seed
    match = Match(program, seat_names(players), number, settings, carried=brought)
    _at_terminal(path, match, players, str(keep) if keep is not None else "")


def _meant(book: str | None) -> Path:
    """The book that is named, or the first on the shelf that can be played."""
    names = [entry.name for entry in shelf() if not is_framework(front_of(entry.path))]
    if book is None and not names:
        raise Problem("name a book; the shelf is empty")
    return find(book if book is not None else names[0])


def _at_terminal(path: Path, match: Match, players: list[str], keep: str) -> None:
    out, program = console(None if sys.stdout.isatty() else 100), match.program
    texts = filled(book_texts(path), program.sheet.told)
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    table = TerminalTable(Book(program, texts), match, players, out, reader(out), screen=screen, keep=keep)
    out.print(f"{program.title}, seed {match.seed}")
    table.run()


def browser_seats(players: list[str]) -> list[dict[str, str]]:
    """The same seats for the server: the first person is you, others get links."""
    found: list[dict[str, str]] = []
    for who in players:
        people = any(seat["kind"] == "you" for seat in found)
        if who == YOU:
            found.append({"kind": "invite"} if people else {"kind": "you", "name": "You"})
        else:
            found.append({"kind": "bot", "bot": who})
    return found


def read_seats(program: Program, given: list[str], wanted: int = 0) -> list[str]:
    """Who sits where. Seats that nobody was named for get the book's first bot, or a random one.

    `wanted`: how many seats it should be when nobody is named.
    """
    known = (YOU, *bots.seatable(program))
    named = [word.strip() for text in given for word in text.split(",") if word.strip()]
    found: list[str] = []
    for word in named:
        who = next((name for name in known if name.casefold() == word.casefold()), None)
        if who is None:
            raise Problem(f"nobody is called '{word}'; a seat is for {', '.join(known)}")
        found.append(who)
    bot = program.sheet.strategies[0] if program.sheet.strategies else bots.RANDOM
    low, high = program.seats
    if len(found) > high:
        raise Problem(f"{program.title} has at most {high} seats, not {len(found)}")
    least = low if found else max(low, min(wanted, high))
    return [*found, *([YOU] if not found else []), *[bot] * (least - max(1, len(found)))]


def seat_names(players: list[str]) -> list[str]:
    """Names for the log: one person is You, several are numbered, and so are bots."""
    people = players.count(YOU)
    names: list[str] = []
    for number, who in enumerate(players, start=1):
        if who == YOU:
            names.append("You" if people == 1 else f"Player {number}")
        else:
            names.append(
                f"{who.capitalize()} bot" if players.count(who) == 1 else f"{who.capitalize()} bot {number}"
            )
    return names
