"""Secret rolls and choices that rules hold on the stack: players know them only where their seat does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import DECISION, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.engine import Engine
from rulewright.play.frames import words
from rulewright.play.reference import ReferenceEngine
from rulewright.players.bots import Position, position_of
from rulewright.players.guess import guess
from rulewright.players.levels import Level
from rulewright.players.search import Budget
from rulewright.testing.fairness import fairness

Maker = type[ReferenceEngine] | type[NativeEngine]

BOOK = """---
title: High or low
seats: 2
---
# High or low

```rules
Ada (Actor) seat: 1
Bo (Actor) seat: 2
Found (Ending)

Match (Sequence)
keeps: [T]
1. Play   put Ada in play
          put Bo in play
          #Hide on Ada

Hide (Effect)
do: let [N] = {HOW}
    {THEN}
    end the match with Found won by Ada

Hand (Effect)
with: [M]
do: #Guess with [M]

Guess (Effect)
with: [K]
do: Bo chooses: "high": if [K] > 3: end the match with Found won by Bo
                "low": if [K] < 4: end the match with Found won by Bo
```
"""
INSIDE = """Bo chooses: "high": if [N] > 3: end the match with Found won by Bo
                "low": if [N] < 4: end the match with Found won by Bo"""
DIE, SIX = "secretly roll 1d6", tuple(range(1, 7))
KEPT = f"[T of Match] = secretly roll 1d6\n    {INSIDE.replace('[N]', '[T of Match]')}"
FORMS = {
    "kept by what is around it": ("0", KEPT, SIX, 1),
    "a die": (DIE, INSIDE, SIX, 1),
    "dice": ("secretly roll 2d2", INSIDE, (2, 3, 3, 4), 1),
    "a choice": ("secretly choose a number from 1 to 6", INSIDE, SIX, 1),
    "handed on twice": (DIE, "#Hand with [N]", SIX, 3),
}
OTHER = INSIDE.replace("[N]", "[M]")
COPY = "[T of Match] = secretly roll 1d6"
FORGET = "let [M] = [T of Match]\n    [T of Match] = 0"
AGAIN = (
    f"{COPY}\n    {FORGET}\n    let [K] = 7 - [M]\n    [M] = 0\n    [T of Match] = 7 - [K]\n    [K] = 0\n    "
    + INSIDE.replace("[N]", "[T of Match]")
)
FACES = INSIDE.replace("[N] > 3", "[1 of dice] = 0").replace("[N] < 4", "[1 of dice] > 0")
MADE = {
    "changed since": (DIE, f"[N] = 7 - [N]\n    {INSIDE}", SIX, 1),
    "another local": (DIE, f"let [M] = 7 - [N]\n    {OTHER}", SIX, 1),
    "through two more": (DIE, f"let [K] = 2 * [N]\n    let [M] = [K] - [N]\n    {OTHER}", SIX, 1),
    "set because of it": (DIE, f"let [M] = 1\n    if [N] > 3: [M] = 6\n    {OTHER}", (1, 6), 1),
    "computed and handed on": (DIE, "#Hand with 7 - [N]", SIX, 3),
    "a copy of what is kept": ("0", f"{COPY}\n    {FORGET}\n    {OTHER}", SIX, 1),
    "made of what is kept": ("0", f"{COPY}\n    {FORGET.replace('= [T', '= 7 - [T')}\n    {OTHER}", SIX, 1),
    "made of it and kept again": (
        "0",
        f"{COPY}\n    {AGAIN}\n    {INSIDE.replace('[N]', '[T of Match]')}",
        SIX,
        1,
    ),
    "a tally": ("0", f"let dice = secretly roll 1 d2\n    {FACES}", (0, 1), 1),
}
"""What it could be is told by how matches of the book begin."""


@cache
def book(how: str, then: str) -> Program:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "high.md"
        path.write_text(BOOK.replace("{HOW}", how).replace("{THEN}", then), "utf-8")
        return compile_book(path)


def asked(engine: Engine, seed: int) -> Position:
    """Where Bo is asked."""
    engine.start(2, seed, {})
    engine.advance()
    while engine.peek(STATUS) == DECISION:
        now = position_of(engine, seed)
        if now.seat == 1:
            return now
        engine.choose(seed % now.options)
        engine.advance()
    raise AssertionError("nobody was asked")


@pytest.mark.parametrize("maker", [ReferenceEngine, NativeEngine])
@pytest.mark.parametrize("form", FORMS)
def test_what_it_could_be_is_told_by_how_it_was_drawn(form: str, maker: Maker) -> None:
    how, then, values, places = FORMS[form]
    program = book(how, then)
    now = asked(maker(program), 3)
    ((slots, could),) = guess(program, now.slots, 1).secrets
    assert could == values
    assert len(slots) == places
    assert len({now.slots[slot] for slot in slots}) == 1
    assert guess(program, now.slots, 0).secrets == ()  # Ada knows


@pytest.mark.parametrize("maker", [ReferenceEngine, NativeEngine])
@pytest.mark.parametrize("form", MADE)
def test_what_is_made_of_a_secret_is_one(form: str, maker: Maker) -> None:
    how, then, values, places = MADE[form]
    program = book(how, then)
    now = asked(maker(program), 3)
    ((slots, could),) = guess(program, now.slots, 1).secrets
    assert tuple(sorted({*could})) == values
    assert len(slots) == places
    assert guess(program, now.slots, 0).secrets == ()  # Ada knows


@pytest.mark.parametrize("maker", [ReferenceEngine, NativeEngine])
def test_what_is_kept_stays_a_secret_where_it_is_handed_on(maker: Maker) -> None:
    program = book("0", f"{COPY}\n    #Hand with [T of Match]")
    found = guess(program, asked(maker(program), 3).slots, 1).secrets
    assert sorted(len(slots) for slots, _ in found) == [1, 3]  # what is kept, and what was handed on twice


@pytest.mark.parametrize("then", [f"let [M] = [N]\n    [M] = 5\n    {OTHER}", f"let [M] = 5\n    {OTHER}"])
def test_what_is_made_of_nothing_secret_is_open(then: str) -> None:
    program = book(DIE, then)
    assert guess(program, asked(NativeEngine(program), 3).slots, 1).secrets == ()


@pytest.mark.parametrize("then", [f"[N] = 3\n    {INSIDE}", INSIDE])
def test_what_is_open_stays_as_it_is(then: str) -> None:
    program = book(DIE if then != INSIDE else "roll 1d6", then)
    assert guess(program, asked(NativeEngine(program), 3).slots, 1).secrets == ()


@pytest.mark.parametrize("form", ["a die", "handed on twice", *MADE])
def test_a_search_guesses_no_better_than_chance(form: str) -> None:
    program = book(*(FORMS | MADE)[form][:2])
    engine, player, won = NativeEngine(program), Level("search", Budget(200)), 0
    engine.record(False)
    for seed in range(100):
        engine.choose(player.decide(asked(engine, seed)))
        engine.advance()
        won += engine.peek(program.sheet.result["score"] + 1) == 1
    assert 38 <= won <= 62


class Peeker:
    """Looks at what rules hold on the stack."""

    name = "stack"

    def decide(self, now: Position) -> int:
        return sum(now.slots[slot] for word in words(now.program, now.slots) for slot in word.slots) % 2


@pytest.mark.parametrize("form", ["a die", "handed on twice", "another local", "a tally"])
def test_one_that_looks_is_caught(form: str) -> None:
    program = book(*(FORMS | MADE)[form][:2])
    assert fairness(program, Peeker(), positions=12, seed=3).leaks
    assert fairness(program, Level("search", Budget(60)), positions=12, seed=3).leaks == ()
