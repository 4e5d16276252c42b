"""Odds in words.

In:  Odds of an option, the things the option names, what it is called.
Out: `Foretold`: what it surely costs or brings, and what it may bring, the weightiest first.

What a book calls life (`life:` in its front matter) weighs most, then who leaves play, then what happens to
the things that the option names. What the option says itself is not said again, and what would happen
whatever is chosen is left out: see `anyway`. Words are the same for pages and terminals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.ir.sheet import UNKNOWN
from rulewright.play.words import Thing, name_of
from rulewright.players.odds import Effect, Odds
from rulewright.players.paying import Price
from rulewright.players.watched import END, NUMBER, PLACE, PLAY, SCORE, THING

MOST = 6
"""Lines that anybody reads."""
SELDOM = 0.005
"""What is less likely is not told."""
SURE = 0.9995
ALIKE = 0.12
"""Chances that differ by less are taken for one that was sampled twice."""


@dataclass(frozen=True, slots=True)
class Chance:
    """One thing that comes of it, or may: in whole words, and whom (`kind`, `id`, `who`) what befalls."""

    text: str
    chance: float
    kind: str = ""
    id: int = -1
    who: str = ""
    what: str = ""
    name: str = ""
    """The number or status that changes."""
    mean: float = 0.0
    likely: str = ""
    """The chance in words, where it is not sure."""
    short: str = ""
    """What there is room for on a token."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """An option, foretold. Without chances it does `sure` and nothing else that can be seen."""

    option: int
    exact: bool
    lines: int
    sure: tuple[Chance, ...]
    may: tuple[Chance, ...]
    idle: bool = False
    """Nothing at all would come of it now."""
    spends: tuple[str, ...] | None = None
    """Nothing would come of it but that one's own have less of these numbers; None: something would."""
    costs: tuple[Price, ...] = ()
    """What it takes once its own questions are answered: a number, the least and the most."""


def foretell(
    program: Program,
    odds: Odds,
    things: Sequence[Thing] = (),
    text: str = "",
    anyway: Mapping[int, Effect] | None = None,
    slots: Sequence[int] = (),
) -> Foretold:
    """What can be said of an option. Spaces laid in play are called as in the state that is given."""
    life = frozenset(re.split(", | and ", program.sheet.front.get("life", ""))) - {""}
    named = {(thing.kind, thing.id) for thing in things}
    told = [
        effect
        for effect in sorted(odds.effects, key=lambda effect: _weight(effect, life, named))
        if not _is_said(program, effect, text, slots)
        and ((effect.what.kind, effect.what.id) in named or not _is_alike(effect, anyway or {}))
    ]
    won = _won(program, odds)
    lives = {effect.what.id for effect in odds.effects if effect.what.name in life}
    unhurt = {effect.what.id for effect in told if effect.what.sort == PLAY and life} - lives
    sure = [effect for effect in told if effect.sure and _says(effect)]
    may = [effect for effect in told if not effect.sure and effect.chance >= SELDOM and _tells(effect)]
    return Foretold(
        odds.option,
        odds.exact,
        odds.lines,
        tuple(_chance(program, effect, won, unhurt, slots) for effect in sure[:MOST]),
        tuple(_chance(program, effect, won, unhurt, slots) for effect in may[:MOST]),
        odds.idle,
        odds.spends,
        odds.costs,
    )


def anyway(found: Sequence[Odds], resting: Sequence[int], actor: int) -> dict[int, Effect]:
    """What happens whatever is chosen, by slot: what every option brings alike, and what comes of those that
    do nothing (`resting`). What befalls whoever decides is always told, for it may be the price."""
    if len(found) < 2:
        return {}
    idle = [odds for odds in found if odds.option in resting]
    common = {effect.what.slot: effect for effect in found[0].effects if effect.sure}
    for odds in found[1:]:
        values = {effect.what.slot: effect.values for effect in odds.effects}
        common = {slot: effect for slot, effect in common.items() if values.get(slot) == effect.values}
    rest = {effect.what.slot: effect for odds in idle for effect in odds.effects}
    return {
        slot: effect
        for slot, effect in (rest | common).items()
        if (effect.what.kind, effect.what.id) != ("Actor", actor) and effect.what.sort not in (END, SCORE)
    }


def _is_alike(effect: Effect, others: Mapping[int, Effect]) -> bool:
    other = others.get(effect.what.slot)
    if other is None:
        return False
    if effect.sure or other.sure:
        return effect.values == other.values
    return abs(effect.chance - other.chance) < ALIKE


def _is_said(program: Program, effect: Effect, text: str, slots: Sequence[int]) -> bool:
    """Whether the option itself names what somebody surely gets, where they end up, or who comes."""
    if effect.what.sort == PLAY:
        return effect.sure and effect.values[0][0] > 0 and bool(effect.what.who) and effect.what.who in text
    if not text or not effect.sure or effect.what.sort not in (PLACE, THING):
        return False
    return _name(program, effect.what.holds, effect.values[0][0], slots) in text


def _won(program: Program, odds: Odds) -> float | None:
    """How likely it is won by then; None where the book has no winners."""
    if "score" not in program.sheet.result:
        return None
    score = next((effect for effect in odds.effects if effect.what.sort == SCORE), None)
    return 0.0 if score is None else sum(part for value, part in score.values if value == 1)


def _name(program: Program, kind: str, number: int, slots: Sequence[int]) -> str:
    """Of cards only what is printed on all of them: which one it is may be hidden."""
    return name_of(program, kind, number, slots if kind == "Space" else ())


def _chance(
    program: Program, effect: Effect, won: float | None, unhurt: Set[int], slots: Sequence[int]
) -> Chance:
    what = effect.what
    likely = "" if effect.chance >= SURE else f"{percent(effect.chance)}: "
    if what.sort == END:
        words = _ending(effect, won)
        return Chance(f"{likely}{words}", _part(effect), what=words)
    words = _sure(program, effect, slots) if effect.sure else _may(effect)
    if words == LEAVES and what.id in unhurt:
        words = GOES  # a scene that is over, not a fall
    told = f"{what.who} {words}" if what.sort == PLAY or words == MOVED else _sentence(effect, words)
    brief = f"{what.who} {words}" if what.sort == PLAY else _on_average(effect, words)
    return Chance(
        told if effect.sure else f"{likely}{told}",
        _part(effect),
        what.kind,
        what.id,
        what.who,
        words,
        what.name,
        round(effect.mean, 2),
        likely.removesuffix(": "),
        f"{likely.removesuffix(': ')} {brief}".strip(),
    )


def _sentence(effect: Effect, words: str) -> str:
    """Whom it befalls and what: "Wolf loses 1 to 6 HP (3.5 on average)"."""
    what, near, far = effect.what, *sorted((abs(effect.low), abs(effect.high)))
    if what.sort != NUMBER or not what.who or effect.before == UNKNOWN or effect.low * effect.high <= 0:
        return f"{_who(effect)}{words}"
    average = "" if near == far else f" ({abs(effect.mean) / effect.chance:.1f} on average)"
    some = f"{near}" if near == far else f"{near} to {far}"
    return f"{what.who} {'loses' if effect.low < 0 else 'gains'} {some} {what.name}{average}"


def _on_average(effect: Effect, words: str) -> str:
    if effect.what.sort != NUMBER or effect.before == UNKNOWN or effect.low == effect.high:
        return words
    return f"{effect.what.name} {signed(effect.mean / effect.chance, 1)}"


def _part(effect: Effect) -> float:
    return round(effect.chance, 4)


def _ending(effect: Effect, won: float | None) -> str:
    """Of those cases in which it ends."""
    if won is None:
        return "the match ends"
    if won < SELDOM:
        return "the match ends, and you do not win"
    if won > effect.chance - SELDOM:
        return "you win"
    return f"the match ends ({percent(won)}: you win)"


def _says(effect: Effect) -> bool:
    """Whether it says more than that the score is settled at an end, which END says already."""
    return effect.what.sort != SCORE


def _tells(effect: Effect) -> bool:
    """Whether it is worth a line: somebody who surely ends up somewhere is not."""
    if effect.what.sort == SCORE:
        return False
    return effect.what.sort != PLACE or (effect.chance < SURE and effect.before >= 0)


def _weight(effect: Effect, life: Set[str], named: set[tuple[str, int]]) -> tuple[int, float]:
    what = effect.what
    if what.sort in (END, SCORE):
        rank = 0
    elif what.name in life:
        rank = 1
    elif what.sort == PLAY:
        rank = 2 if (what.kind, what.id) in named else 3
    else:
        rank = 4 if (what.kind, what.id) in named else 5 if what.kind else 6
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


MOVED, LEAVES, GOES = "is moved", "leaves play", "leaves the board"


def _sure(program: Program, effect: Effect, slots: Sequence[int]) -> str:
    what = effect.what
    value = effect.values[0][0]
    if effect.before == UNKNOWN and what.sort == NUMBER:
        return _settled(effect)
    match what.sort:
        case "play":
            return "enters play" if value else LEAVES
        case "place" | "thing":
            shown = _name(program, what.holds, value, slots)
            return f"at {shown}" if what.sort == PLACE else f"{what.name} {shown}"
        case "status":
            return f"{what.name}{'' if value > 0 else ' ends'}"
        case _:
            return f"{what.name} {signed(effect.low)}"


def _settled(effect: Effect) -> str:
    """What a number is then that nobody has looked at before."""
    known = [value for value, _ in effect.values if value != UNKNOWN]
    low, high = min(known), max(known)
    return f"{effect.what.name} {low}" if low == high else f"{effect.what.name} {low} to {high}"


def _may(effect: Effect) -> str:
    what = effect.what
    if effect.before == UNKNOWN and what.sort == NUMBER:
        return _settled(effect)
    match what.sort:
        case "play":
            return LEAVES if effect.before else "enters play"
        case "place":
            return MOVED
        case "thing":
            return f"{what.name} changes"
        case "status":
            gone = effect.before > 0 and all(
                value <= 0 for value, _ in effect.values if value != effect.before
            )
            return f"{what.name}{' ends' if gone else ''}"
        case _:
            return f"{what.name} {_span(effect)}"


def _span(effect: Effect) -> str:
    """From the least to the greatest change, and the average of the cases in which it changes: the percentage
    before it says how often that is."""
    if effect.low == effect.high:
        return signed(effect.low)
    near, far = sorted((effect.low, effect.high), key=abs)
    return f"{signed(near)} to {signed(far)} ({signed(effect.mean / effect.chance, 1)} on average)"
