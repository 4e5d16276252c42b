"""A match in which something goes wrong -> a short one in which the same goes wrong.

In:  a Trial (what is played, and what must come of it) and the choices of a match.
Out: `Short`: fewer choices, and the hash of the state in which they end.

Choices are dropped, halves first, then ever smaller pieces, while the rest still leads to the same breach.
What comes after a gap is found again by what it is, not by its number; where it is not on offer any more,
whatever stands at its place is taken instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.ir.program import DECISION, ENDED, STATUS
from rulewright.native.engine import NativeEngine
from rulewright.play.engine import OptionRow
from rulewright.play.faults import Fault
from rulewright.play.setup import option_slots

MOST = 300_000
"""Choices that may be made in all while shrinking: some seconds."""

Step = tuple[int, OptionRow]
"""The number of an option, and the option."""


@dataclass(frozen=True, slots=True)
class Short:
    """Choices that lead to a breach."""

    steps: tuple[Step, ...]
    hash: str

    @property
    def choices(self) -> tuple[int, ...]:
        """Their numbers alone."""
        return tuple(index for index, _ in self.steps)


@dataclass(frozen=True, slots=True)
class Trial:
    """A match to be played again and again."""

    engine: NativeEngine
    law_policy: int
    """The policy that gives the number of the first broken law; the next one does so after the end."""
    wanted: int
    """The law that must be broken; -1: the rules must fail."""
    seats: int
    seed: int
    options: Mapping[str, str]

    def broken(self) -> int:
        """The first law that does not hold now, from 1. Asking changes nothing, and needs no decision."""
        engine = self.engine
        which = self.law_policy + (engine.peek(STATUS) == ENDED)
        return engine.arena.call(engine.library.policy, which + 1)

    def run(self, plan: Sequence[Step | int]) -> Short | None:
        """Make these choices; what was made up to the breach, or None if there is none."""
        engine, made = self.engine, list[Step]()
        try:
            engine.start(self.seats, self.seed, option_slots(engine.program, self.options))
            engine.advance()
            for step in (*plan, None):
                status = engine.peek(STATUS)
                if status not in (DECISION, ENDED):
                    return None
                if self.wanted > 0 and self.broken() == self.wanted:
                    return Short(tuple(made), f"{engine.hash():016x}")
                if step is None or status == ENDED:
                    return None
                rows = engine.options()
                index = _index(step, rows)
                state = f"{engine.hash():016x}" if self.wanted < 0 else ""
                made.append((index, rows[index]))
                try:
                    engine.step(index)
                except Fault:
                    return Short(tuple(made), state) if self.wanted < 0 else None
        except Fault:
            return Short((), "") if self.wanted < 0 and not made else None
        return None


def _index(step: Step | int, rows: Sequence[OptionRow]) -> int:
    if isinstance(step, int):
        return min(step, len(rows) - 1)
    return rows.index(step[1]) if step[1] in rows else min(step[0], len(rows) - 1)


def shrunk(trial: Trial, choices: Sequence[int]) -> Short:
    """As few choices as can be found. The choices themselves must lead to the breach."""
    best = trial.run(choices)
    assert best is not None, "a breach that was found is found again"
    left = MOST - len(choices)
    piece = len(best.steps) // 2
    while piece and left > 0:
        at = 0
        while at < len(best.steps) and left > 0:
            plan = (*best.steps[:at], *best.steps[at + piece :])
            left -= len(plan)
            found = trial.run(plan)
            if found is not None and len(found.steps) < len(best.steps):
                best = found
            else:
                at += piece
        piece = min(piece, len(best.steps)) // 2
    return best
