"""Tokens -> numbers: sums, dice, and everything that can stand in brackets.

In:  tokens.
Out: Num_ of the tree.
"""

from __future__ import annotations

import re
from functools import partial

from rulewright.book import tree as t
from rulewright.book.grammar.calls import component_call
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check, parse_selector, parse_thing, reads
from rulewright.book.grammar.named import about, named, tally, tally_highest_here
from rulewright.book.grammar.references import reference
from rulewright.book.grammar.scope import Mistake
from rulewright.book.grammar.ways import special_number
from rulewright.book.text.tokens import DICE, END, NEWLINE, NUMBER, WORD, Token, nests

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
    left = read_factor(p)
    while p.now.is_("*", "/", "mod"):
        op = p.next().text
        left = t.Arith(op, left, read_factor(p))
    return left


@reads("factor")
def read_factor(p: Cursor) -> t.Num_:
    token = p.now
    if token.kind == NUMBER:
        p.next()
        if p.now.kind == DICE and p.now.text.startswith("d"):
            sides = int(p.next().text[1:])
            return _dice(t.Num(int(token.text)), sides, token)
        if p.symbols.frameworks and p.now.is_(".") and p.ahead().kind == NUMBER:
            raise p.fail("unexecutable", "numbers are whole", token)
        return t.Num(int(token.text))
    if token.kind == DICE:
        p.next()
        count, sides = token.text.split("d")
        return _dice(t.Num(int(count or 1)), int(sides), token)
    if token.is_("-") and p.symbols.frameworks and not token.core:
        raise p.fail("unexecutable", "a number has no sign of its own; write `0 - ...`")
    if token.is_("-"):
        p.next()
        return t.Arith("-", t.Num(0), read_factor(p))
    if token.is_("["):
        return read_bracket(p)
    if token.is_("roll"):
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
        if isinstance(count, t.Dice):
            return count
        raise p.fail("bad-dice", "roll needs dice, such as `roll [N] d6`")
    if token.is_("whole") and p.ahead().is_("("):
        p.at += 2
        inner = read_number(p)
        p.expect(")")
        return t.Final(inner)
    if token.is_("outside") and p.ahead().is_("("):
        # Inside a selector: numbers of self again, and not of the candidate.
        p.at += 2
        before, p.scope.owner = p.scope.owner, None
        try:
            inner = read_number(p)
        finally:
            p.scope.owner = before
        p.expect(")")
        return inner
    if token.is_("max", "min", "abs") and p.ahead().is_("("):
        p.next()
        p.next()
        args = [read_number(p)]
        while p.take(","):
            args.append(read_number(p))
        p.expect(")")
        return t.Fn(token.text, args)
    if token.is_("("):
        p.next()
        inner = read_number(p)
        if p.take("if"):
            test = parse_check(p)
            no: t.Num_ = t.Num(0)
            if p.take("else"):
                no = read_number(p)
            p.expect(")")
            return t.IfNum(test, inner, no)
        p.expect(")")
        return inner
    if token.is_("#"):
        run = component_call(p, ("Value", "Effect", "Table"))
        return run
    closed = p.symbols.frameworks and not token.core
    if token.kind == WORD and not closed and DICE_OF.fullmatch(token.text) and p.ahead().is_("["):
        p.next()
        return t.Dice(t.Num(int(token.text[:-1])), read_bracket(p), token.line)
    if token.kind == WORD and re.fullmatch(r"\d+d\w*|d\d\w*", token.text):
        raise p.fail("bad-dice", f"'{token.text}' is no die; write such as `2d6`")
    if token.kind == WORD and (token.text == "d" or token.text.startswith("d")) and token.text[1:].isdigit():
        raise p.fail("bad-dice", f"'{token.text}' is no die")
    raise p.fail("type-mismatch", f"expected a number, found '{token.text or 'the end of the line'}'")


def _dice(count: t.Num_, sides: int, token: Token) -> t.Num_:
    if sides == 0:
        raise Mistake("bad-dice", token, f"'{token.text}' has no faces")
    return t.Dice(count, t.Num(sides, "sides"), token.line)


# ------------------------------------------------------------ brackets
@reads("bracket")
def read_bracket(p: Cursor) -> t.Num_:
    """`[ ... ]`: a number by name."""
    opening = p.expect("[")
    value = _inside(p, opening)
    if not p.now.is_("]"):
        raise p.fail("unexecutable", f"'{p.now.text}' does not belong in these brackets")
    p.next()
    return value


def _inside(p: Cursor, opening: Token) -> t.Num_:
    if p.symbols.frameworks and not opening.core:
        plain = reference(p, opening)
        if plain is not None:
            return plain
    if p.take("number", "of", "seats"):
        return t.SeatCount()
    if p.take("number", "of"):
        return t.Count(parse_selector(p, default="each"))
    for how in ("total", "highest", "lowest"):
        if p.now.is_(how) and not p.peek_name(p.resources):
            at = p.at
            p.next()
            if how == "highest" and tally_highest_here(p):
                return tally(p, read_number(p))
            it = p.scope.new_it("?")
            mark = p.at
            # The value is about the candidate, which is only known after `among`.
            depth = 0
            while not (p.now.is_("among") and depth == 0):
                if p.now.kind in (END, NEWLINE):
                    p.at = at
                    break
                depth += nests(p.now.text)
                p.next()
            if p.at == at:
                break
            stop = p.at
            p.next()
            selector = parse_selector(p, default="each")
            end = p.at
            p.at = mark
            p.scope.locals[it.name] = selector.type
            value = about(p, t.TLocal(selector.it, selector.type), partial(read_number, p))
            if p.at != stop:
                raise p.fail("unexecutable", f"'{p.now.text}' is not part of a number")
            p.at = end
            return t.Aggregate(how, value, selector)
    if p.take("distance", "from"):
        a = parse_thing(p)
        p.expect("to")
        return t.Distance(a, parse_thing(p))
    if p.take("side", "of"):
        a = parse_thing(p)
        p.expect("toward")
        return t.FacedSide(a, parse_thing(p))
    if p.take("steps", "of"):
        return t.PathLength(parse_thing(p))
    if p.take("place", "of"):
        x = parse_thing(p)
        p.expect("in")
        order = p.name(p.symbols.orders)
        if order is None:
            raise p.unknown("order", p.symbols.orders)
        return t.Rank(x, order)
    if p.now.is_("x", "y") and p.ahead().is_("of"):
        what = p.next().text
        p.next()
        return t.Coordinate(what, parse_thing(p))
    special = special_number(p)
    if special is not None:
        return special
    stored = p.take("stored")
    walk = p.name(p.symbols.walks) if p.peek_name(p.symbols.walks) else None
    if walk is not None:
        p.expect("from")
        a = parse_thing(p)
        p.expect("to")
        return t.WalkCost(a, parse_thing(p), walk)
    return named(p, opening, stored)
