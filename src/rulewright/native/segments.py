"""Segments of suspendable functions to LLVM text: how a match moves from one to the next.

In:  the Program's segments; each returns the number of the next, or -1 to stop.
Out: LLVM functions, among them `@rw.run(arena, pc)`, which runs until the match stops.

Two shapes. In a small Program all segments are blocks of one function: a known next segment is a
jump, and LLVM optimises across them as if the book had been one loop. LLVM's time grows faster than
such a function does, so in a larger Program each segment is a function that calls the next in tail
position, through a table where the number is computed. Both run the same statements.

Listing segments all end in a call (the kernel `decide`), so that is where LISTING mode stops. A cycle
of segments passes through a jump backwards or a computed one, so only these burn fuel; it is kept in a
register.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from rulewright.ir.nodes import Call, Const, Expr, Function, Load, Pick, Return
from rulewright.ir.program import DECISION, FP, RESUME, STATUS
from rulewright.native import layout as at
from rulewright.native.expressions import check_frame_pointer, number, setting, truth
from rulewright.native.routes import CLOSE, FEW, Routes
from rulewright.native.statements import block, pay_open_loops, spend, zero
from rulewright.native.writer import UNLIKELY, Writer

STOP = -1


class _Exits(ABC):
    """What the ways out of a segment look like in one shape."""

    def __init__(self, writer: Writer, routes: Routes, count: int) -> None:
        self.writer = writer
        self.routes = routes
        self.count = count

    @abstractmethod
    def go(self, target: int) -> None:
        """Go on at a known segment."""

    @abstractmethod
    def stop(self) -> None:
        """The match stops."""

    @abstractmethod
    def out(self) -> str:
        """The label of a block that only returns."""

    @abstractmethod
    def compute(self, target: str) -> None:
        """Go on at a segment number known only now."""

    def body(self, here: int, segment: Function) -> None:
        """The whole segment."""
        self.writer.site = segment.site
        zero(self.writer, segment)
        if block(self.writer, segment.body, lambda _, value: self.leave(here, value), None):
            self.leave(here, Return().value)

    def leave(self, here: int, value: Expr) -> None:
        """A `return` in segment `here`."""
        match value:
            case Const(target) if STOP <= target < self.count:
                pay_open_loops(self.writer)
                self.known(here, target)
            case Pick(test, yes, no):
                _fork(
                    self.writer, test, lambda: self.leave(here, yes), lambda: self.leave(here, no)
                )
            case Call():
                self.after_call(here, value)
            case _:
                given = number(self.writer, value)
                pay_open_loops(self.writer)
                self.compute(given)

    def known(self, here: int, target: int) -> None:
        if target == STOP:
            self.stop()
            return
        if target <= here:
            spend(self.writer, "1")
        self.go(target)

    def after_call(self, here: int, call: Call) -> None:
        """Compare the result with what it can be; the computed jump is for what cannot happen."""
        writer = self.writer
        given = number(writer, call)
        pay_open_loops(writer)
        for target in self.routes.candidates(here, call):
            if not STOP <= target < self.count:
                continue
            hit, miss = writer.fresh("hit"), writer.fresh("miss")
            writer.branch(writer.let(f"icmp eq i64 {given}, {target}"), hit, miss)
            writer.start(hit)
            if call.name != CLOSE and target != STOP:
                self.unless_listing()
            self.known(here, target)
            writer.start(miss)
        self.compute(given)

    def unless_listing(self) -> None:
        """In LISTING mode the options are all that is wanted."""
        writer = self.writer
        onward = writer.fresh("onward")
        listing = writer.let(f"icmp eq i64 {setting(writer, at.MODE)}, {at.LISTING}")
        writer.branch(listing, self.out(), onward, UNLIKELY)
        writer.start(onward)


class _Blocks(_Exits):
    """Segments as blocks of one function."""

    def go(self, target: int) -> None:
        self.writer.jump(f"seg{target}")

    def stop(self) -> None:
        self.writer.jump("stop")

    def out(self) -> str:
        return "out"

    def compute(self, target: str) -> None:
        self.writer.do(f"store i64 {target}, ptr %v.pc")
        self.writer.jump("computed")


class _Chain(_Exits):
    """Segments as functions."""

    def go(self, target: int) -> None:
        _follow(self.writer, f"@seg.{target}")

    def stop(self) -> None:
        self.writer.do("ret void")

    def out(self) -> str:
        return "out"

    def compute(self, target: str) -> None:
        writer = self.writer
        inside, outside = writer.fresh("inside"), writer.fresh("outside")
        writer.branch(writer.let(f"icmp ult i64 {target}, {self.count}"), inside, outside)
        writer.start(outside)
        stops = writer.let(f"icmp eq i64 {target}, {STOP}")
        writer.branch(stops, "out", writer.fault(at.FAULT_BROKEN))
        writer.start(inside)
        self.unless_listing()
        spend(writer, "1")
        place = writer.let(f"getelementptr ptr, ptr @rw.table, i64 {target}")
        _follow(writer, writer.let(f"load ptr, ptr {place}, !invariant.load !3"))


def merged(writer: Writer, segments: tuple[Function, ...], routes: Routes) -> str:
    """All segments as one function."""
    pc = writer.variable("pc")
    exits = _Blocks(writer, routes, len(segments))
    writer.fuel = writer.variable("fuel")
    writer.do(f"store i64 {at.FUEL_LIMIT}, ptr {writer.fuel}")
    writer.do(f"store i64 %pc, ptr {pc}")
    check_frame_pointer(writer, number(writer, Load("S", Const(FP))))
    writer.jump("dispatch")
    writer.start("computed")
    exits.unless_listing()
    writer.jump("dispatch")
    writer.start("dispatch")
    spend(writer, "1")
    target = writer.let(f"load i64, ptr {pc}")
    writer.do(f"switch i64 {target}, label %{writer.fault(at.FAULT_BROKEN)} [")
    writer.do(f"i64 {STOP}, label %stop")
    for key in range(len(segments)):
        writer.do(f"i64 {key}, label %seg{key}")
    writer.do("]")
    writer.start("stop")
    resume = _answer(writer)
    writer.do(f"store i64 {at.FUEL_LIMIT}, ptr {writer.fuel}")
    for known in routes.resumes if len(routes.resumes) <= FEW else ():
        miss = writer.fresh("miss")
        writer.branch(writer.let(f"icmp eq i64 {resume}, {known}"), f"seg{known}", miss)
        writer.start(miss)
    writer.do(f"store i64 {resume}, ptr {pc}")
    writer.jump("dispatch")
    for key, segment in enumerate(segments):
        writer.scope = f"{key}."
        writer.start(f"seg{key}")
        exits.body(key, segment)
    return writer.finish("define internal void @rw.run(ptr %A, i64 %pc) noinline nounwind")


def chained(writer: Writer, here: int, segment: Function, count: int, routes: Routes) -> str:
    """One segment as a function that ends in a call of the next."""
    writer.fuel = writer.variable("fuel")
    writer.do(f"store i64 %fuel, ptr {writer.fuel}")
    _Chain(writer, routes, count).body(here, segment)
    writer.start("out")
    writer.do("ret void")
    return writer.finish(f"define internal tailcc void @seg.{here}(ptr %A, i64 %fuel) nounwind")


def table(count: int) -> str:
    """The segments by number."""
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
    code = writer.let(f"load ptr, ptr {place}")
    writer.do(f"call tailcc void {code}(ptr %A, i64 {at.FUEL_LIMIT})")
    writer.do(f"store i64 {_answer(writer)}, ptr {pc}")
    writer.jump("again")
    return writer.finish("define internal void @rw.run(ptr %A, i64 %pc) noinline nounwind")


def _answer(writer: Writer) -> str:
    """The match has stopped: in ANSWERING mode the random player takes the decision right here. Gives
    the segment to go on with; in other modes, or at the end, the function returns."""
    auto = writer.let(f"icmp eq i64 {setting(writer, at.MODE)}, {at.ANSWERING}")
    writer.branch(auto, "asked", "out")
    writer.start("out")
    writer.do("ret void")
    writer.start("asked")
    asked = writer.let(f"icmp eq i64 {number(writer, Load('S', Const(STATUS)))}, {DECISION}")
    writer.branch(asked, "answer", "out")
    writer.start("answer")
    writer.do("call void @rw.answer(ptr %A)")
    return number(writer, Load("S", Const(RESUME)))


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
