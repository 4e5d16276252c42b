"""`Target:` and `Range:` of an action, short for a declared target: in every book, by one reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import check, compile_book
from rulewright.play.match import Match

BOOK = """---
title: Targets
seats: 1
---
```map
Row (Map)
names: A1
picture:
  . . . . . .
```

```rules
Heroes (Side)
Beasts (Side)
Health (Resource) range: 0 to 9; starts: 9
Reach (Resource) starts: 2
Hero (Actor) seat: 1; side: Heroes; actions: Strike
Hound (Actor) seat: 1; side: Heroes
Wolf (Actor) side: Beasts
Bear (Actor) side: Beasts
Owl (Actor) side: Beasts
Home (Ending)

Strike (Action)
HEAD
do: [Health of target] -= 1

Turn (Sequence)
1. Act     act once

Match (Sequence)
1. Place   put Hero in play at A1, put Hound in play at A1, put Wolf in play at B1
           put Bear in play at C1, put Owl in play at F1
2. Go      #Turn on Hero
3. End     end the match with Home won by everyone
```
"""


def book(tmp_path: Path, head: str) -> Path:
    path = tmp_path / "book.md"
    path.write_text(BOOK.replace("HEAD", head))
    return path


@pytest.mark.parametrize(
    ("head", "aimed"),
    [
        ("Target: Single enemy", "Wolf Bear Owl"),
        ("Target: Single enemy\nRange: 2 spaces", "Wolf Bear"),
        ("Target: Single enemy\nRange: [Reach]", "Wolf Bear"),
        ("Target: Single enemy\nRange: Adjacent", "Wolf"),
        ("Target: Single ally\nRange: Unlimited", "Hound"),
        ("Target: one Beasts actor where [Health] > 3\nRange: 2", "Wolf Bear"),
        ("Target: an enemy within 1 of self", "Wolf"),
    ],
)
def test_who_can_be_aimed_at(tmp_path: Path, head: str, aimed: str) -> None:
    match = Match(compile_book(book(tmp_path, head)))
    assert match.decision is not None
    texts = [option.text.split()[-1] for option in match.decision.options]
    assert texts == [*aimed.split(), "pass"]


@pytest.mark.parametrize("target", ["All enemies within 2 spaces", "every enemy within 2 of self"])
def test_an_area_is_everybody_in_it(tmp_path: Path, target: str) -> None:
    match = Match(compile_book(book(tmp_path, f"Target: {target}")))
    match.choose(0)
    told = [match.describe(event) for event in match.log()]
    assert [text.split()[0] for text in told if "Health" in text] == ["Wolf:", "Bear:"], told


def test_a_range_that_is_none_is_reported(tmp_path: Path) -> None:
    said = [d.message for d in check(book(tmp_path, "Target: Single enemy\nRange: far away")).errors]
    assert said == ["'far away' is no range: write `Adjacent`, `3 spaces`, `Self` or `Unlimited`"]
