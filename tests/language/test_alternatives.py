"""`(A if CHECK else B if CHECK else C)`: one of several numbers or things, on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.native.engine import NativeEngine
from rulewright.play.match import Match
from rulewright.play.setup import EngineMaker

BOOK = """---
title: Alternatives
seats: 1
---
```rules
Colour (List) words: Red, Green, Blue
Heat (Resource) range: 0 to 9
Paint (Resource) holds: Colour
Painter (Actor) seat: 1
Over (Ending)

Match (Sequence)
1. Go     put Painter in play
          #Turn on Painter
2. End    end the match with Over

Turn (Sequence)
1. Heat   let [N] = choose a number from 1 to 3
          [Heat] = (5 if [N] = 1 else 6 if [N] = 2 else 7)
          set Paint of self to (Red if [N] = 1 else Green if [N] = 2 else Blue)
          let [Rest] = (1 if [N] = 9 else 2 if [N] = 3)
          say "{[Heat]} {Paint of self} {[Rest]}"
```
"""


@pytest.mark.parametrize("engine", ["reference", NativeEngine])
def test_the_first_that_holds_counts(engine: str | EngineMaker, tmp_path: Path) -> None:
    path = tmp_path / "book.md"
    path.write_text(BOOK)
    program = compile_book(path)
    for number, said in enumerate(("5 Red 0", "6 Green 0", "7 Blue 2")):
        match = Match(program, engine=engine)
        match.choose(number)
        assert f"{said} [Turn]" in [match.describe(event) for event in match.events]
