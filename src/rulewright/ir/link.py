"""Put a Program together.

In:  a Program that has only tables, and the structured functions of a book.
Out: the finished Program: split, with the kernels it uses, checked and sealed with its digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulewright.ir.audience import places, told
from rulewright.ir.kernels import linked
from rulewright.ir.nodes import Function
from rulewright.ir.program import HEADER, STACK_END, Program
from rulewright.ir.seeking import sought
from rulewright.ir.sheet import Sheet
from rulewright.ir.split import split
from rulewright.ir.text import seal
from rulewright.ir.verify import ProgramError, verify


def blank(
    name: str, initial: tuple[int, ...] = (), stack: int = 4096, work: int = 256, sheet: Sheet | None = None
) -> Program:
    """A Program without code: a header, book slots with these start values, and a stack."""
    base = HEADER + len(initial)
    return Program(
        name=name,
        title=name,
        functions={},
        segments=(),
        entry=0,
        size=base + stack,
        stack_base=base,
        work=work,
        initial=(0,) * HEADER + initial,
        sheet=sheet or Sheet(),
    )


def link(tables: Program, functions: Mapping[str, Function], main: str = "main") -> Program:
    """Add the code to the tables. Raises ProgramError when the two do not fit."""
    if len(tables.initial) <= STACK_END:
        raise ProgramError("start values must include the header slots")
    pieces = split(functions, main)
    initial = (*tables.initial[:STACK_END], tables.size, *tables.initial[STACK_END + 1 :])
    at, consts = places(tables.sheet, tables.consts)
    told_segments = tuple(told(segment, at) for segment in pieces.segments)
    told_functions = {
        name: told(function, at) for name, function in linked(pieces.plain, pieces.segments).items()
    }
    readers = linked({}, [*told_functions.values(), *told_segments])
    code = sought({**readers, **told_functions}, told_segments)
    program = replace(
        tables,
        functions=code.functions,
        segments=code.segments,
        consts=consts,
        entry=pieces.entry,
        frame_size=pieces.frame_size,
        initial=initial,
        sheet=replace(tables.sheet, secrets=pieces.secrets, secret_copies=pieces.copies),
    )
    verify(program)
    return seal(program)
