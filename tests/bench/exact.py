"""The duel solved exactly, by dynamic programming: what two random players can expect.

In:  nothing; the duel's numbers are below.
Out: `solve()`: the first player's chance to win and the average number of moves.

A position at the start of a turn is (own health, other's health, does the other defend?). A turn may
leave both healths as they were, so the four positions with the same two healths refer to each other.
Each turn is therefore worked out as a known part plus the two chances of handing such a position
over; iterating the four short sums until they stand still then costs nothing.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

HEALTH, ACTION_POINTS = 30, 3
HIT = {False: (20 - (12 - 5) + 1) / 20, True: (20 - (14 - 5) + 1) / 20}
DAMAGE = range(4, 12)

Position = tuple[int, int, bool]


class Value(NamedTuple):
    """For the player to move: chance to win, moves to come; and the part still unknown, the chances
    that the turn ends with healths as they are, without and with a defence."""

    wins: float
    moves: float
    open: float = 0.0
    guarded: float = 0.0


def solve() -> tuple[float, float]:
    """From the start of the match."""
    known: dict[Position, Value] = {}
    for own, other in sorted(product(range(1, HEALTH + 1), repeat=2), key=sum):
        if own > other:
            continue
        pair = sorted({(a, b, guard) for a, b in ((own, other), (other, own)) for guard in (False, True)})
        turns = {position: _turn(known, *position) for position in pair}
        known |= dict.fromkeys(pair, Value(0.5, 0.0))
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for position in pair:
                old, new = known[position], _closed(known, turns[position], position)
                change = max(change, abs(new.wins - old.wins), abs(new.moves - old.moves))
                known[position] = new
    return known[HEALTH, HEALTH, False][:2]


def _closed(known: dict[Position, Value], turn: Value, position: Position) -> Value:
    """The turn's value, with what is believed of the positions it hands over."""
    own, other, _ = position
    wins, moves = turn.wins, turn.moves
    for chance, guard in ((turn.open, False), (turn.guarded, True)):
        after = known[other, own, guard]
        wins += chance * (1 - after.wins)
        moves += chance * after.moves
    return Value(wins, moves)


def _turn(known: dict[Position, Value], own: int, other: int, guard: bool) -> Value:
    """A turn against a player who has `other` health and does or does not defend."""

    @cache
    def move(points: int, left: int, defends: bool) -> Value:
        if left == other:
            choices = [Value(0.0, 0.0, float(not defends), float(defends))]
        else:
            after = known[left, own, defends]
            choices = [Value(1 - after.wins, after.moves)]
        if points:
            choices.append(attack(points - 1, left, defends))
            if not defends:
                choices.append(move(points - 1, left, True))
        wins, moves, open_, guarded = (sum(part) / len(choices) for part in zip(*choices, strict=True))
        return Value(wins, 1 + moves, open_, guarded)

    def attack(points: int, left: int, defends: bool) -> Value:
        outcomes = [(1 - HIT[guard], move(points, left, defends))]
        for damage in DAMAGE:
            after = Value(1.0, 0.0) if damage >= left else move(points, left - damage, defends)
            outcomes.append((HIT[guard] / len(DAMAGE), after))
        return Value(*(sum(chance * part for chance, part in parts) for parts in _columns(outcomes)))

    return move(ACTION_POINTS, other, False)


def _columns(outcomes: list[tuple[float, Value]]) -> list[list[tuple[float, float]]]:
    return [[(chance, value[k]) for chance, value in outcomes] for k in range(4)]


if __name__ == "__main__":
    print("first player wins {:.6f}, {:.4f} moves".format(*solve()))
