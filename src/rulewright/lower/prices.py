"""What a book takes for what is done: numbers that become less in costs.

In:  the statements of actions, components that they run included.
Out: the changes that take something of one's own, and the resources that are ever taken so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import Symbols
from rulewright.book.walk import nodes

SELF = t.TLocal("self", t.ACTOR)


def expanded(block: Any, seen: tuple[int, ...] = ()) -> Iterator[Any]:
    """Every node of some statements, components that they run included."""
    for x in nodes(block):
        yield x
        if isinstance(x, (t.Run, t.RunCheck)) and id(x.component) not in seen:
            yield from expanded([x.component.body], (*seen, id(x.component)))


def taken(block: Any) -> Iterator[tuple[t.SetNumber, t.ReadRes]]:
    """The changes, for good, after which whoever acts has less of something, each with what that is."""
    for x in expanded([block]):
        if not isinstance(x, t.SetNumber) or x.op != "-=" or x.until is not None:
            continue
        target = x.target
        if isinstance(target, t.ReadRes) and (not target.owners or target.owners[0] == SELF):
            yield x, target


def priced(symbols: Symbols) -> set[int]:
    """Resources, by identity, that some action takes as its price: to have less of them is no gain."""
    actions = symbols.actions.values()
    return {id(target.resource) for a in actions for _, target in taken([a.cost, a.then])}
