"""How large the parts of a report are: numbers of matches that fit into its time.

In:  a Program, how long a match is, how many minutes the whole may take.
Out: `Plan`.

Time is reckoned, not measured (decisions, lines, lines a millisecond as `values.json` has them), so a report
of the same book is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.lab.better import A_MATCH
from rulewright.players.bots import RANDOM
from rulewright.players.levels import USUAL_LINES, Level, hard, medium
from rulewright.players.values import values_of

DECISIONS = 300_000
"""Decisions of the book's own strategy that fit into a minute's share of the plain run."""
PLAIN = (200, 20_000)
MOST, LEAST, FEWEST = 400, 24, 8
"""Matches between searching players; below the least a shorter search is taken, below the fewest none."""
SHARE = {"medium": 9_000.0, "hard": 30_000.0, "self": 6_000.0, "looks": 3_000.0}
"""Milliseconds of one core, for each minute of the report."""
TRIALS, SPOTS = 32, (10, 300)
"""Where no search fits: of each choice that is weighed, and matches that choices are taken from."""
SHORTEST = 20
LOOKS = (8, 48)
NO_OPTIONS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Rung:
    """A player of the ladder and how many matches it plays against the rung below."""

    player: str
    matches: int


@dataclass(frozen=True, slots=True)
class Weighed:
    """Single choices of a player instead of whole matches: so many lines each, at positions of so many
    matches."""

    player: str
    lines: int
    matches: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is played: `plain` matches of the book's own player, the ladder from below, matches of the
    best affordable search with itself, and positions that are looked at closely with so many lines."""

    base: str
    plain: int
    ladder: tuple[Rung, ...]
    self_play: Rung | None
    looks: int
    look_lines: int
    left_out: tuple[str, ...]
    """Players that the time is too short for."""
    weighed: Weighed | None = None
    """What is looked at instead where that is all of them."""


def base_player(program: Program) -> str:
    """Who plays the bulk of matches: the strategy that the search builds on, or chance."""
    known = program.sheet.strategies
    playout = values_of(program).playout
    return playout if playout in known else known[0] if known else RANDOM


def plan(
    program: Program, decisions: float, names: int, minutes: float, options: Mapping[str, str] = NO_OPTIONS
) -> Plan:
    """For matches of so many decisions, with so many different names at a table (1 where all win as one)."""
    base = base_player(program)
    chosen = list(options.items())
    lines = values_of(program).at(chosen).lines or USUAL_LINES
    plain = int(min(max(DECISIONS * minutes / max(1.0, decisions), PLAIN[0]), PLAIN[1]))
    rungs = [Rung(name, plain // 4) for name in (RANDOM, *program.sheet.strategies)]
    rungs.sort(key=lambda rung: (rung.player != RANDOM, rung.player == base))
    left: list[str] = []
    for maker in (medium, hard):
        level = maker(program).at(chosen)
        cost = decisions / names * level.budget.lines / lines
        found = int(SHARE[level.name] * minutes / max(0.01, cost))
        both = int((SHARE["medium"] + SHARE["hard"]) * minutes / max(0.01, cost))
        if found >= LEAST:
            rungs.append(Rung(level.name, min(MOST, found) // names * names))
        elif level.name == "medium" and both >= LEAST:
            # In a long book one level with an interval that says something, rather than two without.
            rungs.append(Rung(level.name, LEAST // names * names))
            left.append("hard")
        elif level.name == "medium":
            short = _shorter(decisions / names, lines, SHARE["medium"] * minutes)
            left.append(level.name)
            if short is not None:
                rungs.append(short)
        elif found >= FEWEST and not left:
            rungs.append(Rung(level.name, found // names * names))
        elif level.name not in left:
            left.append(level.name)
    best = next((rung for rung in reversed(rungs) if rung.player in ("medium",) or "-" in rung.player), None)
    own = None
    if names > 1 and best is not None:
        budget = (
            medium(program).at(chosen).budget.lines
            if best.player == "medium"
            else int(best.player.split("-")[1])
        )
        found = int(SHARE["self"] * minutes / max(0.01, decisions * budget / lines))
        own = Rung(best.player, min(MOST, found)) if found >= FEWEST else None
    look = 60 * lines
    looks = int(min(max(SHARE["looks"] * minutes / 60, LOOKS[0]), LOOKS[1]))
    weighed = None if best is not None else _weighed(program, hard(program).at(chosen), lines, minutes)
    return Plan(base, plain, tuple(rungs), own, looks, max(100, look), tuple(left), weighed)


def _weighed(program: Program, level: Level, lines: int, minutes: float) -> Weighed | None:
    """Single choices of the hardest player, where there is a strategy to play on by."""
    found = int(SHARE["hard"] * minutes * lines / level.budget.lines / A_MATCH)
    if not program.sheet.strategies or found < SPOTS[0]:
        return None
    return Weighed(level.name, level.budget.lines, min(found, SPOTS[1]))


def _shorter(decisions: float, lines: int, share: float) -> Rung | None:
    """A search that the time is enough for."""
    budget = int(share / LEAST / max(0.01, decisions) * lines)
    return Rung(f"search-{budget}", LEAST) if budget >= SHORTEST else None
