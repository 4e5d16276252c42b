"""How tests go is counted and told to LLVM; what follows a decision stands right behind the answer."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bench.duel_program import duel
from rulewright import load
from rulewright.ir.link import blank, link
from rulewright.ir.nodes import Binary, Const, Function, If, Return, While
from rulewright.ir.program import Program
from rulewright.ir.walk import statements
from rulewright.native import batch, library, machine
from rulewright.native.module import Tiers, Traffic, translate
from rulewright.native.routes import FEW, routes, settles
from rulewright.native.segments import _Together  # pyright: ignore[reportPrivateUsage]
from rulewright.native.traffic import PATIENT, QUICK, measured
from rulewright.play.engine import opening
from small_programs import functions, program

ROUNDS, EVERY = 500, 4
CODE = (
    "def main():\n    with ask(0, 0):\n        opt(0, busy(), 0, 0)\n        opt(1, 0, 0, 0)\n"
    f"def busy():\n    i = 0\n    n = 0\n    while i < {ROUNDS}:\n        i = i + 1\n"
    f"        if i % {EVERY} == 0:\n            n = n + 1\n        else:\n            n = n + 2\n"
    "        if n < 0:\n            n = S[24]\n    return n\n"
)


def book() -> Program:
    return link(blank("test", (0,) * 8), functions(CODE))


def counted(made: Program) -> tuple[Tiers, Tiers, Sequence[int]]:
    """The parts of a Program, the same with counters, and what these counted."""
    tiers = translate(made, "tiered", 2).tiers
    assert tiers is not None
    counting = tiers.counting()
    main = next(counting.better(Traffic()))
    texts = [(text, "none") for text in (main, *counting.cold(2))]
    loaded = machine.load_objects(machine.compile_texts(texts))  # type: ignore[arg-type]
    return tiers, counting, measured(made, counting, loaded.addresses["rw_batch"], QUICK)[1]


def test_how_tests_go_is_counted():
    made = book()
    tiers, counting, tests = counted(made)
    weights = tiers.weighed(counting, tests).weights
    body = statements(made.functions["busy"].body)
    (loop,) = (node for node in body if isinstance(node, While))
    often, never = (node for node in body if isinstance(node, If))
    assert isinstance(often.test, Binary)
    held, ended = weights[id(loop)]
    assert held == ROUNDS * ended
    assert weights[id(often)] == (held // EVERY, held - held // EVERY)
    assert weights[id(never)] == (0, held)


def test_what_was_counted_is_told():
    made = book()
    tiers, counting, tests = counted(made)
    everything = Traffic(replace(Traffic().hot, functions=frozenset(tiers.functions)))
    better = tiers.weighed(counting, tests)
    (loop,) = (node for node in statements(made.functions["busy"].body) if isinstance(node, While))
    held, _ = better.weights[id(loop)]
    weighed = "".join(better.better(everything))
    assert f"i32 {held // EVERY + 1}, i32 {held - held // EVERY + 1}" in weighed
    assert f"i32 1, i32 {held + 1}" in weighed
    told = r"!prof !\{"
    assert not re.search(told, "".join(tiers.better(everything)))  # nothing is told that was not counted
    assert not re.search(told, "".join(counting.cold(2)))


def test_weighed_code_plays_the_same():
    made = program()
    source = translate(made, "tiered", 2)
    found: list[object] = []
    for effort in (QUICK, PATIENT):
        assert effort.weighs == (effort is PATIENT)
        objects = library.compile_source(made, source, effort)
        code = library._bound(made, machine.load_objects(objects))  # pyright: ignore[reportPrivateUsage]
        runner = batch.Runner(made, batch.result_columns(made, 2), code=code)
        slots = opening(made, 2, 0, {})
        found.append(runner.run(struct.pack(f"<{len(slots)}i", *slots), 300, 7).columns)
    assert found[0] == found[1]


def asked(made: Program) -> set[int]:
    """Segments that stand behind an answer, too."""
    return {
        int(key) for text in translate(made, "merged").parts() for key in re.findall(r"\nasked\.(\d+):", text)
    }


def test_what_follows_a_decision_stands_behind_the_answer():
    made = duel()
    assert asked(made) == set(routes(made).resumes)


def test_where_decisions_go_on_at_many_places_nothing_is_copied():
    code = "def main():\n" + "    with ask(0, 0):\n        opt(0, 0, 0, 0)\n        opt(1, 0, 0, 0)\n" * (
        FEW + 1
    )
    made = link(blank("test", (0,) * 8), functions(code))
    assert len(routes(made).resumes) == FEW + 1
    assert asked(made) == set()


def stepping() -> Program:
    """The duel as a book has it: sequences of steps, each with its frame. Without a name, so that no code
    that is wrong on purpose gets into a cache: a run that takes long asks for better code by itself."""
    return replace(load(Path(__file__).parents[2] / "bench" / "duel.md"), digest="", code_digest="")


def copies(made: Program) -> set[int]:
    """Segments that stand a second time behind what settles their question."""
    texts = "".join(translate(made, "merged").parts())
    return {int(key) for key in re.findall(r"\nagain\.(\d+)\.\d+:", texts)}


def played(made: Program, code: library.Library) -> object:
    slots = opening(made, 2, 0, {})
    runner = batch.Runner(made, batch.result_columns(made, 2), code=code)
    return runner.run(struct.pack(f"<{len(slots)}i", *slots), 300, 7).columns


def test_what_settles_a_question_is_followed_by_a_copy_of_who_asks():
    made = stepping()
    expected = {
        target.value
        for segment in made.segments
        for node in statements(segment.body)
        if isinstance(node, Return) and isinstance(target := node.value, Const) and target.value >= 0
        if settles(segment, made.segments[target.value])
    }
    assert len(expected) > 2
    assert expected - copies(made) == set()


def test_what_is_long_is_not_copied(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rulewright.native.routes.SHORT", 3)
    assert copies(stepping()) == set()


def test_control_a_copy_of_another_segment_is_seen(monkeypatch: pytest.MonkeyPatch):
    made = stepping()
    right = played(made, library.compiled(made, "merged"))
    assert right == played(made, library.compiled(made, "tiered"))
    body = _Together.body

    def wrong(exits: _Together, here: int, segment: Function) -> None:
        body(exits, here, exits.segments[here - 1] if exits.copying else segment)

    monkeypatch.setattr(_Together, "body", wrong)
    assert played(made, library.compiled(made, "merged")) != right
