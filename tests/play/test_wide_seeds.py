"""Seeds for tables: ChaCha20 on both engines, the same match, and dice that nothing else tells."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from rulewright.engine import Game
from rulewright.ir.link import blank, link
from rulewright.ir.program import RNG_HI, RNG_LO, Program
from rulewright.native import NativeEngine
from rulewright.play.chacha import block
from rulewright.play.chance import commitment, draw_keyed, key_of
from rulewright.play.engine import Engine
from rulewright.play.faults import MatchError
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
from rulewright.play.replay import Replay
from rulewright.testing import lockstep
from serve.tables_kit import program
from small_programs import functions

WIDE = 0xC0FFEE << 200
ENGINES = (ReferenceEngine, NativeEngine)


@pytest.mark.parametrize(
    ("key", "number", "words"),
    [
        # RFC 8439, appendix A.1, test vectors 1, 2, 4 (their nonces are 0)
        (bytes(32), 0, "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"),
        (bytes(32), 1, "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"),
        (b"\0\xff" + bytes(30), 2, "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"),
    ],
)
def test_blocks_are_those_of_the_standard(key: bytes, number: int, words: str) -> None:
    found = b"".join(word.to_bytes(4, "little") for word in block(key, number))
    assert found.hex().startswith(words)


def dice_program() -> Program:
    """Rolls dice of all sizes and writes them down."""
    text = """
def main():
    i = 0
    while i < 64:
        S[24 + i] = rnd(6) + 10 * mix(52)
        i = i + 1
    S[88] = rnd(4294967296) % 1000
    S[89] = mix(3221225473) % 1000
    with ask(0, 0):
        opt(0, 0, 0, 0)
        opt(1, 0, 0, 0)
"""
    return link(blank("dice", (0,) * 80), functions(text))


@pytest.mark.parametrize("seed", [WIDE, 2**64, 2**255 + 12345, 2**256 - 1])
@pytest.mark.parametrize("position", [0, 13, 2**31 - 5, 2**32 - 3, 2**36 - 40, 2**64 - 30])
def test_native_code_draws_the_same(seed: int, position: int) -> None:
    made = dice_program()
    low, high = position & 0xFFFFFFFF, position >> 32
    states: list[bytes] = []
    for make in ENGINES:
        engine = make(made)
        engine.start(1, seed, {})
        for slot, half in ((RNG_LO, low), (RNG_HI, high)):
            engine.poke(slot, half - 2**32 if half >= 2**31 else half)
        engine.advance()
        states.append(engine.state())
    assert states[0] == states[1]
    slots, key = [0] * 24, key_of(seed)
    assert key is not None
    slots[RNG_LO], slots[RNG_HI] = low, high
    told = memoryview(states[0]).cast("i")
    assert [draw_keyed(slots, key, 6), draw_keyed(slots, key, 52)] == [told[24] % 10, told[24] // 10]


def test_every_number_comes_up_as_often() -> None:
    """Without bias where 2**32 is no multiple: three quarters of all words lie in three bins out of three."""
    slots, key, bins = [0] * 24, key_of(WIDE), [0] * 6
    assert key is not None
    for _ in range(12_000):
        bins[draw_keyed(slots, key, 6)] += 1
    assert all(1850 < count < 2150 for count in bins), bins  # 3.7 standard deviations


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


def test_both_engines_stop_by_stop() -> None:
    report = lockstep(program("hands"), (WIDE + n for n in range(5)), handover=3)
    assert report.divergence is None
    assert report.decisions > 50


def test_every_bit_of_the_seed_counts() -> None:
    assert len({played("reference", WIDE ^ 1 << bit, 3).hash for bit in range(0, 200, 20)}) == 10


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_match_goes_on_with_its_own_dice(engine: str) -> None:
    match = played(engine, WIDE, 4)
    restored = Match.restore(program("hands"), match.snapshot(), engine)
    for one in (match, restored):
        while one.decision is not None:
            one.choose(len(one.decision.options) - 2)
    assert match.hash == restored.hash


@pytest.mark.parametrize("make", ENGINES)
def test_the_state_says_nothing_about_the_dice_to_come(make: Callable[[Program], Engine]) -> None:
    """Two seeds, the same state: all that is there but the seed, and other dice follow."""
    state = played("reference", WIDE, 4).engine.state()
    after: set[bytes] = set()
    for seed in (WIDE, WIDE + 1, 7):
        engine = make(program("hands"))
        engine.dice(seed)
        engine.load(state)
        throw = [row[0] for row in engine.options()].index(max(row[0] for row in engine.options()))
        for index in range(throw + 1):
            engine.load(state)
            engine.step(index)
            if engine.peek(RNG_LO) != memoryview(state).cast("i")[RNG_LO]:
                after.add(engine.state())
    assert len(after) == 3


@pytest.mark.parametrize("make", ENGINES)
def test_a_narrow_seed_takes_the_key_away_again(make: Callable[[Program], Engine]) -> None:
    used, fresh = make(program("hands")), make(program("hands"))
    used.start(2, WIDE, {})
    used.advance()
    for engine in (used, fresh):
        engine.start(2, 7, {})
        engine.advance()
    assert used.state() == fresh.state()


def test_numbers_only_matches_take_wide_seeds_and_keep_them_in_copies() -> None:
    state = Game(program("hands")).start(seed=WIDE)
    twin = state.clone()
    for one in (state, twin):
        while one.count:
            one.apply(one.count - 2)
    assert state.hash() == twin.hash()
    match = Match(program("hands"), seed=WIDE)
    while match.decision is not None:
        match.choose(len(match.decision.options) - 2)
    assert match.hash == state.hash()


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
