"""What sequences and actions kept, for examples that ask when they are over.

In:  the `expect that` lines of examples: `[T of Attack] = 5`, `victim of Attack is Wolf`.
Out: a slot for each value they name, written whenever such a sequence or action is left.

Rules never read these slots: to them, what is over has nothing. A Program without examples has none.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.walk import nodes
from rulewright.ir.program import FP
from rulewright.lower.builder import Builder
from rulewright.lower.terms import kept_offset
from rulewright.lower.writer import Writer, state


def reserve_last(b: Builder) -> None:
    """Slots for what the examples name; they hold nothing until it is over for the first time."""
    for node in nodes([condition for code in b.examples for _, condition in code.checks]):
        if isinstance(node, t.ReadKept | t.TKept):
            slots = b.layout.last.setdefault(id(node.sequence), {})
            if node.name not in slots:
                slots[node.name] = b.layout.slots(1, 0 if isinstance(node, t.ReadKept) else -1)


def write_last(b: Builder, w: Writer, sequence: t.Component | t.ActionSym) -> None:
    """At the end of it, however it is left: its frame is still there."""
    for name, slot in b.layout.last.get(id(sequence), {}).items():
        w.store(slot, state(state(FP) + kept_offset(b, sequence, name)))
