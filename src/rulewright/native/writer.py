"""Lines of one LLVM function, as text.

In:  instructions, in order.
Out: the function's body: fresh names, labelled blocks, variables, and one cold block for each way
     to fail.

Text, not llvmlite's builder objects: parsing the text costs LLVM a tenth of what building the
objects costs Python. Variables are stack cells that LLVM turns into registers, so nothing here has
to reason about joins.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from rulewright.ir.budget import Costs
from rulewright.ir.nodes import Function
from rulewright.native.layout import FAULT_BROKEN, STATE, Layout

# Tags of memory that cannot overlap; LLVM keeps one kind in registers while another is written.
# `state` overlaps its two parts, slots of the book and frames; the header is a kind of its own.
(
    CORE_TAG,
    STATE_TAG,
    WORK_TAG,
    CONTROL_TAG,
    OPTION_TAG,
    EVENT_TAG,
    BOOK_TAG,
    FRAME_TAG,
) = (f", !tbaa !{number}" for number in range(10, 18))
CONSTANT_TAG = ", !invariant.load !3"
UNLIKELY, LIKELY = ", !prof !2", ", !prof !4"

METADATA = """
!0 = !{!"rulewright"}
!2 = !{!"branch_weights", i32 1, i32 100000}
!3 = !{}
!4 = !{!"branch_weights", i32 100000, i32 1}
!20 = !{!"core", !0}
!21 = !{!"state", !0}
!26 = !{!"book", !21, i64 0}
!27 = !{!"frame", !21, i64 0}
!22 = !{!"work", !0}
!23 = !{!"control", !0}
!24 = !{!"options", !0}
!25 = !{!"events", !0}
!10 = !{!20, !20, i64 0}
!11 = !{!21, !21, i64 0}
!12 = !{!22, !22, i64 0}
!13 = !{!23, !23, i64 0}
!14 = !{!24, !24, i64 0}
!15 = !{!25, !25, i64 0}
!16 = !{!26, !26, i64 0}
!17 = !{!27, !27, i64 0}
"""


Weight: TypeAlias = tuple[int, int]
"""How often a test held, and how often it did not."""
OF_A_BODY = ("scope", "site", "counters", "fixed", "pointers", "held", "values")
"""What a Writer knows of the body that is being written."""
HEAVIEST = 2**31 - 2


@dataclass(slots=True)
class Writer:
    """The function being written. `%A` is the arena, `%S` the state in it."""

    layout: Layout
    functions: Mapping[str, Function]
    live: Mapping[str, frozenset[str]]
    """The parameters of each function that are passed at all."""
    simple: Mapping[str, Function]
    """Functions that are one `return`: written out where they are called."""
    costs: Costs = field(default_factory=Costs)
    """What loops, functions and segments pay."""
    lines: list[str] = field(default_factory=list[str])
    entry: list[str] = field(default_factory=list[str])
    label: str = "entry"
    site: int = 0
    scope: str = ""
    """Prefix of variable names, so that several segments can share one function."""
    given: dict[str, str] = field(default_factory=dict[str, str])
    """Values of the parameters of a simple function that is being written out."""
    cold: Mapping[str, int] = field(default_factory=dict[str, int])
    """In code that is compiled in haste: the number of each function that may have a better version,
    which is therefore called through a table."""
    tiers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Elsewhere: the letter of each function's best version."""
    counter: int | None = None
    """What counts how often this code runs: in hasty code only."""
    branches: Mapping[int, int] = field(default_factory=dict[int, int])
    """In code that counts them: the number of each test, by the identity of its node."""
    weights: Mapping[int, Weight] = field(default_factory=dict[int, "Weight"])
    """Elsewhere: what was counted, by the same."""
    quiet: bool = False
    """Code for when nobody listens: no event is recorded, and nothing asks whether one should be."""
    pointers: frozenset[str] = frozenset()
    """Fixed locals that hold the frame or the stack pointer."""
    held: set[str] = field(default_factory=set[str])
    """The values of those."""
    fixed: frozenset[str] = frozenset()
    """Locals that are given a value in one place, before every use: they need no variable."""
    values: dict[str, str] = field(default_factory=dict[str, str])
    """What the fixed locals stand for."""
    used: int = 0
    locals: set[str] = field(default_factory=set[str])
    faults: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    counters: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Round counters of the loops that are open here, and what a round costs."""
    fuel: str = ""
    """The variable that holds the fuel of a segment; empty in plain functions, which take theirs from
    the arena."""

    def fresh(self, stem: str = "t") -> str:
        self.used += 1
        return f"{stem}{self.used}"

    def let(self, operation: str) -> str:
        """Write an instruction that gives a value; return the value's name."""
        self.used += 1
        name = f"%t{self.used}"
        self.lines.append(f"{name} = {operation}")
        return name

    def do(self, operation: str) -> None:
        self.lines.append(operation)

    def jump(self, label: str) -> None:
        self.lines.append(f"br label %{label}")

    def branch(self, test: str, yes: str, no: str, weight: str = "") -> None:
        self.lines.append(f"br i1 {test}, label %{yes}, label %{no}{weight}")

    def test(self, node: object, test: str, yes: str, no: str) -> None:
        """A branch for a test of the Program, which is counted, or weighed by what was counted."""
        known = self.branches.get(id(node))
        if known is not None:
            place = self.layout.branches_at + 16 * known
            for at, amount in ((place, self.let(f"zext i1 {test} to i64")), (place + 8, "1")):
                cell = self.let(f"getelementptr i8, ptr %A, i64 {at}")
                more = self.let(f"add i64 {self.let(f'load i64, ptr {cell}')}, {amount}")
                self.do(f"store i64 {more}, ptr {cell}")
        weight = self.weights.get(id(node))
        if weight is None:
            self.branch(test, yes, no)
            return
        held, failed = (1 + min(count, HEAVIEST) for count in weight)
        self.branch(test, yes, no, f', !prof !{{!"branch_weights", i32 {held}, i32 {failed}}}')

    def start(self, label: str) -> None:
        self.label = label
        self.lines.append(f"{label}:")

    def variable(self, name: str) -> str:
        """The stack cell of a local, made on first use."""
        cell = f"{self.scope}{name}"
        if cell not in self.locals:
            self.locals.add(cell)
            self.entry.append(f"%v.{cell} = alloca i64")
        return f"%v.{cell}"

    @contextmanager
    def apart(self, stem: str) -> Generator[None]:
        """Another body written here, with locals of its own; what was known before is known again."""
        kept = {name: getattr(self, name) for name in OF_A_BODY}
        label = self.fresh(stem)
        self.jump(label)
        self.start(label)
        self.scope, self.counters = f"{label}.", []
        yield
        for name, value in kept.items():
            setattr(self, name, value)

    def callee(self, name: str) -> str:
        """The function to call."""
        if name not in self.cold:
            return f"@{self.tiers.get(name, 'f')}.{name}"
        place = self.let(f"getelementptr ptr, ptr @rw.functions, i64 {self.cold[name]}")
        return self.let(f"load ptr, ptr {place}{CONSTANT_TAG}")

    def count(self, which: int, amount: str) -> None:
        """Add to one of the two counters of this code."""
        if self.counter is None:
            return
        place = self.layout.counters_at + 8 * (2 * self.counter + which)
        cell = self.let(f"getelementptr i8, ptr %A, i64 {place}")
        more = self.let(f"add i64 {self.let(f'load i64, ptr {cell}')}, {amount}")
        self.do(f"store i64 {more}, ptr {cell}")

    def fault(self, code: int) -> str:
        """The label of a block that stops the match; one for each code and site. Broken code has no
        site here: it is found by replaying on the reference, and blocks cost compile time."""
        key = (code, 0 if code == FAULT_BROKEN else self.site)
        if key not in self.faults:
            self.faults[key] = self.fresh("fault")
        return self.faults[key]

    def require(self, test: str, code: int) -> None:
        """Go on only if the test holds."""
        label = self.fresh("ok")
        self.lines.append(f"br i1 {test}, label %{label}, label %{self.fault(code)}")
        self.start(label)

    def finish(self, head: str) -> str:
        """The whole function."""
        for (code, site), label in self.faults.items():
            self.lines.append(f"{label}:")
            self.lines.append(f"call void @rw.fault(ptr %A, i64 {code}, i64 {site}) cold")
            self.lines.append("unreachable")
        start = f"%S = getelementptr i8, ptr %A, i64 {STATE}"
        return "\n".join((head + " {", start, *self.entry, *self.lines, "}\n"))
