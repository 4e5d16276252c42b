"""Things and numbers about ways over a map, actions as things, and starting values.

In:  tokens, through the parser this is mixed into.
Out: tree nodes.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check, parse_number, parse_selector, parse_thing
from rulewright.book.grammar.owners import default_owners
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import COMPONENT, RESOURCE, WALK
from rulewright.book.symbols import norm


def walk_ahead(p: Cursor, skip: int = 0) -> bool:
    """Does the name of a Walk stand here, after so many words?"""
    p.at += skip
    found = p.peek_name(WALK)
    p.at -= skip
    return found is not None


def allowance(p: Cursor, walk: str) -> t.Num_:
    """How much a way may cost. Where each step costs one, that is how long it can be."""
    token = p.now
    most = parse_number(p)
    each = p.symbols.walks[norm(walk)].definition.get("costs") is None
    if each and isinstance(most, t.Num) and most.value > t.PATH_STEPS:
        problem = Mistake("too-large", token, f"a way has at most {t.PATH_STEPS} steps").diagnostic
        p.problems.append(problem)  # and goes on: what it is called is used further down
    return most


def way(p: Cursor) -> t.Thing_:
    """`the WALK toward X up to E`, `the WALK to SELECTOR, up to E`, `the WALK within E to SELECTOR`"""
    p.take("the")
    walk = p.name(WALK)
    assert walk is not None
    if p.take("toward"):
        direction = parse_thing(p, t.DIRECTION)
        p.expect("up", "to")
        return t.StraightWay(walk, direction, allowance(p, walk))
    within = allowance(p, walk) if p.take("within") else None
    p.expect("to")
    selector = parse_selector(p, default="a")
    budget = within
    if within is None:
        p.take(",")
        p.expect("up", "to")
        budget = allowance(p, walk)
    straight: t.Cond_ | None = None
    if p.now.is_(",") and p.ahead().is_("straight"):
        p.at += 2
        straight = parse_check(p) if p.take("if") else t.Always(True)
    return t.WayTo(walk, selector, budget, within is not None, straight)


# ------------------------------------------------------------ numbers
def special_number(p: Cursor) -> t.Num_ | None:
    """`[starting R]`, `[WALK of path]`, `[natural face]`, `[natural die]`"""
    if p.now.is_("starting"):
        p.next()
        name = p.need(RESOURCE)
        resource = p.resource_named(name)
        owners = [parse_thing(p, t.ACTOR)] if p.take("of") else default_owners(p, resource, p.now)
        return t.Starting(resource, owners)
    if p.take("natural", "face"):
        return t.NaturalFace("face")
    if p.take("natural", "die"):
        return t.NaturalFace("die")
    if walk_ahead(p):
        at = p.at
        walk = p.name(WALK)
        if p.take("of"):
            return t.PathCost(parse_thing(p, t.PATH), walk or "")
        p.at = at
    return None


# ------------------------------------------------------------ checks
def special_check(p: Cursor, thing: t.Thing_) -> t.Cond_ | None:
    """`ACTION runs #C`, `ACTION lowers [Target R]`, `X can pay for ACTION`, `X has a starting [R]`"""
    if p.take("runs"):
        p.expect("#")
        name = p.need(COMPONENT)
        return t.Runs(thing, p.component_named(name), None)
    if p.take("lowers", "[", "Target"):
        name = p.need(RESOURCE)
        p.expect("]")
        return t.Runs(thing, None, p.resource_named(name))
    if p.take("is", "aimed"):
        return t.Runs(thing, None, None)
    if p.take("is", "a", "copy"):
        return t.IsCopy(thing)
    if p.take("lies", "in"):
        return t.InArea(thing, parse_thing(p, "Area"))
    if p.take("can", "pay", "for"):
        return t.CanPay(thing, parse_thing(p, "Action"))
    if p.take("has", "a", "starting", "["):
        name = p.need(RESOURCE)
        p.expect("]")
        return t.HasStart(p.resource_named(name), thing)
    return None
