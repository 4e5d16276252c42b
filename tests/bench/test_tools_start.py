"""Every measuring tool starts: what one takes from another is still there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
TOOLS = sorted(path.name for path in BENCH.glob("*.py") if "add_argument" in path.read_text("utf-8"))


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_tells_what_it_takes(name: str) -> None:
    pytest.importorskip("playwright")
    run = subprocess.run([sys.executable, BENCH / name, "--help"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "usage" in run.stdout
