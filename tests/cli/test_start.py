"""Commands are loaded when they are used: help and short commands wait for nothing they do not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rulewright
from rulewright.cli.app import COMMANDS, command, purpose
from rulewright.cli.start import is_plain_check

HEAVY = (
    "llvmlite",
    "rulewright.native",
    "rulewright.lower",
    "rulewright.serve",
    "rulewright.testing",
    "fastapi",
)
COMPILER = ("rulewright.book.bodies.definitions", "rulewright.compiler")
NEW = Path(rulewright.__file__).parent / "cli" / "new.md"


def loaded(*words: str) -> list[str]:
    """The heavy modules that a command loads."""
    code = (
        "import sys\nfrom rulewright.cli import main\n"
        f"try:\n    main({list(words)!r})\nexcept SystemExit:\n    pass\n"
        f"print([m for m in sys.modules if m.startswith({(*HEAVY, *COMPILER)!r})], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return list(eval(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("words", [("--help",), ("list",), ("serve", "--help")])
def test_what_needs_no_book_loads_no_compiler(words: tuple[str, ...]):
    assert loaded(*words) == []


def test_checking_loads_neither_code_makers_nor_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    found = loaded("check", str(NEW))
    assert "rulewright.compiler" in found
    assert [name for name in found if name.startswith(HEAVY)] == []
    assert loaded("check", str(NEW)) == []  # nothing has changed since


def test_a_command_that_is_done_loads_no_complaints():
    code = (
        "import sys\nfrom rulewright.cli import main\n"
        "try:\n    main(['list', '--names'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('rulewright.play.faults', 'rulewright.ir.program') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_control_what_runs_matches_is_seen():
    assert any(name.startswith("rulewright.native") for name in loaded("test", "--help"))


def test_every_command_says_what_it_is_for():
    for name in COMMANDS:
        assert purpose(name).endswith("."), name
        assert command(name).help.startswith(purpose(name).split("\n")[0]), name


def test_a_plain_check_loads_no_parser_of_options(tmp_path: Path):
    book = tmp_path / "small.md"
    book.write_text(NEW.read_text("utf-8").replace("TITLE", "Small"))
    code = (
        "import sys\nfrom rulewright.cli import main\n"
        f"try:\n    main(['check', {str(book)!r}])\nexcept SystemExit as left:\n    print(left.code)\n"
        "print([m for m in ('pydantic', 'typer', 'rich', 'rulewright.ir.program') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["0", "[]"]


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        (["check", "book.md"], True),
        (["check", "--help"], False),
        (["check", ""], False),
        (["check"], False),
        (["check", "book.md", "more"], False),
        (["test", "book.md"], False),
    ],
)
def test_which_checks_are_plain(words: list[str], plain: bool):
    assert is_plain_check(words) == plain


def test_a_plain_check_fails_as_any_other():
    wrong = Path(__file__).parents[1] / "campaign" / "mistakes" / "err-01.md"
    done = subprocess.run([sys.executable, "-m", "rulewright", "check", str(wrong)], capture_output=True)
    assert done.returncode == 1
    assert b"error" in done.stdout
