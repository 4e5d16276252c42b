"""`play --keep` and `play --carried`: a party that goes from match to match, from the command line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.cli import main

BOOK = str(Path(__file__).parents[1] / "play" / "trail.md")
Play = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, typed: str = "", terminal: bool = True) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed.replace("; ", "\n")))
        with pytest.raises(SystemExit) as stopped:
            main(["play", BOOK, *(["--terminal"] if terminal else []), *arguments])
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err
        return int(stopped.value.code or 0), shown.out, shown.err

    return command


def test_a_party_goes_on(play: Play, tmp_path: Path):
    code, out, _ = play("--seat", "you,you", "--keep", "one.json", typed="Run; ; Swim; ; dig; ; mend")
    assert code == 0
    assert "Kept in one.json." in out
    # Without --seat the table is as large as the party; the one more seat is a bot's.
    code, out, _ = play("--carried", "one.json", "--keep", "two.json", typed="buy a lamp")
    assert code == 0
    later = json.loads((tmp_path / "two.json").read_text("utf-8"))
    assert later["match"]["values"] == {"Fame": 3}
    assert later["actors"]["Walker 1"]["values"]["Level"] == 3
    assert [card["face"] for card in later["actors"]["Walker 1"]["cards"]["Bag"]] == ["Rope", "Lamp"]
    assert later["actors"]["Walker 2"]["values"]["Calling"] == "Swim"


def test_saved_and_loaded_with_what_was_carried(play: Play, tmp_path: Path):
    play("--keep", "one.json", typed="Run; dig")
    code, out, _ = play("--carried", "one.json", "--seed", "4", typed="save half.json; dig")
    assert code == 0
    code, out, _ = play("--seed", "4", "--keep", "two.json", typed="load half.json; dig")
    assert "Kept in two.json." in out
    assert (
        json.loads((tmp_path / "two.json").read_text("utf-8"))["actors"]["Walker 1"]["values"]["Gold"] == 25
    )


def test_what_cannot_be_used(play: Play, tmp_path: Path):
    play("--seat", "you,random", "--keep", "one.json", typed="Run; dig")
    text = (tmp_path / "one.json").read_text("utf-8")
    (tmp_path / "changed.json").write_text(text.replace('"Gold": 15', '"Gold": 95'), "utf-8")
    for arguments, message in (
        (["--carried", "changed.json"], "[keepsake/damaged]"),
        (["--carried", "missing.json"], "cannot read missing.json"),
        (["--carried", "one.json", "--seat", "you"], "[keepsake/seats]"),
    ):
        code, _, err = play(*arguments)
        assert (code, err.count("\n")) == (1, 1)
        assert message in err
    code, _, err = play("--keep", "x.json", terminal=False)
    assert code == 1
    assert "need --terminal" in err


def test_too_early_and_nowhere(play: Play):
    _, out, _ = play(typed="keep early.json; keep; Run; dig")
    assert "Only a match that has ended can be carried over." in out
    assert "Say where: `keep FILE`." in out
    _, out, _ = play("--keep", "no/such/folder.json", typed="Run; dig")
    assert "Cannot write no/such/folder.json" in out
