"""Tokens -> things: roles, words, what a resource holds, cards of a zone, components run for what they give.

In:  the cursor and the number grammar.
Out: t.Thing_ nodes.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.lists import coordinate
from rulewright.book.numbers import Numbers
from rulewright.book.phrases import coordinate_end
from rulewright.book.scope import ONE, Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import DICE, END, MARK, NUMBER, STRING, WORD
from rulewright.diagnostics import nearest


class Things(Numbers):
    """The grammar of things."""

    # ------------------------------------------------------------ arguments
    def argument(self, param: t.Param) -> t.Num_ | t.Thing_:
        """An argument that fits the parameter."""
        if param.type == t.NUMBER:
            return self.number()
        return self.thing(param.type)

    def arguments(self, component: t.Component, skip: int = 0) -> list[object]:
        """`a, b, c` for the parameters from the `skip`th on."""
        args: list[object] = []
        for n, param in enumerate(component.params[skip:]):
            if n and not self.take(","):
                break
            args.append(self.argument(param))
        return args

    def count_args(self, component: t.Component, args: list[object]) -> None:
        """Complain when there are too few."""
        if len(args) < len(component.params) and not component.implicit:
            missing = component.params[len(args)].name
            raise self.fail("missing-part", f"'{component.name}' also needs '{missing}'")

    def component_call(self, kinds: tuple[str, ...] | None = None) -> t.Run:
        """`#Name [on X] [with a, b]`"""
        mark = self.expect("#")
        name = self.name(self.components)
        if name is None:
            raise self.unknown("component", [c.name for c in self.components.values()], self.now)
        component = self.component_named(name)
        if kinds is not None and component.kind not in kinds:
            raise Mistake(
                "wrong-kind", mark, f"'{component.name}' is a {component.kind} and cannot stand here"
            )
        self_: t.Thing_ | None = None
        args: list[object] = []
        if self.take("on"):
            self_ = self.thing(t.ACTOR)
        if self.take("with"):
            args = self.arguments(component)
        if self_ is None and self.take("on"):
            self_ = self.thing(t.ACTOR)
        if component.implicit and not args:
            self.inherit(component)
        self.count_args(component, args)
        run = t.Run(component, self_, args, mark.line)
        if component.kind == "Sequence" and self.take("from"):
            steps = [norm(name) for name, _, _ in component.steps]
            step = self.name(set(steps))
            if step is None:
                raise self.unknown(f"step of {component.name}", [name for name, _, _ in component.steps])
            run.start = steps.index(step)
        return run

    def inherit(self, component: t.Component) -> None:
        """An abbreviation uses its caller's roles; an open caller must pass them on."""
        for param in component.params:
            if self.scope.local(param.name) is not None:
                continue
            if not self.scope.open:
                raise self.fail(
                    "missing-part", f"'{component.name}' speaks of '{param.name}', and there is none here"
                )
            self.scope.wanted[param.name] = param.type
            self.scope.locals[param.name] = param.type

    # ------------------------------------------------------------ things
    def me(self) -> t.Thing_:
        """Self, as seen from inside a body."""
        if self.scope.open and self.scope.local("self") is None:
            self.scope.wanted["self"] = t.ACTOR
            self.scope.locals["self"] = t.ACTOR
        found = self.scope.local("self")
        return t.TLocal("self", found[1]) if found else t.TConst(t.ACTOR, -1)

    def bearer(self) -> t.Thing_:
        """The candidate if it is an actor, else self."""
        if self.scope.owner is not None and self.scope.owner.type == t.ACTOR:
            return self.scope.owner
        return self.me()

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
            and norm(self.ahead().text) in {norm(w) for w in self.symbols.directions.words}
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

    def _quoted(self, want: str) -> t.Thing_ | None:
        """A word of a list in quotation marks, perhaps with what it is before them: `Scene "The End"`."""
        lead = self.now.text + " " if self.now.kind == WORD and self.ahead().kind == STRING else ""
        token = self.ahead(1 if lead else 0)
        table = self.symbols.list_of(want)
        if token.kind != STRING or table is None:
            return None
        name = token.text[1:-1]
        for number, word in enumerate(table.words):
            if norm(word) == norm(lead + name):
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
                name = self.name({norm(w) for w in table.words})
                if name is not None:
                    return t.TConst(table.name, next(i for i, w in enumerate(table.words) if norm(w) == name))
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
            name = self.name({norm(w) for w in table.words})
            if name is not None and self.at > end:
                end = self.at
                best = t.TConst(table.name, next(i for i, w in enumerate(table.words) if norm(w) == name))
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

    def _word_tables(self, want: str | None) -> list[t.ListSym]:
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
