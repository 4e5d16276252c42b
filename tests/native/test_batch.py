"""Batches: the same for any number of workers, the same as the reference, flat in memory."""

from __future__ import annotations

import struct
import sys
import threading

import pytest

from bench.duel_program import MOVES, duel
from bench.exact import solve
from engines.generate import program
from rulewright.ir.program import DECISIONS, ENDED, FAULTED, RNG_LO, SEAT, STATUS, Program
from rulewright.native import NativeEngine, Runner, Tally, batch, play_batch, result_columns
from rulewright.native.entries import PLAYER_SALT, player_seed
from rulewright.play.chance import GAMMA, MASK, draw, signed
from rulewright.play.engine import opening
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine


def start(made: Program, seats: int = 2) -> bytes:
    state = opening(made, seats, 0, {})
    return struct.pack(f"<{len(state)}i", *state)


def reference_row(
    made: Program, seed: int, slots: tuple[int, ...], policies: tuple[int, ...] = ()
) -> list[int]:
    """What a match of a batch must come to, played by the reference with the same random player."""
    engine = ReferenceEngine(made)
    engine.start(2, seed, {})
    player = player_seed(seed)
    stream = [0] * 5
    stream[3:] = signed(player & 0xFFFFFFFF), signed(player >> 32)
    try:
        engine.advance()
        while engine.peek(STATUS) == 1:
            seat = engine.peek(SEAT)
            if 0 <= seat < len(policies) and policies[seat]:
                pick = with_stream(engine, stream, policies[seat])
            else:
                count = len(engine.options())
                pick = draw(stream, count) if count > 1 else 0
            engine.choose(pick)
            engine.advance()
    except Fault:
        pass
    return [engine.peek(slot) for slot in slots]


def with_stream(engine: ReferenceEngine, stream: list[int], policy: int) -> int:
    """A policy draws from the player's stream, not from the dice."""
    engine.options()
    for own, slot in ((3, RNG_LO), (4, RNG_LO + 1)):
        held = engine._slots[slot]  # `poke` would forget the options
        engine._slots[slot], stream[own] = stream[own], held
    pick = engine.functions[engine.program.policies[policy - 1]]()
    for own, slot in ((3, RNG_LO), (4, RNG_LO + 1)):
        held = engine._slots[slot]
        engine._slots[slot], stream[own] = stream[own], held
    return pick


@pytest.mark.parametrize("policies", [(), (1,), (0, 1)])
@pytest.mark.parametrize("seed", [None, 3, 7, 8])
def test_rows_are_what_the_reference_plays(seed: int | None, policies: tuple[int, ...]):
    made = duel() if seed is None else program(seed, wild=seed == 7)
    slots = tuple(range(5, 40))
    runner = Runner(made, {str(slot): slot for slot in slots}, policies)
    rows: list[int] = []
    runner.run(start(made), 30, 1000, lambda first, piece: rows.extend(piece))
    for match in range(30):
        row = rows[match * len(slots) : (match + 1) * len(slots)]
        assert row == reference_row(made, 1000 + match, slots, policies), f"match {match}"


def unmixed(z: int) -> int:
    """The number that `finalize` turns into this one."""
    z ^= z >> 31 ^ z >> 62
    z = z * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    z ^= z >> 27 ^ z >> 54
    z = z * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return z ^ z >> 30 ^ z >> 60


@pytest.mark.parametrize("low", [0, 1, 2**31, 2**32 - 1])
def test_the_random_player_draws_again_where_a_number_would_be_unfair(low: int):
    """Once in 2**32 draws among three options, so the seed is made for it: its first number begins with
    32 zeros."""
    state = (unmixed(low) - GAMMA) & MASK
    seed = unmixed(state) ^ PLAYER_SALT
    assert player_seed(seed) == state
    stream = [0, 0, 0, signed(state & 0xFFFFFFFF), signed(state >> 32)]
    draw(stream, 3)
    drawn = (stream[RNG_LO] & 0xFFFFFFFF) | (stream[RNG_LO + 1] & 0xFFFFFFFF) << 32
    assert drawn == (state + 2 * GAMMA) & MASK
    made, slots = duel(), tuple(result_columns(duel(), 2).values())
    runner = Runner(made, result_columns(made, 2))
    rows: list[int] = []
    runner.run(start(made), 3, seed, fold=lambda _, found: rows.extend(found))
    expected = [reference_row(made, (seed + k) & MASK, slots) for k in range(3)]
    assert rows == [value for row in expected for value in row]


def test_recording_changes_nothing_but_the_time():
    made = duel()
    columns = result_columns(made, 2)
    quiet, loud = (Runner(made, columns, record=record).run(start(made), 500, 3) for record in (False, True))
    assert quiet == loud


def test_any_number_of_workers_gives_the_same():
    def played(workers: int) -> tuple[Tally, list[int], list[int]]:
        rows: list[int] = []
        firsts: list[int] = []

        def fold(first: int, piece: memoryview) -> None:
            firsts.append(first)
            rows.extend(piece)

        made = play_batch(duel(), 5000, seed=77, workers=workers, fold=fold)
        return made, rows, firsts

    one, two, eight = played(1), played(2), played(8)
    assert one[0] == two[0] == eight[0]
    assert one[1] == two[1] == eight[1]
    assert all(firsts == sorted(firsts) for _, _, firsts in (one, two, eight))
    assert len(one[1]) == 5000 * len(one[0].columns)


def test_a_batch_is_the_sum_of_its_parts():
    whole = play_batch(duel(), 3000, seed=5)
    assert play_batch(duel(), 1000, seed=5) + play_batch(duel(), 2000, seed=1005) == whole
    assert whole.matches == 3000
    assert whole.count("status", ENDED) == 3000
    assert whole.count("score 0", 1) + whole.count("score 1", 1) == 3000


def test_tallies_are_what_the_rows_say():
    rows: list[int] = []
    made = play_batch(duel(), 400, fold=lambda first, piece: rows.extend(piece))
    names = list(made.columns)
    for k, name in enumerate(names):
        column = rows[k :: len(names)]
        found = made.columns[name]
        assert found.total == sum(column)
        assert found.squares == sum(value * value for value in column)
        assert (found.least, found.greatest) == (min(column), max(column))
        assert all(found.bins[v] == column.count(v) for v in range(len(found.bins)))
    mean = sum(rows[2 :: len(names)]) / 400
    assert made.mean("decisions") == mean
    spread = sum((value - mean) ** 2 for value in rows[2 :: len(names)]) / 400
    assert made.deviation("decisions") == pytest.approx(spread**0.5)


def test_faults_are_results_not_errors():
    made = play_batch(duel(bound=20), 1000)
    assert 0 < made.count("status", FAULTED) < 1000
    assert made.count("status", FAULTED) + made.count("status", ENDED) == 1000
    assert made.count("fault", 1) == made.count("status", FAULTED)


def test_policies_play_their_seats():
    attacker = play_batch(duel(), 2000, policies=(1, 0))
    assert attacker.share("score 0", 1) > 0.8
    assert play_batch(duel(), 2000, policies=(0, 1)).share("score 0", 1) < 0.3


@pytest.mark.parametrize("policies", [(2,), (-1,), (0,) * 40])
def test_unknown_policies_are_refused(policies: tuple[int, ...]):
    with pytest.raises(ValueError, match="policies"):
        play_batch(duel(), 10, policies=policies)


def test_a_batch_can_begin_anywhere():
    engine = NativeEngine(duel())
    engine.start(2, 3, {})
    engine.advance()
    engine.poke(25, 1)
    made = Runner(duel(), {"win": 30}).run(engine.state(), 2000, 0)
    assert made.share("win", 1) > 0.8
    engine.playout(1)
    with pytest.raises(ValueError, match="over"):
        Runner(duel(), {"win": 30}).run(engine.state(), 10, 0)


def test_columns_must_be_slots():
    with pytest.raises(ValueError, match="slot"):
        Runner(duel(), {"far": 10**6})


def test_progress_is_told_and_can_stop():
    seen: list[tuple[int, int]] = []
    play_batch(duel(), 3000, workers=2, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (3000, 3000)
    assert seen == sorted(seen)

    def enough(done: int, total: int) -> None:
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        play_batch(duel(), 10**9, workers=2, progress=enough)
    assert threading.active_count() <= before + 2


def test_other_numbers_for_the_same_code():
    short = play_batch(duel(), 500, params=(5, 3, 5, 12, 14, 3))
    assert short.mean("decisions") < 10


def test_memory_does_not_grow_with_the_matches():
    import resource

    play_batch(duel(), 20_000, workers=2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    play_batch(duel(), 1_000_000, workers=2, fold=lambda first, piece: None)
    scale = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * scale < 16_000_000


def test_the_duel_comes_out_as_computed():
    """Two million matches against dynamic programming; five standard errors either way."""
    wins, moves = solve()
    assert round(wins, 6) == 0.539989
    assert round(moves, 4) == 27.8908
    count = 2_000_000
    columns = result_columns(duel(), 2) | {"moves": MOVES}
    made = Runner(duel(), columns, workers=2).run(start(duel()), count, 42)
    assert made.share("score 0", 1) == pytest.approx(wins, abs=5 * (wins * (1 - wins) / count) ** 0.5)
    assert made.mean("moves") == pytest.approx(moves, abs=5 * made.deviation("moves") / count**0.5)


def test_control_one_point_of_armour_would_be_seen():
    count = 200_000
    runner = Runner(duel(), {"moves": MOVES}, params=(30, 3, 5, 13, 14, 3), workers=2)
    made = runner.run(start(duel()), count, 42)
    assert abs(made.mean("moves") - solve()[1]) > 20 * made.deviation("moves") / count**0.5


def test_pieces_grow_with_speed():
    assert batch._next_size(16, 0.001) == 32
    assert batch._next_size(100, 2.0) == 10
    assert batch._next_size(1, 100.0) == 1
    assert batch._next_size(10**6, 0.0001) == batch.LARGEST_PIECE


def test_decisions_are_counted():
    assert result_columns(duel(), 2)["decisions"] == DECISIONS
