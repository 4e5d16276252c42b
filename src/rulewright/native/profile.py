"""Where the work of a book's matches is done, by its rules.

In:  a Program.
Out: `Row`s, the busiest first: a rule, where it stands, and its share of the work.

Counted, not timed: code that is compiled in haste counts how often each function and each round of a loop
runs, and what that is worth in expressions is known. So the same book gives the same figures on every
machine, however busy. What every book shares (maps, piles, dice) has no place in the book and is shown by
its own name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from itertools import chain

from rulewright.ir.nodes import Function
from rulewright.ir.program import Program
from rulewright.ir.walk import statements
from rulewright.native import machine
from rulewright.native.module import Traffic, translate
from rulewright.native.traffic import PATIENT, density, entered_often

NOTHING_SMALL = 1
"""Every function is counted by itself, none copied into another."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule, or one part of the engine (with no file)."""

    title: str
    file: str
    line: int
    entered: int
    share: float


def profile(program: Program, matches: int = 24) -> list[Row]:
    """Play so many matches with random players and the book's own, and add up the work of each rule."""
    source = translate(program, "tiered", inline=NOTHING_SMALL)
    tiers = source.tiers
    assert tiers is not None
    main = next(tiers.better(Traffic()))
    first, *cold = machine.compile_texts((part, "none") for part in chain((main,), source.parts()))
    loaded = machine.load_objects((*cold, first))
    effort = replace(PATIENT, matches=max(1, matches // 2), seconds=3600.0)
    counted, _ = entered_often(program, loaded.addresses["rw_batch"], effort, tiers.layout)
    work: dict[tuple[str, str, int], tuple[int, float]] = {}
    pieces: list[tuple[Function, str | int, int]] = [
        (function, name, tiers.counters[name]) for name, function in tiers.functions.items()
    ]
    pieces += [(s, key, len(program.functions) + key) for key, s in enumerate(program.segments)]
    for function, what, counter in pieces:
        entered, rounds = counted[counter]
        done = density(function, tiers.sizes[what], entered, rounds) * tiers.sizes[what]
        place = _place(program, function)
        before = work.get(place, (0, 0.0))
        work[place] = before[0] + entered, before[1] + done
    whole = sum(done for _, done in work.values()) or 1.0
    rows = [Row(*place, entered, done / whole) for place, (entered, done) in work.items() if done]
    return sorted(rows, key=lambda row: (-row.share, row.title, row.line))


def _place(program: Program, function: Function) -> tuple[str, str, int]:
    """The rule a function belongs to; the engine's own parts are known by their names."""
    sites = program.sheet.sites
    numbers = (function.site, *(stmt.site for stmt in statements(function.body)))
    number = next((number for number in numbers if 0 < number < len(sites)), 0)
    if number:
        site = sites[number]
        return site.title or site.file, site.file, site.line
    return function.name, "", 0


WIDTH, BAR, LINE, LABEL = 900, 420, 22, 330


SHARED, OTHERS = "what every book shares", "all other rules"


def gathered(rows: Iterable[Row], most: int) -> list[Row]:
    """So many of the busiest rules, and all the others and all parts of the engine as one row each: together
    the whole."""
    rows = list(rows)
    rules = [row for row in rows if row.file]
    few, others = rules[:most], rules[most:]
    engine = [row for row in rows if not row.file]
    sums = [(SHARED, engine), (OTHERS, others)]
    few += [Row(title, "", 0, 0, sum(row.share for row in some)) for title, some in sums if some]
    return few


def picture(title: str, rows: Iterable[Row], most: int = 30) -> str:
    """The busiest rules as bars, in SVG."""
    shown = gathered(rows, most)
    longest = max((row.share for row in shown), default=1.0)
    height = LINE * (len(shown) + 2)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="10" y="{LINE}" font-weight="bold">{escape(title)}: where the work is done</text>',
    ]
    for k, row in enumerate(shown):
        y = LINE * (k + 2)
        name = f"{row.title}, {row.file}:{row.line}" if row.file else row.title
        color = "#3465a4" if row.file else "#999999"
        lines += [
            f'<text x="{LABEL - 8}" y="{y}" text-anchor="end">{escape(name[-52:])}</text>',
            f'<rect x="{LABEL}" y="{y - 12}" width="{BAR * row.share / longest:.1f}" height="15" '
            f'fill="{color}"/>',
            f'<text x="{LABEL + BAR * row.share / longest + 6:.1f}" y="{y}">{100 * row.share:.1f} %</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])
