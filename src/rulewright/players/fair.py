"""What a bot may think about: a match as its seat sees it.

In:  a Program, the slots of a state, a seat, a generator of chance that is the bot's own.
Out: the slots of a state that looks the same to the seat. What the seat cannot know is made up.

This is `guess` put to use, once and in Python; search does the same many times in native code. Two states
that look alike to a seat become the same one, up to the bot's own chance, so a bot cannot play better than
its seat could.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from rulewright.ir.program import RNG_HI, RNG_LO, Program
from rulewright.play.chance import signed
from rulewright.play.together import without_answers
from rulewright.players.guess import Guess, guess


def imagine(
    program: Program, slots: Sequence[int], seat: int, chance: random.Random, native: bool = False
) -> list[int]:
    """A state the seat cannot tell from this one, with dice of the bot's own."""
    asked = without_answers(program, slots, seat)
    return filled(guess(program, asked, seat, native), asked, chance)


def filled(open_: Guess, slots: Sequence[int], chance: random.Random) -> list[int]:
    """One state out of all that could be. Its dice are drawn first: how much chance the cards take depends on
    how the hidden ones fall into groups, and dice drawn after them would tell."""
    made = list(slots)
    made[RNG_LO], made[RNG_HI] = signed(chance.getrandbits(32)), signed(chance.getrandbits(32))
    for group in open_.classes:
        for card, row in zip(group.cards, chance.sample(group.rows, len(group.rows)), strict=True):
            for (base, apart), value in zip(open_.columns, row, strict=True):
                made[base + card * apart] = value
    for places, values in open_.secrets:
        value = chance.choice(values)
        for slot in places:
            made[slot] = value
    return made
