"""What is gone is told by the name that it had: a card back in the box, spaces that were taken up."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.compiler import compile_book
from rulewright.play.called import Called
from rulewright.play.describe import said, words
from rulewright.play.match import Match

CELLAR = """---
title: Cellar
seats: 1
bound: 40
cards: 8
---
# Cellar

```rules
Bag (Zone)
Sips (Resource) range: 0 to 9

Guest (Template) box: 1; seat: each

Wine (Card) Worth: 3
Milk (Card) Worth: 1

Match (Sequence)
1. Begin   put every actor out of play in play
           for each actor: #Fill on it
2. Drink   for each actor: repeat while [number of cards in Bag of it] > 0: #Drink on it
3. End     end the match with Empty won by everyone

Empty (Ending)

Fill (Effect)
do: create a Wine in Bag
    create a Milk in Bag

Drink (Effect)
do: let bottle = choose a card in Bag
    destroy bottle
    [Sips] += 1
    if [Sips] = 1: create a Milk in Bag
```
"""

MAZE = """---
title: Maze
seats: 1
bound: 40
---
# Maze

```map
Maze (Map)
grid: spots up to 6
distance: rows and columns
```
```rules
Walker (Template) box: 1; seat: each

Match (Sequence)
1. Begin   put every actor out of play in play
           lay a space at (0,0)
           lay a space at (1,0)
           for each actor: move it to (0,0)
2. Walk    for each actor: #Walk on it
           for each actor: #Walk on it
3. End     end the match with Out won by everyone

Out (Ending)

Walk (Effect)
do: choose "a way":
      "leave": #Leave
      "stay": say "{self} stays"

Leave (Effect)
do: move self to (1,0)
    remove every space
    lay a space at (6,7)
    lay a space at (7,7)
    move self to (7,7)
```
"""


def begun(folder: Path, text: str) -> Match:
    path = folder / "book.md"
    path.write_text(text, "utf-8")
    return Match(compile_book(path), 1)


def told(match: Match, called: Called, choice: str, tell: Callable[..., Any] = words) -> list[Any]:
    called.learn(match.slots())
    known = match.logged()
    match.choose(choice)
    events = match.log(None, known)
    slots = called.then(events, match.slots())
    return [tell(match.program, event, then) for event, then in zip(events, slots, strict=True)]


def test_a_card_back_in_the_box_keeps_its_name(tmp_path: Path) -> None:
    """The milk that comes then gets the number that the wine had."""
    match = begun(tmp_path, CELLAR)
    called = Called(match.program)
    assert called.changes
    first = told(match, called, "Wine")
    assert "chosen: Wine" in first
    assert "Wine moves from Guest 1's Bag" in first
    assert "Milk moves to Guest 1's Bag" in first
    assert not re.search(r"card \d", " ".join(first), re.IGNORECASE)


def test_what_a_line_is_about_is_told_without_its_words(tmp_path: Path) -> None:
    match = begun(tmp_path, CELLAR)
    found = told(match, Called(match.program), "Wine", said)
    assert found[0] == ("Wine",), "what was chosen"
    assert {("Wine",), ("Milk",), ()} <= set(found)


def test_spaces_that_are_taken_up_lie_where_they_lay(tmp_path: Path) -> None:
    match = begun(tmp_path, MAZE)
    assert "Walker 1 stays" in told(match, Called(match.program), "stay")
    lines = told(match, Called(match.program), "leave")
    lines = [line for line in lines if "moves to" in line]
    assert lines == ["Walker 1 moves to (1,0)", "Walker 1 moves to (7,7)"]


def test_without_it_the_name_is_lost(tmp_path: Path) -> None:
    match = begun(tmp_path, CELLAR)
    called = Called(match.program)
    called.learn = lambda slots: None  # type: ignore[method-assign]
    assert "chosen: Wine" not in told(match, called, "Wine")
