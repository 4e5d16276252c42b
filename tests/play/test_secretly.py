"""A secret ends where it ends: what comes after a secret roll is told to everybody, however it was left."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler import compile_book
from rulewright.ir import events as kinds
from rulewright.ir.program import SECRET, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine

Maker = type[ReferenceEngine] | type[NativeEngine]
ENGINES: tuple[Maker, ...] = (ReferenceEngine, NativeEngine)

BOOK = """---
title: Left in the middle
seats: 2
---
# Left in the middle

```rules
Ada (Actor) seat: 1
Bo (Actor) seat: 2
Luck (Resource) range: 0 to 6
Cup (Resource) range: 0 to 6; seen by: owner
Win (Ending)

Peek (Effect)
do: let [Found] = 1d6
    end Try
    give [Found]

Startled (Feature)
when [Luck] changes: say "somebody is lucky"
                     end Try

Kept (Feature)
when [Cup] changes: say "the cup rattles"
                    let [Loud] = 1d4

Try (Sequence)
keeps: [T]
1. Once   {FIRST}
          say "not said"

Match (Sequence)
1. Play   put Ada in play
          put Bo in play
          Ada chooses: "a": #Try on Ada
                       "b": #Try on Ada
          say "said aloud"
          let [Bank] = 1d6
          Bo chooses: "c": say "x"
                      "d": say "y"
2. Close  end the match with Win won by everyone
```
"""

FORMS = {
    "a component that ends": "let [N] = secretly #Peek on Ada",
    "a component into a kept value": "[T] = secretly #Peek on Ada",
    "a component into a number": "[Cup of Ada] = #Peek on Ada",
    "a rule that waits": "secretly [Luck of Ada] = [Luck of Ada] + 1d4",
}


@cache
def book(folder: Path, form: str) -> Program:
    path = folder / "left.md"
    path.write_text(BOOK.replace("{FIRST}", FORMS[form]), "utf-8")
    return compile_book(path)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("form", FORMS)
def test_a_sequence_ended_inside_a_secret_leaves_none_behind(form: str, engine: Maker, tmp_path: Path):
    match = Match(book(tmp_path, form), seats=2, seed=3, engine=engine)
    match.choose(0)
    assert match.slots()[SECRET] == 0
    for seat in (None, 0, 1):
        told = [match.describe(event).split(" [")[0] for event in match.log(seat)]
        assert "said aloud" in told
        assert "not said" not in told
        rolls = [event for event in match.log(seat) if event.kind == kinds.ROLL]
        assert len(rolls) == (2 if seat == 0 else 1), told


@pytest.mark.parametrize("engine", ENGINES)
def test_what_follows_from_a_secret_roll_is_no_secret(engine: Maker, tmp_path: Path):
    """Only the roll is: rules that wait for the change speak and roll for all to hear."""
    path = tmp_path / "rattle.md"
    path.write_text(BOOK.replace("{FIRST}", "secretly [Cup of Ada] = 1d6"), "utf-8")
    match = Match(compile_book(path), seats=2, seed=3, engine=engine)
    match.choose(0)
    for seat in (None, 0, 1):
        told = [match.describe(event).split(" [")[0] for event in match.log(seat)]
        assert "the cup rattles" in told
        rolls = [event for event in match.log(seat) if event.kind == kinds.ROLL]
        assert len(rolls) == (3 if seat == 0 else 2), told
