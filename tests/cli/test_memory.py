"""A server gives back the memory that threads have thought with."""

from __future__ import annotations

import subprocess
import sys

import pytest

THINKING = """
import ctypes, sys, threading
from pathlib import Path
from rulewright.cli.serve import give_back

def resident():
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) / 1024

def think():
    room = ctypes.create_string_buffer(17 << 20)
    ctypes.memset(room, 1, len(room))
    together.wait()

if sys.argv[1] == "giving":
    give_back()
before = resident()
for _ in range(3):
    together = threading.Barrier(8)
    threads = [threading.Thread(target=think) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at /proc")
def test_room_to_think_goes_back_to_the_system() -> None:
    """Beside a program that leaves it to the C library, so that the test tells one from the other."""
    kept = {
        how: float(subprocess.check_output([sys.executable, "-c", THINKING, how], text=True))
        for how in ("giving", "keeping")
    }
    if kept["keeping"] < 40:
        pytest.skip("this C library gives back by itself")
    assert kept["giving"] < 20
