"""What commands print is text, whatever stands in a book."""

from __future__ import annotations

import pytest
from rich.table import Table
from rich.text import Text

from rulewright.cli.console import console

NASTY = "a\x1b[31mb\u202ec\x9b2Jd\u2066e\x07f"


@pytest.mark.parametrize("kind", ["text", "styled", "table"])
@pytest.mark.parametrize("coloured", [False, True])
def test_nothing_printed_has_power_over_a_terminal(
    kind: str, coloured: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: coloured)
    monkeypatch.setenv("TERM", "xterm")
    table = Table(NASTY)
    table.add_row(NASTY)
    shown = {"text": NASTY, "styled": Text(NASTY, style="bold"), "table": table}[kind]
    console(60).print(shown)
    said = capsys.readouterr().out
    assert "a[31mbc2Jdef" in said
    for sign in "\u202e\x9b\u2066\x07":
        assert sign not in said
    assert "\x1b[31m" not in said
    assert ("\x1b[1m" in said) == (coloured and kind != "text")  # our own colours stay
