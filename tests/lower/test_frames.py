"""An action whose frame no rule reads has none."""

from __future__ import annotations

from rulewright.ir.program import FP
from rulewright.lower.frames import unframed
from small_programs import functions

CODE = f"""
@framed()
def do_a():
    outer = S[40]
    S[40] = S[{FP}]
    quiet()
    S[40] = outer
@framed()
def do_b():
    outer = S[41]
    S[41] = S[{FP}]
    S[41] = outer
def quiet():
    return S[S[41] + 2]
"""


def test_what_is_only_noted_and_put_back_is_dropped() -> None:
    made = unframed(functions(CODE), {40, 41})
    assert not made["do_a"].framed
    assert made["do_a"].body == functions("def do_a():\n    quiet()\n")["do_a"].body


def test_what_another_rule_reads_stays() -> None:
    code = functions(CODE)
    assert unframed(code, {40, 41})["do_b"] == code["do_b"]
    assert unframed(code, set()) == code, "not the slot of an action"
