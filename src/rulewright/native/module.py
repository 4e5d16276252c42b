"""A whole Program to LLVM text.

In:  Program.
Out: `Source`: the text, its fingerprint and its shape.

Parameters, constants, start values, the bound and every table of names are data, not code: the text
depends on none of them but on how many there are, so a designer who tunes a number runs the code
that was compiled before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from rulewright.ir.nodes import INTRINSICS, Function, Return
from rulewright.ir.program import Program
from rulewright.ir.walk import calls, expressions
from rulewright.native import segments, statements
from rulewright.native.entries import answers, entries
from rulewright.native.frequency import frequencies
from rulewright.native.layout import Layout
from rulewright.native.liveness import live_parameters
from rulewright.native.routes import groups, routes
from rulewright.native.runtime import runtime
from rulewright.native.writer import METADATA, Writer

Shape = Literal["merged", "grouped"]
"""merged: all segments in one function, and every optimisation; LLVM takes about 0.3 s for 1000 nodes.
grouped: a function for each group of segments, and every optimisation only where it is hot."""

MERGED = 6000
"""Expression nodes up to which a Program is merged: two seconds at the upper end."""

HOT_SECONDS, COLD_SECONDS, TARGET = 0.2, 0.045, 4.0
"""LLVM's seconds for 1000 expression nodes of a grouped Program, with every optimisation and with few,
and the seconds it may take. What time allows is spent on the hottest functions, which then run half as
fast again as the rest."""

LEAST_HOT = 3000
"""Expression nodes that are always compiled with care."""

GROUP = 600
"""Expression nodes of the segments that share a function. More in one costs LLVM more for each; fewer
mean more functions, and each costs half a millisecond whatever is in it."""

INLINE = {"merged": 50, "grouped": 24}
"""Expression nodes up to which a function is copied into its callers."""

POLICY = "policy_"

EXPORTS = ("rw_advance", "rw_list", "rw_choose", "rw_policy", "rw_playout", "rw_batch", "rw_hash")


PART = 10_000
"""Expression nodes of a part. Parts are compiled at the same time on several cores."""


@dataclass(frozen=True, slots=True)
class Source:
    """LLVM text of a Program, in one or more parts."""

    parts: tuple[str, ...]
    shape: Shape
    hot: frozenset[str]
    """LLVM functions to be compiled with care."""

    @property
    def fingerprint(self) -> str:
        text = "\n".join((self.shape, *self.parts, *sorted(self.hot)))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Piece:
    """One LLVM function (or table) and how other parts declare it."""

    text: str
    declaration: str = ""
    size: int = 0
    name: str = ""
    often: float = 0.0


def translate(program: Program, shape: Shape | None = None, parts: int | None = None) -> Source:
    """The LLVM text of a Program, in the shape and number of parts that fit its size, or as given."""
    sizes = {name: _size(function) for name, function in program.functions.items()}
    whole = sum(sizes.values()) + sum(map(_size, program.segments))
    if shape is None:
        shape = "merged" if whole <= MERGED else "grouped"
    if shape == "merged":
        return _merged(program, sizes)
    if parts is None:
        parts = min(4, 1 + whole // PART)
    common = [runtime(inline=False), answers(inline=False), METADATA]
    pieces: list[_Piece] = []
    often, segments_often = frequencies(program)
    make = _maker(program, shape, sizes, linkage="internal " if parts == 1 else "")
    for function in make.functions():
        name, params = function.name, make.live[function.name]
        if make.is_small(name):
            writer = make.writer("internal ")
            common.append(statements.function(writer, function, "nounwind alwaysinline", False))
            continue
        text = statements.function(make.writer(), function, "nounwind", name in make.recursive)
        declaration = f"declare fastcc i64 @f.{name}(ptr{', i64' * len(params)})"
        pieces.append(_Piece(text, declaration, sizes[name], f"f.{name}", often[name]))
    pieces += _groups(program, make.writer, segments_often)
    pieces.append(_Piece(entries(policies(program), either=False)))
    hot = _hottest(pieces, whole)
    return Source(_dealt(pieces, common, parts, hot), shape, hot)


def _merged(program: Program, sizes: dict[str, int]) -> Source:
    """Two parts that hold all the code: one for when events are recorded and one for when not."""
    texts: list[str] = []
    for quiet in (True, False):
        make = _maker(program, "merged", sizes, linkage="internal ", quiet=quiet)
        parts = [runtime(inline=True), answers(inline=True), METADATA]
        for function in make.functions():
            small, again = make.is_small(function.name), function.name in make.recursive
            attributes = "nounwind alwaysinline" if small else "nounwind"
            parts.append(statements.function(make.writer(), function, attributes, again))
        run = make.writer("internal " if quiet else "")
        parts.append(segments.merged(run, program.segments, routes(program)))
        if quiet:
            parts.append(entries(policies(program), either=True))
        texts.append("\n".join(parts))
    return Source(tuple(texts), "merged", frozenset())


@dataclass(frozen=True, slots=True)
class _Maker:
    """What all functions of a Program need to know to be written."""

    program: Program
    layout: Layout
    recursive: set[str]
    needed: set[str]
    live: dict[str, frozenset[str]]
    small: set[str]
    simple: dict[str, Function]
    linkage: str
    quiet: bool

    def writer(self, linkage: str | None = None) -> Writer:
        linkage = self.linkage if linkage is None else linkage
        known = self.program.functions
        return Writer(self.layout, known, self.live, self.simple, linkage=linkage, quiet=self.quiet)

    def is_small(self, name: str) -> bool:
        """Copied into its callers, so no one needs to find it; policies are called from outside."""
        return name in self.small and not name.startswith(POLICY)

    def functions(self) -> Iterator[Function]:
        """Those that must be written: used, and not written out wherever they are called."""
        for name, function in self.program.functions.items():
            if name in self.needed and (name not in self.simple or name.startswith(POLICY)):
                yield function


def _maker(
    program: Program, shape: Shape, sizes: dict[str, int], linkage: str, quiet: bool = False
) -> _Maker:
    recursive = cycles(program.functions)
    small = {name for name, size in sizes.items() if size <= INLINE[shape] and name not in recursive}
    return _Maker(
        program=program,
        layout=Layout.of(program),
        recursive=recursive,
        needed=reached(program),
        live=live_parameters(program.functions),
        small=small,
        simple={name: program.functions[name] for name in small if is_simple(program.functions[name])},
        linkage=linkage,
        quiet=quiet,
    )


def _groups(program: Program, writer: Callable[[], Writer], often: list[float]) -> list[_Piece]:
    known = routes(program)
    sizes = [_size(segment) for segment in program.segments]
    shares = groups(known, sizes, GROUP)
    members: dict[int, list[int]] = {}
    for segment, own in shares.items():
        members.setdefault(own, []).append(segment)
    found: list[_Piece] = []
    for own, held in members.items():
        text = segments.group(writer(), program.segments, known, shares, own)
        declaration = f"declare tailcc void @group.{own}(ptr, i64, i64)"
        size, busiest = sum(sizes[key] for key in held), max(often[key] for key in held)
        found.append(_Piece(text, declaration, size, f"group.{own}", busiest))
    outside = f"@rw.table = external constant [{len(shares)} x ptr]"
    found.append(_Piece(segments.table(shares, writer().linkage), outside))
    found.append(_Piece(segments.start(writer(), len(sizes))))
    return found


def _hottest(pieces: list[_Piece], whole: int) -> frozenset[str]:
    """The hottest functions, as many as time allows."""
    chosen: set[str] = set()
    left = max(LEAST_HOT, (TARGET - whole / 1000 * COLD_SECONDS) / HOT_SECONDS * 1000)
    for piece in sorted(pieces, key=lambda piece: -piece.often):
        if piece.name and piece.size <= left:
            chosen.add(piece.name)
            left -= piece.size
    return frozenset(chosen)


def _dealt(pieces: list[_Piece], common: list[str], parts: int, hot: frozenset[str]) -> tuple[str, ...]:
    """Deal the pieces out. The first part gets what no other can call and what is hot, so that hot
    functions can be copied into each other; the rest is dealt evenly."""
    hands: list[list[_Piece]] = [[] for _ in range(parts)]
    weights = [0.0] * parts
    fixed = [piece for piece in pieces if not piece.declaration or piece.name in hot]
    for piece in fixed:
        hands[0].append(piece)
        weights[0] += piece.size * HOT_SECONDS / COLD_SECONDS
    for piece in pieces:
        if piece.declaration and piece.name not in hot:
            hand = weights.index(min(weights))
            hands[hand].append(piece)
            weights[hand] += piece.size
    texts: list[str] = []
    for number, hand in enumerate(hands):
        others = [piece.declaration for other, held in enumerate(hands) if other != number for piece in held]
        texts.append("\n".join((*common, *(piece.text for piece in hand), *filter(None, others))))
    return tuple(texts)


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
