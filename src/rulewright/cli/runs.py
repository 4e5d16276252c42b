"""A run of `simulate` for a screen: who won, with what, how long it took, what was used, what stands out.

In:  a Run.
Out: tables and lines for rich. The same numbers, and all that there is no room for here, are in its JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from rulewright.lab import intervals, report
from rulewright.lab.simulate import Run

MOST_USED, MOST_NUMBERS, MOST_FINDINGS, MOST_SILENT = 4, 8, 8, 12
MOMENTS = 9
"""How many times of numbers over time a screen has room for; the end is one of them."""
LEAST_SWING = 0.05
"""Numbers that move less are in the JSON only."""
KINDS = ("action", "card", "row", "status")


def told(run: Run) -> list[RenderableType]:
    """What came of a run."""
    facts = report.summary(run)
    title = Text(facts["title"], "bold")
    parts: list[RenderableType] = [title, _head(run, facts)]
    if run.matches > run.faults:
        parts += [_winners(run, facts), _endings(run, facts), _lengths(facts)]
        parts += [part for part in (_over_time(facts), _used(run)) if part is not None]
        parts += _findings(run)
    if facts["never"]:
        parts.append(_never(facts["never"]))
    return parts


def _head(run: Run, facts: dict[str, Any]) -> str:
    names = facts["seats"]
    who = f"{names[0]} at every seat" if len(set(names)) == 1 and len(names) > 1 else " against ".join(names)
    swapped = ", seats exchanged" if run.setting.rotations > 1 else ""
    sheets = run.setting.program.sheet.options
    usual = {sheet.name: sheet.words[sheet.default] for sheet in sheets}
    chosen = "".join(f", {k} {word}" for k, word in facts["options"].items() if word != usual.get(k))
    faults = f", {run.faults} faults" if run.faults else ""
    matches = f"{run.matches:,} matches" if run.matches != 1 else "1 match"
    return f"{matches}{faults}: {who}{swapped}{chosen}; seed {facts['seed']}; {run.seconds:.1f} s"


def _section(title: str, *heads: str) -> Table:
    table = Table(box=None, pad_edge=False, title_justify="left", padding=(0, 2, 0, 0))
    table.add_column(Text(f"\n{title}", "bold"), overflow="fold", max_width=48)
    for head in heads:
        table.add_column(f"\n{head}", justify="right", header_style="dim", no_wrap=True)
    return table


def _winners(run: Run, facts: dict[str, Any]) -> Table:
    """By name, seat, first mover and what is played with. Ranks where there are several places to come to,
    numbers where the book gives some."""
    names, played = run.setting.names, run.matches - run.faults
    stood = [*facts["standings"], *facts["by_seat"]]
    ranks = len(names) > 2 and len({row["rank"] for row in stood}) > 1
    scores = any(row["score"] is not None for row in stood)
    heads = ("wins", "share", "95 % interval", *(["rank"] if ranks else []), *(["score"] if scores else []))
    table = _section("Who wins", *heads)

    def extra(row: dict[str, Any] | None) -> list[str]:
        cells = [_mean(row, "rank")] if ranks else []
        return cells + ([_mean(row, "score")] if scores else [])

    if len(names) == 1 or len(set(names)) > 1:
        for name, wins, row in zip(names, run.wins, facts["standings"], strict=True):
            table.add_row(f"  {name}", *_share(wins, played), *extra(row))
    if run.draws:
        table.add_row("  drawn", *_share(run.draws, played))
    if len(names) > 1:
        for row in facts["by_seat"]:
            table.add_row(f"  seat {row['seat'] + 1}", *_share(row["wins"], row["matches"]), *extra(row))
        first = facts["first_mover"]
        if first["matches"]:
            table.add_row("  who was asked first", *_share(first["wins"], first["matches"]))
        for row in _loads(run):
            points = (_number(row.points), _percent(row.share), _range(row.interval))
            table.add_row(f"  {row.kind} {row.name}", *points)
    return table


def _loads(run: Run) -> list[report.Used]:
    """What seats played with, where they did not all play with the same."""
    rows = [row for row in report.used(run) if row.kind not in (*KINDS, "rule") and row.seats]
    several = {row.kind for row in rows if sum(other.kind == row.kind for other in rows) > 1}
    return [row for row in rows if row.kind in several and row.seats >= report.LEAST_USED]


def _endings(run: Run, facts: dict[str, Any]) -> Table:
    table = _section("How it ends", "matches", "share", "95 % interval", "look at match")
    for row in facts["endings"]:
        shares = _share(row["matches"], run.matches - run.faults)
        table.add_row(f"  {row['ending']}", *shares, str(row["match"]))
    return table


def _lengths(facts: dict[str, Any]) -> Table:
    length = facts["length"]
    table = _section("How long", "mean", "95 % interval", "least", "most", "look at match")
    least, most = str(length["shortest"]), str(length["longest"])
    range_ = _range(length["interval"], 1, "")
    table.add_row("  decisions", f"{length['mean']:.1f}", range_, least, most, str(length["longest_match"]))
    if "moves" in length:
        forced = f"  with those that one option was left for ({100 * length['forced']:.0f} %)"
        table.add_row(forced, f"{length['moves']:.1f}", _range(length["moves_interval"], 1, ""))
    for word in ("turns", "rounds"):
        if length.get(word):
            table.add_row(f"  {word}", f"{length[word]:.1f}")
    return table


def _over_time(facts: dict[str, Any]) -> Table | None:
    """Means of what changes most, for as long as a tenth of the matches last."""
    found = facts["over_time"]
    if found is None or found["clock"] is None:
        return None
    rows = [row for row in found["numbers"] if _swing(row) >= LEAST_SWING and not _counts_time(row)]
    most = max((m["matches"] for row in rows for m in row["moments"]), default=0)
    seen = {m["at"] for row in rows for m in row["moments"] if 10 * m["matches"] >= most}
    times = [*_spread(sorted(at for at in seen if at != "end")), *(["end"] if "end" in seen else [])]
    if len(times) < 2:
        return None
    unit = found["clock"][:-1]
    table = _section("Numbers over time", *(f"{unit if at == times[0] else ''} {at}".strip() for at in times))
    for row in sorted(rows, key=_swing, reverse=True)[:MOST_NUMBERS]:
        means = {m["at"]: _short(m["mean"]) for m in row["moments"]}
        table.add_row(f"  {row['name']}", *(means.get(at, "") for at in times))
    return table


def _spread(times: list[Any]) -> list[Any]:
    """As many as there is room for, from the first to the last."""
    room = min(MOMENTS - 1, len(times))
    return [times[round(k * (len(times) - 1) / max(1, room - 1))] for k in range(room)]


def _counts_time(row: dict[str, Any]) -> bool:
    """Whether it only says what the head of the table does."""
    ahead = {round(moment["mean"] - moment["at"], 6) for moment in row["moments"] if moment["at"] != "end"}
    return row["of"] == "match" and len(ahead) == 1


def _swing(row: dict[str, Any]) -> float:
    """How far the mean of a number goes, for its size."""
    means = [moment["mean"] for moment in row["moments"]]
    return (max(means) - min(means)) / max(1.0, *(abs(mean) for mean in means))


def _used(run: Run) -> Table | None:
    """The most used of each kind."""
    table = _section("Most used", "in matches", "times a match", "users' points", "95 % interval")
    played = run.matches - run.faults
    for kind in KINDS:
        rows = [row for row in report.used(run) if row.kind == kind and row.times]
        for row in sorted(rows, key=lambda row: (-row.matches, -row.times, row.name))[:MOST_USED]:
            points = (
                (_percent(row.share), _range(row.interval)) if row.seats >= report.LEAST_USED else ("", "")
            )
            part = _percent(row.matches / played)
            table.add_row(f"  {kind} {row.name}", part, f"{row.times / played:.2f}", *points)
    return table if table.row_count else None


def _findings(run: Run) -> Iterator[RenderableType]:
    """What stands out: who uses it wins or loses, after correction for all that was looked at."""
    points = sum(run.points) / max(1, len(run.points) * (run.matches - run.faults))
    rows = [row for row in report.used(run) if row.seats >= report.LEAST_USED]
    out = [row for row in rows if row.interval[0] > points or row.interval[1] < points]
    out.sort(key=lambda row: -abs(row.share - points))
    if not out:
        return
    heads = ("users", "their points", "95 % interval", "look at match")
    table = _section(f"Goes with winning or losing (all: {_percent(points)})", *heads)
    for row in out[:MOST_FINDINGS]:
        cells = (_number(row.seats), _percent(row.share), _range(row.interval), str(row.match))
        table.add_row(f"  {row.kind} {row.name}", *cells)
    yield table
    if len(out) > MOST_FINDINGS:
        yield Text(f"  and {len(out) - MOST_FINDINGS} more, in the JSON", "dim")


def _never(names: Sequence[str]) -> Text:
    more = f" and {len(names) - MOST_SILENT} more, in the JSON" if len(names) > MOST_SILENT else ""
    rules = "rule" if len(names) == 1 else "rules"
    return Text.assemble(
        (f"\nNever ran ({len(names)} {rules}): ", "bold"), f"{', '.join(names[:MOST_SILENT])}{more}"
    )


def _share(hits: int, total: int) -> tuple[str, str, str]:
    low, high = intervals.share(hits, total)
    return f"{hits:,}", _percent(hits / max(1, total), high - low), _range((low, high), _digits(high - low))


def _digits(width: float) -> int:
    """Two digits where the interval is narrow enough for them to say something."""
    return 1 if width > 0.01 else 2


def _percent(part: float, width: float = 1.0) -> str:
    return f"{100 * part:.{_digits(width)}f} %"


def _range(interval: Sequence[float | None], digits: int = 1, unit: str = " %") -> str:
    low, high = interval
    if low is None or high is None:
        return "unknown"
    scale = 100 if unit else 1
    return f"{scale * low:.{digits}f} to {scale * high:.{digits}f}{unit}"


def _mean(row: dict[str, Any] | None, what: str) -> str:
    """A mean with its interval."""
    if row is None or row[what] is None:
        return ""
    low, high = row[f"{what}_interval"]
    between = "" if low is None else f" ({_short(low)} to {_short(high)})"
    return f"{_short(row[what])}{between}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _short(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
