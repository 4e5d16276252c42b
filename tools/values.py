"""Learn what positions of a book are worth, and how fast it is searched: `books/NAME/values.json`.

In:  names of books on the shelf, or none for all of them.
Out: a file beside each book; a line on the screen with how well the weights predict held-out matches.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from rulewright import load, shelf
from rulewright.ir.program import DECISION, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.players.bots import position_of
from rulewright.players.learn import learn
from rulewright.players.search import Budget, think
from rulewright.players.values import FILE, Values, write

VARIED = {"vigil": ("Encounter", "Difficulty"), "p52": ("Quest",)}
"""Settings that change what is played so much that the weights should have met all of them."""
SEATS = {"vigil": 4}
WHOLE = ("p52",)
"""Books whose weights tell spectators who is ahead, but do not hold in a search: one that asked them
after 15 decisions won less than the strategy that it is built from, one that plays on to the end won more."""
HASTY = {"vigil": 0.85}
"""Where sixteen lines are enough to win nearly always: how often `medium` leaves a choice to the strategy."""
MATCHES = 1500


def pace(program: Program, values: Values, seats: int) -> int:
    """Lines a millisecond of processor time on one core: the median over decisions of some matches."""
    engine = NativeEngine(program)
    engine.record(False)
    found: list[float] = []
    for seed in range(7, 12):
        engine.start(seats, seed, {})
        engine.advance()
        step = 0
        while engine.peek(STATUS) == DECISION and step < 200:
            now = position_of(engine, seed)
            if step % 12 == 3 and now.options > 1:
                think(now, Budget(20), values)  # its tables are made once, not every time
                began = time.process_time()
                thought = think(now, Budget(100_000, 60, whole=True), values)
                found.append(thought.lines / (time.process_time() - began) / 1000)
            engine.choose(engine.policy(0) if program.sheet.strategies else step % now.options)
            engine.advance()
            step += 1
    return max(1, round(sorted(found)[len(found) // 2]))


def main(names: list[str]) -> None:
    """Learn and write."""
    for entry in shelf():
        if names and entry.name not in names:
            continue
        program = load(entry.name)
        if program.rules_only:
            continue
        seats = SEATS.get(entry.name, program.seats[0])
        made = learn(program, MATCHES, seats, vary=VARIED.get(entry.name, ()))
        made = replace(made, playout=program.sheet.strategies[-1] if program.sheet.strategies else "")
        if entry.name in WHOLE:
            made = replace(made, cut=0)
        made = replace(made, lines=pace(program, made, seats), hasty=HASTY.get(entry.name, 0.0))
        write(entry.path.parent / FILE, made, book=entry.name, matches=MATCHES)
        print(
            f"{entry.name}: skill {made.skill:.3f}, {made.lines} lines/ms, {len(made.weights)} weights",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
