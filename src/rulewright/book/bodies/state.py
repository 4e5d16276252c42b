"""What reading the bodies of a book knows, from one definition to the next.

In:  the declarations.
Out: what every function that reads a field is given.
"""

from __future__ import annotations

from functools import cached_property

from rulewright.book.declare.declaring import Declaring
from rulewright.book.symbols import norm
from rulewright.book.text.source import Definition, Reports


class Bodies(Reports):
    """Where mistakes go, and what is declared."""

    def __init__(self, declarer: Declaring) -> None:
        self.declarer = declarer
        self.symbols = declarer.symbols
        self.problems = declarer.problems

    def is_own(self, d: Definition) -> bool:
        """Is it a block of a book that uses a framework?"""
        return self.symbols.is_closed(d.line.file)

    @cached_property
    def own_blocks(self) -> dict[str, Definition]:
        """The components that such a book defines, by name."""
        return {norm(c.definition.title): c.definition for c in self.symbols.own_components.values()}
