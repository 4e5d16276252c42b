"""Closed text is asked for in one place."""

from __future__ import annotations

import re
from pathlib import Path

GRAMMAR = Path(__file__).resolve().parents[2] / "src" / "rulewright" / "book" / "grammar"
AT_HOME = {"closed.py", "cursor.py"}


def test_only_one_module_of_the_grammar_asks_whether_text_is_closed() -> None:
    asked = re.compile(r"\b(?:p|self|token|opening)\.closed\b|\.now\.closed\b|\bframeworks\b")
    found = [
        f"{path.name}:{number}"
        for path in sorted(GRAMMAR.glob("*.py"))
        if path.name not in AT_HOME
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if asked.search(line)
    ]
    assert found == []
