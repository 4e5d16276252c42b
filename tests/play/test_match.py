"""The public class: decisions, choices, snapshots, replays, undo."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.ir.link import blank, link
from rulewright.ir.program import Program
from rulewright.ir.sheet import ALL
from rulewright.play.match import ChoiceError, Match, MatchError, MatchFault, Option, Result
from rulewright.play.replay import Replay
from small_programs import cards, functions, program

RACE, CARDS = program(), cards()


def play_on(match: Match, seed: int) -> list[object]:
    """Play to the end with random choices; what was seen on the way."""
    chance = random.Random(seed)
    seen: list[object] = []
    while match.decision:
        seen.append((match.decision, match.hash))
        match.choose(chance.randrange(len(match.decision.options)))
    return [*seen, match.result, match.hash]


def test_a_match_from_start_to_end():
    match = Match(RACE, seats=["Ada", "Bo"], seed=3)
    assert match.decision is not None
    assert match.decision.seat == 0
    assert match.decision.prompt == "your turn"
    assert [o.text for o in match.decision.options] == ["add 1", "add 2", "add 3", "roll", "warn"]
    assert match.decision.options[1].things[0].id == 2
    assert match.result is None
    match.choose("Add 3")
    assert match.decision.seat == 1
    match.choose("double 3")
    while match.decision:
        texts = [option.text for option in match.decision.options]
        match.choose(match.decision.options[-1] if "let it be" in texts else 0)
    assert match.result == Result("reached", (1, 0), (1, 2))
    assert match.view(None)["result"] == {"ending": "reached", "scores": [1, 0], "ranks": [1, 2]}
    assert match.describe(match.events[1]) == "Total 0 -> 3 [R-1]"
    assert match.describe(match.events[-1]) == "the match ends: reached, seat 1 wins [Answer]"


@pytest.mark.parametrize("choice", [-1, 5, "fly", "", Option(0, 0, (), "add 1")])
def test_a_refused_choice_changes_nothing(choice: int | str | Option):
    match = Match(RACE)
    before = (match.hash, match.decision, list(match.events), match.replay, match.snapshot())
    with pytest.raises(ChoiceError):
        match.choose(choice)
    assert before == (match.hash, match.decision, list(match.events), match.replay, match.snapshot())


def test_an_option_of_an_earlier_decision_is_refused():
    match = Match(RACE)
    assert match.decision
    stale = match.decision.options[4]
    match.choose(stale)
    with pytest.raises(ChoiceError, match="'warn' is not on offer now"):
        match.choose(stale)


def test_nothing_can_be_chosen_after_the_end():
    match = Match(RACE)
    play_on(match, 1)
    with pytest.raises(ChoiceError, match="the match has ended"):
        match.choose(0)


def test_texts_that_read_alike_need_a_number():
    code = "def main():\n    with ask(0, 0):\n        opt(0, 1, 0, 0)\n        opt(0, 1, 0, 0)\n"
    match = Match(link(blank("same"), functions(code)))
    with pytest.raises(ChoiceError, match="2 options read"):
        match.choose("option 0 1 0 0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 3}, "race is for 2 seats, not 3"),
        ({"seats": ["Ada"]}, "race is for 2 seats, not 1"),
        ({"options": {"Lenght": "long"}}, "no option 'Lenght'; did you mean 'Length'?"),
        ({"options": {"Length": "huge"}}, "option 'Length' cannot be 'huge': use short or long"),
        ({"engine": "steam"}, "there is no engine 'steam'"),
    ],
)
def test_what_a_book_does_not_offer_is_refused(arguments: dict[str, object], message: str):
    with pytest.raises(MatchError) as caught:
        Match(RACE, **arguments)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_options_of_the_match():
    short, long = Match(RACE), Match(RACE, options={"length": "LONG"})
    assert long.options == {"Length": "long"}
    assert short.hash != long.hash


def test_the_same_inputs_give_the_same_match():
    assert play_on(Match(RACE, seed=8), 4) == play_on(Match(RACE, seed=8), 4)
    assert play_on(Match(CARDS, seed=8), 4) == play_on(Match(CARDS, seed=8), 4)
    assert Match(CARDS, seed=8).hash != Match(CARDS, seed=9).hash


@pytest.mark.parametrize("made", [RACE, CARDS], ids=lambda made: made.name)
@pytest.mark.parametrize("seed", range(5))
def test_a_restored_match_goes_on_the_same(made: Program, seed: int):
    chance = random.Random(seed)
    match = Match(made, seed=seed)
    while match.decision:
        back = Match.restore(made, match.snapshot())
        assert back.decision == match.decision
        assert back.hash == match.hash
        assert play_on(back, seed + 1) == play_on(Match.restore(made, match.snapshot()), seed + 1)
        before = Match.restore(made, match.snapshot())
        choice = chance.randrange(len(match.decision.options))
        fresh = len(match.events)
        match.choose(choice)
        before.choose(choice)
        assert before.snapshot() == match.snapshot()
        assert before.events == match.events[fresh:]
    assert Match.restore(made, match.snapshot()).result == match.result


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_snapshot_is_one_clear_error(data: st.DataObject):
    match = Match(RACE, seed=2)
    match.choose(0)
    good = match.snapshot()
    place = data.draw(st.integers(0, len(good) - 1))
    bad = bytearray(good)
    match data.draw(st.sampled_from(("flip", "cut", "grow"))):
        case "flip":
            bad[place] ^= 1 << data.draw(st.integers(0, 7))
        case "cut":
            del bad[place:]
        case _:
            bad.insert(place, data.draw(st.integers(0, 255)))
    if bytes(bad) != good:
        with pytest.raises(MatchError):
            Match.restore(RACE, bytes(bad))


def test_a_snapshot_of_another_program_is_refused():
    with pytest.raises(MatchError, match="another book"):
        Match.restore(CARDS, Match(RACE).snapshot())


def test_replays():
    match = Match(RACE, seats=["Ada", "Bo"], seed=6, options={"Length": "long"})
    play_on(match, 2)
    replay = match.replay
    assert Replay.from_json(replay.to_json()) == replay
    assert replay.verify(RACE) == match.hash
    assert replay.seats == 2
    with pytest.raises(MatchError, match="another version"):
        replay.verify(CARDS)
    with pytest.raises(MatchError, match="choice 1 of the replay takes option 77"):
        replace(replay, choices=(77,)).verify(RACE)
    with pytest.raises(MatchError, match="ended before choice"):
        replace(replay, choices=(*replay.choices, 0)).verify(RACE)
    with pytest.raises(MatchError, match="another state"):
        replace(replay, choices=replay.choices[:-1]).verify(RACE)


@pytest.mark.parametrize(
    "bad", ["", "[]", "{", "{}", '{"format": "rulewright replay 1"}', "null", "[" * 9000]
)
def test_text_that_is_no_replay(bad: str):
    with pytest.raises(MatchError, match="not a replay"):
        Replay.from_json(bad)


def test_a_replay_with_a_wrong_kind_of_value():
    table = json.loads(Match(RACE).replay.to_json())
    with pytest.raises(MatchError, match="expected int, found str"):
        Replay.from_json(json.dumps({**table, "seed": "0"}))


def open_race() -> Program:
    """The race with nothing hidden: its rules look at whether somebody was warned."""
    fields = tuple(replace(field, seen=ALL) for field in RACE.sheet.fields)
    return replace(RACE, sheet=replace(RACE.sheet, fields=fields))


def test_undo_takes_back_what_revealed_nothing():
    hidden = Match(RACE)
    hidden.choose("warn")
    assert not hidden.can_undo  # the rules have looked at a number that nobody sees
    match = Match(open_race())
    start = (match.snapshot(), list(match.events), match.log(1))
    assert not match.can_undo
    match.choose("warn")
    assert match.can_undo
    match.undo()
    assert start == (match.snapshot(), list(match.events), match.log(1))
    with pytest.raises(MatchError):
        match.undo()
    match.choose("add 1")  # now the other seat decides
    assert not match.can_undo


def test_undo_reaches_back_over_several_choices():
    match = Match(CARDS, seed=1)
    start = match.snapshot()
    match.choose("save")
    assert match.can_undo
    match.choose("save")
    assert not match.can_undo  # the turn passed on
    match = Match.restore(CARDS, start)
    match.choose(0)  # a card from the own hand, known before
    match.undo()
    assert match.snapshot() == start


def test_a_draw_cannot_be_undone():
    match = Match(CARDS, seed=1)
    match.choose("take a hidden card")
    assert match.decision
    assert match.decision.seat == 0
    assert not match.can_undo


FAULTY = """
def main():
    S[24] = 5
    while 1:
        with ask(0, 0):
            opt(0, 0, 0, 0)
            opt(1, 0, 0, 0)
        S[24] = S[24] + 1
        if S[9] == 1:
            emit(2, 1, 0, 0, 0, 0)
            fault(6)  # site 1
"""


def test_a_fault_leaves_the_match_where_it_was():
    match = Match(link(blank("faulty", (0,) * 7, sheet=RACE.sheet), functions(FAULTY)))
    match.choose(0)
    before = (match.snapshot(), list(match.events), match.decision)
    with pytest.raises(MatchFault, match=r"race.md:4: Adding: a zone overflowed"):
        match.choose(1)
    assert before == (match.snapshot(), list(match.events), match.decision)
    match.choose(0)


def test_the_bound_of_the_book_ends_a_match():
    match = Match(replace(link(blank("faulty", (0,)), functions(FAULTY)), bound=3))
    for _ in range(3):
        match.choose(0)
    with pytest.raises(MatchFault, match="beyond the bound"):
        match.choose(0)


def test_a_match_that_cannot_start():
    with pytest.raises(MatchFault, match="cannot start: a zone overflowed"):
        Match(link(blank("broken"), functions("def main():\n    fault(6)\n")))
