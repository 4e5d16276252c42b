"""The command `simulate`: play a book very many times.

In:  a book, who plays, how many matches.
Out: what came of it, on the screen and as JSON.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from rulewright import load
from rulewright.cli.books import BookName
from rulewright.cli.console import Problem, console, read_bytes, write_bytes
from rulewright.cli.options import Choices, Seed, read_options
from rulewright.cli.runs import told
from rulewright.ir.program import Program
from rulewright.lab import report
from rulewright.lab.compare import compare
from rulewright.lab.simulate import Run, Setting, setting, simulate
from rulewright.play.faults import MatchError

WATCHED = 2.0
"""Seconds between two looks at a run that is watched."""
MOST_DIFFERENT = 20


def simulate_book(
    book: BookName,
    matches: Annotated[int, typer.Option("--matches", metavar="N", help="How many matches.")] = 1000,
    seats: Annotated[
        list[str] | None,
        typer.Option(
            "--seats",
            metavar="A,B",
            help="Who plays, with commas: random, a bot of the book, easy, medium, hard, or module:player.",
        ),
    ] = None,
    option: Choices = None,
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option("--jobs", metavar="J", help="How many matches at a time.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--json", metavar="OUT", help="Write everything that was counted here.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show the numbers while they grow.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in OUT, if there is one.")
    ] = False,
    before: Annotated[
        Path | None,
        typer.Option("--before", metavar="RUN.json", help="Say what is different from an earlier run."),
    ] = None,
) -> None:
    """Play a book very many times and say what came of it.

    Names are exchanged among the seats: each seed is played once with everybody at each place. One name
    sits everywhere; without --seats the book's own bot does. Ctrl-C ends the run with what there is.

    Examples: `rulewright simulate mygame.md`, `rulewright simulate mygame.md --seats medium,random --jobs 2`
    """
    _require_place(out, resume)
    program = load(book)
    names = [word.strip() for text in seats or [] for word in text.split(",") if word.strip()]
    begun = (
        report.from_json(program, read_bytes(out)) if resume and out is not None and out.exists() else None
    )
    earlier = None if before is None else run_head(before)
    screen = console()
    try:
        run = _watched(screen, program, matches, names, read_options(option), seed, jobs, begun, watch)
    except ValueError as error:
        raise Problem(str(error)) from None
    _kept_and_told(screen, run, out)
    if earlier is not None:
        _say_different(screen, earlier, run)
    if run.matches < run.asked:
        screen.print(f"stopped after {run.matches} of {run.asked} matches")
    if run.faults:
        raise Problem(
            f"the rules failed in {run.faults} of {run.matches} matches, "
            f"first in match {report.summary(run)['fault_match']}"
        )


def _require_place(out: Path | None, resume: bool) -> None:
    """Say it before anything is played."""
    if resume and out is None:
        raise Problem("--resume goes on with the file that --json names")
    if out is not None and not out.parent.is_dir():
        raise Problem(f"cannot write {out}: there is no folder {out.parent}")


def _kept_and_told(screen: Console, run: Run, out: Path | None) -> None:
    try:
        if out is not None:
            write_bytes(out, report.to_json(run).encode())
    finally:  # what was played is told even where it cannot be kept
        for part in told(run):
            screen.print(part)


def _say_different(screen: Console, earlier: dict[str, Any], run: Run) -> None:
    try:
        different = compare(earlier, report.summary(run))
    except ValueError:
        raise Problem("--before takes a file that `simulate --json` wrote") from None
    screen.print("different from the earlier run:" if different else "as the earlier run, as far as it shows")
    for row in different[:MOST_DIFFERENT]:
        screen.print(f"  {row}")


def _watched(
    screen: Console,
    program: Program,
    matches: int,
    names: list[str],
    options: dict[str, str],
    seed: int,
    jobs: int,
    before: Run | None,
    watch: bool,
) -> Run:
    """Run, and say how far it is; with `watch`, piece by piece with all numbers."""
    bar = Text("")
    shown = Live(bar, console=screen, refresh_per_second=4, transient=True) if screen.is_terminal else None
    began, start = time.monotonic(), 0 if before is None else before.matches

    def progress(done: int, all_: int) -> None:
        spent = max(1e-6, time.monotonic() - began)
        rate = (done - start) / spent
        line = f"{done:,} of {all_:,} matches, {_rate(rate)}, {_time((all_ - done) / max(rate, 1e-9))} left"
        if shown is not None:
            shown.update(Group(*told(run), Text(line)) if run is not None else Text(line))

    run: Run | None = before
    if shown is None:
        return simulate(program, matches, names, options, seed, jobs, None, before=before)
    with shown:
        if not watch:
            return simulate(program, matches, names, options, seed, jobs, progress, before=before)
        step = 100
        while True:
            until = min(matches, (run.matches if run else 0) + step)
            clock = time.monotonic()
            run = simulate(program, until, names, options, seed, jobs, progress, before=run)
            step = max(1, int(step * WATCHED / max(0.01, time.monotonic() - clock)))
            if run.matches >= matches or run.matches < run.asked:
                return Run(run.setting, max(matches, run.asked), run.sums, run.seconds)


def _rate(matches: float) -> str:
    """How many matches a second; or an hour, where one takes long."""
    return (
        f"{matches:,.0f}/s"
        if matches >= 10
        else f"{matches:.1f}/s"
        if matches >= 1
        else f"{3600 * matches:,.0f}/h"
    )


def _time(seconds: float) -> str:
    """So long, in units that people use."""
    minutes, rest = divmod(round(min(seconds, 10**9)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def run_head(file: Path, name: str = "") -> dict[str, Any]:
    """What a run was of: a file that `--json` wrote, or a run by its name in a report of `balance`."""
    data = read_bytes(file)
    found = re.search(rb'<script id="runs" type="application/json">(.*?)</script>', data, re.S)
    try:
        rows: Any = json.loads(found[1]) if found else [json.loads(data)]
        row = next((row for row in rows if not found or row["name"] == name), None)
        if row is None:
            known = ", ".join(str(row["name"]) for row in rows)
            raise Problem(f"{file} has no run '{name}'; it has {known}, as in {file.name}:plain:0")
        return {"report": found is not None, **row, "book": str(row["book"])}
    except (ValueError, TypeError, KeyError):
        raise Problem(f"{file} is not a run, or it is damaged") from None


def opened(program: Program, file: Path, number: int, head: dict[str, Any]) -> tuple[Setting, int]:
    """A match of a run, by its number. Raises a Problem when the run has none of this number."""
    try:
        if head["report"]:
            if head["program"] != program.digest:
                raise MatchError(f"the report is of another version of {program.title}")
            table, matches = (
                setting(program, head["seats"], head["options"], seed=head["seed"]),
                head["matches"],
            )
        else:
            run = report.from_json(program, read_bytes(file))
            table, matches = run.setting, run.matches
    except (MatchError, KeyError, TypeError, ValueError) as error:
        raise Problem(str(error)) from None
    if not 0 <= number < matches:
        raise Problem(f"{file} has matches 0 to {matches - 1}, not {number}")
    return table, number
