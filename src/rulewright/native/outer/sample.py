"""Sample what a seat cannot know.

In:  tables that Python makes once a move: classes of cards that could be one another, and numbers that are
     secret with the values they could have; the options the seat is offered.
Out: `sample`: the guest stands in a state that the seat cannot tell from the real one.

A class is: how many cards, how many columns; for each column its slot of card 0 and how far apart cards are;
the cards; their rows, in an order that has nothing to do with where they lie; room for an order. A secret
number is: how many values there are, the values, in how many slots it lies, the slots.
"""

from __future__ import annotations

from rulewright.ir.subset import W, rnd
from rulewright.native.outer.map import (
    CLASSES,
    REJECTED,
    ROOT_COUNT,
    ROOT_OFFERS,
    SAMPLE,
    SAMPLED,
    SECRETS,
    TRIES,
)
from rulewright.native.outer.names import offer, poke, relist, reseed, restart


def sample() -> int:
    """1 when a state was found; 0 when every one that was tried offers the seat something else."""
    tries = W[TRIES]
    while tries > 0:
        restart()
        reseed()
        draw_secrets(deal())
        if fits():
            W[SAMPLED] += 1
            return 1
        W[REJECTED] += 1
        tries -= 1
    return 0


def deal() -> int:
    """Deal the rows of each class to its cards anew; where the tables of secrets begin."""
    at = W[SAMPLE]
    left = W[CLASSES]
    while left > 0:
        many = W[at]
        columns = W[at + 1]
        cards = at + 2 + 2 * columns
        rows = cards + many
        order = rows + many * columns
        i = 0
        while i < many:
            j = rnd(i + 1)
            W[order + i] = W[order + j]
            W[order + j] = i
            i += 1
        i = 0
        while i < many:
            row = rows + columns * W[order + i]
            k = 0
            while k < columns:
                poke(W[at + 2 + 2 * k] + W[cards + i] * W[at + 3 + 2 * k], W[row + k])
                k += 1
            i += 1
        at = order + many
        left -= 1
    return at


def draw_secrets(at: int) -> int:
    """Draw each secret number from what it could be."""
    left = W[SECRETS]
    while left > 0:
        many = W[at]
        value = W[at + 1 + rnd(many)]
        at = at + 1 + many
        slots = W[at]
        while slots > 0:
            poke(W[at + slots], value)
            slots -= 1
        at = at + 1 + W[at]
        left -= 1
    return 0


def fits() -> int:
    """Whether the seat is offered what it is really offered."""
    many = relist()
    if many != W[ROOT_COUNT]:
        return 0
    i = 0
    while i < 4 * many:
        if offer(i // 4, i % 4) != W[W[ROOT_OFFERS] + i]:
            return 0
        i += 1
    return 1
