"""Bots: random, the book's own strategies for seats, and the players of `levels` by name.

In:  a position (what a seat has to decide, in a state it cannot tell from the real one) and a bot's name.
Out: the number of an option.

A bot never sees what its seat does not: see `fair`. Its chance comes from a generator seeded by the match
and the number of the decision, so that a match with bots can be played again.

A player of one's own is anything with a name and `decide`; it is named by where it stands, `module:object`,
and is handed positions whose hidden parts are made up.
"""

from __future__ import annotations

import random
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Protocol

from rulewright.ir.program import DECISIONS, SEAT, Program
from rulewright.native import NativeEngine
from rulewright.play.arguments import told
from rulewright.play.engine import Engine, OptionRow
from rulewright.play.faults import Fault, MatchError, MatchFault
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
from rulewright.play.together import focus, without_answers
from rulewright.players.fair import imagine

RANDOM = "random"
DIGITS = 9
"""The number of a family's player, `search-500`, has fewer, and is not 0."""
ENGINES = 8
"""Engines that each thread keeps for the next bot of the same book."""

_kept = threading.local()


@dataclass(frozen=True, slots=True)
class Position:
    """A decision, taken out of its match: it can be thought about in another thread."""

    program: Program
    slots: tuple[int, ...]
    seat: int
    offers: tuple[OptionRow, ...]
    seed: str
    native: bool = False

    @property
    def options(self) -> int:
        """How many options there are."""
        return len(self.offers)


class Decider(Protocol):
    """A player: a name, and what it takes in a position."""

    @property
    def name(self) -> str:
        """What the table calls it."""
        ...

    def decide(self, now: Position) -> int:
        """The number of an option. Raises MatchError or Fault when it cannot decide."""
        ...


Maker = Callable[[Program], Decider]
_makers: dict[str, Maker] = {}
"""Players for any book, by name; whoever has some offers them when its module is loaded."""


_families: dict[str, Callable[[Program, int], Decider]] = {}
"""Players that are told by a word and a number, as `search-500`."""


def offer_player(name: str, maker: Maker) -> None:
    """Let tables ask for a player by this name."""
    _makers[name] = maker


def offer_family(word: str, maker: Callable[[Program, int], Decider]) -> None:
    """Let matches be played by `word-NUMBER`."""
    _families[word] = maker


@dataclass(frozen=True, slots=True)
class Bot:
    """A player by name that thinks with `decide`."""

    name: str

    def decide(self, now: Position) -> int:
        """The option it takes."""
        return decide(now, self.name)


@dataclass(frozen=True, slots=True)
class Own:
    """Somebody's own player: it is shown what its seat may know, and the rest made up."""

    name: str
    player: Decider

    def decide(self, now: Position) -> int:
        """The option it takes; refused unless there is one with its number."""
        made = imagine(now.program, now.slots, now.seat, random.Random(now.seed), now.native)
        choice = self.player.decide(replace(now, slots=tuple(made)))
        if not isinstance(choice, int) or not 0 <= choice < now.options:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise MatchError(f"{self.name} takes {told(choice)}, which is none of {now.options} options")
        return choice


def names(program: Program) -> tuple[str, ...]:
    """The bots this book brings along, and the random one."""
    return (RANDOM, *program.sheet.strategies)


def seatable(program: Program) -> tuple[str, ...]:
    """Everyone who can be seated by a plain name; the book's own last."""
    return (RANDOM, *_makers, *program.sheet.strategies)


def is_native(program: Program, name: str) -> bool:
    """Whether compiled code alone plays for this name."""
    return name in names(program)


def decider(program: Program, name: str) -> Decider:
    """The player of a name, whatever its capitals. Raises MatchError when nobody is called so."""
    known = {word.casefold(): word for word in seatable(program)}
    found = known.get(name.casefold())
    if found in _makers:
        return _makers[found](program)
    if found is not None:
        return Bot(found)
    word, _, number = name.casefold().partition("-")
    if word in _families and number.isdecimal() and len(number) < DIGITS and int(number):
        return _families[word](program, int(number))
    if ":" in name:
        return Own(name, _imported(name))
    raise MatchError(f"nobody is called {told(name)}; a seat is for {', '.join(known.values())}")


def _imported(name: str) -> Decider:
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
        made = found() if isinstance(found, type) else found
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise MatchError(f"there is no player {told(name)}: {error}") from None
    if not callable(getattr(made, "decide", None)):
        raise MatchError(f"{told(name)} is no player: it has no `decide`")
    return made


def position(match: Match, seat: int | None = None) -> Position:
    """Where the match stands, for the seat that decides, or one of those who choose at the same time.

    Raises MatchError when it has ended, or that seat has nothing to choose.
    """
    decision = match.decision
    if decision is None:
        raise MatchError("the match has ended, there is nothing to choose")
    if seat is None or seat == decision.seat:
        return position_of(match.engine, match.seed)
    if seat not in decision.seats:
        raise MatchError(f"seat {told(seat)} has nothing to choose now")
    focus(match.engine, seat)
    try:
        return position_of(match.engine, match.seed)
    finally:
        focus(match.engine, None)


def position_of(engine: Engine, seed: int) -> Position:
    """Where an engine stands, which is at a decision of a match with this seed."""
    state = engine.state()
    slots = struct.unpack(f"<{len(state) // 4}i", state)
    slots = tuple(without_answers(engine.program, slots, slots[SEAT]))
    words = f"{seed} {slots[DECISIONS]} {slots[SEAT]}"
    native = isinstance(engine, NativeEngine)
    return Position(engine.program, slots, slots[SEAT], tuple(engine.options()), words, native)


def think(match: Match, bot: str, seat: int | None = None) -> int:
    """The option this bot takes. Raises MatchError for a bot the book does not have."""
    return decide(position(match, seat), bot)


def decide(now: Position, bot: str) -> int:
    """The option this bot takes. Raises MatchError for a bot the book does not have."""
    chance = random.Random(now.seed)
    if bot == RANDOM:
        return chance.randrange(now.options)
    if bot not in now.program.sheet.strategies:
        if isinstance(bot, str) and (bot in _makers or ":" in bot):  # pyright: ignore[reportUnnecessaryIsInstance]
            return decider(now.program, bot).decide(now)
        raise MatchError(f"the book has no player called {told(bot)}")
    made = imagine(now.program, now.slots, now.seat, chance, now.native)
    engine = _engine(now)
    engine.load(struct.pack(f"<{len(made)}i", *made))
    try:
        offers = engine.options()
        choice = engine.policy(now.program.sheet.strategies.index(bot))
    except Fault as fault:
        raise MatchFault(fault, f"{bot} cannot decide: {fault.where(now.program.sheet.sites)}") from None
    taken = offers[choice] if 0 <= choice < len(offers) else None
    # Made-up cards may be offered otherwise than the real ones, so what counts is the option, not its number.
    if taken is not None and choice < now.options and now.offers[choice] == taken:
        return choice
    return now.offers.index(taken) if taken in now.offers else chance.randrange(now.options)


def _engine(now: Position) -> NativeEngine | ReferenceEngine:
    """An engine of this thread's own for the book."""
    engines: dict[tuple[str, bool], NativeEngine | ReferenceEngine] = _kept.__dict__.setdefault("engines", {})
    key = (now.program.digest, now.native)
    engine = engines.pop(key, None)
    if engine is None:
        engine = NativeEngine(now.program) if now.native else ReferenceEngine(now.program)
        engine.record(False)
    engines[key] = engine  # the newest last
    while len(engines) > ENGINES:
        del engines[next(iter(engines))]
    return engine
