"""Better code is made beside a match and takes over between two calls; what is played stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.ir.program import Program
from rulewright.native import batch, library, second
from rulewright.native.engine import NativeEngine
from rulewright.native.traffic import PATIENT
from small_programs import program


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    library.forget()
    second.forget()
    yield program()
    library.forget()
    second.forget()


def played(made: Program) -> object:
    return batch.play_batch(made, 200, seed=3).columns


def test_it_takes_over(race: Program):
    before = played(race)
    engine = NativeEngine(race)
    engine.start(2, 5, {})
    engine.advance()
    code = library.library(race)
    old = code.code
    thread = second.improve(race, "tiered")
    assert thread is not None
    assert second.improve(race, "tiered") is thread  # once
    thread.join(120)
    assert code.better
    assert code.code is not old
    assert code.older == [old]
    assert played(race) == before
    options = engine.options()
    engine.choose(0)  # a match that was under way goes on in the new code
    engine.advance()
    twin = NativeEngine(race, None, library.compiled(race, "merged"))
    twin.start(2, 5, {})
    twin.advance()
    assert twin.options() == options
    twin.choose(0)
    twin.advance()
    assert twin.state() == engine.state()


def test_it_is_found_again(race: Program, monkeypatch: pytest.MonkeyPatch):
    before = played(race)
    packed = library.better_objects(race)
    monkeypatch.setattr(library, "compile_source", pytest.fail)
    library.forget()
    code = library.library(race)
    assert code.better
    assert packed
    assert played(race) == before
    assert PATIENT.name


def test_what_fails_changes_nothing(race: Program, monkeypatch: pytest.MonkeyPatch):
    before = played(race)
    code = library.library(race)
    old = code.code
    library.take_over(race, code, b"\x01" + b"\x00" * 30)
    assert code.code is old
    monkeypatch.setattr(second.sys, "executable", "/bin/false")
    thread = second.improve(race, "tiered")
    assert thread is not None
    thread.join(60)
    assert code.code is old
    assert played(race) == before
