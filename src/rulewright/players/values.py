"""What a position is worth, told by its numbers: weights that were learned from matches of the book.

In:  a file `values.json` beside the book (written by `make values`), a state, a seat.
Out: `Values`, and the slots and whole-number weights that native code adds up for each seat.

A feature is a number that everybody sees, added up over a group of actors: the seat's own, its allies, the
others; or a number of the match; or a setting of it. Groups are taken from the state in hand, after set-up.
Weights are used only when they predicted matches they were not learned from.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulewright.ir.program import SEATS, Program
from rulewright.ir.sheet import ALL
from rulewright.native.outer.map import ONE, SQUASHED
from rulewright.play.knowledge import Knowledge
from rulewright.shelf import shelf

FILE = "values.json"
UNIT = 16 * ONE
"""One unit of the sum that is squashed."""
CUT = 15
"""Decisions that are played on before a position is judged, where nothing else was measured."""
LEAST_SKILL = 0.03
"""How much better than the bare share of wins a prediction must be."""

Feature = tuple[str, str, str]
"""Kind, name, group."""
MOVING = ("Actor", "Card", "Space")
"""Kinds whose members are not the same from match to match: what one of them has says nothing."""
ONE_OF_THE_MATCH = (("match", (0,)),)
Setting = tuple[str, str]
"""An option of matches and its word."""


@dataclass(frozen=True, slots=True)
class Values:
    """What was learned about a book: weights by feature, how well they predict, how to play on."""

    weights: dict[Feature, float] = field(default_factory=dict[Feature, float])
    bias: float = 0.0
    skill: float = 0.0
    """Share of the uncertainty about held-out matches that is gone."""
    playout: str = ""
    """The strategy that plays on; empty: the book's first."""
    cut: int = 0
    """Decisions to play on before the numbers are asked; 0: to the end."""
    lines: int = 0
    """Lines a millisecond on one core of a quiet machine; 0: not measured."""
    hasty: float = 0.0
    """How often the medium player leaves a choice to the strategy, in a book where even a short search wins
    nearly always, so that something is left for the hard one."""
    race: bool = False
    """Whether options race (see `race`) although lines are cut."""
    date: str = ""
    special: Mapping[Setting, Values] = field(default_factory=dict[Setting, "Values"])
    """What was learned of matches with one setting alone, where that is another game than the rest."""

    @property
    def holds(self) -> bool:
        """Whether they are good enough to be used."""
        return bool(self.weights) and self.skill >= LEAST_SKILL

    def at(self, settings: Iterable[Setting]) -> Values:
        """What was learned of one of these settings alone, if anything was."""
        return next((self.special[word] for word in settings if word in self.special), self)


def values_of(program: Program) -> Values:
    """What is known about a book that is on the shelf; nothing of another."""
    return _read(program.name)


def values_at(program: Program, slots: Sequence[int]) -> Values:
    """The same for a match with these slots: what was learned of its setting alone, if anything was."""
    known = values_of(program)
    return known.at(settings(program, slots))


def settings(program: Program, slots: Sequence[int]) -> list[Setting]:
    """The settings of a match."""
    found = ((option, slots[option.slot]) for option in program.sheet.options)
    return [(o.name, o.words[word]) for o, word in found if 0 <= word < len(o.words)]


@functools.cache
def _read(name: str) -> Values:
    for entry in shelf():
        if entry.name == name:
            return read(entry.path.parent / FILE)
    return Values()


def read(path: Path) -> Values:
    """The values in a file; none when there is no file, or it is not one of ours."""
    try:
        row: dict[str, Any] = json.loads(path.read_text("utf-8"))
        special = {(some["option"], some["word"]): _made(some) for some in row.get("special", ())}
        return replace(_made(row), special=special)
    except (OSError, ValueError, KeyError, TypeError):
        return Values()


def _made(row: Mapping[str, Any]) -> Values:
    return Values(
        {(kind, name, group): float(weight) for kind, name, group, weight in row["weights"]},
        bias=float(row["bias"]),
        skill=float(row["skill"]),
        playout=str(row["playout"]),
        cut=int(row["cut"]),
        lines=int(row["lines"]),
        hasty=float(row.get("hasty", 0.0)),
        race=bool(row.get("race", False)),
        date=str(row["date"]),
    )


def write(path: Path, values: Values, **more: object) -> None:
    """Put values into a file."""
    row = _row(values, more)
    if values.special:
        row["special"] = [
            _row(some, {"option": option, "word": word}) for (option, word), some in values.special.items()
        ]
    path.write_text(json.dumps(row, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _row(values: Values, more: Mapping[str, object]) -> dict[str, object]:
    return {
        "date": values.date,
        "skill": round(values.skill, 4),
        "playout": values.playout,
        "cut": values.cut,
        "lines": values.lines,
        **({"hasty": values.hasty} if values.hasty else {}),
        **({"race": True} if values.race else {}),
        **more,
        "bias": round(values.bias, 9),
        "weights": [[*feature, round(weight, 9)] for feature, weight in sorted(values.weights.items())],
    }


def feature_slots(
    program: Program, slots: Sequence[int], seat: int, wanted: Container[Feature] | None = None
) -> dict[Feature, list[int]]:
    """The slots that each feature of a seat adds up. `wanted`: of these features only."""
    know = Knowledge(program, slots, seat)
    own = know.actors
    sides = {know.side_of(actor) for actor in own}
    groups: dict[str, list[int]] = {"own": [], "ally": [], "other": []}
    for actor in range(len(program.sheet.things.get("Actor", ()))):
        group = "own" if actor in own else "ally" if know.side_of(actor) in sides else "other"
        groups[group].append(actor)
    found: dict[Feature, list[int]] = {}
    for kind, name, base, apart in _columns(program):
        for group, actors in groups.items() if apart else ONE_OF_THE_MATCH:
            if actors and (wanted is None or (kind, name, group) in wanted):
                found[kind, name, group] = [base + actor * apart for actor in actors]
    return found


def _columns(program: Program) -> Iterator[tuple[str, str, int, int]]:
    """Kind and name of each number that everybody sees, the slot of the first actor's, how far apart those
    of actors are: not at all where it is one of the match."""
    sheet = program.sheet
    for resource in sheet.fields:
        if resource.seen != ALL or resource.holds is not None:
            continue
        if resource.of == ("Actor",):
            yield "field", resource.name, resource.base, 1
        elif len(resource.of) == 2 and resource.of[0] == "Actor" and resource.of[1] not in MOVING:
            for number, word in enumerate(sheet.things[resource.of[1]]):
                yield "field", f"{resource.name} {word}", resource.base + number, resource.counts[1]
        elif not resource.of:
            yield "field", resource.name, resource.base, 0
    for zone in sheet.zones:
        if zone.of == "Actor":
            yield "zone", zone.name, zone.base, zone.stride
    for status in sheet.statuses:
        yield "status", status.name, status.base + 1, 4


def all_options(program: Program) -> list[Feature]:
    """A feature for each word of each setting: how hard a match is does not change while it is played."""
    return [("option", option.name, word) for option in program.sheet.options for word in option.words]


def option_features(program: Program, slots: Sequence[int]) -> set[Feature]:
    """Those that hold in a match."""
    return {("option", *setting) for setting in settings(program, slots)}


def value_cells(program: Program, slots: Sequence[int], values: Values) -> list[int]:
    """The weighted sums of all seats, as native code reads them."""
    cells: list[int] = []
    bias = values.bias + sum(values.weights.get(word, 0.0) for word in option_features(program, slots))
    for seat in range(slots[SEATS]):
        pairs: list[int] = []
        for feature, places in feature_slots(program, slots, seat, values.weights).items():
            weight = round(values.weights.get(feature, 0.0) * UNIT)
            if weight:
                pairs += [cell for place in places for cell in (place, weight)]
        cells += [len(pairs) // 2, round(bias * UNIT), *pairs]
    return cells


def squash_cells() -> list[int]:
    """The chance to win for each sum from -8 to 8."""
    return [round(ONE / (1 + math.exp(-(k - SQUASHED // 2) / 128))) for k in range(SQUASHED)]
