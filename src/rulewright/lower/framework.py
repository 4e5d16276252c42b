"""What books with a framework need besides: acting as somebody else, actions as things, natural rolls.

In:  the tree nodes of book/grammar/journeys.py and book/grammar/ways.py.
Out: code, through the hooks that the other parts of lowering leave open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.lower import bearing as m_bearing
from rulewright.lower import behaviors as m_behaviors
from rulewright.lower import changes as m_changes
from rulewright.lower import checks as m_checks
from rulewright.lower import lazy as m_lazy
from rulewright.lower import numbers as m_numbers
from rulewright.lower import spaces as m_spaces
from rulewright.lower import statements as m_statements
from rulewright.lower import strides as m_strides
from rulewright.lower import terms as m_terms
from rulewright.lower import things as m_things
from rulewright.lower import ways as m_ways
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


def prepare_framework(b: Builder) -> None:
    """Slots and analyses; does nothing for a book without a framework."""
    b.limited, b.starts_at, b.caps = set(), {}, {}
    b.dependents = {}
    if not b.symbols.frameworks:
        return
    b.aim = b.layout.slots(1, -1)
    b.natural = b.layout.slots(2)
    b.changes = b.layout.slots(1)
    for action in b.symbols.offers:
        b.layout.current[id(action)] = b.layout.slots(1)
        b.layout.serial[id(action)] = b.layout.slots(1)
    m_lazy.prepare_lazy(b)


# ------------------------------------------------------------ numbers
def number(b: Builder, w: Writer, e: Any) -> n.Expr:
    """Dice note their first face where a book may ask for it."""
    if isinstance(e, t.Dice) and b.natural:
        count = number(b, w, e.count)
        if b.often is not None:
            count = n.Binary("*", count, n.Call(b.name_of(b.often), (local("self"),)))
        return n.Call("roll_noted", (count, number(b, w, e.sides), const(w.site)))
    return m_numbers.plain_number(b, w, e)


def harm(b: Builder, w: Writer, s: t.SetNumber) -> n.Expr:
    """A loss of the target: dice as often as the framework's `dice:` says."""
    owner = s.target.owners[0] if s.target.owners else None
    if b.symbols.frameworks and isinstance(owner, t.TLocal) and owner.name == "target":
        b.often = b.symbols.components.get(norm(str(b.symbols.front.get("dice", ""))))
    try:
        return number(b, w, s.value)
    finally:
        b.often = None


def more_number(b: Builder, w: Writer, e: Any) -> n.Expr:
    """Numbers that only frameworks have."""
    match e:
        case t.Final(value=value):
            return final(b, w, value)
        case t.Starting(resource=resource, owners=owners):
            return m_lazy.starting(b, w, resource, owners)
        case t.Geometry(what="natural", name=name):
            return state(b.natural + (1 if name == "die" else 0))
        case t.Geometry(what="path cost"):
            return m_strides.path_cost(b, w, e)
        case t.Geometry(what="bearing", args=args):
            a, right = (
                w.temp(m_terms.as_space(b, w, args[0]), "a"),
                w.temp(m_terms.as_space(b, w, args[1]), "b"),
            )
            dx = n.Binary("-", m_spaces.xy("x", right), m_spaces.xy("x", a))
            dy = n.Binary("-", m_spaces.xy("y", right), m_spaces.xy("y", a))
            return n.Call("bearing", (dx, dy))
        case _:
            return m_terms.plain_more_number(w, e)


def final(b: Builder, w: Writer, value: Any) -> n.Expr:
    """A whole number: references are looked up before its dice are rolled, and it is never below 0."""
    inner = value.value if isinstance(value, t.Final) else value
    lazy = [x for x in nodes(inner) if isinstance(x, t.ReadRes) and b.layout.key(x.resource) in b.lazy]
    if lazy and any(isinstance(x, t.Dice) for x in nodes(inner)):

        def build(c: Writer) -> None:
            c.site = w.site
            for read in lazy:
                c.call(
                    f"know_{m_terms.clean(b.layout.key(read.resource))}",
                    m_terms.owner_index(b, c, read.resource, read.owners),
                )
            c.emit(n.Return(_floor(b, c, inner)))

        return b.closure("final", build, w.site)
    return _floor(b, w, inner)


def _floor(b: Builder, w: Writer, value: Any) -> n.Expr:
    made = number(b, w, value)
    return made if _positive(value) else n.Call("maximum", (const(0), made))


def _positive(e: Any) -> bool:
    match e:
        case t.Num() | t.Dice():
            return True
        case t.ReadRes(resource=resource):
            return resource.low is not None and resource.low >= 0
        case t.Arith(op=op, left=left, right=right):
            return op != "-" and _positive(left) and _positive(right)
        case _:
            return False


def roll_function(b: Builder) -> None:
    """roll_noted(count, sides, site): as roll_sum, noting the first face since the last reset."""
    if not b.natural:
        return
    w = Writer("roll_noted", ("count", "sides", "site"))
    w.assign("total", const(0))
    with w.while_(n.Binary(">", local("count"), const(0))):
        w.assign("face", n.Call("roll", (local("sides"), local("site"))))
        with w.if_(equal(state(b.natural + 1), 0)):
            w.store(b.natural, local("face"))
            w.store(b.natural + 1, local("sides"))
        w.assign("total", add(local("total"), local("face")))
        w.assign("count", n.Binary("-", local("count"), const(1)))
    w.emit(n.Return(local("total")))
    b.add(w.function())


def x_natural(b: Builder, w: Writer, s: t.Simple) -> None:
    w.store(b.natural, 0)
    w.store(b.natural + 1, 0)


# ------------------------------------------------------------ things
def more_thing(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    """Things that only frameworks have."""
    match e.what:
        case "aim":
            return state(b.aim)
        case "straight way":
            return m_strides.straight_way(b, w, e)
        case "way":
            return m_ways.way(b, w, e)
        case "spot":
            return n.Call("space_at", (state(b.layout.map_now), const(e.args[0]), const(e.args[1])))
        case _:
            return m_terms.plain_more_thing(w, e)


# ------------------------------------------------------------ checks
def more_check(b: Builder, w: Writer, e: Any) -> n.Expr:
    """Checks that only frameworks have."""
    match e:
        case t.Runs():
            flags = [1 if _does(a, e) else 0 for a in b.symbols.actions.values()]
            what = (
                id(e.component)
                if e.component is not None
                else -1
                if e.lowers is None
                else b.layout.key(e.lowers)
            )
            at = b.layout.table(f"runs {what} {''.join(map(str, flags))}", flags)
            return n.Call("entry_k", (const(at), m_things.thing(b, w, e.action), const(0)))
        case t.CanPay(actor=actor, action=action):
            return _can_pay(b, w, actor, action)
        case t.HasStart(resource=r, actor=actor):
            key = b.layout.key(r)
            flags = [0 if m_lazy.first(b, key, r, i) is None else 1 for i in range(b.layout.actors)]
            at = b.layout.table(f"starts {key}", flags)
            return n.Call("entry_k", (const(at), m_things.thing(b, w, actor), const(0)))
        case _:
            return m_terms.plain_more_check(w, e)


def expanded(block: Any, seen: tuple[int, ...] = ()) -> Iterator[Any]:
    """Every node of some statements, components that they run included."""
    for x in nodes(block):
        yield x
        if isinstance(x, (t.Run, t.RunCheck)) and id(x.component) not in seen:
            yield from expanded([x.component.body], (*seen, id(x.component)))


def _does(a: t.ActionSym, e: t.Runs) -> bool:
    if e.component is None and e.lowers is None:
        return bool(a.declares)
    for x in expanded([a.do, a.orelse]):
        if e.component is not None and isinstance(x, t.Run) and x.component is e.component:
            return True
        if (
            e.lowers is not None
            and isinstance(x, t.SetNumber)
            and x.op == "-="
            and isinstance(x.target, t.ReadRes)
        ) and (
            x.target.resource is e.lowers
            and x.target.owners
            and isinstance(x.target.owners[0], t.TLocal)
            and x.target.owners[0].name == "target"
        ):
            return True
    return False


def _can_pay(b: Builder, w: Writer, actor: Any, action: Any) -> n.Expr:
    """Sure costs in `then`, resource by resource, are no more than there is."""
    who, which = w.temp(m_things.thing(b, w, actor), "who"), w.temp(m_things.thing(b, w, action), "which")

    def build(c: Writer) -> None:
        c.assign("self", local(who))
        for a in b.symbols.actions.values():
            prices: dict[str, list[t.SetNumber]] = {}
            for x in expanded([a.then]):
                if (
                    isinstance(x, t.SetNumber)
                    and x.op == "-="
                    and isinstance(x.target, t.ReadRes)
                    and x.until is None
                ):
                    own = not x.target.owners or x.target.owners[0] == t.TLocal("self", t.ACTOR)
                    if own and not any(isinstance(y, t.Dice) for y in nodes(x.value)):
                        prices.setdefault(b.layout.key(x.target.resource), []).append(x)
            if not prices:
                continue
            with c.if_(equal(local(which), a.index)):
                for rows in prices.values():
                    total: n.Expr = const(0)
                    for x in rows:
                        total = add(total, number(b, c, x.value))
                    with c.if_(n.Binary(">", total, number(b, c, rows[0].target))):
                        c.emit(n.Return(const(0)))
        c.emit(n.Return(const(1)))

    return b.closure("pays", build, w.site)


def has(b: Builder, w: Writer, e: t.Has) -> n.Expr:
    """A property; a feature may hold in more ways than by being given."""
    match e.what:
        case "map":
            return equal(state(b.layout.map_now), e.value)
        case "copy":
            at = b.layout.table("copies", [1 if a.copy else 0 for a in b.symbols.actors] or [0])
            return n.Call("entry_k", (const(at), m_things.thing(b, w, e.thing), const(0)))
        case "feature" if b.symbols.frameworks and e.thing.type == "Action":
            key = next(k for k, r in b.symbols.features.items() if r.index == e.value)
            flags = [1 if key in a.features else 0 for a in b.symbols.actions.values()] or [0]
            at = b.layout.table(f"carries {key}", flags)
            return n.Call("entry_k", (const(at), m_things.thing(b, w, e.thing), const(0)))
        case "feature" if b.symbols.frameworks:
            rules = next(r for r in b.symbols.features.values() if r.index == e.value)
            return n.Call(holds(b, rules), (m_things.thing(b, w, e.thing),))
        case _:
            return m_checks.plain_has(b, w, e)


def related(b: Builder, w: Writer, e: t.Related) -> n.Expr:
    """What a thing is to another; a space may lie in an area."""
    return _in_area(b, w, e) if e.what == "area" else m_checks.plain_related(b, w, e)


def _in_area(b: Builder, w: Writer, e: t.Related) -> n.Expr:
    table = b.symbols.list_of("Area")
    area = w.temp(m_things.thing(b, w, e.other), "area")
    space = w.temp(m_terms.as_space(b, w, e.thing), "space")

    def build(c: Writer) -> None:
        for index, word in enumerate(table.words if table else ()):
            zone = next((z for m in b.symbols.maps.values() for z in m.zones if norm(z) == norm(word)), None)
            if zone is None:
                continue
            spaces = b.layout.zone_spaces(zone)
            at = b.layout.table(f"area {norm(word)}", spaces)
            with c.if_(equal(local(area), index)):
                c.emit(n.Return(n.Call("within_table", (const(at), const(len(spaces)), local(space)))))
        c.emit(n.Return(const(0)))

    return b.closure("area", build, w.site)


def holds(b: Builder, rules: t.Rules) -> str:
    """holds_F(self): does the feature hold for the actor, whatever its sentences ask besides?"""
    name = f"holds_{rules.index}"
    if name not in b.functions:
        b.functions[name] = n.Function(name, ("self",), ())
        w = Writer(name, ("self",))
        with w.if_(n.Binary("<", local("self"), const(0))):
            w.emit(n.Return(const(0)))
        w.emit(n.Return(bearing_test(b, w, rules)))
        b.functions[name] = w.function()
    return name


def bearing_test(b: Builder, w: Writer, rules: t.Rules) -> n.Expr:
    """Given to the actor, or holding for it because of where or who it is."""
    if not rules.attached or rules.everywhere:
        return const(1)
    slot = state(add(const(b.layout.feature_base + rules.index * b.layout.actors), local("self")))
    given = n.Pick(n.Binary(">", slot, const(0)), const(1), const(0))
    if rules.applies is None:
        return given
    return n.Pick(given, const(1), m_checks.truth(m_checks.check(b, w, rules.applies)))


def bears(b: Builder, rules: t.Rules) -> str:
    """A feature of a framework's book may be several rules, and an event is nobody's."""
    if not b.symbols.frameworks or rules.bearer not in ("feature", "event"):
        return m_bearing.plain_bears(b, rules)
    name = f"bears_{b.symbols.rules.index(rules)}"
    if name in b.functions:
        return name
    b.functions[name] = n.Function(name, ("self",), ())
    w = Writer(name, ("self",))
    w.site = b.site(rules.line, rules.definition)
    tests: list[n.Expr] = []
    if rules.bearer == "feature":
        with w.if_(n.Binary("<", local("self"), const(0))):
            w.emit(n.Return(const(0)))
        tests.append(bearing_test(b, w, rules))
        if rules.template is not None:
            tests.append(
                n.Load(
                    "K",
                    add(
                        const(m_checks.template_table(b, b.symbols.templates[rules.template].index)),
                        local("self"),
                    ),
                )
            )
    if rules.while_ is not None:
        tests.append(m_checks.check(b, w, rules.while_))
    real = [x for x in tests if x != const(1)]
    w.emit(n.Return(n.Pick(both(real), const(1), const(0)) if real else const(1)))
    b.functions[name] = w.function()
    return name


def set_resource(b: Builder, w: Writer, s: t.SetNumber, target: t.ReadRes) -> None:
    """Nothing changes for a copy that takes no part."""
    there = m_lazy.takes_part(b, target.resource, target.owners) if b.symbols.frameworks else None
    if there is None:
        m_changes.plain_set_resource(b, w, s, target)
        return
    with w.if_(there):
        m_changes.plain_set_resource(b, w, s, target)


# ------------------------------------------------------------ statements
def more_statement(b: Builder, w: Writer, s: Any) -> None:
    """Statements that only frameworks have."""
    match s:
        case t.AsSelf():
            _as_self(b, w, s)
        case t.LetWay():
            m_strides.let_way(b, w, s)
        case t.Behaviors():
            m_behaviors.behaviors(b, w, s)
        case _:
            m_statements.plain_more_statement(w, s)


def _as_self(b: Builder, w: Writer, s: t.AsSelf) -> None:
    """A function of its own, so that self is never left changed."""
    who = w.temp(m_things.thing(b, w, s.who), "who")
    w.check()
    inner = Writer(b.fresh("as"))
    inner.site = w.site
    m_statements.block(b, inner, s.body)
    inner.params = inner.free()
    b.add(inner.function())
    args = tuple(local(who) if p == "self" else local(p) for p in inner.params)
    w.emit(n.Do(n.Call(inner.name, args), w.site))
    w.check()
