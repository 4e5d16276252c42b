"""Wordings that a book defines: phrases with a meaning in words, and titles of components, by one matcher."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Match
from rulewright.compiler import check, compile_book

BOOK = """---
title: Titles
seats: 1
---
```rules
Gold (Resource) of: Match; range: 0 to 99
Health (Resource) starts: 50
Hero (Actor) seat: 1
Wolf (Actor)

{victim} {bleeds|loses blood}{ for {Amount}|} (Effect) with: victim (Actor), [Amount]
do: [Health of victim] -= max(1, [Amount])

{one} is {very |}rich (Check) with: one (Actor)
[Gold] >= 5

Pay {N} {gold|coins} (Phrase)
means: [Gold] -= {N}

{who} is poor (Phrase) for: Check
means: [Gold] < 2

Match (Sequence)
1. Begin     put Hero in play, put Wolf in play, [Gold] = 9
             Wolf bleeds for 3 + 2, Hero bleeds, Hero loses blood for [Gold]
             if Hero is very rich: Pay 4 coins
             Pay 1 + 3 gold
             if Hero is poor: Wolf loses blood
2. End       end the match with Home won by everyone

Home (Ending)
```
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "book.md"
    path.write_text(text)
    return path


def test_titles_and_phrases_have_alternatives_and_gaps(tmp_path: Path) -> None:
    match = Match(compile_book(written(tmp_path, BOOK)), seats=1, seed=1)
    told = [match.describe(event).partition(" [")[0] for event in match.events]
    assert told[4:10] == [
        "Wolf: Health 50 -> 45", "Hero: Health 50 -> 49", "Hero: Health 49 -> 40", "Gold 9 -> 5",
        "Gold 5 -> 1", "Wolf: Health 45 -> 44",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("Pay 4 coins", "Pay [Gald] coins", ["26:41 no resource is called 'Gald'"]),
        ("means: [Gold] -= {N}", "means: [Gald] -= {N}", ["18:9 no resource is called 'Gald'"]),
    ],
)  # fmt: skip
def test_a_slip_is_shown_where_it_was_made(right: str, wrong: str, said: list[str], tmp_path: Path) -> None:
    assert right in BOOK
    found = check(written(tmp_path, BOOK.replace(right, wrong, 1))).diagnostics
    assert [f"{d.span.line}:{d.span.column} {d.message}" for d in found] == said


def test_the_longer_wording_wins_whoever_defines_it(tmp_path: Path) -> None:
    more = "Pay {N} coins twice (Effect) with: [N]\ndo: [Gold] -= 2 * [N]\n\nHome (Ending)"
    text = BOOK.replace("Home (Ending)", more).replace("Pay 4 coins", "Pay 2 coins twice")
    match = Match(compile_book(written(tmp_path, text)), seats=1, seed=1)
    assert "Gold 9 -> 5 [Pay {N} coins twice]" in [match.describe(event) for event in match.events]


def test_a_phrase_that_means_itself_is_reported(tmp_path: Path) -> None:
    found = check(written(tmp_path, BOOK.replace("means: [Gold] -= {N}", "means: Pay {N} coins"))).diagnostics
    assert [d.code for d in found] == ["too-large"]
