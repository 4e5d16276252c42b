"""Segments of suspendable functions to LLVM text: how a match moves from one to the next.

In:  the Program's segments; each returns the number of the next, or -1 to stop.
Out: LLVM functions, among them `@rw.run(arena, pc)`, which runs until the match stops.

Two shapes. In a small Program all segments are blocks of one function: a known next segment is a
jump, and LLVM optimises across them as if the book had been one loop. LLVM's time grows faster than
such a function does, so in a larger Program each segment is a function that calls the next in tail
position, through a table where the number is computed. Both run the same statements.

Listing segments all end in a computed jump (the kernel `decide`), so that is where LISTING mode stops.
A cycle of segments passes through a jump backwards or a computed one, so only these burn fuel. It is
kept in a register: counting in memory cost a tenth of the speed.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.ir.nodes import Const, Expr, Function, Load, Pick, Return
from rulewright.ir.program import DECISION, FP, STATUS
from rulewright.native import layout as at
from rulewright.native.expressions import check_frame_pointer, number, setting, truth
from rulewright.native.statements import block, pay_open_loops, spend, zero
from rulewright.native.writer import STATE_TAG, UNLIKELY, Writer

STOP = -1


def merged(writer: Writer, segments: tuple[Function, ...]) -> str:
    """All segments as one function."""
    pc = writer.variable("pc")
    labels = {number: f"seg{number}" for number in range(len(segments))}

    def leave(here: int, writer: Writer, value: Expr) -> None:
        match value:
            case Const(target) if target == STOP or target in labels:
                pay_open_loops(writer)
                if 0 <= target <= here:
                    spend(writer, "1")
                writer.jump(labels.get(target, "stop"))
            case Pick(test, yes, no):
                _fork(writer, test, lambda: leave(here, writer, yes), lambda: leave(here, writer, no))
            case _:
                given = number(writer, value)
                pay_open_loops(writer)
                writer.do(f"store i64 {given}, ptr {pc}")
                writer.jump("computed")

    writer.fuel = writer.variable("fuel")
    writer.do(f"store i64 {at.FUEL_LIMIT}, ptr {writer.fuel}")
    writer.do(f"store i64 %pc, ptr {pc}")
    check_frame_pointer(writer, number(writer, Load("S", Const(FP))))
    writer.jump("dispatch")
    writer.start("computed")
    listing = writer.let(f"icmp eq i64 {setting(writer, at.MODE)}, {at.LISTING}")
    writer.branch(listing, "out", "dispatch", UNLIKELY)
    writer.start("dispatch")
    spend(writer, "1")
    target = writer.let(f"load i64, ptr {pc}")
    writer.do(f"switch i64 {target}, label %{writer.fault(at.FAULT_BROKEN)} [")
    writer.do(f"i64 {STOP}, label %stop")
    for key, label in labels.items():
        writer.do(f"i64 {key}, label %{label}")
    writer.do("]")
    writer.start("stop")
    _answer(writer, pc, "dispatch")
    for key, segment in enumerate(segments):
        writer.scope = f"{key}."
        writer.site = segment.site
        writer.start(labels[key])
        zero(writer, segment)
        if block(writer, segment.body, lambda w, value, here=key: leave(here, w, value), None):
            leave(key, writer, Return().value)
    return writer.finish("define internal void @rw.run(ptr %A, i64 %pc) noinline nounwind")


def chained(writer: Writer, here: int, segment: Function, count: int) -> str:
    """One segment as a function that ends in a call of the next."""

    def leave(writer: Writer, value: Expr) -> None:
        match value:
            case Const(target) if target == STOP or 0 <= target < count:
                pay_open_loops(writer)
                if target == STOP:
                    writer.do("ret void")
                    return
                if target <= here:
                    spend(writer, "1")
                _follow(writer, f"@seg.{target}")
            case Pick(test, yes, no):
                _fork(writer, test, lambda: leave(writer, yes), lambda: leave(writer, no))
            case _:
                given = number(writer, value)
                pay_open_loops(writer)
                computed_jump(writer, given, count)

    writer.site = segment.site
    writer.fuel = writer.variable("fuel")
    writer.do(f"store i64 %fuel, ptr {writer.fuel}")
    zero(writer, segment)
    if block(writer, segment.body, leave, None):
        leave(writer, Return().value)
    return writer.finish(f"define internal tailcc void @seg.{here}(ptr %A, i64 %fuel) nounwind")


def computed_jump(writer: Writer, target: str, count: int) -> None:
    """Go on at a segment number known only now, or stop at -1."""
    inside, outside, stop = writer.fresh("inside"), writer.fresh("outside"), writer.fresh("stop")
    test = writer.let(f"icmp ult i64 {target}, {count}")
    writer.branch(test, inside, outside)
    writer.start(outside)
    writer.branch(writer.let(f"icmp eq i64 {target}, {STOP}"), stop, writer.fault(at.FAULT_BROKEN))
    writer.start(stop)
    writer.do("ret void")
    writer.start(inside)
    spend(writer, "1")
    onward = writer.fresh("onward")
    listing = writer.let(f"icmp eq i64 {setting(writer, at.MODE)}, {at.LISTING}")
    writer.branch(listing, stop, onward, UNLIKELY)
    writer.start(onward)
    place = writer.let(f"getelementptr ptr, ptr @rw.table, i64 {target}")
    _follow(writer, writer.let(f"load ptr, ptr {place}, !invariant.load !3"))


def table(count: int) -> str:
    """The segments by number, and `@rw.run` for the chained shape."""
    entries = ", ".join(f"ptr @seg.{key}" for key in range(count))
    return f"@rw.table = internal constant [{count} x ptr] [{entries}]\n"


def chain_start(writer: Writer, count: int) -> str:
    """`@rw.run` over chained segments, with the random player's answers in the loop."""
    pc = writer.variable("pc")
    writer.do(f"store i64 %pc, ptr {pc}")
    check_frame_pointer(writer, number(writer, Load("S", Const(FP))))
    writer.jump("again")
    writer.start("again")
    target = writer.let(f"load i64, ptr {pc}")
    writer.require(writer.let(f"icmp ult i64 {target}, {count}"), at.FAULT_BROKEN)
    place = writer.let(f"getelementptr ptr, ptr @rw.table, i64 {target}")
    writer.do(f"call tailcc void {writer.let(f'load ptr, ptr {place}')}(ptr %A, i64 {at.FUEL_LIMIT})")
    _answer(writer, pc, "again")
    return writer.finish("define internal void @rw.run(ptr %A, i64 %pc) noinline nounwind")


def _answer(writer: Writer, pc: str, again: str) -> None:
    """The match has stopped: in ANSWERING mode the random player takes the decision right here."""
    auto = writer.let(f"icmp eq i64 {setting(writer, at.MODE)}, {at.ANSWERING}")
    writer.branch(auto, "asked", "out")
    writer.start("asked")
    place = writer.let(f"getelementptr i8, ptr %A, i64 {at.STATE + 4 * STATUS}")
    status = writer.let(f"load i32, ptr {place}{STATE_TAG}")
    writer.branch(writer.let(f"icmp eq i32 {status}, {DECISION}"), "answer", "out")
    writer.start("answer")
    writer.do(f"store i64 {writer.let('call i64 @rw.answer(ptr %A)')}, ptr {pc}")
    if writer.fuel:
        writer.do(f"store i64 {at.FUEL_LIMIT}, ptr {writer.fuel}")
    writer.jump(again)
    writer.start("out")
    writer.do("ret void")


def _follow(writer: Writer, target: str) -> None:
    left = writer.let(f"load i64, ptr {writer.fuel}")
    writer.do(f"musttail call tailcc void {target}(ptr %A, i64 {left})")
    writer.do("ret void")


def _fork(writer: Writer, test: Expr, yes: Callable[[], None], no: Callable[[], None]) -> None:
    bit = truth(writer, test)
    if bit[0] != "%":
        (yes if bit == "true" else no)()
        return
    then, other = writer.fresh("go"), writer.fresh("go")
    writer.branch(bit, then, other)
    writer.start(then)
    yes()
    writer.start(other)
    no()
