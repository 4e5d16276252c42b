"""Tokens -> preferences: which of several candidates comes first.

In:  tokens after the relations of a selector, or of a Preference definition.
Out: t.Pref: lowest, highest, nearest, those where, by name.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.things import Things
from rulewright.book.tokens import WORD


class Preferences(Things):
    """The grammar of preferences."""

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
            tokens = [token._replace(core=True) for token in tokens]
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
