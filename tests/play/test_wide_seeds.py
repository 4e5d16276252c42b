"""Seeds for tables: the same match on both engines, and dice that do not follow from those before."""

from __future__ import annotations

import dataclasses

import pytest

from rulewright.ir.program import RNG_HI, RNG_LO
from rulewright.play.chance import commitment, step_seed
from rulewright.play.faults import MatchError
from rulewright.play.match import Match
from rulewright.play.replay import Replay
from serve.tables_kit import program

WIDE = 0xC0FFEE << 200


def played(engine: str, seed: int, choices: int = 30) -> Match:
    match = Match(program("hands"), seed=seed, engine=engine)
    for number in range(choices):
        if match.decision is None:
            break
        match.choose(number % len(match.decision.options))
    return match


@pytest.mark.parametrize("seed", [WIDE, WIDE + 1, 2**64, 2**256 - 1])
def test_both_engines_play_the_same(seed: int) -> None:
    one, other = played("reference", seed), played("native", seed)
    assert one.hash == other.hash
    assert one.replay == other.replay
    again = Replay.from_json(one.replay.to_json())
    assert again.seed == seed
    assert again.verify(program("hands"), "native") == one.hash == again.verify(program("hands"))
    restored = Match.restore(program("hands"), one.snapshot())
    assert restored.seed == seed


def test_every_bit_of_the_seed_counts() -> None:
    assert len({played("reference", WIDE ^ 1 << bit, 3).hash for bit in range(0, 200, 20)}) == 10
    assert step_seed(WIDE, 1) != step_seed(WIDE, 2) != step_seed(WIDE + 1, 2)


def test_dice_after_a_choice_do_not_follow_from_the_state_before() -> None:
    """Whoever knows all of the state, but not the seed, cannot play it on."""
    match = played("reference", WIDE, 4)
    blind = Match.restore(program("hands"), match.snapshot())
    blind.seed, blind._wide = 7, False
    match.choose(0)
    blind.choose(0)
    assert (match.slots()[RNG_LO], match.slots()[RNG_HI]) != (blind.slots()[RNG_LO], blind.slots()[RNG_HI])


def test_a_wrong_choice_changes_no_dice() -> None:
    match = played("reference", WIDE, 3)
    before = match.hash
    with pytest.raises(MatchError):
        match.choose(999)
    assert match.hash == before


@pytest.mark.parametrize("seed", [2**256, -(2**63) - 1, 2**300])
def test_seeds_have_an_end(seed: int) -> None:
    with pytest.raises(MatchError):
        Match(program("hands"), seed=seed)


def test_a_commitment_fits_one_seed() -> None:
    assert len({commitment(seed) for seed in (WIDE, WIDE + 1, 7, -7, 2**256 - 1)}) == 5
    replay = played("reference", WIDE).replay
    with pytest.raises(MatchError):
        dataclasses.replace(replay, seed=WIDE + 1).verify(program("hands"))
