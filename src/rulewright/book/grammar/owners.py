"""Whose number is meant, and who acts, where a text names nobody.

In:  a cursor, its scope.
Out: things of the tree.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_thing
from rulewright.book.grammar.scope import Mistake
from rulewright.book.text.tokens import Token
from rulewright.diagnostics import warning


def me(p: Cursor) -> t.Thing_:
    """Self, as seen from inside a body."""
    if p.scope.open and p.scope.local("self") is None:
        p.scope.wanted["self"] = t.ACTOR
        p.scope.locals["self"] = t.ACTOR
    found = p.scope.local("self")
    if found is None and p.scope.nobody:
        raise p.fail("wrong-kind", "say who: this happens to nobody in particular")
    return t.TLocal("self", found[1]) if found else t.TConst(t.ACTOR, -1)


def bearer(p: Cursor) -> t.Thing_:
    """The candidate if it is an actor, else self."""
    if p.scope.owner is not None and p.scope.owner.type == t.ACTOR:
        return p.scope.owner
    return me(p)


def innermost(p: Cursor, token: Token) -> t.TLocal:
    """What `it` means: the nearest thing that is looked at. A farther one of its kind may have been meant."""
    *outer, it = p.scope.it
    hides = any(other.type == it.type and other.name != it.name for other in outer)
    if hides and (token.span.line, it.name) not in p.scope.hiding:
        p.scope.hiding.add((token.span.line, it.name))
        words = "this `it` is what is looked at here, and hides the one that is looked at around it"
        help_ = "give the outer one a name before: `let other = it`"
        p.problems.append(warning("hidden-it", token.span, words, help_))
    return t.TLocal(it.name, it.type)


def default_owners(p: Cursor, resource: t.Resource, token: Token) -> list[t.Thing_]:
    """Whose number it is when nobody is named."""
    return [default(p, kind, token) for kind in resource.of]


def named_owners(p: Cursor, resource: t.Resource) -> list[t.Thing_]:
    """Whose number it is, behind `of`; of two owners the first may be left out."""
    if len(resource.of) < 2:
        return [parse_thing(p, kind) for kind in resource.of]
    first, second = resource.of
    other = parse_thing(p, second)
    return [parse_thing(p, first) if p.take("of") else default(p, first, p.now), other]


def default(p: Cursor, kind: str, token: Token) -> t.Thing_:
    owner = p.scope.owner
    if owner is not None and owner.type == kind:
        return owner
    for it in reversed(p.scope.it):
        if it.type == kind and owner is not None:
            return it
    found = p.scope.local("self")
    if found is not None and found[1] == kind:
        return t.TLocal("self", kind)
    own = t.kind_of(kind).local
    if own and p.scope.local(own):
        return t.TLocal(own, kind)
    if kind == t.ACTOR and p.scope.open:
        p.scope.wanted.setdefault("self", t.ACTOR)
        p.scope.locals["self"] = t.ACTOR
        return t.TLocal("self", t.ACTOR)
    raise Mistake("wrong-kind", token, f"say whose it is: there is no {kind} here that it could belong to")
