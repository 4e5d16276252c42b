"""Short ways to build trees that no text of a book holds.

In:  the Bodies of a book whose names are bound.
Out: tree nodes that call a framework's components and set its resources by name.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.bodies.state import Bodies
from rulewright.book.symbols import norm


class Gap(Exception):
    """Something that a framework must define, and does not; or that a mistake elsewhere took away."""


class Trees:
    """Builds trees; a name that is not there raises Gap."""

    def __init__(self, bodies: Bodies, line: int = 0) -> None:
        self.bodies = bodies
        self.s = bodies.symbols
        self.line = line

    def resource(self, name: str) -> t.Resource:
        """A resource as the framework knows it."""
        found = self.s.resources_for(False).get(norm(name))
        if found is None:
            raise Gap(f"the resource '{name}'")
        return found

    def word(self, kind: str, name: str) -> t.TConst:
        """A word of a list."""
        table = self.s.list_of(kind)
        if table is None or norm(name) not in table.numbers:
            raise Gap(f"the {kind} '{name}'")
        return t.TConst(kind, table.numbers[norm(name)])

    def actor(self, name: str) -> t.TConst:
        """An actor by name."""
        found = self.s.actor_names.get(norm(name))
        if found is None:
            raise Gap(f"the actor '{name}'")
        return t.TConst(t.ACTOR, found)

    def none(self, kind: str = t.ACTOR) -> t.TConst:
        """Nobody, nothing."""
        return t.TConst(kind, -1)

    def me(self) -> t.TLocal:
        """Self."""
        return t.TLocal("self", t.ACTOR)

    def held(self, name: str, *owners: Any) -> t.THold:
        """What a resource holds."""
        resource = self.resource(name)
        return t.THold(resource, list(owners), resource.holds or "")

    def number(self, name: str, *owners: Any) -> t.ReadRes:
        """The number of a resource."""
        return t.ReadRes(self.resource(name), list(owners))

    def put(self, name: str, value: t.Thing_, *owners: Any) -> t.Stmt_:
        """Set what a resource holds."""
        return t.SetThing(self.held(name, *owners), value, self.line)

    def set(self, name: str, op: str, value: Any, *owners: Any) -> t.Stmt_:
        """Change a number."""
        amount = t.Num(value, "-") if isinstance(value, int) else value
        return t.SetNumber(self.number(name, *owners), op, amount, None, None, self.line)

    def run(self, name: str, *args: Any, on: Any = None) -> t.Stmt_:
        """Run a component."""
        component = self.component(name)
        given = [t.Num(a, "-") if isinstance(a, int) else a for a in args]
        return t.RunStmt(t.Run(component, on, given, self.line), None, self.line)

    def component(self, name: str) -> t.Component:
        """A component of the framework."""
        found = self.s.components.get(norm(name))
        if found is None:
            raise Gap(f"the component '{name}'")
        return found

    def when(self, test: t.Cond_, then: t.Block_, orelse: t.Block_ | None = None) -> t.Stmt_:
        """if"""
        return t.IfStmt(test, then, orelse or [], self.line)

    def same(self, a: t.Thing_, b: t.Thing_) -> t.Cond_:
        """a is b"""
        return t.Same(a, b)

    def phase_is(self, word: str) -> t.Cond_:
        """Is this the phase that runs now?"""
        return t.Same(self.held("Phase Now"), self.word("Phase", word))

    def give(self, value: int) -> t.Stmt_:
        """give N"""
        return t.Give(t.Num(value, "-"), self.line)
