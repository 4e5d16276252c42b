"""Learn what positions of a book are worth, from matches that its strategies (or chance) play.

In:  a Program, options, how many matches.
Out: `Values` with weights that were fitted on most of the matches, and their skill on the others.

Every few decisions the features of each seat are written down, and in the end what the seat scored. Some
choices are taken at random, so that the weights have also seen positions that a strategy would not reach.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulewright.ir.program import DECISION, SEATS, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.faults import Fault
from rulewright.play.setup import option_slots, resolve_options
from rulewright.players.stakes import payoff
from rulewright.players.values import CUT, Feature, Values, all_options, feature_slots, option_features

STRAY = 0.15
HELD = 5
"""Every so many-th match is held out."""
LOOKS = 10
MET, LASTS = 0.02, 0.3
"""A number counts when it is met in so many of the positions, and when positions of one match that are a
tenth of it apart still have so much of it in common (as a correlation)."""
MISSING = -(1 << 29)

Array = Any
numpy: Any = np  # its types of sums and products are not worth their words here


def learn(
    program: Program,
    matches: int = 400,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    seed: int = 1,
    vary: Sequence[str] = (),
    stray: float = STRAY,
) -> Values:
    """Play, fit and test. `vary`: settings that are drawn anew for every match; `stray`: how many choices are
    taken at random. Every match counts the same, however long it took."""
    names, rows, scores, groups = _played(
        program, matches, seats or program.seats[0], options or {}, seed, vary, stray
    )
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    if not names or len(set(scores)) < 2:
        return Values(date=today)
    x, y = numpy.array(rows, float), numpy.array(scores, float)
    match = numpy.array(groups)
    held = match % HELD == 0
    share = 1 / numpy.bincount(match)[match]
    share /= share.mean()
    middle, spread = x[~held].mean(0), x[~held].std(0)
    live = (spread > 1e-9) & _lasting(x, match, seats or program.seats[0])
    x, spread = (x - middle)[:, live] / spread[live], spread[live]
    weights, bias = _fitted(x[~held], y[~held], share[~held])
    usual = numpy.average(y[~held], weights=share[~held])
    skill = _skill(x[held] @ weights + bias, y[held], usual, share[held])
    kept = [name for name, used in zip(names, live, strict=True) if used]
    real = weights / spread
    bias -= float((real * middle[live]).sum())
    return Values(dict(zip(kept, map(float, real), strict=True)), bias, skill, cut=CUT, date=today)


@dataclass(slots=True)
class _Notes:
    """What is written down while matches are played."""

    names: list[Feature]
    rows: list[list[float]]
    scores: list[float]
    groups: list[int]
    stray: float


def _played(
    program: Program,
    matches: int,
    seats: int,
    options: Mapping[str, str | int],
    seed: int,
    vary: Sequence[str],
    stray: float,
) -> tuple[list[Feature], list[list[float]], list[float], list[int]]:
    """Features, a row for each seat at some decisions, what the seat scored, and the number of the match."""
    engine, chance = NativeEngine(program), random.Random(seed)
    engine.record(False)
    notes = _Notes([], [], [], [], stray)
    every = 10
    for match in range(matches):
        drawn = {o.name: chance.choice(o.words) for o in program.sheet.options if o.name in vary}
        drawn = {**options, **drawn}
        slots = option_slots(program, resolve_options(program, drawn))
        try:
            engine.start(seats, seed + match, slots)
            engine.advance()
            steps = _one(program, engine, chance, notes, match, every)
        except Fault:
            continue
        # About LOOKS looks at a match, whatever its length: neighbouring positions say the same.
        every = max(1, round(every * 0.8 + 0.2 * steps / LOOKS))
    return notes.names, notes.rows, notes.scores, notes.groups


def _one(
    program: Program, engine: NativeEngine, chance: random.Random, notes: _Notes, match: int, every: int
) -> int:
    """Play one match, writing rows down; how many decisions it had."""
    waiting: list[tuple[int, list[float]]] = []
    places: list[dict[Feature, list[int]]] = []
    words: set[Feature] = set()
    step, next_look = 0, chance.randrange(every)
    while engine.peek(STATUS) == DECISION:
        if step == next_look:
            cells = memoryview(engine.state()).cast("i")
            if len(waiting) % (4 * max(1, cells[SEATS])) == 0:
                places = [feature_slots(program, cells, seat) for seat in range(cells[SEATS])]
                words = option_features(program, cells)
            notes.names = notes.names or [*sorted(places[0]), *all_options(program)]
            for seat, found in enumerate(places):
                row = [
                    float(name in words) if name[0] == "option" else _sum(cells, found.get(name, ()))
                    for name in notes.names
                ]
                waiting.append((seat, row))
            next_look = step + 1 + chance.randrange(2 * every)
        engine.choose(_choice(engine, chance, notes.stray))
        engine.advance()
        step += 1
    for seat, row in waiting:
        notes.rows.append(row)
        notes.scores.append(payoff(program, memoryview(engine.state()).cast("i"), seat))
        notes.groups.append(match)
    return step


def _choice(engine: NativeEngine, chance: random.Random, stray: float) -> int:
    count = len(engine.options())
    if engine.library.policies and chance.random() >= stray:
        choice = engine.policy(chance.randrange(engine.library.policies))
        if 0 <= choice < count:
            return choice
    return chance.randrange(count)


def _sum(cells: Any, places: Any) -> float:
    return float(sum(cells[place] for place in places if cells[place] > MISSING))


def _lasting(x: Array, groups: Array, seats: int) -> Array:
    """Which numbers say something that lasts. One that is hardly ever met gets a weight by accident, and one
    that comes and goes with every turn says where in the turn a position is, not what it is worth: a search
    that believed in either would be led astray."""
    usual = numpy.array([numpy.median(column) for column in x.T])
    met = (x != usual).mean(0) >= MET
    same = groups[seats:] == groups[:-seats]
    one, other = (x[:-seats] - x.mean(0))[same], (x[seats:] - x.mean(0))[same]
    both = (one * other).mean(0) / numpy.sqrt((one**2).mean(0) * (other**2).mean(0) + 1e-12)
    return met & (both >= LASTS)


def _fitted(x: Array, y: Array, share: Array, penalty: float = 10.0) -> tuple[Array, float]:
    """Logistic regression, by Newton's method with a penalty on large weights."""
    full: Array = numpy.hstack([x, numpy.ones((len(x), 1))])
    weights: Array = numpy.zeros(full.shape[1])
    ridge = penalty * numpy.eye(len(weights))
    ridge[-1, -1] = 1e-6
    for _ in range(25):
        chance: Array = 1 / (1 + numpy.exp(-numpy.clip(full @ weights, -30, 30)))
        slope = full.T @ (share * (chance - y)) + ridge @ weights
        bend = (full * (share * chance * (1 - chance) + 1e-6)[:, None]).T @ full + ridge
        step: Array = numpy.linalg.solve(bend, slope)
        weights -= step
        if float(numpy.abs(step).max()) < 1e-6:
            break
    return weights[:-1], float(weights[-1])


def _skill(sums: Array, y: Array, usual: float, share: Array) -> float:
    """Share of the uncertainty that is gone: 1 is knowing, 0 knowing only the share of wins."""
    chance = 1 / (1 + numpy.exp(-numpy.clip(sums, -30, 30)))

    def loss(p: Array) -> float:
        p = numpy.clip(p, 1e-6, 1 - 1e-6)
        return float(-(share * (y * numpy.log(p) + (1 - y) * numpy.log(1 - p))).mean())

    plain = loss(numpy.full(len(y), usual))
    return 1 - loss(chance) / plain if plain > 1e-9 else 0.0
