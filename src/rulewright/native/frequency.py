"""A guess at which code runs often, so that LLVM's time is spent there.

In:  a Program.
Out: for each function and segment, how often it runs in one decision, roughly.

Listings run at every decision, other segments at some; what stands in a loop runs ROUNDS times as
often as what does not. A function runs as often as all its calls together. The guess only decides how
well code is compiled, never what it does.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir.nodes import Block, Call, If, While
from rulewright.ir.program import Program
from rulewright.ir.walk import calls, operands, parts
from rulewright.native.loops import repeats

ROUNDS = 6.0
SELDOM = 0.2
MOST = 1e9
LISTING = "clear_options"


def frequencies(program: Program) -> tuple[dict[str, float], list[float]]:
    """How often each function and each segment runs."""
    found = dict.fromkeys(program.functions, 0.0)
    own: list[float] = []
    pending: dict[str, float] = dict(found)
    for segment in program.segments:
        weight = 1.0 if any(call.name == LISTING for call in calls(segment.body)) else SELDOM
        own.append(weight)
        for name, times in weighed(segment.body):
            if name in pending:
                pending[name] += weight * times
    bodies = {name: list(weighed(function.body)) for name, function in program.functions.items()}
    # Callers first, so that a function's own count is complete when it is handed on.
    for name in _callers_first(program, bodies):
        found[name] = min(pending[name], MOST)
        for called, times in bodies[name]:
            if called in pending:
                pending[called] += found[name] * times
    return found, own


def weighed(body: Block, times: float = 1.0) -> Iterator[tuple[str, float]]:
    """Every call in a block, with how often it runs when the block does."""
    for node in body:
        for operand in operands(node):
            inside = times * ROUNDS if isinstance(node, While) else times
            for part in parts(operand):
                if isinstance(part, Call):
                    yield part.name, inside
        match node:
            case If(_, then, orelse):
                yield from weighed(then, times / 2)
                yield from weighed(orelse, times / 2)
            case While(_, inner):
                yield from weighed(inner, times * ROUNDS if repeats(inner) else times)
            case _:
                pass


def _callers_first(program: Program, bodies: dict[str, list[tuple[str, float]]]) -> list[str]:
    order: list[str] = []
    seen: set[str] = set()
    for root in program.functions:
        work = [(root, False)]
        while work:
            name, done = work.pop()
            if done:
                order.append(name)
            elif name not in seen and name in bodies:
                seen.add(name)
                work.append((name, True))
                work += [(called, False) for called, _ in bodies[name]]
    return order[::-1]
