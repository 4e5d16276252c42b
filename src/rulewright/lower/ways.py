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
from rulewright.lower.builder import FAR, Builder, var
from rulewright.lower.dispatch import THINGS, check, lowers, number
from rulewright.lower.selectors import loop
from rulewright.lower.spaces import Ring, clear, step_size
from rulewright.lower.strides import STEPS, gate_function, pace_function, rest_function, toll_function
from rulewright.lower.terms import here, neighbour
from rulewright.lower.writer import Writer, add, both, const, equal, local, truth


@lowers(THINGS, t.WayTo)
def way(b: Builder, w: Writer, e: t.WayTo) -> n.Expr:
    """The cheapest way to a space of the selector, or to the best space within reach."""
    name, selector, budget, within, straight = e.walk, e.selector, e.budget, e.within, e.straight
    most = w.temp(number(b, w, budget), "most")
    line = w.temp(truth(check(b, w, straight)) if straight is not None else const(0), "straight")

    def build(c: Writer) -> None:
        c.site = w.site
        c.assign("start", here(b))
        with c.if_(n.Binary("<", local("start"), const(0))):
            c.emit(n.Return(const(1)))
        if within:
            _within(b, c, name, selector, most, line)
        else:
            _toward_goal(b, c, name, selector, most, line)

    return b.closure("way", build, w.site)


def _memory(b: Builder) -> tuple[int, Ring, int]:
    """Work memory for costs, for spaces that wait, and for first ways."""
    total = max(1, len(b.symbols.spaces))
    if not b.way_memory:
        b.way_memory = b.memory(total * 4 + 4)
    costs = b.way_memory
    return costs, Ring(costs + total, costs + 2 * total + 1, total + 1), costs + 3 * total + 1


def _clear(b: Builder, c: Writer, ways: bool = False) -> None:
    costs, ring, kept = _memory(b)
    clear(b, c, (costs, FAR), (ring.marks, 0), *([(kept, 0)] if ways else []))
    c.assign("head", const(0))
    c.assign("tail", const(0))


def _push(b: Builder, c: Writer, name: str) -> None:
    _memory(b)[1].push(c, name)


def _pop(b: Builder, c: Writer) -> None:
    _memory(b)[1].pop(c, "u")


def _cost(b: Builder, name: str) -> n.Load:
    return n.Load("W", add(const(_memory(b)[0]), local(name)))


def _toward_goal(b: Builder, c: Writer, name: str, selector: t.Selector, most: str, line: str) -> None:
    costs = _memory(b)[0]
    pace, rest = pace_function(b, name), rest_function(b, name)
    _clear(b, c)
    it = var(selector.it)

    def goal() -> None:
        c.emit(n.Store("W", add(const(costs), local(it)), const(0)))
        _push(b, c, it)

    loop(b, c, selector, goal)
    with c.while_(n.Binary("!=", local("head"), local("tail"))):
        _pop(b, c)
        c.emit(n.If(n.Binary(">=", _cost(b, "u"), _cost(b, "start")), (n.Continue(),)))
        gate = gate_function(b, name)
        if gate is not None:
            c.emit(n.If(n.Not(n.Call(gate, (local("self"), local("u")))), (n.Continue(),)))
            pace = toll_function(b, name)
        c.assign("d", const(0))
        with c.while_(n.Binary("<", local("d"), const(b.layout.directions))):
            c.assign("v", neighbour(local("u"), local("d")))
            c.assign("d", add(local("d"), step_size(b)))
            c.emit(n.If(n.Binary("<", local("v"), const(0)), (n.Continue(),)))
            # Whoever is already as near as this step could bring it needs no look at the step.
            c.emit(n.If(n.Binary("<=", _cost(b, "v"), _cost(b, "u")), (n.Continue(),)))
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
            c.assign("total", add(_cost(b, "u"), local("c")))
            with c.if_(n.Binary("<", local("total"), _cost(b, "v"))):
                c.emit(n.Store("W", add(const(costs), local("v")), local("total")))
                _push(b, c, "v")
    with c.if_(n.Binary(">=", _cost(b, "start"), const(FAR))):
        c.emit(n.Return(const(1)))
    _follow(b, c, pace_function(b, name), rest, most, line)


def _follow(b: Builder, c: Writer, pace: str, rest: str, most: str, line: str) -> None:
    """Along the costs, as far as the allowance goes, back to the last space on which one may end."""
    for name, value in (("way", 1), ("best", 1), ("spent", 0), ("steps", 0), ("last", -1)):
        c.assign(name, const(value))
    c.assign("at", local("start"))
    with c.while_(
        both([n.Binary(">", _cost(b, "at"), const(0)), n.Binary("<", local("steps"), const(STEPS))])
    ):
        c.assign("d", const(0))
        c.assign("next", const(-1))
        with c.while_(n.Binary("<", local("d"), const(b.layout.directions))):
            c.assign("to", neighbour(local("at"), local("d")))
            there, nearer = (
                n.Binary(">=", local("to"), const(0)),
                n.Binary("<", _cost(b, "to"), _cost(b, "at")),
            )
            with c.if_(there), c.if_(nearer):
                c.assign("c", n.Call(pace, (local("self"), local("at"), local("to"))))
                on = equal(add(_cost(b, "to"), local("c")), _cost(b, "at"))
                with c.if_(both([n.Binary(">=", local("c"), const(0)), on])):
                    c.assign("next", local("to"))
                    c.emit(n.Break())
            c.assign("d", add(local("d"), step_size(b)))
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


def _within(b: Builder, c: Writer, name: str, selector: t.Selector, most: str, line: str) -> None:
    costs, _, ways = _memory(b)
    pace, rest = pace_function(b, name), rest_function(b, name)
    _clear(b, c, ways=True)
    c.emit(n.Store("W", add(const(costs), local("start")), const(0)))
    c.emit(n.Store("W", add(const(ways), local("start")), const(1)))
    _push(b, c, "start")
    with c.while_(n.Binary("!=", local("head"), local("tail"))):
        _pop(b, c)
        c.assign("p", n.Load("W", add(const(ways), local("u"))))
        c.emit(n.If(n.Binary(">=", n.Call("path_length", (local("p"),)), const(STEPS)), (n.Continue(),)))
        c.assign("d", const(0))
        with c.while_(n.Binary("<", local("d"), const(b.layout.directions))):
            c.assign("v", neighbour(local("u"), local("d")))
            c.assign("q", add(n.Binary("*", local("p"), const(8)), local("d")))
            turned = both(
                [
                    local(line),
                    n.Binary(">", local("p"), const(1)),
                    n.Binary("!=", n.Binary("%", local("p"), const(8)), local("d")),
                ]
            )
            c.assign("d", add(local("d"), step_size(b)))
            c.emit(n.If(n.Pick(n.Binary("<", local("v"), const(0)), const(1), turned), (n.Continue(),)))
            c.assign("c", n.Call(pace, (local("self"), local("u"), local("v"))))
            c.assign("total", add(_cost(b, "u"), local("c")))
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
                n.Binary("<", local("total"), _cost(b, "v")),
                const(1),
                n.Pick(equal(local("total"), _cost(b, "v")), sooner, const(0)),
            )
            with c.if_(better):
                c.emit(n.Store("W", add(const(costs), local("v")), local("total")))
                c.emit(n.Store("W", add(const(ways), local("v")), local("q")))
                _push(b, c, "v")
    _best_space(b, c, selector, rest, ways)


def _best_space(b: Builder, c: Writer, s: t.Selector, rest: str, ways: int) -> None:
    it = var(s.it)
    c.assign("best", const(-1))
    for i in range(len(s.prefs) + 1):
        c.assign(f"b{i}", const(0))

    def body() -> None:
        c.assign("p", n.Load("W", add(const(ways), local(it))))
        good = both([n.Binary(">", local("p"), const(1)), n.Call(rest, (local("self"), local(it)))])
        with c.if_(good):
            keys = [(pref.low, number(b, c, pref.value)) for pref in s.prefs] + [
                (True, n.Call("path_rank", (local("p"),)))
            ]
            for i, (_, value) in enumerate(keys):
                c.assign(f"p{i}", value)
            better: n.Expr = const(0)
            for i, (low, _) in reversed(list(enumerate(keys))):
                a, right = local(f"p{i}"), local(f"b{i}")
                better = n.Pick(
                    n.Binary("<" if low else ">", a, right),
                    const(1),
                    n.Pick(equal(a, right), better, const(0)),
                )
            with c.if_(n.Pick(n.Binary("<", local("best"), const(0)), const(1), better)):
                c.assign("best", local(it))
                for i in range(len(keys)):
                    c.assign(f"b{i}", local(f"p{i}"))

    loop(b, c, s, body)
    with c.if_(n.Binary("<", local("best"), const(0))):
        c.emit(n.Return(const(1)))
    c.emit(n.Return(n.Load("W", add(const(ways), local("best")))))
