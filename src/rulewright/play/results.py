"""How a match ended: its ending, who has won, ranks and numbers, seat by seat.

In:  the slots of a match that has ended.
Out: `Result`, the same for every engine; `worth`, what it is worth to a seat, for players and statistics.

Slots (see `Sheet.result`): `ending` + 1, `score` (1 won, 0 lost, 2 drawn), and where a book says `ranked by`
or `scores`, `rank` (from 1, 0 if this ending gives none), `points` and `pointed` (1 if this one gives them).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.ir.program import SEATS, Program

WON, DRAWN = 1, 2


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, one number a seat in each tuple."""

    ending: str
    scores: tuple[int, ...]
    """1 for a win, 0 for a loss, 2 for a draw. Several can have won."""
    ranks: tuple[int, ...] = ()
    """From 1; equals share a rank, and the next one counts them. Where a book does not rank, winners lead."""
    points: tuple[int, ...] | None = None
    """The numbers that the book gives (`scores [Chips]`), or None if it gives none."""


def result_of(program: Program, slots: Sequence[int]) -> Result:
    """The result of a match that has ended."""
    table, endings = program.sheet.result, program.sheet.endings
    ending = slots[table["ending"]] - 1 if "ending" in table else -1
    scores = _row(program, slots, "score") or ()
    points = _row(program, slots, "points") if slots[table.get("pointed", 0)] else None
    return Result(
        endings[ending] if 0 <= ending < len(endings) else "",
        scores,
        ranks_of(program, slots),
        points if "pointed" in table else None,
    )


def ranks_of(program: Program, slots: Sequence[int]) -> tuple[int, ...]:
    """The rank of each seat: as the book says, or winners and drawn before the others."""
    ranks = _row(program, slots, "rank")
    if ranks and any(ranks):
        return ranks
    scores = _row(program, slots, "score") or ()
    ahead = sum(score != 0 for score in scores)
    return tuple(1 if score else 1 + ahead for score in scores)


def worth(program: Program, slots: Sequence[int], seat: int) -> float:
    """What a result is worth to a seat, from 0 to 1: a win 1, a draw a half; where the book ranks, the share
    of the other seats that are behind, equals counting half."""
    ranks = _row(program, slots, "rank")
    if ranks and any(ranks) and len(ranks) > 1:
        mine, others = ranks[seat], (*ranks[:seat], *ranks[seat + 1 :])
        return sum(1.0 if rank > mine else 0.5 if rank == mine else 0.0 for rank in others) / len(others)
    scores = _row(program, slots, "score")
    return {WON: 1.0, DRAWN: 0.5}.get(scores[seat], 0.0) if scores else 0.0


def as_json(result: Result) -> dict[str, Any]:
    """For JSON; `points` only where the book gives some."""
    made: dict[str, Any] = {
        "ending": result.ending,
        "scores": list(result.scores),
        "ranks": list(result.ranks),
    }
    return made if result.points is None else {**made, "points": list(result.points)}


def standing(result: Result, seat: int) -> str:
    """Rank and number of a seat in brackets, where they say more than who has won; else nothing."""
    parts = [f"rank {result.ranks[seat]}"] if len(set(result.ranks)) > 2 else []
    if result.points is not None:
        parts.append(str(result.points[seat]))
    return f" ({', '.join(parts)})" if parts else ""


def _row(program: Program, slots: Sequence[int], name: str) -> tuple[int, ...] | None:
    at = program.sheet.result.get(name)
    return None if at is None else tuple(slots[at : at + slots[SEATS]])
