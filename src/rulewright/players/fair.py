"""What a bot may think about: a match as its seat sees it.

In:  a Program, the slots of a state, a seat, a generator of chance that is the bot's own.
Out: the slots of a state that looks the same to the seat. What the seat cannot know is made up.

Cards whose faces the seat does not know exchange them among those that started in the same place (that
belong to the same actor), together with everything else that is kept about a card. Fields that the seat
may not see hold what they held at the start. So two states that look alike to a seat become the same
one, up to the bot's own chance, and a bot cannot play better than its seat could.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from rulewright.ir.program import RNG_HI, RNG_LO, Program
from rulewright.ir.sheet import ALL, NOBODY
from rulewright.play.chance import signed
from rulewright.play.knowledge import Knowledge, find_field

PLACED = ("zone", "known", "owner")
"""What belongs to a card's place rather than to its face."""


def imagine(program: Program, slots: Sequence[int], seat: int, chance: random.Random) -> list[int]:
    """A state the seat cannot tell from this one, with dice of the bot's own."""
    know = Knowledge(program, slots, seat)
    made = list(slots)
    _fields(know, made)
    _faces(know, made, chance)
    made[RNG_LO], made[RNG_HI] = signed(chance.getrandbits(32)), signed(chance.getrandbits(32))
    return made


def _fields(know: Knowledge, made: list[int]) -> None:
    """Hidden numbers of actors, sides and the match go back to what the book starts them with."""
    for field in know.program.sheet.fields:
        if field.seen == ALL or "Card" in field.of:
            continue
        # Whoever may see one value of an owner may see all of them; what is nobody's to see is one piece.
        owners, width = (*field.counts, 1, 1)[:2]
        if field.seen == NOBODY:
            owners, width = 1, owners * width
        for owner in range(owners):
            if not know.sees_field(field, owner * width):
                first = field.base + owner * width
                made[first : first + width] = know.program.initial[first : first + width]


def _faces(know: Knowledge, made: list[int], chance: random.Random) -> None:
    """Unknown cards of one owner exchange their faces, and what else is kept about a card."""
    program = know.program
    face, owner = find_field(program, "Card", "face"), find_field(program, "Card", "owner")
    if face is None:
        return
    kept = [f for f in program.sheet.fields if f.of == ("Card",) and f.name not in PLACED]
    groups: dict[int, list[int]] = {}
    for card in range(face.counts[0]):
        if made[face.base + card] >= 0 and not know.knows(card):
            groups.setdefault(made[owner.base + card] if owner is not None else -1, []).append(card)
    for cards in groups.values():
        # Sorted first: the order they really lie in must not shine through.
        rows = sorted(tuple(made[field.base + card] for field in kept) for card in cards)
        chance.shuffle(rows)
        for card, row in zip(cards, rows, strict=True):
            for field, value in zip(kept, row, strict=True):
                made[field.base + card] = value
