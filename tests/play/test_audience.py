"""Who may read an event is settled when it happens, and closed unless the table of kinds opens it."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from rulewright.cli.sheets import Sheets
from rulewright.compiler import compile_book
from rulewright.ir import events as kinds
from rulewright.ir.events import EVERYBODY, KINDS, Event
from rulewright.ir.link import blank, link
from rulewright.ir.program import Program
from rulewright.native.engine import NativeEngine
from rulewright.play.knowledge import NOBODY, UNKNOWN_CARD, as_read
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
from small_programs import functions

BLUFF = Path(__file__).parent.parent / "bluff"
Maker = type[ReferenceEngine] | type[NativeEngine]
ENGINES: tuple[Maker, ...] = (ReferenceEngine, NativeEngine)

LEAK = """---
title: Leak
seats: 2
---
# Leak

```rules
Ada (Actor) seat: 1
Bo (Actor) seat: 2
Guard (Resource) starts: 3
Bluff (Resource) seen by: owner; starts: 5

Brace (Feature)
modify: [Guard] +[Bluff]

Win (Ending)

Match (Sequence)
1. Play   put Ada in play
          put Bo in play
          Ada chooses: "a": say "x"
                       "b": say "y"
2. Close  end the match with Win won by everyone
```
"""


@cache
def book(name: str) -> Program:
    return compile_book(BLUFF / f"{name}.md")


def played(name: str, seed: int, engine: Maker, seats: int = 2) -> Match:
    match, chance = Match(book(name), seats=seats, seed=seed, engine=engine), random.Random(seed)
    while match.decision:
        match.choose(chance.randrange(len(match.decision.options)))
    return match


def lines(match: Match, seat: int | None) -> list[str]:
    return [match.describe(event) for event in match.log(seat)]


@pytest.mark.parametrize("engine", ENGINES)
def test_dice_under_a_cup_are_seen_by_their_owner(engine: Maker):
    for seed in range(6):
        match = played("cups", seed, engine)
        for seat in (None, 0, 1):
            early = [e for e in match.log(seat) if e.kind == kinds.ROLL][:-1]
            assert len(early) == (0 if seat is None else 1)
            assert any(f"Player {1 - (seat or 0) + 1}: Cup" in text for text in lines(match, seat)) is False
        bank = [match.log(seat)[-3] for seat in (None, 0, 1)]
        assert bank[0].kind == kinds.ROLL
        assert bank[0] == bank[1] == bank[2]


@pytest.mark.parametrize("engine", ENGINES)
def test_words_and_numbers_that_go_into_a_hidden_place_are_chosen_in_secret(engine: Maker):
    for seed in range(8):
        match = played("cups", seed, engine)
        for seat in (None, 0, 1):
            chosen = [e for e in match.log(seat) if e.kind in (kinds.CHOSEN, kinds.FORCED)]
            assert [e.by for e in chosen] == [0, 0, 1, 1]
            assert [e.a >= 0 for e in chosen] == [e.by == seat for e in chosen]
        assert "Tally" not in " ".join(lines(match, 0))


def test_a_forced_choice_looks_like_a_free_one_to_the_others():
    forced = 0
    for seed in range(24):
        match = played("orders" if seed % 4 == 0 else "cups", seed, ReferenceEngine)
        raw = [e for e in match.events if e.kind == kinds.FORCED]
        forced += len(raw)
        for seat in (None, 0, 1):
            assert {e.by for e in match.log(seat) if e.kind == kinds.FORCED} <= {seat}
    assert forced > 12, "no cup had a 1"


@pytest.mark.parametrize("engine", ENGINES)
def test_cards_are_named_by_what_a_seat_knew_then(engine: Maker):
    """Shown to all and then shuffled away: it was read by all. Drawn in secret, shown later: it was not."""
    for seed in range(6):
        match = played("orders", seed, engine)
        for seat in (None, 0, 1):
            moves = [
                e for e in match.log(seat) if (e.kind == kinds.CARD and e.b == 0) or e.kind == kinds.CARD
            ]
            table = [e for e in moves if match.describe(e).split(" [")[0].endswith("to Table")]
            assert table[0].a >= 0
            drawn = [e for e in moves if "from Deck" in match.describe(e) and e.d >= 0]
            assert len(drawn) == 4
            for event in drawn:
                assert (event.a >= 0) == (event.d == seat)
            shown = [e for e in match.log(seat) if e.kind == kinds.REVEAL]
            assert shown
            assert all(e.a >= 0 for e in shown)


def test_what_a_seat_reads_does_not_tell_who_else_does():
    """Only whether a card was kept from the reader."""
    match = played("orders", 1, ReferenceEngine)
    for seat in (None, 0, 1):
        log = match.log(seat)
        assert {e.who for e in log} == {EVERYBODY}
        kept = {e for e in log if e.knows != EVERYBODY}
        assert kept
        assert {e.knows for e in kept} == {NOBODY}
        assert all(UNKNOWN_CARD in e[2:6] for e in kept)


def test_a_kind_that_nobody_classified_is_hidden_and_not_undoable():
    text = """
def main():
    k = 0
    while k < 3:
        with ask(0, 0):
            opt(0, 1, 0, 0)
            opt(0, 2, 0, 0)
        emit(KIND, 0, 7, 7, 7, 7)
        k = k + 1
    return 0
"""
    for kind, free in ((9, True), (99, False)):
        match = Match(link(blank("new", (0,) * 4), functions(text.replace("KIND", str(kind)))), seats=1)
        match.choose(0)
        assert match.can_undo is free
        assert [e.kind for e in match.log(0)] == ([kinds.CHOSEN, 9] if free else [kinds.CHOSEN])
    assert as_read(match.program, Event(99, 0, 1, 1, 1, 1, -1, EVERYBODY, EVERYBODY), 0) is None


def test_every_kind_is_in_the_table():
    named = {value for name, value in vars(kinds).items() if name.isupper() and type(value) is int}
    numbers = named - {kinds.PUBLIC, kinds.EVERYBODY, kinds.MOST_SEATS}
    assert set(KINDS) == numbers
    assert [row["name"] for row in kinds.table()][:2] == ["FORCED", "CHANGE"]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_terminal_shows_no_more_than_the_view(engine: Maker, tmp_path: Path):
    path = tmp_path / "leak.md"
    path.write_text(LEAK)
    match = Match(compile_book(path), engine=engine)
    for seat, guards in ((0, {"Guard 8", "Guard 3"}), (None, {"Guard 3"})):
        drawn = Sheets(match, match.view(seat), match.slots()).lines(100, 50)
        text = "\n".join(line.plain for line in drawn)
        assert {word for word in ("Guard 8", "Guard 3") if word in text} == guards


@pytest.mark.parametrize("engine", ENGINES)
def test_equal_winners_share_and_twelve_can_sit_down(engine: Maker, tmp_path: Path):
    path = tmp_path / "many.md"
    path.write_text(
        "---\ntitle: Many\nseats: 12\n---\n# Many\n\n```rules\nPlayer (Template) box: 12; seat: each\n"
        "Points (Resource)\n"
        "Win (Ending)\nMatch (Sequence)\n1. Play   put every Player out of play in play\n"
        '          for each Player: it chooses: "one": [Points of it] = 1\n'
        '                                       "two": [Points of it] = 2\n'
        "2. Close  end the match with Win won by Players where [Points] = 2\n```\n"
    )
    match = Match(compile_book(path), engine=engine)
    for seat in range(12):
        match.choose(seat % 2)
    assert match.result
    assert match.result.scores == (0, 1) * 6
    cups = played("cups", 3, engine, 4)
    most = [actor["fields"]["Cup"] for seat, actor in enumerate(cups.view(0)["actors"]) if seat == 0]
    best = [cups.view(seat)["actors"][seat]["fields"]["Cup"] for seat in range(4)]
    assert most == best[:1]
    assert cups.result
    assert cups.result.scores == tuple(int(value == max(best)) for value in best)
