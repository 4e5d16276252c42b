"""Tokens -> numbers: sums, dice, and everything that can stand in brackets.

In:  tokens.
Out: Num_ of the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.calls import component_call
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import (
    parse_check,
    parse_selector,
    parse_standing,
    parse_thing,
    place,
    reads,
)
from rulewright.book.grammar.forms import form, forms
from rulewright.book.grammar.named import named, tally, tally_highest_here
from rulewright.book.grammar.owners import default_owners
from rulewright.book.grammar.references import reference
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import RESOURCE, WALK
from rulewright.book.phrases.match import closing
from rulewright.book.text.tokens import DICE, END, MARK, NEWLINE, NUMBER, WORD, Token, nests

DICE_OF = re.compile(r"\d{1,9}d")
"""`1d[N]`: how many dice; the sides follow in brackets."""


@reads("number")
def read_number(p: Cursor) -> t.Num_:
    """sum := product { + - product }"""
    left = _product(p)
    while p.now.is_("+", "-"):
        op = p.next().text
        left = t.Arith(op, left, _product(p))
    return left


def _product(p: Cursor) -> t.Num_:
    start = p.at
    left = read_factor(p)
    while p.now.is_("*", "/", "mod"):
        op = p.next().text
        left = place(p, start, t.Arith(op, left, read_factor(p)))
    return left


@reads("factor")
def read_factor(p: Cursor) -> t.Num_:
    token = p.now
    form = FACTORS.get(token.text) if token.kind in (WORD, MARK) else LITERALS.get(token.kind)
    found = form(p, token) if form is not None else None
    if found is not None:
        return found
    if (
        token.kind == WORD
        and closed.dice_of_numbers(p)
        and DICE_OF.fullmatch(token.text)
        and p.ahead().is_("[")
    ):
        p.next()
        return t.Dice(t.Num(int(token.text[:-1])), read_bracket(p), token.line)
    if token.kind == WORD and re.fullmatch(r"\d+d\w*|d\d\w*", token.text):
        raise p.fail("bad-dice", f"'{token.text}' is no die; write such as `2d6`")
    if token.kind == WORD and (token.text == "d" or token.text.startswith("d")) and token.text[1:].isdigit():
        raise p.fail("bad-dice", f"'{token.text}' is no die")
    raise p.fail("type-mismatch", f"expected a number, found '{token.text or 'the end of the line'}'")


def _plain(p: Cursor, token: Token) -> t.Num_:
    """`4`, `4 d6`"""
    p.next()
    if p.now.kind == DICE and p.now.text.startswith("d"):
        return _dice(t.Num(int(token.text)), int(p.next().text[1:]), token)
    return t.Num(int(token.text))


def _thrown(p: Cursor, token: Token) -> t.Num_:
    """`2d6`, `d6`"""
    p.next()
    count, sides = token.text.split("d")
    return _dice(t.Num(int(count or 1)), int(sides), token)


def _negative(p: Cursor, token: Token) -> t.Num_:
    closed.unsigned(p)
    p.next()
    return t.Arith("-", t.Num(0), read_factor(p))


def _roll(p: Cursor, token: Token) -> t.Num_:
    """`roll [N] d6`, `roll d[N]`"""
    p.next()
    count = read_factor(p) if p.now.is_("[", "(") or p.now.kind == NUMBER else t.Num(1)
    if isinstance(count, t.Dice):
        return count
    if p.now.kind == WORD and DICE_OF.fullmatch(p.now.text) and p.ahead().is_("["):
        return read_factor(p)
    if p.now.is_("d") and p.ahead().is_("["):
        p.next()
        return t.Dice(count, read_bracket(p), token.line)
    if p.now.kind == DICE and p.now.text.startswith("d"):
        return _dice(count, int(p.next().text[1:]), token)
    if p.now.kind == DICE and count == t.Num(1):  # `roll 2d6` says no more than `2d6`
        return read_factor(p)
    raise p.fail("bad-dice", "roll needs dice, such as `roll [N] d6`")


def _whole(p: Cursor, token: Token) -> t.Num_ | None:
    if not p.ahead().is_("("):
        return None
    p.at += 2
    inner = read_number(p)
    p.expect(")")
    return t.Final(inner)


def _outside(p: Cursor, token: Token) -> t.Num_ | None:
    """Inside a selector: numbers of self again, and not of the candidate."""
    if not p.ahead().is_("("):
        return None
    p.at += 2
    before, p.scope.owner = p.scope.owner, None
    try:
        inner = read_number(p)
    finally:
        p.scope.owner = before
    p.expect(")")
    return inner


def _function(p: Cursor, token: Token) -> t.Num_ | None:
    """`max(A, B)`, `min(A, B)`, `abs(A)`"""
    if not p.ahead().is_("("):
        return None
    p.at += 2
    args = [read_number(p)]
    while p.take(","):
        args.append(read_number(p))
    p.expect(")")
    return t.Fn(token.text, args)


def _parentheses(p: Cursor, token: Token) -> t.Num_:
    """`(A)`, `(A if CHECK else B)`, `(A if CHECK else B if CHECK else C)`"""
    p.next()
    inner = _alternatives(p)
    p.expect(")")
    return inner


def _alternatives(p: Cursor) -> t.Num_:
    found = read_number(p)
    if not p.take("if"):
        return found
    test = parse_check(p)
    return t.IfNum(test, found, _alternatives(p) if p.take("else") else t.Num(0))


LITERALS: dict[str, Callable[[Cursor, Token], t.Num_ | None]] = {NUMBER: _plain, DICE: _thrown}
FACTORS: dict[str, Callable[[Cursor, Token], t.Num_ | None]] = {
    "-": _negative,
    "[": lambda p, _: read_bracket(p),
    "roll": _roll,
    "whole": _whole,
    "outside": _outside,
    "max": _function,
    "min": _function,
    "abs": _function,
    "(": _parentheses,
    "#": lambda p, _: component_call(p, ("Value", "Effect", "Table")),
}
"""By the word or mark that a factor begins with."""


def _dice(count: t.Num_, sides: int, token: Token) -> t.Num_:
    if sides == 0:
        raise Mistake("bad-dice", token, f"'{token.text}' has no faces")
    return t.Dice(count, t.Num(sides, "sides"), token.line)


# ------------------------------------------------------------ brackets
@reads("bracket")
def read_bracket(p: Cursor) -> t.Num_:
    """`[ ... ]`: a number by name."""
    begun, opening = p.at, p.expect("[")
    if p.now.is_("["):
        help_ = "give it a name before: `let [N] = ..`; what depends on a number is asked, not named"
        raise p.fail("unexecutable", "brackets do not begin inside brackets", help=help_)
    try:
        value = _inside(p, opening)
    except Mistake as mistake:
        if mistake.token is opening:  # it is about all that stands in the brackets
            mistake.up_to(p.tokens[max(begun, closing(p.tokens, begun))])
        raise
    if not p.now.is_("]"):
        raise p.fail("unexecutable", f"'{p.now.text}' does not belong in these brackets")
    p.next()
    return value


def _inside(p: Cursor, opening: Token) -> t.Num_:
    if closed.referring(opening):
        plain = reference(p, opening)
        if plain is not None:
            return plain
    form = BRACKETS.get(p.now.text) if p.now.kind == WORD else None
    found = form(p) if form is not None else None
    if found is not None:
        return found
    stored = p.take("stored")
    walk = p.name(WALK)
    if walk is None:
        return named(p, opening, stored)
    if not stored and p.take("of"):
        return t.PathCost(parse_thing(p, t.PATH), walk)
    p.expect("from")
    start = parse_thing(p)
    p.expect("to")
    return t.WalkCost(start, parse_thing(p), walk)


def _starting(p: Cursor) -> t.Num_:
    """`starting R`: what the number was at first"""
    p.next()
    resource = p.resource_named(p.need(RESOURCE))
    owners = [parse_thing(p, t.ACTOR)] if p.take("of") else default_owners(p, resource, p.now)
    return t.Starting(resource, owners)


def _among(p: Cursor) -> t.Num_ | None:
    """`total E among SELECTOR`; E is about the candidate, which is only known after `among`."""
    if p.peek_name(RESOURCE):
        return None
    at = p.at
    how = p.next().text
    if how == "highest" and tally_highest_here(p):
        return tally(p, read_number(p))
    it = p.scope.new_it("?")
    mark, depth = p.at, 0
    while not (p.now.is_("among") and depth == 0):
        if p.now.kind in (END, NEWLINE):
            p.at = at
            return None
        depth += nests(p.now.text)
        p.next()
    stop = p.at
    p.next()
    selector = parse_selector(p, default="each")
    end, p.at = p.at, mark
    p.scope.locals[it.name] = selector.type
    with p.scope.about(t.TLocal(selector.it, selector.type)):
        value = read_number(p)
    if p.at != stop:
        raise p.fail("unexecutable", f"'{p.now.text}' is not part of a number")
    p.at = end
    return t.Aggregate(how, value, selector)


def _coordinate(p: Cursor) -> t.Num_ | None:
    if not p.ahead().is_("of"):
        return None
    what = p.next().text
    p.next()
    return t.Coordinate(what, parse_standing(p))


BRACKETS: dict[str, Callable[[Cursor], t.Num_ | None]] = {
    "number": forms(form("number of seats", t.SeatCount), form("number of {each}", t.Count)),
    "starting": _starting,
    "natural": forms(
        form("natural face", lambda: t.NaturalFace("face")), form("natural die", lambda: t.NaturalFace("die"))
    ),
    "total": _among,
    "highest": _among,
    "lowest": _among,
    "distance": form("distance from {standing} to {standing}", t.Distance),
    "side": form("side of {standing} toward {standing}", t.FacedSide),
    "steps": form("steps of {thing}", t.PathLength),
    "place": form("place of {thing} in {order}", t.Rank),
    "bearing": form("bearing from {space} to {space}", t.Course),
    "x": _coordinate,
    "y": _coordinate,
}
"""Numbers in brackets that begin with a word of the language."""
