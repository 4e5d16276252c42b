"""Tokens -> trees: the language itself.

Whoever imports any part of it has all of it: these modules file the readers that `dispatch` hands out.
"""

from rulewright.book.grammar import checks, numbers, selectors, statements, things

__all__ = ["checks", "numbers", "selectors", "statements", "things"]
