"""Small games are written out and solved; what is known of Kuhn poker is found again."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright import Program, load
from rulewright.native.engine import NativeEngine
from rulewright.players.bots import position_of
from rulewright.players.gametree import Tree, game_tree, holds, known
from rulewright.players.levels import hard
from rulewright.players.solve import best_answer, exploitability, solution, solve, zero_sum

CLASSICS = Path(__file__).parents[1] / "classics"


@pytest.fixture(scope="module")
def kuhn() -> Program:
    return load(CLASSICS / "kuhn-poker.md")


@pytest.fixture(scope="module")
def chips(kuhn: Program) -> Tree:
    tree = game_tree(kuhn, 2, pays=holds(kuhn, "Chips"))
    assert tree is not None
    return tree


def test_the_tree_is_that_of_the_textbook(chips: Tree) -> None:
    assert len(chips.infos) == 12, "three cards, four places to decide"
    assert set(chips.infos.values()) == {2}
    assert zero_sum(chips.root)
    even = dict.fromkeys(chips.infos, (0.5, 0.5))
    assert exploitability(chips, even) == pytest.approx(11 / 24), "as others have computed it"


def test_it_is_solved_below_a_hundredth_of_a_chip(chips: Tree) -> None:
    policy = solve(chips)
    assert exploitability(chips, policy) < 0.003
    assert best_answer(chips, policy, 0) == pytest.approx(-1 / 18, abs=0.005), (
        "the first player loses a little"
    )
    assert all(abs(sum(row) - 1) < 1e-9 for row in policy.values())


def test_hard_plays_what_was_solved(kuhn: Program) -> None:
    """Asked with many seeds it mixes as the solution says; told by what its seat knows, not by the deal."""
    tree = game_tree(kuhn, 2)
    assert tree is not None
    engine, player = NativeEngine(kuhn), hard(kuhn)
    policy = {}
    for info, state in tree.samples.items():
        engine.load(state)
        now = position_of(engine, 1)
        chances = solution(now)
        assert chances is not None
        seen = Counter(player.decide(replace(now, seed=str(seed))) for seed in range(300))
        assert abs(seen[0] / 300 - chances[0]) < 0.12
        policy[info] = chances
    assert exploitability(tree, policy) < 0.01


def test_what_a_seat_knows_does_not_tell_the_deal(kuhn: Program) -> None:
    engine = NativeEngine(kuhn)
    found: dict[str, set[int]] = {}
    for seed in range(60):
        engine.start(2, seed, {})
        engine.advance()
        now = position_of(engine, seed)
        found.setdefault(known(kuhn, now.slots, now.seat, now.offers), set()).add(hash(now.slots[16:]))
    assert len(found) == 3, "one for each card in hand"
    assert all(len(deals) > 1 for deals in found.values())


def test_larger_games_are_left_to_the_search() -> None:
    assert game_tree(load(CLASSICS / "love-letter.md"), 2, nodes=300) is None
    program = load(CLASSICS / "tic-tac-toe.md")
    engine = NativeEngine(program)
    engine.start(2, random.Random(1).randrange(100), {})
    engine.advance()
    assert solution(position_of(engine, 1)) is None, "where nothing is hidden, a search is as good"
