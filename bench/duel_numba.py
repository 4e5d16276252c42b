"""The duel by hand for Numba: the state is an int32 array, the generator a 64-bit integer.

In:  number of matches, seed.
Out: wins of the first player, moves in all.
"""

from __future__ import annotations

import numpy as np
from numba import njit

HEALTH, ACTION_POINTS = 30, 3
POINTS, DEFENDS = 2, 4  # where these begin in the state; health stands first


@njit
def below(generator, n):
    """A uniform number below n (SplitMix64 and Lemire's reduction)."""
    while True:
        generator[0] += np.uint64(0x9E3779B97F4A7C15)
        z = generator[0]
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
        product = (z >> np.uint64(32)) * np.uint64(n)
        low = product & np.uint64(0xFFFFFFFF)
        if low >= np.uint64(n) or low >= np.uint64((2**32 - n) % n):
            return np.int64(product >> np.uint64(32))


@njit
def play(state, generator):
    state[:] = 0
    state[0] = state[1] = HEALTH
    state[POINTS] = ACTION_POINTS
    turn, moves = 0, 0
    while True:
        moves += 1
        if state[POINTS + turn] == 0:
            move = 2
        elif state[DEFENDS + turn]:
            move = 2 * below(generator, 2)
        else:
            move = below(generator, 3)
        if move == 0:
            state[POINTS + turn] -= 1
            goal = 14 if state[DEFENDS + 1 - turn] else 12
            if below(generator, 20) + 6 >= goal:
                state[1 - turn] -= below(generator, 8) + 4
                if state[1 - turn] <= 0:
                    return turn, moves
        elif move == 1:
            state[POINTS + turn] -= 1
            state[DEFENDS + turn] = 1
        else:
            turn = 1 - turn
            state[POINTS + turn] = ACTION_POINTS
            state[DEFENDS + turn] = 0


@njit
def play_many(matches, seed):
    state = np.zeros(6, np.int32)
    generator = np.array([seed], np.uint64)
    wins = total = 0
    for _ in range(matches):
        winner, moves = play(state, generator)
        wins += winner == 0
        total += moves
    return wins, total
