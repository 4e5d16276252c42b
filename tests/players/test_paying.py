"""What an option takes that asks something first is known before it is asked."""

from __future__ import annotations

from pathlib import Path

from rulewright import Match, load
from rulewright.players.odds import odds

BOOK = """---
title: Ferry
summary: Somebody who may be rowed to one of three shores, which cost one coin, two or three.
designer: the tests
licence: MIT
length: a minute
seats: 1
bound: 500
---
# Ferry

**Shore (List)**

| Shore | Fare | Bank |
|-------|------|------|
| Near  | 1    | 1    |
| Far   | 2    | 1    |
| Lost  | 3    | 1    |

```rules
Coins (Resource) starts: 9
Rowed (Resource) starts: 0; range: 0 to 9
Traveller (Template) box: 1; seat: any

Match (Sequence)
1. Set up   put every actor out of play in play, for each Traveller: seat 1 controls it
2. Journey  for each actor: #Turn on it
3. Close    end the match with Done, a draw

Turn (Sequence)
1. Actions  act until pass

Row (Action)
declare: shore = a Shore
         bank = a Shore where [Bank of it] = [Bank of shore]
cost: [Coins] -= [Fare of shore]
do: [Rowed] += 1

Wade (Action)
cost: [Coins] -= 1
do: [Rowed] += 1

Wait (Action)
declare: shore = a Shore
do: [Rowed] += 1

Done (Ending)
```
"""


def test_the_price_is_told_before_the_last_question(tmp_path: Path) -> None:
    path = tmp_path / "ferry.md"
    path.write_text(BOOK, "utf-8")
    match = Match(load(path), seed=1)
    decision = match.decision
    assert decision is not None
    told = {option.text: one for option, one in zip(decision.options, odds(match), strict=True)}
    assert {text: one.costs for text, one in told.items()} == {
        "Row: Near": (("Coins", 1, 1),),
        "Row: Far": (("Coins", 2, 2),),
        "Row: Lost": (("Coins", 3, 3),),
        "Wade": (),
        "Wait: Near": (),
        "Wait: Far": (),
        "Wait: Lost": (),
        "pass": (),
    }
