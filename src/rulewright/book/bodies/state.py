"""What reading the bodies of a book knows, from one definition to the next.

In:  the declarations.
Out: what every function that reads a field is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.book.declare.declaring import Declaring
from rulewright.diagnostics import Diagnostic

if TYPE_CHECKING:
    from rulewright.book.bodies.deeds import Deeds
    from rulewright.book.bodies.features import Features


class Bodies:
    """Where mistakes go, what is declared, and the readers of a framework's notation."""

    deeds: Deeds
    features: Features

    def __init__(self, declarer: Declaring) -> None:
        self.declarer = declarer
        self.symbols = declarer.symbols
        self.problems: list[Diagnostic] = declarer.problems
