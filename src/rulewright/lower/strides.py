"""Steps of a walk, and the ways over a map that are made of them: chosen step by step, or straight.

In:  WalkSym; LetWay, and the thing `the straight WALK ..`.
Out: gate_W, toll_W, pace_W and rest_W (may it be entered, at what cost, may one stop there?); paths (three
     bits a step under a leading 1).
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.book import tree as t
from rulewright.book.symbols import WalkSym, norm
from rulewright.book.walk import mentions
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, var
from rulewright.lower.choices import ask, chosen_part, decider_of, offer
from rulewright.lower.dispatch import NUMBERS, STATEMENTS, THINGS, check, lowers, number, thing
from rulewright.lower.spaces import step_size
from rulewright.lower.terms import here, neighbour
from rulewright.lower.writer import Writer, add, both, const, local, truth

STEPS = 10
"""The longest path: what thirty bits hold."""

FROM_TO = ("self", "at", "to")


def gate_function(b: Builder, name: str) -> str | None:
    """gate_W(self, to): may the walker step there? None when that depends on where it comes from."""
    walk = b.symbols.walks[norm(name)]
    through = walk.through
    if through is None or mentions(through, "from"):
        return None
    return _of_step(b, "gate", walk, ("self", "to"), lambda w: truth(check(b, w, through)))


def toll_function(b: Builder, name: str) -> str:
    """toll_W(self, at, to): what a step that is allowed costs."""
    walk = b.symbols.walks[norm(name)]
    return _of_step(
        b,
        "toll",
        walk,
        FROM_TO,
        lambda w: number(b, w, walk.cost) if walk.cost is not None else const(1),
    )


def pace_function(b: Builder, name: str) -> str:
    """pace_W(self, at, to): what the step costs, -1 when it is not allowed."""
    walk = b.symbols.walks[norm(name)]

    def answer(w: Writer) -> n.Expr:
        if walk.through is not None:
            with w.if_(n.Not(check(b, w, walk.through))):
                w.emit(n.Return(const(-1)))
        return n.Call(toll_function(b, name), tuple(local(p) for p in FROM_TO))

    return _of_step(b, "pace", walk, FROM_TO, answer)


def rest_function(b: Builder, name: str) -> str:
    """rest_W(self, to): may the walker end there?"""
    walk = b.symbols.walks[norm(name)]
    return _of_step(
        b,
        "rest",
        walk,
        ("self", "to"),
        lambda w: truth(check(b, w, walk.ends)) if walk.ends is not None else const(1),
    )


def _of_step(
    b: Builder, kind: str, walk: WalkSym, params: tuple[str, ...], answer: Callable[[Writer], n.Expr]
) -> str:
    """A function that answers one question about a step of a walk, made once."""
    made = f"{kind}_{walk.index}"
    if made not in b.functions:
        b.functions[made] = n.Function(made, params, ())  # it may be asked while it is made
        w = b.writer(made, params)
        w.site = b.site(walk.definition.line.number, walk.definition)
        w.assign(var(walk.it), local("to"))
        if "at" in params:
            w.assign("v_from", local("at"))
        w.emit(n.Return(answer(w)))
        b.functions[made] = w.function()
    return made


def _reach(b: Builder, walk: WalkSym) -> str:
    """reach_W(self, at, spent, most, steps): can a way that has come this far still end well?"""
    name = f"reach_{walk.index}"
    if name in b.functions:
        return name
    params = ("self", "at", "spent", "most", "steps")
    b.functions[name] = n.Function(name, params, ())
    pace, rest = pace_function(b, walk.name), rest_function(b, walk.name)
    w = b.writer(name, params)
    with w.if_(n.Call(rest, (local("self"), local("at")))):
        w.emit(n.Return(const(1)))
    with w.if_(n.Binary(">=", local("steps"), const(STEPS))):
        w.emit(n.Return(const(0)))
    w.assign("d", const(0))
    with w.while_(n.Binary("<", local("d"), const(b.layout.directions))):
        w.assign("to", neighbour(local("at"), local("d")))
        w.assign("d", add(local("d"), step_size(b)))
        with w.if_(n.Binary(">=", local("to"), const(0))):
            w.assign("c", n.Call(pace, (local("self"), local("at"), local("to"))))
            further = add(local("spent"), local("c"))
            with w.if_(both([n.Binary(">=", local("c"), const(0)), n.Binary("<=", further, local("most"))])):
                more = n.Call(
                    name, (local("self"), local("to"), further, local("most"), add(local("steps"), 1))
                )
                with w.if_(more):
                    w.emit(n.Return(const(1)))
    w.emit(n.Return(const(0)))
    b.functions[name] = w.function()
    return name


# ------------------------------------------------------------ chosen
@lowers(STATEMENTS, t.LetWay)
def let_way(b: Builder, w: Writer, s: t.LetWay) -> None:
    """Step by step; whoever has no seat stays where it is."""
    walk = b.symbols.walks[norm(s.walk)]
    pace, rest, reach = pace_function(b, s.walk), rest_function(b, s.walk), _reach(b, walk)
    most = w.temp(number(b, w, s.budget), "most")
    way = var(s.local)
    w.assign(way, const(1))
    at = w.temp(here(b), "at")
    spent, steps = w.temp(const(0), "spent"), w.temp(const(0), "steps")
    decider = decider_of(b, w, s.by)
    seat = w.temp(decider.seat, "seat")
    start = both([n.Binary(">=", local(seat), const(0)), n.Binary(">=", local(at), const(0))])
    goes = w.temp(n.Pick(start, const(1), const(0)), "goes")
    with w.while_(both([local(goes), n.Binary("<", local(steps), const(STEPS))])):

        def listing(c: Writer) -> None:
            c.assign("d", const(0))
            with c.while_(n.Binary("<", local("d"), const(b.layout.directions))):
                c.assign("to", neighbour(local(at), local("d")))
                with c.if_(n.Binary(">=", local("to"), const(0))):
                    c.assign("c", n.Call(pace, (local("self"), local(at), local("to"))))
                    further = add(local(spent), local("c"))
                    good = n.Call(
                        reach, (local("self"), local("to"), further, local(most), add(local(steps), 1))
                    )
                    with c.if_(
                        both(
                            [
                                n.Binary(">=", local("c"), const(0)),
                                n.Binary("<=", further, local(most)),
                                good,
                            ]
                        )
                    ):
                        offer(c, b.step_verb, local("to"), local("d"))
                c.assign("d", add(local("d"), step_size(b)))
            stays = n.Call(rest, (local("self"), local(at)))
            may = n.Pick(local(steps), stays, const(1 - s.least))
            with c.if_(may):
                offer(c, b.stop_verb)

        ask(b, w, decider, s.walk, listing)
        w.emit(n.If(n.Binary("!=", chosen_part(), const(b.step_verb)), (n.Break(w.site),), (), w.site))
        w.assign(spent, add(local(spent), n.Call(pace, (local("self"), local(at), chosen_part(1)))))
        w.assign(way, add(n.Binary("*", local(way), const(8)), chosen_part(2)))
        w.assign(at, chosen_part(1))
        w.assign(steps, add(local(steps), 1))


# ------------------------------------------------------------ costs
@lowers(NUMBERS, t.PathCost)
def path_cost(b: Builder, w: Writer, e: t.PathCost) -> n.Expr:
    """What all steps of a path from self's place cost."""
    path = w.temp(thing(b, w, e.path), "path")
    pace = pace_function(b, e.walk)

    def build(c: Writer) -> None:
        c.assign("at", here(b))
        c.assign("total", const(0))
        c.assign("i", const(0))
        with c.while_(n.Binary("<", local("i"), n.Call("path_length", (local(path),)))):
            c.assign("to", neighbour(local("at"), n.Call("path_step", (local(path), local("i")))))
            with c.if_(n.Binary("<", local("to"), const(0))):
                c.emit(n.Break())
            c.assign(
                "total",
                add(
                    local("total"),
                    n.Call("maximum", (const(0), n.Call(pace, (local("self"), local("at"), local("to"))))),
                ),
            )
            c.assign("at", local("to"))
            c.assign("i", add(local("i"), 1))
        c.emit(n.Return(local("total")))

    return b.closure("cost", build, w.site)


@lowers(THINGS, t.StraightWay)
def straight_way(b: Builder, w: Writer, e: t.StraightWay) -> n.Expr:
    """As far as it goes in one direction, to the last space on which one may end."""
    name, direction, budget = e.walk, e.direction, e.budget
    pace, rest = pace_function(b, name), rest_function(b, name)
    d = w.temp(thing(b, w, direction), "dir")
    most = w.temp(number(b, w, budget), "most")

    def build(c: Writer) -> None:
        c.assign("at", here(b))
        c.assign("spent", const(0))
        c.assign("way", const(1))
        c.assign("best", const(1))
        c.assign("steps", const(0))
        bad = n.Pick(n.Binary("<", local(d), const(0)), const(1), n.Binary("<", local("at"), const(0)))
        with c.while_(both([n.Not(bad), n.Binary("<", local("steps"), const(STEPS))])):
            c.assign("to", neighbour(local("at"), local(d)))
            c.emit(n.If(n.Binary("<", local("to"), const(0)), (n.Break(),)))
            c.assign("c", n.Call(pace, (local("self"), local("at"), local("to"))))
            c.emit(n.If(n.Binary("<", local("c"), const(0)), (n.Break(),)))
            c.assign("spent", add(local("spent"), local("c")))
            c.emit(n.If(n.Binary(">", local("spent"), local(most)), (n.Break(),)))
            c.assign("way", add(n.Binary("*", local("way"), const(8)), local(d)))
            c.assign("at", local("to"))
            c.assign("steps", add(local("steps"), 1))
            with c.if_(n.Call(rest, (local("self"), local("at")))):
                c.assign("best", local("way"))
        c.emit(n.Return(local("best")))

    return b.closure("straight", build, w.site)
