"""Tokens -> things that a word names: locals, what a resource holds, words of lists, zones, statuses.

In:  tokens.
Out: Thing_ of the tree, or None where no word of the book stands.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.calls import Calls
from rulewright.book.lists import coordinate
from rulewright.book.phrases import coordinate_end
from rulewright.book.scope import Mistake
from rulewright.book.symbols import ListSym, norm
from rulewright.book.tokens import STRING, WORD
from rulewright.diagnostics import nearest


class Words(Calls):
    """The grammar of words that are things."""

    def _quoted(self, want: str) -> t.Thing_ | None:
        """A word of a list in quotation marks, perhaps with what it is before them: `Scene "The End"`."""
        lead = self.now.text + " " if self.now.kind == WORD and self.ahead().kind == STRING else ""
        token = self.ahead(1 if lead else 0)
        table = self.symbols.list_of(want)
        if token.kind != STRING or table is None:
            return None
        name = token.text[1:-1]
        number = table.numbers.get(norm(lead + name))
        if number is not None:
            self.at += 2 if lead else 1
            return t.TConst(table.name, number)
        names = [w[len(lead) :] for w in table.words if w.startswith(lead)]
        close = nearest(name, names)
        what = lead.strip().lower() or want.lower()
        raise Mistake(
            "unknown-name",
            token,
            f"no {what} is called '{name}'",
            f"did you mean '{close}'?" if close else "",
        )

    def _spot(self) -> t.Thing_ | None:
        """`3N 2E` on whatever map is in play."""
        end = coordinate_end(self.tokens, self.at)
        if end == self.at:
            return None
        token = self.now
        place = coordinate(" ".join(x.text for x in self.tokens[self.at : end]))
        if place is None:
            return None
        self.at = end
        if not any((p.x, p.y) == place for p in self.symbols.spaces):
            raise Mistake("unknown-name", token, f"'{token.text}' is on none of the maps")
        return t.TBuiltin("spot", t.SPACE, list(place))

    def _local_thing(self) -> t.Thing_ | None:
        token = self.now
        if token.kind != WORD:
            return None
        if token.is_("this") and self.ahead().is_("card"):
            self.next()
            token = self.now
        low = token.text.lower()
        if (
            self.scope.open
            and low in ("target", "attacker")
            and self.scope.local(low) is None
            and not self.ahead().is_("of")
        ):
            self.scope.wanted[low] = t.ACTOR
            self.scope.locals[low] = t.ACTOR
        if self.ahead().is_("of") and token.text == low:
            at = self.at
            self.next()
            self.next()
            sequence = self.sequence_name()
            if sequence is not None:
                params = (
                    [*sequence.params, *sequence.keeps]
                    if isinstance(sequence, t.Component)
                    else sequence.params
                )
                for param in params:
                    if param.name.lower() == low and param.type != t.NUMBER:
                        return t.TKept(sequence, param.name, param.type)
            self.at = at
        found = self.scope.local(token.text)
        if found is None or found[1] == t.NUMBER or found[1].startswith(t.TALLY) or token.text != low:
            return None
        self.next()
        return t.TLocal(*found)

    def _held(self, want: str | None) -> t.Thing_ | None:
        """A resource that holds a thing, or a column that does: `arm of card`, `Mood of self`."""
        at = self.at
        holding = {k: r for k, r in self.resources.items() if r.holds is not None}
        lowered = {k.lower(): k for k in holding}
        name = self.name(holding) or self.name(lowered)
        if name is not None:
            resource = holding.get(name) or holding[lowered[name]]
            assert resource.holds is not None
            if not resource.of:
                return t.THold(resource, [], resource.holds)
            mistake: Mistake | None = None
            if self.take("of"):
                try:
                    if len(resource.of) == 2:
                        second = self.thing(resource.of[1])
                        first = (
                            self.thing(resource.of[0])
                            if self.take("of")
                            else self._default(resource.of[0], self.now)
                        )
                        return t.THold(resource, [first, second], resource.holds)
                    return t.THold(resource, [self.thing(resource.of[0])], resource.holds)
                except Mistake as problem:  # perhaps a column of that name is meant
                    mistake = problem
            elif not (self.symbols.words(name)):
                return t.THold(resource, self.default_owners(resource, self.now), resource.holds)
            self.at = at
            column = self._thing_column()
            if column is None and mistake is not None:
                raise mistake
            return column
        self.at = at
        return self._thing_column()

    def _thing_column(self) -> t.Thing_ | None:
        """A column that holds a thing: `arm of card`."""
        at = self.at
        for table in (*self.symbols.lists.values(), self.symbols.faces, self.symbols.terrains):
            columns = {norm(c.name): c for c in table.columns.values() if c.type not in (t.NUMBER, "text")}
            key = self.name(columns) or self.name({k.lower(): k for k in columns})
            if key is not None and self.take("of"):
                column = columns.get(key) or next(c for k, c in columns.items() if k.lower() == key)
                thing = self.thing()
                ok = thing.type == table.name or (table.name == t.FACE and thing.type == t.CARD)
                if ok or (table.name == "Terrain" and thing.type == t.SPACE):
                    return t.TColumn(table.name, column.name, thing, column.type)
            self.at = at
        return None

    def _word(self, want: str | None) -> t.Thing_ | None:
        """A word of a list, an actor, a printed card, a space."""
        at = self.at
        if want is not None:
            table = self.symbols.list_of(want)
            if table is not None:
                name = self.name(table.numbers)
                if name is not None:
                    return t.TConst(table.name, table.numbers[name])
                if (
                    self.symbols.frameworks
                    and not self.now.core
                    and self.now.kind == WORD
                    and self.now.text.islower()
                ):
                    low = [norm(w).lower() for w in table.words]
                    name = self.name(set(low))
                    if name is not None:
                        return t.TConst(table.name, low.index(name))
        best: t.Thing_ | None = None
        end = at
        for table in self._word_tables(want):
            self.at = at
            name = self.name(table.numbers)
            if name is not None and self.at > end:
                end = self.at
                best = t.TConst(table.name, table.numbers[name])
        self.at = at
        if want in (None, t.ACTOR, t.SPACE):
            actor = self.name(self.symbols.actor_names)
            if actor is not None and self.at > end:
                end, best = self.at, t.TConst(t.ACTOR, self.symbols.actor_names[actor])
        self.at = at
        if want in (None, t.SPACE):
            space = self.name(self.symbols.space_names)
            if space is not None and self.at > end:
                end, best = self.at, t.TConst(t.SPACE, self.symbols.space_names[space])
        self.at = end if best is not None else at
        return best

    def _word_tables(self, want: str | None) -> list[ListSym]:
        if want is not None:
            return []
        s = self.symbols
        return [*s.lists.values(), s.sides, s.directions, s.faces, s.terrains, *s.dice.values()]

    # ------------------------------------------------------------ zones, statuses
    def zone(self) -> tuple[str, t.Thing_ | None]:
        """`Hand [of X]`: the zone and its owner (None for a match-wide one)."""
        name = self.name(self.symbols.zones)
        if name is None:
            raise self.unknown("zone", [z.name for z in self.symbols.zones.values()])
        zone = self.symbols.zones[name]
        if zone.of is None:
            return name, None
        if self.now.is_("of"):
            self.next()
            return name, self.thing(t.ACTOR)
        return name, self.bearer_for_zone()

    def bearer_for_zone(self) -> t.Thing_:
        """A bare zone is self's, or the candidate's if that is an actor."""
        return self.bearer()

    def status_name(self) -> str | None:
        """The key of a status; their case does not matter."""
        if self.now.kind == STRING and self.symbols.frameworks:
            quoted = norm(self.now.text[1:-1]).lower()
            found = next((k for k in self.symbols.statuses if k.lower() == quoted), None)
            if found is not None:
                self.next()
            return found
        name = self.name(self.symbols.statuses)
        if name is not None:
            return name
        lowered = {k.lower(): k for k in self.symbols.statuses}
        at = self.at
        joined, best, length = "", None, 0
        for n in range(4):
            token = self.ahead(n)
            if token.kind != WORD:
                break
            joined += token.text.lower()
            if joined in lowered:
                best, length = lowered[joined], n + 1
        self.at = at + length
        return best
