"""Learn what positions of a book are worth, and how fast it is searched: `books/NAME/values.json`.

In:  names of books on the shelf, or none for all of them.
Out: a file beside each book; a line on the screen with how well the weights predict held-out matches.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from rulewright import load, shelf
from rulewright.ir.program import DECISION, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.players.bots import position_of
from rulewright.players.learn import learn
from rulewright.players.search import Budget, think
from rulewright.players.values import FILE, Values, write


def pace(program: Program, values: Values) -> int:
    """Lines a millisecond on one core: the median over decisions of a match."""
    engine = NativeEngine(program)
    engine.record(False)
    engine.start(program.seats[0], 7, {})
    engine.advance()
    found: list[float] = []
    while engine.peek(STATUS) == DECISION and len(found) < 25:
        thought = think(position_of(engine, 7), Budget(100_000, 60), values)
        found.append(thought.lines / thought.seconds / 1000)
        engine.choose(thought.option)
        engine.advance()
    return max(1, round(sorted(found)[len(found) // 2]))


def main(names: list[str]) -> None:
    """Learn and write."""
    for entry in shelf():
        if names and entry.name not in names:
            continue
        program = load(entry.name)
        if program.rules_only:
            continue
        made = learn(program)
        made = replace(made, playout=program.sheet.strategies[-1] if program.sheet.strategies else "")
        made = replace(made, lines=pace(program, made))
        write(entry.path.parent / FILE, made, book=entry.name, matches=400)
        print(
            f"{entry.name}: skill {made.skill:.3f}, {made.lines} lines/ms, {len(made.weights)} weights",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
