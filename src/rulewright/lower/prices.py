"""What a book takes for what is done: numbers that become less in costs, or count what was spent.

In:  the statements of actions, components that they run included.
Out: the changes that take something of one's own, and the resources that each action takes so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from rulewright.book import tree as t
from rulewright.book.symbols import Symbols
from rulewright.book.walk import nodes

LESS, MORE = -1, 1
"""Which way a number goes when it is taken as a price."""

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


def counted(block: Any) -> Iterator[t.ReadRes]:
    """Numbers of whoever acts that count what was spent: they grow, or are a mark that is set."""
    for x in expanded([block]):
        if not isinstance(x, t.SetNumber) or x.until is not None or not isinstance(x.target, t.ReadRes):
            continue
        target = x.target
        is_set = x.op == "=" and isinstance(x.value, t.Num) and x.value.value == 1
        is_mark = (target.resource.low, target.resource.high) == (0, 1)
        if (x.op == "+=" or (is_set and is_mark)) and target.owners and target.owners[0] == SELF:
            yield target


def prices(action: t.ActionSym) -> dict[int, tuple[t.Resource, int]]:
    """Resources, by identity, that an action takes as its price, and which way each goes. What grows only
    counts as a price where the book names it as a cost: `then` brings things as well."""
    more = {id(at.resource): (at.resource, MORE) for at in counted(action.cost)}
    less = {id(at.resource): (at.resource, LESS) for _, at in taken([action.cost, action.then])}
    return more | less


def priced(symbols: Symbols) -> dict[int, int]:
    """Resources, by identity, that some action takes as its price, and which way each goes."""
    found: dict[int, int] = {}
    for action in symbols.actions.values():
        for key, (_, way) in prices(action).items():
            found[key] = min(way, found.get(key, way))
    return found


def price_table(symbols: Symbols) -> dict[str, tuple[str, ...]]:
    """The names of what each action takes, as far as people see these numbers."""
    rows = {a.name: [r.name for r, _ in prices(a).values() if r.shown] for a in symbols.actions.values()}
    return {name: tuple(sorted(set(row))) for name, row in rows.items() if row}


def amount_table(symbols: Symbols) -> dict[str, dict[str, int]]:
    """How much of it each action takes, by name, where the rules say that outright."""
    found: dict[str, dict[str, int]] = {}
    for action in symbols.actions.values():
        named = {r.name: _amounts(action).get(key, 0) for key, (r, _) in prices(action).items() if r.shown}
        row = {name: amount for name, amount in sorted(named.items()) if amount}
        if row:
            found[action.name] = row
    return found


def _amounts(action: t.ActionSym) -> dict[int, int]:
    """Resources, by identity, that an action takes once, in any case, by a number that stands there."""
    bill = [action.cost, action.then]
    certain = {id(x.target.resource): _stated(x.value) for x in _outright(bill)}
    times: dict[int, int] = {}
    for at in [*(at for _, at in taken(bill)), *counted(bill)]:
        times[id(at.resource)] = times.get(id(at.resource), 0) + 1
    return {key: amount for key, amount in certain.items() if times.get(key) == 1}


def _stated(value: Any) -> int:
    """The number that stands there; 0 where it is worked out."""
    number = value.value if isinstance(value, t.Final) else value
    return number.value if isinstance(number, t.Num) else 0


def _outright(block: Any, seen: tuple[int, ...] = ()) -> Iterator[t.SetNumber]:
    """The changes of numbers that statements make in any case, components that they run included."""
    if isinstance(block, list):
        for x in cast("list[Any]", block):
            yield from _outright(x, seen)
    elif isinstance(block, t.SetNumber) and isinstance(block.target, t.ReadRes):
        yield block
    elif isinstance(block, t.RunStmt) and block.each is None and id(block.run.component) not in seen:
        component = block.run.component
        yield from _outright(component.body, (*seen, id(component)))
