"""Tokens -> statements that are one thing done: cards, actors, statuses, features, orders, spaces.

In:  the expression grammar.
Out: t.Simple and its like.
"""

from __future__ import annotations

import re

from rulewright.book import tree as t
from rulewright.book.choosing import Choosing
from rulewright.book.phrases import DURATION, expand
from rulewright.book.scope import Mistake
from rulewright.book.source import Line
from rulewright.book.symbols import norm
from rulewright.book.tokens import END, NUMBER, STRING, WORD, tokenize
from rulewright.diagnostics import nearest


class Moving(Choosing):
    """The grammar of plain deeds."""

    def _becomes(self, who: t.Thing_, line: int) -> t.Stmt_:
        status = self.status_name()
        if status is None and who.type != t.SPACE:
            status = self.status()
        if status is None:
            terrain = self.name(self.symbols.terrains.numbers)
            if terrain is not None and who.type == t.SPACE:
                number = self.symbols.terrains.numbers[terrain]
                return t.Simple("terrain", [who, t.TConst("Terrain", number)], line)
            raise self.unknown("status", [s.name for s in self.symbols.statuses.values()])
        stacks: t.Num_ = t.Num(1, "stacks")
        turns: t.Num_ = t.Num(0, "turns")
        power: t.Num_ = t.Num(0, "power")
        by: t.Thing_ | None = None
        until: t.Moment | None = None
        count: t.Num_ | None = None
        if self.now.kind == NUMBER or self.now.is_("["):
            stacks = self.number()
        while True:
            if self.now.is_("for") and self._turns_follow():
                self.next()
                turns = self.number()
                self.next()
            elif self.take("with", "power"):
                power = self.number()
            elif self.take("by"):
                by = self.thing(t.ACTOR)
            elif self.now.is_("until", "for"):
                until, count = self._until()
                if until is None:
                    break
            else:
                break
        return t.Simple("status", [who, status, stacks, turns, power, by, until, count], line)

    def _turns_follow(self) -> bool:
        at = self.at
        self.next()
        try:
            self.number()
            ok = self.now.is_("turn", "turns")
        except Mistake:
            ok = False
        self.at = at
        return ok

    def _gain(self, who: t.Thing_, line: int) -> t.Stmt_:
        key = self._feature()
        if isinstance(key, str) and not self.symbols.frameworks:
            self.symbols.features[key].attached = True
        until, count = self._until()
        if until is None and isinstance(key, str):
            until, count = self._usual_time(key)
        return t.Simple("gain", [who, key, until, count], line)

    def _feature(self) -> str | t.Thing_:
        """The name of a feature, perhaps in quotation marks; or a thing that is one."""
        self.take("feature")
        token = self.now
        if self.now.kind == STRING:
            key = norm(self.next().text[1:-1])
            if key in self.symbols.features:
                return key
            close = nearest(token.text[1:-1], [f.name for f in self.symbols.features.values()])
            raise Mistake(
                "unknown-name",
                token,
                f"no feature is called {token.text}",
                f"did you mean '{close}'?" if close else "",
            )
        found = self.name(self.symbols.features)
        if found is not None:
            return found
        if self.symbols.frameworks and self.now.kind == WORD and self.now.text.islower():
            return self.thing("Feature")
        raise self.unknown("feature", [f.name for f in self.symbols.features.values()])

    def _usual_time(self, key: str) -> tuple[t.Moment | None, t.Num_ | None]:
        """How long a feature lasts by its own title: `(Actor, 3 Turns)`."""
        found = re.search(r"(\d+) (Turns?|Rounds?)", self.symbols.features[key].definition.extra)
        if found is None or not self.symbols.phrases:
            return None, None
        tokens = tokenize([Line("", self.now.line, 0, f"for {found.group(1)} {found.group(2).lower()}")], [])
        hit = self.symbols.phrases.find(DURATION, tokens, 0, lambda token: token.kind == END)
        if hit is None:
            return None, None
        inner = Moving(
            [*expand(hit.phrase.fields[0][1], hit.captured, tokens[0]), tokens[-1]], self.symbols, self.scope
        )
        return inner._until()

    def _lose(self, who: t.Thing_, line: int) -> t.Stmt_:
        return t.Simple("lose", [who, self._feature()], line)

    def _cards(self) -> t.Selector | t.Thing_:
        """Cards to move: one thing, or every one of a selector."""
        if self.now.is_("every", "each", "all"):
            return self.selector(default="every")
        return self.thing()

    def _s_move(self, line: int) -> t.Stmt_:
        what = self._cards()
        self.take(",")
        self.expect("to")
        type_ = what.type
        if type_ == t.CARD:
            bottom = self.take("bottom", "of") or self.take("the", "bottom", "of")
            _ = self.take("top", "of") or self.take("the", "top", "of")
            zone, owner = self.zone()
            return t.Simple("bottom" if bottom else "card", [what, zone, owner], line)
        return t.Simple("place", [what, self.thing(t.SPACE)], line)

    def _s_create(self, line: int) -> t.Stmt_:
        if self.take("a") or self.take("an"):
            pass
        face = self.thing(t.FACE)
        self.expect("in")
        zone, owner = self.zone()
        return t.Simple("create", [face, zone, owner], line)

    def _s_destroy(self, line: int) -> t.Stmt_:
        return t.Simple("destroy", [self._cards()], line)

    def _s_shuffle(self, line: int) -> t.Stmt_:
        zone, owner = self.zone()
        return t.Simple("shuffle", [zone, owner], line)

    def _s_build(self, line: int) -> t.Stmt_:
        zone, owner = self.zone()
        self.expect("from")
        local = self._local_thing() or self._held(None)
        if local is not None:
            return t.Simple("build", [zone, owner, local], line)
        name = self.name(self.symbols.decks)
        if name is None:
            raise self.unknown("deck", list(self.symbols.decks))
        return t.Simple("build", [zone, owner, name], line)

    def _s_reveal(self, line: int) -> t.Stmt_:
        what = self._cards()
        self.expect("to")
        if self.take("all"):
            return t.Simple("reveal", [what, None], line)
        return t.Simple("reveal", [what, self.thing(t.ACTOR)], line)

    def _s_swap(self, line: int) -> t.Stmt_:
        a = self.thing(t.ACTOR)
        self.expect("and")
        return t.Simple("swap", [a, self.thing(t.ACTOR)], line)

    def _s_turn(self, line: int) -> t.Stmt_:
        who = self.thing(t.ACTOR)
        self.expect("to")
        return t.Simple("set facing", [who, self.thing(t.DIRECTION)], line)

    def _s_walk(self, line: int) -> t.Stmt_:
        path = self.thing(t.PATH)
        if not self.take("while"):
            return t.Simple("walk", [path, None, None], line)
        it = self.scope.new_it(t.SPACE)
        before = self.scope.owner
        self.scope.owner = it
        self.scope.it.append(it)
        try:
            return t.Simple("walk", [path, it.name, self.check()], line)
        finally:
            self.scope.owner = before
            self.scope.it.pop()

    def _s_put(self, line: int) -> t.Stmt_:
        who = self._cards() if self.now.is_("every", "each") else self.thing(t.ACTOR)
        self.expect("in", "play")
        space = self.thing(t.SPACE) if self.take("at") else None
        return t.Simple("put", [who, space], line)

    def _s_take(self, line: int) -> t.Stmt_:
        who = self._cards() if self.now.is_("every", "each") else self.thing(t.ACTOR)
        if isinstance(who, t.Selector) and who.out_of_play:
            who.out_of_play = False  # the words belong to `take`, not to the selector
        else:
            self.expect("out", "of", "play")
        return t.Simple("take", [who], line)

    def _s_remove(self, line: int) -> t.Stmt_:
        if self.take("every", "Status", "from") or self.take("every", "status", "from"):
            return t.Simple("cleanse", [self.thing(t.ACTOR)], line)
        if self.take("every", "space"):
            return t.Simple("unlay", [], line)
        status = self.status_name()
        if status is not None:
            self.take("status")
            who = self.thing(t.ACTOR) if self.take("from") else self.me()
            return t.Simple("unstatus", [who, status], line)
        if self.now.kind == WORD and self.now.text.islower():
            at = self.at
            thing = self._simple_thing(t.STATUS)
            if thing is not None and thing.type == t.STATUS:
                return t.Simple(
                    "unstatus", [self.thing(t.ACTOR) if self.take("from") else self.me(), thing], line
                )
            self.at = at
        who = self.thing(t.ACTOR)
        self.expect("from")
        order = self.name(self.symbols.orders)
        if order is None:
            raise self.unknown("order", [d.title for d in self.symbols.orders.values()])
        return t.Simple("leave", [who, order], line)

    def _s_add(self, line: int) -> t.Stmt_:
        who = self._cards() if self.now.is_("every", "each") else self.thing(t.ACTOR)
        self.expect("to")
        order = self.name(self.symbols.orders)
        if order is None:
            raise self.unknown("order", [d.title for d in self.symbols.orders.values()])
        if self.take("after", "equals", "by"):
            it = self.scope.new_it(t.ACTOR)
            prefs = self.preference_list(it)
            return t.Simple("join", [who, order, it.name, prefs], line)
        if self.take("at"):
            return t.Simple("insert", [who, order, self.number()], line)
        return t.Simple("append", [who, order], line)

    def _s_clear(self, line: int) -> t.Stmt_:
        order = self.name(self.symbols.orders)
        if order is None:
            raise self.unknown("order", [d.title for d in self.symbols.orders.values()])
        return t.Simple("clear", [order], line)

    def _s_sort(self, line: int) -> t.Stmt_:
        order = self.name(self.symbols.orders)
        if order is None:
            raise self.unknown("order", [d.title for d in self.symbols.orders.values()])
        self.expect("by")
        it = self.scope.new_it(t.ACTOR)
        prefs = self.preference_list(it)
        ties = keeping = None
        if self.now.is_(",") and self.ahead().is_("ties"):
            self.at += 2
            self.expect("roll")
            before = self.scope.owner
            self.scope.owner = it
            ties = self.number()
            self.scope.owner = before
            if self.take("keeping", "["):
                name = self.name(self.resources)
                if name is None:
                    raise self.unknown("resource", [r.name for r in self.resources.values()])
                keeping = self.resource_named(name)
                self.expect("]")
        return t.SortOrder(order, prefs, it.name, ties, keeping, line)

    def _s_lay(self, line: int) -> t.Stmt_:
        plan = self.name(self.symbols.plans)
        if plan is not None:
            return t.Simple("lay plan", [plan], line)
        self.take("a")
        if not self.take("space", "at"):
            raise self.unknown("plan", list(self.symbols.plans))
        return t.Simple("lay", [self.thing(t.PLACE)], line)
