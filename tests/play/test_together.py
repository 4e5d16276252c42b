"""Choosing at the same time: in any order, nothing shines through, the same state after all."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.ir import events as kinds
from rulewright.ir.program import FOCUS, TOGETHER, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.faults import ChoiceError, MatchError, MatchFault
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
from rulewright.play.together import seated, unseated
from rulewright.players.bots import position, think

BLUFF = Path(__file__).parent.parent / "bluff"
Maker = type[ReferenceEngine] | type[NativeEngine]
ENGINES: tuple[Maker, ...] = (ReferenceEngine, NativeEngine)
WIDE = 2**200 + 17


@cache
def signs() -> Program:
    return compile_book(BLUFF / "signs.md")


def book(text: str, path: Path) -> Program:
    (path / "book.md").write_text(text)
    return compile_book(path / "book.md")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", [3, WIDE])
def test_the_state_is_told_by_who_chose_what(engine: Maker, seed: int):
    known: dict[frozenset[int], int] = {}
    for order in permutations(range(3)):
        match = Match(signs(), seats=3, seed=seed, engine=engine)
        for seat in order:
            assert match.decision
            assert seat in match.decision.seats
            mine = match.decision_of(seat)
            assert mine
            assert (mine.seat, mine.actor) == (seat, seat)
            match.choose((seat + 1) % 3, seat)
            made = frozenset(match.replay.choices)
            assert known.setdefault(made, match.hash) == match.hash
            assert match.replay.verify(match.program, engine) == match.hash
            again = Match.restore(match.program, match.snapshot(), engine)
            assert again.hash == match.hash
            assert again.decision == match.decision
    assert len(known) == 7


@pytest.mark.parametrize("engine", ENGINES)
def test_nobody_learns_what_another_has_chosen_meanwhile(engine: Maker):
    """Whatever a seat chose, everything that the others receive is the same until all have chosen."""
    for first in range(3):
        for reader in (None, *range(3)):
            told: list[object] = []
            for option in range(3):
                match = Match(signs(), seats=3, seed=1, engine=engine)
                match.choose(option, first)
                if reader == first:
                    continue
                told.append(
                    (
                        match.view(reader),
                        [match.describe(event) for event in match.log(reader)],
                        None if reader is None else match.decision_of(reader),
                        None if reader is None else position(match, reader),
                    )
                )
            assert all(one == told[0] for one in told)


@pytest.mark.parametrize("engine", ENGINES)
def test_all_is_told_together_and_then_follows(engine: Maker):
    match = Match(signs(), seats=2, seed=1, engine=engine)
    match.choose("Shears", 1)
    before = [e.kind for e in match.log(0)]
    assert kinds.CHOSEN not in before
    assert before[-1] == kinds.READY
    match.choose("Stone", 0)
    for seat in (None, 0, 1):
        lines = [(e.kind, e.by) for e in match.log(seat)][len(before) :]
        assert lines[:3] == [(kinds.READY, 0), (kinds.CHOSEN, 0), (kinds.CHOSEN, 1)]
        assert "Player 1: Coins 5 -> 4" in " ".join(match.describe(e) for e in match.log(seat))
    # Bids go straight into something hidden: nobody is told, even when all are in.
    match.choose(3, 0)
    match.choose(2, 1)
    for seat in (None, 0, 1):
        bids = [e for e in match.log(seat) if e.kind == kinds.CHOSEN][2:]
        assert [e.by for e in bids] == [0, 1]
        assert [e.a >= 0 for e in bids] == [e.by == seat for e in bids]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", [3, WIDE])
def test_an_answer_is_taken_back_until_all_have_chosen(engine: Maker, seed: int):
    match = Match(signs(), seats=3, seed=seed, engine=engine)
    begun = match.hash
    match.choose(1, 2)
    match.choose(0, 1)
    assert [match.may_undo(seat) for seat in range(3)] == [False, True, True]
    with pytest.raises(MatchError):
        match.undo(0)
    match.undo(2)
    assert [e.by for e in match.log(None) if e.kind == kinds.READY] == [1]
    assert match.decision
    assert match.decision.seats == (0, 2)
    assert match.replay.verify(match.program, engine) == match.hash
    match.undo(1)
    assert match.hash == begun
    for seat in range(3):
        match.choose(0, seat)
    assert not any(match.may_undo(seat) for seat in range(3))


@pytest.mark.parametrize("engine", ENGINES)
def test_who_has_chosen_and_who_is_not_asked_is_refused(engine: Maker):
    match = Match(signs(), seats=2, seed=1, engine=engine)
    match.choose(1, 1)
    hash_ = match.hash
    for seat, choice in ((1, 1), (7, 0), (0, 3), (-1, 0), (0, seated(1, 0) + 99)):
        with pytest.raises(ChoiceError):
            match.choose(choice, seat)
    with pytest.raises(ChoiceError):
        match.choose(seated(1, 0))
    assert match.hash == hash_
    assert match.engine.peek(FOCUS) == 0
    assert unseated(seated(5, 17)) == (5, 17)
    assert unseated(17) == (None, 17)


def test_a_seat_with_several_answers_for_each_and_a_single_option_is_asked_for(tmp_path: Path):
    match, chance = Match(signs(), seats=2, seed=1), random.Random(4)
    single = False
    while match.decision and match.decision.prompt != "Match":
        seat = chance.choice(match.decision.seats)
        mine = match.decision_of(seat)
        assert mine
        single |= len(mine.options) == 1
        match.choose(chance.randrange(len(mine.options)), seat)
    assert single
    # Bands: two a seat, one after the other.
    asked: list[int] = []
    while match.decision:
        mine = match.decision_of(match.decision.seats[-1])
        assert mine
        asked.append(mine.actor)
        match.choose(mine.options[0], mine.seat)
    assert len(asked) == len(set(asked)) == 4


RECURSIVE = """---
title: Round
seats: 2
bound: 50
---
```rules
Coins (Resource)
Player (Template) box: 2; seat: each
Ghost (Actor)
Done (Ending)
Match (Sequence)
1. Seats   put every Player out of play in play
           put Ghost in play
2. Go      #Start on Player 1
3. Close   end the match with Done, a draw

Start (Effect)
do: perform Ask

Ask (Action)
do: together each actor chooses: "pass": [Coins] += 1
                                 "end": end the match with Done won by self
                                 "again": perform Ask
```
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_what_follows_may_end_the_match_but_not_ask_the_same_again(engine: Maker, tmp_path: Path):
    program = book(RECURSIVE.replace('"again": perform Ask', ""), tmp_path)
    match = Match(program, engine=engine)
    match.choose("pass", 1)
    match.choose("end", 0)
    assert match.result
    assert match.result.scores == (1, 0)
    # The ghost has no seat: it takes the first option when its time comes.
    match = Match(program, engine=engine)
    match.choose("pass", 0)
    match.choose("pass", 1)
    assert match.result
    assert [e.by for e in match.events if e.kind == kinds.CHOSEN] == [0, 1, -1]
    match = Match(book(RECURSIVE, tmp_path), engine=engine)
    match.choose("again", 0)
    state = match.hash
    match.choose("pass", 1)
    match.choose("pass", 0)
    with pytest.raises(MatchFault):
        match.choose("pass", 1)
    assert state != match.hash
    assert match.engine.peek(FOCUS) == 0
    assert match.engine.peek(TOGETHER)


def generated(chance: random.Random) -> str:
    """A book of random choices at the same time, each with what follows."""

    def follows() -> str:
        return chance.choice(
            [
                "[A] += 1",
                "[B] = [A] + 1d4",
                "if [A] > 2: [B] -= 1",
                "#Deeper on self",
                "for each other Player: [A of it] += 1",
                "#Ponder on self",
            ]
        )

    def statement() -> str:
        who = chance.choice(["each Player", "each Player where [A] < 3", "each actor with highest [B]"])
        how = chance.choice(["chooses", "secretly chooses"])
        return chance.choice(
            [
                f"together {who} {how} a Sign: set Mark to it, {follows()}",
                f"together {who} {how} a number [N] from 0 to [A]: [B] = [N], {follows()}",
                f'together {who} {how}: "one" if [B] > 0: {follows()}\n'
                f'                                "two": {follows()}',
                f"repeat 2 times: together {who} {how} a number [N] from 1 to 2: [Hid] = [N]",
            ]
        )

    steps = "\n".join(f"{k + 2}. S{k}      {statement()}" for k in range(4))
    return (
        "---\ntitle: Made\nseats: 2-3\nbound: 300\n---\n```rules\nA (Resource) range: 0 to 6\n"
        "B (Resource) range: 0 to 6\nHid (Resource) seen by: owner\nSign (List) words: Up, Down\n"
        "Mark (Resource) holds: Sign\nPlayer (Template) box: 3; seat: each\nGhost (Actor)\nDone (Ending)\n"
        "Match (Sequence)\n1. Seats   put every Player out of play where it has a seat in play\n"
        f"           put Ghost in play\n{steps}\n6. Close   end the match with Done won by every Player "
        "with highest [B]\nDeeper (Effect)\ndo: together each Player chooses a number [M] from 0 to 1:"
        ' [A] += [M]\nPonder (Effect)\ndo: choose: "x": [A] += 2\n            "y": [B] += 1\n```\n'
    )


def lockstep(seed: int, path: Path, matches: int) -> int:
    """One book on both engines, answered in different orders: the same states, the same logs."""
    chance = random.Random(seed)
    program = book(generated(chance), path)
    made = 0
    for number in range(matches):
        seats = chance.randint(2, 3)
        one, other = (Match(program, seats, number, engine=engine) for engine in ENGINES)
        while one.decision:
            gathered = list(one.decision.seats)
            assert other.decision == one.decision
            answers = {}
            number_now = one.engine.peek(TOGETHER), one.engine.peek(one.engine.peek(TOGETHER) + 1)
            for seat in gathered:
                mine = one.decision_of(seat)
                assert mine == other.decision_of(seat)
                assert mine
                answers[seat] = chance.randrange(len(mine.options))
            for match in (one, other):
                for seat in chance.sample(gathered, len(gathered)):
                    match.choose(answers[seat], seat)
                    if (match.engine.peek(TOGETHER), match.engine.peek(number_now[0] + 1)) != number_now:
                        break
            made += len(gathered)
            assert one.hash == other.hash
        assert one.result == other.result
        for seat in (None, *range(seats)):
            kept = [
                [match.describe(e) for e in match.log(seat) if e.kind != kinds.READY]
                for match in (one, other)
            ]
            assert kept[0] == kept[1]
        assert one.replay.verify(program, NativeEngine) == one.hash
    return made


@pytest.mark.parametrize("seed", range(4))
def test_generated_books_stay_in_lockstep(seed: int, tmp_path: Path):
    assert lockstep(seed, tmp_path, 12) > 20


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 200))
def test_generated_books_stay_in_lockstep_at_length(seed: int, tmp_path: Path):
    assert lockstep(seed, tmp_path, 60) > 100


@pytest.mark.parametrize("engine", ENGINES)
def test_bots_choose_among_what_they_are_offered(engine: Maker):
    match = Match(signs(), seats=4, seed=2, engine=engine)
    while match.decision:
        seat = match.decision.seats[-1]
        match.choose(think(match, "random", seat), seat)
    assert match.result
