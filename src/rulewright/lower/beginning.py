"""How a match begins: who leads whom, first values, and where examples take over.

In:  Symbols: actors and their templates, resources, examples.
Out: the function main, which runs the book's first sequence after everything has its first value.
"""

from __future__ import annotations

from typing import Literal

from rulewright.book import tree as t
from rulewright.book.examples import ExampleCode
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.ir.sheet import ExampleCheck
from rulewright.lower.builder import Builder, cell_of
from rulewright.lower.choices import Decider, ask, offer
from rulewright.lower.dispatch import block, check, number, thing
from rulewright.lower.facts import when_needed
from rulewright.lower.lazy import starts_by_itself
from rulewright.lower.terms import first_owner
from rulewright.lower.writer import Writer, absent, const, differ, equal, local, state


def main(b: Builder) -> None:
    """Start values, then the sequence called Match."""
    with b.function("main", (), framed=True) as w:
        w.assign("self", -1)
        _control(b, w)
        _start_values(b, w)
        match = b.symbols.components.get("Match")
        if b.examples:
            _examples(b, w)
        if match is not None:
            w.call(b.name_of(match), const(-1), *[const(-1) for _ in match.params])


def _examples(b: Builder, w: Writer) -> None:
    """In a test: stop so that the example can set up its position, then run its statements."""
    slot = b.layout.slots(1)
    b.layout.result["example"] = slot
    with w.if_(state(slot)):
        _stop_for_example(b, w)
    for k, code in enumerate(b.examples, 1):
        b.definition = code.definition
        for line, condition in code.checks:
            with b.function(f"example_{k}_that_{line}", ("self",)) as test:
                test.site = b.site(line)
                b.afterwards = True
                test.give(n.Pick(check(b, test, condition), const(1), const(0)))
                b.afterwards = False
            b.example_checks.append(ExampleCheck(k, line, test.name))
        if code.stages:
            _stages(b, w, slot, k, code)
    b.definition = None


def _stages(b: Builder, w: Writer, slot: int, k: int, code: ExampleCode) -> None:
    """One stage a `do` line, with a stop before each."""
    with b.function(f"example_{k}", ("self",)) as inner:
        for i, body in enumerate(code.stages):
            if i:
                _stop_for_example(b, inner)
            block(b, inner, body)
    with w.if_(equal(state(slot), k)):
        w.run(inner.name, const(-1))
        w.give(0)


def _stop_for_example(b: Builder, w: Writer) -> None:
    begin = b.verb("begin")

    def listing(c: Writer) -> None:
        offer(c, begin)
        offer(c, begin)

    ask(b, w, Decider(const(0), const(-1)), "example", listing)


def _control(b: Builder, w: Writer) -> None:
    for i, actor in enumerate(b.symbols.actors):
        seat, side = inherited(b, actor.template, "seat"), inherited(b, actor.template, "side")
        place = b.layout.base["!controller"] + i
        match seat:
            case "each":
                number = n.Pick(const(actor.number) < state(SEATS), const(actor.number), const(-1))
                w.store(place, number)
            case "any":
                w.store(place, 0)
            case "none" | "":
                w.store(place, -1)
            case _:
                digits = "".join(ch for ch in seat if ch.isdigit())
                number = const(int(digits) - 1 if digits else -1)
                w.store(place, n.Pick(number < state(SEATS), number, const(-1)))
        w.store(b.layout.base["!side"] + i, b.symbols.sides.numbers.get(norm(side), 100 + i))


def inherited(b: Builder, template: str, attribute: Literal["seat", "side"]) -> str:
    said = (getattr(found, attribute) for found in b.symbols.lineage(template))
    return next((value for value in said if value and value != "none"), "")


def _start_values(b: Builder, w: Writer) -> None:
    """Printed values first, then what `starts:` computes from them, in book order."""
    printed = [b.symbols.values_of(a.template) for a in b.symbols.actors]
    for key, r in b.symbols.resources.items():
        if r.builtin or starts_by_itself(b, w, key, r):
            continue
        for i, values in enumerate(printed):
            if key in values and r.of == (t.ACTOR,):
                w.assign("self", i)
                value = thing(b, w, values[key]) if r.holds else number(b, w, values[key])
                with w.if_(_starts_here(b, key, r, const(i))):
                    w.store(b.layout.base[key] + i, value)
    for key, r in b.symbols.resources.items():
        if r.starts is None or (
            when_needed(b.symbols) and not r.private and not r.holds and r.of in ((), (t.ACTOR,))
        ):
            continue
        skip = [i for i, values in enumerate(printed) if key in values] if r.of == (t.ACTOR,) else []
        if r.definition is not None:
            w.site = b.site(r.definition.line.number, r.definition)
        _starts(b, w, key, r, skip)
    w.assign("self", -1)
    for i, a in enumerate(b.symbols.actors):
        for feature in b.symbols.features_of(a.template):
            found = b.symbols.features.get(norm(feature))
            if found is not None:
                w.store(b.layout.feature_base + found.index * b.layout.actors + i, 1)


def _starts(b: Builder, w: Writer, key: str, r: t.Resource, skip: list[int]) -> None:
    total = 1
    for kind in r.of:
        total *= b.layout.count_of(kind)
    w.assign("i", 0)
    with w.counting("i", const(total)):
        first = first_owner(b, r, local("i"))
        w.assign("self", first)
        value = thing(b, w, r.starts) if r.holds else number(b, w, r.starts)
        test = _starts_here(b, key, r, first)
        for i in skip:
            test = n.Pick(test, differ(local("i"), i), const(0))
        with w.if_(test):
            w.store(b.layout.base[key] + local("i"), value)


def _starts_here(b: Builder, key: str, r: t.Resource, owner: n.Expr) -> n.Expr:
    """Does this owner's value start anew? Not if it was brought along from an earlier match."""
    if key not in b.symbols.keeps:
        return const(1)
    printed = t.kind_of(r.of[0]).printed if r.of else ""
    if printed:
        return absent(cell_of(b, printed, owner))
    owner = owner if r.of else const(b.layout.actors)
    return equal(state(const(b.layout.brought) + owner), 0)
