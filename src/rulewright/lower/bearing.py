"""Who bears a standing rule.

In:  Symbols.rules.
Out: on_N (does the rule hold for this actor?), holds_F (does the feature?).
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, cell_of, field_of
from rulewright.lower.dispatch import check
from rulewright.lower.terms import template_table, zone_slot
from rulewright.lower.writer import (
    Writer,
    absent,
    both,
    call,
    const,
    consts,
    equal,
    local,
    mul,
    state,
    truth,
)


def bears(b: Builder, rules: t.Rules) -> str:
    """on_N(self): how often the rule holds for the actor: cards count copies; an event is nobody's."""
    return b.once(f"on_{b.symbols.rules.index(rules)}", ("self",), lambda w: _bears(b, w, rules))


def _bears(b: Builder, w: Writer, rules: t.Rules) -> None:
    w.site = b.site(rules.line, rules.definition)
    if rules.bearer != "event":
        w.give_if(absent(local("self")))
    tests: list[n.Expr] = []
    count: n.Expr = const(1)
    match rules.bearer:
        case "feature":
            tests.append(bearing_test(b, w, rules))
        case "event":
            pass
        case "status":
            base = b.layout.status_base + rules.index * b.layout.actors * 4 + 1
            tests.append(state(base + mul(local("self"), 4)) > 0)
        case "terrain":
            place = field_of(b, "!place", local("self"))
            terrain = field_of(b, "!terrain", place)
            tests.append(equal(terrain, rules.index))
        case _:
            count = _copies(b, w, rules)
    tests += _descent(b, rules)
    if rules.while_ is not None:
        tests.append(check(b, w, rules.while_))
    real = [test for test in tests if test != const(1)]
    w.give(n.Pick(both(real), count, const(0)) if real else count)


def _copies(b: Builder, w: Writer, rules: t.Rules) -> n.Expr:
    zone = rules.zone or ("Table" if "Table" in b.symbols.zones else "")
    if rules.zone == "anywhere":
        w.assign("i", -1)
        w.assign("found", 0)
        with w.while_(local("i") + 1 < b.layout.cards):
            w.assign("i", local("i") + 1)
            w.assign("card", local("i"))
            face = equal(cell_of(b, "!face", local("card")), rules.index)
            mine = equal(cell_of(b, "!owner", local("card")), local("self"))
            with w.if_(both([face, mine])):
                w.assign("found", local("found") + 1)
        return local("found")
    if not zone:
        return const(0)
    owner = t.TLocal("self", t.ACTOR) if b.symbols.zones[zone].of else None
    return call("zone_faces", zone_slot(b, w, zone, owner), rules.index, b.layout.base["!face"])


def holds(b: Builder, rules: t.Rules) -> str:
    """holds_F(self): does the feature hold for the actor, whatever its sentences ask besides?"""

    def build(w: Writer) -> None:
        w.give_if(absent(local("self")))
        tests = [*_descent(b, rules), bearing_test(b, w, rules)]
        w.give(both([x for x in tests if x != const(1)]))

    return b.once(f"holds_{rules.index}", ("self",), build)


def _descent(b: Builder, rules: t.Rules) -> list[n.Expr]:
    """A rule that is only for those who descend from a template."""
    if rules.template is None:
        return []
    table = template_table(b, b.symbols.templates[rules.template].index)
    return [consts(table + local("self"))]


def bearing_test(b: Builder, w: Writer, rules: t.Rules) -> n.Expr:
    """Given to the actor, or holding for it because of where or who it is."""
    if not rules.attached or rules.everywhere:
        return const(1)
    slot = state((b.layout.feature_base + rules.index * b.layout.actors) + local("self"))
    given = n.Pick(slot > 0, const(1), const(0))
    if rules.applies is None:
        return given
    return n.Pick(given, const(1), truth(check(b, w, rules.applies)))
