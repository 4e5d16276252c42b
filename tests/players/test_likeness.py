"""Made-up states are like real ones: played on, they last as long and are won as often, in every book."""

from __future__ import annotations

import math
import random
import struct
from statistics import fmean, pvariance

import pytest

from rulewright import Program, load
from rulewright.ir.program import DECISION, DECISIONS, RNG_HI, RNG_LO, SEAT, STATUS
from rulewright.native.engine import NativeEngine
from rulewright.play.chance import signed
from rulewright.play.faults import Fault
from rulewright.play.knowledge import find_field, zone_bases
from rulewright.players.fair import filled
from rulewright.players.guess import guess
from rulewright.shelf import shelf

BOOKS = sorted(entry.name for entry in shelf())
FAR = 3.5
"""Standard errors between two means that chance still explains."""


def begun(program: Program, seed: int, steps: int) -> list[int] | None:
    """The slots of a match after some decisions of its strategy."""
    engine = NativeEngine(program)
    engine.record(False)
    engine.start(program.seats[0], seed, {})
    engine.advance()
    for _ in range(steps):
        if engine.peek(STATUS) != DECISION:
            return None
        engine.choose(engine.policy(0))
        engine.advance()
    state = engine.state()
    return list(struct.unpack(f"<{len(state) // 4}i", state)) if engine.peek(STATUS) == DECISION else None


def ended(engine: NativeEngine, slots: list[int], seat: int) -> tuple[float, float]:
    """Whether the seat wins when the strategy plays on, and after how many decisions."""
    engine.load(struct.pack(f"<{len(slots)}i", *slots))
    engine.options()
    try:
        while engine.peek(STATUS) == DECISION:
            engine.choose(engine.policy(0))
            engine.advance()
    except Fault:
        return 0.0, float(engine.peek(DECISIONS))
    won = engine.peek(engine.program.sheet.result["score"] + seat) == 1
    return float(won), float(engine.peek(DECISIONS))


def apart(one: list[float], other: list[float]) -> float:
    """Standard errors between two means."""
    error = math.sqrt(pvariance(one) / len(one) + pvariance(other) / len(other) + 1e-9)
    return abs(fmean(one) - fmean(other)) / error


@pytest.mark.parametrize("name", BOOKS)
def test_they_are_won_as_often_and_last_as_long(name: str) -> None:
    program = load(name)
    if program.rules_only:
        pytest.skip("a framework has no matches of its own")
    engine, chance = NativeEngine(program), random.Random(9)
    engine.record(False)
    real: list[tuple[float, float]] = []
    made: list[tuple[float, float]] = []
    for seed in range(240):
        slots = begun(program, 1000 + seed, 4 + seed % 24)
        if slots is None:
            continue
        seat = slots[SEAT]
        dice = {RNG_LO: signed(chance.getrandbits(32)), RNG_HI: signed(chance.getrandbits(32))}
        real.append(ended(engine, [dice.get(slot, held) for slot, held in enumerate(slots)], seat))
        made.append(ended(engine, filled(guess(program, slots, seat, True), slots, chance), seat))
    assert len(real) > 60
    for what in (0, 1):
        assert apart([row[what] for row in real], [row[what] for row in made]) < FAR, ("won", "length")[what]


def test_two_decks_with_the_same_faces_are_kept_apart() -> None:
    """A deck of monsters has no numbers in it, although another deck of the same faces has both."""
    program = load("p52")
    face = find_field(program, "Card", "face")
    assert face is not None
    slots = begun(program, 3, 40)
    assert slots is not None
    known = filled(guess(program, slots, slots[SEAT], True), slots, random.Random(1))
    for zone in program.sheet.zones:
        if zone.seen != "nobody" or zone.of is not None:
            continue
        for _, pile in zone_bases(program, zone):
            cards = slots[pile + 1 : pile + 1 + slots[pile]]
            held, before = ({state[face.base + card] for card in cards} for state in (known, slots))
            assert held != before or len(cards) < 2 or zone.name != "Action Deck"
            if zone.name == "Enemy Deck":
                assert held == before, "all that are unknown lie here"
