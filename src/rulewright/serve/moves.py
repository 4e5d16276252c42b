"""Choices at a table in memory: making one, and which of those that are stored still stand.

In:  a table, rows of the store.
Out: the match moved on; the rows without what was taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.play.faults import ChoiceError, MatchFault
from rulewright.play.match import Checkpoint
from rulewright.serve.errors import EdgeError
from rulewright.serve.schema import UNDO, ChoiceRow
from rulewright.serve.table import Table


def chosen(table: Table, seat: int, option: int) -> tuple[Checkpoint, str | None]:
    """Take an option in memory: where the match stood before, and how it ended if it did. Raises
    EdgeError."""
    match = table.match
    if match.decision is None:
        raise EdgeError("choice/over")
    decision = match.decision_of(seat)
    if decision is None:
        raise EdgeError("choice/foreign")
    if not 0 <= option < len(decision.options):
        raise EdgeError("choice/unknown", f"There are {len(decision.options)} options, counted from 0.")
    before = match.checkpoint()
    try:
        match.choose(option, seat if len(decision.seats) > 1 else None)
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
        # Mostly the last row; of several who choose at the same time, the last of that seat.
        made = (k for k in range(len(kept) - 1, -1, -1) if kept[k].seat == row.seat)
        last = next(made, None) if row.choice == UNDO else None
        if last is not None and kept[last].choice != UNDO:
            # What the others chose after it was stored with the mark of a match in which it stood.
            kept[last:] = [replace(later, mark=None) for later in kept[last + 1 :]]
        else:
            kept.append(row)
    return kept
