"""Maps -> functions: distance, neighbours, directions, lines, sight, walking.

In:  Symbols.maps and Layout tables.
Out: functions named space_*, and expressions for walks and sight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulewright.book import tree as t
from rulewright.book.symbols import WalkSym, norm
from rulewright.book.walk import mentions
from rulewright.ir import nodes as n
from rulewright.lower.builder import FAR, Builder, var
from rulewright.lower.dispatch import CHECKS, NUMBERS, check, lowers, number, thing
from rulewright.lower.terms import as_space, neighbour
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, mul, state


def space_functions(b: Builder) -> None:
    """All of them, once a book."""
    _coordinates(b)
    _at(b)
    _near(b)
    _distance(b)
    _toward(b)
    _on_line_function(b)


def spots(b: Builder) -> bool:
    """Are spaces laid during play?"""
    return any(m.grid == "spots" for m in b.symbols.maps.values())


def hexes(b: Builder) -> bool:
    """Are they hexes?"""
    return any(m.grid == "hex" for m in b.symbols.maps.values())


def _coordinates(b: Builder) -> None:
    for axis in ("x", "y"):
        w = b.writer(f"space_{axis}", ("a",))
        if not b.symbols.spaces:
            w.emit(n.Return(const(0)))
        else:
            with w.if_(n.Binary("<", local("a"), const(0))):
                w.emit(n.Return(const(0)))
            if spots(b):
                w.emit(n.Return(state(add(const(b.layout.base["!" + axis]), local("a")))))
            else:
                w.emit(n.Return(consts(add(const(b.layout.tables[axis]), local("a")))))
        b.add(w.function())


def _at(b: Builder) -> None:
    """The space at coordinates of a map, or -1."""
    w = b.writer("space_at", ("m", "x", "y"))
    if spots(b):
        bases = const(b.layout.base["!x"]), const(b.layout.base["!y"])
        laid = state(b.layout.laid)
        found = n.Call("seek_both", (bases[0], const(0), laid, local("x"), bases[1], local("y"), const(0)))
        w.assign("i", found)
        w.emit(n.Return(n.Pick(n.Binary("<", local("i"), laid), local("i"), const(-1))))
    elif b.symbols.spaces:
        for m in b.symbols.maps.values():
            _box(b, w, m.index, m.first, m.count)
    w.emit(n.Return(const(-1)))
    b.add(w.function())


def xy(axis: str, name: str) -> n.Expr:
    return n.Call(f"space_{axis}", (local(name),))


def _box(b: Builder, w: Writer, index: int, first: int, count: int) -> None:
    spaces = b.symbols.spaces[first : first + count]
    if not spaces:
        return
    x0, x1 = min(p.x for p in spaces), max(p.x for p in spaces)
    y0, y1 = min(p.y for p in spaces), max(p.y for p in spaces)
    width = x1 - x0 + 1
    grid = [-1] * (width * (y1 - y0 + 1))
    for i, p in enumerate(spaces):
        grid[(p.y - y0) * width + p.x - x0] = first + i
    at = b.layout.table(f"box {index}", grid)
    inside = both([
        equal(local("m"), index),
        n.Binary(">=", local("x"), const(x0)), n.Binary("<=", local("x"), const(x1)),
        n.Binary(">=", local("y"), const(y0)), n.Binary("<=", local("y"), const(y1)),
    ])  # fmt: skip
    row = mul(n.Binary("-", local("y"), const(y0)), width)
    with w.if_(inside):
        w.emit(n.Return(consts(add(add(const(at), row), n.Binary("-", local("x"), const(x0))))))


def _near(b: Builder) -> None:
    w = b.writer("space_near", ("a", "d"))
    if not b.symbols.spaces:
        w.emit(n.Return(const(-1)))
        b.add(w.function())
        return
    bad = n.Pick(n.Binary("<", local("a"), const(0)), const(1), n.Binary("<", local("d"), const(0)))
    with w.if_(bad):
        w.emit(n.Return(const(-1)))
    if spots(b):
        x = add(xy("x", "a"), consts(add(const(b.layout.tables["dx"]), local("d"))))
        y = add(xy("y", "a"), consts(add(const(b.layout.tables["dy"]), local("d"))))
        w.emit(n.Return(n.Call("space_at", (const(0), x, y))))
    else:
        index = add(mul(local("a"), b.layout.directions), local("d"))
        w.emit(n.Return(consts(add(const(b.layout.tables["near"]), index))))
    b.add(w.function())


def _distance(b: Builder) -> None:
    w = b.writer("space_distance", ("a", "b"))
    nowhere = n.Pick(n.Binary("<", local("a"), const(0)), const(1), n.Binary("<", local("b"), const(0)))
    with w.if_(nowhere):
        w.emit(n.Return(const(FAR)))
    w.assign("dx", n.Binary("-", xy("x", "b"), xy("x", "a")))
    w.assign("dy", n.Binary("-", xy("y", "b"), xy("y", "a")))
    metrics = {m.metric for m in b.symbols.maps.values()}
    metric = next(iter(sorted(metrics)), "steps")
    if hexes(b):
        kernel = "hex_steps"
    elif "3/2" in metric:
        kernel = "square_halves"
    elif "rows" in metric or spots(b):
        kernel = "square_rows"
    else:
        kernel = "square_steps"
    w.emit(n.Return(n.Call(kernel, (local("dx"), local("dy")))))
    b.add(w.function())
    w = b.writer("space_adjacent", ("a", "b"))
    with w.if_(nowhere):
        w.emit(n.Return(const(0)))
    w.assign("dx", n.Binary("-", xy("x", "b"), xy("x", "a")))
    w.assign("dy", n.Binary("-", xy("y", "b"), xy("y", "a")))
    if hexes(b):
        kernel = "hex_steps"
    else:
        kernel = "square_steps" if step_size(b) == 1 else "square_rows"
    reach = n.Call(kernel, (local("dx"), local("dy")))
    w.emit(n.Return(n.Binary("<=", reach, const(1)) if not hexes(b) else equal(reach, 1)))
    b.add(w.function())


def _toward(b: Builder) -> None:
    w = b.writer("space_toward", ("a", "b"))
    w.assign("dx", n.Binary("-", xy("x", "b"), xy("x", "a")))
    w.assign("dy", n.Binary("-", xy("y", "b"), xy("y", "a")))
    with w.if_(n.Binary("&", equal(local("dx"), 0), equal(local("dy"), 0))):
        w.emit(n.Return(const(-1)))
    kernel = "hex_direction" if hexes(b) else "square_direction"
    w.emit(n.Return(n.Call(kernel, (local("dx"), local("dy")))))
    b.add(w.function())
    w = b.writer("space_side", ("a", "b", "facing"))
    w.assign("dx", n.Binary("-", xy("x", "b"), xy("x", "a")))
    w.assign("dy", n.Binary("-", xy("y", "b"), xy("y", "a")))
    w.emit(n.Return(n.Call("hex_side", (local("dx"), local("dy"), local("facing")))))
    b.add(w.function())


def _on_line_function(b: Builder) -> None:
    """The i-th space between the ends of a line (1 to n - 1), -1 off the map."""
    w = b.writer("space_on_line", ("line", "i", "n"))
    total = max(1, len(b.symbols.spaces))
    w.assign("nudge", n.Pick(n.Binary("%", local("line"), const(2)), const(-1), const(1)))
    w.assign("a", n.Binary("//", local("line"), const(2 * total)))
    w.assign("b", n.Binary("%", n.Binary("//", local("line"), const(2)), const(total)))
    args = (
        xy("x", "a"),
        xy("y", "a"),
        xy("x", "b"),
        xy("y", "b"),
        local("n"),
        local("i"),
        local("nudge"),
    )
    w.assign("p", n.Call("hex_line", args))
    m = consts(add(const(b.layout.tables["map of"]), local("a"))) if b.symbols.spaces else const(0)
    x = n.Binary("-", n.Binary("//", local("p"), const(4096)), const(1024))
    y = n.Binary("-", n.Binary("%", local("p"), const(4096)), const(1024))
    w.emit(n.Return(n.Call("space_at", (m, x, y))))
    b.add(w.function())


# ------------------------------------------------------------ places to lay
def places(b: Builder, w: Writer, it: str, visit: Callable[[], None]) -> None:
    """Free positions beside a laid space, each once: coded (x + 64) * 128 + y + 64."""
    i = w.temp(const(-1), "i")
    with w.while_(n.Binary("<", add(local(i), 1), state(b.layout.laid))):
        w.assign(i, add(local(i), 1))
        for d in range(0, b.layout.directions, 2):
            dx = consts(b.layout.tables["dx"] + d)
            dy = consts(b.layout.tables["dy"] + d)
            x = w.temp(add(n.Call("space_x", (local(i),)), dx), "x")
            y = w.temp(add(n.Call("space_y", (local(i),)), dy), "y")
            free = n.Binary("<", n.Call("space_at", (const(0), local(x), local(y))), const(0))
            first = equal(n.Call("space_first", (local(x), local(y))), local(i))
            with w.if_(both([free, first])):
                w.assign(it, add(mul(add(local(x), 64), 128), add(local(y), 64)))
                visit()
    _first_function(b)


def _first_function(b: Builder) -> None:
    """The first laid space with an edge to (x, y)."""
    if "space_first" in b.functions:
        return
    w = b.writer("space_first", ("x", "y"))
    w.assign("i", const(0))
    with w.while_(n.Binary("<", local("i"), state(b.layout.laid))):
        dx = n.Call("absolute", (n.Binary("-", xy("x", "i"), local("x")),))
        dy = n.Call("absolute", (n.Binary("-", xy("y", "i"), local("y")),))
        with w.if_(equal(add(dx, dy), 1)):
            w.emit(n.Return(local("i")))
        w.assign("i", add(local("i"), 1))
    w.emit(n.Return(const(-1)))
    b.add(w.function())


# ------------------------------------------------------------ sight on squares
@lowers(CHECKS, t.Sees)
def sees(b: Builder, w: Writer, e: t.Sees) -> n.Expr:
    """No space on the straight line blocks; a corner is passed if the map's rule lets it."""
    flanks = any(m.flanks for m in b.symbols.maps.values())
    start, goal = thing(b, w, e.start), thing(b, w, e.goal)
    a, right = w.temp(start, "from"), w.temp(goal, "to")

    def build(c: Writer) -> None:
        it = var(e.it)
        for axis in ("x", "y"):
            c.assign("a" + axis, xy(axis, a))
            c.assign("b" + axis, xy(axis, right))
        c.assign("m", consts(add(const(b.layout.tables["map of"]), local(a))))
        ends = (local("ax"), local("ay"), local("bx"), local("by"))
        c.assign("x1", n.Call("maximum", (local("ax"), local("bx"))))
        c.assign("y1", n.Call("maximum", (local("ay"), local("by"))))
        c.assign("x", n.Call("minimum", (local("ax"), local("bx"))))
        with c.while_(n.Binary("<=", local("x"), local("x1"))):
            c.assign("y", n.Call("minimum", (local("ay"), local("by"))))
            with c.while_(n.Binary("<=", local("y"), local("y1"))):
                c.assign(it, n.Call("space_at", (local("m"), local("x"), local("y"))))
                inner = both([
                    n.Binary("!=", local(it), local(a)), n.Binary("!=", local(it), local(right)),
                    n.Call("crosses", (*ends, local("x"), local("y"))),
                ])  # fmt: skip
                with c.if_(inner):
                    blocked = n.Pick(n.Binary("<", local(it), const(0)), const(1), check(b, c, e.past))
                    with c.if_(blocked):
                        c.emit(n.Return(const(0)))
                if flanks:
                    _corner(b, c, e, it, ends)
                c.assign("y", add(local("y"), 1))
            c.assign("x", add(local("x"), 1))
        c.emit(n.Return(const(1)))

    return b.closure("sees", build, w.site)


def _corner(b: Builder, c: Writer, e: t.Sees, it: str, ends: tuple[n.Expr, ...]) -> None:
    inside = both([
        n.Binary("<", local("x"), local("x1")), n.Binary("<", local("y"), local("y1")),
        n.Call("through_corner", (*ends, local("x"), local("y"))),
    ])  # fmt: skip
    with c.if_(inside):
        up = n.Binary(
            ">",
            n.Binary("*", n.Binary("-", local("bx"), local("ax")), n.Binary("-", local("by"), local("ay"))),
            const(0),
        )
        c.assign("up", n.Pick(up, const(1), const(0)))
        for name, dx, dy in (("one", 0, 1), ("two", 1, 0)):
            y = n.Pick(local("up"), add(local("y"), dy), add(local("y"), 1 - dy))
            c.assign(it, n.Call("space_at", (local("m"), add(local("x"), dx), y)))
            c.assign(name, n.Pick(n.Binary("<", local(it), const(0)), const(1), check(b, c, e.past)))
        with c.if_(both([local("one"), local("two")])):
            c.emit(n.Return(const(0)))


# ------------------------------------------------------------ walking
@lowers(NUMBERS, t.WalkCost)
def walk(b: Builder, w: Writer, e: t.WalkCost) -> n.Expr:
    """The cost of the cheapest way: from a field made before the loop, or from one made here."""
    base = b.fields[-1].get(id(e)) if b.fields else None
    if base is not None:
        return n.Call("field_at", (const(base), as_space(b, w, e.start)))
    start = as_space(b, w, e.start)
    at = w.temp(start, "from")
    goal = w.temp(as_space(b, w, e.goal), "goal")

    def build(c: Writer) -> None:
        made = _field(b, c, e, local(goal), local(at))
        c.emit(n.Return(n.Call("field_at", (const(made), local(at)))))

    return b.closure("walk", build, w.site)


def walk_field(b: Builder, c: Writer, e: t.WalkCost) -> int:
    """Fill work memory with the cost to the goal from every space."""
    goal = c.temp(as_space(b, c, e.goal), "goal")
    return _field(b, c, e, local(goal))


def _field(b: Builder, c: Writer, e: t.WalkCost, goal: n.Expr, wanted: n.Expr | None = None) -> int:
    """Costs from the goal outwards, through a ring of spaces that have got nearer. `wanted`: the one space
    whose cost is asked for; nothing dearer is followed then."""
    walk = b.symbols.walks[norm(e.walk)]
    total = max(1, len(b.symbols.spaces))
    costs = b.memory(total * 3 + 1)
    ring = Ring(costs + total, costs + 2 * total + 1, total + 1)
    _field_at(b)

    def build(f: Writer) -> None:
        clear(b, f, (costs, FAR), (ring.marks, 0))
        f.assign("head", const(0))
        f.assign("tail", const(0))
        f.assign("u", goal)
        with f.if_(n.Binary(">=", local("u"), const(0))):
            f.emit(n.Store("W", add(const(costs), local("u")), const(0)))
            ring.push(f, "u")
        with f.while_(n.Binary("!=", local("head"), local("tail"))):
            ring.pop(f, "v")
            if wanted is not None:
                far = n.Binary(">=", _cost(costs, "v"), n.Call("field_at", (const(costs), wanted)))
                f.emit(n.If(far, (n.Continue(),)))
            _outwards(b, f, walk, costs, ring, goal)

    c.emit(n.Do(b.closure("field", build, c.site), c.site))
    return costs


def _outwards(b: Builder, f: Writer, walk: WalkSym, costs: int, ring: Ring, goal: n.Expr) -> None:
    """The steps into space v: whoever gets nearer by one waits. The goal itself may always be entered."""
    it = var(walk.it)
    through = walk.through

    def closed() -> n.If:
        """Go on with the next when v may not be entered."""
        assert through is not None
        return n.If(n.Pick(equal(goal, local("v")), const(0), n.Not(check(b, f, through))), (n.Continue(),))

    f.assign(it, local("v"))
    by_origin = through is not None and mentions(through, "from")
    if through is not None and not by_origin:
        f.emit(closed())
    f.assign("d", const(0))
    with f.while_(n.Binary("<", local("d"), const(b.layout.directions))):
        f.assign("u", neighbour(local("v"), local("d")))
        f.assign("d", add(local("d"), step_size(b)))
        f.emit(n.If(n.Binary("<", local("u"), const(0)), (n.Continue(),)))
        # Whoever is already as near as this step could bring it needs no look at the step.
        f.emit(n.If(n.Binary("<=", _cost(costs, "u"), _cost(costs, "v")), (n.Continue(),)))
        f.assign(it, local("v"))
        f.assign("v_from", local("u"))
        if by_origin:
            f.emit(closed())
        f.assign("price", number(b, f, walk.cost) if walk.cost is not None else const(1))
        f.emit(n.If(n.Binary("<", local("price"), const(0)), (n.Continue(),)))
        f.assign("total", add(_cost(costs, "v"), local("price")))
        with f.if_(n.Binary("<", local("total"), _cost(costs, "u"))):
            f.emit(n.Store("W", add(const(costs), local("u")), local("total")))
            ring.push(f, "u")


def clear(b: Builder, c: Writer, *rows: tuple[int, int]) -> None:
    """Give each of some rows of work memory, a cell for each space, one value for all spaces in play."""
    first, end = spaces_now(b)
    c.assign("first", first)
    c.assign("count", n.Binary("-", end, local("first")))
    for base, value in rows:
        c.emit(n.Do(n.Call("fill", (add(const(base), local("first")), local("count"), const(value))), c.site))


def _cost(costs: int, name: str) -> n.Load:
    return n.Load("W", add(const(costs), local(name)))


@dataclass(frozen=True, slots=True)
class Ring:
    """Spaces that wait, each at most once: places in work memory, and in the locals head and tail."""

    waiting: int
    marks: int
    size: int

    def push(self, c: Writer, name: str) -> None:
        """Let a space wait, unless it does."""
        mark = add(const(self.marks), local(name))
        with c.if_(equal(n.Load("W", mark), 0)):
            c.emit(n.Store("W", mark, const(1)))
            c.emit(n.Store("W", add(const(self.waiting), local("tail")), local(name)))
            c.assign("tail", self._next("tail"))

    def pop(self, c: Writer, name: str) -> None:
        """Take the one that has waited longest."""
        c.assign(name, n.Load("W", add(const(self.waiting), local("head"))))
        c.assign("head", self._next("head"))
        c.emit(n.Store("W", add(const(self.marks), local(name)), const(0)))

    def _next(self, name: str) -> n.Expr:
        more = add(local(name), 1)
        return n.Pick(equal(local(name), self.size - 1), const(0), more)


def _field_at(b: Builder) -> None:
    if "field_at" in b.functions:
        return
    w = b.writer("field_at", ("costs", "a"))
    w.emit(
        n.Return(
            n.Pick(
                n.Binary("<", local("a"), const(0)),
                const(FAR),
                n.Load("W", add(local("costs"), local("a"))),
            )
        )
    )
    b.add(w.function())


def step_size(b: Builder) -> int:
    """1, or 2 on squares where only edges count."""
    return 2 if any(m.grid != "hex" and not m.corners for m in b.symbols.maps.values()) else 1


def spaces_now(b: Builder) -> tuple[n.Expr, n.Expr]:
    """The spaces of the map in play."""
    if b.layout.laid:
        return const(0), state(b.layout.laid)
    if len(b.symbols.maps) <= 1:
        return const(0), const(len(b.symbols.spaces))
    now = state(b.layout.map_now)
    first = consts(add(const(b.layout.tables["map first"]), now))
    return first, add(first, consts(add(const(b.layout.tables["map count"]), now)))
