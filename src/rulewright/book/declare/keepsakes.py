"""Keepsakes: what of a match is carried over into a later one.

In:  Keepsake definitions, and the names of a book with their types.
Out: Symbols.keeps: the resources and zones, by key, in the order they are listed.

Only what still means the same at another table can be carried over: numbers, words of lists, and the cards
in zones with the numbers on them. A place on the map, or who stands beside whom, ends with the match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.book import tree as t
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.source import Definition, Line
from rulewright.diagnostics import suggest

Problem = Callable[[str, Line, str, str], None]


def read_keepsakes(definitions: Sequence[Definition], symbols: Symbols, problem: Problem) -> None:
    """Fill `symbols.keeps`."""
    for d in definitions:
        if d.kind != "Keepsake":
            continue
        listed = d.get("keeps")
        if listed is None:
            problem(
                "missing-part", d.line, f"'{d.title}' does not say what it keeps", "write `keeps: NAME, NAME`"
            )
            continue
        if symbols.closes:
            problem(
                "unexecutable", d.line, "a book that is written with a framework cannot have keepsakes", ""
            )
            continue
        for name in listed.text.replace("\n", " ").split(","):
            if name.strip():
                _keep(name.strip(), listed.first, symbols, problem)


def _keep(name: str, line: Line, symbols: Symbols, problem: Problem) -> None:
    key = norm(name)
    resource, zone = symbols.resources.get(key), symbols.zones.get(key)
    if zone is None and (resource is None or resource.builtin):
        known = [r.name for r in symbols.resources.values() if not r.builtin]
        hint = suggest(name, [*known, *(z.name for z in symbols.zones.values())])
        problem("unknown-name", line, f"no resource and no zone is called '{name}'", hint)
        return
    if key in symbols.keeps:
        problem("duplicate-name", line, f"'{name}' is kept twice", "")
        return
    if zone is None and resource is not None:
        if resource.holds and t.kind_of(resource.holds).passing:
            problem(
                "type-mismatch",
                line,
                f"'{name}' holds {resource.holds.lower()}s, and these end with the match",
                "",
            )
            return
        if not all(t.kind_of(kind).carried for kind in resource.of[:1]) or any(
            t.kind_of(kind).passing for kind in resource.of[1:]
        ):
            problem(
                "type-mismatch",
                line,
                f"'{name}' belongs to {' and '.join(resource.of).lower()}s, and cannot be carried over",
                "keep what belongs to the match, to actors, to actors by a list, or to cards",
            )
            return
    symbols.keeps.append(key)
