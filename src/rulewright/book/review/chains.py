"""Definitions that use each other in a chain which nobody could follow.

In:  Symbols, and the Forest of their bodies.
Out: one diagnostic where the chain begins. Every later pass walks along such chains, so this one comes first.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book import tree as t
from rulewright.book.forest import Forest
from rulewright.book.symbols import Symbols
from rulewright.diagnostics import Diagnostic

LONGEST = 100
"""Definitions in a chain. The longest of a shipped book has 38; passes that call themselves along a chain
have room for half as many again."""


def review_chains(symbols: Symbols, forest: Forest, problems: list[Diagnostic]) -> bool:
    """Whether all chains can be followed."""
    depth: dict[int, int] = {}
    for start in symbols.components.values():
        if id(start) not in depth:
            _measure(start, depth, forest)
    for component in symbols.components.values():
        if depth[id(component)] > LONGEST:
            words = f"'{component.name}' stands at the head of a chain of more than {LONGEST} definitions"
            help_ = "let some of them do more by themselves"
            problems.append(Diagnostic("too-large", component.definition.line.span, words, help_))
            return False
    return True


def _measure(start: t.Component, depth: dict[int, int], forest: Forest) -> None:
    """How many definitions are in the longest chain from each; what leads back to itself ends there."""
    depth[id(start)] = 1
    trail = [(start, _uses(start, forest))]
    while trail:
        component, left = trail[-1]
        other = next(left, None)
        if other is None:
            trail.pop()
            if trail:
                above = id(trail[-1][0])
                depth[above] = max(depth[above], 1 + depth[id(component)])
        elif id(other) not in depth:
            depth[id(other)] = 1
            trail.append((other, _uses(other, forest)))
        else:
            depth[id(component)] = max(depth[id(component)], 1 + depth[id(other)])


def _uses(c: t.Component, forest: Forest) -> Iterator[t.Component]:
    return iter(forest.uses.get(id(c), ()))
