"""Who bears a standing rule, and the numbers that rules modify.

In:  Symbols.rules.
Out: on_N (does the rule hold for this actor?) and get_R (a resource with its modifications); which
     moments have hooks and deadlines at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.book import tree as t
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.lower import beginning as m_beginning
from rulewright.lower import checks as m_checks
from rulewright.lower import components as m_components
from rulewright.lower import framework as m_framework
from rulewright.lower import lazy as m_lazy
from rulewright.lower import terms as m_terms
from rulewright.lower.builder import Builder, Key
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, mul, state


def prepare_rules(b: Builder) -> None:
    """Sort hooks by moment and modifications by resource, before any code is made."""
    b.hooks = {}
    b.modifiers = {}
    b.value_modifiers = {}
    b.deadlines = {}
    b.hook_slots = {}
    for rules in b.symbols.rules:
        for hook in rules.hooks:
            b.hooks.setdefault(moment_key(b, hook.moment), []).append((rules, hook))
        for modify in rules.modify:
            if modify.resource is not None:
                b.modifiers.setdefault(b.layout.key(modify.resource), []).append((rules, modify))
            elif modify.value is not None:
                b.value_modifiers.setdefault(id(modify.value), []).append((rules, modify))
    modified = set(b.modifiers)
    b.table_modifiers = {}
    for component in b.symbols.components.values():
        if component.table is not None:
            for key in component.table.modifies:
                modified.add(key)
                b.table_modifiers.setdefault(key, []).append(component)
    b.modified = frozenset(modified)
    for tree in m_beginning.trees(b):
        for node in nodes(tree):
            if isinstance(node, t.SetNumber) and node.until is not None:
                deadline(b, node.until)
            if isinstance(node, t.Simple):
                for arg in node.args:
                    if isinstance(arg, t.Moment):
                        deadline(b, arg)


def plain_trees(b: Builder) -> Iterator[Any]:
    """Every body of the book."""
    components = [*b.symbols.components.values(), *[x.component for x in b.symbols.sentences]]
    for c in components:
        yield c.body
        yield [body for _, body, _ in c.steps]
        if c.table is not None:
            yield [row.effect for row in c.table.rows]
    for a in (*b.symbols.actions.values(), *b.symbols.face_actions.values()):
        yield [a.cost, a.do, a.orelse, a.then, a.lets]
    for r in b.symbols.rules:
        yield [h.body for h in r.hooks]
    for strategy in b.symbols.strategies.values():
        yield strategy.body


# ------------------------------------------------------------ moments
def moment_key(b: Builder, m: t.Moment) -> Key:
    """What makes two moments the same."""
    match m.kind:
        case "start" | "end":
            return (m.kind, id(m.sequence))
        case "step" | "after step":
            return (m.kind, id(m.sequence), m.step)
        case "before" | "after" | "instead" | "when":
            return ("after" if m.kind == "when" else m.kind, id(m.component))
        case "before reduced" | "when reduced" | "after reduced":
            assert m.resource is not None
            return (
                "before reduced" if m.kind.startswith("before") else "reduced",
                b.layout.key(m.resource),
            )
        case "before change" | "when change" | "after change":
            assert m.resource is not None
            return ("before change" if m.kind.startswith("before") else "change", b.layout.key(m.resource))
        case "becomes" | "loses":
            return (m.kind, m.status)
        case _:
            return (m.kind,)


def deadline(b: Builder, m: t.Moment) -> int:
    """The number of a moment at which timed changes end."""
    key = moment_key(b, m)
    if key not in b.deadlines:
        b.deadlines[key] = len(b.deadlines)
    return b.deadlines[key]


# ------------------------------------------------------------ who bears a rule
def plain_bears(b: Builder, rules: t.Rules) -> str:
    """on_N(self): how often the rule holds for the actor (cards count copies)."""
    name = f"on_{rules.bearer}_{rules.index}"
    if name in b.functions:
        return name
    b.functions[name] = n.Function(name, ("self",), ())
    w = Writer(name, ("self",))
    w.site = b.site(rules.line, rules.definition)
    with w.if_(n.Binary("<", local("self"), const(0))):
        w.emit(n.Return(const(0)))
    tests: list[n.Expr] = []
    count: n.Expr = const(1)
    match rules.bearer:
        case "feature":
            if rules.attached:
                tests.append(
                    n.Binary(
                        ">",
                        state(
                            add(const(b.layout.feature_base + rules.index * b.layout.actors), local("self"))
                        ),
                        const(0),
                    )
                )
        case "status":
            base = b.layout.status_base + rules.index * b.layout.actors * 4 + 1
            tests.append(n.Binary(">", state(add(const(base), mul(local("self"), 4))), const(0)))
        case "terrain":
            tests.append(
                equal(
                    n.Call(
                        "cell",
                        (
                            const(b.layout.base["!terrain"]),
                            n.Call("cell", (const(b.layout.base["!place"]), local("self"), const(-1))),
                            const(-1),
                        ),
                    ),
                    rules.index,
                )
            )
        case _:
            count = _copies(b, w, rules)
    if rules.template is not None:
        tests.append(
            consts(
                add(
                    const(m_checks.template_table(b, b.symbols.templates[rules.template].index)),
                    local("self"),
                )
            )
        )
    if rules.while_ is not None:
        tests.append(m_checks.check(b, w, rules.while_))
    w.emit(n.Return(n.Pick(both(tests), count, const(0)) if tests else count))
    b.functions[name] = w.function()
    return name


def _copies(b: Builder, w: Writer, rules: t.Rules) -> n.Expr:
    zone = rules.zone or ("Table" if "Table" in b.symbols.zones else "")
    if rules.zone == "anywhere":
        w.assign("i", const(0))
        w.assign("found", const(0))
        with w.while_(n.Binary("<", local("i"), const(b.layout.cards))):
            mine = equal(state(add(const(b.layout.base["!owner"]), local("i"))), local("self"))
            with w.if_(
                both([equal(state(add(const(b.layout.base["!face"]), local("i"))), rules.index), mine])
            ):
                w.assign("found", add(local("found"), 1))
            w.assign("i", add(local("i"), 1))
        return local("found")
    if not zone:
        return const(0)
    owner = t.TLocal("self", t.ACTOR) if b.symbols.zones[zone].of else None
    return n.Call(
        "zone_faces",
        (m_terms.zone_slot(b, w, zone, owner), const(rules.index), const(b.layout.base["!face"])),
    )


# ------------------------------------------------------------ modified numbers
def getters(b: Builder) -> None:
    """get_R for every resource that something modifies, and max_R for those with a maximum."""
    for key in sorted(b.modified):
        r = b.symbols.resources.get(key)
        if r is not None:
            _getter(b, key, r)
    if b.symbols.frameworks:
        m_lazy.lazy_functions(b)
        return
    for key, r in b.symbols.resources.items():
        if r.maximum is not None:
            w = Writer(f"max_{m_terms.clean(key)}", ("self",))
            if r.definition is not None:
                w.site = b.site(r.definition.line.number, r.definition)
            w.emit(n.Return(m_framework.number(b, w, r.maximum)))
            b.add(w.function())


def _getter(b: Builder, key: str, r: t.Resource) -> None:
    w = Writer(f"get_{m_terms.clean(key)}", ("i",))
    w.assign("value", m_lazy.stored(b, key, local("i")))
    actor: n.Expr = local("i")
    if len(r.of) == 2:
        actor = n.Binary("//", local("i"), const(b.layout.count_of(r.of[1])))
    w.assign("self", actor if r.of[:1] == (t.ACTOR,) else const(-1))
    for how in ("=", "+", "x"):
        for rules, modify in b.modifiers.get(key, ()):
            if modify.how != how:
                continue
            modified(b, w, rules, modify)
    for component in b.table_modifiers.get(key, ()):
        assert component.table is not None
        row = n.Call(m_components.row_function(b, component), (local("self"),))
        at = len(b.layout.params)
        for value in component.table.modifies[key]:
            b.layout.number(value, f"[{r.name}] in {component.name}")
        w.assign("row", row)
        w.assign("value", add(local("value"), n.Call("entry", (const(at), local("row"), const(0)))))
    low, high = (
        const(r.low if r.low is not None else -(10**9)),
        const(r.high if r.high is not None else 10**9),
    )
    never = str(b.symbols.front.get("numbers", "signed")).startswith("never")
    if never or (r.definition is not None and r.definition.get("range") is not None):
        w.emit(n.Return(n.Call("clamp", (local("value"), low, high))))
    else:
        w.emit(n.Return(local("value")))
    b.add(w.function())


def modified(b: Builder, w: Writer, rules: t.Rules, modify: t.Modify) -> None:
    w.assign("times", n.Call(m_framework.bears(b, rules), (local("self"),)))
    with w.if_(n.Binary(">", local("times"), const(0))):
        w.site = b.site(rules.line, rules.definition)
        amount = m_framework.number(b, w, modify.amount)
        match modify.how:
            case "+":
                scaled = amount if rules.bearer != "face" else n.Binary("*", amount, local("times"))
                w.assign("value", add(local("value"), scaled))
            case "=":
                w.assign("value", amount)
            case _:
                w.assign("value", n.Binary("*", local("value"), amount))
