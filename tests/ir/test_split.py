"""Segments behave as the structured code they were cut from."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from generated import programs
from rulewright.ir import text
from rulewright.ir.link import blank, link
from rulewright.ir.nodes import Function
from rulewright.ir.program import DECISION, ENDED, HEADER, PROMPT, RV, SEAT, STATUS
from rulewright.ir.split import split, suspendable
from rulewright.ir.verify import ProgramError
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from small_programs import functions, program
from structured import Direct, TooLong

CELLS = 4


def direct_run(made: dict[str, Function], answers: list[int]) -> list[object]:
    runner = Direct(made, [0] * (HEADER + CELLS))
    game = runner.call("main", [])
    seen: list[object] = []
    answer: int | None = None
    for number in range(200):
        try:
            stop = next(game) if answer is None else game.send(answer)
        except StopIteration as end:
            return [*seen, "end", end.value, runner.slots[HEADER:], runner.events]
        seat, prompt, offered = stop
        seen.append((seat, prompt, offered, runner.slots[HEADER:]))
        answer = answers[number % len(answers)] % len(offered)
    raise TooLong


def split_run(made: dict[str, Function], answers: list[int], reload: bool) -> list[object]:
    built = link(blank("made", (0,) * CELLS), made)
    assert text.read(text.show(built)) == built
    engine = ReferenceEngine(built)
    engine.start(2, 1, {})
    engine.advance()
    seen: list[object] = []
    events: list[tuple[int, ...]] = []
    number = 0
    while engine.peek(STATUS) == DECISION:
        events += [row[:6] for row in engine.events()]
        state = engine.state()
        if reload:
            engine = ReferenceEngine(built)
            engine.load(state)
        offered = engine.options()
        assert engine.state() == state, "listing options changed the state"
        slots = [engine.peek(HEADER + i) for i in range(CELLS)]
        seen.append((engine.peek(SEAT), engine.peek(PROMPT), offered, slots))
        engine.choose(answers[number % len(answers)] % len(offered))
        engine.advance()
        number += 1
    assert engine.peek(STATUS) == ENDED
    events += [row[:6] for row in engine.events()]
    slots = [engine.peek(HEADER + i) for i in range(CELLS)]
    return [*seen, "end", engine.peek(RV), slots, events]


ANSWERS = st.lists(st.integers(0, 5), min_size=1, max_size=6)


def settled(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


@settled(60)
@given(programs(), ANSWERS, st.booleans())
def test_split_code_behaves_as_structured_code(made: dict[str, Function], answers: list[int], reload: bool):
    compare(made, answers, reload)


@pytest.mark.long
@settled(3000)
@given(programs(), ANSWERS, st.booleans())
def test_split_code_behaves_for_long(made: dict[str, Function], answers: list[int], reload: bool):
    compare(made, answers, reload)


def compare(made: dict[str, Function], answers: list[int], reload: bool) -> None:
    try:
        expected = direct_run(made, answers)
    except TooLong:
        assume(False)
        return
    assert split_run(made, answers, reload) == expected


def test_a_wrong_split_is_caught():
    """The comparison above is not blind: code that differs in one constant differs in its run."""
    one = functions(
        "def main():\n    S[24] = 1\n    with ask(0, 0):\n        opt(0, 1, 0, 0)\n        opt(0, 2, 0, 0)\n"
    )
    two = functions(
        "def main():\n    S[24] = 2\n    with ask(0, 0):\n        opt(0, 1, 0, 0)\n        opt(0, 2, 0, 0)\n"
    )
    assert split_run(one, [0], False) == direct_run(one, [0])
    assert split_run(two, [0], False) != direct_run(one, [0])


def test_suspendable_is_a_fixpoint():
    made = functions(
        """
def leaf():
    return 1
def asks():
    with ask(0, 0):
        opt(0, 0, 0, 0)
def middle():
    asks()
def main():
    middle()
    return leaf()
"""
    )
    assert suspendable(made) == {"asks", "middle", "main"}
    pieces = split(made, "main")
    assert list(pieces.plain) == ["leaf"]
    assert 0 <= pieces.entry < len(pieces.segments)
    assert pieces.frame_size == 2


def test_only_locals_that_outlive_a_segment_are_in_the_frame():
    made = functions(
        """
def main():
    kept = 3
    passing = 5
    S[24] = passing
    with ask(0, 0):
        i = 0
        while i < kept:
            opt(0, i, 0, 0)
            i = i + 1
    return kept
"""
    )
    assert split(made, "main").frame_size == 3


def test_what_a_listing_assigns_is_forgotten():
    made = functions(
        """
def main():
    x = 7
    with ask(0, x):
        opt(0, x, 0, 0)
        x = 9
        opt(0, x, 0, 0)
    return x
"""
    )
    for reload in (False, True):
        seen = split_run(made, [0], reload)
        assert seen[0] == (0, 7, [(0, 7, 0, 0), (0, 9, 0, 0)], [0] * CELLS)
        assert seen[2] == 7


def test_recursion_through_decisions():
    made = functions(
        """
def down(n):
    if n == 0:
        return 0
    with ask(n % 2, n):
        opt(0, n, 0, 0)
        opt(0, 0, 0, 0)
    mine = S[10]
    rest = down(n - 1)
    return mine + rest
def main():
    total = down(5)
    return total
"""
    )
    seen = split_run(made, [0], True)
    assert seen[6] == 15
    assert seen == direct_run(made, [0])


def test_a_stack_that_is_too_small_is_a_fault():
    ask = "    with ask(0, 0):\n        opt(0, 0, 0, 0)\n"
    made = functions(f"def down(n):\n{ask}    down(n + 1)\ndef main():\n    down(0)\n")
    engine = ReferenceEngine(link(blank("deep", stack=64), made))
    engine.start(1, 0, {})
    with pytest.raises(Fault, match="nested deeper"):
        engine.advance()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x = asks() + 1", "cannot stand inside an expression"),
        ("S[24] = asks()", "cannot stand inside an expression"),
        ("if asks():\n        pass", "cannot stand inside an expression"),
        ("return asks()", "cannot stand inside an expression"),
        ("with ask(0, 0):\n        asks()", "cannot list options"),
        ("with ask(0, 0):\n        S[24] = 1", "only offers options"),
        ("with ask(0, 0):\n        writes()", "changes the state"),
        ("with ask(0, 0):\n        opt(0, rnd(6), 0, 0)", "changes the state"),
        ("with ask(writes(), 0):\n        opt(0, 0, 0, 0)", "changes the state"),
        ("main()", "cannot be called"),
    ],
)
def test_what_cannot_be_cut_is_refused(body: str, message: str):
    made = functions(
        f"""
def asks():
    with ask(0, 0):
        opt(0, 0, 0, 0)
def writes():
    S[24] = 1
def main():
    {body}
"""
    )
    with pytest.raises(ProgramError, match=message):
        split(made, "main")


def test_the_number_game_prints_the_same_twice():
    assert text.show(program()) == text.show(program())
