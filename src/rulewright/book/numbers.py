"""Tokens -> numbers: sums, dice, and everything that can stand in brackets.

In:  tokens.
Out: Num_ of the tree.
"""

from __future__ import annotations

import re

from rulewright.book import tree as t
from rulewright.book.named import Named
from rulewright.book.scope import Mistake
from rulewright.book.tokens import DICE, END, NEWLINE, NUMBER, WORD, Token


class Numbers(Named):
    """The grammar of numbers."""

    def number(self) -> t.Num_:
        """sum := product { + - product }"""
        left = self._product()
        while self.now.is_("+", "-"):
            op = self.next().text
            left = t.Arith(op, left, self._product())
        return left

    def _product(self) -> t.Num_:
        left = self._factor()
        while self.now.is_("*", "/", "mod"):
            op = self.next().text
            left = t.Arith(op, left, self._factor())
        return left

    def _factor(self) -> t.Num_:
        token = self.now
        if token.kind == NUMBER:
            self.next()
            if self.now.kind == DICE and self.now.text.startswith("d"):
                sides = int(self.next().text[1:])
                return self._dice(t.Num(int(token.text)), sides, token)
            if self.symbols.frameworks and self.now.is_(".") and self.ahead().kind == NUMBER:
                raise self.fail("unexecutable", "numbers are whole", token)
            return t.Num(int(token.text))
        if token.kind == DICE:
            self.next()
            count, sides = token.text.split("d")
            return self._dice(t.Num(int(count or 1)), int(sides), token)
        if token.is_("-") and self.symbols.frameworks and not token.core:
            raise self.fail("unexecutable", "a number has no sign of its own; write `0 - ...`")
        if token.is_("-"):
            self.next()
            return t.Arith("-", t.Num(0), self._factor())
        if token.is_("["):
            return self.bracket()
        if token.is_("roll"):
            self.next()
            count = self._factor() if self.now.is_("[", "(") or self.now.kind == NUMBER else t.Num(1)
            if isinstance(count, t.Dice):
                return count
            if self.now.is_("d") and self.ahead().is_("["):
                self.next()
                return t.Dice(count, self.bracket(), token.line)
            if self.now.kind == DICE and self.now.text.startswith("d"):
                return self._dice(count, int(self.next().text[1:]), token)
            if isinstance(count, t.Dice):
                return count
            raise self.fail("bad-dice", "roll needs dice, such as `roll [N] d6`")
        if token.is_("whole") and self.ahead().is_("("):
            self.at += 2
            inner = self.number()
            self.expect(")")
            return t.Final(inner)
        if token.is_("outside") and self.ahead().is_("("):
            # Inside a selector: numbers of self again, and not of the candidate.
            self.at += 2
            before, self.scope.owner = self.scope.owner, None
            try:
                inner = self.number()
            finally:
                self.scope.owner = before
            self.expect(")")
            return inner
        if token.is_("max", "min", "abs") and self.ahead().is_("("):
            self.next()
            self.next()
            args = [self.number()]
            while self.take(","):
                args.append(self.number())
            self.expect(")")
            return t.Fn(token.text, args)
        if token.is_("("):
            self.next()
            inner = self.number()
            if self.take("if"):
                test = self.check()
                no: t.Num_ = t.Num(0)
                if self.take("else"):
                    no = self.number()
                self.expect(")")
                return t.IfNum(test, inner, no)
            self.expect(")")
            return inner
        if token.is_("#"):
            run = self.component_call(("Value", "Effect", "Table"))
            return run
        if token.kind == WORD and re.fullmatch(r"\d+d\w*|d\d\w*", token.text):
            raise self.fail("bad-dice", f"'{token.text}' is no die; write such as `2d6`")
        if (
            token.kind == WORD
            and (token.text == "d" or token.text.startswith("d"))
            and token.text[1:].isdigit()
        ):
            raise self.fail("bad-dice", f"'{token.text}' is no die")
        raise self.fail("type-mismatch", f"expected a number, found '{token.text or 'the end of the line'}'")

    def _dice(self, count: t.Num_, sides: int, token: Token) -> t.Num_:
        if sides == 0:
            raise Mistake("bad-dice", token, f"'{token.text}' has no faces")
        return t.Dice(count, t.Num(sides, "sides"), token.line)

    # ------------------------------------------------------------ brackets
    def bracket(self) -> t.Num_:
        """`[ ... ]`: a number by name."""
        opening = self.expect("[")
        value = self._inside(opening)
        if not self.now.is_("]"):
            raise self.fail("unexecutable", f"'{self.now.text}' does not belong in these brackets")
        self.next()
        return value

    def _inside(self, opening: Token) -> t.Num_:
        if self.symbols.frameworks and not opening.core:
            plain = self.reference(opening)
            if plain is not None:
                return plain
        if self.take("number", "of", "seats"):
            return t.Geometry("seats", [])
        if self.take("number", "of"):
            return t.Count(self.selector(default="each"))
        for how in ("total", "highest", "lowest"):
            if self.now.is_(how) and not self.peek_name(self.resources):
                at = self.at
                self.next()
                if how == "highest" and self._tally_highest_here():
                    return self._tally(self.number())
                it = self.scope.new_it("?")
                mark = self.at
                # The value is about the candidate, which is only known after `among`.
                depth = 0
                while not (self.now.is_("among") and depth == 0):
                    if self.now.kind in (END, NEWLINE):
                        self.at = at
                        break
                    depth += self.now.is_("[", "(") - self.now.is_("]", ")")
                    self.next()
                if self.at == at:
                    break
                stop = self.at
                self.next()
                selector = self.selector(default="each")
                end = self.at
                self.at = mark
                self.scope.locals[it.name] = selector.type
                value = self._about(t.TLocal(selector.it, selector.type), self.number)
                if self.at != stop:
                    raise self.fail("unexecutable", f"'{self.now.text}' is not part of a number")
                self.at = end
                return t.Aggregate(how, value, selector)
        if self.take("distance", "from"):
            a = self.thing()
            self.expect("to")
            return t.Geometry("distance", [a, self.thing()])
        if self.take("side", "of"):
            a = self.thing()
            self.expect("toward")
            return t.Geometry("side", [a, self.thing()])
        if self.take("steps", "of"):
            return t.Geometry("steps", [self.thing()])
        if self.take("place", "of"):
            x = self.thing()
            self.expect("in")
            order = self.name(self.symbols.orders)
            if order is None:
                raise self.unknown("order", self.symbols.orders)
            return t.Geometry("rank", [x], order)
        if self.now.is_("x", "y") and self.ahead().is_("of"):
            what = self.next().text
            self.next()
            return t.Geometry(what, [self.thing()])
        special = self.special_number()
        if special is not None:
            return special
        stored = self.take("stored")
        walk = self.name(self.symbols.walks) if self.peek_name(self.symbols.walks) else None
        if walk is not None:
            self.expect("from")
            a = self.thing()
            self.expect("to")
            return t.Geometry("walk", [a, self.thing()], walk)
        return self._named(opening, stored)
