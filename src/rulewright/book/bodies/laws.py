"""What a Law says: a check that holds for nobody in particular, perhaps only while another one does.

In:  LawSym with its definition.
Out: the same with its check.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.bodies.fields import field_check
from rulewright.book.bodies.state import Bodies
from rulewright.book.grammar.scope import Scope
from rulewright.book.symbols import LawSym
from rulewright.book.text.source import Definition


def law_body(bodies: Bodies, law: LawSym, d: Definition) -> None:
    """Its check; before `while:` holds, it says nothing."""
    lines = d.lines_of("body", "do")
    law.check = field_check(bodies, lines, Scope()) if lines else None
    if not lines:
        bodies.problem("missing-part", d.line, f"'{law.name}' does not say what must hold")
    bound = d.get("while")
    when = field_check(bodies, bound.lines, Scope()) if bound is not None else None
    if when is not None and law.check is not None:
        law.check = t.Either([t.Never(when), law.check])
