"""A card that nobody chose is told apart from one that the reader may not know."""

from __future__ import annotations

import pytest

from rulewright import load
from rulewright.play.describe import said as names_in
from rulewright.play.match import Match

BOOK = """---
title: Bare hands
seats: 2
---
# Bare hands

Strike with what is worn, or with nothing; throw what nobody else has seen, or nothing.

**Things (Card)**

| Card  | Copies |
|-------|--------|
| Knife | 4      |

```rules
Fighter (Template) box: 2; seat: each
Shelf (Zone) of: Match; seen by: nobody
Worn (Zone)
Bag (Zone) seen by: owner
Heap (Zone) seen by: owner
Late (Ending)

Strike (Action)
declare: weapon = a card in Worn, or "no weapon"
do: say "a blow"

Throw (Action)
declare: weapon = a card in Bag, or "nothing at all"
do: move weapon to Heap

Match (Sequence)
1. Gather  put every Fighter out of play in play
           build Shelf from Things
           for each Fighter: move the top card of Shelf to Worn of it, move the top card of Shelf to Bag of it
2. Rounds  repeat 20 times: for each Fighter: #Turn on it
3. End     end the match with Late, a draw

Turn (Sequence)
1. Act     act once
```
"""


@pytest.fixture
def match(tmp_path) -> Match:
    (tmp_path / "bare.md").write_text(BOOK)
    return Match(load(tmp_path / "bare.md"), seed=1)


def said(match: Match, choice: str) -> list[list[str]]:
    """What the chooser, the other seat and a spectator read of a choice."""
    match.choose(choice)
    return [[match.describe(event) for event in match.log(seat)] for seat in (0, 1, None)]


def test_an_empty_hand_is_called_what_the_book_calls_it(match: Match) -> None:
    assert match.decision
    offered = {option.text: option.things for option in match.decision.options}
    assert list(offered) == [
        "Strike: Knife",
        "Strike: no weapon",
        "Throw: Knife",
        "Throw: nothing at all",
        "pass",
    ]
    assert offered["Strike: no weapon"][0].id == -1
    for log in said(match, "Strike: no weapon"):
        assert "chosen: Strike: no weapon" in log
        assert not [line for line in log if "hidden" in line and "moves" not in line]


def test_a_card_that_is_hidden_stays_a_hidden_card(match: Match) -> None:
    own, *others = said(match, "Throw: Knife")
    assert "chosen: Throw: Knife" in own
    for log in others:
        assert "chosen: Throw: a hidden card" in log


def test_what_stands_there_for_a_hidden_card_is_told_beside_the_words(match: Match) -> None:
    """No page has to find it again in the sentence."""
    match.choose("Throw: Knife")
    beside = {
        seat: [names_in(match.program, event, match.slots()) for event in match.log(seat)] for seat in (0, 1)
    }
    assert ("Throw: Knife",) in beside[0]
    assert ("Throw: a hidden card", "a hidden card") in beside[1]
