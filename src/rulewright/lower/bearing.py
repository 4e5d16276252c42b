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
from rulewright.lower.spaces import Spaces
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, mul, state

Key = tuple[Any, ...]


class Bearing(Spaces):
    """Generates what standing rules are to those who bear them."""

    def prepare_rules(self) -> None:
        """Sort hooks by moment and modifications by resource, before any code is made."""
        self.hooks: dict[Key, list[tuple[t.Rules, t.Hook]]] = {}
        self.modifiers: dict[str, list[tuple[t.Rules, t.Modify]]] = {}
        self.value_modifiers: dict[int, list[tuple[t.Rules, t.Modify]]] = {}
        self.deadlines: dict[Key, int] = {}
        self.hook_slots: dict[int, int] = {}
        for rules in self.s.rules:
            for hook in rules.hooks:
                self.hooks.setdefault(self.moment_key(hook.moment), []).append((rules, hook))
            for modify in rules.modify:
                if modify.resource is not None:
                    self.modifiers.setdefault(self.l.key(modify.resource), []).append((rules, modify))
                elif modify.value is not None:
                    self.value_modifiers.setdefault(id(modify.value), []).append((rules, modify))
        modified = set(self.modifiers)
        self.table_modifiers: dict[str, list[t.Component]] = {}
        for component in self.s.components.values():
            if component.table is not None:
                for key in component.table.modifies:
                    modified.add(key)
                    self.table_modifiers.setdefault(key, []).append(component)
        self.modified = frozenset(modified)
        for tree in self.trees():
            for node in nodes(tree):
                if isinstance(node, t.SetNumber) and node.until is not None:
                    self.deadline(node.until)
                if isinstance(node, t.Simple):
                    for arg in node.args:
                        if isinstance(arg, t.Moment):
                            self.deadline(arg)

    def trees(self) -> Iterator[Any]:
        """Every body of the book."""
        components = [*self.s.components.values(), *[x.component for x in self.s.sentences]]
        for c in components:
            yield c.body
            yield [body for _, body, _ in c.steps]
            if c.table is not None:
                yield [row.effect for row in c.table.rows]
        for a in (*self.s.actions.values(), *self.s.face_actions.values()):
            yield [a.cost, a.do, a.orelse, a.then, a.lets]
        for r in self.s.rules:
            yield [h.body for h in r.hooks]
        for strategy in self.s.strategies.values():
            yield strategy.body

    # ------------------------------------------------------------ moments
    def moment_key(self, m: t.Moment) -> Key:
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
                    self.l.key(m.resource),
                )
            case "before change" | "when change" | "after change":
                assert m.resource is not None
                return ("before change" if m.kind.startswith("before") else "change", self.l.key(m.resource))
            case "becomes" | "loses":
                return (m.kind, m.status)
            case _:
                return (m.kind,)

    def deadline(self, m: t.Moment) -> int:
        """The number of a moment at which timed changes end."""
        key = self.moment_key(m)
        if key not in self.deadlines:
            self.deadlines[key] = len(self.deadlines)
        return self.deadlines[key]

    # ------------------------------------------------------------ who bears a rule
    def bears(self, rules: t.Rules) -> str:
        """on_N(self): how often the rule holds for the actor (cards count copies)."""
        name = f"on_{rules.bearer}_{rules.index}"
        if name in self.c.functions:
            return name
        self.c.functions[name] = n.Function(name, ("self",), ())
        w = Writer(name, ("self",))
        w.site = self.c.site(rules.line, rules.definition)
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
                                add(const(self.l.feature_base + rules.index * self.l.actors), local("self"))
                            ),
                            const(0),
                        )
                    )
            case "status":
                base = self.l.status_base + rules.index * self.l.actors * 4 + 1
                tests.append(n.Binary(">", state(add(const(base), mul(local("self"), 4))), const(0)))
            case "terrain":
                tests.append(
                    equal(
                        n.Call(
                            "cell",
                            (
                                const(self.l.base["!terrain"]),
                                n.Call("cell", (const(self.l.base["!place"]), local("self"), const(-1))),
                                const(-1),
                            ),
                        ),
                        rules.index,
                    )
                )
            case _:
                count = self._copies(w, rules)
        if rules.template is not None:
            tests.append(
                consts(add(const(self.template_table(self.s.templates[rules.template].index)), local("self")))
            )
        if rules.while_ is not None:
            tests.append(self.check(w, rules.while_))
        w.emit(n.Return(n.Pick(both(tests), count, const(0)) if tests else count))
        self.c.functions[name] = w.function()
        return name

    def _copies(self, w: Writer, rules: t.Rules) -> n.Expr:
        zone = rules.zone or ("Table" if "Table" in self.s.zones else "")
        if rules.zone == "anywhere":
            w.assign("i", const(0))
            w.assign("found", const(0))
            with w.while_(n.Binary("<", local("i"), const(self.l.cards))):
                mine = equal(state(add(const(self.l.base["!owner"]), local("i"))), local("self"))
                with w.if_(
                    both([equal(state(add(const(self.l.base["!face"]), local("i"))), rules.index), mine])
                ):
                    w.assign("found", add(local("found"), 1))
                w.assign("i", add(local("i"), 1))
            return local("found")
        if not zone:
            return const(0)
        owner = t.TLocal("self", t.ACTOR) if self.s.zones[zone].of else None
        return n.Call(
            "zone_faces", (self.zone(w, zone, owner), const(rules.index), const(self.l.base["!face"]))
        )

    # ------------------------------------------------------------ modified numbers
    def getters(self) -> None:
        """get_R for every resource that something modifies, and max_R for those with a maximum."""
        for key in sorted(self.modified):
            r = self.s.resources.get(key)
            if r is not None:
                self._getter(key, r)
        if self.s.frameworks:
            self.lazy_functions()
            return
        for key, r in self.s.resources.items():
            if r.maximum is not None:
                w = Writer(f"max_{self.clean(key)}", ("self",))
                if r.definition is not None:
                    w.site = self.c.site(r.definition.line.number, r.definition)
                w.emit(n.Return(self.number(w, r.maximum)))
                self.c.add(w.function())

    def lazy_functions(self) -> None:
        """Made in lazy.py."""
        raise NotImplementedError

    def stored(self, key: str, i: n.Expr) -> n.Expr:
        """The store of an owner."""
        return n.Call("cell", (const(self.l.base[key]), i, const(0)))

    def _getter(self, key: str, r: t.Resource) -> None:
        w = Writer(f"get_{self.clean(key)}", ("i",))
        w.assign("value", self.stored(key, local("i")))
        actor: n.Expr = local("i")
        if len(r.of) == 2:
            actor = n.Binary("//", local("i"), const(self.l.count_of(r.of[1])))
        w.assign("self", actor if r.of[:1] == (t.ACTOR,) else const(-1))
        for how in ("=", "+", "x"):
            for rules, modify in self.modifiers.get(key, ()):
                if modify.how != how:
                    continue
                self._modify(w, rules, modify)
        for component in self.table_modifiers.get(key, ()):
            assert component.table is not None
            row = n.Call(self.row_function(component), (local("self"),))
            at = len(self.l.params)
            for value in component.table.modifies[key]:
                self.l.number(value, f"[{r.name}] in {component.name}")
            w.assign("row", row)
            w.assign("value", add(local("value"), n.Call("entry", (const(at), local("row"), const(0)))))
        low, high = (
            const(r.low if r.low is not None else -(10**9)),
            const(r.high if r.high is not None else 10**9),
        )
        never = str(self.s.front.get("numbers", "signed")).startswith("never")
        if never or (r.definition is not None and r.definition.get("range") is not None):
            w.emit(n.Return(n.Call("clamp", (local("value"), low, high))))
        else:
            w.emit(n.Return(local("value")))
        self.c.add(w.function())

    def _modify(self, w: Writer, rules: t.Rules, modify: t.Modify) -> None:
        w.assign("times", n.Call(self.bears(rules), (local("self"),)))
        with w.if_(n.Binary(">", local("times"), const(0))):
            w.site = self.c.site(rules.line, rules.definition)
            amount = self.number(w, modify.amount)
            match modify.how:
                case "+":
                    scaled = amount if rules.bearer != "face" else n.Binary("*", amount, local("times"))
                    w.assign("value", add(local("value"), scaled))
                case "=":
                    w.assign("value", amount)
                case _:
                    w.assign("value", n.Binary("*", local("value"), amount))

    def row_function(self, component: t.Component) -> str:
        """The row a table picks now, or -1."""
        raise NotImplementedError
