"""What a match is started with: seats, options, an engine.

In:  what a caller asks for, by name and in words.
Out: numbers that an engine takes; MatchError with one sentence when the book does not offer it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import cast

from rulewright.ir.program import Program
from rulewright.ir.tables import is_text
from rulewright.play.arguments import checked_seed, is_index, told, whole
from rulewright.play.engine import Engine
from rulewright.play.faults import MatchError
from rulewright.play.keepsake import Keepsake, carried_slots
from rulewright.play.reference import ReferenceEngine

EngineMaker = Callable[[Program], Engine]

# Engines that can be asked for by name. An engine of a higher layer offers itself when its package
# is imported, so that this layer needs nothing of it; the package is looked up when the name is first used.
_ENGINES: dict[str, EngineMaker] = {"reference": ReferenceEngine}
_PACKAGES = {"native": "rulewright.native"}


def offer_engine(name: str, maker: EngineMaker) -> None:
    """Let matches ask for an engine by this name."""
    _ENGINES[name] = maker


def make_engine(program: Program, engine: str | EngineMaker) -> Engine:
    """An engine for the Program, by name or from a maker of one's own."""
    if callable(engine):
        return engine(program)
    if engine in _PACKAGES and engine not in _ENGINES:
        import_module(_PACKAGES[engine])
    if engine not in _ENGINES:
        known = " or ".join({**_ENGINES, **_PACKAGES})
        raise MatchError(f"there is no engine {told(engine)} here: use {known}")
    return _ENGINES[engine](program)


def require_playable(program: Program) -> None:
    """Raises MatchError for a book that only holds rules for others, and for what is no book at all."""
    if not isinstance(program, Program):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise MatchError(f"a match is played with a Program, not {told(program)}: see rulewright.load")
    if program.rules_only:
        raise MatchError(
            f"{program.title} is rules only: it has no scene and no encounter to start with; "
            "play a book that uses it, or write one"
        )


def resolve_seats(program: Program, seats: int | Sequence[str] | None) -> tuple[str, ...]:
    """Names of the players, one a seat."""
    low, high = program.seats
    players: tuple[str, ...] | None = None
    count = low if seats is None else whole(seats)
    if count is None:
        players = _names(seats)
        count = len(players)
    if not low <= count <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise MatchError(f"{program.title} is for {wanted} seats, not {told(count)}")
    return players or tuple(f"Seat {number + 1}" for number in range(count))


def seat_among(players: Sequence[str], seat: int | None) -> int | None:
    """A seat of these players, or nobody's. Raises MatchError for any other."""
    if seat is None:
        return None
    if not is_index(seat, len(players)):
        raise MatchError(f"there is no seat {told(seat)}: seats are 0 to {len(players) - 1}")
    return whole(seat)


def _names(seats: object) -> tuple[str, ...]:
    wrong = MatchError(f"seats are a number of them, or a list of the players' names, not {told(seats)}")
    if not isinstance(seats, Sequence) or isinstance(seats, str):
        raise wrong
    names: list[str] = []
    for name in cast("Sequence[object]", seats):
        if not isinstance(name, str) or not is_text(name):
            raise wrong
        names.append(name)
    return tuple(names)


def resolve_seed(seed: int) -> int:
    """The seed of a match: 64 bits, or up to 256 for a table (see `chance`)."""
    try:
        return checked_seed(seed, wide=True)
    except ValueError as error:
        raise MatchError(str(error)) from None


def resolve_options(program: Program, options: Mapping[str, str | int] | None) -> dict[str, str]:
    """Every match option of the book with its word: the one asked for, or the default."""
    known = {option.name.casefold(): option for option in program.sheet.options}
    chosen = {option.name: option.words[option.default] for option in program.sheet.options}
    for name, value in _pairs(options).items():
        option = known.get(name.casefold()) if isinstance(name, str) else None
        if option is None:
            guess = _guess(str(name), [o.name for o in known.values()]) if isinstance(name, str) else ""
            raise MatchError(f"{program.title} has no option {told(name)}{guess}")
        wanted = (value if isinstance(value, str) else told(value)).casefold()
        word = next((w for w in option.words if w.casefold() == wanted), None)
        if word is None:
            raise MatchError(
                f"option '{option.name}' cannot be {told(value)}: use {' or '.join(option.words)}"
            )
        chosen[option.name] = word
    return chosen


def _pairs(options: object) -> Mapping[object, object]:
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise MatchError(f"options are words by the names of options, not {told(options)}")
    return cast("Mapping[object, object]", options)


SCENARIOS = ("scenario", "encounter", "quest", "mission", "map", "arena")
"""What books call the option that says where or what is played, the plainest name first."""


def with_scenario(
    program: Program, options: Mapping[str, str | int] | None, scenario: str | None
) -> dict[str, str | int]:
    """The options with the scenario among them. Raises MatchError when the book has none to choose from."""
    found = cast("dict[str, str | int]", dict(_pairs(options)))
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
