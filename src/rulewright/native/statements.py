"""Statements and plain functions to LLVM text.

In:  ir.nodes blocks.
Out: lines in a Writer; `function` gives the whole LLVM function.

What a `return` means is the caller's to say (`leave`): plain functions give the value back, segments
of a suspendable function go on to the segment whose number they return.

Runaway books are stopped by fuel, counted as `ir.budget` says. A loop counts its rounds in a register and
pays for them when it is left, so a round costs one addition; most loops pay nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from rulewright.ir.facts import POINTERS, fits_slot, is_pointer
from rulewright.ir.loops import repeats
from rulewright.ir.nodes import (
    Ask,
    Assign,
    Binary,
    Block,
    Break,
    Const,
    Continue,
    Do,
    Expr,
    Function,
    If,
    Load,
    Return,
    Stmt,
    Store,
    While,
)
from rulewright.ir.program import FAULT_BOUND, FAULT_RANGE, FAULT_STACK, STEP_LIMIT, UNWIND
from rulewright.ir.walk import exposed, statements
from rulewright.native import layout as at
from rulewright.native.arithmetic import binary
from rulewright.native.expressions import (
    address,
    call,
    check_pointer,
    control,
    number,
    truth,
)
from rulewright.native.writer import CONTROL_TAG, UNLIKELY, Writer

Leave: TypeAlias = Callable[[Writer, Expr], None]
"""Writes the instructions that end the function with a value."""


def block(writer: Writer, body: Block, leave: Leave, loop: tuple[str, str] | None) -> bool:
    """Write the statements; True if control can reach the end. `loop`: labels to go on and to leave."""
    before: Stmt | None = None
    for statement in body:
        if statement.site:
            writer.site = statement.site
        if not _statement(writer, statement, before, leave, loop):
            return False
        before = statement
    return True


def _statement(
    writer: Writer, node: Stmt, before: Stmt | None, leave: Leave, loop: tuple[str, str] | None
) -> bool:
    match node:
        case While():
            _while(writer, node, leave, writer.costs.rounds.get(id(node), 0))
        case Assign(local, value):
            given = number(writer, value)
            if local in writer.fixed:
                writer.values[local] = given
                if local in writer.pointers:
                    writer.held.add(given)
            else:
                writer.do(f"store i64 {given}, ptr {writer.variable(local)}")
        case Store(array, index, value):
            store(writer, array, index, number(writer, value), fits_slot(value))
        case Do(made):
            call(writer, made.name, made.args)
            if made.name == "fault":
                writer.do("unreachable")  # closes the block that `call` opened for what follows
                return False
        case If():
            return _if(writer, node, leave, loop)
        case Return(value):
            leave(writer, value)
            return False
        case Break() | Continue():
            if loop is None:
                raise ValueError("break or continue outside a loop")
            writer.jump(loop[1] if isinstance(node, Break) else loop[0])
            return False
        case Ask():
            raise ValueError("a decision is left in a function: the split pass has not run")
    return True


def store(writer: Writer, array: str, index: Expr, value: str, fits: bool) -> None:
    """Write a cell. A number that does not fit a state slot is a fault, as in the reference."""
    place = address(writer, array, index)
    if place.slot in POINTERS and value not in writer.held:
        check_pointer(writer, value)
    if place.kind == "i32":
        value = _narrowed(writer, value, fits)
    writer.do(f"store {place.kind} {value}, ptr {place.pointer}{place.tag}")


def _narrowed(writer: Writer, value: str, fits: bool) -> str:
    if value[0] != "%":
        if not -(2**31) <= int(value) < 2**31:
            writer.require("false", FAULT_RANGE)
            return "0"
        return value
    small = writer.let(f"trunc i64 {value} to i32")
    if fits:
        return small
    back = writer.let(f"sext i32 {small} to i64")
    writer.require(writer.let(f"icmp eq i64 {back}, {value}"), FAULT_RANGE)
    return small


def _if(writer: Writer, node: If, leave: Leave, loop: tuple[str, str] | None) -> bool:
    then, orelse = node.then, node.orelse
    bit = truth(writer, node.test)
    if bit[0] != "%":
        return block(writer, then if bit == "true" else orelse, leave, loop)
    yes, join = writer.fresh("then"), writer.fresh("join")
    no = writer.fresh("else") if orelse else join
    if _unwinds(node.test):
        writer.branch(bit, yes, no, UNLIKELY)
    else:
        writer.test(node, bit, yes, no)
    site = writer.site
    writer.start(yes)
    reached = block(writer, then, leave, loop)
    if reached:
        writer.jump(join)
    if orelse:
        writer.site = site
        writer.start(no)
        if block(writer, orelse, leave, loop):
            writer.jump(join)
            reached = True
    else:
        reached = True
    if reached:
        writer.start(join)
    return reached


def _unwinds(test: Expr) -> bool:
    """Does it ask whether something has been ended from inside? Mostly not."""
    match test:
        case Load("S", Const(slot)) | Binary("==", Load("S", Const(slot)), _):
            return slot == UNWIND
        case _:
            return False


def _while(writer: Writer, node: While, leave: Leave, cost: int) -> None:
    head, inside, latch = writer.fresh("while"), writer.fresh("body"), writer.fresh("again")
    done = writer.fresh("done")
    wanted = cost or (writer.counter is not None and repeats(node.body))
    rounds = writer.variable(writer.fresh("rounds.")) if wanted else None
    if rounds is not None:
        writer.do(f"store i64 0, ptr {rounds}")
        writer.counters.append((rounds, cost))
    writer.jump(head)
    writer.start(head)
    writer.test(node, truth(writer, node.test), inside, done)
    writer.start(inside)
    if block(writer, node.body, leave, (latch, done)):
        writer.jump(latch)
    writer.start(latch)
    if rounds is not None:
        count = writer.let(f"load i64, ptr {rounds}")
        more = writer.let(f"add i64 {count}, 1")
        writer.do(f"store i64 {more}, ptr {rounds}")
        if cost:
            writer.require(writer.let(f"icmp ule i64 {more}, {STEP_LIMIT // cost}"), FAULT_BOUND)
        writer.counters.pop()
    writer.jump(head)
    writer.start(done)
    if rounds is not None:
        _pay(writer, rounds, cost)


def _pay(writer: Writer, rounds: str, cost: int) -> None:
    amount = writer.let(f"load i64, ptr {rounds}")
    writer.count(1, amount)
    if cost:
        spend(writer, binary(writer, "*", amount, str(cost)))


def spend(writer: Writer, amount: str) -> None:
    """Take fuel; a match without fuel has run away."""
    place = writer.fuel or writer.let(f"getelementptr i8, ptr %A, i64 {at.FUEL}")
    tag = "" if writer.fuel else CONTROL_TAG
    left = writer.let(f"sub i64 {writer.let(f'load i64, ptr {place}{tag}')}, {amount}")
    writer.do(f"store i64 {left}, ptr {place}{tag}")
    writer.require(writer.let(f"icmp sge i64 {left}, 0"), FAULT_BOUND)


def pay_open_loops(writer: Writer) -> None:
    """Leaving a function from inside its loops: their rounds count too."""
    for rounds, cost in writer.counters:
        _pay(writer, rounds, cost)


def function(writer: Writer, node: Function, head: str, attributes: str, recursive: bool) -> str:
    """A plain function as an LLVM function of the arena and its parameters. `head`: what stands before
    its name."""
    live = [name for name in node.params if name in writer.live[node.name]]
    names = "".join(f", i64 %p.{name}" for name in live)
    writer.site = node.site
    writer.label = "entry"
    prepare(writer, node)
    writer.count(0, "1")
    if node.name in writer.costs.entry:
        spend(writer, str(writer.costs.entry[node.name]))
    if recursive:
        _deepen(writer, 1)

    def leave(writer: Writer, value: Expr) -> None:
        given = number(writer, value)
        pay_open_loops(writer)
        if recursive:
            _deepen(writer, -1)
        writer.do(f"ret i64 {given}")

    if block(writer, node.body, leave, None):
        if recursive:
            _deepen(writer, -1)
        writer.do("ret i64 0")
    return writer.finish(f"define {head}{node.name}(ptr %A{names}) {attributes}")


def prepare(writer: Writer, node: Function) -> None:
    """Sort the locals: those with one value, those that need a variable, those that must start at 0."""
    assigns = [part for part in statements(node.body) if isinstance(part, Assign)]
    written = Counter(part.local for part in assigns)
    unset = exposed(node.body, node.params)
    once = {name for name, count in written.items() if count == 1}
    writer.fixed = frozenset(once - unset - set(node.params))
    writer.pointers = frozenset(
        part.local for part in assigns if part.local in writer.fixed and is_pointer(part.value)
    )
    writer.held = set()
    writer.values = {name: f"%p.{name}" for name in node.params if name not in written}
    for name in node.params:
        if name in written and name in writer.live[node.name]:
            writer.do(f"store i64 %p.{name}, ptr {writer.variable(name)}")
    for name in sorted(unset):
        writer.do(f"store i64 0, ptr {writer.variable(name)}")


def _deepen(writer: Writer, by: int) -> None:
    depth = writer.let(f"add i64 {control(writer, at.DEPTH)}, {by}")
    if by > 0:
        writer.require(writer.let(f"icmp slt i64 {depth}, {at.DEPTH_LIMIT}"), FAULT_STACK)
    place = writer.let(f"getelementptr i8, ptr %A, i64 {at.DEPTH}")
    writer.do(f"store i64 {depth}, ptr {place}{CONTROL_TAG}")
