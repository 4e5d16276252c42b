"""Better code is made beside a match and takes over between two calls; what is played stays the same."""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from rulewright import load
from rulewright.ir.program import Program
from rulewright.native import batch, library, machine, second
from rulewright.native.engine import NativeEngine
from rulewright.native.module import Shape, Source, translate
from rulewright.native.outer import text as reach
from rulewright.native.outer.host import Outer
from rulewright.native.traffic import HASTY, PATIENT, QUICK, Effort
from rulewright.play.engine import opening
from rulewright.shelf import shelf
from small_programs import program


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    library.forget()
    second.forget()
    yield program()
    library.forget()
    second.forget()


def tiered(made: Program, effort: Effort, shape: Shape | None = None) -> Source:
    """As a large book would be."""
    return translate(made, "tiered")


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


def test_only_the_best_code_is_made_with_every_care(race: Program, monkeypatch: pytest.MonkeyPatch):
    cares: list[list[str]] = []
    compile_texts = machine.compile_texts

    def watched(texts: Iterable[tuple[str, machine.Care]]) -> tuple[bytes, ...]:
        found = list(texts)
        cares.append([care for _, care in found])
        return compile_texts(found)

    monkeypatch.setattr(machine, "compile_texts", watched)
    for effort in (HASTY, QUICK, PATIENT):
        library.compile_source(race, tiered(race, effort), effort)
    assert [round for round in cares if set(round) != {"none"}] == [["much", "some"], ["utmost", "some"]]


@pytest.mark.long
@pytest.mark.parametrize("name", [entry.name for entry in shelf() if entry.name != "methuen"])
def test_every_effort_plays_the_same(name: str):
    made = load(name)
    found: list[object] = []
    for effort in (HASTY, QUICK, PATIENT):
        source = translate(made, inline=effort.inline, largest=effort.merged)
        objects = library.compile_source(made, source, effort)
        code = library._bound(made, machine.load_objects(objects))  # pyright: ignore[reportPrivateUsage]
        runner = batch.Runner(made, batch.result_columns(made, made.seats[1]), code=code)
        slots = opening(made, made.seats[1], 0, {})
        found.append(runner.run(struct.pack(f"<{len(slots)}i", *slots), 300, 7).columns)
    assert found[0] == found[1] == found[2]


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


def test_first_code_is_hasty_and_better_code_comes_in_two_steps(
    race: Program, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(library, "_source", tiered)
    code = library.library(race)
    assert code.hasty
    assert not code.better
    assert [effort.name for effort in library.efforts(race, hasty=True)] == ["quick", "patient"]
    before = played(race)
    quick = library.better_objects(race, QUICK)
    library.take_over(race, code, quick, best=False)
    assert not code.hasty
    assert not code.better
    assert played(race) == before
    library.forget()
    again = library.library(race)  # the best there is in the cache
    assert (again.hasty, again.better) == (False, False)
    assert [effort.name for effort in library.efforts(race, hasty=False)] == ["patient"]


def test_a_search_goes_on_in_the_better_code(race: Program):
    outer = Outer(race)
    code = library.library(race)
    library.take_over(race, code, library.better_objects(race))
    entry = code.code.addresses["rw_choose"]
    assert outer._arena.word(reach.CHOOSE) != entry  # pyright: ignore[reportPrivateUsage]
    outer.call("measure")
    assert outer._arena.word(reach.CHOOSE) == entry  # pyright: ignore[reportPrivateUsage]


def test_what_was_made_elsewhere_is_taken(race: Program, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(library, "_source", tiered)
    code = library.library(race)
    library.better_objects(race)
    monkeypatch.setattr(second.sys, "executable", "/bin/false")
    thread = second.improve(race)
    assert thread is not None
    thread.join(60)
    assert code.better


@pytest.mark.parametrize("sent", [0, 100])
def test_a_task_that_breaks_off_is_dropped_without_a_word(race: Program, sent: int):
    """Whoever wanted the code ended while it asked for it."""
    task = pickle.dumps((race, None, True))[:sent]
    command = [sys.executable, "-c", "from rulewright.native.second import main; main()"]
    done = subprocess.run(command, input=task, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
