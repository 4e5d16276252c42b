"""The command `balance`: is a book balanced?

In:  a book.
Out: one HTML file with the verdict, and its findings on the screen.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live
from rich.text import Text

from rulewright import load
from rulewright.cli.books import BookName
from rulewright.cli.console import Problem, console, write_bytes
from rulewright.cli.options import Choices, Seed, read_options
from rulewright.lab.balance import balance
from rulewright.lab.findings import findings
from rulewright.lab.page import page, require_altair, verdict

MINUTES = (0.05, 600.0)
TONES = {"good": "green", "look": "yellow", "bad": "red", "note": "dim"}


def balance_book(
    book: BookName,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the report goes; NAME-balance.html.")
    ] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", metavar="M", help="How long it may take, about, on a quiet machine.")
    ] = 3.0,
    option: Choices = None,
    seats: Annotated[
        int | None, typer.Option("--seats", metavar="N", help="How many seats; the fewest, if not said.")
    ] = None,
    seed: Seed = 0,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="J", help="How many matches at a time; one for each core.")
    ] = None,
) -> None:
    """Say whether a book is balanced, in one HTML file.

    Very many matches by the book's own bot, a ladder of players from random to hard, and a close look at
    some positions: is there an edge by seat or by what is played with, does better play win, how long does it
    take, how does it end, how much is there to choose, what never happens? It reads without a network.

    Examples: `rulewright balance mygame.md`, `rulewright balance mygame.md --minutes 10 --out report.html`
    """
    require_altair()
    if not MINUTES[0] <= minutes <= MINUTES[1]:
        raise Problem(f"--minutes takes {MINUTES[0]:g} to {MINUTES[1]:g}, not {minutes:g}")
    program = load(book)
    least, most = program.seats
    if seats is not None and not least <= seats <= most:
        raise Problem(f"{program.title} has {least} to {most} seats, not {seats}")
    screen = console()
    bar = Live(Text(""), console=screen, refresh_per_second=4, transient=True) if screen.is_terminal else None
    began = time.monotonic()

    def progress(word: str, done: int, all_: int) -> None:
        line = f"{word}: {done} of {all_}, {time.monotonic() - began:.0f} s of about {60 * minutes:.0f}"
        if bar is not None:
            bar.update(Text(line))

    workers = jobs if jobs is not None else min(2, os.cpu_count() or 1)
    if not 1 <= workers <= 64:
        raise Problem(f"a report has from 1 to 64 jobs, not {workers}")
    if bar is not None:
        bar.start()
    try:
        found = balance(program, read_options(option), seed, minutes, workers, seats, progress)
        text = page(found)
    finally:
        if bar is not None:
            bar.stop()
    file = out if out is not None else Path(f"{program.name}-balance.html")
    write_bytes(file, text.replace("REPORT.html", file.name).encode())
    said = findings(found)
    screen.print(verdict(found, said), style="bold")
    for finding in said:
        screen.print(Text(finding.text, style=TONES[finding.tone]))
    screen.print(f"{file}: {time.monotonic() - began:.0f} s")
