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

    def role(self, role: str) -> Any:
        """What plays a part that a story needs."""
        found = getattr(self.s.roles, role)
        if not found:
            raise Gap(f"the role '{role}'")
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

    def run(self, name: str, on: Any = None) -> t.Stmt_:
        """Run a component that was made of a block."""
        return t.RunStmt(t.Run(self.s.components[norm(name)], on, [], self.line), None, line=self.line)

    def call(self, component: t.Component, *args: Any) -> t.Stmt_:
        """Run a component of the framework."""
        given = [t.Num(a, "-") if isinstance(a, int) else a for a in args]
        return t.RunStmt(t.Run(component, None, given, self.line), None, line=self.line)

    def when(self, test: t.Cond_, then: t.Block_, orelse: t.Block_ | None = None) -> t.Stmt_:
        """if"""
        return t.IfStmt(test, then, orelse or [], line=self.line)

    def give(self, value: int) -> t.Stmt_:
        """give N"""
        return t.Give(t.Num(value, "-"), line=self.line)
