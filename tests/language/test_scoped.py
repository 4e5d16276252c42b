"""`with [R] = E: ..`: values that hold while a block runs, however it is left, on both engines."""

from __future__ import annotations

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.native.engine import NativeEngine
from rulewright.play.match import Match
from rulewright.play.setup import EngineMaker
from rulewright.testing.lockstep import lockstep

BOOK = """---
title: With
seats: 2
---
# With

```rules
Hero (Actor) seat: 1
Foe (Actor) seat: 2

Intent (Resource) of: Match; range: 0 to 9
Heat (Resource) range: 0 to 9
Seen (Resource) of: Match
Mark (Resource) holds: Actor
Guard (Resource) range: 0 to 9

Watch (Feature)
when [Heat] falls: [Seen] += 1
when [Heat] rises: [Seen] += 10

Win (Ending)

Pick (Effect)
choose: "stop": end Turn
        "round": end Round
        "leave": take self out of play, end Turn
        "match": end the match with Win won by everyone
        "go": say "on {[Intent]}"

Try (Effect)
with [Intent] = 2, [Heat] += 3, Mark of self set to Foe:
  with [Intent] = 5: #Pick
  say "still {[Intent]} {Mark of self}"
  for each actor:
    with [Intent] = 7: if it is Foe: stop
  say "loop {[Intent]}"
  if [Seen] > 500: give 3

Give It (Effect)
for each actor:
  with [Intent] = 8: give [Intent]

Turn (Sequence)
1. Warm   [Guard] += 1 until end of own Turn
          #Try
2. More   say "more {[Intent]} {[Heat]} {#Give It}"

Round (Sequence)
1. All    for each actor: #Turn on it
2. After  say "after {[Intent]}"

Match (Sequence)
1. Play   put Hero in play, put Foe in play
          #Round
          #Round
2. Close  end the match with Win won by everyone
```
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("scoped") / "with.md"
    path.write_text(BOOK)
    return compile_book(path)


def number(match: Match, name: str, owner: int = 0) -> int:
    """A number as it is stored."""
    field = next(f for f in match.program.sheet.fields if f.name == name)
    return match.slots()[field.base + owner]


@pytest.mark.parametrize("engine", ["reference", NativeEngine])
@pytest.mark.parametrize("way", ["stop", "round", "leave", "go", "match"])
def test_what_was_there_is_put_back(program: Program, way: str, engine: str | EngineMaker) -> None:
    match = Match(program, engine=engine)
    assert (number(match, "Intent"), number(match, "Heat"), number(match, "Mark")) == (5, 3, 1)
    assert number(match, "Seen") == 10, "rules that wait for the change run"
    match.choose(way)
    if match.decision is not None:  # the next one is in the same place now, and nothing has added up
        assert number(match, "Intent") == 5
    while match.decision is not None:
        match.choose("stop")
    assert (number(match, "Intent"), number(match, "Heat"), number(match, "Mark")) == (0, 0, -1)
    if way == "match":
        assert number(match, "Seen") == 10, "when the match has ended no rule runs any more"
        return
    assert number(match, "Guard") == 0, "what lasts until the end of a turn ends with it, cut off or not"
    assert number(match, "Heat", 1) == number(match, "Guard", 1) == 0


def test_blocks_left_by_stop_and_give(program: Program) -> None:
    match = Match(program)
    match.choose("go")
    said = [match.describe(event) for event in match.events]
    assert "on 5 [Pick]" in said
    assert "still 2 Foe [Try]" in said
    assert "loop 2 [Try]" in said
    assert "more 0 0 8 [Turn]" in said


def test_both_engines_agree(program: Program) -> None:
    report = lockstep(program, seeds=range(40))
    assert report.divergence is None, str(report.divergence)
