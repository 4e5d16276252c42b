"""Whether slots can be a state of a Program: asked of every state that comes from outside.

In:  a Program and the slots of a state.
Out: nothing; ValueError with one sentence when the rules could not have made it.

Engines stay whole whatever they are given (see `native.expressions` and `ir.text`), but people who look at
a match must find cards that exist in piles that exist. What a plain number may be, only the rules know; here
is what the tables of the Program say: where a match can stop, which frames can be open, how long piles and
orders are, and which things there are to hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulewright.ir.kernels_together import ROW, ROWS
from rulewright.ir.nodes import Call, Const, Store
from rulewright.ir.program import (
    DECISION,
    FOCUS,
    FP,
    PC,
    RESUME,
    SEAT,
    SEATS,
    SP,
    STATUS,
    TOGETHER,
    Program,
)
from rulewright.ir.walk import calls, statements
from rulewright.play.knowledge import zone_bases

COUNTED = ("Actor", "Card", "Face", "Space")
"""Things that have slots of their own. Of others, such as sides, play may number more than have names."""


class _Shape(NamedTuple):
    """What the code of a Program says about its states."""

    stops: dict[int, int]
    """Segments that list options, and where each goes on."""
    frames: frozenset[tuple[int, int]]
    """Where a frame goes back to, and its size."""
    gatherings: frozenset[int]
    """Where it is noted who chooses at the same time."""


_shapes: dict[str, _Shape] = {}


def check_stack(program: Program, slots: Sequence[int]) -> None:
    """Raises ValueError unless a match that goes on can stand here: for every state that an engine loads."""
    shape = _shape(program)
    if slots[STATUS] == DECISION and shape.stops.get(slots[PC]) != slots[RESUME]:
        raise ValueError("the state stops where the rules do not ask")
    base, top = slots[FP], slots[SP]
    while program.stack_base < base < top - 1 and (slots[base], top - base) in shape.frames:
        base, top = slots[base + 1], base  # each frame begins where the one on top of it says
    if base != program.stack_base or top - base != program.frame_size:
        raise ValueError("the state's stack is not one of these rules")


def check_state(program: Program, slots: Sequence[int], seats: int) -> None:
    """Raises ValueError unless what the state holds exists: for states that people look at."""
    if slots[SEATS] != seats or (slots[STATUS] == DECISION and slots[SEAT] < 0):
        raise ValueError("the state is not for these seats")
    _check_gathering(program, slots)
    _check_piles(program, slots)
    _check_things(program, slots)


def _check_gathering(program: Program, slots: Sequence[int]) -> None:
    at, actors = slots[TOGETHER], len(program.sheet.things.get("Actor", ()))
    if slots[FOCUS] or (at and at not in _shape(program).gatherings):
        raise ValueError("the state does not ask those who choose at the same time")
    if at and not (
        0 <= slots[at] <= actors and all(0 <= slots[at + ROWS + ROW * k] < actors for k in range(slots[at]))
    ):
        raise ValueError("those who choose at the same time do not exist")


def _shape(program: Program) -> _Shape:
    found = _shapes.get(program.digest) if program.digest else None
    if found is None:
        stops: dict[int, int] = {}
        frames: set[tuple[int, int]] = set()
        gatherings: set[int] = set()
        for segment in program.segments:
            for stmt in statements(segment.body):
                match stmt:
                    case Store("S", Const(slot), Const(at)) if slot == TOGETHER and at:
                        gatherings.add(at)
                    case _:
                        pass
            for call in calls(segment.body):
                match call:
                    case Call("decide", (Const(here), Const(after), _, _)):
                        stops[here] = after
                    case Call("push", (Const(size), Const(back))):
                        frames.add((back, size))
                    case _:
                        pass
        found = _Shape(stops, frozenset(frames), frozenset(gatherings))
        if program.digest:
            if len(_shapes) >= 64:
                _shapes.clear()
            _shapes[program.digest] = found
    return found


def _check_piles(program: Program, slots: Sequence[int]) -> None:
    sheet = program.sheet
    cards, actors = len(sheet.things.get("Card", sheet.faces)), len(sheet.things.get("Actor", ()))
    for zone in sheet.zones:
        for _, base in zone_bases(program, zone):
            _check_list(slots, base, base + 1, zone.capacity, cards, zone.name)
    for order in sheet.orders:
        _check_list(slots, order.base, order.base + 2, order.capacity, actors, order.name)


def _check_list(slots: Sequence[int], count: int, first: int, capacity: int, things: int, name: str) -> None:
    length = slots[count]
    if not 0 <= length <= capacity or not all(0 <= i < things for i in slots[first : first + length]):
        raise ValueError(f"'{name}' does not hold what it can hold")


def _check_things(program: Program, slots: Sequence[int]) -> None:
    """Fields that hold things hold -1 or one that exists; so do the options of the match."""
    sheet = program.sheet
    for field in sheet.fields:
        if field.holds not in COUNTED:
            continue
        size = 1
        for count in field.counts:
            size *= count
        held = slots[field.base : field.base + size]
        if held and not -1 <= min(held) <= max(held) < len(sheet.things.get(field.holds, ())):
            raise ValueError(f"'{field.name}' does not hold what it can hold")
    for option in sheet.options:
        if not 0 <= slots[option.slot] < len(option.words):
            raise ValueError(f"the option '{option.name}' is none of its words")
