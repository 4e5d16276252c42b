"""Looking back: why something happened, why something is not offered, a finished match step by step.

In:  a live table.
Out: JSON for the page.
"""

from __future__ import annotations

from typing import Any

from rulewright.play.describe import describe
from rulewright.play.match import Match
from rulewright.serve.errors import EdgeError
from rulewright.serve.live import Live, Tables, slots_of


def why(live: Live, seat: int | None, number: int) -> dict[str, Any]:
    """The rule behind a line of the log, with its text."""
    events = live.match.log(seat)
    if number >= len(events):
        raise EdgeError("why/unknown")
    event = events[number]
    sites = live.volume.program.sheet.sites
    site = sites[event.site] if 0 <= event.site < len(sites) else sites[0]
    text = describe(live.volume.program, event, slots_of(live))
    return {
        "text": text, "cites": list(site.cites), "title": site.title, "file": site.file, "line": site.line,
        "rule": live.volume.rule(site.file, site.line),
    }  # fmt: skip


def why_not(live: Live, seat: int | None, name: str) -> dict[str, Any]:
    """Why an action or card cannot be chosen now, as far as the offer itself tells."""
    decision = live.match.decision
    if decision is None:
        return {"reasons": ["The match is over."]}
    if seat is None or decision.seat != seat:
        return {"reasons": ["It is not your decision."]}
    wanted = name.casefold()
    offered = [option.text for option in decision.options if wanted and wanted in option.text.casefold()]
    if offered:
        return {"reasons": [f"It is offered: {offered[0]}."]}
    sheet = live.volume.program.sheet
    for verb in sheet.verbs:
        if verb.text.split(":")[0].casefold() == wanted and 0 < verb.site < len(sheet.sites):
            site = sheet.sites[verb.site]
            rule = live.volume.rule(site.file, site.line)
            return {"reasons": [f"What '{site.title}' requires does not hold now."], "rule": rule, "cites": list(site.cites), "file": site.file, "line": site.line}
    return {"reasons": ["Nothing of that name can be chosen at this point."]}


def at(tables: Tables, live: Live, number: int) -> dict[str, Any]:
    """A finished match after so many choices."""
    if live.match.result is None:
        raise EdgeError("replay/hidden")
    replay = live.match.replay
    match = Match(live.volume.program, seats=list(replay.players), seed=replay.seed, options=replay.options, engine=tables.engine)
    for choice in replay.choices[:number]:
        match.choose(choice)
    copy = Live(live.row, match, live.volume, min(number, len(replay.choices)))
    state = tables.state(copy, None)
    state["total"] = len(replay.choices)
    return state
