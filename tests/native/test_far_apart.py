"""Code finds its own constants wherever memory was free.

LLVM's older linker asked for room section by section; where a process had taken more than two gigabytes of
addresses, code and its jump tables could end up further apart than an instruction reaches, and the process
died while it loaded a book.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DUEL = Path(__file__).parents[2] / "bench" / "duel.md"


@pytest.mark.skipif(sys.platform != "linux", reason="takes addresses as Linux gives them out")
def test_a_crowded_process_can_load_code() -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("far_apart.py")), str(DUEL)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "played\n"), done.stderr[-2000:]
