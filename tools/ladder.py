"""How well the players of each shipped book do, on fresh seeds: the table in docs/players.md.

In:  names of books or none for all; --matches N for easy and medium, --hard N for hard; --seed; --out FILE.
Out: rows in Markdown: who against whom, matches, share of points with its 95 % interval. With --out every
     row is kept as it grows, so that a ladder can be stopped and gone on with; --table only prints it.

Levels think in lines, not in time, so a busy machine only makes this slower, not the players weaker. How many
lines stand for how many milliseconds of a quiet core is in `values.json` beside each book.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulewright import load, shelf
from rulewright.ir.program import Program
from rulewright.lab import Run, simulate
from rulewright.lab.intervals import share
from rulewright.lab.report import from_json, points_interval, to_json
from rulewright.players import levels
from rulewright.players.bots import offer_player

HARDEST = {"vigil": {"Encounter": "Vault of the Warden", "Difficulty": "veteran"}, "p52": {"Quest": "One"}}
SEATS = {"vigil": 4}
ORDER = ("penance-1", "raven-road", "penance-2", "vigil", "p52")
"""Quick books first."""
PIECE = 20
"""Matches between two looks at the file."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    book: str
    players: tuple[str, ...]
    seats: tuple[str, ...]
    wanted: int


def rows(program: Program, matches: int, hard: int) -> Iterator[Row]:
    """Who meets whom; where all seats win together, who does how well."""
    strategies = program.sheet.strategies
    if program.seats[0] == 1:
        for name in ("random", *strategies, "easy", "medium", "hard"):
            native = name == "random" or name in strategies
            wanted = 10 * matches if native else hard if name == "hard" else matches
            yield Row(program.name, (name,), (name,) * SEATS.get(program.name, 1), wanted)
        return
    met = [("medium", name) for name in reversed(strategies)]
    ladder = [("easy", "random"), ("medium", "easy"), ("hard", "medium")]
    for pair in (*met, *ladder, *(("hard", name) for name in strategies)):
        yield Row(program.name, pair, pair, hard if "hard" in pair else matches)


def untimed() -> None:
    """Let levels think their lines to the end, however long it takes, on one core each."""
    for maker in (levels.easy, levels.medium, levels.hard):

        def made(program: Program, maker: Any = maker) -> levels.Level:
            level = maker(program)
            return replace(level, budget=replace(level.budget, milliseconds=math.inf))

        offer_player(maker.__name__, made)


def told(row: Row, run: Run) -> str:
    """The row in Markdown."""
    low, high = points_interval(run)
    part = run.points[0] / run.matches
    if part in (0.0, 1.0) or run.matches < 3:
        low, high = share(run.points[0], run.matches)
    return f"| {row.book} | {', '.join(row.players)} | {run.matches} | {part:.3f} | {low:.3f} to {high:.3f} |"


def grown(row: Row, program: Program, seed: int, before: Run | None, jobs: int) -> Iterator[Run]:
    """The run of a row, piece by piece."""
    run = before
    while row.wanted and (run is None or run.matches < row.wanted):
        until = min(row.wanted, (run.matches if run else 0) + PIECE)
        options = HARDEST.get(row.book)
        run = simulate(program, until, row.seats, options, seed, jobs=jobs, listen=False, before=run)
        yield run


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("books", nargs="*")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--hard", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="only rows with this player, or these with a comma")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", action="store_true", help="print what --out holds, play nothing")
    wish = parser.parse_args()
    untimed()
    kept: dict[str, str] = {}
    if wish.out is not None and wish.out.exists():
        kept = json.loads(wish.out.read_text("utf-8"))
    known = {entry.name for entry in shelf()}
    print("| book | players | matches | points of the first | 95 % interval |\n|---|---|---|---|---|")
    for name in wish.books or [*ORDER, *sorted(known - {*ORDER})]:
        program = load(name)
        if program.rules_only:
            continue
        for row in rows(program, wish.matches, wish.hard):
            if wish.only and not {*wish.only.split(",")} <= {*row.players}:
                continue
            key = f"{row.book} {', '.join(row.players)}"
            run = from_json(program, kept[key]) if key in kept else None
            if not wish.table:
                seed = wish.seed if run is None else run.setting.seed
                for more in grown(row, program, seed, run, wish.jobs):
                    run = more
                    kept[key] = to_json(run)
                    if wish.out is not None:
                        wish.out.write_text(json.dumps(kept), "utf-8")
            if run is not None:
                print(told(row, run), flush=True)


if __name__ == "__main__":
    main()
