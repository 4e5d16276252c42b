"""P52's playing cards: after every event each of the two decks is whole, every card in exactly one pile."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from rulewright import load
from rulewright.ir import events as kinds
from rulewright.ir.program import DECISION, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.knowledge import find_field
from rulewright.play.setup import option_slots, resolve_options

QUESTS = ("One", "Two", "Three", "Four")
PILES = {
    "Action": ("Action Deck", "Action Discard", "Stamina", "Sorting"),
    "Room": ("Room Deck", "Room Discard", "Spot Cards"),
    "Enemy": ("Enemy Deck", "Enemy Discard"),
}


@cache
def book() -> Program:
    return load("p52")


class Ledger:
    """Where every playing card is, by the events alone, and by the state."""

    def __init__(self, program: Program, engine: NativeEngine) -> None:
        self.program, self.engine = program, engine
        values = program.sheet.columns["Face"]["Value"]
        self.playing = {i for i, value in enumerate(values) if str(value).isdigit()}
        assert len(self.playing) == 52
        self.zones = [zone.name for zone in program.sheet.zones for _ in range(self.owners(zone.of))]
        found = find_field(program, "Card", "face")
        assert found is not None
        self.faces = found
        self.at: dict[int, str] = {}
        self.whole = False

    def owners(self, of: str | None) -> int:
        return len(self.program.sheet.things["Actor"]) if of else 1

    def read(self) -> None:
        """Follow the events, one by one."""
        for kind, _, card, old, new, *_ in self.engine.events():
            if kind != kinds.CARD or self.engine.peek(self.faces.base + card) not in self.playing:
                continue
            assert (self.zones[old - 1] if old else "") == self.at.get(card, "")
            assert new, "a playing card left the game"
            self.at[card] = self.zones[new - 1]
            if len(self.at) == 104:
                self.whole = True
            if self.whole and old:
                deck = next(name for name, piles in PILES.items() if self.zones[old - 1] in piles)
                assert self.at[card] in PILES[deck], f"a card of the {deck} deck went to {self.at[card]}"

    def check(self) -> None:
        """The state says the same, and each deck has each of its cards once."""
        seen: dict[str, Counter[int]] = {name: Counter() for name in PILES}
        for zone in self.program.sheet.zones:
            deck = next((name for name, piles in PILES.items() if zone.name in piles), None)
            if deck is None:
                continue
            for owner in range(self.owners(zone.of)):
                base = zone.base + owner * zone.stride
                cards = [self.engine.peek(base + 1 + i) for i in range(self.engine.peek(base))]
                assert all(self.at[card] == zone.name for card in cards)
                seen[deck].update(self.engine.peek(self.faces.base + card) for card in cards)
        assert {name: len(cards) for name, cards in seen.items()} == {"Action": 52, "Room": 40, "Enemy": 12}
        assert all(count == 1 for cards in seen.values() for count in cards.values())
        assert not seen["Room"].keys() & seen["Enemy"].keys()


def account(matches: int, seed: int, most: int) -> None:
    """Play with the book's bot and with random players in turn, and count after every decision."""
    program, chance = book(), random.Random(seed)
    engine = NativeEngine(program)
    for number in range(matches):
        options = resolve_options(program, {"Quest": QUESTS[number % 4]})
        engine.start(1 + number // 4 % 4, chance.getrandbits(32), option_slots(program, options))
        engine.events()
        ledger, bot = Ledger(program, engine), number % 3 > 0
        engine.advance()
        for _ in range(most):
            ledger.read()
            ledger.check()
            if engine.peek(STATUS) != DECISION:
                break
            count = len(engine.options())
            engine.choose(engine.policy(0) if bot else chance.randrange(count))
            engine.advance()


def test_all_cards_are_accounted_for():
    account(8, 1, 120)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_all_cards_are_accounted_for_in_whole_quests(seed: int):
    account(32, 10 + seed, 10_000)
