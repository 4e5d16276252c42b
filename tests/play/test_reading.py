"""Sheets show numbers as the rules read them, and never tell more than the seat knows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.play.match import Match
from rulewright.play.view import view

BOOK = """---
title: Readings
seats: 2
cards: 20
bound: 500
---

```rules
Health (Resource) starts: 7; maximum: 5 + [Level]
Level (Resource) starts: 3
Guard (Resource) starts: 2
Edge (Resource) starts: 1
Ticks (Resource) shown: no

Hand (Zone) seen by: owner
Deck (Zone) seen by: nobody
Table (Zone)

Fighter (Template) box: 2; seat: each

Braced (Status)
modify: [Guard] +3

Weary (Feature)
for: Fighter
while: [Health] < 3
modify: [Guard] -1

Sharp (Feature)
for: Fighter
while: some card in Hand where it is Blade
modify: [Edge] +4

Match (Sequence)
1. Set up    put Fighter 1 in play, put Fighter 2 in play
             for each actor: #Deal on it
2. Turns     repeat 20 times: for each actor: #Turn on it
3. End       end the match with Done, a draw

Deal (Effect)
do: build Deck from Arms, shuffle Deck, move the top card of Deck to Hand

Turn (Sequence)
1. Act    act once

Brace
do: self becomes Braced, [Ticks] += 1

Tire
do: [Health] = 2

Done (Ending) all tired
```

**Arms (Card)**

| Card  | Copies |
|-------|--------|
| Blade | 3      |
| Stick | 3      |
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path: Path = tmp_path_factory.mktemp("book") / "readings.md"
    path.write_text(BOOK)
    return compile_book(path)


def actor(match: Match, seat: int | None, number: int) -> dict[str, object]:
    return view(match.program, match.slots(), seat)["actors"][number]


def test_what_modifies_a_number_and_its_maximum(program: Program) -> None:
    match = Match(program, seed=1)
    before = actor(match, 1, 0)
    assert before["most"] == {"Health": 8}
    assert before["read"] == {}
    match.choose("Brace")
    assert actor(match, 1, 0)["read"] == {"Guard": 5}
    assert actor(match, 1, 0)["fields"] == {"Health": 7, "Level": 3, "Guard": 2, "Edge": 1}
    match.choose("Tire")
    assert actor(match, None, 1)["read"] == {"Guard": 1}


def test_bookkeeping_is_on_no_sheet(program: Program) -> None:
    assert "Ticks" not in actor(Match(program), 0, 0)["fields"]  # type: ignore[operator]


def test_what_a_hidden_card_does_is_seen_by_its_owner_only(program: Program) -> None:
    told = set[bool]()
    for seed in range(12):
        match, chance = Match(program, seed=seed), random.Random(seed)
        for _ in range(chance.randrange(4)):
            match.choose("Brace")
        hand = next(z for z in match.view(0)["zones"] if z["name"] == "Hand" and z["owner"] == 0)
        sharp = hand["cards"][0]["name"] == "Blade"
        told.add(sharp)
        assert ("Edge" in actor(match, 0, 0)["read"]) is sharp  # type: ignore[operator]
        for reader in (1, None):
            assert "Edge" not in actor(match, reader, 0)["read"]  # type: ignore[operator]
    assert told == {True, False}
