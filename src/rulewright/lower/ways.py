"""Ways over a map that are found or chosen: to a goal, to the best space within a budget, step by step.

In:  the things `the WALK toward ..`, `the WALK to ..`, `the WALK within .. to ..`; LetWay.
Out: paths (see `paths`). A way that does not exist is the empty path, 1.

Of equally cheap ways the one whose steps come first counts, compared step by step in the order of the
directions. To a goal, costs are worked out backwards from it, and the first step that lies on a cheapest
way is taken each time; for the best space within reach, forwards, each space keeping its first way.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.symbols import WalkSym, norm
from rulewright.ir import nodes as n
from rulewright.lower.builder import FAR, Builder, var
from rulewright.lower.choices import ask, chosen_part, decider_of, offer
from rulewright.lower.dispatch import STATEMENTS, THINGS, check, lowers, number
from rulewright.lower.keys import first_better
from rulewright.lower.paths import (
    begin_at,
    clear,
    cleared,
    cost_at,
    gate_function,
    grid,
    pace_function,
    rest_function,
    rows,
    toll_function,
)
from rulewright.lower.selectors import loop
from rulewright.lower.template import Hole, fill
from rulewright.lower.templates import ways as templates
from rulewright.lower.terms import here
from rulewright.lower.writer import Writer, add, both, const, local, truth


@lowers(THINGS, t.WayTo)
def way(b: Builder, w: Writer, e: t.WayTo) -> n.Expr:
    """The cheapest way to a space of the selector, or to the best space within reach."""
    most = w.temp(number(b, w, e.budget), "most")
    line = w.temp(truth(check(b, w, e.straight)) if e.straight is not None else const(0), "straight")
    if not b.way_memory:
        b.way_memory = b.memory(max(1, len(b.symbols.spaces)) * 4 + 4)
    at: dict[str, Hole] = {**rows(b, b.way_memory), "MOST": most, "LINE": line}

    def build(c: Writer) -> None:
        c.site = w.site
        c.assign("start", here(b))
        c.give_if(n.Binary("<", local("start"), const(0)), 1)
        at.update(PACE=pace_function(b, e.walk), REST=rest_function(b, e.walk))
        (_within if e.within else _toward_goal)(b, c, e.walk, e.selector, at)

    return b.closure("way", build, w.site)


def _toward_goal(b: Builder, c: Writer, name: str, selector: t.Selector, at: dict[str, Hole]) -> None:
    clear(b, c, at)
    loop(b, c, selector, lambda: begin_at(c, at, var(selector.it)))
    gate = gate_function(b, name)
    pace = pace_function(b, name) if gate is None else toll_function(b, name)
    too_dear = n.Pick(
        n.Binary("<", local("c"), const(0)), const(1), n.Binary(">", local("c"), local(str(at["MOST"])))
    )
    holes: dict[str, Hole] = {
        **at,
        "ENOUGH": n.Binary(">=", cost_at(at, "u"), cost_at(at, "start")),
        "ENTER": lambda: None,
        "SHUT": 0 if gate is None else n.Not(n.Call(gate, (local("self"), local("u")))),
        "LEAVE": lambda: None,
        "BARRED": 0,
        "PRICE": n.Call(pace, (local("self"), local("v"), local("u"))),
        "TOO_DEAR": too_dear,
    }
    fill(c, templates.spread, holes)
    fill(c, templates.follow, at)


def _within(b: Builder, c: Writer, name: str, s: t.Selector, at: dict[str, Hole]) -> None:
    clear(b, c, at, ways=True)
    it = var(s.it)
    begin_at(c, at, "start", way=1)
    fill(c, templates.within, at)
    c.assign("best", const(-1))
    lows = [*(pref.low for pref in s.prefs), True, True]
    for i in range(len(lows)):
        c.assign(f"b{i}", const(0))

    def keys() -> None:
        values = [number(b, c, pref.value) for pref in s.prefs]
        for i, value in enumerate((*values, n.Call("path_rank", (local("p"),)), local("p"))):
            c.assign(f"p{i}", value)

    def keep() -> None:
        for i in range(len(lows)):
            c.assign(f"b{i}", local(f"p{i}"))

    holes: dict[str, Hole] = {**at, "IT": it, "KEYS": keys, "KEEP": keep, "BETTER": first_better(lows)}
    loop(b, c, s, lambda: fill(c, templates.better_end, holes))
    fill(c, templates.best_way, at)


# ------------------------------------------------------------ chosen
def _reach(b: Builder, walk: WalkSym) -> str:
    """reach_W(self, at, spent, most, steps): can a way that has come this far still end well?"""
    name = f"reach_{walk.index}"
    if name not in b.functions:
        params = ("self", "at", "spent", "most", "steps")
        b.functions[name] = n.Function(name, params, ())
        pace, rest = pace_function(b, walk.name), rest_function(b, walk.name)
        w = b.writer(name, params)
        room = max(1, len(b.symbols.spaces))
        ring = 2 * room * b.layout.directions  # a space may get cheaper from each of its neighbours
        costs = b.memory(room + 2 * ring)
        fill(w, templates.reach, {
            **grid(b), "PACE": pace, "REST": rest, "COSTS": costs, "WAITING": costs + room, "LAST": ring - 1,
            "PAID": costs + room + ring, "CLEAR": lambda: cleared(b, w, costs, FAR),
        })  # fmt: skip
        b.functions[name] = w.function()
    return name


@lowers(STATEMENTS, t.LetWay)
def let_way(b: Builder, w: Writer, s: t.LetWay) -> None:
    """Step by step; whoever has no seat stays where it is."""
    walk = b.symbols.walks[norm(s.walk)]
    pace, rest, reach = pace_function(b, s.walk), rest_function(b, s.walk), _reach(b, walk)
    most = w.temp(number(b, w, s.budget), "most")
    way = var(s.local, t.PATH)
    w.assign(way, const(1))
    at = w.temp(here(b), "at")
    spent, steps = w.temp(const(0), "spent"), w.temp(const(0), "steps")
    decider = decider_of(b, w, s.by)
    seat = w.temp(decider.seat, "seat")
    start = both([n.Binary(">=", local(seat), const(0)), n.Binary(">=", local(at), const(0))])
    goes = w.temp(n.Pick(start, const(1), const(0)), "goes")
    with w.while_(both([local(goes), n.Binary("<", local(steps), const(t.PATH_STEPS))])):

        def listing(c: Writer) -> None:
            holes: dict[str, Hole] = {
                **grid(b), "AT": at, "SPENT": spent, "MOST": most, "TAKEN": steps, "PACE": pace,
                "REST": rest, "REACH": reach, "MAY_STAY": 1 - s.least,
                "OFFER": lambda: offer(c, b.step_verb, local("to"), local("d")),
                "STOP": lambda: offer(c, b.stop_verb),
            }  # fmt: skip
            fill(c, templates.steps_on_offer, holes)

        ask(b, w, decider, s.walk, listing)
        w.emit(n.If(n.Binary("!=", chosen_part(), const(b.step_verb)), (n.Break(w.site),), (), w.site))
        w.assign(spent, add(local(spent), n.Call(pace, (local("self"), local(at), chosen_part(1)))))
        w.assign(way, add(n.Binary("*", local(way), const(8)), chosen_part(2)))
        w.assign(at, chosen_part(1))
        w.assign(steps, add(local(steps), 1))
