"""Every tree of a book, walked once: what reviews ask is which nodes of a kind stand where.

In:  Symbols with their bodies.
Out: a Forest: for each tree the definition it is written in, what it belongs to, its nodes by kind and its
     blocks. Sixteen walks over the largest book took a third of the time that checking it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from rulewright.book import tree as t
from rulewright.book.symbols import Symbols, bodies
from rulewright.book.text.source import Definition, Line
from rulewright.book.walk import FIELDS, INSIDE, PLAIN
from rulewright.diagnostics import Span

NOWHERE = Definition("", "", Line("", 0, 0, ""))


@dataclass(slots=True)
class Tree:
    """One tree, and what was met in it."""

    definition: Definition
    owner: object
    body: object
    runs: bool = True
    """It is a block of statements, and no check or number."""
    kinds: dict[type, list[Any]] = field(default_factory=dict[type, list[Any]])
    blocks: list[list[object]] = field(default_factory=list[list[object]])
    """Lists of nodes, the outer ones first."""

    def of(self, *kinds: type) -> Iterator[Any]:
        """The nodes of these kinds, and what of them is referred to by name: those of each as written."""
        for kind in kinds:
            yield from self.kinds.get(kind, ())

    def walk(self) -> None:
        """Meet every node once, in the order in which they are written."""
        kinds, blocks, waiting = self.kinds, self.blocks, [self.body]
        while waiting:
            part = waiting.pop()
            kind = type(part)
            if kind in FIELDS:
                if kind in kinds:
                    kinds[kind].append(part)
                else:
                    kinds[kind] = [part]
                inside = INSIDE[kind](part)[-2::-1] if kind in INSIDE else ()
            elif kind is list or kind is tuple:
                inside = cast("Sequence[object]", part)[::-1]
                if kind is list and inside and type(inside[-1]) in FIELDS:
                    blocks.append(cast("list[object]", part))
            else:
                continue
            waiting += [x for x in inside if type(x) not in PLAIN]


class Forest:
    """All trees of a book."""

    def __init__(self, symbols: Symbols) -> None:
        self.trees = [Tree(d, owner, body) for d, owner, body in bodies(symbols)]
        self.trees += _others(symbols)
        self.uses: dict[int, list[t.Component]] = {}
        """By the owner of trees: the components that they name, each once."""
        named: dict[int, dict[t.Component, None]] = {}
        for tree in self.trees:
            tree.walk()
            named.setdefault(id(tree.owner), {}).update(dict.fromkeys(tree.kinds.get(t.Component, ())))
        self.uses = {owner: list(used) for owner, used in named.items()}

    @property
    def bodies(self) -> Iterator[Tree]:
        """What is done: every block of statements that belongs to a definition."""
        return (tree for tree in self.trees if tree.runs)

    def of(self, *kinds: type) -> Iterator[tuple[Tree, Any]]:
        """Every node of these kinds, with the tree it stands in."""
        return ((tree, node) for tree in self.trees for node in tree.of(*kinds))


def where(d: Definition, node: t.Stmt_) -> Span:
    """Where a statement of a definition is written; its line, if it was made out of another one."""
    return node.span or d.spot(node.line)


def _others(symbols: Symbols) -> Iterator[Tree]:
    """Checks and numbers."""
    for c in (*symbols.components.values(), *(s.component for s in symbols.sentences)):
        table = [c.table.rolls, c.table.reads] if c.table is not None else []
        yield Tree(c.definition, c, [c.check, c.value, *table], runs=False)
    for a in (*symbols.actions.values(), *symbols.face_actions.values()):
        yield Tree(a.definition, a, [a.requires, a.test, a.trigger, a.lets], runs=False)
    for r in symbols.rules:
        yield Tree(r.definition, r, [r.while_], runs=False)
    for s in symbols.strategies.values():
        yield Tree(s.definition, s, s.body, runs=False)


def blocks_in(node: object) -> list[list[object]]:
    """The blocks that a node holds, at whatever depth."""
    tree = Tree(NOWHERE, None, node)
    tree.walk()
    return tree.blocks
