"""Trees and code as text for golden cases: names instead of numbers, nothing that moves when a line moves."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.text import source

SYMBOLS = (t.Resource, t.Component, t.ActionSym, t.Rules)
"""What a tree only refers to: printed by name."""
QUIET = ("line", "step_lines", "definition", "cites")
WIDE = 100


def tree(value: Any, depth: int = 0, label: str = "") -> str:
    """A tree: class names, fields that are not default, indented where a line would grow too long."""
    pad, short = "  " * depth + label, _flat(value)
    if len(pad) + len(short) <= WIDE or not _parts(value):
        return f"{pad}{short}\n"
    head = "" if isinstance(value, (list, tuple)) else type(value).__name__
    made = f"{pad}{head}".rstrip() + "\n" if pad.strip() or head else ""
    return made + "".join(tree(part, depth + 1, f"{name}: " if name else "") for name, part in _parts(value))


def _parts(value: Any) -> list[tuple[str, Any]]:
    match value:
        case list() | tuple():
            return [("", x) for x in value]
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, (type, *SYMBOLS)):
            return [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if _said(value, f)]
        case _:
            return []


def _said(value: Any, field: dataclasses.Field[Any]) -> bool:
    if field.name in QUIET:
        return False
    if field.default_factory is not dataclasses.MISSING:
        return getattr(value, field.name) != field.default_factory()
    return field.default is dataclasses.MISSING or getattr(value, field.name) != field.default


def _flat(value: Any) -> str:
    match value:
        case list() | tuple():
            return "[" + ", ".join(_flat(x) for x in value) + "]"
        case t.Resource() | t.Component() | t.ActionSym() | t.Rules():
            return f"<{value.name}>"
        case t.Param(name=name, type=kind):
            return f"{name} ({kind})"
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            inner = ", ".join(f"{name}={_flat(x)}" for name, x in _parts(value))
            return f"{type(value).__name__}({inner})"
        case _:
            return repr(value)


def code(functions: list[n.Function], slots: dict[int, str]) -> str:
    """Functions of the Program, their slots by name, their temporaries and closures counted from 1."""
    text = "".join(source(_named(f, slots), executable=False) for f in functions)
    text = re.sub(r"\s+# site \d+$", "", text, flags=re.M)
    counts: dict[str, int] = {}
    known: dict[str, str] = {}

    def fresh(found: re.Match[str]) -> str:
        word, prefix = found.group(0), found.group(1)
        if word not in known:
            counts[prefix] = counts.get(prefix, 0) + 1
            known[word] = f"{prefix}_{counts[prefix]}"
        return known[word]

    return re.sub(r"\b([A-Za-z_]+)_\d+\b", fresh, text)


def _named(value: Any, slots: dict[int, str]) -> Any:
    """The same code with the numbers of slots as locals that have their names."""
    match value:
        case n.Load(array="S", index=index):
            return n.Load("S", _slot(_named(index, slots), slots))
        case n.Store(array="S", index=index, value=stored, site=site):
            return n.Store("S", _slot(_named(index, slots), slots), _named(stored, slots), site)
        case n.Call(name="cell" | "cell_set", args=(first, *rest)):
            return n.Call(value.name, (_slot(first, slots), *(_named(x, slots) for x in rest)))
        case tuple():
            return tuple(_named(x, slots) for x in value)
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            made = {f.name: _named(getattr(value, f.name), slots) for f in dataclasses.fields(value)}
            return type(value)(**made)
        case _:
            return value


def _slot(index: n.Expr, slots: dict[int, str]) -> n.Expr:
    match index:
        case n.Const(value=value):
            return n.Local(_name(value, slots))
        case n.Binary(op="+", left=left, right=right):
            return n.Binary("+", _slot(left, slots), _slot(right, slots))
        case _:
            return index


def _name(slot: int, slots: dict[int, str]) -> str:
    if slot in slots:
        return slots[slot]
    below = max((x for x in slots if x < slot), default=None)
    return str(slot) if below is None or slot < 24 else f"{slots[below]} + {slot - below}"


def slot_names(layout: Any) -> dict[int, str]:
    """The names of all slots that the layout knows by name."""
    return dict(_slots(layout))


def _slots(layout: Any) -> Iterator[tuple[int, str]]:
    for part in ("result", "order_base", "zone_base", "option_slot", "base"):
        for key, slot in getattr(layout, part).items():
            yield slot, re.sub(r"\W", "_", str(key)).upper()
    for part in ("status_base", "feature_base", "window", "asked", "timed", "skip", "start", "map_now"):
        yield getattr(layout, part), part.upper()
