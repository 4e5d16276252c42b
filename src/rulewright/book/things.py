"""Tokens -> things: roles, coordinates, groups, and everything that words and calls name.

In:  tokens.
Out: Thing_ of the tree, of the kind that is wanted.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.scope import ONE, Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import DICE, END, MARK, NUMBER, STRING, WORD
from rulewright.book.words import Words


class Things(Words):
    """The grammar of things."""

    def thing(self, want: str | None = None) -> t.Thing_:
        """One thing; `want` helps to tell words apart and is checked."""
        token = self.now
        found = self._thing(want)
        while self.now.is_("'s"):
            self.next()
        if want is not None and found.type != want and not self._fits(found, want):
            raise Mistake("type-mismatch", token, f"expected a {want}, found a {found.type}")
        if want == t.SPACE and found.type == t.ACTOR:
            return t.TBuiltin("space", t.SPACE, [found])
        if want == t.FACE and found.type == t.CARD:
            return t.TBuiltin("face", t.FACE, [found])
        return found

    def _fits(self, found: t.Thing_, want: str) -> bool:
        if isinstance(found, t.TConst) and found.id == -1:
            found.type = want
            return True
        return (want == t.SPACE and found.type == t.ACTOR) or (want == t.FACE and found.type == t.CARD)

    def _thing(self, want: str | None) -> t.Thing_:
        token = self.now
        if token.is_("("):
            return self._grouped(want)
        if token.is_("#"):
            run = self.component_call(("Value", "Effect", "Table"))
            return run
        if token.kind not in (WORD, NUMBER, MARK, DICE) and not (token.kind == STRING and want is not None):
            raise self.fail(
                "type-mismatch", f"expected a thing, found '{token.text or 'the end of the line'}'"
            )
        simple = self._simple_thing(want)
        if simple is not None:
            return simple
        if token.text in ONE or (token.is_("adjacent") and not self.ahead().is_("to")) or self._noun_ahead():
            selector = self.selector(default="the")
            return t.TSelect(selector, selector.type)
        raise self._unknown_thing(want)

    def _unknown_thing(self, want: str | None) -> Mistake:
        names: list[str] = []
        table = self.symbols.list_of(want) if want else None
        if table is not None:
            names = table.words
        elif want in (None, t.ACTOR):
            names = [a.name for a in self.symbols.actors] + list(self.scope.locals)
        if want is None:
            for table in (*self.symbols.lists.values(), self.symbols.faces):
                names = names + table.words
        return self.unknown(want.lower() if want else "thing", names)

    def _grouped(self, want: str | None) -> t.Thing_:
        at = self.at
        if want in (None, t.PLACE, t.SPACE):
            spot = self._coordinates(want)
            if spot is not None:
                return spot
        self.at = at
        self.expect("(")
        yes = self.thing(want)
        if self.take("if"):
            test = self.check()
            self.expect("else")
            no = self.thing(want)
            self.expect(")")
            return t.TIf(test, yes, no, yes.type)
        self.expect(")")
        return yes

    def _coordinates(self, want: str | None) -> t.Thing_ | None:
        """`(2,1)`: a named space, or a position on a map whose spaces are laid during play."""
        at = self.at
        text = ""
        while self.now.kind != END and len(text) < 12:
            text += self.next().text
            if text.endswith(")"):
                break
        if text in self.symbols.space_names:
            return t.TConst(t.SPACE, self.symbols.space_names[text])
        inner = text.strip("()").split(",")
        if any(m.grid == "spots" for m in self.symbols.maps.values()) and len(inner) == 2:
            try:
                x, y = int(inner[0]), int(inner[1])
            except ValueError:
                self.at = at
                return None
            place = t.TConst(t.PLACE, (x + 64) * 128 + y + 64)
            return place if want == t.PLACE else t.TBuiltin("at", t.SPACE, [place])
        self.at = at
        return None

    def _simple_thing(self, want: str | None) -> t.Thing_ | None:
        token = self.now
        at = self.at
        quoted = self._quoted(want) if want is not None else None
        if quoted is not None:
            return quoted
        spot = self._spot() if self.symbols.frameworks and want in (None, t.SPACE) else None
        if spot is not None:
            return spot
        if token.kind == WORD and token.text in self.scope.things:
            self.next()
            return self.scope.things[token.text]
        if token.is_("aim") and self.symbols.frameworks:
            self.next()
            return t.TBuiltin("aim", t.ACTOR)
        if self.symbols.walks and token.is_("the") and self.walk_ahead(1):
            return self.way()
        if token.is_("none"):
            self.next()
            return t.TConst(want or "none", -1)
        if token.is_("self"):
            self.next()
            return self.me()
        if token.is_("it"):
            self.next()
            if self.scope.it:
                return t.TLocal(self.scope.it[-1].name, self.scope.it[-1].type)
            found = self.scope.local("it")
            if found is not None:
                return t.TLocal(*found)
            raise self.fail("unknown-name", "there is nothing here that 'it' could be", token)
        if token.is_("active"):
            self.next()
            return t.TBuiltin("active", t.ACTOR)
        if token.is_("seat") and (self.ahead().is_("[") or self.ahead().kind == NUMBER):
            self.next()
            return t.TBuiltin("seat", "Seat", [self._factor()])
        if self.take("last", "space"):
            return t.TBuiltin("last space", t.SPACE)
        if self.take("space", "at"):
            return t.TBuiltin("at", t.SPACE, [self.thing(t.PLACE)])
        if token.is_("space") and self.ahead().is_("of"):
            self.next()
            self.next()
            return t.TBuiltin("space", t.SPACE, [self.thing()])
        if (
            token.is_("space")
            and norm(self.ahead().text) in self.symbols.directions.numbers
            and self.ahead(2).is_("of")
        ):
            self.next()
            direction = self.thing(t.DIRECTION)
            self.expect("of")
            return t.TBuiltin("neighbour", t.SPACE, [direction, self.thing(t.SPACE)])
        if token.is_("space") and self.ahead().is_("toward"):
            self.next()
            self.next()
            direction = self.thing(t.DIRECTION)
            self.expect("of")
            return t.TBuiltin("neighbour", t.SPACE, [direction, self.thing(t.SPACE)])
        if self.take("direction", "from"):
            a = self.thing(t.SPACE)
            self.expect("to")
            return t.TBuiltin("direction", t.DIRECTION, [a, self.thing(t.SPACE)])
        if (
            self.now.is_("end")
            and self.ahead().is_("of")
            and (self.scope.local(self.ahead(2).text) or ("", ""))[1] == t.PATH
        ):
            self.at += 2
            return t.TBuiltin("path end", t.SPACE, [self.thing(t.PATH), self.me()])
        if self.take("facing", "of"):
            return t.TBuiltin("facing", t.DIRECTION, [self.thing(t.ACTOR)])
        if self.take("terrain", "of"):
            return t.TBuiltin("terrain", "Terrain", [self.thing(t.SPACE)])
        if self.take("owner", "of"):
            return t.TBuiltin("owner", t.ACTOR, [self.thing(t.CARD)])
        if self.take("side", "of"):
            return t.TBuiltin("side", t.SIDE, [self.thing(t.ACTOR)])
        if self.take("face", "of") or self.take("Face", "of"):
            return t.TBuiltin("face", t.FACE, [self.thing(t.CARD)])
        if self.take("source", "of"):
            status = self.status()
            owner = self.thing(t.ACTOR) if self.take("of") else self.bearer()
            return t.TBuiltin("source", t.ACTOR, [status, owner])
        if self.now.is_("next", "previous", "opposite") and not self.scope.local(self.now.text):
            word = self.next().text
            thing = self.thing()
            return t.TBuiltin(word, thing.type, [thing])
        if self.now.is_("turned") and want in (None, t.DIRECTION):
            self.next()
            inner = self.thing(t.DIRECTION)
            self.expect("by")
            return t.TBuiltin("turned", t.DIRECTION, [inner, self.number()])
        if (self.now.is_("the") and self.ahead().is_("top", "bottom") and self.ahead(2).is_("card")) or (
            self.now.is_("top", "bottom") and self.ahead().is_("card")
        ):
            self.take("the")
            what = self.next().text
            self.next()
            self.expect("of")
            zone, owner = self.zone()
            made: t.Thing_ = t.TBuiltin(what, t.CARD, [zone, owner])
            if self.take(",", "or", "else") or self.take("or", "else"):
                other = self.thing(t.CARD)
                made = t.TBuiltin("orelse", t.CARD, [made, other])
            return made
        local = self._local_thing()
        if local is not None:
            return local
        held = self._held(want)
        if held is not None:
            return held
        word = self._word(want)
        if word is not None:
            return word
        self.at = at
        return None

    def status(self) -> str | t.Thing_:
        """A status by name, or a thing that is one: `it`, a parameter."""
        name = self.status_name()
        if name is not None:
            return name
        at = self.at
        if self.now.kind == WORD and self.now.text.islower():
            found = self._simple_thing(t.STATUS)
            if found is not None and found.type == t.STATUS:
                return found
        self.at = at
        raise self.unknown("status", [s.name for s in self.symbols.statuses.values()])
