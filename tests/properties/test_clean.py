"""A book that checks clean starts and plays, alike on both engines: books made by chance, and books with
something in them changed.

A rule may still lead where no match can go on (it runs for ever, or beyond what a number holds): then both
engines say so, with the same fault at the same place. What never happens is a traceback, a broken program or
two engines that differ.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from damage import damaged
from made_books import made
from rulewright.compiler import check, compile_book
from rulewright.ir.program import Program
from rulewright.native import NativeEngine
from rulewright.play.faults import Fault, MatchFault
from rulewright.play.match import Match
from rulewright.shelf import shelf
from rulewright.testing import lockstep

TESTS = Path(__file__).parents[1]
SMALL = [TESTS / name for name in ("serve/books/hands.md", "serve/books/coin.md", "play/trail.md")]
LONG = int(os.environ.get("RULEWRIGHT_CLEAN", "400"))
"""Books made, and changes of each book, in the long run."""
ODD = ("0", "1", "-1", "-5", "2", "7", "9", "13", "31", "99", "1000", "65536", "999999999", "4-2", "2-9")
WORDS = ("Énergie", "Луна", "力", "A/B", "it", "self", "each", "Match", "match", "1d6", "d", '"', "Gold")


class _Broken(Exception):
    """What no book may lead to."""


class _Noting(NativeEngine):
    """Writes down which faults there were."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.faults: list[int] = []

    def advance(self) -> None:
        try:
            super().advance()
        except Fault as fault:
            self.faults.append(fault.code)
            raise


def played(path: Path, decisions: int = 40) -> str:
    """Play a book for a while on both engines; gives what came of it. Raises _Broken."""
    if check(path).errors:
        return "refused"
    program = compile_book(path)
    if program.rules_only:
        return "rules only"
    engine = _Noting(program)
    for seats in sorted(set(program.seats)):
        try:
            Match(program, seats=seats, seed=seats).view(0)
        except MatchFault as error:
            if error.fault.code == 0:
                raise _Broken(f"it does not start: {error}") from error
        report = lockstep(program, range(3), right=lambda _: engine, seats=seats, decisions=decisions)
        if report.divergence is not None:
            raise _Broken(f"engines differ: {report.divergence}")
    if 0 in engine.faults:
        raise _Broken("the program is broken")
    return "fault" if engine.faults else "plays"


def changed(text: str, number: int) -> str:
    """One to three changes of a kind that a reader would hardly notice: numbers, words, places."""
    chance = random.Random(number)
    for _ in range(chance.randint(1, 3)):
        kind = chance.randrange(6)
        if kind <= 1:
            found = list(re.finditer(r"\d+", text))
            if found:
                at = chance.choice(found)
                text = text[: at.start()] + chance.choice(ODD) + text[at.end() :]
        elif kind == 2:
            found = list(re.finditer(r"[^\W\d_]{2,}", text))
            at, other = chance.choice(found), chance.choice(found)
            text = text[: at.start()] + chance.choice((other.group(), *WORDS)) + text[at.end() :]
        else:
            text = damaged(text, chance.randrange(10**9))
    return text


def survey(folder: Path, name: str, text: Callable[[int], str], numbers: range) -> Counter[str]:
    """Play each version; a failure names the version."""
    path = folder / name
    found: Counter[str] = Counter()
    failed: list[str] = []
    for number in numbers:
        path.write_text(text(number), encoding="utf-8")
        try:
            found[played(path)] += 1
        except Exception as error:
            failed.append(f"{name} {number}: {type(error).__name__}: {error}")
            shutil.copy(path, folder / f"failed-{number}-{name}")
    print(f"{name}: {dict(found)}, {len(failed)} failed")
    assert not failed, "\n".join(failed)
    return found


def _versions(source: Path, folder: Path, numbers: range) -> Counter[str]:
    for part in source.parent.rglob("*.md"):
        place = folder / part.relative_to(source.parent)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(part, place)
    text = source.read_text(encoding="utf-8")
    return survey(folder, source.name, lambda number: changed(text, number), numbers)


def test_books_made_by_chance_play(tmp_path: Path) -> None:
    found = survey(tmp_path, "made.md", made, range(12))
    assert found["plays"] > 8


@pytest.mark.parametrize("source", SMALL, ids=lambda p: p.stem)
def test_what_still_checks_clean_after_a_change_plays(source: Path, tmp_path: Path) -> None:
    found = _versions(source, tmp_path, range(24))
    assert found["refused"]
    assert found["plays"]


@pytest.mark.long
def test_many_books_made_by_chance_play(tmp_path: Path) -> None:
    survey(tmp_path, "made.md", made, range(12, 12 + LONG))


@pytest.mark.long
def test_many_books_made_by_chance_and_changed_play(tmp_path: Path) -> None:
    survey(tmp_path, "made.md", lambda number: changed(made(number), number), range(LONG))


@pytest.mark.long
@pytest.mark.parametrize(
    "source", [*SMALL, TESTS / "language" / "everything.md", *(e.path for e in shelf())], ids=lambda p: p.stem
)
def test_many_changes_of_every_book_play(source: Path, tmp_path: Path) -> None:
    _versions(source, tmp_path, range(24, 24 + LONG))
