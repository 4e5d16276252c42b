"""The duel by hand in plain Python, as a designer's simulator would have it: a state, the legal moves,
a function that applies one, and two random players.

In:  number of matches, seed.
Out: wins of the first player, moves in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

HEALTH, ACTION_POINTS = 30, 3


@dataclass
class Fighter:
    health: int = HEALTH
    points: int = 0
    defends: bool = False


@dataclass
class State:
    fighters: list[Fighter]
    turn: int = 0
    winner: int | None = None


def start() -> State:
    return State([Fighter(points=ACTION_POINTS), Fighter()])


def legal_moves(state: State) -> list[str]:
    own = state.fighters[state.turn]
    moves = []
    if own.points > 0:
        moves.append("attack")
        if not own.defends:
            moves.append("defend")
    moves.append("end turn")
    return moves


def apply(state: State, move: str, random: Random) -> None:
    own, other = state.fighters[state.turn], state.fighters[1 - state.turn]
    if move == "attack":
        own.points -= 1
        if random.randint(1, 20) + 5 >= (14 if other.defends else 12):
            other.health -= random.randint(1, 8) + 3
            if other.health <= 0:
                state.winner = state.turn
    elif move == "defend":
        own.points -= 1
        own.defends = True
    else:
        state.turn = 1 - state.turn
        other.points = ACTION_POINTS
        other.defends = False


def play(random: Random) -> tuple[int, int]:
    """One match: who won, and how many moves it took."""
    state, moves = start(), 0
    while state.winner is None:
        apply(state, random.choice(legal_moves(state)), random)
        moves += 1
    return state.winner, moves


def play_many(matches: int, seed: int) -> tuple[int, int]:
    random = Random(seed)
    wins = moves = 0
    for _ in range(matches):
        winner, length = play(random)
        wins += winner == 0
        moves += length
    return wins, moves
