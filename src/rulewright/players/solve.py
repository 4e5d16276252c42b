"""Games for two that are small enough are solved: how often to take which option.

In:  a Tree in which what one seat wins the other loses.
Out: `Policy` (for each information the chance of each option) by counterfactual regret minimisation, and how
     much the best answers to a policy would gain: its exploitability.

Regrets that turn negative are forgotten and later rounds count more in the average (CFR+), which comes close
to an equilibrium in some hundred rounds.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping

from rulewright.ir import cache
from rulewright.ir.program import SEATS, Program
from rulewright.play.knowledge import hides_nothing
from rulewright.players.bots import Position
from rulewright.players.gametree import Node, Pays, Tree, game_tree, known

ROUNDS = 3000
LONGEST = 16
"""Decisions that a match may have at most for its tree to be tried."""
ENOUGH = 0.002
EVERY = 100

Policy = dict[str, tuple[float, ...]]


def solve(tree: Tree, rounds: int = ROUNDS, enough: float = ENOUGH) -> Policy:
    """Close to an equilibrium: until the best answers gain less than `enough`, or the rounds are over."""
    regrets = {info: [0.0] * count for info, count in tree.infos.items()}
    sums = {info: [0.0] * count for info, count in tree.infos.items()}
    for number in range(1, rounds + 1):
        for seat in range(2):
            now = {info: _positive(row) for info, row in regrets.items()}
            more = {info: [0.0] * len(row) for info, row in regrets.items()}
            _walk(tree.root, seat, 1.0, 1.0, now, more, sums, number)
            for info, row in more.items():
                old = regrets[info]
                regrets[info] = [max(0.0, a + b) for a, b in zip(old, row, strict=True)]
        if number % EVERY == 0 and exploitability(tree, _average(sums)) < enough:
            break
    return _average(sums)


def _positive(row: list[float]) -> tuple[float, ...]:
    total = sum(row)
    return tuple(x / total for x in row) if total > 0 else tuple(1 / len(row) for _ in row)


def _average(sums: Mapping[str, list[float]]) -> Policy:
    return {info: _positive(row) for info, row in sums.items()}


def _walk(
    node: Node,
    seat: int,
    own: float,
    others: float,
    now: Policy,
    more: dict[str, list[float]],
    sums: dict[str, list[float]],
    weight: int,
) -> float:
    """What the node is worth to the seat; regrets and averages of the seat are added up on the way."""
    if node.pays:
        return node.pays[seat]
    if not node.info:
        part = 1 / len(node.children)
        return part * sum(
            _walk(child, seat, own, others * part, now, more, sums, weight) for child in node.children
        )
    chances = now[node.info]
    if node.seat != seat:
        return sum(
            chance * _walk(child, seat, own, others * chance, now, more, sums, weight)
            for chance, child in zip(chances, node.children, strict=True)
            if chance > 0
        )
    worths = [
        _walk(child, seat, own * chance, others, now, more, sums, weight)
        for chance, child in zip(chances, node.children, strict=True)
    ]
    worth = sum(a * b for a, b in zip(chances, worths, strict=True))
    for option, (chance, each) in enumerate(zip(chances, worths, strict=True)):
        more[node.info][option] += others * (each - worth)
        sums[node.info][option] += weight * own * chance
    return worth


def exploitability(tree: Tree, policy: Policy) -> float:
    """What a seat gains on average by the best answer to the policy, over its worth: 0 for an equilibrium."""
    gains = sum(best_answer(tree, policy, seat) for seat in range(2))
    return (gains - _sum_of_pays(tree.root)) / 2


def _sum_of_pays(node: Node) -> float:
    """What both seats get together, which is the same everywhere."""
    while not node.pays:
        node = node.children[0]
    return sum(node.pays)


def best_answer(tree: Tree, policy: Policy, seat: int) -> float:
    """What the best answer of a seat to the policy of the other is worth."""
    places: dict[str, list[tuple[Node, float]]] = {}
    _reach(tree.root, seat, 1.0, policy, places)
    best: dict[str, int] = {}

    def choice(info: str) -> int:
        if info not in best:
            rows = places.get(info, [])
            totals = [
                sum(reach * value(node.children[option]) for node, reach in rows)
                for option in range(tree.infos[info])
            ]
            best[info] = max(range(len(totals)), key=totals.__getitem__)
        return best[info]

    def value(node: Node) -> float:
        if node.pays:
            return node.pays[seat]
        if not node.info:
            return sum(map(value, node.children)) / len(node.children)
        if node.seat == seat:
            return value(node.children[choice(node.info)])
        pairs = zip(policy[node.info], node.children, strict=True)
        return sum(chance * value(child) for chance, child in pairs if chance > 0)

    return value(tree.root)


def _reach(
    node: Node, seat: int, reach: float, policy: Policy, places: dict[str, list[tuple[Node, float]]]
) -> None:
    """How likely chance and the other seat lead to each node of a seat."""
    if node.info and node.seat == seat:
        places.setdefault(node.info, []).append((node, reach))
    for option, child in enumerate(node.children):
        part = 1 / len(node.children) if not node.info else 1.0
        if node.info and node.seat != seat:
            part = policy[node.info][option]
        _reach(child, seat, reach * part, policy, places)


def zero_sum(node: Node, total: float | None = None) -> bool:
    """Whether what one seat gets the other does not, wherever the match ends."""
    if node.pays:
        return total is None or abs(sum(node.pays) - total) < 1e-9
    total = _sum_of_pays(node) if total is None else total
    return all(zero_sum(child, total) for child in node.children)


def solution(now: Position) -> tuple[float, ...] | None:
    """How often to take each option of a position, where its game is solved; else None."""
    program = now.program
    if now.slots[SEATS] != 2 or program.bound > LONGEST or hides_nothing(program):
        return None
    chosen = tuple((option.slot, now.slots[option.slot]) for option in program.sheet.options)
    policy = _solved(_Key(program, chosen))
    found = policy.get(known(program, now.slots, now.seat, now.offers))
    return found if found is not None and len(found) == now.options else None


class _Key:
    """A game with its settings, by what it says."""

    __slots__ = ("chosen", "program")

    def __init__(self, program: Program, chosen: tuple[tuple[int, int], ...]) -> None:
        self.program, self.chosen = program, chosen

    def __hash__(self) -> int:
        return hash((self.program.digest, self.chosen))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and (self.program.digest, self.chosen) == (
            other.program.digest,
            other.chosen,
        )


@functools.lru_cache(maxsize=64)
def _solved(key: _Key) -> Policy:
    """From the cache, or solved now; nothing where the game cannot be."""
    name = hashlib.sha256(f"2 {key.program.digest} {key.chosen}".encode()).hexdigest()
    kept = cache.fetch("solved", name) if key.program.digest else None
    if kept is not None:
        return {info: tuple(row) for info, row in json.loads(kept).items()}
    policy = solved(key.program, dict(key.chosen))
    if key.program.digest:
        cache.keep("solved", name, json.dumps(policy).encode())
    return policy


def solved(program: Program, options: Mapping[int, int] | None = None, pays: Pays | None = None) -> Policy:
    """The policy of a game for two; empty where it is too large, or both can win at once."""
    tree = game_tree(program, 2, options, pays)
    return solve(tree) if tree is not None and zero_sum(tree.root) else {}
