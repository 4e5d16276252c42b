"""What native code is told about a Program before it is written: loops, parameters, jumps, cycles."""

from __future__ import annotations

import re

import pytest

from bench.duel_program import duel
from engines.generate import program
from rulewright.ir.nodes import Call, Const, While
from rulewright.ir.program import HEADER
from rulewright.native.frequency import frequencies
from rulewright.native.layout import STATE
from rulewright.native.liveness import live_parameters
from rulewright.native.loops import is_short, repeats
from rulewright.native.module import Shape, cycles, reached, translate
from rulewright.native.routes import groups, routes
from small_programs import functions


@pytest.mark.parametrize(
    ("code", "short"),
    [
        ("i = 0\n    while i < 9:\n        i = i + 1", True),
        ("i = -1\n    while i + 1 < 9:\n        i = i + 1\n        if i == 3:\n            continue", True),
        ("i = 0\n    while i < 9:\n        f()\n        i = i + 1", True),
        ("i = 0\n    while i < 9:\n        if f():\n            continue\n        i = i + 1", False),
        ("i = 0\n    while i < 9:\n        i = i + 1\n        if f():\n            i = 0", False),
        ("i = 0\n    while i < 9:\n        if f():\n            i = i + 1", False),
        ("i = 0\n    while i < 9:\n        i = i - 1", False),
        ("i = 0\n    while i < 9:\n        i = i + 0", False),
        ("i = 0\n    while i < 9999:\n        i = i + 1", False),
        ("i = f()\n    while i < 9:\n        i = i + 1", False),
        ("i = 0\n    while i < f():\n        i = i + 1", False),
        ("i = 0\n    while i != 9:\n        i = i + 2", False),
        ("j = 0\n    while i < 9:\n        i = i + 1", False),
    ],
)
def test_short_loops(code: str, short: bool):
    before, loop = functions(f"def main():\n    {code}\n")["main"].body
    assert isinstance(loop, While)
    assert is_short(before, loop) == short


@pytest.mark.parametrize(
    ("body", "again"),
    [
        ("break", False),
        ("return 0", False),
        ("f()", True),
        ("if f():\n            break\n        else:\n            return 1", False),
        ("if f():\n            break", True),
        ("if f():\n            continue\n        break", True),
        ("while 1:\n            continue\n        break", False),
    ],
)
def test_loops_that_go_round(body: str, again: bool):
    loop = functions(f"def main():\n    while 1:\n        {body}\n")["main"].body[0]
    assert isinstance(loop, While)
    assert repeats(loop.body) == again


def test_parameters_that_nobody_reads():
    made = functions(
        "def a(x, y, z):\n    return b(y, z) + x\n"
        "def b(y, z):\n    return c(z) + b(y, z)\n"
        "def c(z):\n    return 1\n"
        "def d(x):\n    x = 3\n    return a(x, x + 1, 0)\n"
    )
    live = live_parameters(made)
    assert live == {"a": {"x"}, "b": set(), "c": set(), "d": {"x"}}


def test_cycles():
    made = functions(
        "def a():\n    return b()\ndef b():\n    return c() + d()\ndef c():\n    return b()\n"
        "def d():\n    return 1\ndef e():\n    return e()\n"
    )
    assert cycles(made) == {"b", "c", "e"}


def test_only_what_is_reached_is_compiled():
    made = duel()
    assert "policy_0" in reached(made)
    assert "attack" in reached(made)
    assert reached(made) <= made.functions.keys()


def test_returns_are_known():
    """In random programs, every place a frame is opened is among the places its function returns to."""
    for seed in range(20):
        made = program(seed)
        known = routes(made)
        for segment, backs in known.returns.items():
            assert 0 <= segment < len(made.segments)
            assert all(0 <= back < len(made.segments) for back in backs)
    decision = Call("decide", (Const(3), Const(4), Const(0), Const(0)))
    assert routes(duel()).candidates(0, decision) == (-1, 4)


def test_groups_hold_each_segment_once():
    made = program(4, asking=8)
    known = routes(made)
    found = groups(known, [10] * len(made.segments), 30)
    assert sorted(found) == list(range(len(made.segments)))
    for segment, targets in known.inner.items():
        assert {found[target] for target in targets if target >= 0} <= {found[segment]}


def test_listings_and_loops_are_busy():
    often, segments = frequencies(duel())
    assert max(segments) == 1.0
    assert often["roll"] > 0
    assert all(value >= 0 for value in often.values())


def test_the_same_program_gives_the_same_text():
    first, second = translate(program(3), "grouped", 3), translate(program(3), "grouped", 3)
    assert first == second
    assert len(first.parts) == 3
    assert first.fingerprint == second.fingerprint


def header_accesses(text: str) -> list[tuple[str, str]]:
    """Each load or store of a header slot, and its memory tag."""
    found: list[tuple[str, str]] = []
    slots: dict[str, int] = {}
    for line in text.splitlines():
        if line.startswith("define"):
            slots = {}
        if made := re.fullmatch(r"\s*(%\S+) = getelementptr i8, ptr %A, i64 (\d+)", line):
            slots[made[1]] = int(made[2])
            continue
        used = re.search(r"(?:load|store) .*ptr (%[^\s,]+)(?:, align \d+)?(?:, !tbaa !(\d+))?$", line)
        if used and STATE <= slots.get(used[1], 0) < STATE + 4 * HEADER:
            found.append((line.strip(), used[2] or ""))
    return found


@pytest.mark.parametrize("shape", ["merged", "grouped"])
def test_the_header_is_always_accessed_as_the_header(shape: Shape):
    """LLVM is told that the header overlaps nothing else; one access under another name would be wrong
    code that works most of the time. The generators change places without a tag, which is safe."""
    accesses = [access for part in translate(duel(), shape).parts for access in header_accesses(part)]
    assert len(accesses) > 50
    assert {line for line, tag in accesses if tag not in ("10", "")} == set()
    assert all("%b" in line or "%a" in line or "%dice" in line for line, tag in accesses if not tag)


def test_control_a_wrong_tag_is_seen():
    text = "%x = getelementptr i8, ptr %A, i64 1060\nstore i32 1, ptr %x, !tbaa !11\n"
    assert header_accesses(text) == [("store i32 1, ptr %x, !tbaa !11", "11")]
