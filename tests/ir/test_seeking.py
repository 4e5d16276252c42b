"""Loops that look for a value become `seek`, and find what they found before, in the same order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright.ir import link as linking
from rulewright.ir import seeking
from rulewright.ir.link import blank, link
from rulewright.ir.nodes import SEEKS, Const, Function
from rulewright.ir.program import HEADER, Program
from rulewright.ir.seeking import Sought
from rulewright.ir.walk import calls
from rulewright.native import NativeEngine
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from small_programs import functions

ROW = 20
PLACE, FLAG, SIDE, FOUND = HEADER, HEADER + ROW, HEADER + 2 * ROW, HEADER + 3 * ROW

LOOP = """
def near(i, place):
    return 1 if (1 if (cell({PLACE}, i, -1) == place) else 0) else 0
def look(me, place):
    found = 0
    it = 5
    i = -1
    while (i + 1) < {ROW}:
        i = i + 1
        it = i
        if {test}:
            found = (found * 21 + it + 1) % 1000003
            {act}
    return found * 100 + it
def main():
    with ask(0, 0):
        opt(0, 0, 0, 0)
        opt(1, 0, 0, 0)
    me = 0
    while me < {ROW}:
        S[{FOUND}] = (S[{FOUND}] * 31 + look(me, me % 5)) % 1000003
        me = me + 1
    with ask(0, 0):
        opt(0, 0, 0, 0)
        opt(1, 0, 0, 0)
"""

TESTS = {
    "equal": "S[{PLACE} + it] == place",
    "cell": "(place == cell({PLACE}, it, -1)) if S[{FLAG} + it] else 0",
    "guarded": "((0 if (it < 0) else S[{PLACE} + it]) == place) if (it != me) else 0",
    "inside": "near(it, place) if (not (S[{SIDE} + it] == S[{SIDE} + me])) else 0",
    "flag": "(it != me) if S[{FLAG} + it] else 0",
    "side": "not (S[{SIDE} + it] == S[{SIDE} + me])",
    "over": "S[{PLACE} + it] > 2",
    "either": "1 if (S[{PLACE} + it] == place) else (S[{PLACE} + it] == 3)",
    "pair": "cell({PLACE}, pair_index(((me % 3) - 1), {ROW}, it), 0) > 0",
    "both": "(S[{PLACE} + it] == place) if (S[{SIDE} + it] == 1) else 0",
}
ACTS = {"looks": "it = it", "stops": "return it", "moves": "S[{PLACE} + it] = (S[{PLACE} + it] + 1) % 5"}


def book(test: str, act: str) -> Program:
    names = {"PLACE": PLACE, "FLAG": FLAG, "SIDE": SIDE, "FOUND": FOUND, "ROW": ROW}
    values = [(7 * k * k + 3) % 5 for k in range(ROW)] + [k % 3 % 2 for k in range(ROW)]
    values += [k * k % 2 for k in range(ROW)] + [0]
    text = LOOP.format(**names, test=test.format(**names), act=act.format(**names))
    return link(replace(blank("row", tuple(values)), params=()), functions(text))


def found(program: Program, engine: type[ReferenceEngine] | type[NativeEngine]) -> int:
    match = engine(program)
    match.start(1, 1, {})
    match.advance()
    match.choose(0)
    match.advance()
    return match.peek(FOUND)


def as_written(functions: dict[str, Function], segments: tuple[Function, ...]) -> Sought:
    return Sought(functions, segments)


def seeks(program: Program) -> set[str]:
    code = (*program.functions.values(), *program.segments)
    return {call.name for function in code for call in calls(function.body) if call.name in SEEKS}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("test", TESTS)
def test_what_is_found(test: str, act: str, monkeypatch: pytest.MonkeyPatch):
    sought = book(TESTS[test], ACTS[act])
    assert seeks(sought)
    monkeypatch.setattr(linking, "sought", as_written)
    plain = book(TESTS[test], ACTS[act])
    assert not seeks(plain)
    wanted = found(plain, ReferenceEngine)
    assert [found(sought, engine) for engine in (ReferenceEngine, NativeEngine)] == [wanted, wanted]


def test_what_acts_while_it_tests_stays_as_it_is():
    assert not seeks(book("rnd(2) if (S[{PLACE} + it] == place) else 0", ACTS["looks"]))
    assert not seeks(book("S[{PLACE} + it] == it", ACTS["looks"]))


def test_a_wrong_row_is_caught(monkeypatch: pytest.MonkeyPatch):
    """The comparison above can fail: a seek in the neighbouring row finds something else."""
    right = found(book(TESTS["equal"], ACTS["looks"]), NativeEngine)
    key = seeking.key_of

    def beside(*args: object) -> object:
        made = key(*args)  # type: ignore[arg-type]
        return None if made is None else replace(made, base=Const(made.base.value + 1))  # type: ignore

    monkeypatch.setattr(seeking, "key_of", beside)
    wrong = book(TESTS["equal"], ACTS["looks"])
    assert seeks(wrong)
    assert found(wrong, NativeEngine) != right
    assert found(wrong, ReferenceEngine) == found(wrong, NativeEngine)


def test_an_instruction_outside_the_state_is_a_fault_on_both():
    text = f"""
def main():
    with ask(0, 0):
        opt(0, 0, 0, 0)
        opt(1, 0, 0, 0)
    S[{FOUND}] = seek(S[{FOUND}] + 100000, 0, 5, 1)
    with ask(0, 0):
        opt(0, 0, 0, 0)
        opt(1, 0, 0, 0)
"""
    program = link(blank("row", (0,) * 80), functions(text))
    faults: list[int] = []
    for engine in (ReferenceEngine, NativeEngine):
        with pytest.raises(Fault) as caught:
            found(program, engine)
        faults.append(caught.value.code)
    assert faults[0] == faults[1]


PILE = f"""
def walk(z, act):
    found = 0
    i = S[z]
    while i > 0:
        i = minimum(i, S[z])
        if i <= 0:
            break
        it = S[z + i]
        i = i - 1
        found = found * 7 + it
        ACT
    return found
def main():
    with ask(0, 0):
        opt(0, 0, 0, 0)
        opt(1, 0, 0, 0)
    S[{HEADER}] = 5
    S[{HEADER} + 3] = 4
    S[{HEADER} + 5] = 2
    S[{FOUND}] = walk({HEADER}, 0)
    with ask(0, 0):
        opt(0, 0, 0, 0)
        opt(1, 0, 0, 0)
"""


@pytest.mark.parametrize(("act", "asks"), [("found = found + 1", 1), (f"S[{HEADER}] = S[{HEADER}] - 2", 2)])
def test_a_pile_that_stays_is_asked_for_its_size_once(act: str, asks: int, monkeypatch: pytest.MonkeyPatch):
    def made() -> Program:
        return link(blank("pile", (0,) * 80), functions(PILE.replace("ACT", act)))

    quick = made()
    sizes = [call for call in calls(quick.functions["walk"].body) if call.name == "minimum"]
    assert len(sizes) == asks - 1
    monkeypatch.setattr(linking, "sought", as_written)
    wanted = found(made(), ReferenceEngine)
    assert wanted
    assert [found(quick, engine) for engine in (ReferenceEngine, NativeEngine)] == [wanted, wanted]
