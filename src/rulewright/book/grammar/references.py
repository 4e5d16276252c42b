"""What stands in brackets in a book that uses a framework: `[R]`, `[Target R]`, `[Somebody R]`, `[R Max]`.

In:  the cursor at the first word within brackets.
Out: t.Num_ nodes, or None where the content is no such reference and the core grammar has to read it.

The order matters, because names of the book may look like words of the core notation: a prefix comes
first, then a resource whose name is the whole content, then the longest name of an actor that it begins with.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.closed import limited
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_thing
from rulewright.book.grammar.owners import default_owners
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import RESOURCE
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import END, NEWLINE, Token

PREFIXES = ("Target", "Self", "Attacker")
LIMITS = ("Maximum", "Max")


def reference(p: Cursor, opening: Token) -> t.Num_ | None:
    """The number that the whole content names, if it is a name."""
    inside = _content(p)
    if inside is None:
        return None
    prefixed = inside[0].text in PREFIXES and len(inside) > 1
    if prefixed:
        _no_prefix(p, inside[1:])
        if inside[0].text == "Self" and [x.text for x in inside[1:]] == ["Distance"]:
            message = "no resource is called 'Distance'; there is [Target Distance]"
            raise Mistake("unknown-name", inside[1], message)
        return None
    limit = len(inside) > 1 and inside[-1].text in LIMITS
    for words, maximum in ((inside, False), (inside[:-1], True)) if limit else ((inside, False),):
        resource = p.resources.get(_joined(words))
        if resource is not None and resource.holds is None:
            limited(p, resource, maximum, opening)
            p.at += len(inside)
            return t.ReadRes(resource, default_owners(p, resource, opening), False, maximum)
    return _of_somebody(p, inside)


def _content(p: Cursor) -> list[Token] | None:
    """The tokens up to the closing bracket; None where another bracket stands among them."""
    end = p.at
    while not p.tokens[end].is_("]"):
        if p.tokens[end].kind in (END, NEWLINE) or p.tokens[end].is_("[", "(", "#"):
            return None
        end += 1
    return p.tokens[p.at : end] or None


def _of_somebody(p: Cursor, inside: list[Token]) -> t.Num_ | None:
    casts = {norm(title) for title in p.symbols.casts.values()}
    for count in range(len(inside) - 1, 0, -1):
        actor = p.symbols.actor_names.get(_joined(inside[:count]))
        if actor is not None and _joined(inside[:count]) not in casts:
            _no_prefix(p, inside[count:])
            p.at += count
            return of_thing(p, t.TConst(t.ACTOR, actor), False)
    return None


def _no_prefix(p: Cursor, words: list[Token]) -> None:
    resource = p.resources.get(_joined(words))
    if resource is not None and not resource.of:
        message = f"'{resource.name}' is shared: it is nobody's own and takes no prefix"
        raise Mistake("wrong-kind", words[0], message)


def of_thing(p: Cursor, thing: t.Thing_, stored: bool) -> t.Num_:
    """A number of this thing: a resource, a maximum, a column."""
    at = p.at
    name = p.name(RESOURCE)
    if name is not None:
        token = p.tokens[at]
        resource = p.resource_named(name)
        maximum = p.take("Maximum") or p.take("Max")
        limited(p, resource, maximum, token)
        if resource.of == (thing.type,):
            return t.ReadRes(resource, [thing], stored, maximum)
        if len(resource.of) == 1 and (thing.type, resource.of[0]) in t.STANDS_FOR:
            owner = t.STANDS_FOR[thing.type, resource.of[0]](thing)
            return t.ReadRes(resource, [owner], stored, maximum)
        if len(resource.of) == 2 and resource.of[0] == thing.type and p.take("of"):
            return t.ReadRes(resource, [thing, parse_thing(p, resource.of[1])], stored)
        p.at = at
    column = parse_column(p, thing)
    if column is not None:
        return column
    names = [r.name for r in p.resources.values()]
    raise p.unknown("resource", names)


def parse_column(p: Cursor, thing: t.Thing_) -> t.Num_ | None:
    for kind in dict.fromkeys((thing.type, t.nature(thing.type))):
        table = p.symbols.list_of(kind)
        if table is None:
            continue
        column = p.column(table)
        if column is not None:
            return t.ReadColumn(kind, column, thing)
    return None


def _joined(words: list[Token]) -> str:
    return norm("".join(x.text for x in words)).replace("’", "'")
