"""Tokens -> numbers: sums, dice, and everything that can stand in brackets.

In:  the cursor.
Out: t.Num_ nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.book import tree as t
from rulewright.book.references import References
from rulewright.book.scope import Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import DICE, END, NEWLINE, NUMBER, WORD, Token


class Numbers(References):
    """The grammar of numbers."""

    # ------------------------------------------------------------ numbers
    def number(self) -> t.Num_:
        """sum := product { + - product }"""
        left = self._product()
        while self.now.is_("+", "-"):
            op = self.next().text
            left = t.Arith(op, left, self._product())
        return left

    def _product(self) -> t.Num_:
        left = self._factor()
        while self.now.is_("*", "/"):
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

    def _about(self, candidate: t.Thing_, parse: Callable[[], t.Num_]) -> t.Num_:
        """Parse with bare numbers meaning the candidate's."""
        before = self.scope.owner
        self.scope.owner = candidate
        if isinstance(candidate, t.TLocal):
            self.scope.it.append(candidate)
        try:
            return parse()
        finally:
            self.scope.owner = before
            if isinstance(candidate, t.TLocal):
                self.scope.it.pop()

    def _tally_highest_here(self) -> bool:
        depth, n = 0, 0
        while self.ahead(n).kind not in (END, NEWLINE):
            token = self.ahead(n)
            if token.is_("]") and depth == 0:
                break
            depth += token.is_("[", "(") - token.is_("]", ")")
            if token.is_("of") and depth == 0:
                found = self.scope.local(self.ahead(n + 1).text)
                return found is not None and found[1].startswith(t.TALLY)
            n += 1
        return False

    def _tally(self, highest: t.Num_) -> t.Num_:
        self.expect("of")
        found = self.scope.local(self.next().text)
        assert found is not None
        return t.TallyNum(found[0], found[1][len(t.TALLY) :], [], "", highest)

    def _named(self, opening: Token, stored: bool) -> t.Num_:
        tally = self._tally_faces()
        if tally is not None:
            return tally
        prefixed = self._prefixed(stored)
        if prefixed is not None:
            return prefixed
        start = self.at
        local = self._local_number()
        if local is not None and self.now.is_("]"):
            return local
        if local is not None and self.now.is_("of"):
            kept = self._kept_number(start)
            if kept is not None:
                return kept
        self.at = start
        kept = self._kept_number(start)
        if kept is not None:
            return kept
        for prop in ("Stacks", "Turns", "Power"):
            if self.now.is_(prop) and self.ahead().is_("of", "]"):
                self.next()
                if self.now.is_("]"):
                    if self.scope.status < 0:
                        raise self.fail("unknown-name", f"[{prop}] needs a status: [{prop} of NAME]", opening)
                    name = next(
                        s.name for s in self.symbols.statuses.values() if s.index == self.scope.status
                    )
                    return t.StatusNum(prop, norm(name), self.bearer())
                self.next()
                status = self.status()
                owner = self.thing() if self.take("of") else self.bearer()
                return t.StatusNum(prop, status, owner)
        return self._resource(opening, stored)

    def _tally_faces(self) -> t.Num_ | None:
        at = self.at
        depth, n = 0, 0
        while self.ahead(n).kind not in (END, NEWLINE) and not (self.ahead(n).is_("]") and depth == 0):
            depth += self.ahead(n).is_("[", "(") - self.ahead(n).is_("]", ")")
            n += 1
        last = self.ahead(n - 1)
        if n < 3 or not self.ahead(n - 2).is_("of"):
            return None
        found = self.scope.local(last.text)
        if found is None or not found[1].startswith(t.TALLY):
            return None
        die = found[1][len(t.TALLY) :]
        faces: list[int] = []
        column = ""
        if die.startswith("d"):
            low = int(self.next().text) if self.now.kind == NUMBER else None
            if low is None:
                self.at = at
                return None
            high = low
            if self.take("to"):
                high = int(self.next().text)
            faces = list(range(low - 1, high))
        else:
            table = self.symbols.dice[die]
            word = self.name({norm(w) for w in table.words})
            if word is not None:
                faces = [i for i, w in enumerate(table.words) if norm(w) == word]
            else:
                key = self.name({norm(k) for k, c in table.columns.items() if c.type in (t.NUMBER, "mark")})
                if key is None:
                    raise self.unknown(f"face or column of {table.name}", [*table.words, *table.columns])
                column = next(c for c in table.columns if norm(c) == key)
        self.expect("of")
        self.next()
        return t.TallyNum(found[0], die, faces, column)

    def _prefixed(self, stored: bool) -> t.Num_ | None:
        """`[Target Speed]`: a role or thing-local, then one of its numbers."""
        token = self.now
        if token.kind != WORD:
            return None
        at = self.at
        found = self.scope.local(token.text)
        if found is None and token.text in ("Self", "Target", "Attacker", "Active", "It"):
            if token.text == "It" and self.scope.it:
                found = (self.scope.it[-1].name, self.scope.it[-1].type)
            elif token.text == "Active":
                found = ("active", t.ACTOR)
            elif self.scope.open and token.text in ("Target", "Attacker"):
                self.scope.wanted[token.text.lower()] = t.ACTOR
                self.scope.locals[token.text.lower()] = t.ACTOR
                found = (token.text.lower(), t.ACTOR)
        if (
            found is None
            and token.text in ("Target", "Attacker")
            and self.symbols.frameworks
            and not self.ahead().is_("]", "of")
        ):
            raise Mistake("wrong-kind", token, f"there is no {token.text.lower()} here")
        if (
            found is None
            or found[1] == t.NUMBER
            or found[1].startswith(t.TALLY)
            or self.ahead().is_("]", "of")
        ):
            return None
        if self.peek_name(self.resources) and norm(token.text) not in ("Self", "Target", "Attacker"):
            full = self.peek_name(self.resources)
            if full is not None and full != token.text and full.startswith(token.text):
                return None
        self.next()
        thing: t.Thing_ = (
            t.TBuiltin("active", t.ACTOR)
            if found[0] == "active" and "active" not in self.scope.locals
            else t.TLocal(*found)
        )
        if self.now.is_("Distance") and self.ahead().is_("]"):
            self.next()
            return t.Geometry("distance", [self.me(), thing])
        try:
            return self._of_thing(thing, stored)
        except Mistake:
            if norm(token.text) in ("Target", "Self", "Attacker"):
                raise
            self.at = at
            return None

    def _local_number(self) -> t.Num_ | None:
        key = self.name(set(self._number_names()))
        if key is None:
            return None
        return t.ReadLocal(self._number_names()[key])

    def _number_names(self) -> dict[str, str]:
        names = {norm(n): n for n in self.scope.numbers}
        for n, kind in self.scope.locals.items():
            if kind == t.NUMBER:
                names.setdefault(n, n)
        return names

    def _kept_number(self, start: int) -> t.Num_ | None:
        """`[T of Attack]`"""
        at = self.at
        self.at = start
        words = ""
        n = 0
        while self.ahead(n).kind in (WORD, NUMBER) and not self.ahead(n).is_("of"):
            words += self.ahead(n).text
            n += 1
        if words and self.ahead(n).is_("of"):
            self.at += n + 1
            sequence = self.sequence_name()
            if sequence is not None and self.now.is_("]"):
                params = (
                    [*sequence.params, *sequence.keeps]
                    if isinstance(sequence, t.Component)
                    else sequence.params
                )
                for param in params:
                    if norm(param.name).lower() == words.lower() and param.type == t.NUMBER:
                        return t.ReadKept(sequence, param.name)
        self.at = at
        return None

    def sequence_name(self) -> t.Component | t.ActionSym | None:
        """The name of a Sequence, or of an Action (whose declared things can be read while it runs)."""
        at = self.at
        name = self.name(k for k, c in self.components.items() if c.kind == "Sequence")
        if name is not None:
            return self.component_named(name)
        action = self.name(self.symbols.actions)
        if action is not None:
            return self.symbols.actions[action]
        self.at = at
        return None

    def _resource(self, opening: Token, stored: bool) -> t.Num_:
        at = self.at
        resources, components = self.resources, self.components
        name = self.name(resources)
        value = None
        values = {
            k for k, c in components.items() if c.kind in ("Value", "Check") and not c.name.startswith("{")
        }
        keep, self.at = self.at, at
        if self.peek_name(values) is not None or name is None:
            value = self.name(values)
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
            key = self.name({norm(c) for c in table.columns})
            if key is not None and self.take("of"):
                try:
                    thing = self.thing()
                except Mistake:
                    self.at = at
                    continue
                column = next(c for c in table.columns if norm(c) == key)
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
