"""How long commands take to begin, and books to be checked: in processor time, as shares of one run.

In:  the shelf, bench/duel.md; with --against, an older revision of this repository.
Out: a table. Each figure is the least of several rounds, in seconds and as a multiple of a fixed piece of
     Python, because a busy machine is two or three times slower than a quiet one, and everything alike.

Usage: python bench/starts.py [--rounds N] [--against REVISION]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST, SMALL = ROOT / "books" / "p52" / "p52.md", ROOT / "bench" / "duel.md"

EDITING = """
import sys, time
from pathlib import Path
from rulewright.compiler import Again, check
book, file = Path(sys.argv[1]), Path(sys.argv[2])
text, again = file.read_text(), Again()
check(book, again=again)
def took(work):
    began = time.process_time()
    work()
    return time.process_time() - began
key, line, fresh = [], [], []
for n in range(5):
    typed = {file: text.replace("do: [", f"do: [X{n}] = 1, [", 1)}
    key.append(took(lambda: check(book, again=again, unsaved=typed)))
    read = len(again.read)
    fresh.append(took(lambda: check(book, unsaved=typed)))
    typed = {file: "\\n" * n + text}
    line.append(took(lambda: check(book, again=again, unsaved=typed)))
print(min(fresh), min(key), min(line), read)
"""
"""A key that is pressed in a definition, a line that is put in above all, and a fresh check."""


def fixed() -> float:
    """Seconds for what is always the same: the measure of this machine at this moment."""
    began = time.process_time()
    table = {str(n): n for n in range(200_000)}
    sum(table[key] for key in table)
    return time.process_time() - began


def spent(command: Sequence[str | Path], source: Path, cache: str) -> float:
    """Processor time of a command."""
    environment = os.environ | {"RULEWRIGHT_CACHE": cache, "PYTHONPATH": str(source / "src")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], env=environment, capture_output=True, check=True, cwd=source)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cold(book: Path, source: Path) -> float:
    """A check with nothing cached."""
    with tempfile.TemporaryDirectory() as cache:
        return spent(["-m", "rulewright", "check", book], source, cache)


def unchanged(book: Path, source: Path) -> float:
    """A check of a book that was checked before."""
    with tempfile.TemporaryDirectory() as cache:
        spent(["-m", "rulewright", "check", book], source, cache)
        return spent(["-m", "rulewright", "check", book], source, cache)


def rows(source: Path) -> dict[str, Callable[[], float]]:
    """What is measured."""
    return {
        "--help": lambda: spent(["-m", "rulewright", "--help"], source, ""),
        "list": lambda: spent(["-m", "rulewright", "list"], source, ""),
        "check duel, cold": lambda: cold(source / SMALL.relative_to(ROOT), source),
        "check p52, cold": lambda: cold(source / LARGEST.relative_to(ROOT), source),
        "check p52, unchanged": lambda: unchanged(source / LARGEST.relative_to(ROOT), source),
    }


def best(measure: Callable[[], float], rounds: int) -> tuple[float, float]:
    """The least of some rounds, and as a multiple of the fixed piece measured beside it."""
    found = [(measure(), fixed()) for _ in range(rounds)]
    return min(took for took, _ in found), min(took / unit for took, unit in found)


def main() -> None:
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    reader.add_argument("--rounds", type=int, default=3, help="rounds; the least counts")
    reader.add_argument("--against", metavar="REVISION", help="an older revision, measured in turns")
    wanted = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) if wanted.against else None
        if old is not None:
            files = subprocess.run(
                ["git", "archive", wanted.against], cwd=ROOT, capture_output=True, check=True
            )
            subprocess.run(["tar", "x", "-C", old], input=files.stdout, check=True)
        for name, measure in rows(ROOT).items():
            took, units = best(measure, wanted.rounds)
            words = f"{name:24} {took:6.2f} s {units:6.1f} units"
            if old is not None:
                before, _ = best(rows(old)[name], wanted.rounds)
                words += f"   before {before:6.2f} s: {took / before:.2f}"
            print(words, flush=True)
    command = [sys.executable, "-c", EDITING, LARGEST, LARGEST.with_name("combat.md")]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    fresh, key, line = map(float, found[:3])
    print(
        f"p52 in an editor: fresh {fresh:.3f} s; a key {key / fresh:.2f} of it ({found[3]} definitions read);"
    )
    print(f"a line above everything else {line / fresh:.2f} of it")


if __name__ == "__main__":
    main()
