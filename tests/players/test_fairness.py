"""No player is moved by what its seat cannot see, in any book; one that looks is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Program, load
from rulewright.ir.program import RNG_LO
from rulewright.play.knowledge import Knowledge, find_field
from rulewright.players.bots import Decider, Position, decider
from rulewright.players.levels import Level, easy, greedy
from rulewright.players.search import Budget
from rulewright.shelf import shelf
from rulewright.testing.fairness import fairness

TESTS = Path(__file__).parents[1]
BOOKS = [entry.name for entry in shelf()] + [
    str(path) for folder in ("classics", "bluff") for path in sorted((TESTS / folder).glob("*.md"))
]
HIDING = ("penance-1", "penance-2", str(TESTS / "classics" / "love-letter.md"))


def players(program: Program) -> list[Decider]:
    """Everyone who can be seated; those that think a long time with fewer lines."""
    named = [decider(program, name) for name in ("random", *program.sheet.strategies)]
    # Without a clock: on a busy machine it would end one search earlier than the other.
    levels = [made(program).unhurried() for made in (easy, greedy)]
    return [*named, *levels, Level("medium", Budget(60)), Level("hard", Budget(60, cores=2))]


@pytest.mark.parametrize("name", BOOKS, ids=lambda name: Path(name).stem)
def test_every_player_of_every_book_is_fair(name: str) -> None:
    program = load(name)
    if program.rules_only:
        pytest.skip("a framework has no matches of its own")
    for player in players(program):
        found = fairness(program, player, positions=4, seed=11)
        assert found.leaks == (), player.name
        assert found.positions >= 3


class Dice:
    """Peeks at the dice to come."""

    name = "dice"

    def decide(self, now: Position) -> int:
        return now.slots[RNG_LO] % now.options


class Cards:
    """Peeks at cards that its seat does not know."""

    name = "cards"

    def decide(self, now: Position) -> int:
        face = find_field(now.program, "Card", "face")
        assert face is not None
        know = Knowledge(now.program, now.slots, now.seat)
        hidden = [now.slots[face.base + card] for card in range(face.counts[0]) if not know.knows(card)]
        return sum(k * held for k, held in enumerate(hidden)) % now.options


@pytest.mark.parametrize("name", HIDING, ids=lambda name: Path(name).stem)
@pytest.mark.parametrize("peeker", [Dice(), Cards()], ids=lambda peeker: peeker.name)
def test_a_planted_peeker_is_caught(name: str, peeker: Decider) -> None:
    found = fairness(load(name), peeker, positions=12, seed=3)
    assert found.hidden >= 6
    assert found.leaks


def test_a_player_of_ones_own_cannot_peek() -> None:
    """What it is shown is made up, from its own seed: peeking finds nothing."""
    for peeker in ("Dice", "Cards"):
        player = decider(load("penance-2"), f"{__name__}:{peeker}")
        assert fairness(load("penance-2"), player, positions=12, seed=3).leaks == ()
