"""Values that nobody should hand to a match: wrong types, wrong sizes, damaged data.

In:  a generator of chance, and a right value to spoil.
Out: a wrong one, the same for the same chance.
"""

from __future__ import annotations

import json
import math
import random
import struct
from typing import Any

from rulewright.ir.program import HEADER, SEATS, SP, Program
from rulewright.play.knowledge import zone_bases

NUMBERS = (0, 1, -1, 2, 3, 7, -8, 255, 10**4, 2**30, -(2**30), 2**31 - 1, -(2**31), 2**31, 2**32, 2**63 - 1)
HUGE = (2**63, -(2**63), -(2**63) - 1, 2**64, 10**30, -(10**30), 10**5000)


class Odd:
    """Something of no use to anybody, that cannot even be printed."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def number(chance: random.Random) -> int:
    """A whole number, small or very large."""
    return chance.choice(NUMBERS) if chance.random() < 0.8 else chance.choice(HUGE)


def value(chance: random.Random) -> Any:
    """Anything at all."""
    others: tuple[Any, ...] = (
        *(None, True, False, 0.0, 1.0, 0.5, math.nan, math.inf, "", "0", "x", "\ud800", "é" * 300, "\0"),
        *(
            b"",
            b"1",
            bytearray(b"ab"),
            [],
            [1],
            ["a"],
            [None],
            (),
            ("Ada", 3),
            {},
            {"a": 1},
            {1: 2},
            set[int](),
        ),
        *(range(3), range(10**12), object(), Odd(), Ellipsis, int, print, [[]], ["Ada", "\udfff"], -0.0, 1j),
    )
    return number(chance) if chance.random() < 0.4 else chance.choice(others)


def state(chance: random.Random, program: Program, good: bytes) -> bytes:
    """A state with random words in it, or too short, or too long."""
    slots = list(struct.unpack(f"<{len(good) // 4}i", good))
    inside = chance.random() < 0.5  # only what the book holds: engines take such a state
    for _ in range(chance.choice((1, 1, 2, 4, 30, 300))):
        held = chance.choice(_held(program)) + chance.choice((0, 0, 1, 2))
        places = [chance.randrange(HEADER, program.stack_base), held]
        if not inside:
            places += [chance.randrange(HEADER), chance.randrange(program.stack_base, len(slots))]
        at = chance.choice(places)
        if at == SP and chance.random() < 0.9:
            continue
        near = slots[at] + chance.choice((-1, 1, 2, -3))
        odd = chance.choice(NUMBERS)
        made = chance.choice((near, odd, odd, chance.choice(slots), chance.randrange(300)))
        slots[at] = made if -(2**31) <= made < 2**31 else at
    made = struct.pack(f"<{len(slots)}i", *slots)
    match chance.randrange(12):
        case 0:
            return made[: chance.randrange(len(made))]
        case 1:
            return made + bytes(chance.randrange(1, 4 * program.size))
        case _:
            return made


def _held(program: Program) -> list[int]:
    """Slots that number things, or count them."""
    sheet = program.sheet
    found = [base for zone in sheet.zones for _, base in zone_bases(program, zone)]
    found += [order.base for order in sheet.orders]
    return found + [field.base for field in sheet.fields if field.holds] or [SEATS]


def data(chance: random.Random, good: bytes) -> bytes:
    """Bytes with a bit turned, some missing, or some too many."""
    made = bytearray(good)
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(made) + 1)
        match chance.randrange(4):
            case 0:
                del made[at : at + chance.choice((1, 4, 1000))]
            case 1:
                made[at:at] = chance.randbytes(chance.choice((1, 4, 50)))
            case _ if made:
                made[at % len(made)] ^= 1 << chance.randrange(8)
            case _:
                pass
    return bytes(made)


def table(chance: random.Random, good: Any, depth: int = 0) -> Any:
    """A JSON value in which one thing, somewhere, is another."""
    if chance.random() < 0.15 + 0.15 * depth or not isinstance(good, dict | list) or not good:
        return _leaf(chance, good)
    if isinstance(good, dict):
        key = chance.choice(list(good))
        rest = {k: v for k, v in good.items() if k != key}
        match chance.randrange(6):
            case 0:
                return rest
            case 1:
                return {**rest, str(_leaf(chance, key)): good[key]}
            case _:
                return {**good, key: table(chance, good[key], depth + 1)}
    made = list(good)
    at = chance.randrange(len(made))
    match chance.randrange(6):
        case 0:
            del made[at]
        case 1:
            made += made[at:] * chance.choice((1, 400))
        case _:
            made[at] = table(chance, made[at], depth + 1)
    return made


def _leaf(chance: random.Random, good: Any) -> Any:
    if isinstance(good, int) and chance.random() < 0.6:
        return chance.choice((good + 1, good - 1, *NUMBERS, *HUGE[:-1]))
    if isinstance(good, str) and good and chance.random() < 0.6:
        return chance.choice((good[1:], good + "x", good.upper(), good * 50, "\ud800"))
    deep: Any = []
    for _ in range(chance.choice((1, 500))):
        deep = [deep]
    return chance.choice((None, True, 0, -1, 1.5, math.nan, "", "x", [], {}, deep, {"a": deep}))


def text(chance: random.Random, good: str) -> str | bytes:
    """JSON text, spoilt by its meaning or by its letters."""
    if chance.random() < 0.7:
        return json.dumps(table(chance, json.loads(good)))
    return data(chance, good.encode())
