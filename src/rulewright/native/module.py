"""A whole Program to LLVM text.

In:  Program.
Out: `Source`: the text, its fingerprint and its shape.

Parameters, constants, start values, the bound and every table of names are data, not code: the text
depends on none of them but on how many there are, so a designer who tunes a number runs the code
that was compiled before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rulewright.ir.nodes import INTRINSICS, Function, Return
from rulewright.ir.program import Program
from rulewright.ir.walk import calls, expressions
from rulewright.native import segments, statements
from rulewright.native.entries import entries
from rulewright.native.layout import Layout
from rulewright.native.routes import routes
from rulewright.native.runtime import runtime
from rulewright.native.writer import METADATA, Writer

Shape = Literal["merged", "chained", "light"]
"""How much time LLVM is given. merged: one function, every optimisation, about 0.3 s for 1000 nodes of
segments. chained: a function a segment, chosen optimisations, 0.08 s. light: the same with the quick
instruction selector, 0.03 s, and code a tenth slower."""

MERGED, CHAINED = 6000, 30_000
"""Expression nodes up to which a Program gets each shape: one to three seconds at the upper end."""

INLINE = {"merged": 50, "chained": 24, "light": 24}
"""Expression nodes up to which a function is copied into its callers."""

POLICY = "policy_"

EXPORTS = ("rw_advance", "rw_list", "rw_choose", "rw_policy", "rw_playout", "rw_batch", "rw_hash")


@dataclass(frozen=True, slots=True)
class Source:
    """LLVM text of a Program."""

    text: str
    shape: Shape

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def translate(program: Program, shape: Shape | None = None) -> Source:
    """The LLVM text of a Program, in the shape that fits its size or the one that is given."""
    sizes = {name: _size(function) for name, function in program.functions.items()}
    if shape is None:
        whole = sum(sizes.values()) + sum(map(_size, program.segments))
        shape = "merged" if whole <= MERGED else "chained" if whole <= CHAINED else "light"
    layout = Layout.of(program)
    recursive = cycles(program.functions)
    needed = reached(program)
    simple = {
        name: function
        for name, function in program.functions.items()
        if is_simple(function) and sizes[name] <= INLINE[shape] and name not in recursive
    }
    parts = [runtime(inline=shape == "merged")]
    for name, function in program.functions.items():
        if name not in needed or (name in simple and not name.startswith(POLICY)):
            continue
        inline = sizes[name] <= INLINE[shape] and name not in recursive
        attributes = "nounwind alwaysinline" if inline else "nounwind"
        writer = Writer(layout, simple)
        parts.append(statements.function(writer, function, attributes, name in recursive))
    count = len(program.segments)
    known = routes(program)
    if shape == "merged":
        parts.append(segments.merged(Writer(layout, simple), program.segments, known))
    else:
        parts.append(segments.table(count))
        for here, segment in enumerate(program.segments):
            parts.append(segments.chained(Writer(layout, simple), here, segment, count, known))
        parts.append(segments.chain_start(Writer(layout, simple), count))
    parts.append(entries(policies(program), inline=shape == "merged"))
    parts.append(METADATA)
    return Source("\n".join(parts), shape)


def policies(program: Program) -> int:
    """How many policy functions a Program has: policy_0, policy_1, and so on without a gap."""
    count = 0
    while f"{POLICY}{count}" in program.functions:
        count += 1
    return count


def reached(program: Program) -> set[str]:
    """Functions that segments or policies call, directly or not."""
    found: set[str] = set()
    waiting = [*program.segments, *(program.functions[f"{POLICY}{k}"] for k in range(policies(program)))]
    found |= {function.name for function in waiting if function.name in program.functions}
    while waiting:
        for made in calls(waiting.pop().body):
            if made.name in program.functions and made.name not in found:
                found.add(made.name)
                waiting.append(program.functions[made.name])
    return found


def is_simple(function: Function) -> bool:
    """One `return` of something that reads each name only as a parameter."""
    return len(function.body) == 1 and isinstance(function.body[0], Return)


def _size(function: Function) -> int:
    return sum(1 for _ in expressions(function.body))


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
