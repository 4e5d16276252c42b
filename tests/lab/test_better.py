"""What single choices gain where whole matches take too long: something where there is something to gain."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Program, load
from rulewright.lab import plan
from rulewright.lab.balance import balance
from rulewright.lab.better import gain
from rulewright.lab.findings import findings
from rulewright.lab.simulate import setting

CLIMB = """---
title: Climb
seats: 1
---
# Climb

```rules
Height (Resource)
Breath (Resource)
Climber (Template) box: 1; seat: each

Match (Sequence)
1. Set up  put every Climber out of play in play
2. Climb   repeat 6 times: for each Climber: #Turn on it
3. Top     if [Height of the Climber] + 1d4 >= 8: end the match with Summit won by the Climber
           end the match with Storm

Turn (Sequence)
1. Rest    [Breath] = 1
2. Go      act

Ledge
requires: [Breath] > 0
cost: [Breath] -= 1
do: [Height] += 1

Gully
requires: [Breath] > 0
cost: [Breath] -= 1
do: [Height] += (1 if 1d2 = 1 else 0)

Guide (Strategy) plays: a seat
prefer: ACTION

Summit (Ending)
Storm (Ending)
```
"""


def climb(folder: Path, action: str) -> Program:
    path = folder / f"climb-{action}.md"
    path.write_text(CLIMB.replace("ACTION", action), "utf-8")
    return load(path)


def test_a_better_choice_is_found_and_weighed(tmp_path: Path) -> None:
    seen = gain(setting(climb(tmp_path, "Gully")), "hard", 100, 12, 16)
    assert seen.positions == 12 * 6
    assert 0 < seen.left <= seen.positions
    low, high = seen.interval
    assert 0 < low < seen.mean < high < 1
    assert gain(setting(climb(tmp_path, "Gully")), "hard", 100, 12, 16, jobs=2) == seen


def test_where_the_strategy_is_right_nothing_is_gained(tmp_path: Path) -> None:
    seen = gain(setting(climb(tmp_path, "Ledge")), "hard", 100, 6, 16)
    assert (seen.left, seen.mean) == (0, 0)


def test_the_report_weighs_choices_where_no_search_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "SHARE", {"medium": 0.0, "hard": 0.0, "self": 0.0, "looks": 0.0})
    program = climb(tmp_path, "Gully")
    before = balance(program, minutes=0.1)
    assert before.gain is None
    monkeypatch.setattr(plan, "SHARE", {"medium": 0.0, "hard": 0.0, "self": 0.0, "looks": 0.0})
    monkeypatch.setattr(plan, "_weighed", lambda *_: plan.Weighed("hard", 100, 12))
    found = balance(program, minutes=0.1)
    said = {finding.title: finding.detail for finding in findings(found) if finding.part == "skill"}
    assert "points (+" in said["Choosing better than Guide wins more matches"]
    (left,) = (detail for title, detail in said.items() if "too short" in title)
    assert f"`rulewright simulate {program.name} --seats medium --matches 100`" in left
