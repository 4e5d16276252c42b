"""Choices at a table in memory: making one, and which of those that are stored still stand.

In:  a table, rows of the store.
Out: the match moved on; the rows without what was taken back.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.play.faults import ChoiceError, MatchFault
from rulewright.play.match import Checkpoint
from rulewright.serve.errors import EdgeError
from rulewright.serve.schema import UNDO, ChoiceRow
from rulewright.serve.table import Table


def chosen(table: Table, seat: int, option: int) -> tuple[Checkpoint, str | None]:
    """Take an option in memory: where the match stood before, and how it ended if it did. Raises
    EdgeError."""
    match = table.match
    decision = match.decision
    if decision is None:
        raise EdgeError("choice/over")
    if decision.seat != seat:
        raise EdgeError("choice/foreign")
    if not 0 <= option < len(decision.options):
        raise EdgeError("choice/unknown", f"There are {len(decision.options)} options, counted from 0.")
    before = match.checkpoint()
    try:
        match.choose(option)
    except ChoiceError as error:
        raise EdgeError("choice/unknown", str(error)) from None
    except MatchFault as error:
        raise EdgeError("match/fault", str(error)) from None
    result = match.result
    return before, None if result is None else result.ending


def standing(rows: Sequence[ChoiceRow]) -> list[ChoiceRow]:
    """Without the choices that were taken back, and without the undos that did it. A match can be turned back
    and forth many thousand times; what came of that is read in no time."""
    kept: list[ChoiceRow] = []
    for row in rows:
        if row.choice == UNDO and kept and kept[-1].choice != UNDO:
            kept.pop()
        else:
            kept.append(row)
    return kept
