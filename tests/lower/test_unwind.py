"""Marks after what may end a sequence: tests where it can, nothing where it cannot."""

from __future__ import annotations

from rulewright.ir.program import UNWIND
from rulewright.ir.text import source
from rulewright.lower.unwind import ending, resolve
from small_programs import functions

CODE = f"""
def ends():
    S[{UNWIND}] = 7
def quiet():
    S[30] = 1
def back(left):
    S[{UNWIND}] = left
def calls_it():
    ends()
    check_unwind()
    quiet()
    check_unwind()
    while 1:
        calls_it()
        check_unwind()
        break
"""


def test_whoever_calls_what_ends_something_may_end_it_too() -> None:
    assert ending(functions(CODE)) == {"ends", "calls_it"}, "what is put back from a local ends nothing new"


def test_marks_become_tests_only_where_something_may_have_ended() -> None:
    made = source(resolve(functions(CODE))["calls_it"], executable=False)
    assert (
        made
        == f"""def calls_it():
    ends()
    if S[{UNWIND}]:
        return 0
    quiet()
    while 1:
        calls_it()
        if S[{UNWIND}]:
            break
        break
"""
    )
