"""Tokens -> paths over a map: those that are found, and those that are chosen step by step.

In:  the cursor at the name of a Walk, or at `the` before it.
Out: paths, as things of the tree; the choice of one.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check, parse_number, parse_selector, parse_thing
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import WALK
from rulewright.book.symbols import norm


def walk_ahead(p: Cursor, skip: int = 0) -> bool:
    """Does the name of a Walk stand here, after so many words?"""
    p.at += skip
    found = p.peek_name(WALK)
    p.at -= skip
    return found is not None


def allowance(p: Cursor, walk: str) -> t.Num_:
    """How much a path may cost. Where each step costs one, that is how long it can be."""
    token = p.now
    most = parse_number(p)
    each = p.symbols.walks[norm(walk)].definition.get("costs") is None
    if each and isinstance(most, t.Num) and most.value > t.PATH_STEPS:
        problem = Mistake("too-large", token, f"a path has at most {t.PATH_STEPS} steps").diagnostic
        p.problems.append(problem)  # and goes on: what it is called is used further down
    return most


def _goal(p: Cursor) -> t.Selector:
    """Where a path leads: a space that is looked for, or a certain one."""
    at = p.at
    try:
        found = parse_selector(p, default="a")
        if p.now.is_("of"):  # `space of X` is a thing
            raise p.fail("unexecutable", "'of' does not fit here")
        return found
    except Mistake as mistake:
        after, p.at = p.at, at
        try:
            there = parse_thing(p, t.SPACE)
        except Mistake:
            p.at = after
            raise mistake from None
    it = p.scope.new_it(t.SPACE)
    return t.Selector("a", "space", t.SPACE, it.name, tests=[t.Same(it, there)])


def path(p: Cursor) -> t.Thing_:
    """`the WALK toward X up to E`, `the WALK to SELECTOR, up to E`, `the WALK within E to SELECTOR`"""
    p.take("the")
    walk = p.name(WALK)
    assert walk is not None
    if p.take("toward"):
        direction = parse_thing(p, t.DIRECTION)
        p.expect("up", "to")
        return t.StraightPath(walk, direction, allowance(p, walk))
    within = allowance(p, walk) if p.take("within") else None
    p.expect("to")
    selector = _goal(p)
    budget = within
    if within is None:
        p.take(",")
        if not p.now.is_("up"):
            help_ = f"`the {p.symbols.walks[walk].name} to .., up to 5`"
            raise p.fail("missing-part", "a path says how far it may go", help=help_)
        p.expect("up", "to")
        budget = allowance(p, walk)
    straight: t.Cond_ | None = None
    if p.take(",", "straight"):
        straight = parse_check(p) if p.take("if") else t.Always(True)
    return t.PathTo(walk, selector, budget, within is not None, straight)


def let_path(p: Cursor, low: str, who: t.Thing_ | None, line: int) -> t.Stmt_:
    """`let x = choose a WALK up to E`: step by step, perhaps no step at all."""
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
    return t.LetPath(low, walk, budget, least, who, line=line)
