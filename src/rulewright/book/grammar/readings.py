"""Tokens -> numbers by name: resources with their owners, columns of lists and tables, Values.

In:  tokens inside brackets, or bare where a book's wording allows it.
Out: tree nodes that read a number of somebody or something.
"""

from __future__ import annotations

from contextlib import suppress

from rulewright.book import tree as t
from rulewright.book.grammar.calls import count_args, parse_argument, parse_arguments
from rulewright.book.grammar.closed import limited
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_thing, tried
from rulewright.book.grammar.owners import default_owners, named_owners
from rulewright.book.grammar.references import of_thing, parse_column
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import ACTOR, COLUMN_OF, COMPONENT, RESOURCE
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import WORD, Token


def number_names(p: Cursor) -> dict[str, str]:
    names = {norm(n): n for n in p.scope.numbers}
    for n, kind in p.scope.locals.items():
        if kind == t.NUMBER:
            names.setdefault(n, n)
    return names


def resource(p: Cursor, opening: Token, stored: bool) -> t.Num_:
    at = p.at
    resources, components = p.resources, p.components
    name = p.name(RESOURCE)
    keep, p.at = p.at, at
    value = p.name_of(COMPONENT, lambda c: c.kind in ("Value", "Check") and c.name[:1] != "{")
    if value is not None and name is not None and len(name) > len(value):
        value = None
    if value is not None:
        return _value(p, components[value])
    p.at = keep if name is not None else at
    if name is None:
        table = _table_column(p)
        if table is not None:
            return table
        column = _bare_column(p)
        if column is not None:
            return column
        actor = p.name(ACTOR)
        if actor is not None:
            return of_thing(p, t.TConst(t.ACTOR, p.symbols.actor_names[actor]), stored)
        names = [r.name for r in p.resources.values()]
        names += [c.name for c in p.components.values() if c.kind == "Value"]
        names += list(number_names(p).values())
        raise p.unknown("resource", names)
    resource = resources[name]
    maximum = p.take("Maximum") or p.take("Max")
    limited(p, resource, maximum, opening)
    if p.now.kind == WORD and not p.now.is_("of"):
        keep, p.at = p.at, at
        column = _bare_column(p)  # its name may begin with that of a resource
        if column is not None:
            return column
        p.at = keep
    if resource.holds is not None:
        raise p.fail("type-mismatch", f"'{resource.name}' holds a {resource.holds}, not a number", opening)
    if p.take("of"):
        try:
            return _owned(p, resource, stored, maximum)
        except Mistake as mistake:
            # Not a number of such a thing; perhaps a column of that name is meant.
            p.at = at
            column = _bare_column(p)
            if column is None:
                raise mistake from None
            return column
    return t.ReadRes(resource, default_owners(p, resource, opening), stored, maximum)


def _owned(p: Cursor, resource: t.Resource, stored: bool, maximum: bool) -> t.Num_:
    if not resource.of:
        raise p.fail("wrong-kind", f"'{resource.name}' belongs to the whole match")
    return t.ReadRes(resource, named_owners(p, resource), stored, maximum and len(resource.of) < 2)


def _bare_column(p: Cursor) -> t.Num_ | None:
    """`[SP]` inside a card's own text, or of the candidate."""
    candidates: list[t.Thing_] = []
    if p.scope.owner is not None:
        candidates.append(p.scope.owner)
    if p.scope.local("card"):
        candidates.append(t.TLocal("card", p.scope.locals["card"]))
    for thing in candidates:
        found = _column_alone(p, thing)
        if found is not None:
            return found
    at = p.at
    for length, entry in p.here(COLUMN_OF):
        p.at = at + length
        with suppress(Mistake):
            thing = parse_thing(p) if p.take("of") else None
            if thing is not None and entry.owner in (thing.type, t.nature(thing.type)):
                return t.ReadColumn(entry.owner, entry.key, thing)
    p.at = at
    return None


@tried
def _column_alone(p: Cursor, thing: t.Thing_) -> t.Num_ | None:
    found = parse_column(p, thing)
    return found if not p.now.is_("of") else None


def _table_column(p: Cursor) -> t.Num_ | None:
    at = p.at
    for length, entry in p.here(COMPONENT):
        table = entry.symbol.table if entry.symbol.kind == "Table" else None
        if table is None:
            continue
        p.at = at + length
        column = p.among({norm(c) for c in table.columns})
        if column is not None and p.now.is_("]"):
            return t.ReadTable(entry.symbol, next(c for c in table.columns if norm(c) == column))
    p.at = at
    return None


def _value(p: Cursor, component: t.Component) -> t.Num_:
    args: list[object] = []
    self_: t.Thing_ | None = parse_thing(p, t.ACTOR) if p.take("on") else None
    if component.params and p.take("of"):
        first = component.params[0]
        args = [parse_argument(p, first)]
    elif p.take("with"):
        args = parse_arguments(p, component)
    elif p.take("of"):
        self_ = parse_thing(p, t.ACTOR)
    if p.take("with"):
        args += parse_arguments(p, component, len(args))
    if self_ is None and p.scope.owner is not None and p.scope.owner.type == t.ACTOR and not args:
        self_ = p.scope.owner
    count_args(p, component, args)
    if component.kind == "Check":
        return t.Truth(t.RunCheck(component, self_, args))
    return t.Run(component, self_, args, p.now.line)
