"""Kinds of blocks that a framework declares, in one that has nothing in common with the one that ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Match
from rulewright.compiler import check, compile_book

RING = """---
title: Ring
seats: 1
text: closed
roles: {next: Follow, loss: Beaten}
---
```rules
Gold (Resource) of: Match
Phase Here (Resource) of: Match; holds: Phase; private: yes
Phase Then (Resource) of: Match; holds: Phase; private: yes
Came (Resource) of: Match; holds: Outcome; private: yes

Beaten (Ending)
Over (Ending)

Bout (Block) in: Phase
Stake: number, optional
    [Gold] += {N}
Prize: number, optional
    [Gold] += 10 * {N}
Ends: rows
    "{Outcome}: {check}": if {check}: set Came to {Outcome}, give 1
Leads: rows, optional
    "{Outcome}: {Phase}": if Came is {Outcome}: #Follow with {Phase}

Follow (Effect)
with: phase (Phase)
do: set Phase Then to phase

Match (Sequence)
1. Begin   #Opening
2. Bouts   repeat while Phase Then is not none: #Play
3. Close   end the match with Over won by everyone

Play (Effect)
do: set Phase Here to Phase Then, set Phase Then to none, set Came to none
    if #Run Ending with Phase Here = 0:
        #Bout Stake with Phase Here
        if #Bout Ends with Phase Here = 0: #Bout Prize with Phase Here
        #Bout Leads with Phase Here
```
"""
FAIR = """---
title: Fair
uses: ring.md
---
```rules
Bout: Goose
Stake: 3
Ends:
  Won: [Gold] >= 20
  Rich: [Gold] >= 3
Leads:
  Won: Ending "Over"
  Rich: Bout "Pig"

Bout: Pig
Stake: [Gold] + 1
Prize: 2
Ends:
  - Won: [Gold] >= 24
```
"""
NO_GOLD = "unknown-name no resource is called 'Gald' (did you mean 'Gold'?)"
NO_FORM = "unexecutable 'Rich [Gold] >= 3' is no line of `Ends:`: write `OUTCOME: CHECK`"
NO_GUEST = "is no line of `Guests:`: write `nobody` or `ACTOR brings N`"
TWICE = "duplicate-name 'Goose' is declared twice (first declared on line 6)"


def written(folder: Path, text: str) -> Path:
    (folder / "ring.md").write_text(RING)
    path = folder / "fair.md"
    path.write_text(text)
    return path


def test_lines_mean_what_their_framework_says(tmp_path: Path) -> None:
    match = Match(compile_book(written(tmp_path, FAIR)), seats=1, seed=1)
    told = [match.describe(event) for event in match.events if "Gold" in match.describe(event)]
    assert told == ["Gold 0 -> 3 [Bout Stake]", "Gold 3 -> 7 [Bout Stake]", "Gold 7 -> 27 [Bout Prize]"]
    assert match.result is not None
    assert match.result.ending == "Over"


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("Stake: 3", "Stak: 3", "7:1 unknown-field a Bout has no line 'Stak:' (did you mean 'stake:'?)"),
        ("Stake: 3", "Stake: [Gald]", f"7:9 {NO_GOLD}"),
        ("Stake: 3", "Stake: 3\nStake: 4", "8:1 duplicate-name 'Stake:' stands twice in 'Goose'"),
        ("[Gold] >= 20", "[Gald] >= 20", f"9:9 {NO_GOLD}"),
        ('Bout "Pig"', 'Bout "Pug"', "13:9 unknown-name no bout is called 'Pug' (did you mean 'Pig'?)"),
        ("  Rich: [Gold]", "  Rich [Gold]", f"10:3 {NO_FORM}"),
        ("  Rich: Bout", "  Poor: Bout", "13:3 unknown-name no outcome is called 'Poor'"),
        ("Ends:\n  - Won: [Gold] >= 24\n", "", "15:1 missing-part 'Pig' needs `Ends:`"),
        ("Bout: Pig", "Bout: Goose", f"15:1 {TWICE}"),
    ],
)  # fmt: skip
def test_a_slip_is_reported_from_the_declaration(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    assert right in FAIR
    found = check(written(tmp_path, FAIR.replace(right, wrong, 1))).diagnostics
    lines = [
        f"{d.span.line}:{d.span.column} {d.code} {d.message}" + (f" ({d.help})" if d.help else "")
        for d in found
        if d.span.file == "fair.md"
    ]
    assert said in lines, lines
    assert len(found) <= 2


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("Stake: number", "Stake: numbr", "did you mean 'number'?"),
        ("Stake: number", "Stake:", "unknown-field"),
        ("number, optional\n    [Gold] += 10", "number, optinal\n    [Gold] += 10", "not 'optinal'"),
        ("[Gold] += {N}", "[Gold] += {M}", "no gap is called 'M' in \"{N}\""),
        ("in: Phase\nStake", "in: Phrase\nStake", "not of 'Phrase'"),
        ("Ends: rows", "Ends: events", "say while what the events of `Ends:` happen"),
        ("[Gold] += 10 * {N}", "[Gald] += 10 * {N}", "no resource is called 'Gald'"),
    ],
)
def test_a_slip_in_a_declaration_is_reported(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    assert right in RING
    path = written(tmp_path, FAIR)
    (tmp_path / "ring.md").write_text(RING.replace(right, wrong, 1))
    found = [f"{d} {d.help}" for d in check(path).diagnostics]
    assert any(said in line for line in found), found


ROWS = """---
title: Rows
seats: 1
---
```rules
Gold (Resource) of: Match; range: 0 to 99
Hero (Actor) seat: 1
Wolf (Actor)
Bear (Actor)

Errand (Block)
Opening: effects
Guests: rows, optional
    "{Actor} brings {N}": put {Actor} in play, [Gold] += {N}
    "nobody": [Gold] += 1

Herbs (Errand)
Opening: [Gold] = 1
Guests:
  Wolf brings 3
  Bear brings 2 + [Gold]

Rest (Errand)
Opening: [Gold] = 0
Guests: nobody

Match (Sequence)
1. Begin   put Hero in play, for each Errand: #Errand Opening with it, #Errand Guests with it
2. End     end the match with Home won by everyone

Home (Ending)
```
"""


def test_a_book_says_itself_what_the_rows_of_its_blocks_mean(tmp_path: Path) -> None:
    path = tmp_path / "rows.md"
    path.write_text(ROWS)
    match = Match(compile_book(path), seats=1, seed=1)
    told = [match.describe(event) for event in match.events]
    assert told[2:9] == [
        "Gold 0 -> 1 [Opening of Herbs]", "Wolf enters play [Errand Guests]", "Gold 1 -> 4 [Errand Guests]",
        "Bear enters play [Errand Guests]", "Gold 4 -> 10 [Errand Guests]", "Gold 10 -> 0 [Opening of Rest]",
        "Gold 0 -> 1 [Errand Guests]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("Bear brings", "Baer brings", "21:3 no actor is called 'Baer'"),
        ("Wolf brings 3", "Wolf 3", f"20:3 'Wolf 3' {NO_GUEST}"),
        ("[Gold] += {N}", "[Gald] += {N}", "14:49 no resource is called 'Gald'"),
        ("+= {N}", "+= {M}", "14:58 no gap is called 'M' in \"{Actor} brings {N}\""),
    ],
)  # fmt: skip
def test_a_slip_in_rows_of_a_books_own_kind(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    assert right in ROWS
    path = tmp_path / "rows.md"
    path.write_text(ROWS.replace(right, wrong, 1))
    assert [f"{d.span.line}:{d.span.column} {d.message}" for d in check(path).diagnostics] == [said]
