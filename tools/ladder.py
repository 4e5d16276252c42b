"""How well the players of each shipped book do, on fresh seeds: the table in docs/players.md.

In:  names of books or none for all; --matches N for easy and medium, --hard N for hard; --seed; --out FILE.
Out: rows in Markdown: who against whom, matches, share of points with its 95 % interval, and what its lower
     end should be; on the error channel the same rows as they grow. With --out every row is kept as it
     grows, so that a ladder can be stopped and gone on with, and --minutes ends it at the next piece; --table
     only prints it. With --early a row ends at a look where it is clear on which side of its goal it is;
     there are four looks, and all intervals are widened for that.

Where everybody at the table wins together nobody can be met: there a level is shown above the one below by
the difference of their shares, each on seeds of its own.

Levels think in lines, not in time, so a busy machine only makes this slower, not the players weaker. How many
lines stand for how many milliseconds of a quiet core is in `values.json` beside each book.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright import load, shelf
from rulewright.ir.program import Program
from rulewright.lab import Run, simulate
from rulewright.lab.intervals import USUAL, Interval, corrected, share
from rulewright.lab.report import from_json, points_interval, to_json

HARDEST = {"vigil": {"Encounter": "Vault of the Warden", "Difficulty": "veteran"}, "p52": {"Quest": "One"}}
SEATS = {"vigil": 4}
ORDER = ("penance-1", "raven-road", "penance-2", "vigil", "p52")
"""Quick books first."""
PIECES = {"hard": 2, "medium": 10, "easy": 20}
PIECE = 400
"""Matches between two writings of the file, by the slowest player at the table, or where all are quick."""
LOOKS = (8, 4, 2, 1)
"""With --early: after this part of the matches it is looked whether more are needed."""
APART = 1_000_000
"""How far apart the seeds of two players are that are compared without meeting."""
LADDER = ("random", "easy", "medium", "hard")
GOALS = {
    "penance-1 medium, Hunter": 0.70,
    "penance-1 medium, Warden": 0.55,
    "penance-1 hard, Hunter": 0.78,
    "penance-1 hard, Warden": 0.65,
    "penance-2 medium, Duelist": 0.80,
    "penance-2 hard, Duelist": 0.90,
    "raven-road medium": 0.45,
    "raven-road hard": 0.65,
    "vigil hard": 0.78,
}
"""What the lower end of an interval should reach; of other pairs it should be more than a half."""
TIMES = {"p52 hard": 1.3}
"""The same as a multiple of the strategy's share; `medium` should reach that share itself."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    book: str
    players: tuple[str, ...]
    seats: tuple[str, ...]
    wanted: int

    @property
    def key(self) -> str:
        """Under which it is kept."""
        return f"{self.book} {', '.join(self.players)}"

    @property
    def piece(self) -> int:
        """How many matches are played before the file is written again."""
        return min((PIECES.get(name, PIECE) for name in self.players), default=PIECE)


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


def goal(row: Row, program: Program, runs: dict[str, Run]) -> float | None:
    """What the lower end of the row's interval should reach; None where nothing is asked of it."""
    if row.key in GOALS:
        return GOALS[row.key]
    if row.players == ("easy", "random"):
        return 0.6
    if len(row.players) == 2:
        return 0.5
    played = [runs[key] for name in program.sheet.strategies if (key := f"{row.book} {name}") in runs]
    if row.players[0] in ("medium", "hard") and played:
        return TIMES.get(row.key, 1.0) * max(part(run) for run in played)
    return None


def part(run: Run) -> float:
    """Share of points of the first name."""
    return run.points[0] / run.matches


def interval(run: Run, z: float) -> Interval:
    """Of the first name's share: from groups of one seed; Wilson's where matches are alone or all won."""
    if run.setting.rotations == 1 or part(run) in (0.0, 1.0) or run.matches < 3 * run.setting.rotations:
        return share(run.points[0], run.matches, z)
    return points_interval(run, z)


def told(row: Row, run: Run, wish: float | None, z: float) -> str:
    """The row in Markdown."""
    low, high = interval(run, z)
    asked = "" if wish is None else f"{wish:.3f}: {verdict(low, high, wish)}"
    words = (
        f"{row.book} | {', '.join(row.players)} | {run.matches} | {part(run):.3f} | {low:.3f} to {high:.3f}"
    )
    return f"| {words} | {asked} |"


def verdict(low: float, high: float, wish: float) -> str:
    """Whether a goal is reached."""
    return "holds" if low >= wish else "fails" if high < wish else "open"


def compared(program: Program, runs: dict[str, Run], z: float) -> Iterator[str]:
    """Where nobody meets: each level above the one below, the difference of their shares."""
    for below, above in itertools.pairwise(LADDER):
        both = [runs.get(f"{program.name} {name}") for name in (above, below)]
        if both[0] is None or both[1] is None:
            continue
        (high, more), (low, less) = ((part(run), interval(run, z)) for run in both if run is not None)
        # Newcombe: the intervals of both shares, put together.
        down = high - low - math.hypot(high - more[0], less[1] - low)
        up = high - low + math.hypot(more[1] - high, low - less[0])
        words = f"{program.name} | {above} over {below} | | {high - low:+.3f} | {down:+.3f} to {up:+.3f}"
        yield f"| {words} | 0: {verdict(down, up, 0)} |"


def grown(row: Row, program: Program, seed: int, before: Run | None, jobs: int) -> Iterator[Run]:
    """The run of a row, piece by piece."""
    run = before
    while row.wanted and (run is None or run.matches < row.wanted):
        until = min(row.wanted, (run.matches if run else 0) + row.piece)
        options = HARDEST.get(row.book)
        run = simulate(program, until, row.seats, options, seed, jobs=jobs, listen=False, before=run)
        yield run


def clear(row: Row, run: Run, wish: float | None, z: float) -> bool:
    """Whether a row is at one of its looks, and on one side of its goal."""
    looks = {-(-row.wanted // (many * row.piece)) * row.piece for many in LOOKS}
    return wish is not None and run.matches in looks and verdict(*interval(run, z), wish) != "open"


@dataclass(slots=True)
class Kept:
    """Runs as they were left, in a file or nowhere."""

    path: Path | None
    texts: dict[str, str]

    def keep(self, key: str, run: Run) -> None:
        """Write a run down."""
        self.texts[key] = to_json(run)
        if self.path is not None:
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps(self.texts), "utf-8")
            new.replace(self.path)  # whoever ends it here loses one piece, not the file


def climb(program: Program, wish: argparse.Namespace, kept: Kept) -> None:
    """Play and print the rows of a book."""
    z = corrected(len(LOOKS)) if wish.early else USUAL
    runs: dict[str, Run] = {}
    for number, row in enumerate(rows(program, wish.matches, wish.hard)):
        run = from_json(program, kept.texts[row.key]) if row.key in kept.texts else None
        wanted = not wish.only or {*wish.only.split(",")} <= {*row.players}
        aim = goal(row, program, runs)
        if wanted and not wish.table and not (wish.early and run and clear(row, run, aim, z)):
            seed = wish.seed + number * APART if run is None else run.setting.seed
            for more in grown(row, program, seed, run, wish.jobs):
                run = more
                kept.keep(row.key, run)
                print(told(row, run, aim, z), file=sys.stderr, flush=True)
                if time.monotonic() > wish.end:
                    return
                if wish.early and clear(row, run, aim, z):
                    break
        if run is not None:
            runs[row.key] = run
            if wanted:
                print(told(row, run, aim, z), flush=True)
    if program.seats[0] == 1:
        for line in compared(program, runs, z):
            print(line, flush=True)


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
    parser.add_argument("--minutes", type=float, default=math.inf, help="end after so long")
    parser.add_argument("--early", action="store_true", help="end a row when it is clear")
    parser.add_argument("--table", action="store_true", help="print what --out holds, play nothing")
    wish = parser.parse_args()
    wish.end = time.monotonic() + 60 * wish.minutes
    kept = Kept(wish.out, {})
    if wish.out is not None and wish.out.exists():
        kept.texts = json.loads(wish.out.read_text("utf-8"))
    known = {entry.name for entry in shelf()}
    print(
        "| book | players | matches | points of the first | 95 % interval | goal |\n|---|---|---|---|---|---|"
    )
    for name in wish.books or [*ORDER, *sorted(known - {*ORDER})]:
        program = load(name)
        if not program.rules_only and time.monotonic() < wish.end:
            climb(program, wish, kept)


if __name__ == "__main__":
    main()
