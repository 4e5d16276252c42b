"""Why a player would take an option: its estimate, what the best options promise, what it expects then.

In:  a position, how much to think.
Out: `Advice`, ready for JSON and for people: see docs/players.md.

It is the search of `medium`, `hard` and the like with its reasons told, so it knows what the seat may know
and no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.play.knowledge import Knowledge
from rulewright.play.match import Match
from rulewright.play.words import option
from rulewright.players.ahead import told
from rulewright.players.bots import Position, decider, position
from rulewright.players.levels import Level
from rulewright.players.search import Budget, Thought, think

BEST = 5
"""Options that are told of."""
USUAL = Budget(2000, 400)


@dataclass(frozen=True, slots=True)
class Reason:
    """One option: what it says, what it promises (0 to 1, with the 95 % interval), how often it was tried,
    and what is expected to follow, as (seat, what it does)."""

    option: int
    text: str
    estimate: float
    low: float
    high: float
    lines: int
    then: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """What a player would do, and why. `plain`: what the book's strategy takes, or -1."""

    option: int
    text: str
    estimate: float
    lines: int
    plain: int
    reasons: tuple[Reason, ...]

    def to_json(self) -> dict[str, Any]:
        """As the server tells it."""
        return {
            "option": self.option,
            "text": self.text,
            "estimate": round(self.estimate, 4),
            "lines": self.lines,
            "plain": self.plain,
            "reasons": [
                {
                    "option": reason.option,
                    "text": reason.text,
                    "estimate": round(reason.estimate, 4),
                    "low": round(reason.low, 4),
                    "high": round(reason.high, 4),
                    "lines": reason.lines,
                    "then": [{"seat": seat, "text": text} for seat, text in reason.then],
                }
                for reason in self.reasons
            ],
        }

    def __str__(self) -> str:
        lines = [f"{self.text} ({100 * self.estimate:.0f} %, {self.lines} lines)"]
        for reason in self.reasons:
            then = ", then ".join(f"seat {seat + 1}: {text}" for seat, text in reason.then)
            percent = f"{100 * reason.estimate:.0f} % ({100 * reason.low:.0f} to {100 * reason.high:.0f})"
            lines.append(f"  {reason.text}: {percent}, {reason.lines} lines{'; ' + then if then else ''}")
        return "\n".join(lines)


def explain(match: Match, player: str = "medium") -> Advice:
    """What a player would do in a match, with its reasons. Raises MatchError when there is nothing to decide,
    or the player does not search."""
    return advice(position(match), player)


def advice(now: Position, player: str = "medium") -> Advice:
    """The same for a position."""
    who = decider(now.program, player)
    return spoken(now, who.thought(now) if isinstance(who, Level) else think(now, USUAL))


def spoken(now: Position, thought: Thought) -> Advice:
    """A thought in words: first what it would do, then what it thought of most."""
    reader = Knowledge(now.program, now.slots, now.seat)
    worths = sorted(thought.worths, key=lambda worth: worth.option != thought.option)
    texts = [option(index, payload, reader).text for index, payload in enumerate(now.offers)]
    reasons = [
        Reason(
            worth.option,
            texts[worth.option],
            worth.mean,
            max(0.0, worth.mean - 1.96 * worth.error),
            min(1.0, worth.mean + 1.96 * worth.error),
            worth.lines,
            tuple((step.seat, told(now.program, step.key, now.slots)) for step in worth.then),
        )
        for worth in worths[:BEST]
    ]
    chosen = texts[thought.option]
    return Advice(thought.option, chosen, thought.estimate, thought.lines, thought.plain, tuple(reasons))
