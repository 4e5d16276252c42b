"""How a match begins: who leads whom, first values, and where examples take over.

In:  Symbols: actors and their templates, resources, examples.
Out: the function main, which runs the book's first sequence after everything has its first value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from rulewright.book import tree as t
from rulewright.book.examples import ExampleCode
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.choices import Decider
from rulewright.lower.components import Components
from rulewright.lower.writer import Writer, add, const, equal, local, state


class Beginning(Components):
    """Lowers the beginning of a match."""

    def main(self) -> None:
        """Start values, then the sequence called Match."""
        w = Writer("main", (), True)
        w.assign("self", const(-1))
        self._control(w)
        self._start_values(w)
        match = self.s.components.get("Match")
        if self.examples:
            self._examples(w)
        if match is not None:
            w.call(self.c.name_of(match), const(-1), *[const(-1) for _ in match.params])
        self.c.add(w.function())

    examples: tuple[ExampleCode, ...] = ()
    """What the worked examples of the book run. One without stages runs the whole match."""

    def trees(self) -> Iterator[Any]:
        """Every body of the book, and of its examples."""
        yield from super().trees()
        for code in self.examples:
            yield code.stages

    def _examples(self, w: Writer) -> None:
        """In a test: stop so that the example can set up its position, then run its statements."""
        slot = self.l.slots(1)
        self.l.result["example"] = slot
        with w.if_(state(slot)):
            self._stop_for_example(w)
        for k, code in enumerate(self.examples, 1):
            self.c.definition = code.definition
            for line, check in code.checks:
                test = Writer(f"example_{k}_that_{line}", ("self",))
                test.site = self.c.site(line)
                test.emit(n.Return(n.Pick(self.check(test, check), const(1), const(0))))
                self.c.add(test.function())
            if code.stages:
                self._stages(w, slot, k, code)
        self.c.definition = None

    def _stages(self, w: Writer, slot: int, k: int, code: ExampleCode) -> None:
        """One stage a `do` line, with a stop before each."""
        inner = Writer(f"example_{k}", ("self",))
        for i, block in enumerate(code.stages):
            if i:
                self._stop_for_example(inner)
            self.block(inner, block)
        self.c.add(inner.function())
        with w.if_(equal(state(slot), k)):
            w.call(inner.name, const(-1))
            w.check()
            w.emit(n.Return(const(0)))

    def _stop_for_example(self, w: Writer) -> None:
        begin = self.c.verb("begin")

        def listing(c: Writer) -> None:
            self.offer(c, begin)
            self.offer(c, begin)

        self.ask(w, Decider(const(0), const(-1)), "example", listing)

    def _control(self, w: Writer) -> None:
        for i, actor in enumerate(self.s.actors):
            seat, side = self._inherited(actor.template, "seat"), self._inherited(actor.template, "side")
            place = self.l.base["!controller"] + i
            match seat:
                case "each":
                    number = n.Pick(
                        n.Binary("<", const(actor.number), state(SEATS)), const(actor.number), const(-1)
                    )
                    w.store(place, number)
                case "any":
                    w.store(place, 0)
                case "none" | "":
                    w.store(place, -1)
                case _:
                    digits = "".join(ch for ch in seat if ch.isdigit())
                    number = const(int(digits) - 1 if digits else -1)
                    w.store(place, n.Pick(n.Binary("<", number, state(SEATS)), number, const(-1)))
            w.store(self.l.base["!side"] + i, self.s.sides.numbers.get(norm(side), 100 + i))

    def _inherited(self, template: str, attribute: Literal["seat", "side"]) -> str:
        said = (getattr(found, attribute) for found in self.s.lineage(template))
        return next((value for value in said if value and value != "none"), "")

    def _start_values(self, w: Writer) -> None:
        """Printed values first, then what `starts:` computes from them, in book order."""
        printed = [self.s.values_of(a.template) for a in self.s.actors]
        for key, r in self.s.resources.items():
            if r.builtin or self.starts_by_itself(w, key, r):
                continue
            for i, values in enumerate(printed):
                if key in values and r.of == (t.ACTOR,):
                    w.assign("self", const(i))
                    value = self.thing(w, values[key]) if r.holds else self.number(w, values[key])
                    with w.if_(self._starts_here(key, r, const(i))):
                        w.store(self.l.base[key] + i, value)
        for key, r in self.s.resources.items():
            if r.starts is None or (
                self.s.frameworks and not r.private and not r.holds and r.of in ((), (t.ACTOR,))
            ):
                continue
            skip = [i for i, values in enumerate(printed) if key in values] if r.of == (t.ACTOR,) else []
            if r.definition is not None:
                w.site = self.c.site(r.definition.line.number, r.definition)
            self._starts(w, key, r, skip)
        w.assign("self", const(-1))
        for i, a in enumerate(self.s.actors):
            for feature in self.s.features_of(a.template):
                found = self.s.features.get(norm(feature))
                if found is not None:
                    w.store(self.l.feature_base + found.index * self.l.actors + i, 1)

    def _starts(self, w: Writer, key: str, r: t.Resource, skip: list[int]) -> None:
        total = 1
        for kind in r.of:
            total *= self.l.count_of(kind)
        w.assign("i", const(0))
        with w.while_(n.Binary("<", local("i"), const(total))):
            first: n.Expr = local("i")
            if len(r.of) == 2:
                first = n.Binary("//", local("i"), const(self.l.count_of(r.of[1])))
            w.assign("self", first)
            value = self.thing(w, r.starts) if r.holds else self.number(w, r.starts)
            test = self._starts_here(key, r, first)
            for i in skip:
                test = n.Pick(test, n.Binary("!=", local("i"), const(i)), const(0))
            with w.if_(test):
                w.store(add(const(self.l.base[key]), local("i")), value)
            w.assign("i", add(local("i"), 1))

    def _starts_here(self, key: str, r: t.Resource, owner: n.Expr) -> n.Expr:
        """Does this owner's value start anew? Not if it was brought along from an earlier match."""
        if key not in self.s.keeps:
            return const(1)
        if r.of[:1] == (t.CARD,):
            return n.Binary("<", state(add(const(self.l.base["!face"]), owner)), const(0))
        owner = owner if r.of else const(self.l.actors)
        return equal(state(add(const(self.l.brought), owner)), 0)
