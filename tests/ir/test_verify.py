"""Broken Programs are refused before they run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright.ir.nodes import (
    Ask,
    Assign,
    Binary,
    Break,
    Call,
    Const,
    Do,
    Function,
    Load,
    Local,
    Return,
    Store,
)
from rulewright.ir.sheet import Field, OrderSheet, Zone
from rulewright.ir.verify import ProgramError, verify
from small_programs import cards, functions, program


def with_function(*body: object) -> Function:
    return Function("extra", ("a",), body)  # type: ignore[arg-type]


BROKEN = [
    (with_function(Return(Local("nobody"))), "unknown local 'nobody'"),
    (with_function(Do(Call("nothing"))), "unknown function 'nothing'"),
    (with_function(Do(Call("rnd"))), "'rnd' takes 1 values, not 0"),
    (with_function(Do(Call("add", (Const(1), Const(2))))), "'add' takes 1 values, not 2"),
    (with_function(Return(Load("Q", Const(0)))), "unknown array 'Q'"),
    (with_function(Store("P", Const(0), Const(0))), "'P' cannot be written"),
    (with_function(Return(Load("P", Const(9)))), "outside its 1 cells"),
    (with_function(Store("S", Const(-1), Const(0))), "outside its"),
    (with_function(Return(Binary("**", Const(1), Const(2)))), "unknown operator"),
    (with_function(Return(Binary("//", Const(1), Const(0)))), "division by 0"),
    (with_function(Break()), "Break outside a loop"),
    (with_function(Ask((), Const(0), Const(0))), "left after the split pass"),
    (with_function(Assign("S", Const(0))), "cannot be a name"),
    (with_function(Assign("if", Const(0))), "cannot be a name"),
    (with_function(Assign("add", Call("add", (Const(1),)))), "both a local and a function"),
]


@pytest.mark.parametrize(("function", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_broken_functions(function: Function, message: str):
    good = program()
    verify(good)
    with pytest.raises(ProgramError, match="extra: ") as caught:
        verify(replace(good, functions={**good.functions, "extra": function}))
    assert message in str(caught.value)


def test_broken_layout():
    good = program()
    for bad in (
        replace(good, initial=good.initial[:-1]),
        replace(good, size=good.size + 1),
        replace(good, stack_base=10),
        replace(good, entry=99),
        replace(good, frame_size=10_000),
        replace(good, param_names=()),
        replace(good, initial=(*good.initial[:-1], 1 << 31)),
        replace(good, functions={**good.functions, "other": good.functions["add"]}),
    ):
        with pytest.raises(ProgramError):
            verify(bad)


def test_tables_point_into_the_state():
    good = cards()
    sheet = good.sheet
    for bad in (
        replace(sheet, fields=(Field("Lost", ("Actor",), good.stack_base - 1, (2,)),)),
        replace(sheet, fields=(Field("Header", (), 3),)),
        replace(sheet, fields=(Field("Uneven", ("Actor", "Actor"), 24, (2,)),)),
        replace(sheet, zones=(Zone("Wide", None, 24, 9, 9000),)),
        replace(sheet, orders=(OrderSheet("Late", good.stack_base, 1),)),
        replace(sheet, result={"score": good.stack_base - 1}),
    ):
        with pytest.raises(ProgramError):
            verify(replace(good, sheet=bad))


def test_options_only_in_listings():
    good = cards()
    offers = functions("def offers():\n    opt(0, 0, 0, 0)\n")
    stray = Function("stray", (), (Do(Call("offers")), Return(Const(-1))))
    verify(replace(good, functions={**good.functions, **offers}))
    with pytest.raises(ProgramError, match="outside a listing"):
        verify(replace(good, functions={**good.functions, **offers}, segments=(*good.segments, stray)))
