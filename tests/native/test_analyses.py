"""What native code is told about a Program before it is written: loops, parameters, jumps, cycles."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bench.duel_program import duel
from engines.generate import program
from rulewright.ir.budget import cycles
from rulewright.ir.link import blank, link
from rulewright.ir.liveness import live_parameters
from rulewright.ir.loops import most_rounds, repeats
from rulewright.ir.nodes import Call, Const, While
from rulewright.ir.program import HEADER, Program
from rulewright.native import machine
from rulewright.native.layout import STATE
from rulewright.native.module import Code, Shape, Traffic, reached, translate
from rulewright.native.routes import groups, routes
from rulewright.native.traffic import QUICK, Effort, measured
from small_programs import functions


@pytest.mark.parametrize(
    ("code", "most"),
    [
        ("i = 0\n    while i < 9:\n        i = i + 1", 10),
        ("i = -1\n    while i + 1 < 9:\n        i = i + 1\n        if i == 3:\n            continue", 10),
        ("i = 0\n    while i < 9:\n        f()\n        i = i + 1", 10),
        ("i = 0\n    while i < 9:\n        if f():\n            continue\n        i = i + 1", None),
        ("i = 0\n    while i < 9:\n        i = i + 1\n        if f():\n            i = 0", None),
        ("i = 0\n    while i < 9:\n        if f():\n            i = i + 1", None),
        ("i = 0\n    while i < 9:\n        i = i - 1", None),
        ("i = 0\n    while i < 9:\n        i = i + 0", None),
        ("i = 0\n    while i < 9999:\n        i = i + 1", 10_000),
        ("i = f()\n    while i < 9:\n        i = i + 1", None),
        ("i = 0\n    while i < f():\n        i = i + 1", None),
        ("i = 0\n    while i != 9:\n        i = i + 2", None),
        ("j = 0\n    while i < 9:\n        i = i + 1", None),
    ],
)
def test_walks_from_a_number_to_a_number(code: str, most: int | None):
    before, loop = functions(f"def main():\n    {code}\n")["main"].body
    assert isinstance(loop, While)
    assert most_rounds(before, loop) == most


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


@pytest.mark.parametrize("step", [1, 3])
def test_groups_hold_each_segment_once(step: int):
    made = program(4, asking=8)
    known = routes(made)
    some = range(0, len(made.segments), step)
    found = groups(known, dict.fromkeys(some, 10), 30)
    assert sorted(key for group in found for key in group) == list(some)
    place = {key: number for number, group in enumerate(found) for key in group}
    for segment in some:
        inside = {target for target in known.inner[segment] if target in place}
        assert {place[target] for target in inside} <= {place[segment]}


def traffic_of(made: Program, effort: Effort = QUICK) -> Traffic:
    source = translate(made, "tiered", 2)
    assert source.tiers is not None
    texts = (*source.parts(), next(source.tiers.better(Traffic())))
    loaded = machine.load_objects(machine.compile_texts((text, "none") for text in texts))
    return measured(made, source.tiers, loaded.addresses["rw_batch"], effort)[0]


def test_what_runs_often_is_hot():
    """Little of a Program fits, so it must be what is busiest: here a loop inside a seldom-used rule."""
    code = (
        "def main():\n    while 1:\n        with ask(0, 0):\n            opt(0, busy(), 0, 0)\n"
        "            opt(1, 0, 0, 0)\n        seldom()\n"
        "def busy():\n    i = 0\n    n = 0\n    while i < 500:\n"
        "        i = i + 1\n        n = n + S[24] * i\n"
        "    return n + straight(n, n + 1, n + 2, n + 3)\n"
        "def straight(a, b, c, d):\n    x = a * b + c * d\n    y = a * c + b * d\n    z = a * d + b * c\n"
        "    return x * y + y * z + z * x\n"
        "def seldom():\n    x = S[24] + S[25] + S[26] + S[27] + S[24] + S[25] + S[26] + S[27]\n"
        "    if x > 100:\n        straight(x, x, x, x)\n    return x\n"
    )
    made = link(blank("test", (0,) * 8), functions(code))
    found = traffic_of(made, replace(QUICK, hot=40, warm=40))
    assert "busy" in found.hot.functions
    assert "seldom" not in found.hot.functions
    assert "straight" in found.warm.functions
    assert not found.hot.segments & found.warm.segments


def test_what_never_runs_is_not_hot():
    code = (
        "def main():\n    if S[24]:\n        idle(S[24] + S[25] + S[26] + S[27])\n"
        "def idle(x):\n    return x * x + x * x * x + x * x * x * x + x * x * x * x * x\n"
    )
    found = traffic_of(link(blank("test", (0,) * 8), functions(code)))
    assert found.hot.functions == found.warm.functions == set()


def test_the_same_program_gives_the_same_text():
    first, second = (tuple(translate(program(3), "tiered", 3).parts()) for _ in range(2))
    assert first == second
    assert len(first) == 3


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


@pytest.mark.parametrize("shape", ["merged", "tiered"])
def test_the_header_is_always_accessed_as_the_header(shape: Shape):
    """LLVM is told that the header overlaps nothing else; one access under another name would be wrong
    code that works most of the time. The generators change places without a tag, which is safe."""
    source = translate(duel(), shape)
    everything = (
        Traffic(Code(frozenset(source.tiers.functions), frozenset(range(len(duel().segments)))))
        if source.tiers
        else Traffic()
    )
    better = source.tiers.better(everything) if source.tiers else ()
    accesses = [access for part in (*source.parts(), *better) for access in header_accesses(part)]
    assert len(accesses) > 50
    assert {line for line, tag in accesses if tag not in ("10", "")} == set()
    assert all("%b" in line or "%a" in line or "%dice" in line for line, tag in accesses if not tag)


def test_control_a_wrong_tag_is_seen():
    text = "%x = getelementptr i8, ptr %A, i64 1060\nstore i32 1, ptr %x, !tbaa !11\n"
    assert header_accesses(text) == [("store i32 1, ptr %x, !tbaa !11", "11")]
