"""What books with a framework need besides: acting as somebody else, lots, actions as things, natural rolls.

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
from rulewright.ir.sheet import UNKNOWN
from rulewright.lower.bearing import Key
from rulewright.lower.layout import TIMED
from rulewright.lower.ways import Ways
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


class Framework(Ways):
    """Lowers what frameworks add."""

    aim = 0
    natural = 0
    changes = 0
    quiet = False
    """Asking whether something is possible: nothing may be rolled."""

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

    def _x_expire(self, w: Writer, s: t.Simple) -> None:
        """Bring a moment about for somebody: what lasts until then ends."""
        moment, who = s.args
        key = self.moment_key(moment)
        if key in self.deadlines:
            self.expire_at(w, key, self.thing(w, who))

    def _x_undo(self, w: Writer, s: t.Simple) -> None:
        w.call("undo_all", w.site)
        w.check()

    def _x_forget(self, w: Writer, s: t.Simple) -> None:
        """The actor is as it was printed: numbers, statuses, features."""
        w.call("forget", self.thing(w, s.args[0]))

    def _x_gain(self, w: Writer, s: t.Simple) -> None:
        """Of features with one name the newest counts, and begins its time anew."""
        if not self.s.frameworks:
            super()._x_gain(w, s)
            return
        who, feature, until, count = s.args
        actor = w.temp(self.thing(w, who), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            slot = w.temp(self._feature_slot(w, feature, actor), "slot")
            had = w.temp(state(local(slot)), "had")
            timed = w.temp(n.Call("timed_forget", (const(self.l.timed), const(TIMED), local(slot))), "timed")
            with w.if_(equal(local(had), 0)):
                self.changed(w)
            w.store(local(slot), 1)
            if until is not None:
                with w.if_(n.Pick(local(had), local(timed), const(1))):
                    self._remember(w, until, count, local(slot), const(1), 0, 0, local(actor))

    def _feature_slot(self, w: Writer, feature: Any, actor: str) -> n.Expr:
        if isinstance(feature, str):
            return add(
                const(self.l.feature_base + self.s.features[feature].index * self.l.actors), local(actor)
            )
        number = n.Binary("*", self.thing(w, feature), const(self.l.actors))
        return add(add(const(self.l.feature_base), number), local(actor))

    def _x_lose(self, w: Writer, s: t.Simple) -> None:
        if not self.s.frameworks:
            super()._x_lose(w, s)
            return
        actor = w.temp(self.thing(w, s.args[0]), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            slot = w.temp(self._feature_slot(w, s.args[1], actor), "slot")
            with w.if_(state(local(slot))):
                self.changed(w)
            w.call("timed_forget", self.l.timed, TIMED, local(slot))
            w.store(local(slot), 0)

    def _x_status(self, w: Writer, s: t.Simple) -> None:
        """Given again, a status only changes how long it lasts."""
        if self.s.frameworks and isinstance(s.args[1], str):
            who = w.temp(self.thing(w, s.args[0]), "who")
            base = self.l.status_base + self.s.statuses[s.args[1]].index * self.l.actors * 4
            with w.if_(n.Binary(">=", local(who), const(0))):
                w.call(
                    "timed_forget", self.l.timed, TIMED, add(const(base), n.Binary("*", local(who), const(4)))
                )
        super()._x_status(w, s)

    # ------------------------------------------------------------ what ends
    def expire_at(self, w: Writer, key: Key, subject: n.Expr) -> None:
        """What lasts until this moment ends, through the rules for changing numbers."""
        if not self.s.frameworks:
            super().expire_at(w, key, subject)
            return
        w.call("expire", self.deadlines[key], subject, w.site)
        w.check()

    def timed_functions(self) -> None:
        """expire(deadline, who, site) and undo_all(site)."""
        if not self.s.frameworks:
            return
        timed = sorted({
            self.l.key(x.target.resource) for tree in self.trees() for x in nodes(tree)
            if isinstance(x, t.SetNumber) and x.until is not None and isinstance(x.target, t.ReadRes)
        })  # fmt: skip
        w = Writer("undo_one", ("e", "site"))
        w.assign("field", state(add(local("e"), 6)))
        with w.if_(n.Binary(">", local("field"), const(0))):
            w.assign("slot", state(local("e")))
            w.assign("amount", state(add(local("e"), 1)))
            w.assign("owner", n.Binary("//", local("field"), const(4096)))
            w.assign("which", n.Binary("-", n.Binary("%", local("field"), const(4096)), const(1)))
            w.call("timed_clear", local("e"))
            for key in timed:
                with w.if_(equal(local("which"), self.l.field_index[key])):
                    w.call(
                        f"set_{self.clean(key)}",
                        local("owner"),
                        n.Binary("-", state(local("slot")), local("amount")),
                        local("site"),
                    )
                    w.check()
            w.emit(n.Return(const(0)))
        w.call("timed_undo", local("e"), local("site"))
        self.c.add(w.function())
        size = 7
        w = Writer("expire", ("deadline", "who", "site"))
        w.assign("i", const(0))
        with w.while_(n.Binary("<", local("i"), const(TIMED))):
            w.assign("e", add(const(self.l.timed), n.Binary("*", local("i"), const(size))))
            w.assign("i", add(local("i"), 1))
            mine = n.Binary(
                "|",
                equal(state(add(local("e"), 3)), 0),
                equal(state(add(local("e"), 3)), add(local("who"), 1)),
            )
            due = both([n.Binary("==", state(add(local("e"), 2)), add(local("deadline"), 1)), mine])
            with w.if_(due):
                left = state(add(local("e"), 4))
                with w.nested() as later:
                    w.store(add(local("e"), 4), n.Binary("-", left, const(1)))
                with w.nested() as now:
                    w.call("undo_one", local("e"), local("site"))
                w.emit(n.If(n.Binary(">", left, const(1)), tuple(later), tuple(now)))
                w.check()
        self.c.add(w.function())
        w = Writer("undo_all", ("site",))
        w.assign("i", const(TIMED))
        with w.while_(n.Binary(">", local("i"), const(0))):
            w.assign("i", n.Binary("-", local("i"), const(1)))
            w.assign("e", add(const(self.l.timed), n.Binary("*", local("i"), const(size))))
            with w.if_(n.Binary(">", state(add(local("e"), 2)), const(0))):
                w.call("undo_one", local("e"), local("site"))
                w.check()
        self.c.add(w.function())

    def forget_function(self) -> None:
        """forget(i): an actor as it was printed."""
        if not self.s.frameworks:
            return
        w = Writer("forget", ("i",))
        for i, actor in enumerate(self.s.actors):
            if not actor.copy:
                continue
            with w.if_(equal(local("i"), i)):
                for key, r in self.s.resources.items():
                    if not (r.builtin or r.holds or r.private) and r.of == (t.ACTOR,):
                        self.reset_number(w, key, r, i)
                given = {
                    self.s.features[norm(f)].index
                    for f in self.s.features_of(actor.template)
                    if norm(f) in self.s.features
                }
                for rules in self.s.features.values():
                    w.store(
                        self.l.feature_base + rules.index * self.l.actors + i,
                        1 if rules.index in given else 0,
                    )
                for status in self.s.statuses.values():
                    for k in range(4):
                        w.store(self.l.status_base + (status.index * self.l.actors + i) * 4 + k, 0)
        w.emit(n.Return(const(0)))
        self.c.add(w.function())

    def changed(self, w: Writer) -> None:
        """Count a change that a strategy may be satisfied by."""
        if self.changes:
            w.store(self.changes, n.Binary("%", add(state(self.changes), 1), const(1 << 30)))

    def drop_dependents(self, w: Writer, key: str) -> None:
        """A maximum that was worked out from this number may have fallen: what is above it drops at once."""
        for other, own in self.dependents.get(key, ()):
            r = self.s.resources[other]
            if own and r.of:
                self._set_anew(w, other, local("i"))
                continue
            k = w.temp(const(0), "k")
            with w.while_(n.Binary("<", local(k), const(self.count(r)))):
                self._set_anew(w, other, local(k))
                w.assign(k, add(local(k), 1))

    def _set_anew(self, w: Writer, key: str, i: n.Expr) -> None:
        """A known number is set to what it is, which its maximum may now be below."""
        now = state(add(const(self.l.base[key]), i))
        with w.if_(n.Binary("!=", now, const(UNKNOWN))):
            w.call(f"set_{self.clean(key)}", i, now, local("site"))

    # ------------------------------------------------------------ lots
    def select(self, w: Writer, s: t.Selector, how: str, value: Any = None) -> n.Expr:
        """A selector; whoever is equal after the preferences may draw lots."""
        if how != "the" or not s.lots:
            return super().select(w, s, how, value)
        orelse = self.thing(w, s.orelse) if s.orelse is not None else None
        quiet = self.quiet
        call = self.c.closure("s_lots", lambda c: self._lots(c, s, quiet), w.site)
        if not quiet:
            call = local(w.temp(call, "lot"))
        return call if orelse is None else n.Call("or_else", (call, orelse))

    def _lots(self, c: Writer, s: t.Selector, quiet: bool) -> None:
        it = self.var(s.it)
        c.assign("any", const(0))
        for i in range(len(s.prefs)):
            c.assign(f"b{i}", const(0))

        def best() -> None:
            for i, pref in enumerate(s.prefs):
                c.assign(f"p{i}", self.number(c, pref.value))
            better: n.Expr = const(0)
            for i, pref in reversed(list(enumerate(s.prefs))):
                a, b = local(f"p{i}"), local(f"b{i}")
                better = n.Pick(
                    n.Binary("<" if pref.low else ">", a, b), const(1), n.Pick(equal(a, b), better, const(0))
                )
            with c.if_(n.Pick(local("any"), better, const(1))):
                c.assign("any", const(1))
                for i in range(len(s.prefs)):
                    c.assign(f"b{i}", local(f"p{i}"))

        self.loop(c, s, best)
        with c.if_(equal(local("any"), 0)):
            c.emit(n.Return(const(-1)))
        order = s.lots_order
        width = 1 + len(order)
        size = self.l.count_of(s.type)
        memory = self.c.memory(size * width)
        c.assign("count", const(0))

        def tied() -> None:
            same = [equal(self.number(c, pref.value), local(f"b{i}")) for i, pref in enumerate(s.prefs)]
            with c.if_(both(same)):
                at = add(const(memory), n.Binary("*", local("count"), const(width)))
                c.emit(n.Store("W", at, local(it)))
                for k, pref in enumerate(order):
                    key = self.number(c, pref.value)
                    c.emit(n.Store("W", add(at, 1 + k), key if pref.low else n.Binary("-", const(0), key)))
                c.assign("count", add(local("count"), 1))

        self.loop(c, s, tied)
        if s.lots_for is not None:
            self._only(c, s, memory, width, it, always=quiet)
        with c.if_(equal(local("count"), 0)):
            c.emit(n.Return(const(-1)))
        c.assign("pick", const(0))
        if not quiet:
            with c.if_(n.Binary(">", local("count"), const(1))):
                c.assign("pick", n.Binary("-", n.Call("roll", (local("count"), const(c.site))), const(1)))
        self._ranked(c, memory, width)

    def _only(self, c: Writer, s: t.Selector, memory: int, width: int, it: str, always: bool) -> None:
        """Drop those who take no part. A single one needs no look, unless the question is whether it can."""
        with c.if_(const(1) if always else n.Binary(">", local("count"), const(1))):
            c.assign("i", const(0))
            c.assign("kept", const(0))
            with c.while_(n.Binary("<", local("i"), local("count"))):
                row = add(const(memory), n.Binary("*", local("i"), const(width)))
                c.assign(it, n.Load("W", row))
                with c.if_(self.check(c, s.lots_for)):
                    into = add(const(memory), n.Binary("*", local("kept"), const(width)))
                    for k in range(width):
                        c.emit(n.Store("W", add(into, k), n.Load("W", add(row, k))))
                    c.assign("kept", add(local("kept"), 1))
                c.assign("i", add(local("i"), 1))
            c.assign("count", local("kept"))

    def _ranked(self, c: Writer, memory: int, width: int) -> None:
        """The one that has exactly `pick` others before it."""
        c.assign("i", const(0))
        with c.while_(n.Binary("<", local("i"), local("count"))):
            c.assign("before", const(0))
            c.assign("j", const(0))
            with c.while_(n.Binary("<", local("j"), local("count"))):
                sooner: n.Expr = n.Binary("<", local("j"), local("i"))
                for k in reversed(range(1, width)):
                    a = n.Load("W", add(add(const(memory), n.Binary("*", local("j"), const(width))), k))
                    b = n.Load("W", add(add(const(memory), n.Binary("*", local("i"), const(width))), k))
                    sooner = n.Pick(n.Binary("<", a, b), const(1), n.Pick(equal(a, b), sooner, const(0)))
                with c.if_(sooner):
                    c.assign("before", add(local("before"), 1))
                c.assign("j", add(local("j"), 1))
            with c.if_(equal(local("before"), local("pick"))):
                c.emit(n.Return(n.Load("W", add(const(memory), n.Binary("*", local("i"), const(width))))))
            c.assign("i", add(local("i"), 1))
        c.emit(n.Return(const(-1)))
