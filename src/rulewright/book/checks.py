"""Tokens -> checks: comparisons, predicates of things, some and no, AND, OR, not.

In:  the grammar of numbers, things and selectors.
Out: t.Cond_ nodes.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.scope import COMPARE, Mistake
from rulewright.book.selectors import Selectors
from rulewright.book.symbols import norm
from rulewright.book.tokens import DICE, END, MARK, NEWLINE, NUMBER, STRING, WORD, Token
from rulewright.diagnostics import nearest


class Checks(Selectors):
    """The grammar of checks."""

    # ------------------------------------------------------------ checks
    def check(self) -> t.Cond_:
        """or := and { OR and }"""
        parts = [self._and()]
        while self._joins("or") and not self.ahead().is_("else"):
            self.next()
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else t.Either(parts)

    def _and(self) -> t.Cond_:
        parts = [self._unit()]
        while self._joins("and"):
            self.next()
            parts.append(self._unit())
        return parts[0] if len(parts) == 1 else t.Both(parts)

    def _joins(self, word: str) -> bool:
        """AND or OR, or the same in small letters; a framework's books may mix them."""
        text = self.now.text
        mixed = bool(self.symbols.frameworks) and not self.now.core and text.lower() == word
        return self.now.kind == WORD and (text in (word, word.upper()) or mixed)

    def _unit(self) -> t.Cond_:
        token = self.now
        plain = self.symbols.frameworks and not token.core
        if plain and token.text.lower() == "not":
            listed = self._check_phrase()
            if listed is not None:
                return listed
            raise self.fail("unexecutable", "there is no 'not' before a condition; turn the comparison round")
        if self.take("not"):
            return t.Never(self._unit())
        if token.is_("#"):
            at = self.at
            run = self.component_call()
            if run.component.kind == "Check":
                return t.RunCheck(run.component, run.self_, run.args)
            if plain:
                raise Mistake(
                    "wrong-kind",
                    token,
                    f"'{run.component.name}' is an {run.component.kind} and cannot stand here",
                )
            self.at = at
            return self._comparison() if run.component.gives == t.NUMBER else self._about_thing()
        phrase = self._check_phrase()
        if phrase is not None:
            return phrase
        if plain and token.kind == WORD and not self._core_check_ahead():
            raise self.fail(
                "unexecutable", f"'{self._words_here()}' is no condition that this book knows", token
            )
        sentence = self.sentence(("Check",))
        if sentence is not None:
            return t.RunCheck(sentence.component, sentence.self_, sentence.args)
        if token.is_("some", "no", "any") or (token.is_("there") and self.ahead().is_("is")):
            if self.take("there", "is"):
                token = self.now
            negative = token.is_("no")
            found = t.Exists(self.selector(default="some"))
            return t.Never(found) if negative else found
        if token.is_("("):
            at = self.at
            spot = self._coordinates(None)
            self.at = at
            return self._parenthesis() if spot is None else self._about_thing()
        if self._number_starts():
            return self._comparison()
        bare = self._bare_check()
        if bare is not None:
            return bare
        option = self.peek_name(self.symbols.options)
        if option is not None:
            at = self.at
            self.name(self.symbols.options)
            if self.take("is"):
                negative = self.take("not")
                sym = self.symbols.options[option]
                word = self.name({norm(w) for w in sym.words})
                if word is not None:
                    number = next(i for i, w in enumerate(sym.words) if norm(w) == word)
                    found2: t.Cond_ = t.OptionIs(option, number)
                    return t.Never(found2) if negative else found2
                raise self.unknown(f"word of {sym.name}", sym.words)
            self.at = at
        return self._about_thing()

    def _bare_check(self) -> t.Cond_ | None:
        """A Check's name alone speaks of the thing looked at: `through Open`, `where Free`."""
        if not self.scope.it:
            return None
        at = self.at
        it = self.scope.it[-1]
        found = self.name_of(self.components, lambda c: c.kind == "Check")
        if found is not None and not self.now.is_("is", "of"):
            component = self.component_named(found)
            if len(component.params) == 1 and not component.implicit and component.params[0].type == it.type:
                return t.RunCheck(component, None, [it])
            if it.type == t.ACTOR and (component.implicit or not component.params):
                return t.RunCheck(component, it, [])
        self.at = at
        return None

    def number_or_thing(self) -> t.Num_ | t.Thing_:
        """Whichever it is; in parentheses both can stand."""
        if self._number_starts():
            return self.number()
        if not self.now.is_("("):
            return self.thing()
        at = self.at
        try:
            return self.number()
        except Mistake as mistake:
            self.at = at
            try:
                return self.thing()
            except Mistake:
                raise mistake from None

    def _core_check_ahead(self) -> bool:
        """May words that are no phrase still begin a condition? Names of things may: `Scout is poisoned`."""
        token = self.now
        if token.is_("some", "no", "any", "roll", "max", "min", "abs", "not") or token.text[:1].isdigit():
            return True
        n = 0
        while self.ahead(n).kind in (WORD, NUMBER) and n < 12:
            if self.ahead(n).is_("is", "can", "has", "sees", "lies", "runs", "lowers"):
                return True
            n += 1
        return False

    def _words_here(self) -> str:
        words: list[str] = []
        while (
            self.ahead(len(words)).kind not in (END, NEWLINE)
            and not self.ahead(len(words)).is_("AND", "OR", ",", ";", ")")
            and len(words) < 9
        ):
            words.append(self.ahead(len(words)).text)
        return " ".join(words)

    def _number_starts(self) -> bool:
        token = self.now
        return token.kind in (NUMBER, DICE) or token.is_("[", "-", "roll", "max", "min", "abs")

    def _parenthesis(self) -> t.Cond_:
        at = self.at
        try:
            self.expect("(")
            inner = self.check()
            self.expect(")")
            if self.now.is_(*COMPARE, "+", "-", "*", "/"):
                raise self.fail("unexecutable", "a check is not a number")
            return inner
        except Mistake as first:
            if first.code not in ("unexecutable", "type-mismatch"):
                raise
            self.at = at
            return self._comparison()

    def _comparison(self) -> t.Cond_:
        left = self.number()
        token = self.now
        if token.is_("is"):
            self.next()
            negative = self.take("not")
            found = self._number_is(left)
            return t.Never(found) if negative else found
        if token.is_("==", "=>", "=<"):
            raise self.fail("unexecutable", f"'{token.text}' is no comparison; write '=', '>=' or '<='")
        if token.is_("+=", "-=", "*=", "/="):
            raise self.fail("unexecutable", "an assignment cannot stand in a check")
        if token.kind != MARK or token.text not in COMPARE:
            raise self.fail(
                "unexecutable", f"expected a comparison, found '{token.text or 'the end of the line'}'"
            )
        self.next()
        right = self.number()
        if self.now.kind == MARK and self.now.text in COMPARE:
            raise self.fail("unexecutable", "a comparison cannot be chained; join two with AND")
        return t.Compare(COMPARE[token.text], self.final(left, token), self.final(right, token))

    def final(self, value: t.Num_, token: Token) -> t.Num_:
        """A whole number of a book: where its numbers are never below 0, this is where that holds."""
        if (
            token.core
            or not self.symbols.frameworks
            or not str(self.symbols.front.get("numbers", "")).startswith("never")
        ):
            return value
        return t.Final(value)

    def _number_is(self, left: t.Num_) -> t.Cond_:
        parts: list[t.Cond_] = []
        while True:
            low = self.number()
            if self.take("to"):
                parts.append(t.Both([t.Compare(">=", left, low), t.Compare("<=", left, self.number())]))
            elif self.take("or", "more"):
                parts.append(t.Compare(">=", left, low))
            elif self.take("or", "less"):
                parts.append(t.Compare("<=", left, low))
            else:
                parts.append(t.Compare("==", left, low))
            if self.now.is_(",") and self.ahead().kind == NUMBER:
                self.next()
                continue
            if self.now.is_("or") and self.ahead().kind == NUMBER:
                self.next()
                continue
            return parts[0] if len(parts) == 1 else t.Either(parts)

    def _about_thing(self) -> t.Cond_:
        token = self.now
        thing = self.thing()
        special = self.special_check(thing)
        if special is not None:
            return special
        if self.take("can", "perform"):
            name = self.name(self.symbols.actions)
            if name is None:
                raise self.unknown("action", [a.name for a in self.symbols.actions.values()])
            target = self.thing() if self.take("on") else None
            return t.CanPerform(thing, self.symbols.actions[name], target)
        if self.take("can", "become"):
            return t.CanBecome(thing, self.status())
        if self.take("sees"):
            goal = self.thing(t.SPACE)
            self.expect("unless")
            it = self.scope.new_it(t.SPACE)
            before = self.scope.owner
            self.scope.owner = it
            self.scope.it.append(it)
            try:
                past = self.check()
            finally:
                self.scope.owner = before
                self.scope.it.pop()
            return t.Sees(
                thing if thing.type == t.SPACE else t.TBuiltin("space", t.SPACE, [thing]), goal, it.name, past
            )
        if not self.now.is_("is", "are", "has"):
            raise self.fail(
                "unexecutable", f"'{token.text}' does not begin a check that this book knows", token
            )
        has = self.next().text == "has"
        if has and (self.take("a", "seat") or self.take("no", "seat")):
            seated: t.Cond_ = t.Has("seat", thing)
            return t.Never(seated) if self.tokens[self.at - 2].is_("no") else seated
        if has:
            self.take("feature")
            if self.now.kind == STRING and self.symbols.frameworks:
                token = self.next()
                quoted = norm(token.text[1:-1])
                if quoted not in self.symbols.features:
                    close = nearest(token.text[1:-1], [f.name for f in self.symbols.features.values()])
                    raise Mistake(
                        "unknown-name",
                        token,
                        f"no feature is called {token.text}",
                        f"did you mean '{close}'?" if close else "",
                    )
                return t.Has("feature", thing, self.symbols.features[quoted].index)
            feature = self.name(self.symbols.features)
            if feature is not None:
                return t.Has("feature", thing, self.symbols.features[feature].index)
        negative = self.take("not")
        parts = [self._predicate(thing)]
        while (self.now.is_(",") and self._predicate_follows(1)) or (
            self.now.is_("or") and self._predicate_follows(1)
        ):
            self.next()
            self.take("or")
            parts.append(self._predicate(thing))
        found: t.Cond_ = parts[0] if len(parts) == 1 else t.Either(parts)
        return t.Never(found) if negative else found

    def _predicate_follows(self, skip: int) -> bool:
        at = self.at
        self.at += skip
        self.take("or")
        _ = self.take("a") or self.take("an")
        word = self.now
        ok = word.kind == WORD and word.text[:1].isupper() and word.text not in ("AND", "OR")
        if ok:
            n = 0
            while self.ahead(n).kind in (WORD, NUMBER) and not self.ahead(n).is_("is", "AND", "OR", "and"):
                n += 1
            ok = not self.ahead(n).is_("is") and not self.ahead(n).is_("of")
        self.at = at
        return ok

    def _predicate(self, thing: t.Thing_) -> t.Cond_:
        token = self.now
        if self.take("none"):
            return t.Same(thing, t.TConst(thing.type, -1))
        if self.take("in", "play"):
            return t.Has("play", thing)
        if self.take("out", "of", "play"):
            return t.Never(t.Has("play", thing))
        if self.take("laid"):
            return t.Has("laid", thing)
        if self.take("adjacent", "to"):
            other = self.thing()
            made: t.Cond_ = t.Compare("==", t.Geometry("adjacent", [thing, other]), t.Num(1, "-"))
            if thing.type == other.type == t.ACTOR:
                return t.Both([t.Never(t.Same(thing, other)), made])
            return made
        if self.take("within"):
            amount = self.number()
            for word in ("space", "spaces", "tile", "tiles"):
                self.take(word)
            self.expect("of")
            return t.Compare("<=", t.Geometry("distance", [thing, self.thing()]), amount)
        if self.now.is_("in") and self._zone_ahead():
            self.next()
            zone, owner = self.zone()
            return t.InZone(thing, zone, owner)
        if self.now.is_("in") and self._order_ahead():
            self.next()
            order = self.name(self.symbols.orders)
            return t.Compare(">=", t.Geometry("rank", [thing], order or ""), t.Num(0, "-"))
        if self.take("in"):
            zone2 = self._map_zone()
            if zone2 is not None:
                return t.Within(thing, *zone2)
            raise self.unknown("zone", [z.name for z in self.symbols.zones.values()])
        if self.now.is_("at") and thing.type == t.ACTOR:
            self.next()
            return t.Same(t.TBuiltin("space", t.SPACE, [thing]), self.thing(t.SPACE))
        _ = self.take("a") or self.take("an") or self.take("the")
        if self.take("ally", "of"):
            return t.Both([t.Related("ally", thing, self.thing(t.ACTOR)), t.Has("play", thing)])
        if self.take("enemy", "of"):
            return t.Never(t.Related("same side", thing, self.thing(t.ACTOR)))
        if self.take("ally"):
            return t.Related("ally", thing, self.me())
        if self.take("enemy"):
            return t.Never(t.Related("same side", thing, self.me()))
        return self._predicate_name(thing, token)

    def _predicate_name(self, thing: t.Thing_, token: Token) -> t.Cond_:
        if thing.type == t.ACTOR:
            status = self.status_name()
            if status is not None:
                return t.Has("status", thing, self.symbols.statuses[status].index)
            templates = {form: k for k in self.symbols.templates for form in (k, k.lower())}
            whole = self._name_end(self.symbols.actor_names)
            at = self.at
            template = self.name(templates)
            if template is not None and self.at >= whole:
                return t.Has("template", thing, self.symbols.templates[templates[template]].index)
            self.at = at  # one of them by name: `Wolf 2`, not any Wolf
        probe = t.TLocal("probe", thing.type)
        at = self.at
        found = self.adjective(probe)
        if found is not None and found is not True and found is not False:
            inner = found.part if isinstance(found, t.Never) else found
            if isinstance(inner, t.IsWord):
                test = self._best_word(thing, at)
                if test is not None:
                    return test
            elif isinstance(inner, t.RunCheck):
                return t.RunCheck(
                    inner.component, thing if not inner.args else None, [thing] if inner.args else []
                )
            elif isinstance(inner, t.Compare) and isinstance(inner.left, t.ReadColumn):
                return t.Compare("!=", t.ReadColumn(inner.left.list, inner.left.column, thing), t.Num(0, "-"))
        self.at = at
        if thing.type == t.CARD:
            printed = self._best_word(thing, at)
            if printed is not None:
                return printed
            self.at = at
        other = self.thing(thing.type if thing.type not in ("none", "?") else None)
        return t.Same(thing, other)

    def _best_word(self, thing: t.Thing_, at: int) -> t.Cond_ | None:
        """The word may be in several lists: take the list that fits the thing."""
        tables = (
            *self.symbols.lists.values(),
            self.symbols.terrains,
            self.symbols.sides,
            self.symbols.faces,
            self.symbols.directions,
        )
        best: t.Cond_ | None = None
        end = at
        for table in tables:
            self.at = at
            word = self.name(table.numbers)
            if word is None or self.at < end:
                continue
            number = table.numbers[word]
            made = self.word_test(thing, table.name, number)
            if made is not None and self.at > end:
                best, end = made, self.at
        self.at = end
        return best
