"""Outcomes that everybody is told of and that are then hidden.

In:  Symbols with their bodies.
Out: a warning for each choice and each roll whose outcome is open, although it is kept in a hidden place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rulewright.book import tree as t
from rulewright.book.hidden import ends_hidden
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Definition
from rulewright.book.walk import is_node, parts
from rulewright.diagnostics import Diagnostic, Span, warning


def review_secrets(symbols: Symbols, problems: list[Diagnostic]) -> None:
    """Look through every block of every definition."""
    for definition, tree in _bodies(symbols):
        for block in _blocks(tree):
            for i, s in enumerate(block):
                found = ends_hidden(s, block[i + 1 :])
                if found is not None:
                    name = found.resource.name
                    words = f"everybody is told what comes out here, and then it is hidden in '{name}'"
                    help_ = f"say `secretly`, or let it go nowhere but into '{name}'"
                    problems.append(warning("open-secret", _place(definition, s), words, help_))


def _bodies(symbols: Symbols) -> Iterator[tuple[Definition, object]]:
    for component in symbols.components.values():
        yield component.definition, [component.body, [body for _, body, _ in component.steps]]
    for a in (*symbols.actions.values(), *symbols.face_actions.values()):
        yield a.definition, [a.lets, a.cost, a.do, a.orelse, a.then]
    for rules in symbols.rules:
        yield rules.definition, [hook.body for hook in rules.hooks]


def _blocks(tree: object) -> Iterator[t.Block_]:
    """Every list of statements in a tree; what is said to be secret is not looked at."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, t.Secretly):
            continue
        inner = parts(part)
        if isinstance(part, list) and inner and is_node(inner[0]):
            yield cast("t.Block_", part)
        waiting += reversed(inner)


def _place(d: Definition, s: t.Stmt_) -> Span:
    lines = [line for field in (*d.fields, *d.steps) for line in field.lines]
    line = next((x for x in lines if x.number == s.line), d.line)
    return Span(line.file, s.line or line.number, line.column + 1, max(1, len(line.text)))
