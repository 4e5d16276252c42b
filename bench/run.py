"""Measure everything side by side, in one run.

In:  bench/duel.md, the same duel by hand in other languages, the shipped books.
Out: a table on the screen, what the project asks of these figures and whether it holds, and
     build/bench.json.

Every figure is the best of several short rounds, because a shared machine is only ever slower than it
could be, never faster. What runs on one core, compilation too, is measured in processor time for the
same reason; threads in time on the clock. What cannot run here (no C compiler, no npm, a book with
errors) is left out of the table with a note, and is null in the file.

Usage: python bench/run.py [--seconds N] [--rounds N] [--only NAME ...]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, cast

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build"
sys.path[:0] = [str(ROOT / "src"), str(HERE)]

import boardgame_io  # noqa: E402
import steps  # noqa: E402

from rulewright.compiler import compile_book  # noqa: E402
from rulewright.diagnostics import BookError  # noqa: E402
from rulewright.ir.program import DECISION, STATUS, Program  # noqa: E402
from rulewright.native import NativeEngine, Runner, play_batch, result_columns  # noqa: E402
from rulewright.native.second import improve  # noqa: E402
from rulewright.play.engine import opening  # noqa: E402
from rulewright.play.faults import Fault  # noqa: E402
from rulewright.play.reference import ReferenceEngine  # noqa: E402
from rulewright.shelf import shelf  # noqa: E402

Rates = dict[str, float]


def best(measure: Callable[[], float], rounds: int) -> float:
    return max(measure() for _ in range(rounds))


def rate_of(
    play: Callable[[int], Any], seconds: float, clock: Callable[[], float] = time.process_time
) -> float:
    """Matches a second of something that plays a given number of matches."""
    count = 1
    while True:
        began = clock()
        play(count)
        spent = clock() - began
        if spent > seconds / 2:
            return count / spent
        count = max(count + 1, min(50 * count, int(count * seconds / max(spent, 1e-6))))


# The duel in other hands


def c_duel(seconds: float, rounds: int) -> float | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        note("no C compiler here")
        return None
    BUILD.mkdir(exist_ok=True)
    program = BUILD / "duel_c"
    subprocess.run([compiler, "-O2", "-o", program, HERE / "duel.c"], check=True)

    def once() -> float:
        matches = int(2_000_000 * seconds)
        words = subprocess.run([program, str(matches), "1"], check=True, capture_output=True, text=True)
        return matches / float(words.stdout.split()[2])

    return best(once, rounds)


def python_duel(seconds: float, rounds: int) -> float:
    import duel_python

    return best(lambda: rate_of(lambda n: duel_python.play_many(n, 1), seconds), rounds)


def numba_duel(seconds: float, rounds: int) -> float | None:
    try:
        import duel_numba
    except ImportError:
        note("numba is not installed")
        return None
    play: Callable[[int, int], Any] = cast(Any, duel_numba).play_many
    play(10, 1)
    return best(lambda: rate_of(lambda n: play(n, 1), seconds), rounds)


def boardgame_duel(seconds: float) -> float | None:
    folder = boardgame_io.installed(note)
    if folder is None:
        return None
    command = ["node", "duel.cjs", str(max(1.0, seconds))]
    found = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if found.returncode:
        note(f"boardgame.io failed: {found.stderr.strip().splitlines()[-1:]}")
        return None
    matches, _, _, spent = found.stdout.split()
    return int(matches) / float(spent)


# A book on both engines


def reference_rates(program: Program, seconds: float) -> Rates:
    """Random play on the reference; a match that is not finished counts by its decisions."""
    engine = ReferenceEngine(program)
    engine.record(False)
    random = Random(1)
    matches = decisions = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        engine.start(program.seats[1], matches, {})
        try:
            engine.advance()
            while engine.peek(STATUS) == DECISION and time.process_time() - began < 10 * seconds:
                engine.choose(random.randrange(len(engine.options())))
                decisions += 1
                engine.advance()
        except Fault:
            pass
        matches += 1
    spent = time.process_time() - began
    return {"matches": matches / spent, "decisions": decisions / spent}


def native_rates(
    program: Program,
    seconds: float,
    workers: int = 1,
    clock: Callable[[], float] = time.process_time,
    policies: Sequence[int] = (),
) -> Rates:
    play_batch(program, 4 * workers, workers=workers, policies=policies)
    length = 0.0

    def play(count: int) -> None:
        nonlocal length
        length = play_batch(program, count, seed=1, workers=workers, policies=policies).mean("decisions")

    matches = rate_of(play, seconds, clock)
    return {"matches": matches, "decisions": matches * length}


def event_rates(program: Program, seconds: float, rounds: int) -> dict[str, float]:
    """Decisions a second with events switched off and with every one recorded, round and round about."""
    seats = program.seats[1]
    slots = opening(program, seats, 0, {})
    start = struct.pack(f"<{len(slots)}i", *slots)
    found: dict[str, float] = {}
    for _ in range(rounds):
        for name, record in (("off", False), ("on", True)):
            runner = Runner(program, result_columns(program, seats), record=record)
            length = runner.run(start, 100, 1).mean("decisions")
            rate = rate_of(lambda count, runner=runner: runner.run(start, count, 1), seconds)
            found[name] = max(found.get(name, 0.0), rate * length)
    return found


def compile_times(path: Path) -> tuple[tuple[float, float], tuple[float, float]]:
    """Seconds from text to Program and from Program to machine code: with nothing cached, and again. Each
    in a process that has compiled nothing before."""
    with tempfile.TemporaryDirectory() as folder:

        def once() -> tuple[float, float]:
            command = [sys.executable, HERE / "compile_one.py", path]
            environment = os.environ | {"RULEWRIGHT_CACHE": folder}
            found = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
            text, code = map(float, found.stdout.split())
            return text, code

        return once(), once()


def state_times(program: Program) -> tuple[float, float, int]:
    """Microseconds to copy a state into another engine and to hash it, and its bytes."""
    engine = NativeEngine(program)
    engine.start(program.seats[1], 1, {})
    engine.advance()
    twin = engine.copy()

    def micros(act: Callable[[], object]) -> float:
        def once() -> float:
            began = time.process_time()
            for _ in range(2000):
                act()
            return -(time.process_time() - began) / 2000 * 1e6

        return -best(once, 5)

    return micros(lambda: twin.copy_from(engine)), micros(engine.hash), len(engine.state())


def best_code(program: Program) -> None:
    """Wait for the code that a long run ends up with: the first of a large book is compiled in haste."""
    thread = improve(program)
    if thread is not None:
        thread.join()


def measure_book(name: str, path: Path, seconds: float, rounds: int) -> dict[str, Any] | None:
    program = compile_book(path)
    if not has_decisions(program):
        note(f"{name} has nothing to decide by itself, so there is nothing to measure")
        return None
    tries = [compile_times(path) for _ in range(rounds)]
    text, code = min((first for first, _ in tries), key=sum)
    cold, warm = text + code, min(sum(again) for _, again in tries)
    best_code(program)
    copy, hash_, size = state_times(program)
    native = max((native_rates(program, seconds) for _ in range(rounds)), key=lambda r: r["decisions"])
    reference = reference_rates(program, seconds)
    ratio = native["decisions"] / max(reference["decisions"], 1e-9)
    row(
        name,
        f"{native['matches']:,.0f}",
        f"{native['decisions']:,.0f}",
        f"{reference['decisions']:,.0f}",
        f"{ratio:,.0f}x",
        f"{text:.2f}",
        f"{code:.2f}",
        f"{warm:.3f}",
        f"{copy:.2f}",
        f"{hash_:.2f}",
        f"{size:,}",
    )
    required(f"{name}: native at least 100 times the reference", ratio, 100)
    required(f"{name}: text to first machine code within 2 s", 2, cold)
    required(f"{name}: the same from the cache within 0.3 s", 0.3, warm)
    required(
        f"{name}: a state is copied within {1 if name == 'duel' else 5} us", 1 if name == "duel" else 5, copy
    )
    apply, choose = steps.low_level(program), steps.match(program)
    required(
        f"{name}: a choice in a Match within {6 if name == 'duel' else 20} us",
        6 if name == "duel" else 20,
        choose,
    )
    figures = {"native": native, "reference": reference, "compile_s": cold, "copy_us": copy}
    return figures | {"apply_us": apply, "choose_us": choose}


def has_decisions(program: Program) -> bool:
    """A framework without a match of its own cannot be played."""
    engine = ReferenceEngine(program)
    engine.record(False)
    engine.start(program.seats[1], 1, {})
    try:
        engine.advance()
    except Fault:
        return False
    return engine.peek(STATUS) == DECISION


def books(only: list[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for entry in shelf():
        if only and entry.name not in only:
            continue
        try:
            compile_book(entry.path)
            found[entry.name] = entry.path
        except BookError as problem:
            note(f"{entry.name} has errors and is left out: {str(problem).splitlines()[0]}")
    return found


# Printing

WIDTHS = (12, 10, 12, 10, 7, 6, 6, 7, 8, 8, 7)
REQUIRED: list[tuple[str, float, float]] = []


def row(*cells: str) -> None:
    first, *rest = (cell.rjust(width) for cell, width in zip(cells, WIDTHS, strict=False))
    print("  ".join((first.strip().ljust(WIDTHS[0]), *rest)), flush=True)


def required(what: str, greater: float, less: float) -> None:
    """Something the project asks of these figures: that one is not less than the other."""
    REQUIRED.append((what, greater, less))


def verdicts() -> None:
    """For information: a busy machine can fail these for no fault of ours."""
    print("\nWhat must hold")
    for what, greater, less in REQUIRED:
        print(f"  {'ok  ' if greater >= less else 'NOT '} {what} ({greater:.3g} against {less:.3g})")


def note(text: str) -> None:
    print(f"note: {text}", flush=True)


def duel_table(rates: dict[str, float | None]) -> None:
    print("\nMatches a second on one core")
    row("", "matches/s", "of C", "of Python")
    for name, rate in rates.items():
        if rate is None:
            continue
        shares = [f"{rate / against:.3g}x" if against else "" for against in (rates["c"], rates["python"])]
        row(name, f"{rate:,.0f}", *shares)


def step_table(measured: dict[str, Any]) -> None:
    print("\nOne step from Python, microseconds")
    row("", "apply", "Match")
    for name, figures in measured.items():
        row(name, f"{figures['apply_us']:.2f}", f"{figures['choose_us']:.2f}")


def pieces(seconds: float, rounds: int) -> float:
    """Decisions a second with pieces on a board, as a share of those with spaces that remember: one game in
    two ways, in turns."""
    ways = {name: compile_book(HERE / f"{name}.md") for name in ("spaces", "pieces")}
    for program in ways.values():
        best_code(program)
    found = dict.fromkeys(ways, 0.0)
    for _ in range(rounds):
        for name, program in ways.items():
            found[name] = max(found[name], native_rates(program, seconds)["decisions"])
    share = found["pieces"] / found["spaces"]
    print("\nA board of 42 spaces, decisions a second")
    for name, rate in found.items():
        row(name, f"{rate:,.0f}")
    required("pieces: at least half of what spaces do", share, 0.5)
    return share


def classics() -> dict[str, float]:
    """Games that OpenSpiel has too: our step as a multiple of its step."""
    found: dict[str, float] = {}
    for name, theirs in steps.CLASSICS.items():
        program = compile_book(ROOT / "tests" / "classics" / f"{name}.md")
        best_code(program)
        both = steps.beside_open_spiel(program, theirs)
        if both is None:
            note("OpenSpiel is not installed (make spiel)")
            break
        found[name] = both[0] / both[1]
        row(name, f"{both[0]:.2f}", "OpenSpiel", f"{both[1]:.2f}", f"{found[name]:.2f}x")
        required(f"{name}: a step at most twice OpenSpiel's", 2, found[name])
    return found


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    reader.add_argument("--seconds", type=float, default=1.0, help="length of one round")
    reader.add_argument("--rounds", type=int, default=3, help="rounds; the best counts")
    reader.add_argument("--only", nargs="*", default=[], metavar="BOOK", help="these books only")
    wanted = reader.parse_args()
    seconds, rounds = wanted.seconds, wanted.rounds

    duel = compile_book(HERE / "duel.md")
    print("The duel, in six hands ...", flush=True)
    rates: dict[str, float | None] = {
        "native": best(lambda: native_rates(duel, seconds)["matches"], rounds),
        "reference": reference_rates(duel, seconds)["matches"],
        "python": python_duel(seconds, rounds),
        "numba": numba_duel(seconds, rounds),
        "c": c_duel(seconds, rounds),
        "boardgame.io": boardgame_duel(seconds),
    }
    duel_table(rates)

    print("\nThreads, matches a second of the duel")
    threads = {
        str(n): best(lambda n=n: native_rates(duel, seconds, n, time.perf_counter)["matches"], rounds)
        for n in (1, 2)
    }
    row("1", f"{threads['1']:,.0f}")
    row("2", f"{threads['2']:,.0f}", f"{threads['2'] / threads['1']:.2f}x")

    print("\nEvents, decisions a second of the duel")
    events = event_rates(duel, seconds, rounds)
    row("off", f"{events['off']:,.0f}")
    row("recorded", f"{events['on']:,.0f}", f"{events['on'] / events['off']:.2f}x")

    print("\nBooks, random players")
    times = ("text s", "code s", "cached", "copy us", "hash us", "bytes")
    row("", "matches/s", "decisions/s", "reference", "ratio", *times)
    found = {"duel": HERE / "duel.md"} if not wanted.only or "duel" in wanted.only else {}
    measured: dict[str, Any] = {}
    for name, path in (found | books(wanted.only)).items():
        figures = measure_book(name, path, seconds, rounds)
        if figures is not None:
            measured[name] = figures
    step_table(measured)
    beside = classics()
    share = pieces(seconds, rounds)
    if rates["c"]:
        required("duel: at least three quarters of C", rates["native"] or 0, 0.75 * rates["c"])
    required("duel: at least 30 times plain Python", rates["native"] or 0, 30 * (rates["python"] or 0))
    required("two threads: at least 1.8 times one", threads["2"] / threads["1"], 1.8)
    verdicts()

    BUILD.mkdir(exist_ok=True)
    report: dict[str, Any] = {"duel": rates, "books": measured, "threads": threads, "events": events}
    report |= {"beside OpenSpiel": beside, "pieces of spaces": share}
    (BUILD / "bench.json").write_text(json.dumps(report, indent=2) + "\n")
    print(f"\nwritten to {(BUILD / 'bench.json').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
