"""Looking back: why something happened, why something is not offered, a finished match step by step.

In:  a table.
Out: JSON for the page.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from rulewright.play import reasons
from rulewright.play.arithmetic import Past, looked_back, past
from rulewright.play.faults import Fault
from rulewright.play.match import Checkpoint
from rulewright.play.together import unseated
from rulewright.serve.errors import EdgeError
from rulewright.serve.lines import Reader
from rulewright.serve.schema import ChoiceRow
from rulewright.serve.table import Table

logger = logging.getLogger("rulewright.serve")

STEPPERS = 16
EVERY = 10
"""Choices between two places to go back to."""


def why(table: Table, reader: Reader, number: int) -> tuple[dict[str, Any], Past, int]:
    """The rule behind a line of the log, with its text; and what `reckoned` needs."""
    found = table.lines.entry(reader, number)
    if found is None:
        raise EdgeError("why/unknown")
    site, text, _ = found
    told = {"text": text, **_site(table, site)}
    return told, past(table.match), table.match.event_number(reader, number)


def reckoned(before: Past, event: int, reader: Reader) -> dict[str, Any]:
    """The arithmetic of an event, and which dice counted. It plays the match again: call it in a thread,
    without the table's lock."""
    return {**asdict(looked_back(before, event, reader)), "late": False}


UNRECKONED = MappingProxyType({"sums": [], "tallies": [], "late": True})
"""The same of an event that could not be reckoned in time."""


def _site(table: Table, number: int) -> dict[str, Any]:
    sites = table.volume.program.sheet.sites
    if not 0 < number < len(sites):
        return {"cites": [], "title": "", "file": "", "line": 0, "rule": ""}
    site = sites[number]
    return {
        "cites": list(site.cites),
        "title": site.title,
        "file": site.file,
        "line": site.line,
        "rule": table.volume.rule(site.file, site.line),
    }


def why_not(table: Table, reader: Reader, name: str) -> dict[str, Any]:
    """Why an action or card cannot be chosen now. It asks the reference engine: call it in a thread."""
    decision = table.match.decision
    if decision is not None and reader not in decision.seats:
        return {"reasons": ["It is not your decision."], **_site(table, 0)}
    try:
        found = reasons.why_not(table.match, name.strip(), reader)
    except (Fault, IndexError, KeyError, TypeError) as error:
        logger.warning("why not %s: %s", name, error)
        found = reasons.Reasons(("What it requires does not hold now.",))
    return {"reasons": list(found.told), **_site(table, found.site)}


class _Stepper:
    """One finished match, at the choice that was asked for last, with places to go back to."""

    def __init__(self, table: Table) -> None:
        self.busy = threading.Lock()
        self.row, self.volume = table.row, table.volume
        self.choices = tuple(table.match.course.choices)
        self.table: Table | None = None
        self.points: list[Checkpoint] = []

    def at(self, number: int, reader: Reader) -> str:
        """Begun only now, when nobody else has to wait for it: it may take long."""
        if self.table is None:
            self.table = Table(self.row, self.volume)
            self.points.append(self.table.match.checkpoint())
        table = self.table
        if table.version > number:
            table.rewind(self.points[number // EVERY], number // EVERY * EVERY)
        while table.version < number:
            decision = table.match.decision
            said, option = unseated(self.choices[table.version])
            seat = said if said is not None else decision.seat if decision is not None else 0
            table.play(ChoiceRow(table.version, option, seat))
            if table.version == EVERY * len(self.points):
                self.points.append(table.match.checkpoint())
        return f'{table.state(reader)[:-1]},"total":{len(self.choices)}}}'


class Replays:
    """Finished matches that somebody steps through."""

    def __init__(self) -> None:
        self.steppers: OrderedDict[str, _Stepper] = OrderedDict()
        self.lock = threading.Lock()

    def at(self, table: Table, reader: Reader, number: int) -> str:
        """A finished match after so many choices, as JSON. It may take a while: call it in a thread."""
        if table.match.result is None:
            raise EdgeError("replay/hidden")
        with self.lock:
            stepper = self.steppers.pop(table.row.id, None) or _Stepper(table)
            self.steppers[table.row.id] = stepper  # the newest last
            while len(self.steppers) > STEPPERS:
                self.steppers.popitem(last=False)
        with stepper.busy:
            return stepper.at(min(number, len(stepper.choices)), reader)
