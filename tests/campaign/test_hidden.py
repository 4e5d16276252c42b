"""What a feature hides is seen by the controller of its owner, and by nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright import Match
from rulewright.compiler import compile_book

BOOK = """Campaign: Two purses
Resources: Health, Purse, Hat

Secret
Purse is hidden.

Earn
do: [Purse] += 3, [Hat] += 1

Actor: Ada
Resources: Health: 3, Purse: 5
Actions: Earn

Actor: Bo
Resources: Health: 3, Purse: 8
Actions: Earn

Actor: Imp
Strategy: Idle
Resources: Health: 3, Purse: 9

Strategy: Idle
Behavior: Wait
do: End turn

Cast: Ones
Controller: Player (Red)
Members: Ada

Cast: Others
Controller: Player (Blue)
Members: Bo

Map: Yard

Encounter: Market
Map: Yard
Actors:
  Player Cast: Ones
  Enemy Cast: Others
  Enemy Actors: Imp
Deployment:
  Ada at 0N 0E
  Bo at 0N 1E
  Imp at 1N 1E
Completion:
  Over: [Ada Hat] > 9
"""


def sheets(match: Match, seat: int | None) -> dict[str, dict[str, Any]]:
    return {actor["name"]: actor["fields"] for actor in match.view(seat)["actors"]}


def test_only_the_controller_sees_it(tmp_path: Path) -> None:
    path = tmp_path / "purses.md"
    path.write_text(BOOK)
    match = Match(compile_book(path), seats=["Red", "Blue"], seed=3)
    assert match.decision is not None
    match.choose(match.decision.options[0])
    seen = [sheets(match, seat) for seat in (0, 1, None)]
    assert [sorted(name for name, fields in one.items() if "Purse" in fields) for one in seen] == [
        ["Ada", "Ones"],
        ["Bo", "Others"],
        [],
    ]
    assert all("Hat" in fields for one in seen for fields in one.values())
    changes = [sum("Purse" in match.describe(e) for e in match.log(seat)) for seat in (0, 1, None)]
    assert changes in ([1, 0, 0], [0, 1, 0])
