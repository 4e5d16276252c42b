"""A preference belongs to the selector that chooses, whatever its `where` asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.play.match import Match

BOOK = """---
title: Doors
seats: 1
---
# Doors

```rules
Hero (Actor) seat: 1

Toll (Resource) of: Actor
Open (Check) with: door (Actor)
[Toll of door] > 1
Anything (Check)
[Toll of Red] > 0

Red (Actor) Toll: 3
Blue (Actor) Toll: 2
Grey (Actor) Toll: 1

Found (Resource) of: Match
Done (Ending)

Match (Sequence)
1. Look      put every actor out of play in play
             [Found] = [Toll of #Best]
             end the match with Done

Best (Value) gives: Actor
{chosen}
```
"""


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ("the actor where #Open with it with lowest [Toll]", 2),
        ("the actor where [Toll] > 0 AND #Anything with lowest [Toll]", 1),
        ("the actor where [Toll] > 0 AND some Hero with highest [Toll]", 3),
        ("the actor where [Toll] > 0 AND no Hero out of play with lowest [Toll]", 1),
        ("the actor where #Open with it AND #Anything with those where [Toll] = 2", 2),
    ],
)
def test_what_is_preferred_among_those_that_fit(chosen: str, found: int, tmp_path: Path) -> None:
    path = tmp_path / "doors.md"
    path.write_text(BOOK.replace("{chosen}", chosen))
    match = Match(compile_book(path))
    assert match.decision is None
    field = next(f for f in match.program.sheet.fields if f.name == "Found")
    assert match.slots()[field.base] == found
