"""Decisions -> Ask: listing functions, and what follows each option.

In:  Choose, ChooseMany, LetChoose.
Out: code that stops for a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.program import CHOSEN
from rulewright.lower.changes import Changes
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, state


class Decider(NamedTuple):
    """Who is asked: a seat (-1 when a strategy decides), and the actor it decides for (-1: for none)."""

    seat: n.Expr
    actor: n.Expr


class Choices(Changes):
    """Lowers decisions."""

    def decider(self, w: Writer, by: Any) -> Decider:
        """Who decides: an actor's controller, or a seat by itself."""
        if isinstance(by, t.TBuiltin) and by.what == "seat":
            return Decider(self.thing(w, by), const(-1))
        return self.controller(w.temp(self.thing(w, by), "whom") if by is not None else None)

    def controller(self, actor: str | None) -> Decider:
        """Who decides for the actor in a local, or for self."""
        whom = local(actor or "self")
        return Decider(n.Call("cell", (const(self.l.base["!controller"]), whom, const(-1))), whom)

    def ask(self, w: Writer, who: Decider, prompt: str, listing: Callable[[Writer], None]) -> None:
        """Stop for a decision. The listing is a function of its own, so it changes no local here. A choice
        without words of its own is asked under the title of its definition."""
        call = self.c.closure("list", listing, w.site)
        prompt = prompt or self.c.sites[w.site].title.replace("{", "").replace("}", "")
        w.store(self.l.asked, who.actor)
        w.emit(n.Ask((n.Do(call, w.site),), who.seat, const(self.c.prompt(prompt)), w.site))

    def offer(
        self, c: Writer, verb: int, a: n.Expr | int = -1, b: n.Expr | int = -1, d: n.Expr | int = -1
    ) -> None:
        """Add an option."""
        values = tuple(const(x) if isinstance(x, int) else x for x in (verb, a, b, d))
        c.emit(n.Do(n.Call("opt", values), c.site))

    def chosen(self, part: int = 0) -> n.Expr:
        """Part of the chosen option: 0 the verb, 1 to 3 its things."""
        return state(CHOSEN + part)

    def option_verb(self, w: Writer, option: t.ChoiceOption) -> int:
        """The verb of a line of a choose."""
        if option.selector is None:
            return self.c.verb(option.label, (), w.site)
        label = (option.label or "{it}").replace("{it}", "{0}")
        return self.c.verb(label, (option.selector.type,), w.site)

    def _choose(self, w: Writer, s: t.Choose) -> None:
        verbs = [self.option_verb(w, o) for o in s.options]
        # Lines that read alike are told apart by their number.
        marks = [k if verbs.count(verb) > 1 else -1 for k, verb in enumerate(verbs)]

        def listing(c: Writer) -> None:
            for option, verb, mark in zip(s.options, verbs, marks, strict=True):
                if option.selector is not None:
                    it = local(self.var(option.selector.it))
                    self.loop(c, option.selector, lambda v=verb, i=it, m=mark: self.offer(c, v, i, -1, m))
                elif option.if_ is not None:
                    with c.if_(self.check(c, option.if_)):
                        self.offer(c, verb, -1, -1, mark)
                else:
                    self.offer(c, verb, -1, -1, mark)

        self.ask(w, self.decider(w, s.by), s.prompt, listing)
        verb_now = w.temp(self.chosen(), "verb")
        thing_now = w.temp(self.chosen(1), "it") if any(o.selector for o in s.options) else ""
        mark_now = w.temp(self.chosen(3), "mark") if max(marks) >= 0 else ""
        for option, verb, mark in zip(s.options, verbs, marks, strict=True):
            with w.if_(
                both([equal(local(verb_now), verb), *([equal(local(mark_now), mark)] if mark >= 0 else [])])
            ):
                if option.selector is not None:
                    w.assign(self.var(option.selector.it), local(thing_now))
                self.block(w, option.body)
        if len(s.options) == 1 and s.options[0].selector is not None and not s.options[0].body:
            with w.if_(equal(local(verb_now), -1)):
                w.assign(self.var(s.options[0].selector.it), const(-1))
        w.check()

    def _choose_many(self, w: Writer, s: t.ChooseMany) -> None:
        it = self.var(s.selector.it)
        label = (s.label or "{it}").replace("{it}", "{0}")
        verb = self.c.verb(label, (s.selector.type,), w.site)
        done = self.c.verb("done", (), 0)
        count = w.temp(const(0), "count")
        most = w.temp(self.number(w, s.most), "most")
        least = w.temp(self.number(w, s.least), "least") if s.least is not None else ""
        masked = s.selector.type not in (t.CARD, t.SPACE)
        mask = w.temp(const(0), "mask") if masked else ""
        with w.while_(n.Binary("<", local(count), local(most))):

            def listing(c: Writer) -> None:
                self.loop(c, s.selector, lambda: self.offer(c, verb, local(it)), mask)
                enough = n.Binary(">=", local(count), local(least)) if least else const(1)
                with c.if_(enough), c.if_(n.Binary(">", n.Call("nopt"), const(0))):
                    self.offer(c, done)

            self.ask(w, self.decider(w, s.by), "", listing)
            w.emit(n.If(n.Binary("!=", self.chosen(), const(verb)), (n.Break(w.site),), (), w.site))
            w.assign(it, self.chosen(1))
            if masked:
                w.assign(mask, add(local(mask), consts(add(const(self.l.tables["powers"]), local(it)))))
            w.assign(count, add(local(count), 1))
            self.block(w, s.body)
        w.check()

    def _let_choose(self, w: Writer, s: t.LetChoose) -> None:
        name = self.var(s.local)
        if s.selector is None:
            verb = self.c.verb("{0}", ("number",), w.site)
            low, high = w.temp(self.number(w, s.low), "low"), w.temp(self.number(w, s.high), "high")

            def numbers(c: Writer) -> None:
                i = c.temp(local(low), "i")
                with c.while_(n.Binary("<=", local(i), local(high))):
                    self.offer(c, verb, local(i))
                    c.assign(i, add(local(i), 1))

            self.ask(w, self.decider(w, s.by), s.local, numbers)
            w.assign(name, n.Pick(equal(self.chosen(), -1), local(low), self.chosen(1)))
            return
        verb = self.c.verb("{0}", (s.selector.type,), w.site)
        it = self.var(s.selector.it)

        def listing(c: Writer) -> None:
            assert s.selector is not None
            self.loop(c, s.selector, lambda: self.offer(c, verb, local(it)))
            if s.orelse:
                self.offer(c, self.c.verb(s.orelse, (), w.site))

        self.ask(w, self.decider(w, s.by), s.local, listing)
        w.assign(name, n.Pick(equal(self.chosen(), verb), self.chosen(1), const(-1)))

    def block(self, w: Writer, body: t.Block_) -> None:
        """Made on top of this."""
        raise NotImplementedError
