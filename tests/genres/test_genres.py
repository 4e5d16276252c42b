"""Chapters of rules as strangers write them: they check clean, teach by examples, keep their laws, run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler import check, compile_book, compile_tests
from rulewright.ir.program import Program
from rulewright.lab.laws import watch
from rulewright.testing import lockstep, parse_example, run_examples

GENRES = sorted(Path(__file__).parent.glob("*.md"))


@cache
def chapter(path: Path) -> Program:
    return compile_book(path)


@pytest.mark.parametrize("path", GENRES, ids=lambda path: path.stem)
def test_they_are_written_well(path: Path) -> None:
    assert [str(d) for d in check(path).diagnostics] == []
    tests = compile_tests(path)
    worked = [parse_example(e.file, e.line, e.lines) for e in tests.examples]
    assert len(worked) >= 5
    results = run_examples(tests.program, worked, "both", tests.problems)
    assert [str(failure) for result in results for failure in result.failures] == []


@pytest.mark.parametrize("path", GENRES, ids=lambda path: path.stem)
def test_they_keep_their_laws(path: Path) -> None:
    program = chapter(path)
    assert len(program.sheet.laws) >= 5
    found = watch(program, 400)
    assert found.breach is None, found.breach.text
    assert found.matches == 400


@pytest.mark.parametrize("path", GENRES, ids=lambda path: path.stem)
def test_both_engines_play_them_alike(path: Path) -> None:
    report = lockstep(chapter(path), range(24), handover=20, decisions=400)
    assert report.divergence is None, str(report.divergence)
    assert report.faults == 0


@pytest.mark.long
@pytest.mark.parametrize("path", GENRES, ids=lambda path: path.stem)
def test_both_engines_play_them_alike_at_length(path: Path) -> None:
    report = lockstep(chapter(path), range(1000, 2000), handover=50, decisions=1000)
    assert report.divergence is None, str(report.divergence)
    assert report.faults == 0
