"""Selectors -> loops.

In:  t.Selector.
Out: in expressions, a call of a closure that counts, finds or sums; in statements, a loop over the
     candidates (see loop()).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.book import tree as t
from rulewright.book.walk import mentions
from rulewright.ir import nodes as n
from rulewright.ir.events import PICK
from rulewright.ir.program import SEATS
from rulewright.lower.builder import Builder, cell_of, like, var
from rulewright.lower.dispatch import ahead, check, number, thing
from rulewright.lower.keys import if_better
from rulewright.lower.spaces import places, spaces_now, step_size
from rulewright.lower.terms import as_space, neighbour, template_table, zone_slot
from rulewright.lower.writer import (
    Writer,
    absent,
    both,
    call,
    const,
    consts,
    differ,
    equal,
    local,
    mul,
    present,
    state,
)


def plain_select(b: Builder, w: Writer, s: t.Selector, how: str, value: Any = None) -> n.Expr:
    """The selector as an expression: how = some, count, the, total, highest, lowest."""
    if how == "the" and s.quantifier == "random":
        return _random(b, w, s)
    if s.domain == "zone" and not s.tests and how in ("some", "count"):
        cards = state(zone_slot(b, w, s.domain_args[0], s.domain_args[1]))  # a zone begins with its count
        return cards if how == "count" else cards > 0
    orelse = thing(b, w, s.orelse) if s.orelse is not None and how == "the" else None

    def build(c: Writer) -> None:
        c.site = w.site
        _prepare(b, c, (*s.tests, *[p.value for p in s.prefs], value), s.it)
        _finish(b, c, s, how, value)
        b.fields.pop()

    call = b.closure(f"s_{how}", build, w.site)
    return call if orelse is None else n.Call("or_else", (call, orelse))


def _finish(b: Builder, c: Writer, s: t.Selector, how: str, value: Any) -> None:
    match how:
        case "some":
            loop(b, c, s, lambda: c.give(1))
            c.give(0)
        case "count" | "total":
            c.assign("found", 0)
            one = (lambda: const(1)) if how == "count" else (lambda: number(b, c, value))
            loop(b, c, s, lambda: c.assign("found", local("found") + one()))
            c.give(local("found"))
        case "highest" | "lowest":
            _extreme(b, c, s, how, value)
        case _:
            best(b, c, s)


def _prepare(b: Builder, c: Writer, parts: Sequence[Any], it: str) -> None:
    """Work that is the same for every candidate is done once, before the loop: costs to a goal that stays the
    same, one field for all walks to an equal goal."""
    fields: dict[int, int] = {}
    b.fields.append(fields)
    walks = [
        e for part in parts for e in _walks(part) if not mentions(e.goal, it) and not mentions(e.goal, "from")
    ]
    made: list[tuple[t.WalkCost, int]] = []

    def shared(e: t.WalkCost) -> int | None:
        return next((base for x, base in made if (x.walk, x.goal) == (e.walk, e.goal)), None)

    for e in walks:
        if mentions(e.start, it) and shared(e) is None:
            made.append((e, ahead(b, c, e)))
    fields.update({id(e): base for e in walks if (base := shared(e)) is not None})


def _walks(e: Any) -> list[t.WalkCost]:
    """Walks in a check or number that are asked for each candidate itself, not in a loop of their own."""
    match e:
        case t.WalkCost():
            return [e]
        case t.Compare(left=a, right=right) | t.Arith(left=a, right=right):
            inner = [a, right]
        case t.Both(parts=parts) | t.Either(parts=parts):
            inner = [*parts]
        case t.Never(part=part) | t.Truth(check=part):
            inner = [part]
        case t.IfNum(test=a, yes=right, no=d):
            inner = [a, right, d]
        case t.Fn(args=args):
            inner = [*args]
        case _:
            inner = []
    return [found for part in inner for found in _walks(part)]


def listed(b: Builder, w: Writer, s: t.Selector, body: Callable[[], None], mask: str = "") -> None:
    """A loop in which nothing changes, as options are listed: what is the same for all is done before it."""
    _prepare(b, w, s.tests, s.it)
    loop(b, w, s, body, mask)
    b.fields.pop()


def _extreme(b: Builder, c: Writer, s: t.Selector, how: str, value: Any) -> None:
    c.assign("any", 0)
    c.assign("found", 0)

    def body() -> None:
        c.assign("value", number(b, c, value))
        op = ">" if how == "highest" else "<"
        better = n.Pick(local("any"), n.Binary(op, local("value"), local("found")), const(1))
        with c.if_(better):
            c.assign("found", local("value"))
        c.assign("any", 1)

    loop(b, c, s, body)
    c.give(local("found"))


def best(b: Builder, c: Writer, s: t.Selector, among: n.Expr | None = None) -> None:
    """The first candidate, or the best by the preferences; ties stay with the first."""
    if not s.prefs:
        loop(b, c, s, lambda: c.give(local(var(s.it))), among=among)
        c.give(-1)
        return
    c.assign("best", -1)
    for i in range(len(s.prefs)):
        c.assign(f"b{i}", 0)

    def body() -> None:
        if_better(b, c, s.prefs, lambda: c.assign("best", local(var(s.it))))

    loop(b, c, s, body, among=among)
    c.give(local("best"))


def _random(b: Builder, w: Writer, s: t.Selector) -> n.Expr:
    """One candidate, all equally likely: a die with as many faces as there are candidates."""

    def build(c: Writer) -> None:
        c.assign("count", 0)
        loop(b, c, s, lambda: c.assign("count", local("count") + 1))
        c.give_if(equal(local("count"), 0), -1)
        c.assign("pick", 0)
        with c.if_(local("count") > 1):
            c.assign("pick", call("rnd", local("count")))
        c.assign("which", local("pick"))

        def body() -> None:
            with c.if_(equal(local("pick"), 0)):
                with c.if_(local("count") > 1):
                    said = b.text(f"{{0:{s.type}}} is picked at random")
                    c.event(PICK, said, local(var(s.it)), local("count"), local("which"))
                c.give(local(var(s.it)))
            c.assign("pick", local("pick") - 1)

        loop(b, c, s, body)
        c.give(-1)

    return b.closure("s_random", build, w.site)


# ------------------------------------------------------------ loops
def loop(
    b: Builder,
    w: Writer,
    s: t.Selector,
    body: Callable[[], None],
    mask: str = "",
    among: n.Expr | None = None,
) -> None:
    """Run the body for each candidate, its local set; live, each at most once, in written order."""
    it = var(s.it)

    def visit() -> None:
        noun = _noun(b, w, s, it)
        tests = [noun if among is None else both([noun, among]), *[check(b, w, x) for x in s.tests]]
        if mask:
            used = local(mask) // consts(b.layout.tables["powers"] + local(it)) % 2
            tests.insert(0, equal(used, 0))
        real = [x for x in tests if x != const(1)]
        if real:
            with w.if_(both(real)):
                body()
        else:
            body()

    match s.domain:
        case "zone":
            _downward(b, w, s, it, visit)
        case "order":
            _order(b, w, s, it, visit)
        case "line":
            _on_line(b, w, s, it, visit)
        case "lines":
            _lines(b, w, s, it, visit)
        case "path":
            _on_path(b, w, s, it, visit)
        case "adjacent":
            _adjacent_spaces(b, w, s, it, visit)
        case "zone of map":
            map_, zone = s.domain_args[0]
            at = b.layout.tables[f"zone {map_} {zone}"]
            shown = visit
            if b.layout.shared_zone(zone):
                now = equal(consts(b.layout.tables["map of"] + local(it)), state(b.layout.map_now))

                def shown() -> None:
                    with w.if_(now):
                        visit()

            _listed(w, at, len(b.layout.zone_spaces(zone)), it, shown)
        case _:
            _all(b, w, s, it, visit)


def _noun(b: Builder, w: Writer, s: t.Selector, it: str) -> n.Expr:
    """What the noun itself demands."""
    if s.type != t.ACTOR:
        there = t.kind_of(s.type).there
        if there and s.domain == "all":
            return cell_of(b, there, local(it)) > 0
        return const(1)
    play = cell_of(b, "!in play", local(it))
    tests = [] if s.anywhere else [equal(play, 0) if s.out_of_play else play]
    whose = thing(b, w, s.domain_args[1]) if s.domain_args[:1] == ["of"] else None
    me = local("self") if whose is None else whose
    side = equal(cell_of(b, "!side", local(it)), cell_of(b, "!side", me))
    if s.noun == "ally":
        tests += [side, differ(local(it), me)]
    elif s.noun == "enemy":
        tests.append(n.Not(side))
    elif s.noun.startswith("template:"):
        template = s.noun[9:]
        if not all(b.layout.is_a(actor.template, template) for actor in b.symbols.actors):
            at = template_table(b, b.symbols.templates[template].index)
            tests.append(consts(at + local(it)))
    return both(tests)


def _count(w: Writer, start: n.Expr, end: n.Expr, it: str, visit: Callable[[], None]) -> None:
    """it from start to end - 1. Stepping comes first: a Continue or a changed `it` does no harm."""
    at = w.temp(start - 1 if start != const(0) else const(-1), "i")
    stop = end if isinstance(end, n.Const) else local(w.temp(end, "n"))
    with w.while_(local(at) + 1 < stop):
        w.assign(at, local(at) + 1)
        w.assign(it, local(at))
        visit()


def _all(b: Builder, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
    match s.type:
        case t.SPACE:
            start, end = spaces_now(b)
            _count(w, start, end, it, visit)
        case t.PLACE:
            places(b, w, it, visit)
        case t.SEAT:
            _count(w, const(0), state(SEATS), it, visit)
        case _:
            _count(w, const(0), const(b.layout.count_of(s.type)), it, visit)


def _downward(b: Builder, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
    """Cards of a zone from the top; the body may take the card away."""
    base = w.temp(zone_slot(b, w, s.domain_args[0], s.domain_args[1]), "z")
    at = w.temp(state(local(base)), "i")
    with w.while_(local(at) > 0):
        w.assign(at, call("minimum", local(at), state(local(base))))
        with w.if_(local(at) <= 0):
            w.emit(n.Break())
        w.assign(it, state(local(base) + local(at)))
        w.assign(at, local(at) - 1)
        visit()


def _order(b: Builder, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
    base = b.layout.order_base[s.domain_args[0]]
    with w.stepping(state(base)) as at:
        w.assign(it, state(base + 2 + at))
        visit()


def _listed(w: Writer, at: int, count: int, it: str, visit: Callable[[], None]) -> None:
    with w.stepping(count) as i:
        w.assign(it, consts(at + i))
        visit()


def _adjacent_spaces(b: Builder, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
    start = w.temp(as_space(b, w, s.domain_args[0]), "c")
    i = w.temp(-1, "i")
    step = step_size(b)
    with w.while_(local(i) + step < b.layout.directions):
        first = n.Pick(absent(local(i)), const(0), local(i) + step)
        w.assign(i, first)
        w.assign(it, neighbour(local(start), local(i)))
        with w.if_(present(local(it))):
            visit()


def _lines(b: Builder, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
    a, right = thing(b, w, s.domain_args[0]), thing(b, w, s.domain_args[1])
    pair = w.temp(mul(a, len(b.symbols.spaces)) + right, "pair")
    _count(w, mul(local(pair), 2), mul(local(pair), 2) + 2, it, visit)


def _on_line(b: Builder, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
    line = w.temp(thing(b, w, s.domain_args[0]), "line")
    total = len(b.symbols.spaces)
    a = local(line) // (2 * total)
    right = local(line) // 2 % total
    length = w.temp(call("space_distance", a, right), "n")
    with w.stepping(local(length), 0) as i:
        w.assign(it, call("space_on_line", local(line), i, local(length)))
        visit()


def _on_path(b: Builder, w: Writer, s: t.Selector, it: str, visit: Callable[[], None]) -> None:
    path = w.temp(thing(b, w, s.domain_args[0]), like(t.PATH, "path"))
    where = w.temp(as_space(b, w, s.domain_args[1]), "at")
    length = w.temp(call("path_length", local(path)), "n")
    i = w.temp(0, "i")
    with w.while_(local(i) < local(length)):
        w.assign("v_from", local(where))
        w.assign(where, neighbour(local(where), call("path_step", local(path), local(i))))
        w.assign(i, local(i) + 1)
        w.assign(it, local(where))
        visit()
