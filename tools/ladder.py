"""How well the players of each shipped book do, on fresh seeds: the table in docs/players.md.

In:  names of books or none for all; --matches N for easy and medium, --hard N for hard; --seed of new rows.
Out: rows in Markdown: who against whom, matches of those that are wanted, share of points with its 95 %
     interval, and what its lower end should be; how many matches are missing, and how long they will take.
     On the error channel the rows as they grow.

Rows grow in bench/ladder.jsonl (--out): whoever starts this goes on where it was left, with the most wanted
rows in turns, by the time they had, then with all others; --minutes or an interruption ends it at the next
piece. A row starts afresh when the book or the code that decides has changed (see `tally`); until then the
table tells what older players did, and says so. --table only prints. With --early a row ends at a look where
it is clear on which side of its goal it is; there are four looks, and all intervals are widened for that.

Where everybody at the table wins together nobody can be met: there a level is shown above the one below by
the difference of their shares, each on seeds of its own.

Levels think in lines, not in time, so a busy machine only makes this slower, not the players weaker. How many
lines stand for how many milliseconds of a quiet core is in `values.json` beside each book.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tally import Kept, Sum, piece, version

from rulewright import load, shelf
from rulewright.ir.program import Program
from rulewright.lab import simulate
from rulewright.lab.intervals import USUAL, corrected

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "bench" / "ladder.jsonl"
HARDEST = {"vigil": {"Encounter": "Vault of the Warden", "Difficulty": "veteran"}, "p52": {"Quest": "One"}}
SEATS = {"vigil": 4}
CLASSICS = {"love-letter": ("hard", "random")}
"""Books of tests/classics with a row that takes longer than `make classics` has time for."""
ORDER = ("penance-1", "raven-road", "penance-2", "vigil", "p52", *CLASSICS)
"""Quick books first."""
FIRST = (
    "vigil Steady Hand",
    "vigil hard",
    "vigil medium",
    "love-letter hard, random",
    "p52 Old Hand",
    "p52 hard",
    "p52 medium",
    "vigil easy",
)
"""What is wanted most: before everything else, in turns."""
PIECES = {"hard": 2, "medium": 10, "easy": 20}
PIECE = 400
"""Matches between two writings of the file, by the slowest player at the table, or where all are quick."""
LOOKS = (8, 4, 2, 1)
"""With --early: after this part of the matches it is looked whether more are needed."""
APART = 1_000_000
"""How far apart the seeds of two rows are: players are compared that do not meet."""
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
    "love-letter hard, random": 0.95,
}
"""What the lower end of an interval should reach; of other pairs it should be more than a half."""
TIMES = {"p52 hard": 1.3}
"""The same as a multiple of the strategy's share; `medium` should reach that share itself."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    program: Program
    players: tuple[str, ...]
    seats: tuple[str, ...]
    wanted: int

    @property
    def key(self) -> str:
        """Under which it is kept."""
        return f"{self.program.name} {', '.join(self.players)}"

    @property
    def options(self) -> Mapping[str, str]:
        """How the book is set up."""
        return HARDEST.get(self.program.name, {})

    @property
    def version(self) -> str:
        """What its matches depend on."""
        return version(self.program, self.players, sorted(self.options.items()))

    @property
    def piece(self) -> int:
        """How many matches are played before the file is written again."""
        return min((PIECES.get(name, PIECE) for name in self.players), default=PIECE)


@dataclass(frozen=True, slots=True)
class Told:
    """A row and what is known of it; `old` where only older players have played it."""

    row: Row
    sum: Sum
    old: bool = False

    @property
    def missing(self) -> int:
        """Matches that are wanted and not there."""
        return max(0, self.row.wanted - (0 if self.old else self.sum.matches))


def rows(program: Program, matches: int, hard: int) -> Iterator[Row]:
    """Who meets whom; where all seats win together, who does how well."""
    strategies = program.sheet.strategies
    if program.name in CLASSICS:
        # So near its goal that fewer would not tell, and quick.
        yield Row(program, CLASSICS[program.name], CLASSICS[program.name], 10 * matches)
        return
    if program.seats[0] == 1:
        for name in ("random", *strategies, "easy", "medium", "hard"):
            native = name == "random" or name in strategies
            wanted = 10 * matches if native else hard if name == "hard" else matches
            yield Row(program, (name,), (name,) * SEATS.get(program.name, 1), wanted)
        return
    met = [("medium", name) for name in reversed(strategies)]
    ladder = [("easy", "random"), ("medium", "easy"), ("hard", "medium")]
    for pair in (*met, *ladder, *(("hard", name) for name in strategies)):
        yield Row(program, pair, pair, hard if "hard" in pair else matches)


def goal(row: Row, known: Mapping[str, Told]) -> float | None:
    """What the lower end of the row's interval should reach; None where nothing is asked of it."""
    if row.key in GOALS:
        return GOALS[row.key]
    if row.players == ("easy", "random"):
        return 0.6
    if len(row.players) == 2:
        return 0.5
    keys = [f"{row.program.name} {name}" for name in row.program.sheet.strategies]
    played = [known[key].sum.part for key in keys if key in known and known[key].sum.matches]
    if row.players[0] in ("medium", "hard") and played:
        return TIMES.get(row.key, 1.0) * max(played)
    return None


def line(told: Told, wish: float | None, z: float) -> str:
    """The row in Markdown."""
    row, (low, high) = told.row, told.sum.interval(z)
    asked = "" if wish is None else f"{wish:.3f}: {verdict(low, high, wish)}"
    many = f"{told.sum.matches}" + (f" of {row.wanted}" if told.sum.matches < row.wanted else "")
    words = f"{row.program.name} | {', '.join(row.players)} | {many} | {told.sum.part:.3f}"
    return f"| {words} | {low:.3f} to {high:.3f} | {asked}{' (older players)' if told.old else ''} |"


def verdict(low: float, high: float, wish: float) -> str:
    """Whether a goal is reached."""
    return "holds" if low >= wish else "fails" if high < wish else "open"


def compared(name: str, known: Mapping[str, Told], z: float) -> Iterator[str]:
    """Where nobody meets: each level above the one below, the difference of their shares."""
    for below, above in itertools.pairwise(LADDER):
        both = [known.get(f"{name} {player}") for player in (above, below)]
        if both[0] is None or both[1] is None or not both[0].sum.matches or not both[1].sum.matches:
            continue
        (high, more), (low, less) = ((t.sum.part, t.sum.interval(z)) for t in both if t is not None)
        # Newcombe: the intervals of both shares, put together.
        down = high - low - math.hypot(high - more[0], less[1] - low)
        up = high - low + math.hypot(more[1] - high, low - less[0])
        old = " (older players)" if both[0].old or both[1].old else ""
        words = f"{name} | {above} over {below} | | {high - low:+.3f} | {down:+.3f} to {up:+.3f}"
        yield f"| {words} | 0: {verdict(down, up, 0)}{old} |"


def known_of(row: Row, kept: Kept) -> Told:
    """What the file says of a row: of today's players, or of older ones where they have not played."""
    own = kept.of(row.key, row.version)
    old = kept.other(row.key, row.version)
    return Told(row, own) if own.matches or not old.matches else Told(row, old, old=True)


def clear(row: Row, some: Sum, wish: float | None, z: float) -> bool:
    """Whether a row is at one of its looks, and on one side of its goal."""
    looks = {-(-row.wanted // (many * row.piece)) * row.piece for many in LOOKS}
    return wish is not None and some.matches in looks and verdict(*some.interval(z), wish) != "open"


def grow(row: Row, kept: Kept, seed: int, jobs: int) -> Told:
    """Play one more piece of a row and write it down."""
    have = kept.of(row.key, row.version).matches
    began = time.process_time()
    first = kept.next_seed(row.key, row.version, seed)
    many = min(row.piece, row.wanted - have)
    run = simulate(row.program, many, row.seats, row.options, first, jobs=jobs, listen=False)
    if run.matches:
        kept.add(piece(row.key, row.version, run, round(time.process_time() - began, 1)))
    if run.matches < run.asked:
        raise KeyboardInterrupt
    return known_of(row, kept)


def next_row(rows_: list[Row], known: Mapping[str, Told]) -> Row | None:
    """Of those that are wanted most whoever had the least time so far, so that a slow one does not keep the
    quick ones waiting; then one after the other."""
    open_ = [row for row in rows_ if known[row.key].missing]
    first = [row for row in open_ if row.key in FIRST]
    if first:
        return min(first, key=lambda row: 0 if known[row.key].old else known[row.key].sum.seconds)
    return open_[0] if open_ else None


def climb(wanted: list[Row], known: dict[str, Told], kept: Kept, wish: argparse.Namespace) -> None:
    """Play what is missing until it is there or the time is over."""
    z = corrected(len(LOOKS)) if wish.early else USUAL
    fresh = {row.key: wish.seed + number * APART for number, row in enumerate(wanted)}
    left = list(wanted)
    while time.monotonic() < wish.end and (row := next_row(left, known)):
        aim = goal(row, known)
        if wish.early and clear(row, kept.of(row.key, row.version), aim, z):
            left.remove(row)
            continue
        known[row.key] = grow(row, kept, fresh[row.key], wish.jobs)
        print(line(known[row.key], aim, z), file=sys.stderr, flush=True)


def table(wanted: list[Row], known: dict[str, Told], z: float) -> Iterator[str]:
    """All rows in Markdown, book by book."""
    yield "| book | players | matches | points of the first | 95 % interval | goal |"
    yield "|---|---|---|---|---|---|"
    for name, some in itertools.groupby(wanted, key=lambda row: row.program.name):
        told = [known[row.key] for row in some]
        yield from (line(t, goal(t.row, known), z) for t in told if t.sum.matches)
        if told[0].row.program.seats[0] == 1:
            yield from compared(name, known, z)


def missing(told: list[Told], kept: Kept) -> Iterator[str]:
    """How many matches are missing, and how long they will take, in hours of one core."""
    hours, unknown = 0.0, 0
    for t in told:
        if not t.missing:
            continue
        pace = t.sum if t.sum.matches else kept.other(t.row.key, t.row.version)
        each = pace.seconds / pace.matches if pace.matches else None
        if each is None:
            unknown += t.missing
        hours += (each or 0.0) * t.missing / 3600
        words = (
            "nobody has timed them" if each is None else f"about {each * t.missing / 60:.0f} min of a core"
        )
        yield f"{t.row.key}: {t.missing} of {t.row.wanted} matches are missing; {words}"
    total = sum(t.missing for t in told)
    more = f" without {unknown} that nobody has timed" if unknown else ""
    yield f"{total} matches are missing in all: about {hours:.1f} hours of one core{more}"


def wished() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("books", nargs="*")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--hard", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="only rows with this player, or these with a comma")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--minutes", type=float, default=math.inf, help="end after so long")
    parser.add_argument("--early", action="store_true", help="end a row when it is clear")
    parser.add_argument("--table", action="store_true", help="print what there is, play nothing")
    wish = parser.parse_args()
    wish.end = time.monotonic() + 60 * wish.minutes
    return wish


def main() -> None:
    """Play and print."""
    wish = wished()
    shelved = {entry.name for entry in shelf()}
    names = wish.books or [*ORDER, *sorted(shelved - {*ORDER})]
    programs = [load(ROOT / "tests" / "classics" / f"{n}.md" if n in CLASSICS else n) for n in names]
    every = [row for p in programs if not p.rules_only for row in rows(p, wish.matches, wish.hard)]
    try:
        kept = Kept(wish.out)
    except (ValueError, KeyError, TypeError) as error:
        sys.exit(f"{wish.out} cannot be read: {error}")
    known = {row.key: known_of(row, kept) for row in every}
    asked = [row for row in every if not wish.only or {*wish.only.split(",")} <= {*row.players}]
    if not wish.table:
        try:
            with kept.held():
                climb(asked, known, kept, wish)
        except BlockingIOError:
            sys.exit(f"somebody else plays into {wish.out}")
        except KeyboardInterrupt:
            known |= {row.key: known_of(row, kept) for row in every}
    for text in table(asked, known, corrected(len(LOOKS)) if wish.early else USUAL):
        print(text)
    print()
    for text in missing([known[row.key] for row in asked], kept):
        print(text)


if __name__ == "__main__":
    main()
