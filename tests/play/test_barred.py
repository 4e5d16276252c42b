"""Why not, of what somebody may not even think of: one thing that is so, never a list of what might be."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rulewright import Match, load
from rulewright.play.reasons import NOT_NOW, actions, why_not
from rulewright.shelf import shelf

BOOK = """---
title: Bells
summary: Two ringers, one of whom may do what the other may not.
designer: the tests
licence: MIT
length: a minute
seats: 1
bound: 500
---
# Bells

```rules
Rung (Resource) range: 0 to 9
Ringer (Template) box: 1; seat: any
actions: Peal
Boy (Template) box: 1; seat: any
Hoarse (Status)

Match (Sequence)
1. Set up   put every actor out of play in play, for each actor: seat 1 controls it
            Boy 1 becomes Hoarse
2. Ringing  for each actor: #Turn on it
3. Close    end the match with Done, a draw

Turn (Sequence)
1. Actions  act until pass

Peal (Action)
do: [Rung] += 1

Ring (Action)
limit: once per Turn
do: [Rung] += 1

Shout (Action)
do: [Rung] += 1

Sore Throat (Feature)
while: self is Hoarse
forbids: Shout

Done (Ending)
```
"""


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Match:
    path = tmp_path_factory.mktemp("bells") / "bells.md"
    path.write_text(BOOK, "utf-8")
    return Match(load(path), seed=1)


def choose(match: Match, words: str) -> None:
    assert match.decision is not None
    match.choose([option.text for option in match.decision.options].index(words))


def test_it_is_for_others_used_up_or_forbidden(match: Match) -> None:
    choose(match, "Ring")
    assert why_not(match, "Ring").told[0] == "Ringer 1: only once per Turn"
    assert why_not(match, "Peal").told == ("'Peal' is on offer.",)
    choose(match, "pass")
    assert why_not(match, "Peal").told[1] == "Boy 1: it is for Ringer"
    assert why_not(match, "Shout").told[1] == "Boy 1: 'Sore Throat' forbids it"


def asked(name: str) -> Iterator[str]:
    """What is told of everything that is not on offer, now and then in a match of a book."""
    match, chance = Match(load(name), seed=3, engine="native"), random.Random(3)
    for step in range(40):
        decision = match.decision
        if decision is None:
            return
        if decision.prompt == "act" and step % 4 == 0:
            for action in actions(match.program):
                if not any(action in option.text for option in decision.options):
                    yield from why_not(match, action).told
        match.choose(chance.randrange(len(decision.options)))


@pytest.mark.parametrize("name", [entry.name for entry in shelf() if entry.name != "methuen"])
def test_one_thing_is_told_in_every_book(name: str) -> None:
    told = list(asked(name))
    assert told
    vague = [text for text in told if NOT_NOW in text]
    assert not vague, vague[:3]
