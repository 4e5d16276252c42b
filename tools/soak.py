"""Play a book very many times on the native engine and print how the matches end.

In:  BOOK, and perhaps --matches, --bot, --option NAME=WORD, --seats, --seed.
Out: a row for each ending with its share and 95% interval; a fault makes the run fail.

    python tools/soak.py vigil --matches 20000 --bot "Steady Hand" --option "Encounter=Drowned Relay"
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter

import rulewright.native  # noqa: F401  (makes the native engine known)
from rulewright import load
from rulewright.ir.program import DECISIONS, FAULTED, STATUS
from rulewright.native.engine import NativeEngine
from rulewright.play.faults import Fault
from rulewright.play.setup import option_slots, resolve_options


def interval(hits: int, total: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share."""
    z, p = 1.96, hits / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return middle - half, middle + half


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("book")
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--seats", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bot", default="random")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=WORD")
    wish = parser.parse_args()
    program = load(wish.book)
    names = ("random", *program.sheet.strategies)
    if wish.bot not in names:
        print(f"the bots of this book are {', '.join(names)}", file=sys.stderr)
        return 2
    options = resolve_options(program, dict(pair.split("=", 1) for pair in wish.option))
    slots = option_slots(program, options)
    seats = wish.seats or program.seats[0]
    engine = NativeEngine(program)
    engine.record(False)
    policies = [names.index(wish.bot)] * seats
    ends: Counter[str] = Counter()
    decisions = 0
    for seed in range(wish.seed, wish.seed + wish.matches):
        try:
            engine.start(seats, seed, slots)
            engine.advance()
            engine.playout(seed, policies)
        except Fault as fault:
            print(f"seed {seed}: {fault}", file=sys.stderr)
            return 1
        if engine.peek(STATUS) == FAULTED:
            print(f"seed {seed}: the rules failed", file=sys.stderr)
            return 1
        ends[program.sheet.endings[engine.peek(program.sheet.result["ending"]) - 1]] += 1
        decisions += engine.peek(DECISIONS)
    print(f"{program.title}: {wish.matches} matches, {decisions / wish.matches:.1f} decisions each, no fault")
    for ending, hits in ends.most_common():
        low, high = interval(hits, wish.matches)
        print(f"{ending:24} {hits:8} {100 * hits / wish.matches:6.2f} %   95% interval {100 * low:.2f} to {100 * high:.2f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
