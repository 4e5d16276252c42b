"""Dice that are rolled whatever stands before them: all parts of a condition are looked at.

In:  a Forest, Symbols.
Out: a warning for each part of a condition, but the first, that rolls.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.forest import Forest
from rulewright.book.review.pure import chance_in
from rulewright.book.symbols import Symbols
from rulewright.diagnostics import Diagnostic, warning


def review_rolled(forest: Forest, symbols: Symbols, problems: list[Diagnostic]) -> None:
    """`if A AND 1d6 > 3` rolls where A does not hold, too, and everybody is told what came out. Closed text
    has no other place for such a question."""
    pure = {d.span.line for d in problems if d.code == "bad-dice"}  # where none may be rolled at all
    for tree, node in forest.of(t.Both, t.Either):
        if symbols.is_closed(tree.definition.line.file):
            continue
        word, when = ("AND", "does not hold") if isinstance(node, t.Both) else ("OR", "holds already")
        for part in node.parts[1:]:
            at = part.span or tree.definition.line.span
            if chance_in(part) is None or at.line in pure:
                continue
            words = f"these dice are rolled also where what stands before {word} {when}"
            help_ = f"ask first and roll then, in an `{'if' if word == 'AND' else 'else if'}` of its own"
            problems.append(warning("rolled-anyway", at, words, help_))
