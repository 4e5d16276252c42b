"""Every book in docs/cookbook.md compiles without a word, and its examples hold on both engines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

COOKBOOK = Path(__file__).parents[1] / "docs" / "cookbook.md"
BOOKS = re.findall(r"^## (.*?)$.*?^````book\n(.*?)^````$", COOKBOOK.read_text(encoding="utf-8"), re.S | re.M)


@pytest.mark.parametrize(("title", "text"), BOOKS, ids=[title for title, _ in BOOKS])
def test_the_recipe_works(title: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.md"
    path.write_text(text if text.startswith("---") else f"---\ntitle: {title}\n---\n{text}", encoding="utf-8")
    for command in (["check", str(path)], ["test", str(path), "--engine", "both"]):
        made = subprocess.run([sys.executable, "-m", "rulewright", *command], capture_output=True, text=True)
        assert made.returncode == 0, made.stdout + made.stderr


def test_there_are_recipes() -> None:
    assert len(BOOKS) >= 12
