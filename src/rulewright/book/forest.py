"""Every tree of a book, walked once: what reviews ask is which nodes of a kind stand where.

In:  Symbols with their bodies; where a book is checked again, the Forest of the time before.
Out: a Forest: for each tree the definition it is written in, what it belongs to, its nodes by kind and its
     blocks. Sixteen walks over the largest book took a third of the time that checking it takes.

What was read is never changed but in where it stands (`bodies.moved`), and what is read again is made of new
lists: so a tree whose parts are the very same objects as before holds the same nodes, and is not walked.
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

    @property
    def key(self) -> tuple[int, ...]:
        """What tells it from every other tree that lives: which things it is made of. The list that holds
        the parts of a check is made anew each time."""
        body = self.body
        parts = (body,) if self.runs or not isinstance(body, list) else cast("list[object]", body)
        return id(self.definition), id(self.owner), self.runs, *map(id, parts)


class Forest:
    """All trees of a book. `before`: those of the last time, whose walks are taken over where they hold."""

    def __init__(self, symbols: Symbols, before: Forest | None = None) -> None:
        self.by_key: dict[tuple[int, ...], Tree] = {}
        self.walked = 0
        """How many trees had to be walked."""
        known = before.by_key if before is not None else {}
        made = [Tree(d, owner, body) for d, owner, body in bodies(symbols)]
        self.trees = [self._met(tree, known) for tree in (*made, *_others(symbols))]
        self.uses: dict[int, list[t.Component]] = {}
        """By the owner of trees: the components that they name, each once."""
        named: dict[int, dict[t.Component, None]] = {}
        for tree in self.trees:
            named.setdefault(id(tree.owner), {}).update(dict.fromkeys(tree.kinds.get(t.Component, ())))
        self.uses = {owner: list(used) for owner, used in named.items()}

    def _met(self, tree: Tree, known: dict[tuple[int, ...], Tree]) -> Tree:
        """The tree with all its nodes: as it was met before, or met now."""
        key = tree.key
        met = known.get(key)
        if met is None:
            tree.walk()
            self.walked += 1
            met = tree
        self.by_key[key] = met
        return met

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
