"""Selectors -> loops.

In:  t.Selector.
Out: in expressions, a call of a closure that counts, finds or sums; in statements, a loop over the
     candidates (see loop()).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.walk import mentions
from rulewright.ir import nodes as n
from rulewright.ir.events import PICK
from rulewright.lower.numbers import Numbers
from rulewright.lower.terms import FAR
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, mul, state


class Selectors(Numbers):
    """Lowers selectors."""

    def select(self, w: Writer, s: t.Selector, how: str, value: Any = None) -> n.Expr:
        """The selector as an expression: how = some, count, the, total, highest, lowest."""
        if how == "the" and s.quantifier == "random":
            return self._random(w, s)
        orelse = self.thing(w, s.orelse) if s.orelse is not None and how == "the" else None

        def build(c: Writer) -> None:
            c.site = w.site
            self._prepare(c, s, value)
            self._finish(c, s, how, value)
            self.fields.pop()

        call = self.c.closure(f"s_{how}", build, w.site)
        return call if orelse is None else n.Call("or_else", (call, orelse))

    def _finish(self, c: Writer, s: t.Selector, how: str, value: Any) -> None:
        match how:
            case "some":
                self.loop(c, s, lambda: c.emit(n.Return(const(1))))
                c.emit(n.Return(const(0)))
            case "count":
                c.assign("found", const(0))
                self.loop(c, s, lambda: c.assign("found", add(local("found"), 1)))
                c.emit(n.Return(local("found")))
            case "total":
                c.assign("found", const(0))
                self.loop(c, s, lambda: c.assign("found", add(local("found"), self.number(c, value))))
                c.emit(n.Return(local("found")))
            case "highest" | "lowest":
                self._extreme(c, s, how, value)
            case _:
                self._best(c, s)

    def _prepare(self, c: Writer, s: t.Selector, value: Any) -> None:
        """Work that is the same for every candidate is done once, before the loop."""
        self.fields.append({})
        for part in (*s.tests, *[p.value for p in s.prefs], value):
            self._hoist(c, part, s.it)

    def _hoist(self, c: Writer, e: Any, it: str) -> None:
        match e:
            case t.Geometry(what="walk") if mentions(e.args[0], it) and not mentions(e.args[1], it):
                self.fields[-1][id(e)] = self.walk_field(c, e)
            case t.Compare(left=a, right=b) | t.Arith(left=a, right=b):
                self._hoist(c, a, it)
                self._hoist(c, b, it)
            case t.Both(parts=parts) | t.Either(parts=parts):
                for part in parts:
                    self._hoist(c, part, it)
            case t.Never(part=part):
                self._hoist(c, part, it)
            case t.Truth(check=part):
                self._hoist(c, part, it)
            case t.IfNum(test=a, yes=b, no=d):
                for part in (a, b, d):
                    self._hoist(c, part, it)
            case t.Fn(args=args):
                for part in args:
                    self._hoist(c, part, it)
            case _:
                pass

    def walk_field(self, c: Writer, e: t.Geometry) -> int:
        """Made in spaces.py."""
        raise NotImplementedError

    def _extreme(self, c: Writer, s: t.Selector, how: str, value: Any) -> None:
        c.assign("any", const(0))
        c.assign("found", const(0))

        def body() -> None:
            c.assign("value", self.number(c, value))
            op = ">" if how == "highest" else "<"
            better = n.Pick(local("any"), n.Binary(op, local("value"), local("found")), const(1))
            with c.if_(better):
                c.assign("found", local("value"))
            c.assign("any", const(1))

        self.loop(c, s, body)
        c.emit(n.Return(local("found")))

    def _best(self, c: Writer, s: t.Selector, among: n.Expr | None = None) -> None:
        """The first candidate, or the best by the preferences; ties stay with the first."""
        if not s.prefs:
            self.loop(c, s, lambda: c.emit(n.Return(local(self.var(s.it)))), among=among)
            c.emit(n.Return(const(-1)))
            return
        c.assign("best", const(-1))
        for i in range(len(s.prefs)):
            c.assign(f"b{i}", const(0))

        def body() -> None:
            for i, pref in enumerate(s.prefs):
                c.assign(f"p{i}", self.number(c, pref.value))
                if pref.per is not None:
                    c.assign(f"q{i}", self.number(c, pref.per))
            better: n.Expr = const(0)
            for i, pref in reversed(list(enumerate(s.prefs))):
                a, b = local(f"p{i}"), local(f"b{i}")
                if pref.per is not None:
                    a, b = n.Binary("*", a, local(f"c{i}")), n.Binary("*", b, local(f"q{i}"))
                wins = n.Binary("<" if pref.low else ">", a, b)
                better = n.Pick(wins, const(1), n.Pick(equal(a, b), better, const(0)))
            with c.if_(n.Pick(n.Binary("<", local("best"), const(0)), const(1), better)):
                c.assign("best", local(self.var(s.it)))
                for i, pref in enumerate(s.prefs):
                    c.assign(f"b{i}", local(f"p{i}"))
                    if pref.per is not None:
                        c.assign(f"c{i}", local(f"q{i}"))

        self.loop(c, s, body, among=among)
        c.emit(n.Return(local("best")))

    def _random(self, w: Writer, s: t.Selector) -> n.Expr:
        """One candidate, all equally likely: a die with as many faces as there are candidates."""

        def build(c: Writer) -> None:
            c.assign("count", const(0))
            self.loop(c, s, lambda: c.assign("count", add(local("count"), 1)))
            with c.if_(equal(local("count"), 0)):
                c.emit(n.Return(const(-1)))
            c.assign("pick", const(0))
            with c.if_(n.Binary(">", local("count"), const(1))):
                c.assign("pick", n.Call("rnd", (local("count"),)))
            c.assign("which", local("pick"))

            def body() -> None:
                with c.if_(equal(local("pick"), 0)):
                    with c.if_(n.Binary(">", local("count"), const(1))):
                        said = self.c.text(f"{{0:{s.type}}} is picked at random")
                        c.event(PICK, said, local(self.var(s.it)), local("count"), local("which"))
                    c.emit(n.Return(local(self.var(s.it))))
                c.assign("pick", n.Binary("-", local("pick"), const(1)))

            self.loop(c, s, body)
            c.emit(n.Return(const(-1)))

        return self.c.closure("s_random", build, w.site)

    # ------------------------------------------------------------ loops
    def loop(
        self,
        w: Writer,
        s: t.Selector,
        body: Callable[[], None],
        mask: str = "",
        among: n.Expr | None = None,
    ) -> None:
        """Run the body for each candidate, its local set; live, each at most once, in written order."""
        it = self.var(s.it)

        def visit() -> None:
            noun = self._noun(w, s, it)
            tests = [noun if among is None else both([noun, among]), *[self.check(w, x) for x in s.tests]]
            if mask:
                used = n.Binary(
                    "%",
                    n.Binary("//", local(mask), consts(add(const(self.l.tables["powers"]), local(it)))),
                    const(2),
                )
                tests.insert(0, equal(used, 0))
            real = [x for x in tests if x != const(1)]
            if real:
                with w.if_(both(real)):
                    body()
            else:
                body()

        match s.domain:
            case "zone":
                self._downward(w, s, it, visit)
            case "order":
                self._order(w, s, it, visit)
            case "line":
                self._on_line(w, s, it, visit)
            case "lines":
                self._lines(w, s, it, visit)
            case "path":
                self._on_path(w, s, it, visit)
            case "adjacent":
                self._adjacent_spaces(w, s, it, visit)
            case "zone of map":
                map_, zone = s.domain_args[0]
                at = self.l.tables[f"zone {map_} {zone}"]
                shown = visit
                if self.l.shared_zone(zone):
                    now = equal(consts(add(const(self.l.tables["map of"]), local(it))), state(self.l.map_now))

                    def shown() -> None:
                        with w.if_(now):
                            visit()

                self._listed(w, at, len(self.l.zone_spaces(zone)), it, shown)
            case _:
                self._all(w, s, it, visit)

    def _noun(self, w: Writer, s: t.Selector, it: str) -> n.Expr:
        """What the noun itself demands."""
        if s.type != t.ACTOR:
            if s.type == t.CARD and s.domain == "all":
                return n.Binary(">", state(add(const(self.l.base["!zone"]), local(it))), const(0))
            return const(1)
        play = state(add(const(self.l.base["!in play"]), local(it)))
        tests = [] if s.anywhere else [equal(play, 0) if s.out_of_play else play]
        whose = self.thing(w, s.domain_args[1]) if s.domain_args[:1] == ["of"] else None
        me = whose or local("self")
        side = n.Binary(
            "==",
            state(add(const(self.l.base["!side"]), local(it))),
            state(add(const(self.l.base["!side"]), me)),
        )
        if s.noun == "ally":
            tests += [side, n.Binary("!=", local(it), me)]
        elif s.noun == "enemy":
            tests.append(n.Not(side))
        elif s.noun.startswith("template:"):
            template = s.noun[9:]
            if not all(self.l.is_a(actor.template, template) for actor in self.s.actors):
                at = self.template_table(self.s.templates[template].index)
                tests.append(consts(add(const(at), local(it))))
        return both(tests)

    def _count(self, w: Writer, start: n.Expr, end: n.Expr, it: str, visit: Callable[[], None]) -> None:
        """it from start to end - 1. Stepping comes first: a Continue or a changed `it` does no harm."""
        at = w.temp(n.Binary("-", start, const(1)) if start != const(0) else const(-1), "i")
        stop = end if isinstance(end, n.Const) else local(w.temp(end, "n"))
        with w.while_(n.Binary("<", add(local(at), 1), stop)):
            w.assign(at, add(local(at), 1))
            w.assign(it, local(at))
            visit()

    def _all(self, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
        match s.type:
            case t.SPACE:
                start, end = self.spaces_now()
                self._count(w, start, end, it, visit)
            case t.PLACE:
                self.places(w, it, visit)
            case _:
                self._count(w, const(0), const(self.l.count_of(s.type)), it, visit)

    def spaces_now(self) -> tuple[n.Expr, n.Expr]:
        """The spaces of the map in play."""
        if self.l.laid:
            return const(0), state(self.l.laid)
        if len(self.s.maps) <= 1:
            return const(0), const(len(self.s.spaces))
        now = state(self.l.map_now)
        first = consts(add(const(self.l.tables["map first"]), now))
        return first, add(first, consts(add(const(self.l.tables["map count"]), now)))

    def places(self, w: Writer, it: str, visit: Callable[[], None]) -> None:
        """Made in spaces.py."""
        raise NotImplementedError

    def _downward(self, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
        """Cards of a zone from the top; the body may take the card away."""
        base = w.temp(self.zone(w, s.domain_args[0], s.domain_args[1]), "z")
        at = w.temp(state(local(base)), "i")
        with w.while_(n.Binary(">", local(at), const(0))):
            w.assign(at, n.Call("minimum", (local(at), state(local(base)))))
            with w.if_(n.Binary("<=", local(at), const(0))):
                w.emit(n.Break())
            w.assign(it, state(add(local(base), local(at))))
            w.assign(at, n.Binary("-", local(at), const(1)))
            visit()

    def _order(self, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
        base = self.l.order_base[s.domain_args[0]]
        at = w.temp(const(-1), "i")
        with w.while_(n.Binary("<", add(local(at), 1), state(base))):
            w.assign(at, add(local(at), 1))
            w.assign(it, state(add(const(base + 2), local(at))))
            visit()

    def _listed(self, w: Writer, at: int, count: int, it: str, visit: Callable[[], None]) -> None:
        i = w.temp(const(-1), "i")
        with w.while_(n.Binary("<", add(local(i), 1), const(count))):
            w.assign(i, add(local(i), 1))
            w.assign(it, consts(add(const(at), local(i))))
            visit()

    def _adjacent_spaces(self, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
        start = w.temp(self.as_space(w, s.domain_args[0]), "c")
        i = w.temp(const(-1), "i")
        step = self.step_size()
        with w.while_(n.Binary("<", add(local(i), step), const(self.l.directions))):
            first = n.Pick(n.Binary("<", local(i), const(0)), const(0), add(local(i), step))
            w.assign(i, first)
            w.assign(it, self.neighbour(local(start), local(i)))
            with w.if_(n.Binary(">=", local(it), const(0))):
                visit()

    def step_size(self) -> int:
        """1, or 2 on squares where only edges count."""
        return 2 if any(m.grid != "hex" and not m.corners for m in self.s.maps.values()) else 1

    def _lines(self, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
        a, b = self.thing(w, s.domain_args[0]), self.thing(w, s.domain_args[1])
        pair = w.temp(add(mul(a, len(self.s.spaces)), b), "pair")
        self._count(w, mul(local(pair), 2), add(mul(local(pair), 2), 2), it, visit)

    def _on_line(self, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
        line = w.temp(self.thing(w, s.domain_args[0]), "line")
        total = len(self.s.spaces)
        a = n.Binary("//", local(line), const(2 * total))
        b = n.Binary("%", n.Binary("//", local(line), const(2)), const(total))
        length = w.temp(n.Call("space_distance", (a, b)), "n")
        i = w.temp(const(0), "i")
        with w.while_(n.Binary("<", add(local(i), 1), local(length))):
            w.assign(i, add(local(i), 1))
            w.assign(it, n.Call("space_on_line", (local(line), local(i), local(length))))
            visit()

    def _on_path(self, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
        path = w.temp(self.thing(w, s.domain_args[0]), "path")
        where = w.temp(self.as_space(w, s.domain_args[1]), "at")
        length = w.temp(n.Call("path_length", (local(path),)), "n")
        i = w.temp(const(0), "i")
        with w.while_(n.Binary("<", local(i), local(length))):
            w.assign("v_from", local(where))
            w.assign(where, self.neighbour(local(where), n.Call("path_step", (local(path), local(i)))))
            w.assign(i, add(local(i), 1))
            w.assign(it, local(where))
            visit()


__all__ = ["FAR", "Selectors"]
