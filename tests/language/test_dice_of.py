"""`1d[N]`: dice whose sides are a number of the book."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.play.match import Match
from rulewright.testing.lockstep import lockstep

BOOK = """---
title: Sides
seats: 1
---
```rules
Sides (Resource) range: 0 to 10; starts: 4
Rolled (Resource) range: 0 to 10
Thrower (Template) box: 1; seat: each
Over (Ending) "Over"

Match (Sequence)
1. Go     put every Thrower out of play in play
2. Roll   for each Thrower: [Rolled of it] = WRITTEN[Sides of it]
          for each Thrower: say "so: {[Rolled of it]}"
3. End    end the match with Over
```
"""


@pytest.mark.parametrize("written", ["roll 1d", "1d", "roll 2d"])
def test_sides_may_be_a_number_of_the_book(written: str, tmp_path: Path) -> None:
    path = tmp_path / "book.md"
    path.write_text(BOOK.replace("WRITTEN", written))
    program = compile_book(path)
    matches = [Match(program, seed=seed) for seed in range(80)]
    told = {m.describe(event) for m in matches for event in m.events}
    said = {line for line in told if line.startswith("so:")}
    low, high = (2, 8) if "2" in written else (1, 4)
    assert said == {f"so: {n} [Match]" for n in range(low, high + 1)}
    report = lockstep(program, seeds=range(3))
    assert report.divergence is None, str(report.divergence)
