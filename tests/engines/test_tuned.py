"""Numbers a designer tunes are parameters: the book as it was compiled, given the numbers of an edited one,
plays the edited one's match on both engines, and the edited one needs no other machine code."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import DECISION, STATUS, Program
from rulewright.native import NativeEngine
from rulewright.play.reference import ReferenceEngine

BOOK = """---
title: Skirmish
summary: Every sort of number that a designer tunes.
seats: 2
bound: 3000
cards: 40
---
# Skirmish

**Blows (Card)** declare: target = a Fighter other than self

| Card | Harm | do |
|------|------|----|
| Jab  | 2    | [Target Health] -= [Harm of card] |
| Hook | 5    | [Target Health] -= [Harm of card] |

**Blow Deck (Deck)**

| Card | Copies |
|------|--------|
| Jab  | 6      |
| Hook | 3      |

**Mishap (Table)** rolls 1d6

| Roll | Name    | Effect          |
|------|---------|-----------------|
| 1-2  | Scratch | [Health] -= 1   |
| 3-5  | Stumble | [Stamina] -= 2  |
| 6    | Nothing |                 |

```rules
Health (Resource) range: 0 to 30; starts: 20
Stamina (Resource) range: 0 to 9
Deck (Zone) seen by: nobody
Hand (Zone) seen by: owner
Discard (Zone)

Fighter (Template) box: 2; seat: each

Match (Sequence)
1. Set up    put every actor out of play in play
             for each actor: #Arm on it
2. Rounds    repeat while [number of actors] = 2: for each actor: #Turn on it

Arm (Effect)
build Deck from Blow Deck, shuffle Deck

Turn (Sequence)
1. Refresh   [Stamina] = 4
             if some card in Deck: move the top card of Deck to Hand
2. Act       act until pass

Swing
declare: target = a Fighter other than self
requires: [Stamina] >= 2
cost: [Stamina] -= 2
do:
  if 1d20 + 5 >= 12: [Target Health] -= 1d8 + 3
  else: #Mishap on self

Play
declare: card = a card in Hand; what card declares
requires: [Stamina] >= 1
cost: [Stamina] -= 1
do: move card to Discard, perform card

Fallen (Feature)
when [Health] reaches 0: end the match with Victory won by the Fighter other than self

Victory (Ending)
```
"""

TUNED: dict[str, tuple[tuple[str, str], ...]] = {
    "a cost": (("cost: [Stamina] -= 2", "cost: [Stamina] -= 3"),),
    "a threshold of an action": (("requires: [Stamina] >= 2", "requires: [Stamina] >= 3"),),
    "a number to beat": ((">= 12", ">= 16"),),
    "a bonus": (("1d20 + 5", "1d20 + 1"),),
    "a damage": (("1d8 + 3", "1d8 + 6"),),
    "a value of a card": (("| Hook | 5 ", "| Hook | 9 "),),
    "fewer cards in a deck": (("| Jab  | 6 ", "| Jab  | 1 "),),
    "more cards in a deck": (("| Hook | 3 ", "| Hook | 8 "),),
    "what a row does": (("[Health] -= 1 ", "[Health] -= 4 "),),
    "where a row ends": (("| 1-2  |", "| 1-4  |"), ("| 3-5  |", "| 5    |")),
    "a row of one number": (("| 3-5  |", "| 3-4  |"), ("| 6    |", "| 5-6  |")),
    "a starting value": (("starts: 20", "starts: 27"),),
    "a value that is set": (("[Stamina] = 4", "[Stamina] = 7"),),
}


def compiled(folder: Path, changes: tuple[tuple[str, str], ...] = ()) -> Program:
    text = BOOK
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "skirmish.md").write_text(text, "utf-8")
    return compile_book(folder / "skirmish.md")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return compiled(tmp_path_factory.mktemp("printed"))


def story(engine: Any, seed: int) -> list[int]:
    """A match as hashes of its stops."""
    random = Random(seed)
    engine.start(2, seed, {})
    engine.advance()
    hashes = [engine.hash()]
    while engine.peek(STATUS) == DECISION and len(hashes) < 150:
        engine.choose(random.randrange(len(engine.options())))
        engine.advance()
        hashes.append(engine.hash())
    return hashes


@pytest.mark.parametrize("what", TUNED)
def test_a_number_is_a_parameter(what: str, tmp_path: Path, printed: Program):
    tuned = compiled(tmp_path, TUNED[what])
    changed = sum(a != b for a, b in zip(tuned.params, printed.params, strict=True))
    assert 1 <= changed <= 2 * len(TUNED[what])
    assert tuned.digest != printed.digest
    assert tuned.code_digest == printed.code_digest
    old = NativeEngine(printed)
    engines = [
        ReferenceEngine(tuned),
        ReferenceEngine(printed, tuned.params),
        NativeEngine(printed, tuned.params, old.library),
    ]
    stories = [[story(engine, seed) for seed in range(12)] for engine in engines]
    assert stories[0] == stories[1] == stories[2]
    assert stories[0] != [story(old, seed) for seed in range(12)], "the number does not matter"
