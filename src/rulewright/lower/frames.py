"""Actions that nobody looks into while they are done.

In:  functions, and the slots that hold the innermost frame of each action.
Out: the same functions; an action whose frame no rule reads has none.

What an action was declared with can be asked for by other rules while it is done, so it lies in a frame,
and a slot says where that is. Few actions are ever asked. The others are plain functions unless they stop
for a decision, and both engines run those far quicker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import replace

from rulewright.ir import nodes as n
from rulewright.ir.program import FP
from rulewright.ir.walk import expressions


def unframed(functions: Mapping[str, n.Function], slots: Set[int]) -> dict[str, n.Function]:
    """Drop the frames of actions whose slot is only ever noted and put back."""
    noted = {name: slot for name, function in functions.items() if (slot := _noted(function)) in slots}
    reads = Counter(
        part.index.value
        for function in functions.values()
        for part in expressions(function.body)
        if isinstance(part, n.Load) and part.array == "S" and isinstance(part.index, n.Const)
    )
    reads.subtract(noted.values())
    unread = {name: slot for name, slot in noted.items() if not reads[slot]}
    return {
        name: _without(function, unread[name]) if name in unread else function
        for name, function in functions.items()
    }


def _noted(function: n.Function) -> int:
    """The slot in which the function notes its frame, having saved what was there; -1 if none."""
    for save, note in zip(function.body, function.body[1:], strict=False):
        match save, note:
            case (
                n.Assign(_, n.Load("S", n.Const(saved))),
                n.Store("S", n.Const(slot), n.Load("S", n.Const(pointer))),
            ) if saved == slot and pointer == FP:
                return slot
            case _:
                pass
    return -1


def _without(function: n.Function, slot: int) -> n.Function:
    def stays(node: n.Stmt) -> bool:
        match node:
            case n.Assign(_, n.Load("S", n.Const(place))) | n.Store("S", n.Const(place)):
                return place != slot
            case _:
                return True

    return replace(function, body=tuple(node for node in function.body if stays(node)), framed=False)
