"""`value:` of a Strategy: what a book itself says that a position is worth, where search stops playing on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from players.test_search import Twin
from rulewright import Program
from rulewright.compiler import check, compile_book
from rulewright.ir.program import DECISION, SEAT, STATUS
from rulewright.ir.sheet import UNKNOWN, WORTH
from rulewright.lab import simulate
from rulewright.native.engine import NativeEngine
from rulewright.native.outer import map as at
from rulewright.play.reference import ReferenceEngine
from rulewright.players.bots import Position, position_of
from rulewright.players.ground import plant, prepare
from rulewright.players.search import Budget, think
from rulewright.players.values import Values

BOOK = """---
title: Thirty Steps
seats: 2
---
# Thirty Steps

```rules
Steps (Resource) range: 0 to 40
Walker (Template) box: 2; seat: each
There (Ending)

Match (Sequence)
1. Line up   put every Walker out of play in play
2. Walk      repeat while 1 = 1: for each Walker: #Turn on it

Turn (Sequence)
1. Go        act until pass, no pass

Forward (Action)
do: [Steps] += 1d3
    if [Steps] >= 30: end the match with There won by self
    end Turn

Stand (Action)
do: end Turn

Lead (Value)
[Steps] - [Steps of the Walker other than self]

Anyhow (Strategy) plays: a seat
VALUE
```
"""
RIGHT, WRONG = "value: 500 + 25 * [Lead]", "value: 500 - 25 * [Lead]"


def book(folder: Path, value: str) -> Path:
    path = folder / "steps.md"
    path.write_text(BOOK.replace("VALUE", value), "utf-8")
    return path


def walked(engine: ReferenceEngine | NativeEngine, steps: int) -> None:
    """Some choices at random."""
    chance = random.Random(steps)
    engine.start(2, 3, {})
    engine.advance()
    for _ in range(steps):
        engine.choose(chance.randrange(len(engine.options())))
        engine.advance()
    assert engine.peek(STATUS) == DECISION


def worth(program: Program, steps: int) -> list[int]:
    """What the reference engine says of a position, for each seat."""
    engine = ReferenceEngine(program)
    walked(engine, steps)
    before, told = engine.state(), []
    for seat in range(2):
        engine.poke(SEAT, seat)
        told.append(engine.functions[program.sheet.value]())
        engine.load(before)
    return told


class Few:
    """A search of few lines."""

    name = "few"

    def decide(self, now: Position) -> int:
        return think(now, Budget(150)).option


def test_play_does_not_hold_it(tmp_path: Path) -> None:
    plain, valued = compile_book(book(tmp_path, "prefer: Forward")), compile_book(book(tmp_path, RIGHT))
    assert plain.sheet.value == ""
    assert plain.asked == plain.policies
    assert len(valued.policies) == 1, "no seat can be played by it"
    assert valued.asked == (*valued.policies, valued.sheet.value)


@pytest.mark.parametrize("steps", [0, 5, 20])
def test_native_says_what_the_reference_says(tmp_path: Path, steps: int) -> None:
    program = compile_book(book(tmp_path, RIGHT))
    engine = NativeEngine(program)
    walked(engine, steps)
    tree = plant(program)
    prepare(tree, position_of(engine, 1), Values(), 400, 5)
    memory = tree.outer.memory
    assert tree.outer.call("sample") == 1
    before = tree.outer.guest.state()
    assert tree.outer.call("measure") == 1
    told = worth(program, steps)
    assert [memory[at.UTILITY + seat] for seat in range(2)] == [x * at.ONE // WORTH for x in told]
    assert sum(told) == WORTH
    assert steps == 0 or told[0] != told[1]
    assert tree.outer.guest.state() == before, "asking changes nothing"


def test_it_does_not_work_out_what_nobody_has_looked_at(tmp_path: Path) -> None:
    path = book(tmp_path, "value: [Luck]")
    text = path.read_text("utf-8").replace("seats: 2\n", "seats: 2\nvalues: when needed\n")
    path.write_text(
        text.replace("Steps (Resource)", "Luck (Resource) starts: 2d6\nSteps (Resource)"), "utf-8"
    )
    engine = ReferenceEngine(compile_book(path))
    walked(engine, 3)
    luck = next(field.base for field in engine.program.sheet.fields if field.name == "Luck")
    before = engine.state()
    assert engine.peek(luck) == UNKNOWN
    assert 0 <= engine.functions[engine.program.sheet.value]() <= WORTH
    assert engine.state() == before


def test_lines_are_those_of_the_reference(tmp_path: Path) -> None:
    program = compile_book(book(tmp_path, RIGHT))
    engine = NativeEngine(program)
    walked(engine, 9)
    now, tree = position_of(engine, 5), plant(program)
    prepare(tree, now, Values(), 400, 11)
    twin = Twin(tree, now, 11)
    tree.outer.call("search", 80)
    twin.space["search"](80)
    first, last = tree.outer.memory[at.NODES_AT], tree.outer.memory[at.NODES]
    nodes = tree.outer.read(first, at.NODE * last)
    assert last > 40
    assert list(nodes) == twin.memory[first : first + len(nodes)]


def test_a_right_value_plays_better_than_its_opposite(tmp_path: Path) -> None:
    points = [
        simulate(compile_book(book(tmp_path, value)), 20, [f"{__name__}:Few", "random"]).points[0]
        for value in (RIGHT, WRONG)
    ]
    assert points[0] >= 17
    assert points[1] <= 3


def test_other_things_may_be_called_so(tmp_path: Path) -> None:
    """The word is a field of a Strategy alone."""
    text = BOOK.replace("Steps (Resource)", "Value (Resource) of: Actor\nSteps (Resource)").replace(
        "VALUE", RIGHT
    )
    path = tmp_path / "steps.md"
    path.write_text(text.replace("box: 2; seat: each", "box: 2; seat: each; Value: 7"), "utf-8")
    program = compile_book(path)
    engine = ReferenceEngine(program)
    walked(engine, 2)
    field = next(field for field in program.sheet.fields if field.name == "Value")
    assert engine.peek(field.base) == 7


@pytest.mark.parametrize(("value", "told"), [("value: 5000", WORTH), ("value: -7", 0), ("value: 250", 250)])
def test_it_is_from_0_to_1000(tmp_path: Path, value: str, told: int) -> None:
    assert worth(compile_book(book(tmp_path, value)), 4) == [told, told]


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        ("valeu: 500", "unexecutable", "valeu"),
        ("value: [Stepps]", "unknown-name", "Stepps"),
        ("value: 1d6", "bad-dice", "value:"),
        (f"{RIGHT}\n\nOther (Strategy) plays: a seat\n{RIGHT}", "duplicate-name", "twice"),
        (
            f"prefer: Forward\n\nOther (Strategy) do: perform Forward\n{RIGHT}",
            "missing-part",
            "plays no seat",
        ),
    ],
)
def test_what_is_wrong_with_it_is_said(tmp_path: Path, lines: str, code: str, words: str) -> None:
    problems = check(book(tmp_path, lines)).diagnostics
    assert [problem.code for problem in problems] == [code], [problem.message for problem in problems]
    assert words in problems[0].message
