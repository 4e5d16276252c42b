"""Names of a book are for people: whatever they are spelled with, each has a function of its own."""

from __future__ import annotations

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program, code_of
from rulewright.lower.builder import identifier
from rulewright.play.match import Match
from rulewright.play.reasons import actions
from rulewright.testing import lockstep

BOOK = """---
title: Names
seats: 1
---
```rules
Héros (Actor) seat: 1

Mid-Tide (Resource) range: 0 to 9; starts: 1; maximum: 5
Mid/Tide (Resource) range: 0 to 99; starts: 2; maximum: 70
Énergie (Resource) range: 0 to 99; starts: 1

Coup (Check)
[Énergie] >= 1

Vif (Feature)
modify: [Énergie] +1

Win (Ending)

Frappe Éclair (Action)
requires: #Coup
do: [Énergie] += 2

Match (Sequence)
1. Play   put Héros in play
          [Mid-Tide of Héros] += 1
          [Mid/Tide of Héros] += 50
          act up to 2 times by Héros
2. Close  end the match with Win won by everyone
```
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("names") / "names.md"
    path.write_text(BOOK, "utf-8")
    return compile_book(path)


def test_names_that_differ_by_a_sign_are_two_numbers(program: Program) -> None:
    match = Match(program, seed=1)
    fields = {field.name: field for field in program.sheet.fields}
    assert match.engine.peek(fields["Mid-Tide"].base) == 2
    assert match.engine.peek(fields["Mid/Tide"].base) == 52


def test_any_letter_runs_on_both_engines(program: Program) -> None:
    assert all(name.isascii() for name in program.functions)
    report = lockstep(program, range(3))
    assert report.divergence is None
    assert report.decisions > 0


def test_tables_say_which_function_reads_a_number(program: Program) -> None:
    codes = {field.name: code_of(program, field) for field in program.sheet.fields}
    assert codes["Énergie"].get in program.functions
    assert codes["Mid-Tide"].maximum != codes["Mid/Tide"].maximum
    assert {codes["Mid-Tide"].maximum, codes["Mid/Tide"].maximum} <= set(program.functions)
    assert codes["Mid-Tide"].get == ""
    assert list(actions(program)) == ["Frappe Éclair"]


def test_no_two_names_become_one_identifier() -> None:
    names = ("Hit-Points", "Hit/Points", "Hit_Points", "Hit_2d_Points", "HitPoints", "É", "_c9_")
    made = [identifier(name) for name in names]
    assert len(set(made)) == len(names)
    assert all(word.isascii() for word in made)
