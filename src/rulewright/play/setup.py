"""What a match is started with: seats, options, an engine.

In:  what a caller asks for, by name and in words.
Out: numbers that an engine takes; MatchError with one sentence when the book does not offer it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence

from rulewright.ir.program import Program
from rulewright.play.engine import Engine
from rulewright.play.faults import MatchError
from rulewright.play.keepsake import Keepsake, carried_slots
from rulewright.play.reference import ReferenceEngine

EngineMaker = Callable[[Program], Engine]

# Engines that can be asked for by name. An engine of a higher layer offers itself when its package
# is imported, so that this layer needs to know none of them.
_ENGINES: dict[str, EngineMaker] = {"reference": ReferenceEngine}


def offer_engine(name: str, maker: EngineMaker) -> None:
    """Let matches ask for an engine by this name."""
    _ENGINES[name] = maker


def make_engine(program: Program, engine: str | EngineMaker) -> Engine:
    """An engine for the Program, by name or from a maker of one's own."""
    if not isinstance(engine, str):
        return engine(program)
    if engine not in _ENGINES:
        raise MatchError(f"there is no engine '{engine}' here: use {' or '.join(_ENGINES)}")
    return _ENGINES[engine](program)


def require_playable(program: Program) -> None:
    """Raises MatchError for a book that only holds rules for others."""
    if program.rules_only:
        raise MatchError(
            f"{program.title} is rules only: it has no scene and no encounter to start with; "
            "play a book that uses it, or write one"
        )


def resolve_seats(program: Program, seats: int | Sequence[str] | None) -> tuple[str, ...]:
    """Names of the players, one a seat."""
    low, high = program.seats
    if seats is None:
        seats = low
    players = (
        tuple(f"Seat {number + 1}" for number in range(seats)) if isinstance(seats, int) else tuple(seats)
    )
    if not low <= len(players) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise MatchError(f"{program.title} is for {wanted} seats, not {len(players)}")
    return players


def resolve_options(program: Program, options: Mapping[str, str | int] | None) -> dict[str, str]:
    """Every match option of the book with its word: the one asked for, or the default."""
    known = {option.name.casefold(): option for option in program.sheet.options}
    chosen = {option.name: option.words[option.default] for option in program.sheet.options}
    for name, value in (options or {}).items():
        option = known.get(name.casefold())
        if option is None:
            raise MatchError(
                f"{program.title} has no option '{name}'{_guess(name, [o.name for o in known.values()])}"
            )
        word = next((w for w in option.words if w.casefold() == str(value).casefold()), None)
        if word is None:
            raise MatchError(f"option '{option.name}' cannot be '{value}': use {' or '.join(option.words)}")
        chosen[option.name] = word
    return chosen


SCENARIOS = ("scenario", "encounter", "quest", "mission", "map", "arena")
"""What books call the option that says where or what is played, the plainest name first."""


def with_scenario(
    program: Program, options: Mapping[str, str | int] | None, scenario: str | None
) -> dict[str, str | int]:
    """The options with the scenario among them. Raises MatchError when the book has none to choose from."""
    found = dict(options or {})
    if scenario is not None:
        names = {option.name.casefold(): option.name for option in program.sheet.options}
        name = next((names[word] for word in SCENARIOS if word in names), None)
        if name is None:
            raise MatchError(f"{program.title} has no scenarios to choose from")
        found[name] = scenario
    return found


def option_slots(program: Program, options: Mapping[str, str]) -> dict[int, int]:
    """The slots and values of resolved options."""
    return {option.slot: option.words.index(options[option.name]) for option in program.sheet.options}


def start_slots(
    program: Program, players: Sequence[str], options: Mapping[str, str], carried: Keepsake | None
) -> dict[int, int]:
    """Everything a match starts with that was decided beforehand: options, and what was carried over."""
    found = option_slots(program, options)
    if carried is not None:
        found |= carried_slots(program, len(players), carried)
    return found


def _guess(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
