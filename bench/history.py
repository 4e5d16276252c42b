"""Add a line to bench/history.jsonl: how fast a release is, as ratios that other machines can compare.

In:  the books of the shelf, the duel in C, and OpenSpiel where it is installed.
Out: one line of JSON. Everything in it was measured in one run, in turns, and is a share of something else
     in the same run; the median of the rounds counts.

Usage: python bench/history.py RELEASE [--seconds N] [--rounds N] [--only BOOK ..]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Any

import run
import steps

from rulewright.compiler import compile_book
from rulewright.ir.program import Program

RICH = ("p52", "penance-1", "penance-2", "raven-road", "vigil")
LINES = Path(__file__).resolve().parent / "history.jsonl"

Rate = Callable[[], float]


def in_turns(rates: dict[str, Rate], rounds: int) -> dict[str, float]:
    """The median of each, measured round and round about."""
    found: dict[str, list[float]] = {name: [] for name in rates}
    for _ in range(rounds):
        for name, rate in rates.items():
            found[name].append(rate())
    return {name: median(values) for name, values in found.items()}


def shares(rates: dict[str, float], whole: str, names: Iterable[str]) -> dict[str, float]:
    """Each of these as a share of one of them, to three digits."""
    return {name: float(f"{rates[name] / rates[whole]:.3g}") for name in names}


def own(program: Program) -> list[int]:
    """The book's own strategies, one seat after the other."""
    return [1 + seat % len(program.policies) for seat in range(program.seats[1])]


def decisions(program: Program, seconds: float, policies: Iterable[int] = ()) -> Rate:
    return lambda: run.native_rates(program, seconds, policies=tuple(policies))["decisions"]


def line(release: str, seconds: float, rounds: int, only: list[str]) -> dict[str, Any]:
    """All of it. C's decisions are its matches times the duel's length, which is the same in both."""
    duel = compile_book(run.HERE / "duel.md")
    books = {name: compile_book(path) for name, path in run.books(only or list(RICH)).items()}
    ways = {name: compile_book(run.HERE / f"{name}.md") for name in ("pieces", "spaces", "paths")}
    for program in (duel, *books.values(), *ways.values()):
        run.best_code(program)
    own_names = {name: f"{name} by its own strategies" for name, book in books.items() if book.policies}
    rates: dict[str, Rate] = {
        "c": lambda: run.c_duel(seconds, 1) or 0.0,
        "duel": lambda: run.native_rates(duel, seconds)["matches"],
        **{name: decisions(book, seconds) for name, book in (books | ways).items()},
        **{said: decisions(books[name], seconds, own(books[name])) for name, said in own_names.items()},
    }
    measured = in_turns(rates, rounds)
    length = run.native_rates(duel, seconds / 10)
    measured["c's decisions"] = measured["c"] * length["decisions"] / length["matches"]
    threads = in_turns(
        {
            str(n): lambda n=n: run.native_rates(duel, seconds, n, time.perf_counter)["matches"]
            for n in (1, 2)
        },
        rounds,
    )
    return {
        "release": release,
        "duel of C": shares(measured, "c", ["duel"])["duel"],
        "of C's decisions": shares(measured, "c's decisions", [*books, *own_names.values(), "paths"]),
        "pieces of spaces": shares(measured, "spaces", ["pieces"])["pieces"],
        "two threads of one": shares(threads, "1", ["2"])["2"],
        "choose us": {name: round(steps.match(book), 2) for name, book in {"duel": duel, **books}.items()},
        "apply of OpenSpiel's": {name: round(ratio, 2) for name, ratio in run.classics().items()},
    }


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    reader.add_argument("release")
    reader.add_argument("--seconds", type=float, default=1.0, help="length of one round")
    reader.add_argument("--rounds", type=int, default=3, help="rounds; their median counts")
    reader.add_argument("--only", nargs="*", default=[], metavar="BOOK", help="these books only")
    wanted = reader.parse_args()
    made = json.dumps(line(wanted.release, wanted.seconds, wanted.rounds, wanted.only))
    with LINES.open("a", encoding="utf-8") as file:
        file.write(made + "\n")
    print(made)


if __name__ == "__main__":
    main()
