"""`until end of own Turn` is over when the turn is: ended early, cut off, or its owner gone."""

from __future__ import annotations

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.native.engine import NativeEngine
from rulewright.play.match import Match
from rulewright.play.setup import EngineMaker
from rulewright.testing.lockstep import lockstep

BOOK = """---
title: Until
seats: 2
---
# Until

```rules
Hero (Actor) seat: 1
Foe (Actor) seat: 2

Health (Resource) range: 0 to 3; starts: 3
Guard (Resource) range: 0 to 9
Heat (Resource) range: 0 to 9
Fallen (Resource) of: Match
Risen (Resource) of: Match
Calmed (Resource) of: Match
Brave (Status)

Grim (Feature)
modify: [Heat] +2

Watch (Feature)
when [Guard] falls: [Fallen] += 1
when [Guard] rises: [Risen] += 1
when self loses Brave: [Calmed] += 1
when [Health] reaches 0: take self out of play

Win (Ending)

Warm (Effect)
do: [Guard] += 1 until end of own Turn
    [Guard of Foe] += 3 until end of own Turn
    self becomes Brave until end of own Turn
    self gains Grim until end of own Turn

Way (Effect)
choose: "on": say "on"
        "end Turn": end Turn
        "end Turn deep inside": #Deeper
        "end Round": end Round
        "leave": take self out of play
        "leave and end Turn": take self out of play, end Turn
        "leave and return": take self out of play, put self in play
        "fall": [Health] = 0
        "be struck down": #Strike on Foe

Deeper (Effect) do: #Deepest, say "not that deep"
Deepest (Effect) do: end Turn
Strike (Effect) do: [Health of Hero] = 0

Turn (Sequence)
1. Warm   #Warm
2. Way    #Way

Round (Sequence)
1. All    #Turn on Hero
2. Foe    say "after"

Match (Sequence)
1. Play   put Hero in play, put Foe in play
          #Round
2. Look   Foe chooses: "a": say "a"
                       "b": say "b"
3. Next   put every actor out of play in play
          #Linger on Hero
          Foe chooses: "take out": take Hero out of play
                       "strike down": [Health of Hero] = 0
                       "leave alone": say "still there"
4. Close  Foe chooses: "a": say "a"
                       "b": say "b"
          end the match with Win won by everyone

Linger (Effect) do: [Guard of Foe] += 4 until end of own next Turn
```
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("until") / "until.md"
    path.write_text(BOOK)
    return compile_book(path)


def number(match: Match, name: str, owner: int = 0) -> int:
    """A number as it is stored."""
    field = next(f for f in match.program.sheet.fields if f.name == name)
    return match.slots()[field.base + owner]


def told(match: Match) -> tuple[int, int, list[str], int]:
    """Both guards, and what Hero has besides: its statuses, and Heat as a feature modifies it."""
    hero = match.view(0)["actors"][0]
    heat = hero.get("read", {}).get("Heat", hero["fields"]["Heat"])
    return number(match, "Guard"), number(match, "Guard", 1), [s["name"] for s in hero["statuses"]], heat


ENGINES = pytest.mark.parametrize("engine", ["reference", NativeEngine])
WAYS = ("on", "end Turn", "end Turn deep inside", "end Round", "leave", "leave and end Turn",
        "leave and return", "fall", "be struck down")  # fmt: skip


@ENGINES
@pytest.mark.parametrize("way", WAYS)
def test_it_is_over_however_the_turn_was_left(program: Program, way: str, engine: str | EngineMaker) -> None:
    match = Match(program, engine=engine)
    assert told(match) == (1, 3, ["Brave"], 2)
    assert number(match, "Risen") == 2
    match.choose(way)
    assert match.decision
    assert match.decision.seat == 1, "the turn is over"
    assert told(match) == (0, 0, [], 0)
    # What ends is a change like any other: whoever waits for it is told, once.
    assert (number(match, "Fallen"), number(match, "Calmed")) == (2, 1)


@ENGINES
@pytest.mark.parametrize(("way", "left"), [("leave alone", 4), ("take out", 0), ("strike down", 0)])
def test_whoever_is_gone_before_its_turn_takes_it_along(
    program: Program, way: str, left: int, engine: str | EngineMaker
) -> None:
    match = Match(program, engine=engine)
    match.choose("on")
    match.choose("a")
    assert number(match, "Guard", 1) == 4
    match.choose(way)
    assert number(match, "Guard", 1) == left


def test_both_engines_agree(program: Program) -> None:
    report = lockstep(program, seeds=range(40))
    assert report.divergence is None, str(report.divergence)
