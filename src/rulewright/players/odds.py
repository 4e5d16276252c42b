"""What an option may bring: how likely, and how much, as the seat that decides can know it.

In:  a position, the numbers of options, how long it may take.
Out: `Odds` for each: what is sure to change, what may change with which chance and by how much.

What counts is everything up to the next decision, whoever's it is. Where nothing is hidden and few dice are
thrown, every way they can fall is gone through: then the numbers are exact. Otherwise states that the seat
cannot tell from the real one are sampled by native code (see `native.outer.sample`) with dice of their own.
Either way nothing in it depends on what the seat cannot see, nor on the dice that will really fall.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rulewright.ir.program import ENDED
from rulewright.ir.sheet import UNKNOWN
from rulewright.play.faults import MatchError
from rulewright.play.match import Match
from rulewright.players.bots import Position, position
from rulewright.players.paying import Paying, Price
from rulewright.players.spending import Spending, counters
from rulewright.players.trial import Bench, Row, bench_at
from rulewright.players.watched import END, NUMBER, PLACE, PLAY, SCORE, THING, Watched

MILLISECONDS = 200.0
RESTING = (0, 1)
"""Verbs that do nothing, in every book: pass and decline."""
LINES = 4000
"""Samples of an option that are enough: one part in a hundred is then known to about half a one."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that changes, or may: how likely, by how much on average (over all cases), from, to."""

    what: Watched
    chance: float
    mean: float
    low: int
    high: int
    """The least and the greatest change, when there is one."""
    values: tuple[tuple[int, float], ...]
    """What it is afterwards, with the chance of each, in order of the values."""
    before: int

    @property
    def sure(self) -> bool:
        """Whether it changes so, however the dice fall."""
        return len(self.values) == 1


@dataclass(frozen=True, slots=True)
class Odds:
    """What is known about one option. `lines`: ways the dice can fall that were looked at, or samples."""

    option: int
    exact: bool
    lines: int
    effects: tuple[Effect, ...]
    idle: bool = False
    """Nothing comes of it: everything stays as it is, and the same is asked again."""
    spends: tuple[str, ...] | None = None
    """Nothing comes of it but that the seat's own actors have less of these numbers, or have spent more as
    they count it; see `spending`."""
    costs: tuple[Price, ...] = ()
    """What it takes once the questions that it asks first are answered; see `paying`."""

    @property
    def sure(self) -> bool:
        """Whether nothing is left to chance, as far as was seen."""
        return self.lines > 0 and all(effect.sure for effect in self.effects)


def odds(
    match: Match, options: Sequence[int] | None = None, milliseconds: float = MILLISECONDS, lines: int = LINES
) -> tuple[Odds, ...]:
    """What each option (or each of those named) may bring. Raises MatchError when there is none such."""
    return odds_of(position(match), options, milliseconds, lines)


def odds_of(
    now: Position,
    options: Sequence[int] | None = None,
    milliseconds: float = MILLISECONDS,
    lines: int = LINES,
) -> tuple[Odds, ...]:
    """The same for a position that was taken out of its match."""
    wanted = range(now.options) if options is None else options
    if any(not 0 <= option < now.options for option in wanted):
        raise MatchError(f"there are {now.options} options, counted from 0")
    bench = bench_at(now)
    end = time.perf_counter() + milliseconds / 1000
    found: list[Odds] = []
    for done, option in enumerate(wanted):
        now_at = time.perf_counter()
        share = now_at + max(0.0, end - now_at) / (len(wanted) - done)
        found.append(_one(bench, option, share, lines))
    spending = Spending(bench, now.program, now.seat)
    own: list[int] = spending.own.tolist()
    paying = Paying(bench, now.program, own)
    return tuple(replace(_weighed(spending, now, one), costs=paying.of(one.option)) for one in found)


def _weighed(spending: Spending, now: Position, one: Odds) -> Odds:
    """With what it spends for nothing; asked only of what seems to bring nothing."""
    more = counters(now.program)
    losses = all(
        effect.sure and effect.what.sort == NUMBER and (effect.mean > 0) == (effect.what.field in more)
        for effect in one.effects
    )
    if one.idle or not one.lines or not losses or now.offers[one.option][0] in RESTING:
        return one
    return replace(one, spends=spending.of(one.option))


def _one(bench: Bench, option: int, end: float, lines: int) -> Odds:
    if bench.open.sure:
        began = time.perf_counter()
        cases = bench.enumerated(option, began + (end - began) / 2)
        if cases is not None:
            effects = _effects(bench, _merged(cases))
            idle = len(cases) == 1 and not effects and bench.asks_again()
            return Odds(option, True, len(cases), effects, idle)
    cases = [(row, 1.0) for row in bench.sampled(option, end, lines)]
    if not cases:
        return Odds(option, False, 0, ())
    return Odds(option, False, len(cases), _effects(bench, _merged(cases)))


def _merged(cases: list[tuple[Row, float]]) -> dict[Row, float]:
    """Each row once, with its share of the whole."""
    whole = sum(weight for _, weight in cases)
    found: dict[Row, float] = {}
    for row, weight in cases:
        found[row] = found.get(row, 0.0) + weight
    return {row: weight / whole for row, weight in found.items()}


def _effects(bench: Bench, cases: dict[Row, float]) -> tuple[Effect, ...]:
    """What changes, in the order of the rows."""
    table = np.frombuffer(b"".join(cases), np.int32).reshape(len(cases), len(bench.rows))
    weights = list(cases.values())
    found: list[Effect] = []
    for place in np.flatnonzero((table != bench.before).any(axis=0)).tolist():
        values: dict[int, float] = {}
        for value, weight in zip(table[:, place].tolist(), weights, strict=True):
            values[value] = values.get(value, 0.0) + weight
        made = _effect(bench.rows[place], int(bench.before[place]), sorted(values.items()))
        if made is not None:
            found.append(made)
    return tuple(found)


def _effect(row: Watched, before: int, values: list[tuple[int, float]]) -> Effect | None:
    if row.sort == END:  # a status is no number: what counts is whether the match is over
        over = sum(chance for value, chance in values if value == ENDED)
        values = [(0, 1.0 - over), (1, over)] if over else []
        before = 0
    changed = [(value, chance) for value, chance in values if value != before]
    if not changed:
        return None
    total = min(1.0, sum(chance for _, chance in changed))
    if row.sort in (THING, PLACE, PLAY, END, SCORE) or before == UNKNOWN:
        # Of a number that nobody has looked at yet it is only known what it is then.
        return Effect(row, total, 0.0, 0, 0, tuple(values), before)
    mean = sum((value - before) * chance for value, chance in changed)
    differences = [value - before for value, _ in changed]
    return Effect(row, total, mean, min(differences), max(differences), tuple(values), before)
