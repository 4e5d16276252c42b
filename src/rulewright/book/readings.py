"""Tokens -> numbers by name: resources with their owners, columns of lists and tables, Values.

In:  tokens inside brackets, or bare where a book's wording allows it.
Out: tree nodes that read a number of somebody or something.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.references import References
from rulewright.book.scope import Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import WORD, Token


class Readings(References):
    """The grammar of numbers that have a name of their own."""

    def _number_names(self) -> dict[str, str]:
        names = {norm(n): n for n in self.scope.numbers}
        for n, kind in self.scope.locals.items():
            if kind == t.NUMBER:
                names.setdefault(n, n)
        return names

    def _resource(self, opening: Token, stored: bool) -> t.Num_:
        at = self.at
        resources, components = self.resources, self.components
        name = self.name(resources)
        keep, self.at = self.at, at
        value = self.name_of(components, lambda c: c.kind in ("Value", "Check") and c.name[:1] != "{")
        if value is not None and name is not None and len(name) > len(value):
            value = None
        if value is not None:
            return self._value(components[value])
        self.at = keep if name is not None else at
        if name is None:
            table = self._table_column()
            if table is not None:
                return table
            column = self._bare_column()
            if column is not None:
                return column
            actor = self.name(self.symbols.actor_names)
            if actor is not None:
                return self._of_thing(t.TConst(t.ACTOR, self.symbols.actor_names[actor]), stored)
            names = [r.name for r in self.resources.values()]
            names += [c.name for c in self.components.values() if c.kind == "Value"]
            names += list(self._number_names().values())
            raise self.unknown("resource", names)
        resource = resources[name]
        maximum = self.take("Maximum") or self.take("Max")
        self._limited(resource, maximum, opening)
        if self.now.kind == WORD and not self.now.is_("of"):
            keep, self.at = self.at, at
            column = self._bare_column()  # its name may begin with that of a resource
            if column is not None:
                return column
            self.at = keep
        if resource.holds is not None:
            raise self.fail(
                "type-mismatch", f"'{resource.name}' holds a {resource.holds}, not a number", opening
            )
        if self.take("of"):
            try:
                return self._owned(resource, stored, maximum)
            except Mistake as mistake:
                # Not a number of such a thing; perhaps a column of that name is meant.
                self.at = at
                column = self._bare_column()
                if column is None:
                    raise mistake from None
                return column
        return t.ReadRes(resource, self.default_owners(resource, opening), stored, maximum)

    def _owned(self, resource: t.Resource, stored: bool, maximum: bool) -> t.Num_:
        if len(resource.of) == 2:
            second = self.thing(resource.of[1])
            first = self.thing(resource.of[0]) if self.take("of") else self._default(resource.of[0], self.now)
            return t.ReadRes(resource, [first, second], stored)
        if not resource.of:
            raise self.fail("wrong-kind", f"'{resource.name}' belongs to the whole match")
        return t.ReadRes(resource, [self.thing(resource.of[0])], stored, maximum)

    def default_owners(self, resource: t.Resource, token: Token) -> list[t.Thing_]:
        """Whose number it is when nobody is named."""
        return [self._default(kind, token) for kind in resource.of]

    def _default(self, kind: str, token: Token) -> t.Thing_:
        owner = self.scope.owner
        if owner is not None and owner.type == kind:
            return owner
        for it in reversed(self.scope.it):
            if it.type == kind and owner is not None:
                return it
        found = self.scope.local("self")
        if found is not None and found[1] == kind:
            return t.TLocal("self", kind)
        if kind == t.CARD and self.scope.local("card"):
            return t.TLocal("card", t.CARD)
        if kind == t.ACTOR and self.scope.open:
            self.scope.wanted.setdefault("self", t.ACTOR)
            self.scope.locals["self"] = t.ACTOR
            return t.TLocal("self", t.ACTOR)
        raise Mistake(
            "wrong-kind", token, f"say whose it is: there is no {kind} here that it could belong to"
        )

    def _bare_column(self) -> t.Num_ | None:
        """`[SP]` inside a card's own text, or of the candidate."""
        candidates: list[t.Thing_] = []
        if self.scope.owner is not None:
            candidates.append(self.scope.owner)
        if self.scope.local("card"):
            candidates.append(t.TLocal("card", self.scope.locals["card"]))
        for thing in candidates:
            found = self._column_then_of(thing)
            if found is not None:
                return found
        at = self.at
        for table in (*self.symbols.lists.values(), self.symbols.faces, self.symbols.terrains):
            column = self.name(table.columns)
            if column is not None and self.take("of"):
                try:
                    thing = self.thing()
                except Mistake:
                    self.at = at
                    continue
                kind = table.name
                if (
                    thing.type == kind
                    or (kind == t.FACE and thing.type == t.CARD)
                    or (kind == "Terrain" and thing.type == t.SPACE)
                ):
                    return t.ReadColumn(kind, column, thing)
            self.at = at
        return None

    def _column_then_of(self, thing: t.Thing_) -> t.Num_ | None:
        at = self.at
        found = self._column(thing)
        if found is not None and self.now.is_("of"):
            self.at = at
            return None
        return found

    def _table_column(self) -> t.Num_ | None:
        at = self.at
        tables = {k: c for k, c in self.components.items() if c.kind == "Table" and c.table is not None}
        for key in sorted(tables, key=len, reverse=True):
            self.at = at
            if self.name({key}) is None:
                continue
            table = tables[key].table
            assert table is not None
            column = self.name({norm(c) for c in table.columns})
            if column is not None and self.now.is_("]"):
                return t.ReadTable(tables[key], next(c for c in table.columns if norm(c) == column))
        self.at = at
        return None

    def _value(self, component: t.Component) -> t.Num_:
        args: list[object] = []
        self_: t.Thing_ | None = self.thing(t.ACTOR) if self.take("on") else None
        if component.params and self.take("of"):
            first = component.params[0]
            args = [self.argument(first)]
        elif self.take("with"):
            args = self.arguments(component)
        elif self.take("of"):
            self_ = self.thing(t.ACTOR)
        if self.take("with"):
            args += self.arguments(component, len(args))
        if self_ is None and self.scope.owner is not None and self.scope.owner.type == t.ACTOR and not args:
            self_ = self.scope.owner
        self.count_args(component, args)
        if component.kind == "Check":
            return t.Truth(t.RunCheck(component, self_, args))
        return t.Run(component, self_, args, self.now.line)
