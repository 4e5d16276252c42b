"""The pictures of a report: altair charts of a Balance.

In:  a Balance.
Out: `charts`: for each part of the report, specifications that vega-embed draws. No colours are set here that
     would not read on both a light and a dark page: the page brings the theme.

altair is an optional package (`pip install rulewright[balance]`) and is loaded here alone.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from rulewright.lab import intervals, report
from rulewright.lab.balance import Balance
from rulewright.lab.findings import seat_points

try:
    import altair
except ImportError:  # said by whoever wants a page
    altair = None

alt: Any = altair  # its types are made at run time
Spec = dict[str, Any]
Rows = list[dict[str, Any]]
USUAL = 0.98
"""The part of the matches whose lengths are drawn in any case."""
MOST_ITEMS, WIDEST = 16, 40
ACCENT, SECOND, MUTED = "#4c78a8", "#d1742f", "#8a8f98"
PERCENT = ".0%"
NAMES = {"labelLimit": 170, "labelPadding": 9, "ticks": False, "domain": False}
"""Axes of names: a dot at 0 does not touch the name beside it."""
NARROW = 340
"""Below this width, in pixels, an axis has every other number only: the last one, too, would be left out."""


def _ticks(many: int) -> Spec:
    """About so many numbers at an axis, or half of them on a phone."""
    count = alt.ExprRef(f"width < {NARROW} ? {many // 2} : {many}")
    return {"tickCount": count, "labelOverlap": "parity", "labelSeparation": 6}


def charts(found: Balance) -> dict[str, list[Spec]]:
    """Every picture, by the part that it belongs to."""
    parts = {
        "seats": [_seats(found)],
        "loadouts": [_matrix(matrix) for matrix in found.matrices],
        "skill": [_ladder(found)],
        "length": [_lengths(found)],
        "endings": [_endings(found)],
        "choice": [_widths(found), _verbs(found)],
        "use": [_used(found)],
    }
    return {part: [_spec(chart) for chart in made if chart is not None] for part, made in parts.items()}


def _spec(chart: Any) -> Spec:
    return chart.properties(autosize=alt.AutoSizeParams(type="fit-x", contains="padding")).to_dict()


def _ranges(
    rows: Rows, title: str | list[str], fair: float | None, domain: tuple[float, float] | None = None
) -> Any:
    """Points with their intervals, one under the other."""
    scale = alt.Scale(domain=list(domain), clamp=True) if domain else alt.Scale(zero=False)
    order = [row["name"] for row in rows]
    y = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(**NAMES))
    axis = alt.Axis(format=PERCENT, **_ticks(5))
    tips = [
        alt.Tooltip("name:N", title="what"),
        alt.Tooltip("share:Q", format=".1%", title="points"),
        alt.Tooltip("low:Q", format=".1%"),
        alt.Tooltip("high:Q", format=".1%"),
        alt.Tooltip("matches:Q", title="of"),
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(y=y, tooltip=tips)
    colour = alt.condition("datum.out", alt.value(SECOND), alt.value(ACCENT))
    x = alt.X("low:Q", scale=scale, axis=axis, title=title)
    layers = [
        base.mark_rule(strokeWidth=3, opacity=0.7).encode(x=x, x2="high:Q", color=colour),
        base.mark_point(filled=True, size=70, opacity=1).encode(x="share:Q", color=colour),
    ]
    if fair is not None:
        line = alt.Chart(alt.Data(values=[{"fair": fair}])).mark_rule(strokeDash=[4, 4], color=MUTED)
        layers.insert(0, line.encode(x="fair:Q"))
    return alt.layer(*layers).properties(width="container", height=alt.Step(26))


def _row(
    name: str, share: float, bounds: intervals.Interval, matches: int, fair: float | None
) -> dict[str, Any]:
    out = fair is not None and (bounds[0] > fair or bounds[1] < fair)
    return {"name": name, "share": share, "low": bounds[0], "high": bounds[1], "matches": matches, "out": out}


def _seats(found: Balance) -> Any:
    if found.together:
        return None
    rows: Rows = []
    fair = 0.5
    for run, who in ((found.plain, found.plan.base), (found.own, "")):
        if run is None:
            continue
        points = seat_points(run)
        fair = sum(part for part, _ in points) / len(points)
        label = who or run.setting.names[0]
        rows += [
            _row(f"seat {seat + 1}, {label}", part, bounds, run.matches, fair)
            for seat, (part, bounds) in enumerate(points)
        ]
    return _ranges(rows, "points of a seat", fair)


def _ladder(found: Balance) -> Any:
    if not found.ladder:
        return None
    if found.together:
        rows = [_row(s.player, s.points, s.interval, s.run.matches, None) for s in found.ladder]
        return _ranges(rows, "matches won", None, (0.0, 1.0))
    return _elo(found)


def ratings(found: Balance) -> list[tuple[str, float, float, float]]:
    """Who, how many Elo points above the lowest rung, and the 95 % interval of that."""
    below, spread = 0.0, 0.0
    rows = [(found.ladder[0].against, 0.0, 0.0, 0.0)] if found.ladder else []
    for step in found.ladder:
        low, high = step.interval
        middle = intervals.elo(step.points)
        half = (intervals.elo(high) - intervals.elo(low)) / 2
        below += middle
        spread = (spread**2 + half**2) ** 0.5
        rows.append((step.player, below, below - spread, below + spread))
    return rows


def _elo(found: Balance) -> Any:
    rows = [
        {"name": n, "elo": round(e), "low": round(lo), "high": round(hi)} for n, e, lo, hi in ratings(found)
    ]
    order = [row["name"] for row in reversed(rows)]
    y = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(**NAMES))
    base = alt.Chart(alt.Data(values=rows)).encode(y=y, tooltip=["name:N", "elo:Q", "low:Q", "high:Q"])
    x = alt.X(
        "low:Q",
        title="Elo points above the lowest",
        scale=alt.Scale(zero=True, padding=14),
        axis=alt.Axis(**_ticks(7)),
    )
    bars = base.mark_rule(strokeWidth=3, opacity=0.7, color=ACCENT).encode(x=x, x2="high:Q")
    dots = base.mark_point(filled=True, size=70, opacity=1, color=ACCENT).encode(x="elo:Q")
    text = base.mark_text(dy=-11, fontSize=11).encode(x="elo:Q", text="elo:Q")
    return alt.layer(bars, dots, text).properties(width="container", height=alt.Step(34))


def _matrix(matrix: Any) -> Any:
    rows: Rows = []
    for (mine, foe), cell in sorted(matrix.cells.items()):
        low, high = intervals.share(cell.points, cell.matches)
        share = cell.points / cell.matches
        rows.append(
            {
                "mine": matrix.words[mine],
                "foe": matrix.words[foe],
                "share": share,
                "low": low,
                "high": high,
                "matches": cell.matches,
                "label": f"{100 * share:.0f}",
                "sure": low > 0.5 or high < 0.5,
            }
        )
    slanted = alt.ExprRef(f"width < {90 * len(matrix.words)} ? -60 : 0")
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(
            "foe:N",
            title=f"against this {matrix.name}",
            axis=alt.Axis(orient="top", labelAngle=slanted, labelLimit=90),
        ),
        y=alt.Y("mine:N", title=matrix.name),
        tooltip=[
            "mine:N",
            "foe:N",
            alt.Tooltip("share:Q", format=".1%"),
            alt.Tooltip("low:Q", format=".1%"),
            alt.Tooltip("high:Q", format=".1%"),
            "matches:Q",
        ],
    )
    scale = alt.Scale(scheme="blueorange", domain=[0.2, 0.8], clamp=True, reverse=True)
    cells = base.mark_rect().encode(color=alt.Color("share:Q", scale=scale, legend=None))
    dark = "datum.share > 0.28 && datum.share < 0.72"  # beyond that white is read better
    text = base.mark_text(fontSize=12).encode(
        text="label:N",
        color=alt.condition(dark, alt.value("#1b1e23"), alt.value("#ffffff")),
        opacity=alt.condition("datum.sure", alt.value(1), alt.value(0.75)),
    )
    return alt.layer(cells, text).properties(width="container", height=alt.Step(30))


def _lengths(found: Balance) -> Any:
    bands = report.lengths(found.plain)
    total = max(1, sum(many for _, many in bands))
    ends = [start for start, _ in bands[1:]] + [bands[-1][0] * 9 // 8 + 1] if bands else []
    rows = [
        {
            "start": start,
            "end": end,
            "share": many / total,
            "dense": many / total / max(1, end - start),
            "matches": many,
        }
        for (start, many), end in zip(bands, ends, strict=True)
    ]
    before = accumulate((many for _, many in bands), initial=0)
    usual = [row for row, shorter in zip(rows, before, strict=False) if shorter < USUAL * total]
    longer = 0
    if rows and rows[-1]["end"] > 2 * usual[-1]["end"]:  # a few long matches would leave the others no room
        longer = sum(row["matches"] for row in rows[len(usual) :])
        rows = usual
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(color=ACCENT, opacity=0.85)
        .encode(
            x=alt.X(
                "start:Q",
                title=["decisions in a match", *([f"{longer} of {total:,} took longer"] if longer else [])],
                scale=alt.Scale(zero=False, nice=True),
                axis=alt.Axis(**_ticks(7)),
            ),
            x2="end:Q",
            y2=alt.datum(0),
            y=alt.Y("dense:Q", title="matches, for each length", axis=alt.Axis(format=".2~%", tickCount=4)),
            tooltip=["start:Q", "end:Q", alt.Tooltip("share:Q", format=".1%"), "matches:Q"],
        )
        .properties(width="container", height=180)
    )


def _endings(found: Balance) -> Any:
    played = max(1, found.plain.matches - found.plain.faults)
    rows = [
        _row(row["ending"], row["matches"] / played, tuple(row["interval"]), row["matches"], None)
        for row in sorted(report.summary(found.plain)["endings"], key=lambda row: -row["matches"])
    ]
    if not found.together:
        bounds = intervals.share(found.plain.draws, played)
        rows.append(_row("(drawn)", found.plain.draws / played, bounds, found.plain.draws, None))
    return _ranges(rows, "matches", None, (0.0, 1.0)) if rows else None


def _widths(found: Balance) -> Any:
    total = max(1, sum(found.choices.widths.values()))
    rows = [{"options": min(k, WIDEST), "share": n / total} for k, n in found.choices.widths.items()]
    more = f" ({WIDEST}: or more)" if max(found.choices.widths, default=0) > WIDEST else ""
    axis = alt.Axis(
        labelAngle=0, labelOverlap="parity", labelSeparation=4
    )  # a phone has no room for every number
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(color=ACCENT, opacity=0.85)
        .encode(
            x=alt.X("options:O", title=f"options at a decision{more}", axis=axis),
            y=alt.Y("sum(share):Q", title="decisions", axis=alt.Axis(format=PERCENT, tickCount=4)),
            tooltip=["options:O", alt.Tooltip("sum(share):Q", format=".1%")],
        )
        .properties(width="container", height=150)
    )


def _verbs(found: Balance) -> Any:
    rows = [
        _row(word, seen.good / seen.offered, intervals.share(seen.good, seen.offered), seen.offered, None)
        for word, seen in found.choices.verbs.items()
        if seen.offered >= 5
    ]
    rows.sort(key=lambda row: -row["share"])
    return _ranges(rows[:MOST_ITEMS], "good where it was tried", None, (0.0, 1.0)) if rows else None


def _used(found: Balance) -> Any:
    run = found.plain
    usual = sum(run.points) / max(1, len(run.points) * (run.matches - run.faults))
    loads = {matrix.name for matrix in found.matrices}
    rows = [
        row
        for row in report.used(run)
        if row.seats >= report.LEAST_USED and (row.kind in ("card", "status") or row.kind in loads)
    ]
    rows.sort(key=lambda row: -abs(row.share - usual))
    shown = [
        _row(row.name, row.share, row.interval, row.seats, usual)
        for row in sorted(rows[:MOST_ITEMS], key=lambda row: -row.share)
    ]
    title = ["matches won", "by those who met it"] if found.together else ["points", "of those who met it"]
    return _ranges(shown, title, usual) if shown else None
