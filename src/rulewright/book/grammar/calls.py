"""Tokens -> components run by name with what they are given, and who is meant by nobody named.

In:  tokens from `#` on.
Out: t.Run with its arguments.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar import numbers as m_numbers
from rulewright.book.grammar import things as m_things
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.scope import Mistake
from rulewright.book.symbols import norm


def parse_argument(p: Cursor, param: t.Param) -> t.Num_ | t.Thing_:
    """An argument that fits the parameter."""
    if param.type == t.NUMBER:
        return m_numbers.parse_number(p)
    return m_things.parse_thing(p, param.type)


def parse_arguments(p: Cursor, component: t.Component, skip: int = 0) -> list[object]:
    """`a, b, c` for the parameters from the `skip`th on."""
    args: list[object] = []
    for n, param in enumerate(component.params[skip:]):
        if n and not p.take(","):
            break
        args.append(parse_argument(p, param))
    return args


def count_args(p: Cursor, component: t.Component, args: list[object]) -> None:
    """Complain when there are too few."""
    if len(args) < len(component.params) and not component.implicit:
        missing = component.params[len(args)].name
        raise p.fail("missing-part", f"'{component.name}' also needs '{missing}'")


def component_call(p: Cursor, kinds: tuple[str, ...] | None = None) -> t.Run:
    """`#Name [on X] [with a, b]`"""
    mark = p.expect("#")
    name = p.name(p.components)
    if name is None:
        raise p.unknown("component", [c.name for c in p.components.values()], p.now)
    component = p.component_named(name)
    if kinds is not None and component.kind not in kinds:
        raise Mistake("wrong-kind", mark, f"'{component.name}' is a {component.kind} and cannot stand here")
    self_: t.Thing_ | None = None
    args: list[object] = []
    if p.take("on"):
        self_ = m_things.parse_thing(p, t.ACTOR)
    if p.take("with"):
        args = parse_arguments(p, component)
    if self_ is None and p.take("on"):
        self_ = m_things.parse_thing(p, t.ACTOR)
    if component.implicit and not args:
        inherit(p, component)
    count_args(p, component, args)
    run = t.Run(component, self_, args, mark.line)
    if component.kind == "Sequence" and p.take("from"):
        steps = [norm(name) for name, _, _ in component.steps]
        step = p.name(set(steps))
        if step is None:
            raise p.unknown(f"step of {component.name}", [name for name, _, _ in component.steps])
        run.start = steps.index(step)
    return run


def inherit(p: Cursor, component: t.Component) -> None:
    """An abbreviation uses its caller's roles; an open caller must pass them on."""
    for param in component.params:
        if p.scope.local(param.name) is not None:
            continue
        if not p.scope.open:
            raise p.fail(
                "missing-part", f"'{component.name}' speaks of '{param.name}', and there is none here"
            )
        p.scope.wanted[param.name] = param.type
        p.scope.locals[param.name] = param.type


# ------------------------------------------------------------ things
def me(p: Cursor) -> t.Thing_:
    """Self, as seen from inside a body."""
    if p.scope.open and p.scope.local("self") is None:
        p.scope.wanted["self"] = t.ACTOR
        p.scope.locals["self"] = t.ACTOR
    found = p.scope.local("self")
    if found is None and p.scope.nobody:
        raise p.fail("wrong-kind", "say who: this happens to nobody in particular")
    return t.TLocal("self", found[1]) if found else t.TConst(t.ACTOR, -1)


def bearer(p: Cursor) -> t.Thing_:
    """The candidate if it is an actor, else self."""
    if p.scope.owner is not None and p.scope.owner.type == t.ACTOR:
        return p.scope.owner
    return me(p)
