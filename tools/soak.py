"""Play a book very many times on the native engine and print how the matches end.

In:  BOOK, and perhaps --matches, --bot, --option NAME=WORD, --seats, --seed.
Out: a row for each setting and ending with its share and 95% interval, and the longest match; a fault makes
     the run fail, after the seeds it happened with have been printed.

Several words of an option and several numbers of seats are played one after the other, so many matches each:

    python tools/soak.py vigil --matches 20000 --bot "Steady Hand" --option "Encounter=Drowned Relay"
    python tools/soak.py BOOK --matches 1250 --seats 1-4 --option "Quest=One,Two,Three,Four"
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright import BookError, ShelfError, load
from rulewright.ir.program import DECISIONS, FAULTED, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.faults import Fault, MatchError
from rulewright.play.setup import option_slots, resolve_options


def interval(hits: int, total: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share."""
    z, p = 1.96, hits / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return middle - half, middle + half


@dataclass
class Tally:
    """What became of the matches of one setting."""

    ends: Counter[str] = field(default_factory=Counter[str])
    decisions: int = 0
    longest: int = 0
    faults: list[str] = field(default_factory=list[str])


def play(program: Program, seats: int, options: dict[str, str], policy: int, seeds: range) -> Tally:
    """The matches of one setting."""
    engine, tally = NativeEngine(program), Tally()
    engine.record(False)
    slots, ending = option_slots(program, options), program.sheet.result["ending"]
    for seed in seeds:
        try:
            engine.start(seats, seed, slots)
            engine.advance()
            engine.playout(seed, [policy] * seats)
        except Fault as fault:
            tally.faults.append(f"seed {seed}: {fault.where(program.sheet.sites)}")
            continue
        if engine.peek(STATUS) == FAULTED:
            tally.faults.append(f"seed {seed}: the rules failed")
            continue
        tally.ends[program.sheet.endings[engine.peek(ending) - 1]] += 1
        tally.decisions += engine.peek(DECISIONS)
        tally.longest = max(tally.longest, engine.peek(DECISIONS))
    return tally


def report(name: str, tally: Tally) -> None:
    """Rows of one setting."""
    total, faults = tally.ends.total(), len(tally.faults)
    mean = tally.decisions / max(1, total)
    print(
        f"{name}: {total} matches, {mean:.1f} decisions each, {tally.longest} at most, {faults} faults",
        flush=True,
    )
    for ending, hits in tally.ends.most_common():
        low, high = interval(hits, total)
        share = f"{100 * hits / total:6.2f} %   95% interval {100 * low:.2f} to {100 * high:.2f} %"
        print(f"  {ending:24} {hits:8} {share}", flush=True)
    for fault in tally.faults[:10]:
        print(f"  {fault}", file=sys.stderr, flush=True)


def settings(program: Program, given: list[str]) -> Iterator[dict[str, str]]:
    """Every combination of the words that were asked for."""
    pairs = [text.split("=", 1) for text in given]
    for words in itertools.product(*(pair[1].split(",") for pair in pairs)):
        yield resolve_options(
            program, {pair[0]: word.strip() for pair, word in zip(pairs, words, strict=True)}
        )


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("book")
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--seats", default="", metavar="N or LOW-HIGH")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bot", default="random")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=WORD,WORD")
    wish = parser.parse_args()
    try:
        program = load(wish.book)
    except (BookError, ShelfError) as problem:
        print(problem, file=sys.stderr)
        return 2
    names = ("random", *program.sheet.strategies)
    if wish.bot not in names:
        print(f"the bots of this book are {', '.join(names)}", file=sys.stderr)
        return 2
    low, _, high = (wish.seats or str(program.seats[0])).partition("-")
    try:
        chosen = list(settings(program, wish.option))
        tables = range(int(low), int(high or low) + 1)
    except (MatchError, ValueError, IndexError) as problem:
        print(problem, file=sys.stderr)
        return 2
    asked = [text.split("=", 1)[0].casefold() for text in wish.option]
    print(f"{program.title}, {wish.bot}", flush=True)
    played = faults = 0
    for options, seats in itertools.product(chosen, tables):
        words = [f"{name} {word}" for name, word in options.items() if name.casefold() in asked]
        seeds = range(wish.seed, wish.seed + wish.matches)
        tally = play(program, seats, options, names.index(wish.bot), seeds)
        report(", ".join([*words, f"{seats} seat{'s' if seats > 1 else ''}"]), tally)
        played, faults = played + wish.matches, faults + len(tally.faults)
    print(f"{played} matches in all, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
