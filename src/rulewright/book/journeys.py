"""Statements and things about moving through a story and over a map.

In:  tokens, through the parser this is mixed into.
Out: tree nodes: acting as somebody else, ways over a map, moments that are brought about.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.moving import Moving
from rulewright.book.symbols import norm
from rulewright.book.walk import needs


class Journeys(Moving):
    """The grammar of journeys."""

    def _s_as(self, line: int) -> t.Stmt_:
        """`as X: ..`, `as each SELECTOR: ..`, `as each SELECTOR if needed: ..`"""
        if not self.now.is_("each", "every"):
            who = self.thing(t.ACTOR)
            self.expect(":")
            return t.AsSelf(who, self._theirs(), line)
        selector = self.selector()
        needed = self.take("if", "needed")
        self.expect(":")
        body = self._theirs()
        if needed and not needs(body, "self"):
            return t.Inline(body, line)
        return t.ForEach(selector, [t.AsSelf(t.TLocal(selector.it, t.ACTOR), body, line)], line)

    def _theirs(self) -> t.Block_:
        """A block in which there is a self, even where nobody acts."""
        lonely = self.scope.local("self") is None
        if lonely:
            self.scope.locals["self"] = t.ACTOR
        try:
            return self.block()
        finally:
            if lonely:
                del self.scope.locals["self"]

    def over(self, times: t.Num_, line: int) -> t.Stmt_:
        """`repeat N times over SPACE, SPACE: ..` with `spot` the space; the last for all that are left."""
        spots = [self.thing(t.SPACE)]
        while self.take(","):
            spots.append(self.thing(t.SPACE))
        self.expect(":")
        self.scope.locals["spot"] = t.SPACE
        body = self.block()
        made: t.Block_ = []
        for i in range(times.value if isinstance(times, t.Num) else 1):
            made += [t.SetThing(t.TLocal("spot", t.SPACE), spots[min(i, len(spots) - 1)], line), *body]
        return t.Inline(made, line)

    def _s_settle(self, line: int) -> t.Stmt_:
        return t.Simple("settle", [self.thing(t.ACTOR)], line)

    def _s_free(self, line: int) -> t.Stmt_:
        """`free ACTION of [R] N times`: the next uses of the action take nothing of R (see paces.py)."""
        action = self.name(self.symbols.actions)
        if action is None:
            raise self.unknown("action", [a.name for a in self.symbols.actions.values()])
        self.expect("of", "[")
        key = self.name(self.resources)
        if key is None:
            raise self.unknown("resource", [r.name for r in self.resources.values()])
        self.expect("]")
        times = self.number()
        self.expect("times")
        uses = self.symbols.resources_for(True).get(norm(str(self.symbols.front.get("free", ""))))
        if uses is None:
            raise self.fail("unexecutable", "the front matter does not say what counts free uses (`free:`)")
        found = self.symbols.actions[action]
        self.symbols.freed.add((found.index, self.resource_named(key).name))
        owners: list[t.Thing_] = [t.TLocal("self", t.ACTOR), t.TConst("Action", found.index)]
        return t.SetNumber(t.ReadRes(uses, owners), "=", t.Final(times), None, None, line)

    def _s_forget(self, line: int) -> t.Stmt_:
        return t.Simple("forget", [self.thing(t.ACTOR)], line)

    def _s_expire(self, line: int) -> t.Stmt_:
        moment = self.moment()
        self.expect("on")
        return t.Simple("expire", [moment, self.thing(t.ACTOR)], line)

    def _s_undo(self, line: int) -> t.Stmt_:
        self.expect("every", "timed", "change")
        return t.Simple("undo", [], line)

    def let_way(self, low: str, who: t.Thing_ | None, line: int) -> t.Stmt_:
        """`let way = choose a WALK up to E`: step by step, perhaps no step at all."""
        if not self.take("a"):
            self.take("an")
        walk = self.name(self.symbols.walks)
        assert walk is not None
        self.expect("up", "to")
        budget = self.number()
        least = 0
        if self.take("of", "at", "least", "1", "step"):
            least = 1
        self.scope.locals[low] = t.PATH
        return t.LetWay(low, walk, budget, least, who, line)
