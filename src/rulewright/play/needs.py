"""What is missing, in words: the one condition that fails, with its numbers.

In:  an Answer of the rules (`play.refusals`), a state, a seat.
Out: "needs 3 SP, Ada has 2", or the sentence of the book, with names: "only while Ada is next to a Wound".
     Where many things were tried, what speaks against most of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rulewright.ir.program import Program
from rulewright.play.knowledge import Knowledge
from rulewright.play.refusals import Answer, Refusal
from rulewright.play.terms import FIELD, Term, Test
from rulewright.play.words import fill, name_of, text_things

AGAINST = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
TURNED = {">=": "<=", "<": ">", ">": "<", "<=": ">=", "==": "==", "!=": "!="}
WHILE = "only while"
"""How a comparison begins that the numbers alone do not say."""
AMOUNTS = {
    ">=": "{n} {what}",
    ">": "more than {n} {what}",
    "<=": "at most {n} {what}",
    "<": "less than {n} {what}",
    "==": "exactly {n} {what}",
    "!=": "{what} other than {n}",
}


def missing(program: Program, slots: Sequence[int], seat: int | None, answer: Answer) -> str:
    """What speaks against it; "" where the seat may not know that, or the book has no words for it."""
    if not answer.open:
        return ""
    know = Knowledge(program, slots, seat)
    told = Counter(text for refusal in answer.refusals if (text := said(program, know, refusal)))
    return told.most_common(1)[0][0] if told else ""


def said(program: Program, know: Knowledge, refusal: Refusal) -> str:
    """One condition that failed, in words."""
    condition = refusal.condition
    test = refusal.test if condition.number else None
    if test is not None and (worded := _worded(program, know.slots, test)):
        return worded
    things = text_things(program, condition.text, refusal.values, know.slots, know)
    named = [replace(one, name="nobody") if (one.kind, one.id) == ("Actor", -1) else one for one in things]
    text = fill(condition.text, named)
    if test is None or not condition.text.startswith(WHILE):
        return text
    return f"{text} ({int(test.left)} against {int(test.right)})"


def _worded(program: Program, slots: Sequence[int], test: Test) -> str:
    """An amount that somebody has, against one that is needed; "" where it is a sum, or kept by the rules."""
    op, left, right = test.op, test.left, test.right
    if test.holds:  # it should not
        op = AGAINST[op]
    if isinstance(right, Term) and right.kind == FIELD:
        op, left, right = TURNED[op], right, left
    if not isinstance(left, Term) or left.kind != FIELD or isinstance(right, Term):
        return ""
    return _amount(program, slots, left, op, right)


def _amount(program: Program, slots: Sequence[int], one: Term, op: str, needed: int) -> str:
    number, owner = one.place
    field = program.sheet.fields[number]
    if not field.shown or field.quiet:
        return ""
    first, second = divmod(owner, field.counts[1]) if len(field.of) == 2 else (owner, -1)
    what = field.name
    if second >= 0:
        what = f"{what} ({name_of(program, field.of[1], second, slots)})"
    if field.low == 0 and field.high == 1:
        return f"{what} already" if one else f"needs {what}"
    if (op, needed) == (">", 0):
        op, needed = ">=", 1
    has = f"{name_of(program, field.of[0], first, slots)} has" if field.of else "there is"
    return f"needs {AMOUNTS[op].format(n=needed, what=what)}, {has} {int(one)}"
