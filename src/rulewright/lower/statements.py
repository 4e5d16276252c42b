"""Statements -> IR statements.

In:  checked blocks.
Out: code in a Writer. Whatever may end a sequence is followed by a mark (see unwind.py).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import FAULT_BOUND, UNWIND
from rulewright.lower.orders import Orders
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, state

CIRCLES = 100_000
"""How often one `repeat while` may go round before it counts as endless."""


class Statements(Orders):
    """Lowers bodies."""

    def block(self, w: Writer, body: t.Block_) -> None:
        """A block, statement by statement."""
        for statement in body:
            before = w.site
            line = getattr(statement, "line", 0)
            if line:
                w.site = self.c.site(line)
            self.statement(w, statement)
            w.site = before

    def statement(self, w: Writer, s: t.Stmt_) -> None:
        """One statement."""
        match s:
            case t.SetNumber():
                self._set_number(w, s)
            case t.SetThing():
                self._set_thing(w, s)
            case t.LetTally():
                self._tally(w, s)
            case t.Give(value=value):
                made = (
                    self.thing(w, value)
                    if getattr(value, "type", t.NUMBER) != t.NUMBER
                    else self.number(w, value)
                )
                w.emit(n.Return(made, w.site))
            case t.RunStmt(run=run, each=each):
                if each is not None:
                    self.each(w, each, lambda: self._run(w, run))
                else:
                    self._run(w, run)
            case t.Perform():
                self.perform(w, s)
            case t.IfStmt():
                self._if(w, s)
            case t.Repeat():
                self._repeat(w, s)
            case t.ForEach(selector=selector, body=body):
                self.each(w, selector, lambda: self.block(w, body))
            case t.Stop():
                w.emit(n.Break(w.site))
            case t.Choose():
                self._choose(w, s)
            case t.ChooseMany():
                self._choose_many(w, s)
            case t.LetChoose():
                self._let_choose(w, s)
            case t.Window():
                self.window(w, s)
            case t.Act():
                self.act(w, s)
            case t.Simple():
                getattr(self, "_x_" + s.what.replace(" ", "_"))(w, s)
            case t.SortOrder():
                self._sort(w, s)
            case t.EndSeq():
                self._end(w, s)
            case t.Say():
                args = [self._said(w, a) for a in s.args[:3]]
                w.event(ev.SAY, self.c.text(self._say_text(s)), *args)
            case t.FirstPossible():
                self._first_possible(w, s)
            case t.Inline(body=body):
                self.block(w, body)
            case t.EndMatch():
                self._end_match(w, s)
            case _:
                self.more_statement(w, s)

    def more_statement(self, w: Writer, s: Any) -> None:
        """Statements of frameworks; made in lower/framework.py."""
        raise AssertionError(f"no statement: {s}")

    def _say_text(self, s: t.Say) -> str:
        kinds = [
            getattr(a, "type", t.NUMBER) if not isinstance(a, t.Run) else a.component.gives for a in s.args
        ]
        text = s.text
        for i, kind in enumerate(kinds):
            text = text.replace(f"{{{i}}}", f"{{{i}:{kind}}}")
        return text

    def _said(self, w: Writer, a: Any) -> n.Expr:
        return self.thing(w, a) if getattr(a, "type", t.NUMBER) != t.NUMBER else self.number(w, a)

    def _run(self, w: Writer, run: t.Run) -> None:
        args = self.arguments(w, run.component, run.self_, run.args)
        if run.start:
            w.store(self.l.start, run.start)
        w.call(self.c.name_of(run.component), *args)
        w.check()

    # ------------------------------------------------------------ numbers and things

    # ------------------------------------------------------------ control
    def _if(self, w: Writer, s: t.IfStmt) -> None:
        test = self.check(w, s.test)
        with w.nested() as then:
            self.block(w, s.then)
        with w.nested() as orelse:
            self.block(w, s.orelse)
        w.emit(n.If(test, tuple(then), tuple(orelse), w.site))
        w.check()

    def _repeat(self, w: Writer, s: t.Repeat) -> None:
        if s.times is not None:
            left = w.temp(self.number(w, s.times), "left")
            with w.while_(n.Binary(">", local(left), const(0))):
                w.assign(left, n.Binary("-", local(left), const(1)))
                self.block(w, s.body)
        else:
            # Rules that run in a circle without a decision would never come back: nothing else counts here.
            turns = w.temp(const(0), "turns")
            with w.while_(const(1)):
                test = self.check(w, s.while_)
                w.emit(n.If(n.Not(test), (n.Break(w.site),), (), w.site))
                w.assign(turns, add(local(turns), 1))
                with w.if_(n.Binary(">", local(turns), const(CIRCLES))):
                    w.call("fault", FAULT_BOUND)
                self.block(w, s.body)
        w.check()

    def each(self, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
        """Every candidate once: in written order, or by the preference."""
        if s.domain == "order" and s.quantifier == "each" and not s.prefs:
            self._live(w, s, body)
            return
        if not s.prefs:
            self.loop(w, s, body)
            w.check()
            return
        # One bit a candidate, thirty to a number: a local that outlives a decision has 32 bits.
        count = (self.l.count_of(s.type) + 29) // 30
        masks = [w.temp(const(0), "done") for _ in range(count)]
        it = self.var(s.it)
        with w.while_(const(1)):
            found = self._next_best(w, s, masks)
            w.assign(it, found)
            w.emit(n.If(n.Binary("<", local(it), const(0)), (n.Break(w.site),), (), w.site))
            for k, mask in enumerate(masks):
                bit = consts(add(const(self.l.tables["powers"] - 30 * k), local(it)))
                with w.if_(equal(n.Binary("//", local(it), const(30)), k)) if count > 1 else nullcontext():
                    w.assign(mask, add(local(mask), bit))
            body()
        w.check()

    def _next_best(self, w: Writer, s: t.Selector, masks: list[str]) -> n.Expr:
        it = local(self.var(s.it))
        test: n.Expr = const(1)
        for k, mask in reversed(list(enumerate(masks))):
            bit = consts(add(const(self.l.tables["powers"] - 30 * k), it))
            free = equal(n.Binary("%", n.Binary("//", local(mask), bit), const(2)), 0)
            test = free if len(masks) == 1 else n.Pick(equal(n.Binary("//", it, const(30)), k), free, test)

        def build(c: Writer) -> None:
            c.site = w.site
            self._best(c, s, test)

        return self.c.closure("s_next", build, w.site)

    def _live(self, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
        """Walk through an order by its cursor, which joining and leaving keep right."""
        base = self.l.order_base[s.domain_args[0]]
        it = self.var(s.it)
        saved = w.temp(state(base + 1), "cursor")
        w.store(base + 1, -1)
        with w.while_(n.Binary("<", add(state(base + 1), 1), state(base))):
            w.store(base + 1, add(state(base + 1), 1))
            w.assign(it, state(add(const(base + 2), state(base + 1))))
            tests = [self.check(w, x) for x in s.tests]
            if tests:
                with w.if_(both(tests)):
                    body()
            else:
                body()
        w.store(base + 1, local(saved))
        w.check()

    def _first_possible(self, w: Writer, s: t.FirstPossible) -> None:
        with w.while_(const(1)):
            for test, body in s.lines:
                legal = self.check(w, test) if test is not None else self.possible(w, body)
                with w.if_(legal):
                    self.block(w, body)
                    w.emit(n.Break(w.site))
            w.emit(n.Break(w.site))
        w.check()

    def possible(self, w: Writer, body: t.Block_) -> n.Expr:
        """Can every `perform` in these statements be done now?"""
        tests = [self.can(w, s) for s in body if isinstance(s, t.Perform)]
        return both(tests) if tests else const(1)

    def can(self, w: Writer, s: t.Perform) -> n.Expr:
        """Made in actions.py."""
        raise NotImplementedError

    def _end(self, w: Writer, s: t.EndSeq) -> None:
        frame = state(self.l.current[id(s.sequence)])
        with w.if_(frame):
            w.store(self.l.skip, -1 if s.step is None else s.step)
            w.store(UNWIND, frame)
        w.check()

    def _end_match(self, w: Writer, s: t.EndMatch) -> None:
        w.store(self.l.result["ending"], s.ending + 1)
        score = self.l.result["score"]
        w.event(ev.END, s.ending, -1)
        if s.everyone:
            value = {"win": 1, "draw": 2, "loss": 0}[s.everyone]
            for seat in range(8):
                w.store(score + seat, value)
        elif s.winner is not None:
            self._scores(w, s.winner, score)
        w.store(UNWIND, -1)
        w.check()

    def _scores(self, w: Writer, winner: t.Thing_, score: int) -> None:
        """The seats of the winner (an actor's side, or a side) win."""
        value = self.thing(w, winner)
        side = w.temp(
            value
            if winner.type == t.SIDE
            else n.Call("cell", (const(self.l.base["!side"]), value, const(-1))),
            "side",
        )
        for i in range(len(self.s.actors)):
            seat = state(self.l.base["!controller"] + i)
            mine = n.Binary("==", state(self.l.base["!side"] + i), local(side))
            ok = both([n.Binary(">=", seat, const(0)), n.Binary("<", seat, const(8)), mine])
            with w.if_(ok):
                w.store(add(const(score), seat), 1)

    # ------------------------------------------------------------ choices

    # ------------------------------------------------------------ simple statements

    # ------------------------------------------------------------ orders

    def window(self, w: Writer, s: t.Window) -> None:
        """Made in actions.py."""
        raise NotImplementedError

    def act(self, w: Writer, s: t.Act) -> None:
        """Made in actions.py."""
        raise NotImplementedError

    def perform(self, w: Writer, s: t.Perform) -> None:
        """Made in actions.py."""
        raise NotImplementedError
