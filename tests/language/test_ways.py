"""Ways within a budget: the best space, reached straight where the book says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.native import NativeEngine
from rulewright.play.knowledge import find_field
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine

BOOK = """---
title: Away
seats: 1
---
```map
Yard (Map)
grid: hex
names: A1
picture:
  . # # #
  . # # #
  . # # #
  . . . .
legend: . = Clear, # = Wall
```

```rules
Clear (Terrain)
Wall (Terrain)
Over (Ending) "Over"
Hero (Template) box: 1; seat: each

Trot (Walk)
through: it is not Wall
costs: 1

Match (Sequence)
1. Go     put every Hero out of play in play at A1
2. Walk   for each Hero: #Leave on it
3. End    end the match with Over

Leave (Effect)
do: let away = the Trot within 5 to a space with highest [distance from it to A1]HOW
    walk away
```
"""


def ends(tmp_path: Path, how: str, engine: type[ReferenceEngine] | type[NativeEngine]) -> str:
    path = tmp_path / "book.md"
    path.write_text(BOOK.replace("HOW", how))
    program = compile_book(path)
    match = Match(program, engine=engine)
    place = find_field(program, "Actor", "place")
    assert place is not None
    return program.sheet.things["Space"][match.slots()[place.base]]


@pytest.mark.parametrize("engine", [ReferenceEngine, NativeEngine])
@pytest.mark.parametrize(("how", "there"), [("", "B4"), (", straight", "A4"), (", straight if 1 > 2", "B4")])
def test_a_straight_way_does_not_turn(
    tmp_path: Path, how: str, there: str, engine: type[ReferenceEngine] | type[NativeEngine]
) -> None:
    assert ends(tmp_path, how, engine) == there
