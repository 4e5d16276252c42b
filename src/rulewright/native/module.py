"""A whole Program to LLVM text.

In:  Program.
Out: `Source`: the text in parts, written one by one.

Parameters, constants, start values, the bound and every table of names are data, not code: the text
depends on none of them but on how many there are, so a designer who tunes a number runs the code
that was compiled before.

A small Program is `merged`: all segments in one function, and every optimisation. LLVM takes about
0.3 s for 1000 nodes of that, copies counted, so a larger Program is `tiered`. All of its code stands once in
parts that are compiled in haste, in which everything is called through tables; and what turns out to be hot
(see `traffic`) stands a second time in the main part, compiled with care, and is what the tables point to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, TypeAlias

from rulewright.ir.budget import Costs, costs, cycles
from rulewright.ir.copying import copied, grown
from rulewright.ir.liveness import live_parameters
from rulewright.ir.nodes import Function, If, Pick, Return, While
from rulewright.ir.program import Program
from rulewright.ir.walk import calls, expressions
from rulewright.ir.walk import statements as statements_of
from rulewright.native import segments, statements
from rulewright.native.entries import answers, entries
from rulewright.native.layout import Layout
from rulewright.native.routes import Routes, groups, routes
from rulewright.native.runtime import SHARED, runtime, shared
from rulewright.native.writer import METADATA, Weight, Writer

Shape = Literal["merged", "tiered"]

MERGED = 5000
"""Expression nodes up to which a Program is merged, everything counted that is copied into its callers: a
second and a half at the upper end. Nodes as they are written say little: of two books with as many of them
one took ten times as long."""

GROUP = 600
"""Expression nodes of the segments that share a function. More in one costs LLVM more for each; fewer
mean more functions, and each costs half a millisecond whatever is in it."""

INLINE = {"merged": 50, "tiered": 24}
"""Expression nodes up to which a function is copied into its callers."""

PART = 15_000
"""Expression nodes of a part. Parts are compiled at the same time on several cores."""

EXPORTS = ("rw_advance", "rw_list", "rw_choose", "rw_step", "rw_policy", "rw_playout", "rw_batch", "rw_hash")

Weights: TypeAlias = Mapping[int, Weight]
"""How the tests of a Program went, by the identity of their nodes."""
Sizes: TypeAlias = dict[str | int, int]
"""Expression nodes of each function, by its name, and of each segment, by its number."""


@dataclass(frozen=True, slots=True)
class Code:
    """Some of a Program's code: functions, and segments by number."""

    functions: frozenset[str] = frozenset()
    segments: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Traffic:
    """What is worth every care, and what is worth some."""

    hot: Code = Code()
    warm: Code = Code()


@dataclass(frozen=True, slots=True)
class Source:
    """LLVM text of a Program, in one or more parts; of a tiered one, all parts but the main one. A part is
    written when it is asked for, so LLVM compiles the first while the others are still being written."""

    parts: Callable[[], Iterator[str]]
    tiers: Tiers | None = None


def translate(
    program: Program,
    shape: Shape | None = None,
    parts: int | None = None,
    inline: int | None = None,
    largest: int = MERGED,
) -> Source:
    """The LLVM text of a Program, in the shape and number of parts that fit its size, or as given. `inline`:
    nodes up to which a function is copied, if not as many as usual. `largest`: up to which it is merged."""
    sizes = _sizes(program)
    whole = sum(sizes.values())
    if shape is None:
        shape = "merged" if whole <= 2 * largest and _grown(program, sizes) <= largest else "tiered"
    if shape == "merged":
        return Source(partial(_merged, program, sizes))
    tiers = Tiers(_maker(program, shape, sizes, inline=inline), routes(program), sizes)
    return Source(partial(tiers.cold, parts or 2 + whole // PART), tiers)


def _sizes(program: Program) -> Sizes:
    sizes: Sizes = {name: size_of(function) for name, function in program.functions.items()}
    return sizes | {key: size_of(segment) for key, segment in enumerate(program.segments)}


def _grown(program: Program, sizes: Sizes) -> int:
    """Expression nodes of a merged Program when LLVM has copied what it is told to."""
    make = _maker(program, "merged", sizes)
    own = {name: sizes[name] for name in program.functions}
    whole = grown(program.functions, own, make.small)
    functions = sum(whole[name] for name in make.needed if not make.is_small(name))
    return functions + sum(
        sizes[key] + sum(whole[made.name] for made in calls(segment.body) if made.name in make.small)
        for key, segment in enumerate(program.segments)
    )


def _merged(program: Program, sizes: Sizes) -> Iterator[str]:
    """Two parts that hold all the code: one for when events are recorded and one for when not."""
    for quiet in (True, False):
        make = _maker(program, "merged", sizes, quiet=quiet)
        parts = [runtime(inline=True), answers(inline=True), METADATA]
        for function in make.functions():
            inline = make.is_small(function.name)
            parts.append(make.function(make.writer(), function, "internal fastcc i64 @f.", inline))
        parts.append(segments.merged(make.writer(), program.segments, routes(program)))
        if quiet:
            parts.append(entries(make.layout, [f"@f.{name}" for name in program.asked], either=True))
        yield "\n".join(parts)


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
    costs: Costs
    quiet: bool
    branches: Mapping[int, int] = field(default_factory=dict[int, int])
    weights: Weights = field(default_factory=dict[int, Weight])

    def writer(self, tiers: Mapping[str, str] | None = None) -> Writer:
        return Writer(
            self.layout,
            self.program.functions,
            self.live,
            self.simple,
            self.costs,
            tiers=tiers or {},
            quiet=self.quiet,
            weights=self.weights,
        )

    def function(self, writer: Writer, function: Function, head: str, inline: bool = False) -> str:
        attributes = "nounwind alwaysinline" if inline else "nounwind"
        return statements.function(writer, function, head, attributes, function.name in self.recursive)

    def is_small(self, name: str) -> bool:
        """Copied into its callers, so no one needs to find it; policies are called from outside."""
        return name in self.small and name not in self.program.asked

    def functions(self) -> Iterator[Function]:
        """Those that must be written: used, and not written out wherever they are called."""
        for name, function in self.program.functions.items():
            if name in self.needed and (name not in self.simple or name in self.program.asked):
                yield function


def _maker(
    program: Program, shape: Shape, sizes: Sizes, quiet: bool = False, inline: int | None = None
) -> _Maker:
    recursive = cycles(program.functions)
    paid = costs(program.functions, program.segments)
    small = copied(
        program.functions,
        {name: sizes[name] for name in program.functions},
        recursive,
        inline or INLINE[shape],
    )
    return _Maker(
        program=program,
        layout=Layout.of(program),
        recursive=recursive,
        needed=reached(program),
        live=live_parameters(program.functions),
        small=small,
        simple={
            name: program.functions[name]
            for name in small
            if is_simple(program.functions[name]) and name not in paid.entry
        },
        costs=paid,
        quiet=quiet,
    )


class Tiers:
    """The parts of a tiered Program."""

    def __init__(self, make: _Maker, known: Routes, sizes: Sizes) -> None:
        self._make = make
        self._known = known
        self.sizes = sizes
        self.functions = {f.name: f for f in make.functions() if not make.is_small(f.name)}
        """Functions that are called, not copied: any of them may be hot."""
        self.counters = {name: k for k, name in enumerate(make.program.functions)}
        """The counter of each function; those of the segments follow."""
        self._numbers = {name: k for k, name in enumerate(self.functions)}
        self._cold = dict.fromkeys(make.needed, "c")
        self._groups = self._grouped(range(len(make.program.segments)))

    def counting(self) -> Tiers:
        """The same, counting how every test goes."""
        program = self._make.program
        code = [*program.functions.values(), *program.segments]
        tests = dict.fromkeys(id(node) for function in code for node in tests_of(function))
        layout = replace(self._make.layout, branches=len(tests))
        numbers = {node: k for k, node in enumerate(tests)}
        return Tiers(replace(self._make, layout=layout, branches=numbers), self._known, self.sizes)

    def weighed(self, counting: Tiers, counts: Sequence[int]) -> Tiers:
        """The same, with what was counted by such code."""
        found = {
            node: (counts[2 * k], counts[2 * k + 1] - counts[2 * k])
            for node, k in counting._make.branches.items()
            if counts[2 * k + 1]
        }
        return Tiers(replace(self._make, weights=found), self._known, self.sizes)

    @property
    def weights(self) -> Weights:
        """How its tests went, as far as that is known."""
        return self._make.weights

    @property
    def layout(self) -> Layout:
        """What the arenas of this code look like."""
        return self._make.layout

    def _grouped(self, keys: Iterable[int]) -> list[list[int]]:
        """Segments in groups that share a function."""
        return groups(self._known, {key: self.sizes[key] for key in keys}, GROUP)

    def _small(self, tiers: Mapping[str, str]) -> Iterator[str]:
        for function in self._make.functions():
            if self._make.is_small(function.name):
                writer = self._make.writer(tiers)
                yield self._make.function(writer, function, "internal fastcc i64 @f.", inline=True)

    def cold(self, parts: int) -> Iterator[str]:
        """All the code, dealt into so many parts. It calls everything that may have a better version through
        the tables, and counts how often it runs; small functions stand in one part and are called there."""
        program, needed = self._make.program, self._make.needed
        pieces: list[tuple[int, str | int]] = [
            (self.sizes[name], name) for name in program.functions if name in needed
        ]
        pieces += [(sum(self.sizes[key] for key in group), k) for k, group in enumerate(self._groups)]
        hands: list[list[str | int]] = [[] for _ in range(parts)]
        weights = [0] * parts
        for size, piece in pieces:
            hand = weights.index(min(weights))
            hands[hand].append(piece)
            weights[hand] += size
        small = [name for name in program.functions if name in needed and name not in self.functions]
        for hand in hands:
            here = set(hand)
            outside = [
                f"@rw.functions = external constant [{len(self.functions)} x ptr]",
                f"@rw.table = external constant [{len(program.segments)} x ptr]",
                *(self._declared(f"c.{name}", name) for name in small if name not in here),
            ]
            yield "\n".join((SHARED, METADATA, *outside, *map(self._hasty, hand)))

    def _hasty(self, piece: str | int) -> str:
        """A function by its name, or a group of segments by its number, to be compiled in haste."""
        make, program = self._make, self._make.program
        if isinstance(piece, str):
            counter = self.counters[piece] if piece in self.functions else None
            return make.function(self._writer(counter), program.functions[piece], "fastcc i64 @c.")
        return segments.group(
            self._writer(),
            program.segments,
            self._known,
            self._groups[piece],
            places={},
            own=f"@cold.{piece}",
            first_counter=len(program.functions),
        )

    def _writer(self, counter: int | None = None) -> Writer:
        """For code that is compiled in haste, and so is kept short: nothing is copied into it."""
        make = self._make
        return Writer(
            make.layout,
            make.program.functions,
            make.live,
            simple={},
            costs=make.costs,
            cold=self._numbers,
            tiers=self._cold,
            counter=counter,
            branches=make.branches,
        )

    def _declared(self, symbol: str, name: str) -> str:
        return f"declare fastcc i64 @{symbol}(ptr{', i64' * len(self._make.live[name])})"

    def better(self, traffic: Traffic) -> Iterator[str]:
        """The main part, with the entry points, the tables and what is hot; and one with what is warm."""
        program = self._make.program
        tiers = dict.fromkeys(self.functions, "c")
        places = {key: f"@cold.{number}" for number, members in enumerate(self._groups) for key in members}
        chosen: dict[str, list[list[int]]] = {}
        for letter, code in (("w", traffic.warm), ("f", traffic.hot)):
            tiers |= dict.fromkeys(code.functions, letter)
            chosen[letter] = self._grouped(sorted(code.segments))
            for number, members in enumerate(chosen[letter]):
                places |= dict.fromkeys(members, f"@{letter}.group.{number}")
        main = [shared(runtime(inline=False)), answers(inline=False), METADATA, *self._small(tiers)]
        main += self._versions("f", tiers, places, chosen["f"])
        main += self._elsewhere("f", tiers, places)
        main.append(_table("rw.functions", [f"@{letter}.{name}" for name, letter in tiers.items()]))
        main.append(_table("rw.table", [places[key] for key in range(len(program.segments))]))
        main.append(segments.start(self._make.writer(tiers), len(program.segments)))
        policies = [f"@{tiers[name]}.{name}" for name in program.asked]
        main.append(entries(self._make.layout, policies, either=False))
        yield "\n".join(main)
        warm = [SHARED, METADATA, *self._small(tiers)]
        warm += self._versions("w", tiers, places, chosen["w"])
        warm += self._elsewhere("w", tiers, places)
        warm.append(f"@rw.table = external constant [{len(program.segments)} x ptr]")
        yield "\n".join(warm)

    def _versions(
        self, letter: str, tiers: Mapping[str, str], places: Mapping[int, str], chosen: list[list[int]]
    ) -> Iterator[str]:
        """The code of one tier."""
        make = self._make
        for name, function in self.functions.items():
            if tiers[name] == letter:
                yield make.function(make.writer(tiers), function, f"fastcc i64 @{letter}.")
        for number, members in enumerate(chosen):
            own = f"@{letter}.group.{number}"
            writer = make.writer(tiers)
            yield segments.group(writer, make.program.segments, self._known, members, places, own)

    def _elsewhere(self, letter: str, tiers: Mapping[str, str], places: Mapping[int, str]) -> Iterator[str]:
        """Declarations of the best version of everything that another part holds."""
        for name, other in tiers.items():
            if other != letter:
                yield self._declared(f"{other}.{name}", name)
        for place in sorted(set(places.values())):
            if not place.startswith(f"@{letter}."):
                yield f"declare tailcc void {place}(ptr, i64, i64)"


def _table(name: str, entries: Sequence[str]) -> str:
    return f"@{name} = constant [{len(entries)} x ptr] [{', '.join(f'ptr {entry}' for entry in entries)}]\n"


def reached(program: Program) -> set[str]:
    """Functions that segments or policies call, directly or not."""
    found: set[str] = set()
    waiting = [*program.segments, *(program.functions[name] for name in program.asked)]
    found |= {function.name for function in waiting if function.name in program.functions}
    while waiting:
        for made in calls(waiting.pop().body):
            if made.name in program.functions and made.name not in found:
                found.add(made.name)
                waiting.append(program.functions[made.name])
    return found


def tests_of(function: Function) -> list[If | While | Pick]:
    """Everything in a function that goes one way or the other."""
    found: list[If | While | Pick] = [
        node for node in statements_of(function.body) if isinstance(node, If | While)
    ]
    return found + [node for node in expressions(function.body) if isinstance(node, Pick)]


def is_simple(function: Function) -> bool:
    """One `return` of something that reads each name only as a parameter."""
    return len(function.body) == 1 and isinstance(function.body[0], Return)


def size_of(function: Function) -> int:
    """Expression nodes: what LLVM's time goes by."""
    return len(expressions(function.body))
