"""Tokens -> components run by name with what they are given, and who is meant by nobody named.

In:  tokens from `#` on.
Out: t.Run with its arguments.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_number, parse_thing
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import COMPONENT
from rulewright.book.symbols import norm

PREFERS = ("lowest", "highest", "those")
"""Words that open a preference after `with`."""


def parse_argument(p: Cursor, param: t.Param) -> t.Num_ | t.Thing_:
    """An argument that fits the parameter."""
    if param.type == t.NUMBER:
        return parse_number(p)
    return parse_thing(p, param.type)


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
    name = p.need(COMPONENT)
    component = p.component_named(name)
    if kinds is not None and component.kind not in kinds:
        words = f"'{component.name}' is a {component.kind} and cannot stand here"
        raise Mistake("wrong-kind", mark, words).up_to(p.tokens[p.at - 1])
    self_: t.Thing_ | None = None
    args: list[object] = []
    if p.take("on"):
        self_ = parse_thing(p, t.ACTOR)
    # After `with` a preference may stand, which is the selector's: `where #Ready with lowest [Age]`.
    if not p.ahead().is_(*PREFERS) and p.take("with"):
        args = parse_arguments(p, component)
    if self_ is None and p.take("on"):
        self_ = parse_thing(p, t.ACTOR)
    if component.implicit and not args:
        inherit(p, component)
    count_args(p, component, args)
    start = 0
    if component.kind == "Sequence" and p.take("from"):
        steps = [norm(name) for name, _, _ in component.steps]
        step = p.among(steps)
        if step is None:
            raise p.unknown(f"step of {component.name}", [name for name, _, _ in component.steps])
        start = steps.index(step)
    return t.Run(component, self_, args, mark.line, start)


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
