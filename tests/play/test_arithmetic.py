"""Why, in figures: rules are run once more, the same happens, and every number says what it is."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulewright import Match, Program, load
from rulewright.compiler import compile_book
from rulewright.ir import events as kinds
from rulewright.native import NativeEngine
from rulewright.play.arithmetic import Sentence, _Writer, arithmetic, line_of, looked_back, past
from rulewright.play.instructions import Surroundings, instructions
from rulewright.play.reasons import why_not
from rulewright.play.refusals import ask
from rulewright.play.tallies import Tally
from rulewright.play.terms import DIE, FIELD, Leaf, term
from rulewright.play.tracing import Tracer
from rulewright.shelf import shelf

DUEL = Path(__file__).parents[2] / "bench" / "duel.md"
BOOKS = [entry.name for entry in shelf() if entry.name != "methuen"]

SECRETS = """---
title: Secrets
summary: Two who keep a number to themselves.
seats: 2
bound: 200
---
# Secrets

```rules
Health (Resource) range: 0 to 30; starts: 20
Nerve (Resource) range: 0 to 9; starts: 4; seen by: owner
Points (Resource) range: 0 to 9; starts: 2
Spy (Template) box: 2; seat: each

Match (Sequence)
keeps: [Kept]
1. Set up    put every actor out of play in play
             #Hide on Spy 2
2. Rounds    repeat while [number of actors] = 2: for each actor: #Turn on it

Hide (Effect)
do: [Kept of Match] = secretly 4d4

Turn (Sequence)
1. Act       act until pass

Dare
declare: target = a Spy other than self
do: if 1d6 + [Nerve] >= 3: [Target Health] -= 1d4 + 2

Shout
declare: target = a Spy other than self
requires: [Points] >= 3
do: [Target Health] -= 1

Brag
requires: [Nerve] >= 6
do: [Points] += 1

Taunt
declare: target = a Spy other than self
requires: [Target Nerve] >= 6
do: [Target Health] -= 1

Guess
declare: target = a Spy other than self
requires: [Points] >= [Kept of Match]
do: [Target Health] -= 1

Stab
declare: target = a Spy other than self
do: [Target Health] -= [Kept of Match] + [Points]

Give Up
do: end the match with Quiet

Quiet (Ending)
```
"""


@pytest.fixture(scope="module")
def duel() -> Program:
    return load(DUEL)


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("book") / "secrets.md"
    path.write_text(SECRETS, "utf-8")
    return compile_book(path)


def taken(match: Match, words: str) -> int:
    """Take the option that begins so; the number of the first event after it."""
    happened = len(match.events)
    assert match.decision is not None
    match.choose(next(option for option in match.decision.options if option.text.startswith(words)))
    return happened


def of_kind(match: Match, kind: int, start: int, which: int = 0) -> int:
    return [n for n, event in enumerate(match.events) if event.kind == kind and n >= start][which]


def told(sentences: tuple[Sentence, ...]) -> list[tuple[str, str]]:
    return [(one.text, ", ".join(f"{s.value} {s.what}" for s in one.sources)) for one in sentences]


@pytest.mark.parametrize("name", [str(DUEL), *BOOKS])
def test_the_same_happens_again(name: str) -> None:
    program = load(name)
    for seed in range(2):
        match = Match(program, seed=(seed << 70) + 11, engine=NativeEngine)
        chance = random.Random(seed)
        for _ in range(24):
            if match.decision is None:
                break
            choice = chance.randrange(len(match.decision.options))
            before, payload, happened = match.slots(), match.engine.options()[choice], len(match.events)
            match.choose(choice)
            tracer = Tracer(program, before, match.seed)
            trace = tracer.take(payload)
            assert [tuple(map(int, row)) for row in trace.events] == [
                tuple(e) for e in match.events[happened:]
            ]
            assert tuple(map(int, tracer.slots[: len(match.slots())])) == match.slots()


def test_a_hit_in_figures(duel: Program) -> None:
    match, start = Match(duel, seed=3), 0
    for _ in range(40):
        start = taken(match, "Attack")
        if any(event.kind == kinds.CHANGE and event.a == 0 for event in match.events[start:]):
            break
        assert match.decision is not None
    rolled = [event.b + 1 for event in match.events[start:] if event.kind == kinds.ROLL]
    change = next(
        n for n in range(start, len(match.events)) if match.events[n][0] == 2 and match.events[n][2] == 0
    )
    event = match.events[change]
    who = f"Fighter {event.b + 1}"
    sum_, test = told(arithmetic(match, change, 0))
    loss = rolled[1] + 3
    assert sum_ == (
        f"{rolled[1]} + 3 = {loss}; {event.c} - {loss} = {event.d}",
        f"{event.c} {who}: Health, {rolled[1]} d8, 3 Attack",
    )
    assert test[0] == f"{rolled[0]} + 5 \N{GREATER-THAN OR EQUAL TO} 12: yes"
    assert told(arithmetic(match, of_kind(match, kinds.ROLL, start), 0)) == [test]
    assert test in told(arithmetic(match, of_kind(match, kinds.RULE, start), 0))


def test_modifiers_name_their_rule() -> None:
    """A test of the Raven Road: the die, the attacker's number, the defender's."""
    match = Match(load("raven-road"), seed=2, engine=NativeEngine)
    chance = random.Random(2)
    for _ in range(30):
        if match.decision is not None:
            match.choose(chance.randrange(len(match.decision.options)))
    hits = [
        one
        for number, event in enumerate(match.events)
        if event.kind == kinds.ROLL and event.a == 20
        for one in arithmetic(match, number, 0)
        if one.title == "Hits"
    ]
    assert hits
    what = [source.what.split(": ")[-1] for source in hits[0].sources]
    assert what[:2] == ["d20", "Attack"]
    assert "Defense" in what


def test_what_is_secret_is_not_in_it(secrets: Program) -> None:
    match = Match(secrets, seed=5)
    start = taken(match, "Dare")
    roll = of_kind(match, kinds.ROLL, start)
    assert any("Nerve" in sources for _, sources in told(arithmetic(match, roll, 0)))
    assert told(arithmetic(match, roll, 1)) == []
    assert told(arithmetic(match, roll, None)) == []


def test_the_one_condition_with_its_numbers(secrets: Program) -> None:
    match = Match(secrets, seed=5)
    assert why_not(match, "Shout").told == ("Spy 1: needs 3 Points, Spy 1 has 2",)
    answer = ask(secrets, match.slots(), 0, secrets.functions["legal_a_Dare_1"], 0)
    assert answer is not None
    assert answer.holds
    assert not answer.refusals


def test_a_condition_on_what_is_secret_tells_no_number(secrets: Program) -> None:
    """What a seat hides itself it may read; of what others hide or rolled in secret, nothing."""
    match = Match(secrets, seed=5)
    assert why_not(match, "Brag").told == ("Spy 1: needs 6 Nerve, Spy 1 has 4",)
    for action in ("Taunt", "Guess"):
        (said,) = why_not(match, action).told
        assert not re.search(r"(?<!Spy )\d", said), said


def test_a_sum_with_what_a_rule_keeps_secret_is_for_whoever_may_know_it(secrets: Program) -> None:
    match = Match(secrets, seed=5)
    change = of_kind(match, kinds.CHANGE, taken(match, "Stab"))
    own = told(arithmetic(match, change, 1))
    assert own
    assert own[0][1].startswith("20 Spy 2: Health, ")
    assert told(arithmetic(match, change, 0)) == []
    assert told(arithmetic(match, change, None)) == []


def test_lines_know_their_event(secrets: Program) -> None:
    match = Match(secrets, seed=5)
    taken(match, "Dare")
    for seat in (0, 1, None):
        log = match.log(seat)
        for line, event in enumerate(log):
            assert match.events[match.event_number(seat, line)].kind in (event.kind, kinds.FORCED)
        assert match.event_number(seat, len(log)) == -1


def test_every_instruction_of_the_engine_can_be_followed() -> None:
    """A new one that only the engines know would end every question in an error."""
    program = compile_book(DUEL)
    assert set(instructions(Surroundings([]), [])) <= set(Tracer(program, Match(program).slots()).doing)


TOGETHER = """---
title: At once
seats: 2
---
# At once

```rules
Ada (Actor) seat: 1
Bo (Actor) seat: 2
Gold (Resource) range: 0 to 99; starts: 5
Win (Ending)

Match (Sequence)
1. Play   put Ada in play
          put Bo in play
          together each actor chooses: "dig": [Gold] += 1d6 + 1
                                       "rest": [Gold] += 1
2. Close  end the match with Win won by everyone
```
"""


def test_sums_after_choices_made_at_the_same_time(tmp_path: Path) -> None:
    """The match is played again with whose choice each was; a bonus of 1 is no part of the die."""
    path = tmp_path / "once.md"
    path.write_text(TOGETHER, "utf-8")
    match = Match(compile_book(path), seed=3)
    match.choose(0, 1)
    match.choose(0, 0)
    change = of_kind(match, kinds.CHANGE, 0)
    rolled = next(event.b + 1 for event in match.events if event.kind == kinds.ROLL)
    texts = [text for text, _ in told(arithmetic(match, change, 0))]
    assert f"{rolled} + 1 = {rolled + 1}; 5 + {rolled + 1} = {rolled + 6}" in texts


def rolls_of(name: str, seed: int, choices: int) -> list[tuple[Match, Tally]]:
    """The rolls of a match that is played by chance, each with the match as it was then."""
    match, chance = Match(load(name), seed=seed, engine=NativeEngine), random.Random(seed)
    found: list[tuple[Match, Tally]] = []
    for _ in range(choices):
        if match.decision is None:
            break
        happened = len(match.events)
        match.choose(chance.randrange(len(match.decision.options)))
        if any(event.kind in (kinds.ROLL, kinds.CARD) for event in match.events[happened:]):
            found += [(match, tally) for tally in looked_back(past(match), happened, 0).tallies]
    return found


def faces(match: Match, tally: Tally) -> list[tuple[int, int]]:
    """What each die shows, and its part."""
    log = match.log(0)
    return [(log[line].b + 1, part) for line, part in tally.dice]


def test_dice_of_a_pool_count_by_their_faces() -> None:
    pools = [(m, t) for m, t in rolls_of("vigil", 8, 40) if "Successes" in t.text]
    assert len(pools) > 6
    for match, tally in pools:
        for face, part in faces(match, tally):
            assert part == (1 if face >= 8 else -1 if face == 1 and "Botches" in tally.text else 0)
        counted = sum(part > 0 for _, part in faces(match, tally))
        assert re.match(rf"Successes {counted}\b", tally.text)
    plain = [
        (made[1], test[1])
        for _, tally in pools
        if (made := re.fullmatch(r"Successes (\d+)", tally.text))
        and (test := re.fullmatch(r"(\d+) against \d+", tally.against))
    ]
    # Its own sum stands first, also where somebody else's roll is tested against it.
    assert len(plain) > 1
    assert all(made == own for made, own in plain), plain


def test_a_die_and_a_number_against_another() -> None:
    tallies = [tally for _, tally in rolls_of("raven-road", 5, 12)]
    sums = [re.fullmatch(r"(\d+) \+ (\d+) = (\d+) against (\d+)", tally.against) for tally in tallies]
    found = [[int(part) for part in one.groups()] for one in sums if one]
    assert found
    assert all(die + more == total for die, more, total, _ in found)


def test_words_on_dice_and_cards_that_are_turned_up() -> None:
    jams = [(m, t) for m, t in rolls_of("penance-2", 5, 160) if {part for _, part in t.dice} == {0, 1}]
    assert any(match.program.sheet.dice and tally.against for match, tally in jams)
    flips = [(m, t) for m, t in rolls_of("p52", 5, 60) if m.log(0)[t.dice[0][0]].kind == kinds.CARD]
    assert flips
    assert all(" against " in tally.against for _, tally in flips)


def test_what_is_hidden_stays_out_of_a_tally(secrets: Program) -> None:
    match = Match(secrets, seed=3)
    start = taken(match, "Dare")
    own, other = (looked_back(past(match), start, seat).tallies for seat in (0, 1))
    assert [tally.against for tally in own if tally.against]
    assert not [tally.against for tally in other if tally.against]


def test_a_loss_that_something_lessens_is_told_the_right_way_round() -> None:
    first, by, less = Leaf(1, term(7, FIELD, "HP"), 0), Leaf(-1, term(6, DIE, "d6"), 0), Leaf(1, 1, 0)
    writer = object.__new__(_Writer)
    assert writer.summed([first, by, less], 2) == "6 - 1 = 5; 7 - 5 = 2"


def test_lines_and_events_are_numbered_there_and_back(secrets: Program) -> None:
    match = Match(secrets, seed=3)
    taken(match, "Dare")
    for seat in (None, 0, 1):
        lines = [line_of(match, seat, event) for event in range(len(match.events) + 1)]
        assert [line for line in lines if line >= 0] == list(range(match.logged(seat)))
        assert all(match.event_number(seat, line) == event for event, line in enumerate(lines) if line >= 0)
        assert lines[-1] == -1
