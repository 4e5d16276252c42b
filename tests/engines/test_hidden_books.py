"""What a seat may not see changes nothing that the seat is shown or offered, in every shipped book.

At decisions of matches played at random, cards whose faces a reader does not know (piles nobody may look at,
face-down spots, the order of decks, hands of others) exchange their faces with others of the same owner. The
reader's view stays equal, and so do the options of the seat that decides.
"""

from __future__ import annotations

import random
import struct
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import DECISION, SEAT, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.knowledge import Knowledge, find_field
from rulewright.play.view import view
from rulewright.shelf import shelf

BOOKS = [entry.path for entry in shelf()]


@cache
def compiled(path: Path) -> Program:
    return compile_book(path)


def hides_cards(program: Program) -> bool:
    return "rules only" not in program.sheet.front and find_field(program, "Card", "face") is not None


def slots_of(engine: NativeEngine) -> list[int]:
    state = engine.state()
    return list(struct.unpack(f"<{len(state) // 4}i", state))


def exchanged(
    program: Program, slots: list[int], seat: int | None, chance: random.Random
) -> list[int] | None:
    """The state with the faces of unknown cards exchanged, or None when there is nothing to exchange."""
    face, owner = find_field(program, "Card", "face"), find_field(program, "Card", "owner")
    assert face is not None
    assert owner is not None
    know, made = Knowledge(program, slots, seat), list(slots)
    piles: dict[int, list[int]] = {}
    for card in range(face.counts[0]):
        if slots[face.base + card] >= 0 and not know.knows(card):
            piles.setdefault(slots[owner.base + card], []).append(card)
    for hidden in piles.values():
        mixed = chance.sample([slots[face.base + card] for card in hidden], len(hidden))
        for card, value in zip(hidden, mixed, strict=True):
            made[face.base + card] = value
    return None if made == slots else made


def look_away(program: Program, decisions: int, seed: int) -> int:
    """Play so many decisions at random, exchanging at every one; how often there was something to."""
    chance = random.Random(seed)
    engine, twin = NativeEngine(program), NativeEngine(program)
    engine.record(False)
    twin.record(False)
    done = exchanges = 0
    while done < decisions:
        seats = chance.randint(*program.seats)
        options = {option.slot: chance.randrange(len(option.words)) for option in program.sheet.options}
        engine.start(seats, chance.getrandbits(32), options)
        engine.advance()
        while engine.peek(STATUS) == DECISION and done < decisions:
            slots, rows, decider = slots_of(engine), engine.options(), engine.peek(SEAT)
            for reader in (None, *range(seats)):
                other = exchanged(program, slots, reader, chance)
                if other is None:
                    continue
                exchanges += 1
                assert view(program, other, reader) == view(program, slots, reader)
                if reader == decider:
                    twin.load(struct.pack(f"<{len(other)}i", *other))
                    assert twin.options() == rows
            engine.choose(chance.randrange(len(rows)))
            engine.advance()
            done += 1
        done += 1  # a book may have matches without decisions
    return exchanges


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_hidden_cards_shine_through_nowhere(path: Path):
    program = compiled(path)
    if not hides_cards(program):
        pytest.skip("no cards in this book")
    assert look_away(program, 60, 1) > 60


@pytest.mark.long
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(4))
def test_hidden_cards_shine_through_nowhere_at_length(path: Path, seed: int):
    program = compiled(path)
    if not hides_cards(program):
        pytest.skip("no cards in this book")
    assert look_away(program, 2500, 100 + seed) > 2500
