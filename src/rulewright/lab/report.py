"""A run in words and numbers: JSON for programs, findings for people.

In:  a Run.
Out: `to_json` (schema in docs/lab.md) and `from_json`, which a run can be gone on with or opened by;
     `used`: what was used and what became of those who used it.

The same run gives the same text however many jobs played it, but for `seconds`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from rulewright.ir.program import Program
from rulewright.lab import intervals
from rulewright.lab.counting import FIXED, NEVER, counting
from rulewright.lab.followed import rule_sites
from rulewright.lab.over_time import over_time, standings
from rulewright.lab.simulate import Run, setting
from rulewright.native.outer import map as at
from rulewright.play.faults import MatchError

FORMAT = "rulewright run 1"
LEAST_USED = 20
"""Users below this number say nothing about an item."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Used:
    """Something that was used: by how many seats, in how many matches, how often, with what share of points;
    `interval` is corrected for all comparisons of the run. `match`: the number of the first match with it."""

    kind: str
    name: str
    seats: int
    matches: int
    times: int
    points: float
    interval: intervals.Interval
    match: int

    @property
    def share(self) -> float:
        """Points per user."""
        return self.points / self.seats if self.seats else 0.0


def used(run: Run) -> list[Used]:
    """Items of the run under their names; several places of one rule are one item, the busiest of them."""
    rows: dict[tuple[str, str], list[int]] = {}
    for item, cells in _items(run):
        key = (item.kind, item.name)
        if item.name and (key not in rows or cells[3] > rows[key][3]):
            rows[key] = cells
    tested = sum(cells[0] >= LEAST_USED for cells in rows.values())
    z = intervals.corrected(tested)
    return [
        Used(
            kind,
            name,
            cells[0],
            cells[2],
            cells[3],
            cells[1] / 2,
            intervals.share(cells[1] / 2, cells[0], z),
            cells[4] - 1,
        )
        for (kind, name), cells in rows.items()
    ]


def _items(run: Run) -> Iterator[tuple[Any, list[int]]]:
    counts = counting(run.setting.program, len(run.setting.names))
    for number, item in enumerate(counts.items):
        first = FIXED + at.ITEM * number
        yield item, list(run.sums[first : first + at.ITEM])


def silent(run: Run) -> list[str]:
    """Rules that can say when they run, and never did."""
    program = run.setting.program
    ran: set[str] = set()
    there: set[str] = set()
    fired = {number for number, (_, cells) in enumerate(_items(run)) if cells[3]}
    for site in rule_sites(program):
        title = program.sheet.sites[site].title
        there.add(title)
        if site in fired:
            ran.add(title)
    return sorted(there - ran - {""})


def spans(run: Run) -> dict[str, float]:
    """How many rounds and turns a match has, for books that have sequences called so."""
    found: dict[str, float] = {}
    for row in used(run):
        if row.kind == "rule" and row.name.casefold() in ("round", "turn") and run.matches:
            found[f"{row.name.casefold()}s"] = row.times / run.matches
    return found


def points_interval(run: Run, z: float = intervals.USUAL) -> intervals.Interval:
    """Points per match of the first name: from groups of matches with one seed, since those hang together."""
    rotations, sums = run.setting.rotations, run.sums
    low, high = intervals.mean(sums[at.GROUP_SUM], sums[at.GROUP_SQUARES], sums[at.GROUPS], z)
    return max(0.0, low / 2 / rotations), min(1.0, high / 2 / rotations)


def lengths(run: Run) -> list[tuple[int, int]]:
    """(from so many decisions on, matches) for each band that has any."""
    found: list[tuple[int, int]] = []
    for band in range(at.BANDS):
        many = run.sums[at.LENGTHS + band]
        if many:
            octave, part = divmod(band, at.OCTAVE)
            low = 2**octave
            found.append((low + math.ceil(low * part / at.OCTAVE), many))
    return found


def summary(run: Run) -> Json:
    """Everything the run says, ready for JSON."""
    table, sums, program = run.setting, run.sums, run.setting.program
    played = max(1, run.matches - run.faults)
    by_name, by_seat = standings(run)
    return {
        "format": FORMAT,
        "book": program.name,
        "title": program.title,
        "program": program.digest,
        "matches": run.matches,
        "asked": run.asked,
        "seats": list(table.names),
        "options": table.options,
        "seed": table.seed,
        "rotations": table.rotations,
        "wins": list(run.wins),
        "draws": run.draws,
        "points": list(run.points),
        "shares": [list(_rounded(intervals.share(win, played))) for win in run.wins],
        "points_interval": list(_rounded(points_interval(run))) if run.matches else None,
        "decisions": run.decisions,
        "faults": run.faults,
        "fault_match": sums[at.FAULT_MATCH] - 1 if run.faults else None,
        "length": {
            "mean": run.decisions / played,
            "interval": list(_rounded(intervals.mean(run.decisions, sums[at.SQUARES], played))),
            "shortest": sums[at.SHORTEST] if sums[at.SHORTEST] < NEVER else None,
            "longest": sums[at.LONGEST],
            "longest_match": sums[at.LONGEST_MATCH] - 1,
            "bands": lengths(run),
            **_moves(run, played),
            **spans(run),
        },
        "standings": by_name,
        "by_seat": [{**row, **stood} for row, stood in zip(_by_seat(run), by_seat, strict=True)],
        "first_mover": _first_mover(run),
        "endings": _endings(run, played),
        "used": [
            _row(row)
            for row in sorted(used(run), key=lambda row: (row.kind, row.name))
            if row.times or row.seats
        ],
        "over_time": over_time(run),
        "never": silent(run) if any(cells[3] for _, cells in _items(run)) else None,
        "sums": list(sums),
        "seconds": round(run.seconds, 3),
    }


def _moves(run: Run, played: int) -> Json:
    """Choices with those that only one option was left for."""
    total, squares = run.sums[at.MOVES], run.sums[at.MOVE_SQUARES]
    if not total:
        return {}
    return {
        "moves": total / played,
        "moves_interval": list(_rounded(intervals.mean(total, squares, played))),
        "forced": round(1 - run.decisions / total, 6),
    }


def _rounded(interval: intervals.Interval) -> tuple[float | None, float | None]:
    low, high = (round(x, 6) if math.isfinite(x) else None for x in interval)
    return low, high


def _row(row: Used) -> Json:
    return {
        "kind": row.kind,
        "name": row.name,
        "seats": row.seats,
        "matches": row.matches,
        "times": row.times,
        "share": round(row.share, 6) if row.seats else None,
        "interval": list(_rounded(row.interval)) if row.seats else None,
        "match": row.match,
    }


def _by_seat(run: Run) -> list[Json]:
    found: list[Json] = []
    for seat in range(len(run.setting.names)):
        matches, wins = run.sums[at.SEAT_MATCHES + seat], run.sums[at.SEAT_WINS + seat]
        interval = _rounded(intervals.share(wins, matches))
        draws = run.sums[at.SEAT_DRAWS + seat]
        found.append(
            {"seat": seat, "matches": matches, "wins": wins, "draws": draws, "interval": list(interval)}
        )
    return found


def _first_mover(run: Run) -> Json:
    seats = range(len(run.setting.names))
    matches = sum(run.sums[at.FIRST_MATCHES + seat] for seat in seats)
    wins = sum(run.sums[at.FIRST_WINS + seat] for seat in seats)
    draws = sum(run.sums[at.FIRST_DRAWS + seat] for seat in seats)
    interval = list(_rounded(intervals.share(wins, matches)))
    return {"matches": matches, "wins": wins, "draws": draws, "interval": interval}


def _endings(run: Run, played: int) -> list[Json]:
    names = ("(none)", *run.setting.program.sheet.endings)
    found: list[Json] = []
    for number, name in enumerate(names[:64]):
        many = run.sums[at.ENDINGS + number]
        if many:
            interval = list(_rounded(intervals.share(many, played)))
            first = run.sums[at.ENDING_FIRST + number] - 1
            found.append({"ending": name, "matches": many, "interval": interval, "match": first})
    return found


def to_json(run: Run) -> str:
    """The run as one JSON object."""
    return json.dumps(summary(run), ensure_ascii=False, indent=1) + "\n"


def from_json(program: Program, text: str | bytes) -> Run:
    """A run that was written, of this Program. Raises MatchError when it is none, or of another."""
    try:
        table: Any = json.loads(text)
        if not isinstance(table, dict) or cast("Json", table).get("format") != FORMAT:
            raise ValueError("it is not marked as one")
        row = cast("Json", table)
        if row["book"] != program.name:
            raise MatchError(f"the run is of {row['title']}, not of {program.title}")
        if row["program"] != program.digest:
            raise MatchError(f"the run is of another version of the book than this {program.title}")
        sums = tuple(int(cell) for cell in row["sums"])
        made = setting(program, row["seats"], row["options"], seed=row["seed"])
        if len(sums) != len(counting(program, len(made.names)).empty()):
            raise ValueError("its sums are not of this book")
        return Run(made, int(row["asked"]), sums, float(row["seconds"]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MatchError(f"this is not a run, or it is damaged: {error}") from None
