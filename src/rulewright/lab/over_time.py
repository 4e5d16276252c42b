"""Ranks and numbers at the end of matches, and numbers as they go on, from the sums of a run.

In:  a Run.
Out: rows ready for JSON: see docs/lab.md.

Several actors or seats of one match hang together, so a match is one sample: the interval of a mean is that
of a ratio of two sums over matches.
"""

from __future__ import annotations

import math
from typing import Any

from rulewright.lab import intervals
from rulewright.lab.counting import counting
from rulewright.lab.followed import clock_word
from rulewright.lab.simulate import Run
from rulewright.native.outer import map as at

Json = dict[str, Any]

OWNERS = {at.OF_MATCH: "match", at.OF_ACTOR: "actor", at.OF_SEAT: "seat"}
END = "end"


def tick_of(moment: int) -> int | str:
    """When a moment is: 1, 2, 3, 4, 6, 8, 12, .. ticks, or at the end."""
    if moment == at.MOMENTS - 1:
        return END
    return 1 if moment == 0 else (2 + (moment - 1) % 2) * 2 ** ((moment - 1) // 2)


def standings(run: Run) -> tuple[list[Json], list[Json]]:
    """Rank and numbers of each name, and of each seat, in order."""
    many, played = len(run.setting.names), run.matches - run.faults
    first = counting(run.setting.program, many).standings
    rows = [_standing(run.sums[first + at.STAND * k :][: at.STAND], played) for k in range(2 * many)]
    return rows[:many], rows[many:]


def _standing(cells: tuple[int, ...], played: int) -> Json:
    ranks, rank_squares, numbers, squares, scored = cells
    return {
        "rank": round(ranks / played, 6) if played else None,
        "rank_interval": _told(intervals.mean(ranks, rank_squares, played)),
        "score": round(numbers / scored, 6) if scored else None,
        "score_interval": _told(intervals.mean(numbers, squares, scored)) if scored else None,
    }


def over_time(run: Run) -> Json | None:
    """Means of the numbers that everybody sees and that change, at the beginnings of rounds (or turns)."""
    program = run.setting.program
    counts = counting(program, len(run.setting.names))
    rows: list[Json] = []
    for number, row in enumerate(counts.follows):
        first = counts.tracks + at.MOMENT * at.MOMENTS * number
        cells = run.sums[first : first + at.MOMENT * at.MOMENTS]
        seen = [cells[at.MOMENT * k : at.MOMENT * (k + 1)] for k in range(at.MOMENTS)]
        made = [_seen(moment, part) for moment, part in enumerate(seen) if part[0]]
        if any(_stirs(part, seen) for part in seen):
            rows.append({"name": row.name, "of": OWNERS[row.kind], "moments": made})
    return {"clock": clock_word(program) or None, "numbers": rows} if rows else None


def _stirs(part: tuple[int, ...], seen: list[tuple[int, ...]]) -> bool:
    """Whether a number is not the same at all times: a mean or a spread that is not the others'."""
    whole = [sum(cells) for cells in zip(*seen, strict=True)]
    if not whole[1] or not part[1]:
        return False
    return part[2] * whole[1] != whole[2] * part[1] or part[5] * part[3] != part[4] * part[4]


def _seen(moment: int, cells: tuple[int, ...]) -> Json:
    matches, many, total, both, cross, squares = cells
    mean = total / many
    half = math.inf
    if matches > 1:
        spread = max(0.0, squares - 2 * mean * cross + mean * mean * both) * matches / (matches - 1)
        half = intervals.USUAL * math.sqrt(spread) / many
    interval = _told((mean - half, mean + half))
    return {"at": tick_of(moment), "matches": matches, "mean": round(mean, 6), "interval": interval}


def _told(interval: intervals.Interval) -> list[float | None]:
    return [round(x, 6) if math.isfinite(x) else None for x in interval]
