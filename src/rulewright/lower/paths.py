"""Paths over a map: steps of a walk and what they cost, paths that are found or chosen, paths that are given.

In:  WalkSym; WalkCost, PathCost, StraightPath; the things `the WALK toward ..`, `the WALK to ..`, `the WALK
     within .. to ..`; LetPath.
Out: through_W, price_W, step_cost_W and may_end_W (may a space be entered, at what cost, may one stop
     there?), costs in work memory, paths (three bits a step under a leading 1). One that does not exist is
     the empty path, 1.

Of equally cheap paths the one whose steps come first counts, compared step by step in the order of the
directions. To a goal, costs are worked out backwards from it, and the first step that lies on a cheapest
path is taken each time; for the best space within reach, forwards, each space keeping its first path. The
algorithms are `templates.paths`; paths that an action declares are `declared`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import WalkSym, norm
from rulewright.book.walk import mentions
from rulewright.ir import nodes as n
from rulewright.lower.builder import FAR, Builder, var
from rulewright.lower.choices import ask, chosen_part, decider_of, offer
from rulewright.lower.dispatch import AHEAD, NUMBERS, STATEMENTS, THINGS, check, lowers, number, thing
from rulewright.lower.keys import first_better
from rulewright.lower.selectors import loop
from rulewright.lower.spaces import spaces_now, step_size
from rulewright.lower.template import Hole, fill
from rulewright.lower.templates import paths as templates
from rulewright.lower.terms import as_space, here
from rulewright.lower.writer import Writer, both, call, const, differ, equal, local, truth

FROM_TO = ("self", "at", "to")


def grid(b: Builder) -> dict[str, Hole]:
    """What templates need to know of the map."""
    return {"STEPS": t.PATH_STEPS, "STEP": step_size(b), "DIRECTIONS": b.layout.directions}


# ------------------------------------------------------------ steps
def through_function(b: Builder, name: str) -> str | None:
    """through_W(self, to): may the walker step there? None when that depends on where it comes from."""
    walk = b.symbols.walks[norm(name)]
    through = walk.through
    if through is None or mentions(through, "from"):
        return None
    return _of_step(b, "through", walk, ("self", "to"), lambda w: truth(check(b, w, through)))


def price_function(b: Builder, name: str) -> str:
    """price_W(self, at, to): what a step that is allowed costs."""
    walk = b.symbols.walks[norm(name)]
    return _of_step(b, "price", walk, FROM_TO, lambda w: _price(b, w, walk))


def step_function(b: Builder, name: str) -> str:
    """step_cost_W(self, at, to): what the step costs, -1 when it is not allowed."""
    walk = b.symbols.walks[norm(name)]

    def answer(w: Writer) -> n.Expr:
        if walk.through is not None:
            w.give_if(n.Not(check(b, w, walk.through)), -1)
        return n.Call(price_function(b, name), tuple(local(p) for p in FROM_TO))

    return _of_step(b, "step_cost", walk, FROM_TO, answer)


def end_function(b: Builder, name: str) -> str:
    """may_end_W(self, to): may the walker end there?"""
    walk = b.symbols.walks[norm(name)]
    ends = walk.ends
    return _of_step(
        b,
        "may_end",
        walk,
        ("self", "to"),
        lambda w: truth(check(b, w, ends)) if ends is not None else const(1),
    )


def _price(b: Builder, w: Writer, walk: WalkSym) -> n.Expr:
    return number(b, w, walk.cost) if walk.cost is not None else const(1)


def _of_step(
    b: Builder, kind: str, walk: WalkSym, params: tuple[str, ...], answer: Callable[[Writer], n.Expr]
) -> str:
    """A function that answers one question about a step of a walk, made once."""

    def build(w: Writer) -> None:
        w.assign(var(walk.it), local("to"))
        if "at" in params:
            w.assign("v_from", local("at"))
        w.give(answer(w))

    return b.once(f"{kind}_{walk.index}", params, build, walk.definition)


# ------------------------------------------------------------ costs from everywhere
def rows(b: Builder, costs: int) -> dict[str, Hole]:
    """Costs and a ring in work memory from here on, and the map they are for."""
    total = max(1, len(b.symbols.spaces))
    return {
        **grid(b), "FAR": FAR, "COSTS": costs, "WAITING": costs + total, "MARKS": costs + 2 * total + 1,
        "LAST": total, "PATHS": costs + 3 * total + 1,
    }  # fmt: skip


def clear(b: Builder, c: Writer, at: dict[str, Hole], paths: bool = False) -> None:
    """Nothing is near, and nobody waits."""
    _which_spaces(b, c)
    for row, value in (
        (("COSTS", FAR), ("MARKS", 0), ("PATHS", 0)) if paths else (("COSTS", FAR), ("MARKS", 0))
    ):
        c.call("fill", _row(at, row, "first"), local("count"), value)
    c.assign("head", 0)
    c.assign("tail", 0)


def _which_spaces(b: Builder, c: Writer) -> None:
    first, end = spaces_now(b)
    c.assign("first", first)
    c.assign("count", end - local("first"))


def cleared(b: Builder, c: Writer, row: int, value: int) -> None:
    """One row of work memory, with the same in every space of the map."""
    _which_spaces(b, c)
    c.call("fill", row + local("first"), local("count"), value)


def _row(at: dict[str, Hole], row: str, name: str) -> n.Expr:
    base = at[row]
    assert isinstance(base, int)
    return base + local(name)


def cost_at(at: dict[str, Hole], name: str) -> n.Expr:
    """What the space in a local costs, as far as is known."""
    return n.Load("W", _row(at, "COSTS", name))


def begin_at(c: Writer, at: dict[str, Hole], name: str, path: int = 0) -> None:
    """The space in a local costs nothing, and waits."""
    c.emit(n.Store("W", _row(at, "COSTS", name), const(0)))
    if path:
        c.emit(n.Store("W", _row(at, "PATHS", name), const(path)))
    fill(c, templates.push, {**at, "IT": name})


@lowers(NUMBERS, t.WalkCost)
def walk(b: Builder, w: Writer, e: t.WalkCost) -> n.Expr:
    """The cost of the cheapest path: from a field made before the loop, or from one made here."""
    base = b.fields[-1].get(id(e)) if b.fields else None
    if base is not None:
        return call("field_at", base, as_space(b, w, e.start))
    at = w.temp(as_space(b, w, e.start), "from")
    goal = w.temp(as_space(b, w, e.goal), "goal")

    def build(c: Writer) -> None:
        made = _field(b, c, e, local(goal), local(at))
        c.give(call("field_at", made, local(at)))

    return b.closure("walk", build, w.site)


@lowers(AHEAD, t.WalkCost)
def walk_field(b: Builder, c: Writer, e: t.WalkCost) -> int:
    """Fill work memory with the cost to the goal from every space."""
    goal = c.temp(as_space(b, c, e.goal), "goal")
    return _field(b, c, e, local(goal))


def _field(b: Builder, c: Writer, e: t.WalkCost, goal: n.Expr, wanted: n.Expr | None = None) -> int:
    """Costs from the goal outwards. `wanted`: the one space whose cost is asked for; nothing dearer is
    followed then. The goal itself may always be entered."""
    walk = b.symbols.walks[norm(e.walk)]
    it, through = var(walk.it), walk.through
    by_origin = through is not None and mentions(through, "from")
    costs = b.memory(max(1, len(b.symbols.spaces)) * 3 + 1)
    at = rows(b, costs)
    b.once("field_at", ("costs", "a"), lambda w: fill(w, templates.field_at, {"FAR": FAR}))

    def build(f: Writer) -> None:
        def shut() -> n.Expr:
            assert through is not None
            return n.Pick(equal(goal, local("u")), const(0), n.Not(check(b, f, through)))

        def leave() -> None:
            f.assign(it, local("u"))
            f.assign("v_from", local("v"))

        clear(b, f, at)
        f.assign("v", goal)
        with f.if_(local("v") >= 0):
            begin_at(f, at, "v")
        enough = cost_at(at, "u") >= call("field_at", costs, const(0) if wanted is None else wanted)
        holes: dict[str, Hole] = {
            **at,
            "ENOUGH": 0 if wanted is None else enough,
            "ENTER": lambda: f.assign(it, local("u")),
            "SHUT": 0 if through is None or by_origin else shut,
            "LEAVE": leave,
            "BARRED": shut if by_origin else 0,
            "PRICE": lambda: _price(b, f, walk),
            "TOO_DEAR": local("c") < 0,
        }
        fill(f, templates.spread, holes)

    c.emit(n.Do(b.closure("field", build, c.site), c.site))
    return costs


# ------------------------------------------------------------ paths that are known
@lowers(NUMBERS, t.PathCost)
def path_cost(b: Builder, w: Writer, e: t.PathCost) -> n.Expr:
    """What all steps of a path from self's place cost."""
    path = w.temp(thing(b, w, e.path), "path")
    holes: dict[str, Hole] = {"PATH": path, "STEP_COST": step_function(b, e.walk), "HERE": here(b)}
    return b.closure("cost", lambda c: fill(c, templates.cost, holes), w.site)


@lowers(THINGS, t.StraightPath)
def straight_path(b: Builder, w: Writer, e: t.StraightPath) -> n.Expr:
    """As far as it goes in one direction, to the last space on which one may end."""
    holes: dict[str, Hole] = {
        **grid(b),
        "STEP_COST": step_function(b, e.walk),
        "MAY_END": end_function(b, e.walk),
    }
    holes["DIRECTION"] = w.temp(thing(b, w, e.direction), "dir")
    holes["MOST"] = w.temp(number(b, w, e.budget), "most")
    holes["HERE"] = here(b)
    return b.closure("straight", lambda c: fill(c, templates.straight, holes), w.site)


def path_end(b: Builder, w: Writer, path: Any, walker: Any) -> n.Expr:
    """The space to which a path leads from where the walker stands."""
    given, who = thing(b, w, path), thing(b, w, walker)
    place = call("cell", b.layout.base["!place"], who, -1)
    return b.closure("path_end", lambda c: fill(c, templates.end, {"PATH": given, "HERE": place}), w.site)


# ------------------------------------------------------------ found
@lowers(THINGS, t.PathTo)
def found_path(b: Builder, w: Writer, e: t.PathTo) -> n.Expr:
    """The cheapest path to a space of the selector, or to the best space within reach."""
    most = w.temp(number(b, w, e.budget), "most")
    line = w.temp(truth(check(b, w, e.straight)) if e.straight is not None else const(0), "straight")
    if not b.path_memory:
        b.path_memory = b.memory(max(1, len(b.symbols.spaces)) * 4 + 4)
    at: dict[str, Hole] = {**rows(b, b.path_memory), "MOST": most, "LINE": line}

    def build(c: Writer) -> None:
        c.site = w.site
        c.assign("start", here(b))
        c.give_if(local("start") < 0, 1)
        at.update(STEP_COST=step_function(b, e.walk), MAY_END=end_function(b, e.walk))
        (_within if e.within else _toward_goal)(b, c, e.walk, e.selector, at)

    return b.closure("path", build, w.site)


def _toward_goal(b: Builder, c: Writer, name: str, selector: t.Selector, at: dict[str, Hole]) -> None:
    clear(b, c, at)
    loop(b, c, selector, lambda: begin_at(c, at, var(selector.it)))
    through = through_function(b, name)
    step = step_function(b, name) if through is None else price_function(b, name)
    too_dear = n.Pick(local("c") < 0, const(1), local("c") > local(str(at["MOST"])))
    holes: dict[str, Hole] = {
        **at,
        "ENOUGH": cost_at(at, "u") >= cost_at(at, "start"),
        "ENTER": lambda: None,
        "SHUT": 0 if through is None else n.Not(call(through, local("self"), local("u"))),
        "LEAVE": lambda: None,
        "BARRED": 0,
        "PRICE": call(step, local("self"), local("v"), local("u")),
        "TOO_DEAR": too_dear,
    }
    fill(c, templates.spread, holes)
    fill(c, templates.follow, at)


def _within(b: Builder, c: Writer, name: str, s: t.Selector, at: dict[str, Hole]) -> None:
    clear(b, c, at, paths=True)
    it = var(s.it)
    begin_at(c, at, "start", path=1)
    fill(c, templates.within, at)
    c.assign("best", -1)
    lows = [*(pref.low for pref in s.prefs), True, True]
    for i in range(len(lows)):
        c.assign(f"b{i}", 0)

    def keys() -> None:
        values = [number(b, c, pref.value) for pref in s.prefs]
        for i, value in enumerate((*values, call("path_rank", local("p")), local("p"))):
            c.assign(f"p{i}", value)

    def keep() -> None:
        for i in range(len(lows)):
            c.assign(f"b{i}", local(f"p{i}"))

    holes: dict[str, Hole] = {**at, "IT": it, "KEYS": keys, "KEEP": keep, "BETTER": first_better(lows)}
    loop(b, c, s, lambda: fill(c, templates.better_end, holes))
    fill(c, templates.best_path, at)


# ------------------------------------------------------------ chosen
def _can_end(b: Builder, walk: WalkSym) -> str:
    """can_end_W(self, at, spent, most, steps): can a path that has come this far still end well?"""
    step, end = step_function(b, walk.name), end_function(b, walk.name)

    def build(w: Writer) -> None:
        room = max(1, len(b.symbols.spaces))
        ring = 2 * room * b.layout.directions  # a space may get cheaper from each of its neighbours
        costs = b.memory(room + 2 * ring)
        fill(w, templates.can_end, {
            **grid(b), "STEP_COST": step, "MAY_END": end, "COSTS": costs, "WAITING": costs + room,
            "LAST": ring - 1, "PAID": costs + room + ring, "CLEAR": lambda: cleared(b, w, costs, FAR),
        })  # fmt: skip

    return b.once(f"can_end_{walk.index}", ("self", "at", "spent", "most", "steps"), build)


@lowers(STATEMENTS, t.LetPath)
def let_path(b: Builder, w: Writer, s: t.LetPath) -> None:
    """Step by step; whoever has no seat stays where it is."""
    walk = b.symbols.walks[norm(s.walk)]
    step, end, can_end = step_function(b, s.walk), end_function(b, s.walk), _can_end(b, walk)
    most = w.temp(number(b, w, s.budget), "most")
    path = var(s.local, t.PATH)
    w.assign(path, 1)
    at = w.temp(here(b), "at")
    spent, steps = w.temp(0, "spent"), w.temp(0, "steps")
    decider = decider_of(b, w, s.by)
    seat = w.temp(decider.seat, "seat")
    start = both([local(seat) >= 0, local(at) >= 0])
    goes = w.temp(n.Pick(start, const(1), const(0)), "goes")
    with w.while_(both([local(goes), local(steps) < t.PATH_STEPS])):

        def listing(c: Writer) -> None:
            holes: dict[str, Hole] = {
                **grid(b), "AT": at, "SPENT": spent, "MOST": most, "TAKEN": steps, "STEP_COST": step,
                "MAY_END": end, "CAN_END": can_end, "MAY_STAY": 1 - s.least,
                "OFFER": lambda: offer(c, b.step_verb, local("to"), local("d")),
                "STOP": lambda: offer(c, b.stop_verb),
            }  # fmt: skip
            fill(c, templates.steps_on_offer, holes)

        ask(b, w, decider, s.walk, listing)
        w.leave_if(differ(chosen_part(), b.step_verb))
        w.assign(spent, local(spent) + call(step, local("self"), local(at), chosen_part(1)))
        w.assign(path, local(path) * 8 + chosen_part(2))
        w.assign(at, chosen_part(1))
        w.assign(steps, local(steps) + 1)
