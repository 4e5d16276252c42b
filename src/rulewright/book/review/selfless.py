"""What is somebody's, where there is nobody: a match begins for all, and so does what it runs for nobody.

In:  Symbols with their bodies.
Out: more diagnostics: an actor's number or pile that is looked at or changed, and a choice that nobody makes,
     on the way down from Match before anybody acts; what only somebody can do, in an event of nobody.

`#Turn on it` says who acts from there on; `#Round` alone does not. Such a way is followed from the sequence
that a match begins with, through everything that it runs on nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import Symbols
from rulewright.book.walk import FIELDS, INSIDE, PLAIN, parts
from rulewright.diagnostics import Diagnostic, Span

SELF = "self"


def review_selfless(symbols: Symbols, problems: list[Diagnostic]) -> None:
    """Follow what Match runs on nobody, and look at the events that happen to nobody."""
    for rules in (rules for rules in symbols.rules if rules.nobody):
        _event(rules, problems)
    start = symbols.components.get("Match")
    if start is None:
        return
    waiting, seen = [start], {id(start)}
    while waiting:
        component = waiting.pop()
        told: dict[int, tuple[Span, str, str]] = {}
        d = component.definition
        for first, part in _parts(component):
            for at_, node in _outside(part):
                if isinstance(node, t.Run) and _is_self(node.self_) and id(node.component) not in seen:
                    seen.add(id(node.component))
                    waiting.append(node.component)
                found = _whose(node, symbols)
                if found is not None:
                    at = _place(at_, d.spot(first) if first else d.line.span)
                    told.setdefault(at.line, (at, *found))
        for _, (at, words, help_) in sorted(told.items()):
            where = f"{words}: nobody acts yet in '{component.name}'"
            problems.append(Diagnostic("wrong-kind", at, where, help_))


def _event(rules: t.Rules, problems: list[Diagnostic]) -> None:
    """An effect that is about whoever does it needs somebody."""
    begun = rules.definition.spot(rules.line)
    for at_, node in _outside([hook.body for hook in rules.hooks]):
        if isinstance(node, t.Run) and node.self_ is None and _needs_somebody(node.component, set()):
            message = (
                f"'{node.component.name}' needs somebody who does it, and '{rules.name}' happens to nobody"
            )
            at = _place(at_, begun)
            problems.append(Diagnostic("wrong-kind", at, message, "say whose turn or action sets it off"))


def _needs_somebody(component: t.Component, seen: set[int]) -> bool:
    """Whether it, or what it runs for itself, speaks of self."""
    seen.add(id(component))
    for _, part in _parts(component):
        for _, node in _outside(part):
            if isinstance(node, t.TLocal) and node.name == SELF:
                return True
            runs = isinstance(node, t.Run) and node.self_ is None and id(node.component) not in seen
            if isinstance(node, t.Run) and runs and _needs_somebody(node.component, seen):
                return True
    return False


def _parts(component: t.Component) -> Iterator[tuple[int, object]]:
    """What it does, each part with its line where that is known."""
    for number, (_, block, _) in enumerate(component.steps):
        yield (component.step_lines[number] if number < len(component.step_lines) else 0), block
    yield 0, [component.body, component.check, component.value]


Within = tuple[Any, "Within"] | None
"""A node and what it is part of, outwards."""


def _outside(part: object) -> Iterator[tuple[Within, object]]:
    """Every node with what it is part of, but those that are about somebody: `as X`, and each of those who
    choose together, is self."""
    waiting: list[tuple[Within, object]] = [(None, part)]
    while waiting:
        around, node = waiting.pop()
        kind = type(node)
        if kind is t.Together or kind is t.AsSelf:
            continue
        if kind in FIELDS:
            around = node, around
            if kind in ASKED:
                yield around, node
            inside = INSIDE[kind](node)[:-1] if kind in INSIDE else ()
        else:
            inside = parts(node)
        waiting += [(around, x) for x in inside if type(x) not in PLAIN]


def _place(within: Within, first: Span) -> Span:
    """Where a node is written, or else what it is part of."""
    while within is not None:
        node, within = within
        span = node.span if isinstance(node, t.Node) else None
        if span is not None:
            return span
    return first


def _is_self(thing: object) -> bool:
    return thing is None or (isinstance(thing, t.TLocal) and thing.name == SELF)


ASKED = frozenset({
    t.Run, t.TLocal, t.ReadRes, t.THold, t.MoveCard, t.CreateCard, t.ShuffleZone, t.BuildDeck,
    t.Choose, t.Act,
})  # fmt: skip
"""The nodes that are looked at."""


def _whose(node: object, symbols: Symbols) -> tuple[str, str] | None:
    """What belongs to whoever acts, and how to say whose it is."""
    match node:
        case t.ReadRes(owners=owners, resource=resource) | t.THold(owners=owners, resource=resource):
            name = resource.name
            if any(isinstance(owner, t.TLocal) and owner.name == SELF for owner in owners):
                each = f"for each actor: [{name} of it] += 1"
                return (
                    f"say whose [{name}] it is",
                    f"write `[{name} of X]`, as in `{each}`, or run it `on` somebody",
                )
        case t.MoveCard() | t.CreateCard() | t.ShuffleZone() | t.BuildDeck():
            if isinstance(node.owner, t.TLocal) and node.owner.name == SELF:
                name = symbols.zones[node.zone].name
                return f"say whose '{name}' it is", f"write `{name} of X`, or run it `on` somebody"
        case t.Choose(by=None | t.TLocal(name="self")) | t.Act(by=None):
            word = "chooses" if isinstance(node, t.Choose) else "acts"
            return f"say who {word}", "run it `on` somebody" + (
                ", or write `X chooses ..`" if word == "chooses" else ""
            )
        case _:
            pass
    return None
