"""Moments -> functions: what standing rules do when a book's sequences and components get there.

In:  every moment that has hooks.
Out: one function a moment that runs its hooks. A moment without hooks costs nothing: no call is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.lower.bearing import Bearing, Key
from rulewright.lower.layout import TIMED
from rulewright.lower.writer import Writer, add, const, equal, local, state


class Rules(Bearing):
    """Generates the hooks of standing rules."""

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
