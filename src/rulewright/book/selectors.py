"""Tokens -> selectors: quantifier, adjectives, noun, relations, where, preference, or else.

In:  the grammar of numbers and things.
Out: t.Selector.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.scope import ONE, Mistake
from rulewright.book.symbols import norm
from rulewright.book.things import Things
from rulewright.book.tokens import NUMBER, WORD, Token


class Selectors(Things):
    """The grammar of selectors."""

    # ------------------------------------------------------------ selectors
    def _noun_ahead(self) -> bool:
        at = self.at
        try:
            n = 0
            while n < 4 and self._adjective(t.TLocal("probe", "?"), probe=True):
                n += 1
            return self._noun() is not None
        except Mistake:
            return False
        finally:
            self.at = at

    def _noun(self) -> tuple[str, str] | None:
        """The noun here: (noun, type)."""
        fixed = {
            "actor": t.ACTOR, "actors": t.ACTOR, "ally": t.ACTOR, "allies": t.ACTOR, "enemy": t.ACTOR,
            "enemies": t.ACTOR,
            "card": t.CARD, "cards": t.CARD, "space": t.SPACE, "spaces": t.SPACE, "tile": t.SPACE,
            "tiles": t.SPACE,
            "line": t.LINE, "face": t.FACE, "faces": t.FACE, "direction": t.DIRECTION,
            "directions": t.DIRECTION, "place": t.PLACE, "places": t.PLACE,
            "side": t.SIDE, "sides": t.SIDE, "status": t.STATUS, "statuses": t.STATUS,
        }  # fmt: skip
        singular = {
            "actors": "actor", "allies": "ally", "enemies": "enemy", "cards": "card", "spaces": "space",
            "tile": "space", "tiles": "space", "faces": "face", "directions": "direction",
            "places": "place", "sides": "side", "statuses": "status",
        }  # fmt: skip
        if self.now.kind == WORD and self.now.text in fixed:
            word = self.next().text
            return singular.get(word, word), fixed[word]
        templates: dict[str, str] = {}
        for key in self.symbols.templates:
            templates[key] = key
            templates[key + "s"] = key
            templates[key.lower()] = key
            templates[key.lower() + "s"] = key
        name = self.name(templates)
        if name is not None:
            return "template:" + templates[name], t.ACTOR
        lists: dict[str, str] = {}
        for table in (*self.symbols.lists.values(), self.symbols.sides, self.symbols.terrains):
            for form in (table.name, table.name + "s", table.name.lower(), table.name.lower() + "s"):
                lists.setdefault(norm(form), table.name)
        name = self.name(lists)
        if name is not None:
            return "list", lists[name]
        return None

    def selector(self, default: str = "each", noun_type: str | None = None) -> t.Selector:
        """The whole phrase."""
        token = self.now
        quantifier, amount = self._quantifier(default)
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
            if self._noun() is not None and not self._adjective_wins(at):
                self.at = at
                break
            self.at = at
            found = self._adjective(it)
            if found is None:
                break
            if not isinstance(found, bool):
                adjectives.append(found)
        noun = self._noun()
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
            if made.type == t.ACTOR and self.symbols.front.get("triggers"):
                made.lots_order = self.preference_named(norm(str(self.symbols.front["triggers"])), it)
            if self.take("among", "those", "where"):
                before = self.scope.owner
                self.scope.owner = it
                self.scope.it.append(it)
                try:
                    made.lots_for = self.check()
                finally:
                    self.scope.owner = before
                    self.scope.it.pop()

    def _retype(self, adjectives: list[t.Cond_], it: t.TLocal) -> None:
        for test in adjectives:
            inner = test.part if isinstance(test, t.Never) else test
            if isinstance(inner, (t.Has, t.IsWord)) and isinstance(inner.thing, t.TLocal):
                inner.thing.type = it.type
            if isinstance(inner, t.RunCheck):
                for arg in inner.args:
                    if isinstance(arg, t.TLocal) and arg.name == it.name:
                        arg.type = it.type

    def _adjective_wins(self, at: int) -> bool:
        """A noun that is followed by another noun was an adjective: `Poisoned enemy`, `hero card`."""
        after = self.at
        again = self._noun()
        self.at = after
        return again is not None and not self.now.is_("of", "in", "at", "where")

    def _check_adjectives(self, tests: list[t.Cond_], it: t.TLocal, token: Token) -> None:
        for n, test in enumerate(tests):
            inner = test.part if isinstance(test, t.Never) else test
            if isinstance(inner, t.IsWord):
                made = self.word_test(it, inner.list, inner.word)
                if made is None:
                    raise Mistake("type-mismatch", token, f"a {it.type} cannot be that")
                tests[n] = t.Never(made) if isinstance(test, t.Never) else made

    def word_test(self, thing: t.Thing_, list_name: str, number: int) -> t.Cond_ | None:
        """`X is WORD`: by identity, by the column of that list, or by what the thing stands on."""
        if thing.type == list_name:
            return t.Same(thing, t.TConst(list_name, number))
        if list_name == t.FACE and thing.type == t.CARD:
            return t.Same(t.TBuiltin("face", t.FACE, [thing]), t.TConst(t.FACE, number))
        if list_name == "Terrain" and thing.type == t.SPACE:
            return t.Has("terrain", thing, number)
        if list_name == t.SIDE and thing.type == t.ACTOR:
            return t.Has("side", thing, number)
        kind = t.FACE if thing.type == t.CARD else ("Terrain" if thing.type == t.SPACE else thing.type)
        table = self.symbols.list_of(kind)
        if table is not None:
            for column in table.columns.values():
                if column.type == list_name:
                    return t.Same(t.TColumn(kind, column.name, thing, list_name), t.TConst(list_name, number))
        for resource in self.resources.values():
            if resource.holds == list_name and resource.of == (thing.type,):
                return t.Same(t.THold(resource, [thing], list_name), t.TConst(list_name, number))
        return None

    def _adjective(self, it: t.TLocal, probe: bool = False) -> t.Cond_ | bool | None:
        at = self.at
        negated = self.take("not")
        start = self.at
        longest = max(
            self._name_end({norm(w) for w in table.words})
            for table in (*self.symbols.lists.values(), self.symbols.faces)
        )
        status = self.status_name() if it.type != t.SPACE else None  # a space has none
        if status is not None and self.at >= longest:
            made: t.Cond_ = t.Has("status", it, self.symbols.statuses[status].index)
            return t.Never(made) if negated else made
        self.at = start
        checks = {
            k
            for k, c in self.components.items()
            if c.kind == "Check" and len(c.params) == 1 and c.params[0].type != t.NUMBER
        }
        checks |= {
            k for k, c in self.components.items() if c.kind == "Check" and (c.implicit or not c.params)
        }
        name = self.name(checks)
        if name is not None and self.at < longest:
            self.at, name = start, None
        if name is not None:
            component = self.component_named(name)
            if len(component.params) == 1 and not component.implicit:
                made = t.RunCheck(component, None, [it])
            else:
                made = t.RunCheck(component, it, [])
            return t.Never(made) if negated else made
        words_at = self.at
        columns = self._mark_column(it)
        marked = self.at
        self.at = words_at
        for table in (
            *self.symbols.lists.values(),
            self.symbols.terrains,
            self.symbols.sides,
            self.symbols.faces,
        ):
            word = self.name({norm(w) for w in table.words})
            if word is not None and columns is not None and self.at <= marked:
                self.at = words_at
                continue
            if word is not None:
                number = next(i for i, w in enumerate(table.words) if norm(w) == word)
                made = t.IsWord(it, table.name, number)
                return t.Never(made) if negated else made
        if columns is not None:
            self.at = marked
            return t.Never(columns) if negated else columns
        self.at = at
        return None

    def _mark_column(self, it: t.TLocal) -> t.Cond_ | None:
        """A column of marks used as an adjective: `a Reach Weapon`, `each WEAPON card`."""
        for table in (
            self.symbols.faces,
            *self.symbols.lists.values(),
            self.symbols.terrains,
            self.symbols.status_list,
        ):
            marks = {norm(c.name) for c in table.columns.values() if c.type == "mark"}
            key = self.name(marks)
            if key is not None:
                column = next(c.name for c in table.columns.values() if norm(c.name) == key)
                return t.Compare("!=", t.ReadColumn(table.name, column, it), t.Num(0, "-"))
        return None

    def _quantifier(self, default: str) -> tuple[str, t.Num_ | None]:
        token = self.now
        if token.kind == NUMBER:
            return "up to", self.number()
        if token.is_("["):
            return "up to", self.bracket()
        if self.take("up", "to"):
            return "up to", self.number()
        for word in (
            "every",
            "each",
            "some",
            "no",
            "random",
            "the",
            "an",
            "a",
            "first",
            "any",
            "all",
            "All",
            "Single",
        ):
            if token.is_(word):
                self.next()
                if word == "the":
                    self.take("first")
                if word in ("a", "an") and self.now.is_("random"):
                    self.next()
                    return "random", None
                return {"all": "every", "All": "every", "any": "some", "Single": "a"}.get(word, word), None
        if token.is_("nearest"):
            return "the", None
        return default, None

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

    def _preferences(self, made: t.Selector, it: t.TLocal) -> None:
        if self.take("nearest"):
            where = self.thing() if self.take("to") else self.me()
            made.prefs.append(t.Pref(True, t.Geometry("distance", [where, it])))
        if self.take("with"):
            made.prefs += self.preference_list(it)
        elif self.now.is_("by") and self.ahead().kind == WORD and not self.ahead().is_("lot"):
            self.next()
            made.prefs += self._by_name(it)
        elif self.now.is_(",") and self.ahead().is_("lowest", "highest"):
            self.next()
            made.prefs += self.preference_list(it)
            self.take("first")
        if (
            self.now.is_(",")
            and self.ahead().is_("then")
            and self.ahead(2).is_("lowest", "highest", "nearest", "by")
        ):
            self.at += 2
            self._preferences_tail(made, it)

    def _preferences_tail(self, made: t.Selector, it: t.TLocal) -> None:
        if self.now.is_("nearest", "by"):
            self._preferences(made, it)
        else:
            made.prefs += self.preference_list(it)

    def _by_name(self, it: t.TLocal) -> list[t.Pref]:
        name = self.name(self.symbols.preferences)
        if name is None:
            raise self.unknown("preference", [d.title for d in self.symbols.preferences.values()])
        return self.preference_named(name, it)

    def preference_named(self, name: str, it: t.TLocal) -> list[t.Pref]:
        """The preference of this name, about a candidate."""
        from rulewright.book.parser import Parser
        from rulewright.book.tokens import tokenize

        definition = self.symbols.preferences[name]
        lines = [line for f in definition.fields for line in f.lines]
        tokens = tokenize(lines, [])
        if definition.line.file in self.symbols.frameworks:
            tokens = [replace(token, core=True) for token in tokens]
        inner = Parser(tokens, self.symbols, self.scope)
        before = inner.scope.owner
        inner.scope.owner = it
        try:
            return inner.preference_list(it)
        finally:
            inner.scope.owner = before

    def preference_list(self, it: t.TLocal) -> list[t.Pref]:
        """`lowest E, then highest E, then those where CHECK`; bare numbers are the candidate's."""
        before = self.scope.owner
        self.scope.owner = it
        self.scope.it.append(it)
        found: list[t.Pref] = []
        try:
            while True:
                if self.now.is_("lowest", "highest"):
                    low = self.next().text == "lowest"
                    value = self._preferred(it)
                    found.append(t.Pref(low, value, self.number() if self.take("per") else None))
                elif self.take("nearest"):
                    where = self.thing() if self.take("to") else self.me()
                    found.append(t.Pref(True, t.Geometry("distance", [where, it])))
                elif self.take("those", "where"):
                    found.append(t.Pref(False, t.Truth(self.check())))
                elif self.now.is_("by") and self.ahead().kind == WORD:
                    self.next()
                    found += self._by_name(it)
                elif self.peek_name(self.symbols.preferences) is not None:
                    found += self._by_name(it)
                else:
                    raise self.fail(
                        "unexecutable",
                        "a preference is `lowest ...`, `highest ...`, `nearest`, `those where ...` "
                        "or `by NAME`",
                    )
                self.take("first")
                if self.now.is_(",") and self.ahead().is_("then"):
                    self.at += 2
                    continue
                if self.take("then"):
                    continue
                return found
        finally:
            self.scope.owner = before
            self.scope.it.pop()

    def _preferred(self, it: t.TLocal) -> t.Num_:
        """A number, or the bare name of one: `with lowest Health`."""
        name = (
            self.peek_name(self.resources)
            if self.now.kind == WORD and not self.now.core and self.symbols.frameworks
            else None
        )
        if name is None:
            if (
                self.now.kind == WORD
                and not self.now.core
                and self.symbols.frameworks
                and not self.now.is_("max", "min", "abs", "roll")
            ):
                raise self.unknown("resource", [r.name for r in self.resources.values()])
            return self.number()
        resource = self.resource_named(name)
        token = self.now
        self.name(self.resources)
        return t.ReadRes(resource, self.default_owners(resource, token))
