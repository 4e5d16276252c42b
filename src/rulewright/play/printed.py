"""A Program as Python code: printed, compiled, kept.

In:  a Program.
Out: a factory for the functions of one engine, and the text they were compiled from.

The text is one module with a factory `build`; each engine calls it with its own arrays, so engines share
code but never state. Compiling a large book takes Python a second in which no other thread can run, so what
was compiled is kept on disk: a server has that done by another process and only loads it.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable
from importlib.util import MAGIC_NUMBER
from types import CodeType
from typing import Any, cast

from rulewright.ir import cache
from rulewright.ir.budget import costs
from rulewright.ir.nodes import INTRINSICS
from rulewright.ir.program import Program
from rulewright.ir.text import GUARDS, source

KIND = "python"
"""Our entries in the cache."""
ARGUMENTS = ("S", "P", "K", "W", *INTRINSICS, *GUARDS)
FILE = "<program {}>"

Built = tuple[tuple[Callable[[], int], ...], dict[str, Callable[..., int]], tuple[int, ...]]
"""Segments, functions, and what each segment costs."""
_factories: dict[str, tuple[Callable[..., Built], list[str]]] = {}


def factory(program: Program) -> tuple[Callable[..., Built], list[str]]:
    """The factory, made once in each process, and its lines."""
    found = _factories.get(program.digest) if program.digest else None
    if found is None:
        text = module_text(program)
        space: dict[str, Any] = {}
        exec(_code(text, FILE.format(program.name)), space)
        found = (cast("Callable[..., Built]", space["build"]), text.splitlines())
        if program.digest:
            _factories[program.digest] = found
    return found


def forget() -> None:
    """Begin as a new process would: the next factory comes from the cache on disk or the compiler."""
    _factories.clear()


def module_text(program: Program) -> str:
    """The Python module of a Program: one factory that binds arrays and intrinsics."""
    paid = costs(program.functions, program.segments)
    code = [source(function, costs=paid) for function in (*program.functions.values(), *program.segments)]
    lines = [f"    {line}" if line else line for text in code for line in text.splitlines()]
    segments = "".join(f"{segment.name}, " for segment in program.segments)
    functions = ", ".join(f"'{name}': {name}" for name in program.functions)
    prices = "".join(f"{price}, " for price in paid.segments)
    given = f"    return ({segments}), {{{functions}}}, ({prices})"
    return "\n".join([f"def build({', '.join(ARGUMENTS)}):", *lines, given, ""])


def _code(text: str, file: str) -> CodeType:
    key = hashlib.sha256(MAGIC_NUMBER + f"{file}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
    kept = cache.fetch(KIND, key)
    if kept is not None:
        return marshal.loads(kept)  # whole and of this very Python: both are checked by its entry and its key
    made = compile(text, file, "exec")
    cache.keep(KIND, key, marshal.dumps(made))
    return made
