"""Which parameters matter.

In:  a Program's functions.
Out: for each function, its parameters that are read for more than being handed on to be ignored.

Lowering hands everything a rule might refer to down through the functions that list and check it, a
dozen values at a time, of which most rules read two. A parameter that no one reads is not passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.ir.nodes import Call, Expr, Function, Local
from rulewright.ir.walk import operands, parts, statements


def live_parameters(functions: Mapping[str, Function]) -> dict[str, frozenset[str]]:
    """The parameters of each function whose values are used."""
    found: dict[str, set[str]] = {name: set() for name in functions}
    handed: dict[tuple[str, str], list[tuple[str, str]]] = {}
    waiting: list[tuple[str, str]] = []

    def use(function: str, parameter: str) -> None:
        if parameter not in found[function]:
            found[function].add(parameter)
            waiting.append((function, parameter))

    for name, function in functions.items():
        params = set(function.params)
        for node in statements(function.body):
            for operand in operands(node):
                for local, target in _reads(operand, functions):
                    if local not in params:
                        continue
                    if target is None:
                        use(name, local)
                    else:
                        handed.setdefault(target, []).append((name, local))
    while waiting:
        for function, parameter in handed.get(waiting.pop(), ()):
            use(function, parameter)
    return {name: frozenset(used) for name, used in found.items()}


def _reads(node: Expr, functions: Mapping[str, Function]) -> Iterator[tuple[str, tuple[str, str] | None]]:
    """Every local read, and the parameter it is handed to if that is all that happens to it."""
    passed: set[int] = set()
    for part in parts(node):
        if isinstance(part, Call) and part.name in functions:
            for parameter, value in zip(functions[part.name].params, part.args, strict=True):
                if isinstance(value, Local):
                    passed.add(id(value))
                    yield value.name, (part.name, parameter)
        elif isinstance(part, Local) and id(part) not in passed:
            yield part.name, None
