"""What code costs: one count of steps for every engine, so that rules which run away stop at the same step.

In:  the functions and segments of a Program.
Out: `Costs`: what is paid for a round of a loop, for entering a function, for running a segment.

A step may cost STEP_LIMIT units between two decisions; a unit is about SHARE statements. What can be known
beforehand is not counted while it is played: a piece of code costs what its longest way through costs, and
only where that multiplies (loops, and functions that are dear or call themselves) something is paid. So the
thousand short loops over a few things that a book is made of pay nothing, and five of them in one another
pay in the outer ones. Engines may look at the count late, but they count the same: a step that one engine
refuses, every engine refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rulewright.ir.copying import called_first
from rulewright.ir.loops import is_sweep, most_rounds, repeats
from rulewright.ir.nodes import INTRINSICS, Block, Call, Function, If, Stmt, While
from rulewright.ir.walk import calls, operands, parts

SHARE = 16
"""Statements of a unit."""
JUMP = 4
"""Units for going on to another segment, whatever it does."""
FREE = 256
"""Statements that a function or a walk over a known number of things may run without paying."""
SWEEP = 8
"""Statements that clearing memory counts for: the end of the memory stops it."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Units. What is not in these tables costs nothing where it stands: it is paid around it."""

    entry: dict[str, int] = field(default_factory=dict[str, int])
    """By function: paid when it is entered."""
    rounds: dict[int, int] = field(default_factory=dict[int, int])
    """By the identity of a While: paid for each round."""
    segments: tuple[int, ...] = ()
    """By number: paid when it is run."""


def costs(functions: Mapping[str, Function], segments: Iterable[Function]) -> Costs:
    """Find what is paid where."""
    counting = _Counting(functions, cycles(functions))
    made = {name: [c.name for c in calls(f.body) if c.name in functions] for name, f in functions.items()}
    for name in called_first(made):
        counting.function(name)
    paid = tuple(JUMP + _units(counting.block(segment.body)) for segment in segments)
    return Costs(counting.entry, counting.rounds, paid)


def _units(statements: int) -> int:
    return -(-statements // SHARE)


class _Counting:
    """Statements on the longest way through each function."""

    def __init__(self, functions: Mapping[str, Function], recursive: set[str]) -> None:
        self.functions = functions
        self.recursive = recursive
        self.entry: dict[str, int] = {}
        self.rounds: dict[int, int] = {}
        self._lengths: dict[str, int] = {}

    def function(self, name: str) -> int:
        """What a call counts for its caller."""
        found = self._lengths.get(name)
        if found is None:
            self._lengths[name] = 1  # what calls itself is paid for when it is entered
            length = self.block(self.functions[name].body) + 1
            if name in self.recursive or length > FREE:
                self.entry[name] = _units(length)
                length = 1
            found = self._lengths[name] = length
        return found

    def block(self, body: Block) -> int:
        """The longest way through a block."""
        length, before = 0, None
        for stmt in body:
            length += 1 + self._stmt(stmt, before)
            before = stmt
        return length

    def _stmt(self, stmt: Stmt, before: Stmt | None) -> int:
        length = 0
        for operand in operands(stmt):
            for part in parts(operand):
                if isinstance(part, Call):
                    length += 1 if part.name in INTRINSICS else 1 + self.function(part.name)
        if isinstance(stmt, If):
            return length + max(self.block(stmt.then), self.block(stmt.orelse))
        if isinstance(stmt, While):
            return self._loop(stmt, before, length + 1 + self.block(stmt.body))
        return length

    def _loop(self, loop: While, before: Stmt | None, round_: int) -> int:
        if not repeats(loop.body):
            return round_
        if is_sweep(loop):
            return SWEEP
        most = most_rounds(before, loop)
        if id(loop) not in self.rounds and most is not None and most * round_ <= FREE:
            return most * round_
        self.rounds[id(loop)] = _units(round_)
        return 1


def cycles(functions: Mapping[str, Function]) -> set[str]:
    """Functions that can call themselves, directly or through others (Tarjan's components)."""
    called = {
        name: [made.name for made in calls(function.body) if made.name not in INTRINSICS]
        for name, function in functions.items()
    }
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    open_: set[str] = set()
    found: set[str] = set()

    def enter(name: str) -> None:
        order[name] = low[name] = len(order)
        path.append(name)
        open_.add(name)

    def visit(root: str) -> None:
        work = [(root, iter(called[root]))]
        enter(root)
        while work:
            name, rest = work[-1]
            for target in rest:
                if target not in order:
                    enter(target)
                    work.append((target, iter(called[target])))
                    break
                if target in open_:
                    low[name] = min(low[name], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == order[name]:
                    start = path.index(name)
                    component = path[start:]
                    del path[start:]
                    open_.difference_update(component)
                    if len(component) > 1 or name in called[name]:
                        found.update(component)

    for name in called:
        if name not in order:
            visit(name)
    return found
