"""Segments of suspendable functions to LLVM text: how a match moves from one to the next.

In:  the Program's segments; each returns the number of the next, or -1 to stop.
Out: LLVM functions, among them `@rw.run(arena, pc)`, which runs until the match stops.

Segments are blocks of LLVM functions, so that a known next segment is a jump and LLVM optimises across
them. In a small Program all of them are in one function, and the random player with them; there are two
of it, one without a trace of events for when they are not recorded. LLVM's time grows faster than a
function does, so a larger Program has a function for each group of segments that belong together; a
jump out of one is a call in tail position, through a table where the number is computed. Both run the
same statements.

Listing segments all end in a call (the kernel `decide`), so that is where LISTING mode stops. Every segment
burns fuel, which is kept in a register; a cycle of segments passes through a jump backwards or a computed
one, so only these look whether there is some left, and where the match stops the functions' part is added.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from rulewright.ir.nodes import Call, Const, Expr, Function, Load, Pick, Return
from rulewright.ir.program import DECISION, FAULT_BOUND, RESUME, STATUS, STEP_LIMIT
from rulewright.native import layout as at
from rulewright.native.arithmetic import binary
from rulewright.native.expressions import check_pointers, control, number, setting, truth
from rulewright.native.routes import CLOSE, DECIDE, FEW, Routes, settles
from rulewright.native.statements import block, pay_open_loops, prepare
from rulewright.native.writer import CONSTANT_TAG, CONTROL_TAG, LIKELY, UNLIKELY, Writer

STOP = -1
AHEAD = "ahead"
"""The variable with the random player's next number; see `dice`."""


class _Exits(ABC):
    """What the ways out of a segment look like in one shape."""

    def __init__(self, writer: Writer, routes: Routes, count: int) -> None:
        self.writer = writer
        self.routes = routes
        self.count = count

    @abstractmethod
    def go(self, here: int, target: int) -> None:
        """Go on from a segment at another that is known."""

    @abstractmethod
    def stop(self) -> None:
        """The match stops, for whatever reason."""

    def ask(self, resume: Expr) -> None:
        """The match stops for a decision, after which it goes on there."""
        self.stop()

    @abstractmethod
    def compute(self, target: str) -> None:
        """Go on at a segment number known only now."""

    def body(self, here: int, segment: Function) -> None:
        """The whole segment."""
        self.writer.site = segment.site
        burn(self.writer, self.writer.costs.segments[here])
        prepare(self.writer, segment)
        if block(self.writer, segment.body, lambda _, value: self.leave(here, value), None):
            self.leave(here, Return().value)

    def leave(self, here: int, value: Expr) -> None:
        """A `return` in segment `here`."""
        match value:
            case Const(target) if STOP <= target < self.count:
                pay_open_loops(self.writer)
                self.known(here, target)
            case Pick(_, yes, no):
                _fork(self.writer, value, lambda: self.leave(here, yes), lambda: self.leave(here, no))
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
            require_fuel(self.writer)
        self.go(here, target)

    def after_call(self, here: int, call: Call) -> None:
        """Compare the result with what it can be; the computed jump is for what cannot happen."""
        writer = self.writer
        given = number(writer, call)
        pay_open_loops(writer)
        targets = [t for t in self.routes.candidates(here, call) if STOP <= t < self.count]
        for target in targets:
            hit, miss = writer.fresh("hit"), writer.fresh("miss")
            same = writer.let(f"icmp eq i64 {given}, {target}")
            writer.branch(same, hit, miss, LIKELY if target == targets[-1] else "")
            writer.start(hit)
            if call.name == DECIDE and target == STOP:
                self.ask(call.args[1])
            else:
                if call.name != CLOSE:
                    self.unless_listing()
                self.known(here, target)
            writer.start(miss)
        self.compute(given)

    def unless_listing(self) -> None:
        """In LISTING mode the options are all that is wanted."""
        writer = self.writer
        onward = writer.fresh("onward")
        listing = writer.let(f"icmp eq i64 {setting(writer, at.MODE)}, {at.LISTING}")
        writer.branch(listing, "out", onward, UNLIKELY)
        writer.start(onward)


class _Together(_Exits):
    """All segments in one function. Where decisions may go on at few segments, each of these stands there a
    second time, right behind the random player's answer: what was chosen is still in registers then. One that
    begins by asking what was just settled, such as which step comes next, stands a second time behind what
    settled it: it is the head of a loop, and LLVM looks through none of these. (Copies in copies ran no
    faster.)"""

    def __init__(self, writer: Writer, routes: Routes, segments: Sequence[Function]) -> None:
        super().__init__(writer, routes, len(segments))
        self.segments = segments
        self.asked: list[int] = []
        """Segments that go on after a decision, in the order in which they were met."""
        self.copying = False

    def go(self, here: int, target: int) -> None:
        if self.copying or not settles(self.segments[here], self.segments[target]):
            self.writer.jump(f"seg{target}")
            return
        self.copying = True
        with self.writer.apart(f"again.{target}."):
            self.body(target, self.segments[target])
        self.copying = False

    def stop(self) -> None:
        self.writer.jump("stop")

    def ask(self, resume: Expr) -> None:
        if not isinstance(resume, Const) or len(self.routes.resumes) > FEW:
            self.writer.jump("asked")
            return
        if resume.value not in self.asked:
            self.asked.append(resume.value)
        self.writer.jump(f"asked.{resume.value}")

    def answered(self, segments: Sequence[Function]) -> None:
        """The answers, and what follows each; that may ask again."""
        writer = self.writer
        for resume in self.asked:  # which grows meanwhile
            writer.scope = f"asked.{resume}."
            writer.start(f"asked.{resume}")
            _taken(writer, f"answer.{resume}")
            writer.do(f"store i64 {STEP_LIMIT}, ptr {writer.fuel}")
            self.body(resume, segments[resume])

    def compute(self, target: str) -> None:
        self.writer.do(f"store i64 {target}, ptr %v.pc")
        self.writer.jump("computed")


class _Apart(_Exits):
    """Segments in groups, each a function of the arena, the fuel and the segment to begin with."""

    def __init__(
        self, writer: Writer, routes: Routes, count: int, places: Mapping[int, str], own: str
    ) -> None:
        """`places`: the function that holds a segment, where that is known already."""
        super().__init__(writer, routes, count)
        self.places = places
        self.own = own

    def go(self, here: int, target: int) -> None:
        place = self.places.get(target)
        if place is None:
            self.follow(_lookup(self.writer, str(target)), str(target))
        elif place == self.own:
            self.writer.jump(f"seg{target}")
        else:
            self.follow(place, str(target))

    def stop(self) -> None:
        self.writer.jump("out")

    def compute(self, target: str) -> None:
        writer = self.writer
        inside, outside = writer.fresh("inside"), writer.fresh("outside")
        writer.branch(writer.let(f"icmp ult i64 {target}, {self.count}"), inside, outside)
        writer.start(outside)
        stops = writer.let(f"icmp eq i64 {target}, {STOP}")
        writer.branch(stops, "out", writer.fault(at.FAULT_BROKEN))
        writer.start(inside)
        self.unless_listing()
        require_fuel(writer)
        self.follow(_lookup(writer, target), target)

    def follow(self, group: str, target: str) -> None:
        left = self.writer.let(f"load i64, ptr {self.writer.fuel}")
        self.writer.do(f"musttail call tailcc void {group}(ptr %A, i64 {left}, i64 {target})")
        self.writer.do("ret void")


def _lookup(writer: Writer, target: str) -> str:
    place = writer.let(f"getelementptr ptr, ptr @rw.table, i64 {target}")
    return writer.let(f"load ptr, ptr {place}{CONSTANT_TAG}")


def merged(writer: Writer, segments: tuple[Function, ...], routes: Routes) -> str:
    """All segments as one function."""
    pc = writer.variable("pc")
    exits = _Together(writer, routes, segments)
    writer.fuel = writer.variable("fuel")
    writer.do(f"store i64 {STEP_LIMIT}, ptr {writer.fuel}")
    writer.do(f"store i64 %pc, ptr {pc}")
    check_pointers(writer)
    _look_ahead(writer)
    writer.jump("dispatch")
    writer.start("computed")
    exits.unless_listing()
    writer.jump("dispatch")
    writer.start("dispatch")
    require_fuel(writer)
    target = writer.let(f"load i64, ptr {pc}")
    writer.do(f"switch i64 {target}, label %{writer.fault(at.FAULT_BROKEN)} [")
    writer.do(f"i64 {STOP}, label %stop")
    for key in range(len(segments)):
        writer.do(f"i64 {key}, label %seg{key}")
    writer.do("]")
    writer.start("stop")
    resume = _answer(writer)
    writer.do(f"store i64 {STEP_LIMIT}, ptr {writer.fuel}")
    for known in routes.resumes if len(routes.resumes) <= FEW else ():
        miss = writer.fresh("miss")
        same = writer.let(f"icmp eq i64 {resume}, {known}")
        writer.branch(same, f"seg{known}", miss, LIKELY if known == routes.resumes[-1] else "")
        writer.start(miss)
    writer.do(f"store i64 {resume}, ptr {pc}")
    writer.jump("dispatch")
    for key, segment in enumerate(segments):
        writer.scope = f"{key}."
        writer.start(f"seg{key}")
        exits.body(key, segment)
    exits.answered(segments)
    name = "quiet" if writer.quiet else "loud"
    linkage = "internal " if writer.quiet else ""
    return writer.finish(f"define {linkage}void @rw.run.{name}(ptr %A, i64 %pc) noinline nounwind")


def group(
    writer: Writer,
    segments: tuple[Function, ...],
    routes: Routes,
    members: Sequence[int],
    places: Mapping[int, str],
    own: str,
    first_counter: int | None = None,
) -> str:
    """Some segments as one function. With `first_counter`, the counter of segment 0, they are counted."""
    exits = _Apart(writer, routes, len(segments), places, own)
    writer.fuel = writer.variable("fuel")
    writer.do(f"store i64 %fuel, ptr {writer.fuel}")
    if len(members) == 1:
        writer.jump(f"seg{members[0]}")
    else:
        writer.do(f"switch i64 %pc, label %{writer.fault(at.FAULT_BROKEN)} [")
        for key in members:
            writer.do(f"i64 {key}, label %seg{key}")
        writer.do("]")
    for key in members:
        writer.scope = f"{key}."
        writer.start(f"seg{key}")
        if first_counter is not None:
            writer.counter = first_counter + key
            writer.count(0, "1")
        exits.body(key, segments[key])
    writer.start("out")
    _settle(writer)
    writer.do("ret void")
    return writer.finish(f"define tailcc void {own}(ptr %A, i64 %fuel, i64 %pc) nounwind")


def start(writer: Writer, count: int) -> str:
    """`@rw.run` over groups, with the random player's answers in the loop."""
    pc = writer.variable("pc")
    writer.do(f"store i64 %pc, ptr {pc}")
    check_pointers(writer)
    _look_ahead(writer)
    writer.jump("again")
    writer.start("again")
    target = writer.let(f"load i64, ptr {pc}")
    writer.require(writer.let(f"icmp ult i64 {target}, {count}"), at.FAULT_BROKEN)
    writer.do(f"call tailcc void {_lookup(writer, target)}(ptr %A, i64 {STEP_LIMIT}, i64 {target})")
    writer.do(f"store i64 {_answer(writer)}, ptr {pc}")
    writer.jump("again")
    return writer.finish("define internal void @rw.run(ptr %A, i64 %pc) noinline nounwind")


def _answer(writer: Writer) -> str:
    """The match has stopped: in ANSWERING mode the random player takes the decision right here. Gives
    the segment to go on with; in other modes, or at the end, the function returns."""
    asked = writer.let(f"icmp eq i64 {number(writer, Load('S', Const(STATUS)))}, {DECISION}")
    writer.branch(asked, "asked", "ended")
    writer.start("ended")
    if writer.fuel:
        _settle(writer)
    writer.jump("out")
    writer.start("out")
    writer.do("ret void")
    writer.start("asked")
    _taken(writer, "answer")
    return number(writer, Load("S", Const(RESUME)))


def _taken(writer: Writer, answer: str) -> None:
    """Go on, at a label of this name, when the random player has decided; in other modes nobody does here."""
    if writer.fuel:
        _settle(writer)
    auto = writer.let(f"icmp eq i64 {setting(writer, at.MODE)}, {at.ANSWERING}")
    writer.branch(auto, answer, "out")
    writer.start(answer)
    fuel = writer.let(f"getelementptr i8, ptr %A, i64 {at.FUEL}")
    writer.do(f"store i64 {STEP_LIMIT}, ptr {fuel}{CONTROL_TAG}")
    ahead = f"%v.{AHEAD}"
    writer.do(f"call void @rw.answer{'.quiet' if writer.quiet else ''}(ptr %A, ptr {ahead})")


def burn(writer: Writer, amount: int) -> None:
    """Take fuel; whether there was enough is asked later."""
    left = writer.let(f"sub i64 {writer.let(f'load i64, ptr {writer.fuel}')}, {amount}")
    writer.do(f"store i64 {left}, ptr {writer.fuel}")


def require_fuel(writer: Writer) -> None:
    """Go on only while there is fuel."""
    left = writer.let(f"load i64, ptr {writer.fuel}")
    writer.require(writer.let(f"icmp sge i64 {left}, 0"), FAULT_BOUND)


def _settle(writer: Writer) -> None:
    """Segments and functions have taken from two cans: together no more than one holds."""
    both = binary(writer, "+", control(writer, at.FUEL), writer.let(f"load i64, ptr {writer.fuel}"))
    writer.require(writer.let(f"icmp sge i64 {both}, {STEP_LIMIT}"), FAULT_BOUND)


def _look_ahead(writer: Writer) -> None:
    """Work out the number that the random player will draw first."""
    drawn = writer.let(f"call i64 @rw.next(i64 {control(writer, at.POLICY_RNG)})")
    writer.do(f"store i64 {drawn}, ptr {writer.variable(AHEAD)}")


def _fork(writer: Writer, node: Pick, yes: Callable[[], None], no: Callable[[], None]) -> None:
    bit = truth(writer, node.test)
    if bit[0] != "%":
        (yes if bit == "true" else no)()
        return
    then, other = writer.fresh("go"), writer.fresh("go")
    writer.test(node, bit, then, other)
    writer.start(then)
    yes()
    writer.start(other)
    no()
