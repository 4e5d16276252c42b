"""Code of the reference engine is compiled once on a machine, and loaded after that."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.prepare import edition
from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.play import printed
from rulewright.play.match import Match

BOOK = Path(__file__).parent / "trail.md"


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files that were compiled, from an empty cache on."""
    files: list[str] = []

    def counted(text: str, file: str, mode: str) -> Any:
        files.append(file)
        return builtins.compile(text, file, mode)

    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(printed, "compile", counted, raising=False)
    monkeypatch.setattr(printed, "_factories", {})
    return files


def played(program: Program) -> list[object]:
    """A short match, from an engine as a new process would make it."""
    printed.forget()
    match = Match(program, seed=3)
    for _ in range(5):
        if match.decision is None:
            break
        match.choose(len(match.decision.options) - 1)
    return [match.slots(), match.log(None)]


def test_code_is_loaded_the_second_time(compiled: list[str]) -> None:
    program = compile_book(BOOK)
    first = played(program)
    assert len(compiled) == 1
    assert played(program) == first
    assert len(compiled) == 1


def test_a_damaged_entry_is_made_anew(compiled: list[str], tmp_path: Path) -> None:
    program = compile_book(BOOK)
    first = played(program)
    (entry,) = (tmp_path / printed.KIND).iterdir()
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert played(program) == first
    assert len(compiled) == 2


def test_a_server_has_it_compiled_by_another_process(compiled: list[str]) -> None:
    edition(BOOK)
    played(compile_book(BOOK))
    assert not compiled
