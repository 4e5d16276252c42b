"""What reading the bodies of a book knows, from one definition to the next.

In:  the declarations.
Out: what every function that reads a field is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulewright.book import tree as t
from rulewright.book.declare.declaring import Declaring
from rulewright.book.symbols import norm
from rulewright.book.text.source import Definition, Reports
from rulewright.diagnostics import Diagnostic

Told = tuple[list[tuple[str, str]], str, bool]


def told(c: t.Component) -> Told:
    """What others ask of a component while they are read."""
    return [(p.name, p.type) for p in c.params], c.gives, c.implicit


@dataclass(frozen=True, slots=True)
class First:
    """A first reading: what its text was told of components, and what was wrong with it."""

    asked: list[tuple[t.Component, Told]]
    problems: list[Diagnostic]

    @property
    def holds(self) -> bool:
        """Whether a second reading would be told the same, and so come to the same."""
        return all(told(c) == said for c, said in self.asked)


class Bodies(Reports):
    """Where mistakes go, and what is declared."""

    def __init__(self, declarer: Declaring) -> None:
        self.declarer = declarer
        self.symbols = declarer.symbols
        self.problems = declarer.problems
        self.first: dict[int, First] = {}
        """By component: what came of a first reading, until it is read again."""

    def is_own(self, d: Definition) -> bool:
        """Is it a block of a book that uses a framework?"""
        return self.symbols.is_closed(d.line.file)

    @cached_property
    def own_blocks(self) -> dict[str, Definition]:
        """The components that such a book defines, by name."""
        return {norm(c.definition.title): c.definition for c in self.symbols.own_components.values()}
