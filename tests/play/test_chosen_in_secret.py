"""What is chosen or rolled for a hidden place is read by its owner: words, numbers, spaces, cards, dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.native.engine import NativeEngine
from rulewright.play.match import Match
from rulewright.play.setup import EngineMaker

BOOK = """---
title: Plans
seats: 2
---
# Plans

```rules
Clear (Terrain) glyph: .
Sign (List) words: Stone, Sheet, Shears
Secret (Resource) holds: Sign; seen by: owner
Goal (Resource) holds: Space; seen by: owner
Bid (Resource) range: 0 to 9; seen by: owner
Cup (Resource) range: 0 to 6; seen by: owner
Hand (Zone) seen by: owner
Down (Zone) seen by: owner
Player (Template) box: 2; seat: each
Done (Ending)

Match (Sequence)
1. Seats   put every Player out of play in play
           for each Player: build Hand of it from Throws
2. Pick    for each Player: #Pick on it
3. Over    end the match with Done, a draw

Pick (Effect)
do: [Cup] = 1d6
    choose a Sign: set Secret of self to it
    choose a space as "march to {it}": set Goal of self to it
    let [N] = choose a number from 7 to 9
    [Bid] = [N]
    choose a card in Hand as "commit {it}": move it to Down
```

**Throws (Card)**

| Card   | Value | Copies |
|--------|-------|--------|
| Rock   | 0     | 1      |
| Paper  | 1     | 1      |

```map
Field (Map)
grid: square
names: (x,y)
picture:
  . . .
```
"""
TELLING = ("Shears", "(2,0)", "march", "9", "Paper", "d6")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path: Path = tmp_path_factory.mktemp("plans") / "plans.md"
    path.write_text(BOOK)
    return compile_book(path)


@pytest.mark.parametrize("engine", ["reference", NativeEngine])
def test_only_whoever_chose_reads_what(program: Program, engine: str | EngineMaker) -> None:
    match = Match(program, engine=engine, seed=4)
    for choice in ("Shears", "march to (2,0)", "9", "commit Paper"):
        match.choose(choice)
    own, other, nobody = (
        "\n".join(match.describe(event) for event in match.log(seat)) for seat in (0, 1, None)
    )
    assert {word for word in TELLING if word in own} == set(TELLING)
    assert not [word for word in TELLING if word in nobody], nobody
    theirs = "\n".join(line for line in other.split("\n") if "Player 2's Hand" not in line)
    assert [word for word in TELLING if word in theirs] == ["d6"], other
    assert other.count("d6") == 1, "the die under its own cup"
