"""The kernel library: code every book needs, written once in the Python subset for both engines.

In:  this package's kernel modules, as text.
Out: `kernels()`, by name, and `linked`, which adds the ones that a Program uses.

Kernels are grouped by what they work on; a new group is a new module in MODULES.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from types import ModuleType

from rulewright.ir import (
    kernels_audience,
    kernels_cards,
    kernels_machine,
    kernels_numbers,
    kernels_orders,
    kernels_space,
    kernels_timed,
    kernels_together,
    kernels_zones,
    reader,
)
from rulewright.ir.nodes import Function
from rulewright.ir.walk import calls

MODULES: tuple[ModuleType, ...] = (
    kernels_machine,
    kernels_numbers,
    kernels_zones,
    kernels_cards,
    kernels_orders,
    kernels_space,
    kernels_timed,
    kernels_audience,
    kernels_together,
)


@cache
def kernels() -> dict[str, Function]:
    """Every kernel by name. Shared: do not change it."""
    found: dict[str, Function] = {}
    for module in MODULES:
        constants = {name: value for name, value in vars(module).items() if type(value) is int}
        for function, _ in reader.functions(inspect.getsource(module), constants):
            if function.name in found:
                raise ValueError(f"two kernels are called '{function.name}'")
            found[function.name] = function
    return found


def linked(functions: Mapping[str, Function], segments: Iterable[Function]) -> dict[str, Function]:
    """The functions, and after them, in library order, the kernels that these and the segments use."""
    library = kernels()
    twice = functions.keys() & library.keys()
    if twice:
        raise ValueError(f"'{min(twice)}' is the name of a kernel")
    needed: set[str] = set()
    waiting = [*functions.values(), *segments]
    while waiting:
        for call in calls(waiting.pop().body):
            if call.name in library and call.name not in needed:
                needed.add(call.name)
                waiting.append(library[call.name])
    return {**functions, **{name: kernel for name, kernel in library.items() if name in needed}}
