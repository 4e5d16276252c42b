"""Statements and things about moving through a story and over a map.

In:  tokens, through the parser this is mixed into.
Out: tree nodes: acting as somebody else, ways over a map, moments that are brought about.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import begins, parse_block, parse_number, parse_selector, parse_thing
from rulewright.book.grammar.ways import allowance
from rulewright.book.index import ACTION, RESOURCE, WALK
from rulewright.book.walk import needs


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


def over(p: Cursor, times: t.Num_, line: int) -> t.Stmt_:
    """`repeat N times over SPACE, SPACE: ..` with `spot` the space; the last for all that are left."""
    spots = [parse_thing(p, t.SPACE)]
    while p.take(","):
        spots.append(parse_thing(p, t.SPACE))
    p.expect(":")
    p.scope.locals["spot"] = t.SPACE
    body = parse_block(p)
    made: t.Block_ = []
    for i in range(times.value if isinstance(times, t.Num) else 1):
        made += [t.SetThing(t.TLocal("spot", t.SPACE), spots[min(i, len(spots) - 1)], line=line), *body]
    return t.Inline(made, line=line)


@begins("free")
def s_free(p: Cursor, line: int) -> t.Stmt_:
    """`free ACTION of [R] N times`: the next uses of the action take nothing of R (see paces.py)."""
    action = p.need(ACTION)
    p.expect("of", "[")
    key = p.need(RESOURCE)
    p.expect("]")
    times = parse_number(p)
    p.expect("times")
    uses = p.symbols.roles.free_uses
    if uses is None:
        raise p.fail("unexecutable", "no resource has the role `free uses`")
    found = p.symbols.actions[action]
    p.symbols.freed.add((found.index, p.resource_named(key).name))
    owners: list[t.Thing_] = [t.TLocal("self", t.ACTOR), t.TConst("Action", found.index)]
    return t.SetNumber(t.ReadRes(uses, owners), "=", t.Final(times), None, None, line=line)


def let_way(p: Cursor, low: str, who: t.Thing_ | None, line: int) -> t.Stmt_:
    """`let way = choose a WALK up to E`: step by step, perhaps no step at all."""
    if not p.take("a"):
        p.take("an")
    walk = p.name(WALK)
    assert walk is not None
    p.expect("up", "to")
    budget = allowance(p, walk)
    least = 0
    if p.take("of", "at", "least", "1", "step"):
        least = 1
    p.scope.locals[low] = t.PATH
    return t.LetWay(low, walk, budget, least, who, line=line)
