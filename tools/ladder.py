"""How well the players of each shipped book do, on fresh seeds: the table in docs/players.md.

In:  names of books or none for all; --matches N for easy and medium, --hard N for hard; --seed.
Out: rows in Markdown: who against whom, matches, share of points with its 95 % interval.

Levels think in lines that stand for 50 ms on one core and 500 ms on two cores of a quiet machine; a clock
cuts in at three times that, so run this on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import time

from rulewright import load, shelf
from rulewright.lab import simulate
from rulewright.lab.report import points_interval

HARDEST = {"vigil": {"Encounter": "Custodian's Hall", "Difficulty": "veteran"}, "p52": {"Quest": "One"}}
SEATS = {"vigil": 4}


def pairs(strategies: tuple[str, ...], alone: bool) -> list[tuple[str, ...]]:
    """Who meets whom; where all seats win together, who does how well."""
    if alone:
        return [("random",), *((name,) for name in strategies), ("easy",), ("medium",), ("hard",)]
    ladder = [("easy", "random"), ("medium", "easy"), ("hard", "medium")]
    return [*ladder, *((level, name) for name in strategies for level in ("medium", "hard"))]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("books", nargs="*")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--hard", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", default="", help="only rows with this player")
    wish = parser.parse_args()
    print(
        f"Seeds from {wish.seed}.\n\n"
        "| book | players | matches | points of the first | 95 % interval |\n|---|---|---|---|---|"
    )
    for entry in shelf():
        program = load(entry.name)
        if program.rules_only or (wish.books and entry.name not in wish.books):
            continue
        alone = program.seats[0] == 1
        for names in pairs(program.sheet.strategies, alone):
            if wish.only and wish.only not in names:
                continue
            count = wish.hard if "hard" in names else wish.matches
            table = names * SEATS.get(entry.name, 1) if alone else names
            run = simulate(program, count, table, HARDEST.get(entry.name), wish.seed, jobs=2, listen=False)
            low, high = points_interval(run)
            share = f"{run.points[0] / run.matches:.3f} | {low:.3f} to {high:.3f}"
            print(f"| {entry.name} | {', '.join(names)} | {run.matches} | {share} |", flush=True)


if __name__ == "__main__":
    main()
