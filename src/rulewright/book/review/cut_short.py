"""Numbers that are set, and reset after something that may be cut short.

In:  Symbols with their bodies.
Out: warnings: `[R] = 1`, then `#Something` in which a sequence around this may be ended, then `[R] = 0`: an
     end in there skips the reset. `with [R] = 1: #Something` says the same and is safe.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulewright.book import tree as t
from rulewright.book.forest import Forest, where
from rulewright.book.walk import nodes
from rulewright.diagnostics import Diagnostic, warning

MIDDLE = 2
"""How far behind a change the next but one statement stands: something is between them."""


def review_cut_short(forest: Forest, problems: list[Diagnostic]) -> None:
    """Report each reset that may be skipped, once."""
    ending = Ending(forest)
    found: dict[tuple[str, int], Diagnostic] = {}
    for tree in forest.bodies:
        d = tree.definition
        for block in tree.blocks if t.SetNumber in tree.kinds else ():
            for first, reset, cut in _pairs(block, ending) if len(block) > MIDDLE else ():
                name = first.target.resource.name
                words = f"[{name}] is not set back on line {reset.line} when {cut}"
                help_ = f"let it hold only while that runs: `with [{name}] {first.op} ..: ..`"
                problem = warning("skipped-reset", where(d, first), words, help_)
                found.setdefault((d.line.file, first.line), problem)
    problems += found.values()


def _pairs(block: list[object], ending: Ending) -> Iterator[tuple[t.SetNumber, t.SetNumber, str]]:
    """A change, what sets it back, and what may come between."""
    for i, first in enumerate(block):
        if not isinstance(first, t.SetNumber) or first.until or not isinstance(first.target, t.ReadRes):
            continue
        for j in range(i + MIDDLE, len(block)):
            later = block[j]
            if isinstance(later, t.SetNumber) and later.target == first.target and _sets_back(first, later):
                cut = next(filter(None, (_cut(part, ending) for part in block[i + 1 : j])), "")
                if cut:
                    yield first, later, cut
                break


def _sets_back(first: t.SetNumber, later: t.SetNumber) -> bool:
    if (first.op, later.op) == ("=", "="):
        return (
            isinstance(later.value, t.Num) and isinstance(first.value, t.Num) and first.value != later.value
        )
    return (first.op, later.op) in (("+=", "-="), ("-=", "+=")) and first.value == later.value


def _cut(tree: object, ending: Ending) -> str:
    """How a statement may leave the block around it before its end; empty if it cannot."""
    for node in nodes(tree):
        match node:
            case t.EndSeq(sequence=sequence):
                return f"{sequence.name} is ended"
            case t.Give():
                return "a value is given"
            case t.Component() | t.ActionSym() if name := ending.names.get(id(node)):
                return f"'{node.name}' ends {name}"
            case t.Act() if name := ending.names.get(id(t.Act)):
                return f"an action ends {name}"
            case t.Window() if name := ending.names.get(id(t.Window)):
                return f"a reaction ends {name}"
            case _:
                pass
    return ""


class Ending:
    """Which components and actions may end a sequence around them; looked for when a reset is found."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest

    @cached_property
    def names(self) -> dict[int, str]:
        """The sequence that may be ended from there, by component, by action, and by `Act` and `Window`."""
        return _ending(self.forest)


def _ending(forest: Forest) -> dict[int, str]:
    """Follow `end` and `skip to` outwards; a sequence takes its own end."""
    said: dict[int, dict[int, str]] = {}
    runs: dict[int, set[int]] = {}
    offers: dict[bool, set[int]] = {False: set(), True: set()}
    for tree in forest.bodies:
        owner = tree.owner
        mine, inner = said.setdefault(id(owner), {}), runs.setdefault(id(owner), set())
        if isinstance(owner, t.ActionSym):
            offers[owner.kind == "Reaction" or bool(owner.windows)].add(id(owner))
        mine |= {id(node.sequence): node.sequence.name for node in tree.of(t.EndSeq)}
        inner |= {id(node) for node in tree.of(t.Component, t.ActionSym)}
        inner |= {id(kind) for kind in (t.Act, t.Window) if kind in tree.kinds}
    for kind, reactions in ((t.Act, False), (t.Window, True)):
        said[id(kind)], runs[id(kind)] = {}, offers[reactions]
    growing = True
    while growing:
        growing = False
        for key, inner in runs.items():
            for other in inner:
                more = {s: name for s, name in said.get(other, {}).items() if s not in (other, key)}
                if not more.keys() <= said[key].keys():
                    said[key] |= more
                    growing = True
    for key, names in said.items():
        names.pop(key, None)
    return {key: next(iter(names.values())) for key, names in said.items() if names}
