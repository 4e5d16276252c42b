"""Ways over a map that are found: to a goal, or to the best space within a budget.

In:  the things `the WALK toward ..`, `the WALK to ..`, `the WALK within .. to ..`.
Out: paths (three bits a step under a leading 1). A way that does not exist is the empty path, 1.

Of equally cheap ways the one whose steps come first counts, compared step by step in the order of the
directions. To a goal, costs are worked out backwards from it, and the first step that lies on a cheapest
way is taken each time; for the best space within reach, forwards, each space keeping its first way.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.strides import STEPS, Strides
from rulewright.lower.terms import FAR
from rulewright.lower.writer import Writer, add, both, const, equal, local


class Ways(Strides):
    """Lowers ways that are found."""

    def way(self, w: Writer, e: t.TBuiltin) -> n.Expr:
        """The cheapest way to a space of the selector, or to the best space within reach."""
        name, selector, budget, within, straight = e.args
        most = w.temp(self.number(w, budget), "most")
        line = w.temp(self.truth(self.check(w, straight)) if straight is not None else const(0), "straight")

        def build(c: Writer) -> None:
            c.site = w.site
            c.assign("start", self._here())
            with c.if_(n.Binary("<", local("start"), const(0))):
                c.emit(n.Return(const(1)))
            if within:
                self._within(c, name, selector, most, line)
            else:
                self._toward_goal(c, name, selector, most, line)

        return self.c.closure("way", build, w.site)

    def _memory(self) -> tuple[int, int, int, int]:
        """Work memory for costs, a ring of waiting spaces, a mark for those in it, and first ways."""
        total = max(1, len(self.s.spaces))
        if not hasattr(self, "way_memory"):
            self.way_memory = self.c.memory(total * 4 + 4)
        return (
            self.way_memory,
            self.way_memory + total,
            self.way_memory + 2 * total + 1,
            self.way_memory + 3 * total + 1,
        )

    way_memory: int

    def _clear(self, c: Writer) -> None:
        costs, _, marks, ways = self._memory()
        first, end = self.spaces_now()
        c.assign("u", first)
        c.assign("stop", end)
        with c.while_(n.Binary("<", local("u"), local("stop"))):
            for base, value in ((costs, FAR), (marks, 0), (ways, 0)):
                c.emit(n.Store("W", add(const(base), local("u")), const(value)))
            c.assign("u", add(local("u"), 1))
        c.assign("head", const(0))
        c.assign("tail", const(0))

    def _push(self, c: Writer, name: str) -> None:
        _, ring, marks, _ = self._memory()
        size = max(1, len(self.s.spaces)) + 1
        mark = add(const(marks), local(name))
        with c.if_(equal(n.Load("W", mark), 0)):
            c.emit(n.Store("W", mark, const(1)))
            c.emit(n.Store("W", add(const(ring), local("tail")), local(name)))
            c.assign("tail", n.Binary("%", add(local("tail"), 1), const(size)))

    def _pop(self, c: Writer) -> None:
        _, ring, marks, _ = self._memory()
        size = max(1, len(self.s.spaces)) + 1
        c.assign("u", n.Load("W", add(const(ring), local("head"))))
        c.assign("head", n.Binary("%", add(local("head"), 1), const(size)))
        c.emit(n.Store("W", add(const(marks), local("u")), const(0)))

    def _cost(self, name: str) -> n.Load:
        return n.Load("W", add(const(self._memory()[0]), local(name)))

    def _toward_goal(self, c: Writer, name: str, selector: t.Selector, most: str, line: str) -> None:
        costs = self._memory()[0]
        pace, rest = self.pace(name), self.rest(name)
        self._clear(c)
        it = self.var(selector.it)

        def goal() -> None:
            c.emit(n.Store("W", add(const(costs), local(it)), const(0)))
            self._push(c, it)

        self.loop(c, selector, goal)
        with c.while_(n.Binary("!=", local("head"), local("tail"))):
            self._pop(c)
            c.emit(n.If(n.Binary(">=", self._cost("u"), self._cost("start")), (n.Continue(),)))
            gate = self.gate(name)
            if gate is not None:
                c.emit(n.If(n.Not(n.Call(gate, (local("self"), local("u")))), (n.Continue(),)))
                pace = self.toll(name)
            c.assign("d", const(0))
            with c.while_(n.Binary("<", local("d"), const(self.l.directions))):
                c.assign("v", self.neighbour(local("u"), local("d")))
                c.assign("d", add(local("d"), self.step_size()))
                c.emit(n.If(n.Binary("<", local("v"), const(0)), (n.Continue(),)))
                # Whoever is already as near as this step could bring it needs no look at the step.
                c.emit(n.If(n.Binary("<=", self._cost("v"), self._cost("u")), (n.Continue(),)))
                c.assign("c", n.Call(pace, (local("self"), local("v"), local("u"))))
                c.emit(
                    n.If(
                        n.Pick(
                            n.Binary("<", local("c"), const(0)),
                            const(1),
                            n.Binary(">", local("c"), local(most)),
                        ),
                        (n.Continue(),),
                    )
                )
                c.assign("total", add(self._cost("u"), local("c")))
                with c.if_(n.Binary("<", local("total"), self._cost("v"))):
                    c.emit(n.Store("W", add(const(costs), local("v")), local("total")))
                    self._push(c, "v")
        with c.if_(n.Binary(">=", self._cost("start"), const(FAR))):
            c.emit(n.Return(const(1)))
        self._follow(c, self.pace(name), rest, most, line)

    def _follow(self, c: Writer, pace: str, rest: str, most: str, line: str) -> None:
        """Along the costs, as far as the allowance goes, back to the last space on which one may end."""
        for name, value in (("way", 1), ("best", 1), ("spent", 0), ("steps", 0), ("last", -1)):
            c.assign(name, const(value))
        c.assign("at", local("start"))
        with c.while_(
            both([n.Binary(">", self._cost("at"), const(0)), n.Binary("<", local("steps"), const(STEPS))])
        ):
            c.assign("d", const(0))
            c.assign("next", const(-1))
            with c.while_(n.Binary("<", local("d"), const(self.l.directions))):
                c.assign("to", self.neighbour(local("at"), local("d")))
                there, nearer = (
                    n.Binary(">=", local("to"), const(0)),
                    n.Binary("<", self._cost("to"), self._cost("at")),
                )
                with c.if_(there), c.if_(nearer):
                    c.assign("c", n.Call(pace, (local("self"), local("at"), local("to"))))
                    on = equal(add(self._cost("to"), local("c")), self._cost("at"))
                    with c.if_(both([n.Binary(">=", local("c"), const(0)), on])):
                        c.assign("next", local("to"))
                        c.emit(n.Break())
                c.assign("d", add(local("d"), self.step_size()))
            c.emit(n.If(n.Binary("<", local("next"), const(0)), (n.Break(),)))
            c.assign("spent", add(local("spent"), local("c")))
            turned = both(
                [
                    local(line),
                    n.Binary(">=", local("last"), const(0)),
                    n.Binary("!=", local("last"), local("d")),
                ]
            )
            c.emit(n.If(n.Pick(n.Binary(">", local("spent"), local(most)), const(1), turned), (n.Break(),)))
            c.assign("last", local("d"))
            c.assign("way", add(n.Binary("*", local("way"), const(8)), local("d")))
            c.assign("at", local("next"))
            c.assign("steps", add(local("steps"), 1))
            with c.if_(n.Call(rest, (local("self"), local("at")))):
                c.assign("best", local("way"))
        c.emit(n.Return(local("best")))

    def _within(self, c: Writer, name: str, selector: t.Selector, most: str, line: str) -> None:
        costs, _, _, ways = self._memory()
        pace, rest = self.pace(name), self.rest(name)
        self._clear(c)
        c.emit(n.Store("W", add(const(costs), local("start")), const(0)))
        c.emit(n.Store("W", add(const(ways), local("start")), const(1)))
        self._push(c, "start")
        with c.while_(n.Binary("!=", local("head"), local("tail"))):
            self._pop(c)
            c.assign("p", n.Load("W", add(const(ways), local("u"))))
            c.emit(n.If(n.Binary(">=", n.Call("path_length", (local("p"),)), const(STEPS)), (n.Continue(),)))
            c.assign("d", const(0))
            with c.while_(n.Binary("<", local("d"), const(self.l.directions))):
                c.assign("v", self.neighbour(local("u"), local("d")))
                c.assign("q", add(n.Binary("*", local("p"), const(8)), local("d")))
                turned = both(
                    [
                        local(line),
                        n.Binary(">", local("p"), const(1)),
                        n.Binary("!=", n.Binary("%", local("p"), const(8)), local("d")),
                    ]
                )
                c.assign("d", add(local("d"), self.step_size()))
                c.emit(n.If(n.Pick(n.Binary("<", local("v"), const(0)), const(1), turned), (n.Continue(),)))
                c.assign("c", n.Call(pace, (local("self"), local("u"), local("v"))))
                c.assign("total", add(self._cost("u"), local("c")))
                c.emit(
                    n.If(
                        n.Pick(
                            n.Binary("<", local("c"), const(0)),
                            const(1),
                            n.Binary(">", local("total"), local(most)),
                        ),
                        (n.Continue(),),
                    )
                )
                sooner = n.Binary(
                    "<",
                    n.Call("path_rank", (local("q"),)),
                    n.Call("path_rank", (n.Load("W", add(const(ways), local("v"))),)),
                )
                better = n.Pick(
                    n.Binary("<", local("total"), self._cost("v")),
                    const(1),
                    n.Pick(equal(local("total"), self._cost("v")), sooner, const(0)),
                )
                with c.if_(better):
                    c.emit(n.Store("W", add(const(costs), local("v")), local("total")))
                    c.emit(n.Store("W", add(const(ways), local("v")), local("q")))
                    self._push(c, "v")
        self._best_space(c, selector, rest, ways)

    def _best_space(self, c: Writer, s: t.Selector, rest: str, ways: int) -> None:
        it = self.var(s.it)
        c.assign("best", const(-1))
        for i in range(len(s.prefs) + 1):
            c.assign(f"b{i}", const(0))

        def body() -> None:
            c.assign("p", n.Load("W", add(const(ways), local(it))))
            good = both([n.Binary(">", local("p"), const(1)), n.Call(rest, (local("self"), local(it)))])
            with c.if_(good):
                keys = [(pref.low, self.number(c, pref.value)) for pref in s.prefs] + [
                    (True, n.Call("path_rank", (local("p"),)))
                ]
                for i, (_, value) in enumerate(keys):
                    c.assign(f"p{i}", value)
                better: n.Expr = const(0)
                for i, (low, _) in reversed(list(enumerate(keys))):
                    a, b = local(f"p{i}"), local(f"b{i}")
                    better = n.Pick(
                        n.Binary("<" if low else ">", a, b), const(1), n.Pick(equal(a, b), better, const(0))
                    )
                with c.if_(n.Pick(n.Binary("<", local("best"), const(0)), const(1), better)):
                    c.assign("best", local(it))
                    for i in range(len(keys)):
                        c.assign(f"b{i}", local(f"p{i}"))

        self.loop(c, s, body)
        with c.if_(n.Binary("<", local("best"), const(0))):
            c.emit(n.Return(const(1)))
        c.emit(n.Return(n.Load("W", add(const(ways), local("best")))))
