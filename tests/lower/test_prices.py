"""What a book takes as prices is read from its costs, with the rules that costs carry out."""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler import compile_book

BOOK = """---
title: Toll
seats: 1
---

```rules
Coins (Resource) starts: 5
Focus (Resource) starts: 5
Dread (Resource) starts: 5
Spare (Resource) starts: 5
Hero (Template) box: 1; seat: each

Rest (Action)
cost: #Pay
do: [Dread] -= 1
then: [Focus] -= 1

Pay (Effect)
do: if [Dread] > 2: [Coins] -= 2
    else: [Spare] += 1

Match (Sequence)
1. Begin     put Hero 1 in play, for each actor: #Turn on it
2. Close     end the match with Done, a draw

Turn (Sequence)
1. Actions   act until pass

Done (Ending)
```
"""


def test_what_costs_take_or_count_is_a_price_and_what_an_action_does_is_not(tmp_path: Path) -> None:
    path = tmp_path / "toll.md"
    path.write_text(BOOK, "utf-8")
    sheet = compile_book(path).sheet
    prices = {field.name: field.price for field in sheet.fields if field.price}
    assert prices == {"Coins": -1, "Focus": -1, "Spare": 1}
    assert sheet.prices == {"Rest": ("Coins", "Focus", "Spare")}
    assert sheet.amounts == {"Rest": {"Focus": 1}}  # what is tested first cannot be named beforehand
