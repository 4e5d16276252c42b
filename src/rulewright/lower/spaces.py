"""Maps -> functions: distance, neighbours, directions, lines, sight, walking.

In:  Symbols.maps and Layout tables.
Out: functions named space_*, and expressions for walks and sight.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.builder import FAR, Builder, cell_of, var
from rulewright.lower.dispatch import CHECKS, check, lowers, thing
from rulewright.lower.template import Hole, fill
from rulewright.lower.templates import sight
from rulewright.lower.writer import Writer, absent, add, both, const, consts, equal, local, mul, state


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
            w.give_if(absent(local("a")))
            if spots(b):
                w.emit(n.Return(cell_of(b, "!" + axis, local("a"))))
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
    w.give_if(inside, consts(add(add(const(at), row), n.Binary("-", local("x"), const(x0)))))


def _near(b: Builder) -> None:
    w = b.writer("space_near", ("a", "d"))
    if not b.symbols.spaces:
        w.emit(n.Return(const(-1)))
        b.add(w.function())
        return
    bad = n.Pick(absent(local("a")), const(1), absent(local("d")))
    w.give_if(bad, -1)
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
    nowhere = n.Pick(absent(local("a")), const(1), absent(local("b")))
    w.give_if(nowhere, const(FAR))
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
    w.give_if(nowhere)
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
    w.give_if(n.Binary("&", equal(local("dx"), 0), equal(local("dy"), 0)), -1)
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
    m = consts(add(const(b.layout.tables["map of"]), local("a"))) if b.symbols.spaces else const(0)
    fill(w, sight.on_line, {"TWICE": 2 * total, "TOTAL": total, "MAP": m})
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
            free = absent(n.Call("space_at", (const(0), local(x), local(y))))
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
    fill(w, sight.first_beside, {"LAID": state(b.layout.laid)})
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
        holes: dict[str, Hole] = {
            "FROM": a,
            "TO": right,
            "MAP": consts(add(const(b.layout.tables["map of"]), local(a))),
            "IT": it,
            "BLOCKED": lambda: n.Pick(absent(local(it)), const(1), check(b, c, e.past)),
        }
        holes["CORNER"] = lambda: fill(c, sight.corner, holes) if flanks else None
        fill(c, sight.sees, holes)

    return b.closure("sees", build, w.site)


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
