"""Actions that another rule looks into keep a frame; the others are plain functions. Both play alike."""

from __future__ import annotations

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.testing import lockstep

BOOK = """---
title: Looking
seats: 2
bound: 2000
---
# Looking

```rules
Health (Resource) range: 0 to 9; starts: 9
Marks (Resource) range: 0 to 99

Fighter (Template) box: 2; seat: each

Match (Sequence)
1. Set up    put every actor out of play in play
2. Rounds    repeat while [number of actors] = 2: for each actor: #Turn on it

Turn (Sequence)
1. Act       act once

Strike
declare: target = a Fighter other than self
do: #Hurt on self

Wave
declare: target = a Fighter other than self
do: [Target Marks] += 1

Ask
do: choose a Fighter as "{it}": [Marks of it] += 1

Hurt (Effect)
[Health of target of Strike] -= 1d6

Fallen (Feature)
when [Health] reaches 0: end the match with Victory won by the Fighter other than self

Victory (Ending)
```
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("looking") / "looking.md"
    path.write_text(BOOK, "utf-8")
    return compile_book(path)


def test_only_what_is_looked_into_or_asks_can_stop(book: Program):
    segments = {segment.name.partition("_")[2] for segment in book.segments}
    framed = {name.split("_")[2] for name in segments if name.startswith("do_")}
    plain = {name.split("_")[2] for name in book.functions if name.startswith("do_")}
    assert framed == {"Strike", "Ask"}
    assert plain == {"Wave"}


def test_what_is_looked_into_is_still_seen(book: Program):
    report = lockstep(book, range(60), seats=2, handover=5)
    assert report.divergence is None
    assert report.decisions > 500
    assert report.faults == 0, "nobody was ever hurt, so matches ran into the bound"
