"""Compiled code on disk: found again, rebuilt when damaged, not recompiled when only numbers change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.duel_program import duel
from rulewright.ir import cache
from rulewright.ir.program import STACK_END, Program
from rulewright.ir.text import seal
from rulewright.native import NativeEngine, library, play_batch
from rulewright.native.module import Source
from rulewright.native.traffic import Effort


@pytest.fixture
def compilations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An empty cache, a process that has compiled nothing, and a list of what it compiles."""
    made: list[str] = []
    compile_source = library.compile_source

    def counted(program: Program, source: Source, effort: Effort) -> tuple[bytes, ...]:
        made.append("compiled")
        return compile_source(program, source, effort)

    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(library, "compile_source", counted)
    library.forget()
    return made


def works(program: Program) -> None:
    engine = NativeEngine(program)
    engine.start(2, 1, {})
    engine.advance()
    assert len(engine.options()) == 3


def test_code_is_compiled_once(compilations: list[str]):
    for _ in range(3):
        works(duel())
        library.forget()
    assert len(compilations) == 1


def test_other_numbers_need_no_compiler(compilations: list[str]):
    works(duel())
    tuned = seal(replace(duel(), params=(10, 3, 5, 12, 14, 3), title="Short duel", bound=500))
    assert tuned.digest != duel().digest
    works(tuned)
    assert len(compilations) == 1
    assert play_batch(tuned, 500).mean("decisions") < play_batch(duel(), 500).mean("decisions") / 2


def test_other_code_is_compiled(compilations: list[str]):
    works(duel())
    works(seal(replace(duel(), size=110, initial=_longer(duel()))))
    assert len(compilations) == 2


def _longer(program: Program) -> tuple[int, ...]:
    """Start values that say the stack ends at 110."""
    return (*program.initial[:STACK_END], 110, *program.initial[STACK_END + 1 :])


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "foreign", "folder"])
def test_a_damaged_entry_is_rebuilt(compilations: list[str], damage: str):
    works(duel())
    folder = cache.directory()
    assert folder is not None
    for path in (folder / "native").iterdir():
        data = path.read_bytes()
        match damage:
            case "cut":
                path.write_bytes(data[:-100])
            case "flip":
                path.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
            case "empty":
                path.write_bytes(b"")
            case "foreign":
                cache.keep("native", path.stem, b"whole, but no object code")
            case _:
                path.unlink()
                path.mkdir()
    library.forget()
    works(duel())
    assert len(compilations) == 2


def test_without_a_directory_everything_is_compiled(
    compilations: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file"))
    works(duel())
    library.forget()
    works(duel())
    assert len(compilations) == 2


def test_the_usual_directory_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("RULEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert cache.directory() == tmp_path / "rulewright"
