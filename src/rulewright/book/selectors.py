"""Tokens -> selectors: quantifier, adjectives, noun, relations, where, preference, or else.

In:  the grammar of numbers and things.
Out: t.Selector.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.nouns import Nouns
from rulewright.book.scope import ONE, Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import WORD


class Selectors(Nouns):
    """The grammar of selectors."""

    def _noun_ahead(self) -> bool:
        at = self.at
        try:
            n = 0
            while n < 4 and self.adjective(t.TLocal("probe", "?"), probe=True):
                n += 1
            return self.noun() is not None
        except Mistake:
            return False
        finally:
            self.at = at

    def selector(self, default: str = "each") -> t.Selector:
        """The whole phrase."""
        token = self.now
        quantifier, amount = self.quantifier(default)
        it = self.scope.new_it("?")
        made = t.Selector(quantifier, "", "?", it.name, amount, line=token.line)
        adjectives: list[t.Cond_] = []
        nearest_first = False
        other = beside = False
        while True:
            if self.now.is_("adjacent") and not self.ahead().is_("to"):
                self.next()
                beside = True
                continue
            if self.take("nearest"):
                nearest_first = True
                continue
            if self.now.is_("other") and not self.ahead().is_("than"):
                self.next()
                other = True
                continue
            at = self.at
            if self.noun() is not None and not self.adjective_wins(at):
                self.at = at
                break
            self.at = at
            found = self.adjective(it)
            if found is None:
                break
            if not isinstance(found, bool):
                adjectives.append(found)
        noun = self.noun()
        if noun is None:
            raise self.unknown(
                "sort of thing",
                [
                    "actor",
                    "ally",
                    "enemy",
                    "card",
                    "space",
                    *[x.name for x in self.symbols.lists.values()],
                    *self.symbols.templates,
                ],
            )
        made.noun, made.type = noun
        it.type = made.type
        self.scope.locals[it.name] = made.type
        self._retype(adjectives, it)
        self._check_adjectives(adjectives, it, token)
        made.tests += adjectives
        before = (self.scope.owner, len(self.scope.it))
        self._relations(made, it)
        if other:
            made.tests.append(t.Never(t.Same(it, self.me())))
        if beside:
            made.tests.append(self._adjacent(it, self.me()))
        self.scope.owner = it
        self.scope.it.append(it)
        try:
            if self.take("where"):
                made.tests.append(self.check())
            if nearest_first:
                made.prefs.append(t.Pref(True, t.Geometry("distance", [self.me(), it])))
            self._preferences(made, it)
        finally:
            self.scope.owner = before[0]
            self.scope.it.pop()
        self._relations(made, it)
        self._late(made, it)
        if self.now.is_("or") and self.ahead().is_("else") and quantifier in ONE:
            self.next()
            self.next()
            made.orelse = self.thing(made.type)
        elif self.now.is_(",") and self.ahead().is_("or") and self.ahead(2).is_("else") and quantifier in ONE:
            self.at += 3
            made.orelse = self.thing(made.type)
        return made

    def _late(self, made: t.Selector, it: t.TLocal) -> None:
        """More preferences after the last relation, and lots for whoever is still equal."""
        if (
            self.now.is_(",")
            and self.ahead().is_("then")
            and self.ahead(2).is_("lowest", "highest", "nearest", "by", "those")
        ):
            self.at += 2
            made.prefs += self.preference_list(it)
        comma = self.now.is_(",") and self.ahead().is_("by") and self.ahead(2).is_("lot")
        if comma or (self.now.is_("by") and self.ahead().is_("lot")):
            self.at += 3 if comma else 2
            made.lots = True
            order = norm(str(self.symbols.front.get("triggers", "")))
            if made.type == t.ACTOR and order in self.symbols.preferences:
                made.lots_order = self.preference_named(order, it)
            if self.take("among", "those", "where"):
                before = self.scope.owner
                self.scope.owner = it
                self.scope.it.append(it)
                try:
                    made.lots_for = self.check()
                finally:
                    self.scope.owner = before
                    self.scope.it.pop()

    def _relations(self, made: t.Selector, it: t.TLocal) -> None:
        while True:
            if self.now.is_("in") and self._zone_ahead():
                self.next()
                zone, owner = self.zone()
                made.domain, made.domain_args = "zone", [zone, owner]
            elif self.now.is_("in") and self._order_ahead():
                self.next()
                order = self.name(self.symbols.orders)
                made.domain, made.domain_args = "order", [order]
            elif self.take("at"):
                made.tests.append(t.Same(t.TBuiltin("space", t.SPACE, [it]), self.thing(t.SPACE)))
            elif self.now.is_("on") and made.type in (t.SPACE, t.ACTOR):
                self.next()
                where = self.thing()
                if where.type == t.LINE:
                    if made.type == t.SPACE:
                        made.domain, made.domain_args = "line", [where]
                    else:
                        inner = self.scope.new_it(t.SPACE)
                        probe = t.Selector("some", "space", t.SPACE, inner.name, None, "line", [where])
                        probe.tests.append(t.Same(inner, t.TBuiltin("space", t.SPACE, [it])))
                        made.tests.append(t.Exists(probe))
                elif where.type == t.PATH:
                    made.domain, made.domain_args = "path", [where, self.me()]
                    self.scope.locals["from"] = t.SPACE
                else:
                    space = it if made.type == t.SPACE else t.TBuiltin("space", t.SPACE, [it])
                    made.tests.append(
                        t.Same(
                            space, where if where.type == t.SPACE else t.TBuiltin("space", t.SPACE, [where])
                        )
                    )
            elif self.take("from"):
                a = self.thing(t.SPACE)
                self.expect("to")
                made.domain, made.domain_args = "lines", [a, self.thing(t.SPACE)]
            elif self.take("adjacent", "to"):
                other = self.thing()
                if made.type == t.SPACE and made.domain == "all":
                    made.domain, made.domain_args = "adjacent", [other]
                else:
                    made.tests.append(self._adjacent(it, other))
            elif self.take("within"):
                amount = self.number()
                for word in ("space", "spaces", "tile", "tiles"):
                    self.take(word)
                where = self.thing() if self.take("of") else self.me()
                made.tests.append(t.Compare("<=", t.Geometry("distance", [it, where]), amount))
            elif self.take("other", "than"):
                made.tests.append(t.Never(t.Same(it, self.thing(made.type))))
            elif self.take("out", "of", "play"):
                made.out_of_play = True
            elif self.take("anywhere"):
                made.anywhere = True
            elif self.now.is_("of") and made.type == t.CARD:
                self.next()
                made.tests.append(t.Same(t.TBuiltin("owner", t.ACTOR, [it]), self.thing(t.ACTOR)))
            elif self.now.is_("of") and made.type == t.SPACE and self.ahead().kind == WORD:
                at = self.at
                self.next()
                zone = self._map_zone()
                if zone is None:
                    self.at = at
                    return
                made.domain, made.domain_args = "zone of map", [zone]
            elif self.now.is_("of") and made.type == t.STATUS:
                self.next()
                made.tests.append(t.Related("bears", self.thing(t.ACTOR), it))
            elif self.now.is_("of") and made.type == t.ACTOR and made.noun in ("ally", "enemy"):
                self.next()
                made.domain_args = ["of", self.thing(t.ACTOR)]
            else:
                return

    def _adjacent(self, it: t.TLocal, other: t.Thing_) -> t.Cond_:
        made: t.Cond_ = t.Compare("==", t.Geometry("adjacent", [it, other]), t.Num(1, "-"))
        if it.type == other.type == t.ACTOR:
            return t.Both([t.Never(t.Same(it, other)), made])
        return made

    def _map_zone(self) -> tuple[str, str] | None:
        """The map and the zone of it that is named here."""
        for map_ in self.symbols.maps.values():
            key = self.name({norm(z) for z in map_.zones})
            if key is not None:
                return map_.name, next(z for z in map_.zones if norm(z) == key)
        return None

    def _zone_ahead(self) -> bool:
        self.at += 1
        found = self.peek_name(self.symbols.zones)
        self.at -= 1
        return found is not None

    def _order_ahead(self) -> bool:
        self.at += 1
        found = self.peek_name(self.symbols.orders)
        self.at -= 1
        return found is not None
