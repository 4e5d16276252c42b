"""Tokens -> `with [R] = E: ..`, `as X: ..`: what holds while a block runs.

In:  tokens after the word.
Out: a With (what is set at first and put back at the end) or an AsSelf, and the block.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.closed import final
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import (
    begins,
    parse_block,
    parse_bracket,
    parse_number,
    parse_selector,
    parse_thing,
)
from rulewright.book.grammar.scope import Mistake
from rulewright.book.grammar.things import simple_thing
from rulewright.book.walk import needs

CHANGES = ("=", "+=", "-=")


@begins("with")
def s_with(p: Cursor, line: int) -> t.Stmt_:
    """`with [R] = E, HELD of X set to THING: ..`"""
    sets = [_setting(p)]
    while p.take(",") or p.take("and"):
        sets.append(_setting(p))
    p.expect(":")
    return t.With(sets, parse_block(p), line=line)


def _setting(p: Cursor) -> t.SetNumber | t.SetThing:
    token = p.now
    if not token.is_("["):
        target = simple_thing(p, None)
        if not isinstance(target, (t.TLocal, t.THold, t.TKept)):
            words = "only a local, a parameter or a resource that holds a thing can be set"
            raise Mistake("wrong-kind", token, words)
        p.expect("set", "to")
        return t.SetThing(target, parse_thing(p, target.type), line=token.line)
    target = parse_bracket(p)
    op = p.now
    if op.text not in CHANGES:
        words = f"expected '=', '+=' or '-=', found '{op.text or 'the end of the line'}'"
        raise p.fail("unexecutable", words)
    computed = isinstance(target, t.ReadRes) and (target.maximum or target.stored)
    if computed or not isinstance(target, (t.ReadRes, t.ReadLocal, t.ReadKept)):
        raise Mistake("wrong-kind", token, "this number cannot be set for a while").up_to(p.tokens[p.at - 1])
    p.next()
    return t.SetNumber(target, op.text, final(p, parse_number(p), op), None, None, line=token.line)


@begins("as")
def s_as(p: Cursor, line: int) -> t.Stmt_:
    """`as X: ..`, `as each SELECTOR: ..`, `as each SELECTOR if needed: ..`"""
    if not p.now.is_("each", "every"):
        who = parse_thing(p, t.ACTOR)
        p.expect(":")
        return t.AsSelf(who, _theirs(p), line=line)
    selector = parse_selector(p)
    needed = p.take("if", "needed")
    p.expect(":")
    body = _theirs(p)
    if needed and not needs(body, "self"):
        return t.Inline(body, line=line)
    return t.ForEach(selector, [t.AsSelf(t.TLocal(selector.it, t.ACTOR), body, line=line)], line=line)


def _theirs(p: Cursor) -> t.Block_:
    """A block in which there is a self, even where nobody acts."""
    lonely = p.scope.local("self") is None
    if lonely:
        p.scope.locals["self"] = t.ACTOR
    try:
        return parse_block(p)
    finally:
        if lonely:
            del p.scope.locals["self"]
