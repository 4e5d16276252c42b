"""Tokens -> components run by name with what they are given, and who is meant by nobody named.

In:  tokens from `#` on.
Out: t.Run with its arguments.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.numbers import Numbers
from rulewright.book.scope import Mistake
from rulewright.book.symbols import norm


class Calls(Numbers):
    """The grammar of calls."""

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
        if found is None and self.scope.nobody:
            raise self.fail("wrong-kind", "say who: this happens to nobody in particular")
        return t.TLocal("self", found[1]) if found else t.TConst(t.ACTOR, -1)

    def bearer(self) -> t.Thing_:
        """The candidate if it is an actor, else self."""
        if self.scope.owner is not None and self.scope.owner.type == t.ACTOR:
            return self.scope.owner
        return self.me()
