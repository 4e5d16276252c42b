"""The tutorial's book grows in steps that all work, and its commands print what it says."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.compiler import check

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text("utf-8")
PARTS = re.findall(r"^````markdown\n(.*?)^````$", PAGE, re.S | re.M)


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str, typed: str = ""
) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    with pytest.raises(SystemExit):
        main(arguments)
    return capsys.readouterr().out


def test_every_step_can_be_read(tmp_path: Path) -> None:
    assert len(PARTS) == 5
    for count in range(1, len(PARTS) + 1):
        book = tmp_path / "pearl-divers.md"
        book.write_text("\n".join(PARTS[:count]))
        errors = [str(d) for d in check(book).errors]
        assert errors == [], f"after part {count}"


def test_its_commands_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    book = tmp_path / "pearl-divers.md"
    book.write_text("\n".join(PARTS))
    shown = run(monkeypatch, capsys, "check", "pearl-divers.md")
    shown += run(monkeypatch, capsys, "test", "pearl-divers.md")
    changed = book.read_text().replace("cost: [Air] -= 1\ndo: #Grope\n", "do: #Grope, [Air] -= 1\n")
    assert changed != book.read_text()
    book.write_text(changed)
    shown += run(monkeypatch, capsys, "test", "pearl-divers.md")
    printed = [
        line for text in re.findall(r"^```text\n(.*?)^```$", PAGE, re.S | re.M) for line in text.splitlines()
    ]
    for line in printed:
        if not line.startswith("$"):
            assert line in shown, line


def test_it_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pearl-divers.md").write_text("\n".join(PARTS))
    shown = run(
        monkeypatch,
        capsys,
        "play",
        "pearl-divers.md",
        "--terminal",
        "--seed",
        "7",
        typed="why not Search\n1\nwhy\n" + "pass\n" * 9,
    )
    assert "needs" in shown.split("why not Search", 1)[1][:200], shown
    assert "The match has ended: Market Day." in shown
