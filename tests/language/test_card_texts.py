"""Cards that a table prints and a rules block explains; decks from such tables; glyphs of terrain.

In:  small books written here.
Out: what the compiler made of them.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler import check, compile_book
from rulewright.play.match import Match

BOOK = """---
title: Two hands
seats: 2
cards: 20
bound: 500
---
# Two hands

**Moves (Card)** Slot: Left

| Card           | Copies | Points | Big |
|----------------|--------|--------|-----|
| Jab            | 2      | 1      | -   |
| Hook (left)    | 1      | 3      | x   |
| Big Swing      | 1      | 5      | -   |

**Ground (Terrain)**

| Terrain | Glyph | Rough |
|---------|-------|-------|
| Flat    | .     | -     |
| Stones  | %     | x     |

```map
Ring (Map)
grid: hex
names: (c,r)
picture:
    . % .
    . . %
zone Corner: (1,1)
```

```rules
Slot (List) words: Left, Right
Health (Resource) range: 0 to 30; starts: 5
Hand (Zone) seen by: owner
Discard (Zone)
Table (Zone)
Fighter (Template) box: 3; seat: each

Match (Sequence)
1. Set up    for each Fighter out of play where it has a seat: put it in play at the space of Corner
             for each Fighter: build Hand of it from Moves
2. Turns     repeat 6 times: for each Fighter: #Turn on it
3. End       end the match with Over, a draw

Turn (Sequence)
1. Act       act once

Play
declare: card = a card in Hand; what card declares
do: move card to Table, perform card, move card to Discard

Jab / Hook (left) / Big Swing (Card)
declare: target = a Fighter other than self
do: [Target Health] -= [Points of card]

Big Swing (Card)
requires: [Health] >= 3
then: [Health] -= 1

Over (Ending)

Careful (Strategy) plays: a seat
prefer: Play where card is Big Swing
    Play where card is Hook (left)
    pass
```
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "hands.md"
    path.write_text(text, "utf-8")
    return path


def test_text_and_table_make_one_card(tmp_path: Path) -> None:
    """Data from the table, rules from two texts, copies from the table's own column."""
    path = write(tmp_path, BOOK)
    assert [d.message for d in check(path).diagnostics] == []
    match = Match(compile_book(path), seats=2, seed=1)
    assert match.decision is not None
    texts = [option.text for option in match.decision.options]
    assert sorted(texts) == ["Play: Big Swing", "Play: Hook (left)", "Play: Jab", "Play: Jab", "pass"]
    match.choose("Play: Big Swing")
    sheets = {actor["name"]: actor for actor in match.view(0)["actors"]}
    assert (sheets["Fighter 1"]["fields"]["Health"], sheets["Fighter 2"]["fields"]["Health"]) == (4, 0)


def test_only_seated_actors_come(tmp_path: Path) -> None:
    """A box may hold more actors than there are seats."""
    match = Match(compile_book(write(tmp_path, BOOK)), seats=2, seed=1)
    assert "Fighter 3" not in str(
        [actor["name"] for actor in match.view(0)["actors"] if actor.get("in_play", True)]
    )


def test_glyphs_name_terrain(tmp_path: Path) -> None:
    """A column Glyph is the legend of every map."""
    program = compile_book(write(tmp_path, BOOK))
    assert program.sheet.maps[0].terrain == ("Flat", "Stones", "Flat", "Flat", "Flat", "Stones")


def test_the_same_field_twice(tmp_path: Path) -> None:
    """Two texts of one card add up only if they say different things."""
    wrong = BOOK.replace("requires: [Health] >= 3", "do: [Health] -= 1")
    codes = [d.code for d in check(write(tmp_path, wrong)).diagnostics]
    assert codes == ["duplicate-name"]
