"""Engines that are wrong on purpose: the lockstep harness must catch each one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bench.duel_program import duel
from rulewright.ir.nodes import (
    Assign,
    Binary,
    Block,
    Call,
    Const,
    Do,
    Expr,
    Function,
    If,
    Load,
    Not,
    Pick,
    Return,
    Stmt,
    Store,
    While,
)
from rulewright.ir.program import DECISION, PROMPT, RNG_LO, SEAT, STATUS, Program
from rulewright.native import NativeEngine
from rulewright.play.engine import EventRow, OptionRow
from rulewright.play.faults import Fault
from rulewright.testing import lockstep


class DropsAnEvent(NativeEngine):
    def events(self) -> list[EventRow]:
        return super().events()[1:]


class ChangesAnEvent(NativeEngine):
    def events(self) -> list[EventRow]:
        return [(*row[:5], 1 - row[5], *row[6:]) if row[0] == 3 else row for row in super().events()]


class TurnsOptionsRound(NativeEngine):
    def options(self) -> list[OptionRow]:
        return super().options()[::-1]


class TakesTheNextOption(NativeEngine):
    def choose(self, index: int) -> None:
        super().choose((index + 1) % len(self.options()))


class ForgetsTheDice(NativeEngine):
    def choose(self, index: int) -> None:
        super().choose(index)
        self.poke(RNG_LO, 0)


class AsksTheOtherSeat(NativeEngine):
    def peek(self, slot: int) -> int:
        return 1 - super().peek(slot) if slot == SEAT else super().peek(slot)


class AsksAnotherQuestion(NativeEngine):
    def peek(self, slot: int) -> int:
        return super().peek(slot) + (slot == PROMPT)


class NeverEnds(NativeEngine):
    def peek(self, slot: int) -> int:
        return DECISION if slot == STATUS else super().peek(slot)


class HashesLess(NativeEngine):
    def hash(self) -> int:
        return super().hash() & 0xFFFFFFFF


class LosesTheTop(NativeEngine):
    def state(self) -> bytes:
        return super().state()[:-4]


class Faults(NativeEngine):
    def advance(self) -> None:
        super().advance()
        if self.peek(15) == 5:
            raise Fault(4)


class LoadsWrong(NativeEngine):
    def load(self, state: bytes) -> None:
        super().load(state)
        self.poke(24, self.peek(24) + 1)


@pytest.mark.parametrize(
    ("engine", "what"),
    [
        (DropsAnEvent, "event"),
        (ChangesAnEvent, "event"),
        (TurnsOptionsRound, "options"),
        (TakesTheNextOption, "event"),
        (ForgetsTheDice, "event"),
        (AsksTheOtherSeat, "decision"),
        (AsksAnotherQuestion, "decision"),
        (NeverEnds, "status"),
        (HashesLess, "hash"),
        (LosesTheTop, "state"),
        (Faults, "fault"),
        (LoadsWrong, "state"),
    ],
)
def test_a_broken_engine_is_caught(engine: Callable[[Program], NativeEngine], what: str):
    found = lockstep(duel(), range(20), right=engine, handover=4).divergence
    assert found is not None
    assert found.what == what
    assert found.left != found.right
    assert "duel, seed" in str(found)


def test_the_report_points_into_the_book():
    found = lockstep(duel(), range(20), right=ChangesAnEvent).divergence
    assert found is not None
    assert found.place == "duel.md:3"
    assert found.code.startswith("segment s")


# Translators that are wrong on purpose: the native engine gets a Program with one node changed.

Change = Callable[[Expr], Expr]


def changed(node: Expr, change: Change) -> Expr:
    match node:
        case Load(array, index):
            node = Load(array, changed(index, change))
        case Binary(op, left, right):
            node = Binary(op, changed(left, change), changed(right, change))
        case Not(value):
            node = Not(changed(value, change))
        case Pick(test, yes, no):
            node = Pick(changed(test, change), changed(yes, change), changed(no, change))
        case Call(name, args):
            node = Call(name, tuple(changed(arg, change) for arg in args))
        case _:
            pass
    return change(node)


def changed_block(block: Block, change: Change) -> Block:
    def one(node: Stmt) -> Stmt:
        match node:
            case Assign(local, value, site):
                return Assign(local, changed(value, change), site)
            case Store(array, index, value, site):
                return Store(array, changed(index, change), changed(value, change), site)
            case If(test, then, orelse, site):
                blocks = changed_block(then, change), changed_block(orelse, change)
                return If(changed(test, change), *blocks, site)
            case While(test, body, site):
                return While(changed(test, change), changed_block(body, change), site)
            case Return(value, site):
                return Return(changed(value, change), site)
            case Do(call, site):
                made = changed(call, change)
                assert isinstance(made, Call)
                return Do(made, site)
            case _:
                return node

    return tuple(one(node) for node in block)


def mutant(made: Program, change: Change) -> Program:
    def over(function: Function) -> Function:
        return replace(function, body=changed_block(function.body, change))

    return replace(
        made,
        functions={name: over(function) for name, function in made.functions.items()},
        segments=tuple(over(segment) for segment in made.segments),
        digest="",
    )


def swap(old: str, new: str) -> Change:
    def change(node: Expr) -> Expr:
        return Binary(new, node.left, node.right) if isinstance(node, Binary) and node.op == old else node

    return change


MUTATIONS: dict[str, Change] = {
    "-": swap("-", "+"),
    ">=": swap(">=", ">"),
    "<=": swap("<=", "<"),
    "==": swap("==", "!="),
    "not": lambda node: node.value if isinstance(node, Not) else node,
    "pick": lambda node: Pick(node.test, node.no, node.yes) if isinstance(node, Pick) else node,
    "rnd": lambda node: Call("rnd", (Const(6),)) if isinstance(node, Call) and node.name == "rnd" else node,
    "params": lambda node: Const(3) if isinstance(node, Load) and node.array == "P" else node,
    "emit": lambda node: (
        Call("tell", (*node.args[:5], Const(9), *node.args[6:]))
        if isinstance(node, Call) and node.name == "tell"
        else node
    ),
    "opt": lambda node: (
        Call("opt", (*node.args[:3], Const(9))) if isinstance(node, Call) and node.name == "opt" else node
    ),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_wrong_translation_is_caught(name: str):
    wrong = mutant(duel(), MUTATIONS[name])
    found = lockstep(duel(), range(20), right=lambda _: NativeEngine(wrong)).divergence
    assert found is not None, name


def test_control_an_unchanged_copy_passes():
    same = mutant(duel(), lambda node: node)
    assert lockstep(duel(), range(20), right=lambda _: NativeEngine(same)).divergence is None
