"""What a seat makes up of hidden numbers is what they can be, whatever they are and began as."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.native.engine import NativeEngine
from rulewright.play.knowledge import find_field
from rulewright.play.match import Match
from rulewright.players.bots import position
from rulewright.players.fair import imagine
from rulewright.players.guess import guess

BLUFF = Path(__file__).parent.parent / "bluff"


@pytest.mark.parametrize("native", [False, True])
def test_dice_under_the_others_cups_are_all_dice(native: bool):
    program = compile_book(BLUFF / "liars-dice.md")
    cup = find_field(program, "Actor", "Cup")
    assert cup is not None
    match = Match(program, seats=3, seed=8, engine=NativeEngine)
    match.choose("Raise Count")
    now = position(match)
    open_ = guess(program, now.slots, now.seat, native)
    others = {cup.base + actor: tuple(range(1, 7)) for actor in (0, 2)}
    assert {slot: values for (slot,), values in open_.secrets if slot in others} == others
    chance, met = random.Random(2), Counter[tuple[int, int]]()
    for _ in range(600):
        made = imagine(program, now.slots, now.seat, chance, native)
        assert made[cup.base + 1] == now.slots[cup.base + 1], "its own it knows"
        met.update((actor, made[cup.base + actor]) for actor in (0, 2))
    assert len(met) == 12
    assert all(60 < count < 145 for count in met.values())


def test_what_is_made_up_does_not_depend_on_what_is():
    """Kuhn poker: two of three cards are left to be the other's."""
    program = compile_book(BLUFF.parent / "classics" / "kuhn-poker.md")
    met: set[tuple[int, ...]] = set()
    for seed in range(12):
        match = Match(program, seed=seed)
        now = position(match)
        open_ = guess(program, now.slots, now.seat)
        assert all(len(group.cards) == 2 for group in open_.classes)
        met.update(group.rows[0] for group in open_.classes)
    assert met


def test_answers_that_the_others_gave_at_the_same_time_are_not_known():
    program = compile_book(BLUFF / "signs.md")
    seen: set[tuple[int, ...]] = set()
    for option in range(3):
        match = Match(program, seats=2, seed=4)
        match.choose(option, 0)
        now = position(match, 1)
        seen.add(tuple(imagine(program, now.slots, 1, random.Random(1))))
    assert len(seen) == 1
