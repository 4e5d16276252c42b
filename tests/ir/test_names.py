"""Nothing that runs a Program reads the spelling of its functions' names: they can all be other ones.

What other packages need of a function stands in the tables of the sheet; a name is only a handle.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.compiler import compile_tests
from rulewright.ir.kernels import kernels
from rulewright.ir.program import Program
from rulewright.ir.sheet import ActionCode, FieldCode
from rulewright.ir.text import read, seal, show
from rulewright.ir.verify import verify
from rulewright.ir.walk import renamed_calls
from rulewright.play.match import Match
from rulewright.play.reasons import why_not
from rulewright.testing import parse_example, run_examples

BOOK = Path(__file__).parents[1] / "testing" / "everything.md"


def renamed(program: Program) -> Program:
    """The same Program; every function of the book is called f0, f1, and so on."""
    names = {name: f"f{k}" for k, name in enumerate(program.functions) if name not in kernels()}
    new = {**names, "": ""}
    sheet = replace(
        program.sheet,
        field_code=tuple(FieldCode(new[c.get], new[c.maximum]) for c in program.sheet.field_code),
        actions=tuple(
            ActionCode(c.name, new[c.legal], tuple(new[step] for step in c.steps))
            for c in program.sheet.actions
        ),
        asked={new[name]: asked for name, asked in program.sheet.asked.items()},
        policies=tuple(new[name] for name in program.sheet.policies),
        example_checks=tuple(replace(c, holds=new[c.holds]) for c in program.sheet.example_checks),
    )
    functions = {
        names.get(f.name, f.name): replace(
            f, name=names.get(f.name, f.name), body=renamed_calls(f.body, names)
        )
        for f in program.functions.values()
    }
    segments = tuple(replace(s, body=renamed_calls(s.body, names)) for s in program.segments)
    made = seal(replace(program, functions=functions, segments=segments, sheet=sheet))
    verify(made)
    return made


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_examples_hold_whatever_the_functions_are_called(engine: str) -> None:
    tests = compile_tests(BOOK)
    made = renamed(tests.program)
    assert tests.program.sheet.example_checks
    worked = [parse_example(e.file, e.line, e.lines) for e in tests.examples]
    results = run_examples(made, worked, engine, tests.problems)
    assert [r.failures for r in results] == [()] * len(tests.examples)


def test_reasons_and_replays_do_not_read_names() -> None:
    program = compile_tests(BOOK).program
    told: list[list[tuple[str, ...]]] = []
    for made in (program, renamed(program)):
        match = Match(made, seed=3, seats=made.seats[0])
        told.append([why_not(match, code.name).told for code in made.sheet.actions])
    assert told[0] == told[1]
    assert told[0]


def test_a_renamed_program_reads_back() -> None:
    made = renamed(compile_tests(BOOK).program)
    assert read(show(made)) == made


def test_control_the_tables_are_needed() -> None:
    """With a name in the tables that no function has, the Program is refused."""
    tests = compile_tests(BOOK)
    [first, *rest] = tests.program.sheet.example_checks
    sheet = replace(tests.program.sheet, example_checks=(replace(first, holds="gone"), *rest))
    with pytest.raises(Exception, match="gone"):
        verify(replace(tests.program, sheet=sheet))
