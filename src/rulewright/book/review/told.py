"""What the prose of a book reads from its definitions.

In:  gaps such as `{[Hand Size]}` in the text of a book, and its Symbols.
Out: `symbols.told`, the number of each; a diagnostic for a gap that names no fixed number.

A gap can name what a Resource starts with, `Most` before it the upper end of its range, a Value that is one
number, or a cell of a table: `{[Cost of Iron Shield]}`. What differs from match to match is no such number.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.source import Source
from rulewright.book.text.told import gaps
from rulewright.diagnostics import Diagnostic, Span, suggest

MOST = "Most "


def review_told(symbols: Symbols, source: Source, problems: list[Diagnostic]) -> None:
    """Work out every gap, or report it."""
    symbols.told.clear()  # of a book that is checked again, gaps may be gone
    for file, text in source.texts.items():
        for line, column, name in gaps(text):
            number = _number(symbols, name)
            if number is None:
                problems.append(_problem(symbols, name, Span(file, line, column, len(name))))
            else:
                symbols.told[name] = number


def _number(symbols: Symbols, name: str) -> int | None:
    if name.startswith(MOST):
        resource = symbols.resources.get(norm(name.removeprefix(MOST)))
        if resource is None:
            return None
        return resource.maximum.value if isinstance(resource.maximum, t.Num) else resource.high
    resource = symbols.resources.get(norm(name))
    if resource is not None:
        return resource.starts.value if isinstance(resource.starts, t.Num) else None
    component = symbols.components.get(norm(name))
    if component is not None:
        return component.value.value if isinstance(component.value, t.Num) else None
    column, of, word = name.partition(" of ")
    return _cell(symbols, column, word) if of else None


def _cell(symbols: Symbols, column: str, word: str) -> int | None:
    """What a table says under a column in the row of a word; for an actor, what its sheet says."""
    for table in (*symbols.lists.values(), symbols.faces, symbols.terrains, symbols.status_list):
        row = table.numbers.get(norm(word))
        found = next((c for c in table.columns.values() if norm(c.name) == norm(column)), None)
        if row is not None and found is not None and found.type == t.NUMBER and row < len(found.values):
            return found.values[row]
    actor = symbols.actor_names.get(norm(word))
    if actor is None:
        return None
    sheet = symbols.values_of(symbols.actors[actor].template)
    value = next((v for k, v in sheet.items() if norm(k) == norm(column)), None)
    return value.value if isinstance(value, t.Num) else None


def _problem(symbols: Symbols, name: str, span: Span) -> Diagnostic:
    bare = name.removeprefix(MOST)
    known = [x.name for x in (*symbols.resources.values(), *symbols.components.values())]
    if norm(bare) in symbols.resources or norm(bare) in symbols.components:
        words = f"'{name}' is not one number that is the same in every match"
        return Diagnostic("type-mismatch", span, words, "prose can tell what a definition states as a number")
    return Diagnostic("unknown-name", span, f"no number is called '{name}'", suggest(bare, known))
