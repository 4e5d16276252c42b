"""Made-up states are like real ones: played on, they last as long and are won as often, in every book."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean, pvariance

import pytest

from rulewright import Program, load
from rulewright.ir.program import DECISION, DECISIONS, RNG_HI, RNG_LO, SEAT, STATUS
from rulewright.native.engine import NativeEngine
from rulewright.play.chance import signed
from rulewright.play.faults import Fault
from rulewright.play.knowledge import find_field, zone_bases
from rulewright.players.fair import filled
from rulewright.players.guess import Class, Guess, guess
from rulewright.shelf import shelf

BOOKS = sorted(entry.name for entry in shelf())
MANY_DECKS = ("p52", "penance-2")
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


def lying(program: Program, slots: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Where each card lies, and its face."""
    face = find_field(program, "Card", "face")
    assert face is not None
    for zone in program.sheet.zones:
        for _, pile in zone_bases(program, zone):
            for card in slots[pile + 1 : pile + 1 + slots[pile]]:
                yield zone.name, slots[face.base + card]


def mixed(open_: Guess) -> Guess:
    """As if all cards that a seat does not know could be one another."""
    cards = [card for group in open_.classes for card in group.cards]
    rows = sorted(row for group in open_.classes for row in group.rows)
    return replace(open_, classes=(Class(tuple(cards), tuple(rows)),) if cards else ())


@pytest.mark.parametrize("name", BOOKS)
def test_cards_lie_where_such_cards_lie(name: str) -> None:
    """No wounds in decks of actions, no monsters among numbers: what is made up has no more cards out of
    their place than real matches have. Where a book has several families of cards, mixing them is seen."""
    program = load(name)
    if find_field(program, "Card", "face") is None:
        pytest.skip("a book without cards")
    chance = random.Random(4)
    states = [begun(program, 5000 + seed, 4 + seed % 40) for seed in range(400)]
    met = {where for slots in states[:300] if slots for where in lying(program, slots)}
    strange = {"real": 0, "made": 0, "mixed": 0}
    cards = 0
    for slots in filter(None, states[300:]):
        open_ = guess(program, slots, slots[SEAT], True)
        shown = {
            "real": slots,
            "made": filled(open_, slots, chance),
            "mixed": filled(mixed(open_), slots, chance),
        }
        for word, state in shown.items():
            strange[word] += sum(where not in met for where in lying(program, state))
        cards += len(list(lying(program, slots)))
    assert cards > 1000
    assert strange["made"] <= strange["real"] + cards // 1000
    if name in MANY_DECKS:
        assert strange["mixed"] > cards // 20, "a sampler that mixes all cards is not seen by this test"


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
