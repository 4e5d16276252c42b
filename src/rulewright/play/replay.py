"""A match as what was decided: enough to play it again, byte for byte.

In:  a Program's digest, seed, seats, options, choices.
Out: JSON and back; `verify` plays it again and says where it does not fit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

from rulewright.ir import tables
from rulewright.ir.program import DECISION, SEAT, STATUS, Program
from rulewright.play.arguments import told
from rulewright.play.engine import unpack
from rulewright.play.faults import Fault, MatchError
from rulewright.play.keepsake import Keepsake
from rulewright.play.setup import (
    EngineMaker,
    make_engine,
    require_playable,
    resolve_options,
    resolve_seats,
    resolve_seed,
    start_slots,
)
from rulewright.play.together import focus, unseated, waiting

FORMAT = "rulewright replay 1"


@dataclass(frozen=True, slots=True)
class Replay:
    """One match. `choices` are option numbers in order; `hash` is that of the state after the last one. Where
    several choose at the same time, a number says whose it is too: see `together.seated`."""

    program: str
    seed: int
    players: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict[str, str])
    choices: tuple[int, ...] = ()
    hash: str = ""
    title: str = ""
    carried: Keepsake | None = None
    """What was brought from an earlier match."""

    @property
    def seats(self) -> int:
        """How many seats the match has."""
        return len(self.players)

    def to_json(self) -> str:
        """One JSON object, the same text for the same match."""
        return json.dumps({"format": FORMAT, **tables.encode(self)}, ensure_ascii=False)

    @staticmethod
    def from_json(text: str | bytes) -> Replay:
        """Read a replay. Raises MatchError when the text is none."""
        try:
            table: Any = json.loads(text)
            if not isinstance(table, dict):
                raise ValueError("not an object")
            given = cast("dict[str, Any]", table)
            if given.pop("format", None) != FORMAT:
                raise ValueError("not marked as a replay")
            return tables.decode(Replay, given)
        except (ValueError, TypeError, RecursionError) as error:
            raise MatchError(f"this is not a replay, or it is damaged: {error}") from None

    def verify(self, program: Program, engine: str | EngineMaker = "reference") -> int:
        """Play it again and return the hash of the last state. Raises MatchError where it does not fit."""
        require_playable(program)
        try:
            tables.checked(self)
        except (ValueError, RecursionError) as error:
            raise MatchError(f"this is no replay: {error}") from None
        if self.program != program.digest:
            raise MatchError(f"the replay is of another version of the book than this {program.title}")
        players = resolve_seats(program, self.players)
        slots = start_slots(program, players, resolve_options(program, self.options), self.carried)
        runner = make_engine(program, engine)
        runner.record(False)
        number = 0
        try:
            seed = resolve_seed(self.seed)
            runner.start(len(players), seed, slots)
            runner.advance()
            for number, choice in enumerate(self.choices, start=1):
                seat, option = unseated(choice)
                if seat is not None:
                    focus(runner, seat if seat in waiting(program, unpack(program, runner.state())) else None)
                offered = len(runner.options())
                if runner.peek(STATUS) != DECISION:
                    raise MatchError(f"the match ended before choice {number} of the replay")
                if not 0 <= option < offered or seat not in (None, runner.peek(SEAT)):
                    raise MatchError(
                        f"choice {number} of the replay takes option {told(choice)} of {offered}"
                    )
                runner.choose(option)
                runner.advance()
            found = runner.hash()
        except Fault as fault:
            raise MatchError(
                f"after choice {number} of the replay: {fault.where(program.sheet.sites)}"
            ) from None
        if self.hash and self.hash != f"{found:016x}":
            raise MatchError("the replay ends in another state than it says")
        return found
