"""One step from Python: the low-level API, a Match that is told numbers, and OpenSpiel where it is installed.

In:  Programs.
Out: microseconds of processor time a step, the median of several rounds; starting the next match when one has
     ended is not timed. OpenSpiel is looked for here and in build/spiel (`make spiel`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from rulewright.engine import Game
from rulewright.ir.program import Program
from rulewright.native import NativeEngine
from rulewright.play.match import Match

STEPS, LONGEST, ROUNDS = 3000, 300, 5
ROOT = Path(__file__).resolve().parent.parent
CLASSICS = {"tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four", "hearts": "hearts"}
"""Books of tests/classics, and what OpenSpiel calls the same game."""


def timed(begin: Callable[[int], Callable[[Callable[[], float]], bool]]) -> float:
    """Microseconds a step. `begin` starts a match and gives what takes one step in it, False at its end."""

    def once() -> float:
        chance, done, spent, seed = Random(1).random, 0, 0.0, 0
        while done < STEPS:
            step, seed = begin(seed), seed + 1
            began = time.process_time()
            for _ in range(LONGEST):
                if not step(chance):
                    break
                done += 1
            spent += time.process_time() - began
        return spent / done * 1e6

    return median(once() for _ in range(ROUNDS))


def low_level(program: Program) -> float:
    game = Game(program)

    def begin(seed: int) -> Callable[[Callable[[], float]], bool]:
        state = game.start(seed=seed)

        def step(chance: Callable[[], float]) -> bool:
            if not state.count:
                return False
            state.apply(int(chance() * state.count))
            return True

        return step

    return timed(begin)


def match(program: Program) -> float:
    def begin(seed: int) -> Callable[[Callable[[], float]], bool]:
        played = Match(program, seed=seed, engine=NativeEngine)
        engine: Any = played.engine

        def step(chance: Callable[[], float]) -> bool:
            count = engine.offers()
            if not count:
                return False
            played.choose(int(chance() * count))
            return True

        return step

    return timed(begin)


def open_spiel(name: str) -> float | None:
    """The same with one of OpenSpiel's games, or None where it is not installed."""
    if find_spec("pyspiel") is None:
        sys.path += map(str, ROOT.glob("build/spiel/lib/python*/site-packages"))
    if find_spec("pyspiel") is None:
        return None
    game: Any = import_module("pyspiel").load_game(name)
    deal = Random(1).choice

    def begin(_: int) -> Callable[[Callable[[], float]], bool]:
        state: Any = game.new_initial_state()
        while state.is_chance_node():  # the deal, which our matches have behind them when they begin
            state.apply_action(deal(state.legal_actions()))

        def step(chance: Callable[[], float]) -> bool:
            if state.is_terminal():
                return False
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
            return True

        return step

    return timed(begin)


def beside_open_spiel(program: Program, name: str, turns: int = 3) -> tuple[float, float] | None:
    """One step of the low-level API and one of OpenSpiel, the best of some turns; None without OpenSpiel."""
    ours, theirs = list[float](), list[float]()
    for _ in range(turns):
        rate = open_spiel(name)
        if rate is None:
            return None
        theirs.append(rate)
        ours.append(low_level(program))
    return min(ours), min(theirs)
