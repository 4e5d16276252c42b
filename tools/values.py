"""Learn what positions of a book are worth, and how fast it is searched: `books/NAME/values.json`.

In:  names of books on the shelf, or none for all of them.
Out: a file beside each book; a line on the screen with how well the weights predict held-out matches.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import replace

from rulewright import load, shelf
from rulewright.ir.program import DECISION, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.setup import option_slots, resolve_options
from rulewright.players.bots import position_of
from rulewright.players.learn import learn
from rulewright.players.search import Budget, think
from rulewright.players.values import FILE, Setting, Values, write

VARIED = {"vigil": ("Encounter", "Difficulty"), "p52": ("Quest",)}
"""Settings that change what is played so much that the weights should have met all of them."""
SEATS = {"vigil": 4}
WHOLE = ("p52",)
"""Books whose weights tell spectators who is ahead, but do not hold in a search: one that asked them
after 15 decisions won less than the strategy that it is built from, one that plays on to the end won more."""
SPECIAL = {"p52": (("Quest", "One", 40, 0.25),)}
"""Settings that have weights of their own, from matches with that setting alone, after how many decisions
a race asks them, and how hasty `medium` is there (see HASTY). Over 214 positions of Quest One differences
between options came out the same after 40 decisions as at the end of the quest (slope 1.04), with a spread of
0.12 a round instead of 0.46."""
SPECIAL_MATCHES, SPECIAL_SEED = 2500, 4242
STRAY = 0.05
"""Choices at random in those matches: their weights judge positions of a search, which strays little."""
HASTY = {"vigil": 0.85}
"""Where sixteen lines are enough to win nearly always: how often `medium` leaves a choice to the strategy."""
MATCHES = 1500
NO_OPTIONS: Mapping[str, str] = {}


def special(program: Program, values: Values, seats: int) -> dict[Setting, Values]:
    """What is learned of single settings."""
    found: dict[Setting, Values] = {}
    for option, word, cut, hasty in SPECIAL.get(program.name, ()):
        made = learn(program, SPECIAL_MATCHES, seats, {option: word}, SPECIAL_SEED, stray=STRAY)
        made = replace(made, playout=values.playout, cut=cut, hasty=hasty, race=True)
        found[option, word] = replace(made, lines=pace(program, made, seats, {option: word}))
        print(f"{program.name}, {word}: skill {made.skill:.3f}, {found[option, word].lines} lines/ms")
    return found


def pace(program: Program, values: Values, seats: int, options: Mapping[str, str] = NO_OPTIONS) -> int:
    """Lines a millisecond of processor time on one core: the median over decisions of some matches."""
    engine = NativeEngine(program)
    engine.record(False)
    found: list[float] = []
    for seed in range(7, 12):
        engine.start(seats, seed, option_slots(program, resolve_options(program, options)))
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
        made = replace(made, special=special(program, made, seats))
        write(entry.path.parent / FILE, made, book=entry.name, matches=MATCHES)
        print(
            f"{entry.name}: skill {made.skill:.3f}, {made.lines} lines/ms, {len(made.weights)} weights",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
