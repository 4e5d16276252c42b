"""Odds in words.

In:  Odds of an option, the things the option names.
Out: `Foretold`: what it surely costs or brings, and what it may bring, the weightiest first.

What a book calls life (`life:` in its front matter) weighs most, then who leaves play, then what happens to
the things that the option names. Words are the same for pages and terminals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.play.words import Thing, name_of
from rulewright.players.odds import Effect, Odds
from rulewright.players.watched import END, PLACE, PLAY, SCORE

MOST = 6
"""Lines that anybody reads."""
SELDOM = 0.005
"""What is less likely is not told."""
SURE = 0.9995


@dataclass(frozen=True, slots=True)
class Chance:
    """One thing that may come of it."""

    text: str
    chance: float
    kind: str = ""
    id: int = -1
    """Whom it befalls."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """An option, foretold. Without chances it does `sure` and nothing else that can be seen."""

    option: int
    exact: bool
    lines: int
    sure: tuple[str, ...]
    may: tuple[Chance, ...]
    idle: bool = False
    """Nothing at all would come of it now."""


def foretell(program: Program, odds: Odds, things: Sequence[Thing] = ()) -> Foretold:
    """What can be said of an option."""
    life = program.sheet.front.get("life", "")
    named = {(thing.kind, thing.id) for thing in things}
    effects = sorted(odds.effects, key=lambda effect: _weight(effect, life, named))
    sure = [effect for effect in effects if effect.sure and _says(effect)]
    may = [effect for effect in effects if not effect.sure and effect.chance >= SELDOM and _tells(effect)]
    return Foretold(
        odds.option,
        odds.exact,
        odds.lines,
        tuple(_sure(program, effect) for effect in sure[:MOST]),
        tuple(
            Chance(_may(program, effect), round(effect.chance, 4), effect.what.kind, effect.what.id)
            for effect in may[:MOST]
        ),
        odds.idle,
    )


def _says(effect: Effect) -> bool:
    """Whether it says more than that the score is settled at an end, which END says already."""
    return effect.what.sort != SCORE


def _tells(effect: Effect) -> bool:
    """Whether it is worth a line: somebody who surely ends up somewhere is not."""
    return effect.what.sort != PLACE or (effect.chance < SURE and effect.before >= 0)


def _weight(effect: Effect, life: str, named: set[tuple[str, int]]) -> tuple[int, float]:
    what = effect.what
    if what.sort in (END, SCORE):
        rank = 0
    elif life and what.name == life:
        rank = 1
    elif what.sort == PLAY:
        rank = 2
    else:
        rank = 3 if (what.kind, what.id) in named else 4 if what.kind else 5
    return rank, -effect.chance


def percent(chance: float) -> str:
    """A chance for people; never 0 or 100 for what is neither."""
    if chance >= SURE:
        return "100 %"
    return f"{min(99, max(1, round(100 * chance)))} %"


def signed(number: float, digits: int = 0) -> str:
    """With its sign, a true minus."""
    text = f"{abs(number):.{digits}f}"
    return f"{'-' if number < 0 else '+'}{text}".replace("-", "\N{MINUS SIGN}")


def _who(effect: Effect) -> str:
    return f"{effect.what.who}: " if effect.what.who else ""


def _sure(program: Program, effect: Effect) -> str:
    what, who = effect.what, _who(effect)
    value = effect.values[0][0]
    match what.sort:
        case "end":
            return "the match ends"
        case "play":
            return f"{what.who} {'enters' if value else 'leaves'} play"
        case "place" | "thing":
            shown = name_of(program, what.holds, value)
            return f"{who}{shown}" if what.sort == PLACE else f"{who}{what.name} {shown}"
        case "status":
            return f"{who}{what.name}{'' if value > 0 else ' ends'}"
        case _:
            return f"{who}{what.name} {signed(effect.low)}"


def _may(program: Program, effect: Effect) -> str:
    what, who = effect.what, _who(effect)
    chance = percent(effect.chance)
    match what.sort:
        case "end":
            return f"{chance}: the match ends"
        case "score":
            won = sum(part for value, part in effect.values if value == 1)
            return f"{percent(won)}: you win" if won >= SELDOM else f"{chance}: you do not win"
        case "play":
            return f"{chance}: {what.who} {'enters' if not effect.before else 'leaves'} play"
        case "place":
            return f"{chance}: {what.who} is moved"
        case "thing":
            return f"{chance}: {who}{what.name} changes"
        case "status":
            gone = effect.before > 0 and all(
                value <= 0 for value, _ in effect.values if value != effect.before
            )
            return f"{chance}: {who}{what.name}{' ends' if gone else ''}"
        case _:
            # What surely changes, only by how much is open, needs no "100 %".
            likely = "" if effect.chance >= SURE else f"{chance}: "
            return f"{likely}{who}{what.name} {_span(effect)}"


def _span(effect: Effect) -> str:
    """From the least to the greatest change, and the average of all cases."""
    if effect.low == effect.high:
        if effect.chance >= SURE:
            return signed(effect.low)
        return f"{signed(effect.low)} ({signed(effect.mean, 1)} on average)"
    near, far = sorted((effect.low, effect.high), key=abs)
    return f"{signed(near)} to {signed(far)} ({signed(effect.mean, 1)} on average)"
