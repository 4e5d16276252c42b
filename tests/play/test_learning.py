"""A choice is taken back only where its maker learned nothing: not after a look at something hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.native.engine import NativeEngine
from rulewright.play import undoing
from rulewright.play.match import Match, MatchError
from rulewright.play.reference import ReferenceEngine

Maker = type[ReferenceEngine] | type[NativeEngine]
ENGINES: tuple[Maker, ...] = (ReferenceEngine, NativeEngine)

BOOK = """---
title: Looks
seats: 2
bound: 60
cards: 6
---
```rules
Points (Resource)
Cup (Resource) range: 0 to 6; seen by: owner
Deck (Zone) of: Match; seen by: nobody
Hand (Zone) seen by: owner
Player (Template) box: 2; seat: each
Done (Ending)

Match (Sequence)
1. Seats   put every Player out of play in play
           build Deck from Faces
           shuffle Deck
           for each Player: [Cup of it] = 1d6
           for each Player: create a Low in Hand of it
2. Play    for each Player: #Turn on it
3. Close   end the match with Done, a draw

Turn (Sequence)
1. Act     act until pass

Wait
do: [Points] += 1

Own
do: if [Cup] > 3: [Points] += 1

Test
do: if some other Player where [Cup] > 3: [Points] += 0

Peer
do: let x = the top card of Deck
    if [Rank of x] > 3: [Points] += 0

Count
do: [Points] += [number of cards in Deck]

Pass Over
do: for each other Player: [Points of it] += 1
    move every card in Hand of self to Deck

Feint
requires: no other Player where [Cup] = 0
do: [Points] += 1
```

**Faces (Card)**

| Card | Rank | Copies |
|------|------|--------|
| Low  | 1    | 2      |
| High | 5    | 2      |
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("looks") / "book.md"
    path.write_text(BOOK.replace("Feint\nrequires: no other Player where [Cup] = 0\n", "Feint\n"))
    return compile_book(path)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("action", "free"),
    [("Wait", True), ("Own", True), ("Count", True), ("Test", False), ("Peer", False), ("Pass Over", True)],
)
def test_a_look_at_something_hidden_cannot_be_taken_back(
    program: Program, engine: Maker, action: str, free: bool
):
    match = Match(program, seed=3, engine=engine)
    match.choose("Wait")
    assert match.can_undo
    hash_ = match.hash
    match.choose(action)
    assert match.can_undo is free
    if free:
        match.undo()
        assert match.hash == hash_
        assert match.can_undo
    else:
        with pytest.raises(MatchError):
            match.undo()


def test_what_is_offered_next_counts_too(tmp_path: Path):
    """That an action is offered because of a hidden number is a look at that number."""
    path = tmp_path / "book.md"
    path.write_text(BOOK)
    match = Match(compile_book(path), seed=3)
    match.choose("Wait")
    assert not match.can_undo


def test_control_without_the_look_it_would_be_free(program: Program, monkeypatch: pytest.MonkeyPatch):
    def never(*_: object) -> bool:
        return False

    monkeypatch.setattr(undoing, "has_learned", never)
    match = Match(program, seed=3)
    match.choose("Test")
    assert match.can_undo


REACTING = """---
title: Asked
seats: 2
bound: 60
cards: 6
---
```rules
Points (Resource)
Hand (Zone) seen by: owner
Pile (Zone) of: Match
Player (Template) box: 2; seat: each
Done (Ending)

Match (Sequence)
1. Seats   put every Player out of play in play
           create a Shield in Hand of Player HOLDER
2. Hit     window Hit: each Player, asked anyway
3. Close   end the match with Done, a draw

Block (Reaction)
Trigger: Hit
declare: card = a Shield card in Hand
do: move card to Pile
```

**Faces (Card)**

| Card   | Rank |
|--------|------|
| Shield | 1    |
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_whoever_can_only_decline_is_asked_anyway(tmp_path: Path, engine: Maker):
    asked: list[list[int]] = []
    for holder in ("1", "2"):
        path = tmp_path / f"book{holder}.md"
        path.write_text(REACTING.replace("HOLDER", holder))
        match = Match(compile_book(path), engine=engine)
        asked.append([])
        while match.decision:
            asked[-1].append(match.decision.seat)
            match.choose("decline")
        assert match.result
    assert asked == [[0, 1], [0, 1]]
    path.write_text(REACTING.replace("HOLDER", "2").replace(", asked anyway", ""))
    match = Match(compile_book(path), engine=engine)
    assert match.decision
    assert match.decision.seat == 1
