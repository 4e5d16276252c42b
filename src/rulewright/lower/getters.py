"""Numbers as the rules see them: with everything that modifies them.

In:  resources, and the rules and tables that modify them.
Out: get_R (a resource with its modifications) and max_R (the most it can be).
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.book import tree as t
from rulewright.lower.bearing import bears
from rulewright.lower.builder import Builder, identifier
from rulewright.lower.dispatch import number
from rulewright.lower.facts import when_needed
from rulewright.lower.layout import never_negative
from rulewright.lower.lazy import lazy_functions, stored
from rulewright.lower.tables import row_function
from rulewright.lower.terms import bounds, first_owner
from rulewright.lower.writer import Writer, call, const, local


# ------------------------------------------------------------ modified numbers
def getters(b: Builder) -> None:
    """get_R for every resource that something modifies, and max_R for those with a maximum."""
    for key in sorted(b.facts.modified):
        r = b.symbols.resources.get(key)
        if r is not None:
            _getter(b, key, r)
    if when_needed(b.symbols):
        lazy_functions(b)
        return
    for key, r in b.symbols.resources.items():
        if r.maximum is not None:
            with b.function(f"max_{identifier(key)}", ("self",), r.definition) as w:
                w.give(number(b, w, r.maximum))


def _getter(b: Builder, key: str, r: t.Resource) -> None:
    with b.function(f"get_{identifier(key)}", ("i",)) as w:
        w.assign("value", stored(b, key, local("i")))
        w.assign("self", first_owner(b, r, local("i")) if r.of[:1] == (t.ACTOR,) else const(-1))
        modified(b, w, b.facts.modifiers.get(key, ()))
        for component in b.facts.table_modifiers.get(key, ()):
            assert component.table is not None
            row = call(row_function(b, component), local("self"))
            at = len(b.layout.params)
            for value in component.table.modifies[key]:
                b.layout.number(value, f"[{r.name}] in {component.name}")
            w.assign("row", row)
            w.assign("value", local("value") + call("entry", at, local("row"), 0))
        if never_negative(b.symbols) or (r.definition is not None and r.definition.get("range") is not None):
            w.give(call("clamp", local("value"), *bounds(r)))
        else:
            w.give(local("value"))


def modified(b: Builder, w: Writer, found: Sequence[tuple[t.Rules, t.Modify]]) -> None:
    """Everything that modifies the local `value`: what sets it, what adds to it, what multiplies it."""
    for how in ("=", "+", "x"):
        for rules, modify in found:
            if modify.how == how:
                _modified(b, w, rules, modify)


def _modified(b: Builder, w: Writer, rules: t.Rules, modify: t.Modify) -> None:
    w.assign("times", call(bears(b, rules), local("self")))
    with w.if_(local("times") > 0):
        w.site = b.site(rules.line, rules.definition)
        amount = number(b, w, modify.amount)
        match modify.how:
            case "+":
                scaled = amount if rules.bearer != "face" else amount * local("times")
                w.assign("value", local("value") + scaled)
            case "=":
                w.assign("value", amount)
            case _:
                w.assign("value", local("value") * amount)
