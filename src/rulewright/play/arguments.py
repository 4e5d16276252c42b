"""What callers hand to an engine: checked once, in the same words for every engine.

In:  indices, seeds, numbers, states, whatever their type.
Out: the same as plain integers; IndexError, ValueError or Fault with one sentence when they cannot be used.

Everything that Python takes for a whole number will do (`operator.index`), but for True and False, which
are never meant as one.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from rulewright.ir.program import FAULT_RANGE, FP, HEADER, SLOT_LIMIT, SP, Program
from rulewright.play.chance import WIDEST
from rulewright.play.faults import Fault

WORD_LIMIT = 2**63
LONGEST_LIST = 2**20
"""Numbers that are looked at in a list of any length."""
SEEDS = (-(2**63), 2**64 - 1)
"""The least and the greatest seed: those that are 64 bits, read either way."""


def told(value: object) -> str:
    """A value in a message: whole if it is short, and never an error of its own."""
    if isinstance(value, int) and not -(2**64) < value < 2**64:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def whole(value: object) -> int | None:
    """A whole number as a plain int; None for anything else."""
    if type(value) is int:  # as nearly always
        return value
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def is_index(value: object, count: int) -> bool:
    """Whether it is a whole number from 0 to count - 1."""
    number = value if type(value) is int else whole(value)
    return number is not None and 0 <= number < count


def checked_seed(seed: object, wide: bool = False) -> int:
    """A seed; with `wide`, perhaps one for a table (see `chance`). Raises ValueError."""
    number = whole(seed)
    if wide and number is not None and SEEDS[1] < number < 2**WIDEST:
        return number
    if number is None or not SEEDS[0] <= number <= SEEDS[1]:
        raise ValueError(f"a seed is a whole number from -2**63 to 2**64 - 1, not {told(seed)}")
    return number


def checked_params(program: Program, params: Sequence[int] | None) -> tuple[int, ...]:
    """Numbers for the book, its own where none are given. Raises ValueError."""
    if params is None:
        return program.params
    return checked_numbers(params, len(program.params), "parameters")


def checked_script(results: Iterable[int]) -> list[int]:
    """Results of dice. Raises ValueError."""
    return list(checked_numbers(results, None, "results of dice"))


def checked_numbers(values: Iterable[int], count: int | None, what: str) -> tuple[int, ...]:
    """So many numbers of 64 bits (None: any number of them). Raises ValueError."""
    try:
        found = tuple(islice(values, LONGEST_LIST if count is None else count + 1))
    except TypeError:
        raise ValueError(f"{what} are a list of whole numbers, not {told(values)}") from None
    if count is not None and len(found) != count:
        given = "more" if len(found) > count else str(len(found))
        raise ValueError(f"the book has {count} {what}, not {given}")
    numbers: list[int] = []
    for value in found:
        number = whole(value)
        if number is None or not -WORD_LIMIT <= number < WORD_LIMIT:
            raise ValueError(f"{what} are whole numbers of 64 bits, not {told(value)}")
        numbers.append(number)
    return tuple(numbers)


def checked_slot(program: Program, slot: int) -> int:
    """The number of a slot. Raises IndexError."""
    if type(slot) is int and 0 <= slot < program.size:  # as nearly always
        return slot
    if not is_index(slot, program.size):
        raise IndexError(f"slot {told(slot)} of {program.size}")
    return slot


def checked_value(slot: int, value: int) -> int:
    """What a slot shall hold. Raises Fault (RANGE)."""
    number = whole(value)
    if number is None or not -SLOT_LIMIT <= number < SLOT_LIMIT:
        raise Fault(FAULT_RANGE, detail=f"slot {slot} cannot hold {told(value)}")
    return number


def checked_start(program: Program, seats: int, options: Mapping[int, int]) -> dict[int, int]:
    """The slots of match options, for so many seats. Raises ValueError."""
    if not is_index(seats, SLOT_LIMIT):
        raise ValueError(f"a match cannot have {told(seats)} seats")
    if not isinstance(options, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"options are values by their slots, not {told(options)}")
    found: dict[int, int] = {}
    for slot, value in options.items():
        number = whole(value)
        if not is_index(slot, program.stack_base) or slot < HEADER:
            raise ValueError(f"slot {told(slot)} is none of this book")
        if number is None or not -SLOT_LIMIT <= number < SLOT_LIMIT:
            raise ValueError(f"slot {slot} cannot hold {told(value)}")
        found[slot] = number
    return found


def checked_top(program: Program, slots: Sequence[int]) -> int:
    """Where the stack of a state ends. Raises ValueError when a poked or corrupt state claims more than
    there is."""
    base, size, frame, top = program.stack_base, program.size, slots[FP], slots[SP]
    if base <= frame <= size and base <= top <= size:
        return top
    wrong = top if base <= frame <= size else frame
    raise ValueError(f"the state's stack is at {wrong}, outside its {size} slots")
