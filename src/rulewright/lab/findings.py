"""What a report says: findings in sentences, each with its number, how sure that is, and a match to look at.

In:  a Balance.
Out: `Finding`s in the order of the report: seats, what seats play with, skill, length, endings, choice, what
     is used, what never happens.

A finding is `good`, worth a `look`, or `bad`. Differences count only when their interval says so, and
intervals are widened for as many comparisons as are made at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulewright.lab import intervals, report
from rulewright.lab.balance import Balance
from rulewright.lab.better import Gain
from rulewright.lab.simulate import Run
from rulewright.native.outer import map as at

Tone = Literal["good", "look", "bad", "note"]
SMALL, LARGE = 0.02, 0.05
"""Edges below the first are nobody's business; above the second somebody should do something."""
STALLED = 0.05


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence, and the numbers behind it. `part`: the part of the report that shows it; `run` and `match`:
    where to look."""

    part: str
    tone: Tone
    title: str
    detail: str = ""
    run: str = "plain"
    match: int = -1

    @property
    def text(self) -> str:
        """All of it."""
        return f"{self.title}. {self.detail}" if self.detail else f"{self.title}."


def percent(part: float, digits: int = 1) -> str:
    """A share as people read it."""
    return f"{100 * part:.{digits}f}\N{NO-BREAK SPACE}%"


def ranged(interval: intervals.Interval, digits: int = 1) -> str:
    """An interval of a share."""
    return f"{100 * interval[0]:.{digits}f} to {100 * interval[1]:.{digits}f}\N{NO-BREAK SPACE}%"


def findings(found: Balance) -> list[Finding]:
    """Everything worth saying."""
    parts = (_seats, _loadouts, _skill, _length, _endings, _choice, _used, _never)
    return [finding for part in parts for finding in part(found)]


def seat_points(run: Run) -> list[tuple[float, intervals.Interval]]:
    """Points per match of each seat, with intervals for as many seats as there are."""
    many = len(run.setting.names)
    z = intervals.corrected(many)
    rows: list[tuple[float, intervals.Interval]] = []
    for seat in range(many):
        played = run.sums[at.SEAT_MATCHES + seat]
        points = run.sums[at.SEAT_WINS + seat] + run.sums[at.SEAT_DRAWS + seat] / 2
        rows.append((points / max(1, played), intervals.share(points, played, z)))
    return rows


def _seats(found: Balance) -> Iterator[Finding]:
    if found.together:
        share = found.plain.points[0] / max(1, found.plain.matches)
        bounds = intervals.share(found.plain.points[0], found.plain.matches)
        tone: Tone = "good" if 0.1 <= share <= 0.9 else "look"
        who = found.plan.base
        word = "can be won and lost" if tone == "good" else "is nearly always won"
        word = "is nearly always lost" if share < 0.1 else word
        detail = f"{who} wins {percent(share)} of {found.plain.matches:,} matches ({ranged(bounds)})."
        yield Finding("seats", tone, f"The match {word}", detail, "plain", 0)
        return
    for run, name, who in ((found.plain, "plain", found.plan.base), (found.own, "own", _own_name(found))):
        if run is not None:
            yield _edge(run, name, who)


def _own_name(found: Balance) -> str:
    return found.plan.self_play.player if found.plan.self_play is not None else ""


def _edge(run: Run, name: str, who: str) -> Finding:
    rows = seat_points(run)
    fair = sum(part for part, _ in rows) / len(rows)
    seat = max(range(len(rows)), key=lambda k: abs(rows[k][0] - fair))
    part, bounds = rows[seat]
    edge = part - fair
    sure = bounds[0] > fair or bounds[1] < fair
    detail = (
        f"With {who} at every seat, seat {seat + 1} makes {percent(part)} of the points "
        f"({ranged(bounds)}, fair is {percent(fair)}, {run.matches:,} matches)."
    )
    if not sure:
        wide = max(bounds[1] - fair, fair - bounds[0])
        tone: Tone = "good" if wide < LARGE else "note"
        return Finding("seats", tone, f"No seat has an edge that shows under {who}", detail, name, 0)
    tone = "good" if abs(edge) < SMALL else "look" if abs(edge) < LARGE else "bad"
    size = "a little " if tone == "good" else ""
    title = f"Seat {seat + 1} is {size}{'better' if edge > 0 else 'worse'} off under {who}"
    return Finding("seats", tone, title, detail, name, 0)


def _loadouts(found: Balance) -> Iterator[Finding]:
    for matrix in found.matrices:
        rows = report.used(found.plain)
        mine = [row for row in rows if row.kind == matrix.name and row.seats >= report.LEAST_USED]
        if len(mine) < 2:
            continue
        fair = sum(row.points for row in mine) / sum(row.seats for row in mine)
        out = [row for row in mine if row.interval[0] > fair + SMALL or row.interval[1] < fair - SMALL]
        if not out:
            title = f"Every {matrix.name} that is played does about as well as the others"
            yield Finding("loadouts", "good", title)
            continue
        best, worst = max(mine, key=lambda row: row.share), min(mine, key=lambda row: row.share)
        tone: Tone = "bad" if best.share - worst.share > 4 * LARGE else "look"
        yield Finding(
            "loadouts",
            tone,
            f"{best.name} is the {matrix.name} to have, {worst.name} the one to avoid",
            f"{best.name} makes {percent(best.share)} of the points ({ranged(best.interval)}), {worst.name} "
            f"{percent(worst.share)} ({ranged(worst.interval)}).",
            "plain",
            best.match,
        )


def _skill(found: Balance) -> Iterator[Finding]:
    if not found.ladder:
        return
    if found.together:
        first, last = found.ladder[0], max(found.ladder, key=lambda step: step.points)
        tone: Tone = "good" if last.interval[0] > first.interval[1] else "look"
        words = "Better play wins more often" if tone == "good" else "Better play does not show yet"
        yield Finding(
            "skill",
            tone,
            words,
            f"{first.player} wins {percent(first.points)} ({ranged(first.interval)}), {last.player} "
            f"{percent(last.points)} ({ranged(last.interval)}, {last.run.matches:,} matches).",
            f"ladder-{found.ladder.index(last)}",
            0,
        )
    else:
        yield _climb(found)
        for number, step in enumerate(found.ladder):
            low, high = step.interval
            word = "beats" if low > 0.5 else "loses to" if high < 0.5 else "is about as good as"
            yield Finding(
                "skill",
                "note",
                f"{step.player} {word} {step.against}",
                f"It makes {percent(step.points)} of the points ({ranged(step.interval)}, "
                f"{step.run.matches:,} matches).",
                f"ladder-{number}",
                0,
            )
    if found.gain is not None:
        yield _gained(found.gain, found.plan.base)
    if found.plan.left_out:
        yield _left_out(found)


def _gained(seen: Gain, base: str) -> Finding:
    """What a single choice is worth that is thought about for longer."""
    low, high = seen.interval
    part = percent(seen.left / max(1, seen.positions))
    detail = (
        f"At {part} of {seen.positions} positions ({len(seen.rows)} matches) {seen.player}, with "
        f"{seen.lines} lines a choice, takes something else than {base}. Taken once, with {base} for all the "
        f"rest, that changes the share of wins by {100 * seen.mean:+.2f} points "
        f"({100 * low:+.2f} to {100 * high:+.2f}) a choice, on the mean over all positions."
    )
    if low > 0:
        return Finding("skill", "good", f"Choosing better than {base} wins more matches", detail)
    title = (
        f"A better choice than that of {base} hardly shows"
        if high > 0
        else f"{base} chooses better than a search"
    )
    return Finding("skill", "look", title, detail)


def _left_out(found: Balance) -> Finding:
    """Who could not be played, and how to do that."""
    who = found.plan.left_out
    book = found.program.name
    rival = "" if found.together else f",{found.plan.base}"
    time = "1 minute is" if found.minutes == 1 else f"{found.minutes:g} minutes are"
    times = "it can have" if len(who) == 1 else "they can have"
    return Finding(
        "skill",
        "note",
        f"For whole matches of {' and '.join(who)} {time} too short",
        f"With `--minutes` {times} more; `rulewright simulate {book} --seats {who[0]}{rival} --matches 100` "
        "plays them however long it takes.",
    )


def _climb(found: Balance) -> Finding:
    """Whether those who think more win more."""
    thinking = [
        (number, step) for number, step in enumerate(found.ladder) if step.player not in _known(found)
    ]
    steps = thinking or list(enumerate(found.ladder))
    number, top = steps[-1]
    detail = (
        f"{top.player} makes {percent(top.points)} of the points against {top.against} "
        f"({ranged(top.interval)}, {top.run.matches:,} matches)."
    )
    if all(step.interval[0] > 0.5 for _, step in steps):
        return Finding("skill", "good", "Better play wins", detail, f"ladder-{number}", 0)
    if any(step.interval[1] < 0.5 for _, step in steps):
        return Finding(
            "skill", "look", "Thinking more does not help at every step", detail, f"ladder-{number}", 0
        )
    return Finding("skill", "look", "Better play hardly shows", detail, f"ladder-{number}", 0)


def _known(found: Balance) -> tuple[str, ...]:
    return ("random", *found.program.sheet.strategies)


def _length(found: Balance) -> Iterator[Finding]:
    run = found.plain
    facts = report.summary(run)["length"]
    low, high = facts["interval"]
    spread = quantiles(run)
    per = "".join(f", {facts[word]:.1f} {word}" for word in ("rounds", "turns") if facts.get(word))
    yield Finding(
        "length",
        "note",
        f"A match takes about {facts['mean']:.0f} decisions",
        f"The mean is {facts['mean']:.1f} ({low:.1f} to {high:.1f}){per}; half of the matches take "
        f"{spread[0]} to {spread[2]}.",
    )
    longest = facts["longest"]
    tone: Tone = "look" if longest > 8 * max(1, spread[1]) else "note"
    yield Finding(
        "length",
        tone,
        f"The longest match took {longest:,} decisions",
        f"That is {longest / max(1, spread[1]):.1f} times as many as half of the matches take at most.",
        "plain",
        max(0, facts["longest_match"]),
    )
    if run.faults:
        yield Finding(
            "length",
            "bad",
            f"The rules failed in {run.faults} matches",
            "",
            "plain",
            run.sums[at.FAULT_MATCH] - 1,
        )


def quantiles(run: Run) -> tuple[int, int, int]:
    """Decisions that a quarter, half and three quarters of the matches stay below, by bands."""
    bands = report.lengths(run)
    total, seen = sum(many for _, many in bands), 0
    found: list[int] = []
    for start, many in bands:
        seen += many
        while len(found) < 3 and seen >= total * (len(found) + 1) / 4:
            found.append(start)
    return (*found, *([0] * (3 - len(found))))[:3]  # pyright: ignore[reportReturnType]


def _endings(found: Balance) -> Iterator[Finding]:
    facts = report.summary(found.plain)
    played = max(1, found.plain.matches - found.plain.faults)
    rows = sorted(facts["endings"], key=lambda row: -row["matches"])
    if rows:
        top = rows[0]
        others = len(found.program.sheet.endings) - len([r for r in rows if r["ending"] != "(none)"])
        more = f" {others} of {len(found.program.sheet.endings)} endings never came." if others > 0 else ""
        yield Finding(
            "endings",
            "look" if others > 0 else "note",
            f"{'Nearly all' if top['matches'] > 0.95 * played else 'Most'} matches end with {top['ending']}"
            if top["matches"] > played / 2
            else f"No ending is usual; {top['ending']} comes most often",
            f"{percent(top['matches'] / played)} of them do ({ranged(tuple(top['interval']))}).{more}",
            "plain",
            top["match"],
        )
    draws = found.plain.draws
    bounds = intervals.share(draws, played)
    if not found.together:
        tone: Tone = "bad" if bounds[0] > 3 * STALLED else "look" if bounds[0] > STALLED else "good"
        title = "Many matches are drawn" if tone != "good" else "Few matches are drawn"
        detail = f"{percent(draws / played)} of them are ({ranged(bounds)})."
        yield Finding("endings", tone, title, detail, "plain", found.plain.sums[at.DRAW_FIRST] - 1)


def _choice(found: Balance) -> Iterator[Finding]:
    seen, facts = found.choices, report.summary(found.plain)["length"]
    forced = facts.get("forced")
    low, high = intervals.mean(sum(seen.means), sum(mean * mean for mean in seen.means), len(seen.means))
    more = f"From match to match {sum(seen.means) / max(1, len(seen.means)):.1f} ({low:.1f} to {high:.1f}). "
    more = more if len(seen.means) > 1 else ""
    if forced:
        more += f"{percent(forced)} of all choices have one option and are made by themselves."
    yield Finding("choice", "note", f"A decision has {seen.mean:.1f} options on average", more, "plain", 0)
    if seen.looked and seen.tried:
        bounds = intervals.share(seen.open, seen.looked)
        tone: Tone = "look" if bounds[1] < 0.3 else "good"
        yield Finding(
            "choice",
            tone,
            "There is something to think about" if tone == "good" else "Mostly there is one good option",
            f"At {percent(seen.open / seen.looked, 0)} of {seen.looked} positions ({ranged(bounds, 0)}) two "
            "options or more are equally good as far as a search can tell; "
            f"{percent(seen.worse / seen.tried, 0)} of the {seen.tried} options that it tried "
            f"({ranged(intervals.share(seen.worse, seen.tried), 0)}) are clearly worse.",
            "plain",
            0,
        )


def _used(found: Balance) -> Iterator[Finding]:
    loads = {matrix.name for matrix in found.matrices}
    run = found.plain
    usual = sum(run.points) / max(1, len(run.points) * (run.matches - run.faults))
    rows = [
        row
        for row in report.used(run)
        if row.seats >= report.LEAST_USED and row.kind in ("card", "status") and row.kind not in loads
    ]
    out = [row for row in rows if row.interval[0] > usual + LARGE or row.interval[1] < usual - LARGE]
    if rows and not out:
        yield Finding("use", "good", "No card or status decides a match by itself")
    for row in sorted(out, key=lambda row: -abs(row.share - usual))[:3]:
        word = "win" if row.share > usual else "lose"
        has = f"They make {percent(row.share)} of the points"
        has = f"{percent(row.share)} of their matches are won" if found.together else has
        yield Finding(
            "use",
            "look",
            f"Those who meet {row.name} {word} more often",
            f"{has} ({ranged(row.interval)}, all: {percent(usual)}).",
            "plain",
            row.match,
        )


def _never(found: Balance) -> Iterator[Finding]:
    never = report.silent(found.plain)
    if not never:
        yield Finding("never", "good", "Every rule ran at least once")
        return
    names = ", ".join(never[:6]) + (f" and {len(never) - 6} more" if len(never) > 6 else "")
    count = "One rule" if len(never) == 1 else f"{len(never)} rules"
    title = f"{count} never ran in {found.plain.matches:,} matches"
    yield Finding("never", "look", title, f"{names}.")
