"""Questions every pass asks of a tree: which nodes it has, which locals it speaks of.

In:  a node, or lists of nodes.
Out: the nodes in it, in the order they are written.

Components, resources and actions are what a tree refers to by name. They are found but not entered:
what they hold is written elsewhere in the book, and a component may even run itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from operator import attrgetter
from typing import Any, TypeVar, cast

from rulewright.book import tree as t

NAMED = (t.Component, t.Resource, t.ActionSym)

LEAVES = ("str", "int", "bool", "int | None", "str | None", "list[int]", "list[str]", "tuple[str, ...]")
"""Types of fields that hold no part of a tree."""


def _entered(kind: type) -> tuple[str, ...]:
    if kind in NAMED or not is_dataclass(kind):
        return ()
    return tuple(f.name for f in fields(kind) if f.type not in LEAVES)


FIELDS: dict[type, tuple[str, ...]] = {
    kind: _entered(kind)
    for kind in vars(t).values()
    if isinstance(kind, type) and kind.__module__.startswith(t.__name__)
}
"""The fields of each kind of node that are entered."""


def parts(e: object) -> Sequence[object]:
    """The items of a list, the fields of a node; nothing for all else."""
    if isinstance(e, (list, tuple)):
        return cast("Sequence[object]", e)
    return [getattr(e, field) for field in FIELDS.get(type(e), ())]


def is_node(e: object) -> bool:
    """Is it part of a tree, and not the name, number or list of one?"""
    return type(e) in FIELDS


PLAIN = (str, int, bool, type(None))
INSIDE = {kind: attrgetter(*fields, "__class__") for kind, fields in FIELDS.items() if fields}
"""All of a node's fields at once. (A second name, so that a single field comes as a tuple, too.)"""


def nodes(e: object) -> Iterator[object]:
    """Every node of a tree, and what it refers to by name; a plain loop, for it sees whole books."""
    waiting = [e]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind in FIELDS:
            yield part
            inside = INSIDE[kind](part)[-2::-1] if kind in INSIDE else ()
        elif kind is list or isinstance(part, (list, tuple)):
            inside = cast("Sequence[object]", part)[::-1]
        else:
            continue
        waiting += [x for x in inside if type(x) not in PLAIN]


T = TypeVar("T", bound=Hashable)


def circle(start: T, following: Callable[[T], Iterable[T]]) -> list[T] | None:
    """A way from something back to itself, if one leads there."""
    seen: set[T] = set()

    def onward(now: T, trail: list[T]) -> list[T] | None:
        for one in following(now):
            if one == start:
                return trail
            if one not in seen:
                seen.add(one)
                found = onward(one, [*trail, one])
                if found is not None:
                    return found
        return None

    return onward(start, [start])


def mentions(e: object, name: str) -> bool:
    """Does the tree itself speak of this local?"""
    return any(isinstance(x, t.TLocal) and x.name == name for x in nodes(e))


def needs(e: object, name: str) -> bool:
    """Does it need this local? What it runs by name counts when it takes the local over."""
    if isinstance(e, t.TLocal):
        return e.name == name
    if isinstance(e, (t.Run, t.RunCheck)) and (e.self_ is None if name == "self" else e.component.implicit):
        inner = e.component
        if name == "self" or any(p.name == name for p in inner.params[len(e.args) :]):
            return True
    return any(needs(part, name) for part in parts(e))


def retyped(e: Any, it: t.TLocal) -> Any:
    """The same tree, with this local where a local of its name stood."""
    return replaced(e, lambda node: it if isinstance(node, t.TLocal) and node.name == it.name else None)


def replaced(e: Any, other: Callable[[object], object | None]) -> Any:
    """The same tree, with other nodes for those that have one."""
    found = other(e) if is_node(e) else None
    if found is not None:
        return found
    if isinstance(e, list):
        return [replaced(part, other) for part in cast("list[object]", e)]
    if not is_node(e) or isinstance(e, NAMED):
        return e
    old = {name: getattr(e, name) for name in FIELDS[type(e)]}
    new = {name: replaced(part, other) for name, part in old.items()}
    same = all(old[name] is part or old[name] == part for name, part in new.items())
    return e if same else replace(e, **new)
