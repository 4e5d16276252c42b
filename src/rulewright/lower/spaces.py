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
from rulewright.lower.template import Hole, define, fill
from rulewright.lower.templates import sight
from rulewright.lower.writer import Writer, absent, both, call, const, consts, equal, local, mul, state


def space_functions(b: Builder) -> None:
    """All of them, once a book."""
    _coordinates(b)
    _at(b)
    _near(b)
    _distances(b)
    _on_line_function(b)


def spots(b: Builder) -> bool:
    """Are spaces laid during play?"""
    return any(m.grid == "spots" for m in b.symbols.maps.values())


def hexes(b: Builder) -> bool:
    """Are they hexes?"""
    return any(m.grid == "hex" for m in b.symbols.maps.values())


def _coordinates(b: Builder) -> None:
    for axis in ("x", "y"):
        with b.function(f"space_{axis}", ("a",)) as w:
            if not b.symbols.spaces:
                w.give(0)
            else:
                w.give_if(absent(local("a")))
                if spots(b):
                    w.give(cell_of(b, "!" + axis, local("a")))
                else:
                    w.give(consts(b.layout.tables[axis] + local("a")))


def _at(b: Builder) -> None:
    """The space at coordinates of a map, or -1."""
    with b.function("space_at", ("m", "x", "y")) as w:
        if spots(b):
            bases = const(b.layout.base["!x"]), const(b.layout.base["!y"])
            laid = state(b.layout.laid)
            found = call("seek_both", bases[0], 0, laid, local("x"), bases[1], local("y"), 0)
            w.assign("i", found)
            w.give(n.Pick(local("i") < laid, local("i"), const(-1)))
        elif b.symbols.spaces:
            for m in b.symbols.maps.values():
                _box(b, w, m.index, m.first, m.count)
        w.give(-1)


def xy(axis: str, name: str) -> n.Expr:
    return call(f"space_{axis}", local(name))


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
        local("x") >= x0, local("x") <= x1,
        local("y") >= y0, local("y") <= y1,
    ])  # fmt: skip
    row = mul(local("y") - y0, width)
    w.give_if(inside, consts(const(at) + row + (local("x") - x0)))


def _near(b: Builder) -> None:
    if not b.symbols.spaces:
        with b.function("space_near", ("a", "d")) as w:
            w.give(-1)
        return
    a, d, table = local("a"), local("d"), b.layout.tables
    if spots(b):
        x, y = (xy(axis, "a") + consts(table[f"d{axis}"] + d) for axis in ("x", "y"))
        found: n.Expr = call("space_at", 0, x, y)
    else:
        found = consts(table["near"] + (mul(a, b.layout.directions) + d))
    define(b, "space_near", sight.near, {"NEXT": found})


def _distances(b: Builder) -> None:
    metric = min((m.metric for m in b.symbols.maps.values()), default="steps")
    if hexes(b):
        kernel, step = "hex_steps", "hex_steps"
    else:
        rows = "square_rows" if "rows" in metric or spots(b) else "square_steps"
        kernel = "square_halves" if "3/2" in metric else rows
        step = "square_steps" if step_size(b) == 1 else "square_rows"
    reach = call(step, local("dx"), local("dy"))
    define(b, "space_distance", sight.distance, {"FAR": FAR, "METRIC": kernel})
    define(b, "space_adjacent", sight.adjacent, {"BESIDE": equal(reach, 1) if hexes(b) else reach <= 1})
    define(b, "space_toward", sight.toward, {"METRIC": "hex_direction" if hexes(b) else "square_direction"})
    define(b, "space_side", sight.side, {})


def _on_line_function(b: Builder) -> None:
    """The i-th space between the ends of a line (1 to n - 1), -1 off the map."""
    total = max(1, len(b.symbols.spaces))
    m = consts(b.layout.tables["map of"] + local("a")) if b.symbols.spaces else const(0)
    define(b, "space_on_line", sight.on_line, {"TWICE": 2 * total, "TOTAL": total, "MAP": m})


# ------------------------------------------------------------ places to lay
def places(b: Builder, w: Writer, it: str, visit: Callable[[], None]) -> None:
    """Free positions beside a laid space, each once: coded (x + 64) * 128 + y + 64."""
    with w.stepping(state(b.layout.laid)) as i:
        for d in range(0, b.layout.directions, 2):
            dx = consts(b.layout.tables["dx"] + d)
            dy = consts(b.layout.tables["dy"] + d)
            x = w.temp(call("space_x", i) + dx, "x")
            y = w.temp(call("space_y", i) + dy, "y")
            free = absent(call("space_at", 0, local(x), local(y)))
            first = equal(call("space_first", local(x), local(y)), i)
            with w.if_(both([free, first])):
                w.assign(it, mul(local(x) + 64, 128) + (local(y) + 64))
                visit()
    laid: dict[str, Hole] = {"LAID": state(b.layout.laid)}
    b.once("space_first", ("x", "y"), lambda w: fill(w, sight.first_beside, laid))


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
            "MAP": consts(b.layout.tables["map of"] + local(a)),
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
    first = consts(const(b.layout.tables["map first"]) + now)
    return first, first + consts(const(b.layout.tables["map count"]) + now)
