"""How well the players do at games that everybody knows (`tests/classics`), beside OpenSpiel if it is there.

In:  names of rows or none for all; --scale to play fewer or more; --seed of the first match.
Out: a line for each row with its numbers: see docs/players.md.

Levels think in lines without a clock. The comparison with OpenSpiel needs `build/spiel`, an environment with
open_spiel (`make spiel`); processor time of both sides is measured in the same run, in turns.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulewright import Match, Program, load
from rulewright.lab import simulate
from rulewright.lab.intervals import share
from rulewright.lab.report import points_interval
from rulewright.native.engine import NativeEngine
from rulewright.play.chance import fnv1a
from rulewright.players.bots import Decider, Position, decider, position, position_of
from rulewright.players.gametree import game_tree, holds
from rulewright.players.levels import Level
from rulewright.players.search import Budget, think
from rulewright.players.solve import Policy, exploitability, solve

ROOT = Path(__file__).resolve().parents[1]
SPIEL = ROOT / "build" / "spiel" / "bin" / "python"


def classic(name: str) -> Program:
    """A book of tests/classics."""
    return load(ROOT / "tests" / "classics" / f"{name}.md")


def told(row: str, text: str, began: float) -> None:
    """Print a row."""
    print(f"{row}: {text} ({time.process_time() - began:.0f} s of processor time)", flush=True)


def tic_tac_toe(scale: float, seed: int) -> None:
    """Losses of a search of 5,000 lines: against random, and against itself."""
    began, program = time.process_time(), classic("tic-tac-toe")
    for other, many in (("random", 10_000), ("search-5000", 10_000)):
        count = max(2, int(many * scale))
        run = simulate(program, count, ["search-5000", other], seed=seed, jobs=1, listen=False)
        lost = run.wins[1]
        if other != "random":
            lost += run.wins[0]
        told("tic-tac-toe", f"search-5000 against {other}: {lost} lost of {run.matches}", began)


def pig(scale: float, seed: int) -> None:
    """A tenth of a second against holding at 20, and the share with its interval."""
    began, program = time.process_time(), classic("pig")
    count = max(2, int(2000 * scale))
    run = simulate(program, count, ["search-2000", "Hold at 20"], seed=seed, listen=False)
    low, high = points_interval(run)
    share_ = run.points[0] / run.matches
    told(
        "pig",
        f"search-2000 against Hold at 20: {share_:.3f} ({low:.3f} to {high:.3f}) of {run.matches}",
        began,
    )


def love_letter(scale: float, seed: int) -> None:
    """Against random, to seven tokens."""
    began, program = time.process_time(), classic("love-letter")
    count = max(2, int(400 * scale))
    run = simulate(program, count, ["medium", "random"], seed=seed, listen=False)
    low, high = share(run.wins[0], run.matches)
    text = (
        f"medium against random: {run.wins[0] / run.matches:.3f} ({low:.3f} to {high:.3f}) of {run.matches}"
    )
    told("love-letter", text, began)


def kuhn(scale: float, seed: int) -> None:
    """How much the best answers gain against each player, in chips."""
    began, program = time.process_time(), classic("kuhn-poker")
    tree = game_tree(program, 2, pays=holds(program, "Chips"))
    assert tree is not None
    told("kuhn-poker", f"solved for chips: {exploitability(tree, solve(tree)):.4f} chips", began)
    for name in ("random", "easy", "medium", "hard"):
        player = decider(program, name)
        if isinstance(player, Level):
            player = replace(player, budget=replace(player.budget, milliseconds=math.inf, cores=1))
        policy = asked(program, player, tree.samples, range(seed, seed + max(20, int(400 * scale))))
        told("kuhn-poker", f"{name}: {exploitability(tree, policy):.3f} chips", began)


def asked(program: Program, player: Decider, samples: dict[str, bytes], times: range) -> Policy:
    """How often a player takes which option, asked with many seeds."""
    engine = NativeEngine(program)
    found: Policy = {}
    for info, state in samples.items():
        engine.load(state)
        now = position_of(engine, 0)
        seen = Counter(player.decide(replace(now, seed=f"{number} {info}")) for number in times)
        found[info] = tuple(seen[option] / len(times) for option in range(now.options))
    return found


class Spiel:
    """OpenSpiel in a process of its own."""

    def __init__(self) -> None:
        words = [str(SPIEL), str(ROOT / "bench" / "spiel.py")]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, history: list[int], simulations: int) -> tuple[int, float]:
        """Its move, and the processor time it took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"history": history, "simulations": simulations}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return int(answer["action"]), float(answer["seconds"])


def ours(match: Match, lines: int) -> tuple[int, float]:
    """Our option, and the processor time it took."""
    began = time.process_time()
    option = think(position(match), Budget(lines, whole=True)).option
    return option, time.process_time() - began


def columns(now: Position) -> list[int]:
    """The column of each option."""
    return [offer[1] for offer in now.offers]


def connect_four(scale: float, seed: int) -> None:
    """Lines a second of both, then games with as many lines as give both the same processor time."""
    if not SPIEL.exists():
        print("connect-four: build/spiel is missing; `make spiel` makes it")
        return
    began, program, spiel = time.process_time(), classic("connect-four"), Spiel()
    match = Match(program, seed=1, engine="native")
    ours(match, 20_000)
    spiel.ask([], 20_000)
    rates: list[tuple[float, float]] = []
    for _ in range(max(3, int(10 * scale))):
        rates.append((50_000 / ours(match, 50_000)[1], 50_000 / spiel.ask([], 50_000)[1]))
    own, theirs = (sorted(column)[len(column) // 2] for column in zip(*rates, strict=True))
    told("connect-four", f"{own:,.0f} lines/s beside {theirs:,.0f}: {own / theirs:.2f} times", began)
    seconds = 0.05
    points, spent = 0.0, [0.0, 0.0]
    games = max(2, int(200 * scale))
    for game in range(games):
        points += played(program, spiel, seed + game, (int(own * seconds), int(theirs * seconds)), spent)
        if game % 20 == 19 or game == games - 1:
            low, high = share(points, game + 1)
            text = f"{points / (game + 1):.3f} ({low:.3f} to {high:.3f}) of {game + 1} games"
            told("connect-four", f"{text}, {spent[0]:.0f} s against {spent[1]:.0f} s", began)


def played(program: Program, spiel: Spiel, game: int, lines: tuple[int, int], spent: list[float]) -> float:
    """One game, ours first in even ones; our points."""
    match = Match(program, seed=fnv1a(f"classic {game}".encode()) % 2**62, engine="native")
    history: list[int] = []
    own_seat = game % 2
    while match.decision is not None:
        now = position(match)
        if now.seat == own_seat:
            option, seconds = ours(match, lines[0])
            spent[0] += seconds
        else:
            column, seconds = spiel.ask(history, lines[1])
            option = columns(now).index(column)
            spent[1] += seconds
        history.append(columns(now)[option])
        match.choose(option)
    assert match.result is not None
    return {1: 1.0, 2: 0.5}.get(match.result.scores[own_seat], 0.0)


ROWS = {
    "kuhn-poker": kuhn,
    "love-letter": love_letter,
    "pig": pig,
    "connect-four": connect_four,
    "tic-tac-toe": tic_tac_toe,
}


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=900_001)
    wish = parser.parse_args()
    for name, row in ROWS.items():
        if not wish.rows or name in wish.rows:
            row(wish.scale, wish.seed)


if __name__ == "__main__":
    main()
