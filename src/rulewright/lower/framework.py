"""What books with a framework need besides: acting as somebody else, actions as things, natural rolls.

In:  the tree nodes of book/journeys.py and book/ways.py.
Out: code, through the hooks that the other parts of lowering leave open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.lower.lasting import Lasting
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


class Framework(Lasting):
    """Lowers what frameworks add."""

    aim = 0
    natural = 0

    def prepare_framework(self) -> None:
        """Slots and analyses; does nothing for a book without a framework."""
        self.limited, self.starts_at, self.caps = set(), {}, {}
        self.dependents: dict[str, list[tuple[str, bool]]] = {}
        if not self.s.frameworks:
            return
        self.aim = self.l.slots(1, -1)
        self.natural = self.l.slots(2)
        self.changes = self.l.slots(1)
        for action in self.s.offers:
            self.l.current[id(action)] = self.l.slots(1)
            self.l.serial[id(action)] = self.l.slots(1)
        self.prepare_lazy()

    # ------------------------------------------------------------ numbers
    def number(self, w: Writer, e: Any) -> n.Expr:
        """Dice note their first face where a book may ask for it."""
        if isinstance(e, t.Dice) and self.natural:
            count = self.number(w, e.count)
            if self.often is not None:
                count = n.Binary("*", count, n.Call(self.c.name_of(self.often), (local("self"),)))
            return n.Call("roll_noted", (count, self.number(w, e.sides), const(w.site)))
        return super().number(w, e)

    often: t.Component | None = None
    """While a loss is worked out: the Value that says how often its dice are rolled."""

    def harm(self, w: Writer, s: t.SetNumber) -> n.Expr:
        """A loss of the target: dice as often as the framework's `dice:` says."""
        owner = s.target.owners[0] if s.target.owners else None
        if self.s.frameworks and isinstance(owner, t.TLocal) and owner.name == "target":
            self.often = self.s.components.get(norm(str(self.s.front.get("dice", ""))))
        try:
            return self.number(w, s.value)
        finally:
            self.often = None

    def more_number(self, w: Writer, e: Any) -> n.Expr:
        """Numbers that only frameworks have."""
        match e:
            case t.Final(value=value):
                return self.final(w, value)
            case t.Starting(resource=resource, owners=owners):
                return self.starting(w, resource, owners)
            case t.Geometry(what="natural", name=name):
                return state(self.natural + (1 if name == "die" else 0))
            case t.Geometry(what="path cost"):
                return self.path_cost(w, e)
            case t.Geometry(what="bearing", args=args):
                a, b = w.temp(self.as_space(w, args[0]), "a"), w.temp(self.as_space(w, args[1]), "b")
                dx = n.Binary("-", self._xy("x", b), self._xy("x", a))
                dy = n.Binary("-", self._xy("y", b), self._xy("y", a))
                return n.Call("bearing", (dx, dy))
            case _:
                return super().more_number(w, e)

    def final(self, w: Writer, value: Any) -> n.Expr:
        """A whole number: references are looked up before its dice are rolled, and it is never below 0."""
        inner = value.value if isinstance(value, t.Final) else value
        lazy = [x for x in nodes(inner) if isinstance(x, t.ReadRes) and self.l.key(x.resource) in self.lazy]
        if lazy and any(isinstance(x, t.Dice) for x in nodes(inner)):

            def build(c: Writer) -> None:
                c.site = w.site
                for read in lazy:
                    c.call(
                        f"know_{self.clean(self.l.key(read.resource))}",
                        self.owner_index(c, read.resource, read.owners),
                    )
                c.emit(n.Return(self._floor(c, inner)))

            return self.c.closure("final", build, w.site)
        return self._floor(w, inner)

    def _floor(self, w: Writer, value: Any) -> n.Expr:
        made = self.number(w, value)
        return made if self._positive(value) else n.Call("maximum", (const(0), made))

    def _positive(self, e: Any) -> bool:
        match e:
            case t.Num() | t.Dice():
                return True
            case t.ReadRes(resource=resource):
                return resource.low is not None and resource.low >= 0
            case t.Arith(op=op, left=left, right=right):
                return op != "-" and self._positive(left) and self._positive(right)
            case _:
                return False

    def roll_function(self) -> None:
        """roll_noted(count, sides, site): as roll_sum, noting the first face since the last reset."""
        if not self.natural:
            return
        w = Writer("roll_noted", ("count", "sides", "site"))
        w.assign("total", const(0))
        with w.while_(n.Binary(">", local("count"), const(0))):
            w.assign("face", n.Call("roll", (local("sides"), local("site"))))
            with w.if_(equal(state(self.natural + 1), 0)):
                w.store(self.natural, local("face"))
                w.store(self.natural + 1, local("sides"))
            w.assign("total", add(local("total"), local("face")))
            w.assign("count", n.Binary("-", local("count"), const(1)))
        w.emit(n.Return(local("total")))
        self.c.add(w.function())

    def _x_natural(self, w: Writer, s: t.Simple) -> None:
        w.store(self.natural, 0)
        w.store(self.natural + 1, 0)

    # ------------------------------------------------------------ things
    def more_thing(self, w: Writer, e: t.TBuiltin) -> n.Expr:
        """Things that only frameworks have."""
        match e.what:
            case "aim":
                return state(self.aim)
            case "straight way":
                return self.straight_way(w, e)
            case "way":
                return self.way(w, e)
            case "spot":
                return n.Call("space_at", (state(self.l.map_now), const(e.args[0]), const(e.args[1])))
            case _:
                return super().more_thing(w, e)

    # ------------------------------------------------------------ checks
    def more_check(self, w: Writer, e: Any) -> n.Expr:
        """Checks that only frameworks have."""
        match e:
            case t.Runs():
                flags = [1 if self._does(a, e) else 0 for a in self.s.actions.values()]
                what = (
                    id(e.component)
                    if e.component is not None
                    else -1
                    if e.lowers is None
                    else self.l.key(e.lowers)
                )
                at = self.l.table(f"runs {what} {''.join(map(str, flags))}", flags)
                return n.Call("entry_k", (const(at), self.thing(w, e.action), const(0)))
            case t.CanPay(actor=actor, action=action):
                return self._can_pay(w, actor, action)
            case t.HasStart(resource=r, actor=actor):
                key = self.l.key(r)
                flags = [0 if self.first(key, r, i) is None else 1 for i in range(self.l.actors)]
                at = self.l.table(f"starts {key}", flags)
                return n.Call("entry_k", (const(at), self.thing(w, actor), const(0)))
            case _:
                return super().more_check(w, e)

    def expanded(self, block: Any, seen: tuple[int, ...] = ()) -> Iterator[Any]:
        """Every node of some statements, components that they run included."""
        for x in nodes(block):
            yield x
            if isinstance(x, (t.Run, t.RunCheck)) and id(x.component) not in seen:
                yield from self.expanded([x.component.body], (*seen, id(x.component)))

    def _does(self, a: t.ActionSym, e: t.Runs) -> bool:
        if e.component is None and e.lowers is None:
            return bool(a.declares)
        for x in self.expanded([a.do, a.orelse]):
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

    def _can_pay(self, w: Writer, actor: Any, action: Any) -> n.Expr:
        """Sure costs in `then`, resource by resource, are no more than there is."""
        who, which = w.temp(self.thing(w, actor), "who"), w.temp(self.thing(w, action), "which")

        def build(c: Writer) -> None:
            c.assign("self", local(who))
            for a in self.s.actions.values():
                prices: dict[str, list[t.SetNumber]] = {}
                for x in self.expanded([a.then]):
                    if (
                        isinstance(x, t.SetNumber)
                        and x.op == "-="
                        and isinstance(x.target, t.ReadRes)
                        and x.until is None
                    ):
                        own = not x.target.owners or x.target.owners[0] == t.TLocal("self", t.ACTOR)
                        if own and not any(isinstance(y, t.Dice) for y in nodes(x.value)):
                            prices.setdefault(self.l.key(x.target.resource), []).append(x)
                if not prices:
                    continue
                with c.if_(equal(local(which), a.index)):
                    for rows in prices.values():
                        total: n.Expr = const(0)
                        for x in rows:
                            total = add(total, self.number(c, x.value))
                        with c.if_(n.Binary(">", total, self.number(c, rows[0].target))):
                            c.emit(n.Return(const(0)))
            c.emit(n.Return(const(1)))

        return self.c.closure("pays", build, w.site)

    def has(self, w: Writer, e: t.Has) -> n.Expr:
        """A property; a feature may hold in more ways than by being given."""
        match e.what:
            case "map":
                return equal(state(self.l.map_now), e.value)
            case "copy":
                at = self.l.table("copies", [1 if a.copy else 0 for a in self.s.actors] or [0])
                return n.Call("entry_k", (const(at), self.thing(w, e.thing), const(0)))
            case "feature" if self.s.frameworks and e.thing.type == "Action":
                key = next(k for k, r in self.s.features.items() if r.index == e.value)
                flags = [1 if key in a.features else 0 for a in self.s.actions.values()] or [0]
                at = self.l.table(f"carries {key}", flags)
                return n.Call("entry_k", (const(at), self.thing(w, e.thing), const(0)))
            case "feature" if self.s.frameworks:
                rules = next(r for r in self.s.features.values() if r.index == e.value)
                return n.Call(self.holds(rules), (self.thing(w, e.thing),))
            case _:
                return super().has(w, e)

    def related(self, w: Writer, e: t.Related) -> n.Expr:
        """What a thing is to another; a space may lie in an area."""
        return self._in_area(w, e) if e.what == "area" else super().related(w, e)

    def _in_area(self, w: Writer, e: t.Related) -> n.Expr:
        table = self.s.list_of("Area")
        area = w.temp(self.thing(w, e.other), "area")
        space = w.temp(self.as_space(w, e.thing), "space")

        def build(c: Writer) -> None:
            for index, word in enumerate(table.words if table else ()):
                zone = next((z for m in self.s.maps.values() for z in m.zones if norm(z) == norm(word)), None)
                if zone is None:
                    continue
                spaces = self.l.zone_spaces(zone)
                at = self.l.table(f"area {norm(word)}", spaces)
                with c.if_(equal(local(area), index)):
                    c.emit(n.Return(n.Call("within_table", (const(at), const(len(spaces)), local(space)))))
            c.emit(n.Return(const(0)))

        return self.c.closure("area", build, w.site)

    def holds(self, rules: t.Rules) -> str:
        """holds_F(self): does the feature hold for the actor, whatever its sentences ask besides?"""
        name = f"holds_{rules.index}"
        if name not in self.c.functions:
            self.c.functions[name] = n.Function(name, ("self",), ())
            w = Writer(name, ("self",))
            with w.if_(n.Binary("<", local("self"), const(0))):
                w.emit(n.Return(const(0)))
            w.emit(n.Return(self.bearing_test(w, rules)))
            self.c.functions[name] = w.function()
        return name

    def bearing_test(self, w: Writer, rules: t.Rules) -> n.Expr:
        """Given to the actor, or holding for it because of where or who it is."""
        if not rules.attached or rules.everywhere:
            return const(1)
        slot = state(add(const(self.l.feature_base + rules.index * self.l.actors), local("self")))
        given = n.Pick(n.Binary(">", slot, const(0)), const(1), const(0))
        if rules.applies is None:
            return given
        return n.Pick(given, const(1), self.truth(self.check(w, rules.applies)))

    def bears(self, rules: t.Rules) -> str:
        """A feature of a framework's book may be several rules, and an event is nobody's."""
        if not self.s.frameworks or rules.bearer not in ("feature", "event"):
            return super().bears(rules)
        name = f"bears_{self.s.rules.index(rules)}"
        if name in self.c.functions:
            return name
        self.c.functions[name] = n.Function(name, ("self",), ())
        w = Writer(name, ("self",))
        w.site = self.c.site(rules.line, rules.definition)
        tests: list[n.Expr] = []
        if rules.bearer == "feature":
            with w.if_(n.Binary("<", local("self"), const(0))):
                w.emit(n.Return(const(0)))
            tests.append(self.bearing_test(w, rules))
            if rules.template is not None:
                tests.append(
                    n.Load(
                        "K",
                        add(
                            const(self.template_table(self.s.templates[rules.template].index)), local("self")
                        ),
                    )
                )
        if rules.while_ is not None:
            tests.append(self.check(w, rules.while_))
        real = [x for x in tests if x != const(1)]
        w.emit(n.Return(n.Pick(both(real), const(1), const(0)) if real else const(1)))
        self.c.functions[name] = w.function()
        return name

    def _set_resource(self, w: Writer, s: t.SetNumber, target: t.ReadRes) -> None:
        """Nothing changes for a copy that takes no part."""
        there = self.takes_part(target.resource, target.owners) if self.s.frameworks else None
        if there is None:
            super()._set_resource(w, s, target)
            return
        with w.if_(there):
            super()._set_resource(w, s, target)

    # ------------------------------------------------------------ statements
    def more_statement(self, w: Writer, s: Any) -> None:
        """Statements that only frameworks have."""
        match s:
            case t.AsSelf():
                self._as_self(w, s)
            case t.LetWay():
                self.let_way(w, s)
            case t.Behaviors():
                self.behaviors(w, s)
            case _:
                super().more_statement(w, s)

    def behaviors(self, w: Writer, s: t.Behaviors) -> None:
        """Made in behaviors.py."""
        raise NotImplementedError

    def _as_self(self, w: Writer, s: t.AsSelf) -> None:
        """A function of its own, so that self is never left changed."""
        who = w.temp(self.thing(w, s.who), "who")
        w.check()
        inner = Writer(self.c.fresh("as"))
        inner.site = w.site
        self.block(inner, s.body)
        inner.params = inner.free()
        self.c.add(inner.function())
        args = tuple(local(who) if p == "self" else local(p) for p in inner.params)
        w.emit(n.Do(n.Call(inner.name, args), w.site))
        w.check()
