"""Things and numbers about ways over a map, actions as things, and starting values.

In:  tokens, through the parser this is mixed into.
Out: tree nodes.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.cursor import Cursor


class Ways(Cursor):
    """The grammar of ways."""

    def walk_ahead(self, skip: int = 0) -> bool:
        """Does the name of a Walk stand here, after so many words?"""
        self.at += skip
        found = self.peek_name(self.symbols.walks)
        self.at -= skip
        return found is not None

    def way(self) -> t.Thing_:
        """`the WALK toward X up to E`, `the WALK to SELECTOR, up to E`, `the WALK within E to SELECTOR`"""
        self.take("the")
        walk = self.name(self.symbols.walks)
        assert walk is not None
        if self.take("toward"):
            direction = self.thing(t.DIRECTION)
            self.expect("up", "to")
            return t.TBuiltin("straight way", t.PATH, [walk, direction, self.number()])
        within = self.number() if self.take("within") else None
        self.expect("to")
        selector = self.selector(default="a")
        budget = within
        if within is None:
            self.take(",")
            self.expect("up", "to")
            budget = self.number()
        straight: t.Cond_ | None = None
        if self.now.is_(",") and self.ahead().is_("straight"):
            self.at += 2
            straight = self.check() if self.take("if") else t.Always(True)
        return t.TBuiltin("way", t.PATH, [walk, selector, budget, within is not None, straight])

    # ------------------------------------------------------------ numbers
    def special_number(self) -> t.Num_ | None:
        """`[starting R]`, `[WALK of path]`, `[bearing from X to Y]`, `[natural face]`, `[natural die]`"""
        if self.now.is_("starting"):
            self.next()
            name = self.name(self.resources)
            if name is None:
                raise self.unknown("resource", [r.name for r in self.resources.values()])
            resource = self.resource_named(name)
            owners = [self.thing(t.ACTOR)] if self.take("of") else self.default_owners(resource, self.now)
            return t.Starting(resource, owners)
        if self.take("natural", "face"):
            return t.Geometry("natural", [], "face")
        if self.take("natural", "die"):
            return t.Geometry("natural", [], "die")
        if self.take("bearing", "from"):
            start = self.thing(t.SPACE)
            self.expect("to")
            return t.Geometry("bearing", [start, self.thing(t.SPACE)])
        if self.walk_ahead():
            at = self.at
            walk = self.name(self.symbols.walks)
            if self.take("of"):
                return t.Geometry("path cost", [self.thing(t.PATH)], walk or "")
            self.at = at
        return None

    # ------------------------------------------------------------ checks
    def special_check(self, thing: t.Thing_) -> t.Cond_ | None:
        """`ACTION runs #C`, `ACTION lowers [Target R]`, `X can pay for ACTION`, `X has a starting [R]`"""
        if self.take("runs"):
            self.expect("#")
            name = self.name(self.components)
            if name is None:
                raise self.unknown("component", [c.name for c in self.components.values()])
            return t.Runs(thing, self.component_named(name), None)
        if self.take("lowers", "[", "Target"):
            name = self.name(self.resources)
            if name is None:
                raise self.unknown("resource", [r.name for r in self.resources.values()])
            self.expect("]")
            return t.Runs(thing, None, self.resource_named(name))
        if self.take("is", "aimed"):
            return t.Runs(thing, None, None)
        if self.take("is", "a", "copy"):
            return t.Has("copy", thing)
        if self.take("lies", "in"):
            return t.Related("area", thing, self.thing("Area"))
        if self.take("can", "pay", "for"):
            return t.CanPay(thing, self.thing("Action"))
        if self.take("has", "a", "starting", "["):
            name = self.name(self.resources)
            if name is None:
                raise self.unknown("resource", [r.name for r in self.resources.values()])
            self.expect("]")
            return t.HasStart(self.resource_named(name), thing)
        return None
