"""Outcomes that everybody is told of and that are then hidden.

In:  Symbols with their bodies.
Out: a warning for each choice and each roll whose outcome is open, although it is kept in a hidden place.
"""

from __future__ import annotations

from typing import cast

from rulewright.book import tree as t
from rulewright.book.forest import Forest, blocks_in
from rulewright.book.hidden import ends_hidden
from rulewright.book.text.source import Definition
from rulewright.diagnostics import Diagnostic, Span, warning

CHANCES = {t.Choose, t.ChooseMany, t.LetChoose, t.Dice}


def review_secrets(forest: Forest, problems: list[Diagnostic]) -> None:
    """Look through every block of every definition, but for what is said to be secret."""
    for tree in (tree for tree in forest.trees if CHANCES.intersection(tree.kinds)):
        definition = tree.definition
        secret = {id(block) for node in tree.of(t.Secretly) for block in blocks_in(node)}
        for block in tree.blocks:
            said = cast("t.Block_", block) if id(block) not in secret else []
            for i, s in enumerate(said):
                found = ends_hidden(s, said[i + 1 :])
                if found is not None:
                    name = found.resource.name
                    words = f"everybody is told what comes out here, and then it is hidden in '{name}'"
                    help_ = f"say `secretly`, or let it go nowhere but into '{name}'"
                    problems.append(warning("open-secret", _place(definition, s), words, help_))


def _place(d: Definition, s: t.Stmt_) -> Span:
    lines = [line for field in (*d.fields, *d.steps) for line in field.lines]
    line = next((x for x in lines if x.number == s.line), d.line)
    return Span(line.file, s.line or line.number, line.column + 1, max(1, len(line.text)))
