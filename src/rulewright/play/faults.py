"""What can go wrong while a match runs or is asked for something.

In:  fault codes from running code, mistakes of callers.
Out: exceptions with one clear sentence each.
"""

from __future__ import annotations

from rulewright.ir.program import FAULTS, OPTION_ROOM
from rulewright.ir.sheet import Site

ENDLESS = "too many steps without a decision: the rules go round in a circle, or search through too much"
TOO_MANY_OPTIONS = f"a decision has more than {OPTION_ROOM} options"
"""What the bound was that FAULT_BOUND tells of, where it is not that of the book."""


class Fault(Exception):
    """Running code stopped: the rules of the book led where they cannot go on."""

    def __init__(self, code: int, site: int = 0, detail: str = "", sides: int = 0) -> None:
        self.code = code
        self.site = site
        self.detail = detail
        self.sides = sides
        """Of a script that has run out: of how many results one is missing."""
        words = FAULTS.get(code, "the program is broken" if code == 0 else f"fault {code}")
        super().__init__(f"{words} ({detail})" if detail else words)

    def where(self, sites: tuple[Site, ...]) -> str:
        """The message with the place in the book, when it is known."""
        if not 0 < self.site < len(sites):
            return str(self)
        place = sites[self.site]
        return (
            f"{place.file}:{place.line}: {place.title}: {self}"
            if place.title
            else f"{place.file}:{place.line}: {self}"
        )


class MatchError(Exception):
    """A match that cannot be set up, restored or undone."""


class ChoiceError(MatchError):
    """A choice that is not on offer. Nothing was changed."""


class MatchFault(MatchError):
    """The rules failed during a choice. The match is where it was before the choice."""

    def __init__(self, fault: Fault, message: str) -> None:
        self.fault = fault
        super().__init__(message)
