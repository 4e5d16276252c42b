"""Why not, in every book: the one condition that fails, in the book's words, with names and numbers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright import Match, load
from rulewright.ir import nodes as n
from rulewright.play import reasons
from rulewright.play.reasons import actions, why_not
from rulewright.play.refusals import chain
from rulewright.shelf import shelf

BOOKS = [entry.name for entry in shelf() if entry.name != "methuen"]  # that one holds rules only
VAGUE = (reasons.NOT_NOW, reasons.HIDDEN, "it is for others")
RAW = re.compile(r"[#\[\]{}]|\bv_\w|\bit\d|\b(?:Card|Space|Actor|Line|Path|Face) \d", re.ASCII)


@cache
def asked(name: str) -> tuple[str, ...]:
    """What is told of everything that is not on offer, in matches of a book that are played at random."""
    return tuple(_asked(name))


def _asked(name: str) -> Iterator[str]:
    for seed in (1, 2):
        match, chance = Match(load(name), seed=seed, engine="native"), random.Random(seed)
        for step in range(45):
            decision = match.decision
            if decision is None:
                break
            if (decision.prompt == "act" and step % 4 == 0) or step % 11 == 0:
                for action in actions(match.program):
                    if not any(action in option.text for option in decision.options):
                        yield from why_not(match, action).told
            match.choose(chance.randrange(len(decision.options)))


@pytest.mark.parametrize("name", BOOKS)
def test_it_names_a_condition_with_its_particulars(name: str) -> None:
    told = asked(name)
    assert len(told) > 40
    vague = [text for text in told if text.endswith(VAGUE) or text.endswith("is asked")]
    assert len(vague) <= 0.05 * len(told), vague[:5]


@pytest.mark.parametrize("name", BOOKS)
def test_it_is_said_in_words(name: str) -> None:
    """No marks of the notation, no numbers of things, no locals of the code."""
    for text in asked(name):
        assert not RAW.search(text), text


PLANTED = """---
title: Oddities
summary: Names that nobody but the rules uses.
designer: the tests
licence: MIT
length: a minute
seats: 1
bound: 500
---
# Oddities

```rules
Points (Resource) range: 0 to 9; starts: 2
Mark (Resource) range: 0 to 9
Elf (Template) box: 3; seat: 1

Match (Sequence)
1. Set up   put every actor out of play in play, for each actor: seat 1 controls it
            [Mark of Elf 3] = 4
2. Acting   for each actor: #Turn on it
3. Close    end the match with Done, a draw

Turn (Sequence)
1. Actions  act until pass

Worthy (Check) with: zworp (Actor), [Zquux]
[Mark of zworp] > [Zquux] AND zworp is not Elf 3

Hum (Action)
do: [Points] = 2

Bless (Action)
declare: zbork = an Elf other than self; [Zfizz] = a number from 5 to 6
requires: #Worthy with zbork, [Zfizz]
do: [Points] += 1

Curse (Action)
declare: zbork = an Elf other than self
requires: [Points] >= 2 AND not (zbork is Elf 2 OR zbork is Elf 3 OR zbork is Elf 1)
do: [Points] += 1

Double (Action)
requires: [Points] + [Mark] >= 7
do: [Points] += 1

Done (Ending)
```
"""


def test_names_of_the_rules_are_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "oddities.md"
    path.write_text(PLANTED, "utf-8")
    match = Match(load(path), seed=1)
    told = {action: why_not(match, action).told[0] for action in ("Bless", "Curse", "Double")}
    assert told == {
        "Bless": "Elf 1: only while Mark of Elf 2 > 5 (0 against 5)",
        "Curse": "Elf 1: not while Elf 2 is Elf 2 or Elf 2 is Elf 3 or Elf 2 is Elf 1",
        "Double": "Elf 1: only while Points + Mark >= 7 (2 against 7)",
    }
    (with_one,) = why_not(match, "Bless: Elf 3").told[:1]
    assert with_one == "Elf 1: with Elf 3: only while Mark of Elf 3 > 5 (4 against 5)"


@pytest.mark.parametrize("name", [entry.name for entry in shelf()])
def test_the_words_stand_beside_their_tests(name: str) -> None:
    """Every statement that may say no has as many tests as there are words for it."""
    program = load(name)
    assert program.sheet.asked
    for function, asked in program.sheet.asked.items():
        tests: list[n.Expr] = []
        for statement in program.functions[function].body:
            match statement:
                case n.If(n.Not(test), (n.Return(n.Const(0)),), ()) | n.If(test, (n.Return(n.Const(0)),), ()):
                    tests.append(test)
                case n.Return(value):
                    tests.append(value)
                case _:
                    pass
        assert len(asked.tests) <= len(tests), function
        for said, test in zip(asked.tests[:-1], tests, strict=False):
            assert len(chain(test, len(said))) == max(1, len(said))
