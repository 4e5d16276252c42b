"""Standing rules -> functions: who bears them, what they modify, what they do at a moment.

In:  Symbols.rules, and every moment that the book's sequences and components reach.
Out: on_N (does the rule hold for this actor?), get_R (a resource with its modifications), and one
     function a moment that runs its hooks. A moment without hooks costs nothing: no call is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.lower.layout import TIMED
from rulewright.lower.spaces import Spaces
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, mul, state

Key = tuple[Any, ...]


class Rules(Spaces):
    """Generates the standing rules."""

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

    def at_moment(self, w: Writer, key: Key, subject: n.Expr) -> None:
        """Hooks first, then what lasts until now ends."""
        if key in self.hooks:
            w.call(self.fire(key), subject)
            w.check()
        if key in self.deadlines:
            self.expire_at(w, key, subject)

    def expire_at(self, w: Writer, key: Key, subject: n.Expr) -> None:
        """What lasts until this moment ends."""
        w.call("timed_expire", self.l.timed, TIMED, self.deadlines[key], subject, 0, w.site)

    def fire(self, key: Key) -> str:
        """The function that runs the hooks of a moment."""
        name = "fire_" + "_".join(self.clean(str(k)) for k in self.key_name(key))
        if name in self.c.functions:
            return name
        self.c.functions[name] = n.Function(name, ("subject",), ())
        w = Writer(name, ("subject",))

        def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
            self._run_hook(w, rules, hook, owner, ())

        self.owners(w, key, run)
        self.c.functions[name] = w.function()
        return name

    def key_name(self, key: Key) -> tuple[str, ...]:
        """A readable name for a moment."""
        made: list[str] = []
        for part in key:
            if isinstance(part, int) and part > 10000:
                found = next((c.name for c in self.s.components.values() if id(c) == part), None)
                made.append(found or str(len(made)))
            else:
                made.append(str(part))
        return tuple(made)

    def owners(self, w: Writer, key: Key, run: Callable[[t.Rules, t.Hook, n.Expr], None]) -> None:
        """Run hooks owner by owner: the active actor first, then the others; one owner's in book order."""
        found = self.hooks[key]
        free = [(r, h) for r, h in found if not h.moment.own]
        if not free:
            for rules, hook in found:
                run(rules, hook, local("subject"))
            return
        w.assign("turn", self.active())
        w.assign("n", const(-2))
        with w.while_(n.Binary("<", add(local("n"), 1), const(self.l.actors))):
            w.assign("n", add(local("n"), 1))
            w.assign("owner", n.Pick(n.Binary("<", local("n"), const(0)), local("turn"), local("n")))
            skip = n.Pick(
                n.Binary("<", local("owner"), const(0)),
                const(1),
                n.Binary(
                    "&", n.Binary(">=", local("n"), const(0)), n.Binary("==", local("n"), local("turn"))
                ),
            )
            with w.if_(n.Not(skip)):
                for rules, hook in found:
                    if hook.moment.own:
                        with w.if_(n.Binary("==", local("owner"), local("subject"))):
                            run(rules, hook, local("owner"))
                    else:
                        run(rules, hook, local("owner"))

    def _run_hook(
        self, w: Writer, rules: t.Rules, hook: t.Hook, owner: n.Expr, extra: tuple[n.Expr, ...]
    ) -> None:
        name = self.hook_function(rules, hook)
        with w.if_(n.Call(self.bears(rules), (owner,))):
            w.call(name, owner, *extra)
            w.check()

    def hook_function(self, rules: t.Rules, hook: t.Hook) -> str:
        """The body of a hook. A card's hook runs once for each copy that works."""
        key = id(hook)
        if key in self.hook_names:
            return self.hook_names[key]
        params = list(hook.moment.params)
        change = "change" in hook.moment.kind or "reduced" in hook.moment.kind
        extra = (
            ("v_change", "v_asked") if change else (("it", "v_from") if hook.moment.kind == "enters" else ())
        )
        if hook.moment.kind.endswith(" any"):
            extra = ("v_action", "v_target")
        name = self.c.fresh("h_" + self.clean(norm(rules.name)))
        self.hook_names[key] = name
        names = ("self", *extra)
        w = Writer(name, names)
        w.site = self.c.site(hook.line, rules.definition)
        busy = self.l.slots(1) if hook.moment.kind not in ("start", "end", "step", "after step") else 0
        if rules.definition.line.file in self.s.frameworks:
            busy = 0  # a framework knows what it does, and somebody may fall while somebody falls
        if hook.moment.kind == "instead" and self.s.frameworks:
            busy = 0  # it may give a value, and leaves then and there
        slots = self.param_slots(hook.moment.component) if params and hook.moment.component is not None else 0
        for i, p in enumerate(params):
            w.assign(self.var(p.name), state(slots + i))
        if busy:
            with w.if_(state(busy)):
                w.emit(n.Return(local("v_change") if change else const(0)))
            w.store(busy, 1)
        before = self.c.definition
        self.c.definition = rules.definition
        inner = Writer(self.c.fresh("hb"), ())
        with w.while_(const(1)):  # a loop, so that what ends a sequence around it still frees the hook
            if rules.bearer == "face" and self._mentions_card(hook.body):
                self._each_copy(w, rules, hook)
            else:
                self.block(w, hook.body)
            w.emit(n.Break())
        self.c.definition = before
        del inner
        if busy:
            w.store(busy, 0)
        for i, p in enumerate(params):
            w.store(slots + i, local(self.var(p.name)))
        w.emit(n.Return(local("v_change") if change else const(0)))
        self.c.add(w.function())
        return name

    hook_names: dict[int, str]

    def _mentions_card(self, body: Any) -> bool:
        return any(isinstance(x, t.TLocal) and x.name == "card" for x in nodes(body))

    def _each_copy(self, w: Writer, rules: t.Rules, hook: t.Hook) -> None:
        """Find the card with this face in the zone where it works."""
        zone = rules.zone or "Table"
        owner = t.TLocal("self", t.ACTOR) if self.s.zones[zone].of else None
        base = w.temp(self.zone(w, zone, owner), "z")
        w.assign("v_card", const(-1))
        i = w.temp(state(local(base)), "i")
        with w.while_(n.Binary(">", local(i), const(0))):
            card = state(add(local(base), local(i)))
            with w.if_(equal(self.face(card), rules.index)):
                w.assign("v_card", card)
            w.assign(i, n.Binary("-", local(i), const(1)))
        self.block(w, hook.body)

    def block(self, w: Writer, body: t.Block_) -> None:
        """Made in statements.py."""
        raise NotImplementedError

    def param_slots(self, component: t.Component) -> int:
        """Slots through which hooks change the parameters of what they wait for."""
        if id(component) not in self.hook_slots:
            self.hook_slots[id(component)] = self.l.slots(max(1, len(component.params)))
        return self.hook_slots[id(component)]

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
