"""Laws -> functions that play never calls, and whether a sequence runs.

In:  LawSym, IsRunning.
Out: a function each that gives 1 where the law holds, and the table of them.

Nothing in a match calls them, so native code does not even hold them; whoever tests a book adds them to
what it compiles (see `lab.laws`).
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.walk import nodes
from rulewright.ir.sheet import LawSheet
from rulewright.lower.builder import Builder
from rulewright.lower.dispatch import CHECKS, check, row
from rulewright.lower.writer import differ, state, truth

row(CHECKS, t.IsRunning, lambda b, w, e: differ(state(b.layout.current[id(e.sequence)]), 0))


def law_functions(b: Builder) -> None:
    """In the order of the book."""
    for law in b.symbols.laws.values():
        with b.function(b.fresh("law"), (), law.definition) as w:
            w.assign("self", -1)  # nobody in particular: components that it runs are told so
            w.give(truth(check(b, w, law.check)))
        b.laws.append(LawSheet(law.name, w.name, w.site, _timed(law.check, set())))


def _timed(tree: object, seen: set[int]) -> bool:
    """Whether a check, or a component that it asks, speaks of what is running or of whose turn it is."""
    for node in nodes(tree):
        if isinstance(node, t.IsRunning | t.TKept | t.ReadKept | t.Active):
            return True
        if isinstance(node, t.Component) and id(node) not in seen:
            seen.add(id(node))
            if _timed([node.check, node.value, node.body], seen):
                return True
    return False
