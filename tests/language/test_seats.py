"""Numbers that belong to seats: named, counted, hidden from the others, the same on both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright import Match
from rulewright.compiler import compile_book

BOOK = """---
title: Seats
seats: 1 to 3
---
```rules
Points (Resource) of: Seat; range: 0 to 99
Bid (Resource) of: Seat; range: 0 to 9; seen by: owner
Rich (Resource) of: Match

Table (Side)
Player (Template) box: 3; seat: each; side: Table
Done (Ending)

Match (Sequence)
1. Begin   put every Player out of play in play
2. Bids    for each Player where it has a seat:
               it chooses: "low": [Bid of seat of it] = 1
                           "high": [Bid of seat of it] = 5
3. Count   for each Seat: [Points of it] += [Bid of it]
           [Points of seat 1] += 10
           [Bid of seat 2] = 1d6
           [Rich] = [number of Seats where [Points of it] >= 5]
4. Close   end the match with Done won by everyone
```
"""


@pytest.mark.parametrize("said", ["1 to 3", "1-3", "1\N{EN DASH}3"])
def test_how_many_can_play_is_written_in_three_ways(said: str, tmp_path: Path) -> None:
    path = tmp_path / "seats.md"
    path.write_text(BOOK.replace("seats: 1 to 3", f"seats: {said}"))
    assert compile_book(path).seats == (1, 3)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_seats_own_numbers(engine: str, tmp_path: Path) -> None:
    book = tmp_path / "seats.md"
    book.write_text(BOOK)
    match = Match(compile_book(book), seats=2, seed=1, engine=engine)
    match.choose("high")

    def bids(reader: int) -> list[Any]:
        return [seat["fields"].get("Bid") for seat in match.view(reader)["things"]["Seat"]]

    assert bids(0) == [5, None, None]
    assert bids(1) == [None, 0, None]
    match.choose("low")
    told = [match.describe(event) for event in match.log(1)]
    assert not any("Bid 0 -> 5" in line for line in told)
    assert any("rolled" in line for line in told)
    assert not any("rolled" in match.describe(event) for event in match.log(0))
    points = [line for line in told if "Points" in line or "Rich" in line]
    assert points == [
        "seat 1: Points 0 -> 5 [Match]",
        "seat 2: Points 0 -> 1 [Match]",
        "seat 1: Points 5 -> 15 [Match]",
        "Rich 0 -> 1 [Match]",
    ]
