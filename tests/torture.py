"""Damaged copies of a book, read one after the other: which are refused, which are books still.

In:  the path of a book, a folder to work in, the numbers of damages.
Out: a Torture with its counts, and one line for each damage that ended in anything but a reason.

A copy whose definitions and examples are those of the whole book has only its prose damaged: beyond cutting
it up there is nothing new to do with it. All others are checked and reviewed, definitions that did not change
as they were read before (`Again`). Each one that is still a book is lowered, but where its rules are those of
the whole book: that has been lowered, and what its damaged examples say is read instead. Of every sort a
share is also checked from the beginning, which must say the same, and lowered; and a share of the books is
played a little way.
"""

from __future__ import annotations

import copy
import gc
import hashlib
import json
import random
import shutil
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from damage import hit
from rulewright.book.bodies.again import Again
from rulewright.book.examples import example_code
from rulewright.book.text.files import read_source
from rulewright.book.text.source import Definition, Example, FieldText, Source
from rulewright.compiler import Checked, check, compile_checked, find_book
from rulewright.ir.program import Program
from rulewright.play.match import Match, MatchFault

LONGEST = 20
"""Seconds of processor time after which one damaged copy counts as a hang."""
AFRESH, SELDOM, PLAYED = 16, 64, 16
"""One of so many copies is checked from the beginning, in a long run more seldom; one of so many books is
played."""


class Torture:
    """One book, and what became of its damaged copies so far."""

    def __init__(self, source: Path, folder: Path, longest: float = LONGEST, each: int = AFRESH) -> None:
        self.home = folder / source.parent.name
        shutil.copytree(source.parent, self.home)
        self.path, self.longest, self.each = self.home / source.name, longest, each
        self.counts, self.wrong = Counter[str](), list[str]()
        self.whole, self.again = self._cut(self.path), Again()
        self.examples = set(map(_lines, self.whole.examples))
        files = (file for file in self.whole.looked if file.is_file())
        self.rules = {file: rule_lines(self.whole, file.read_text("utf-8")) for file in files}
        compile_checked(check(self.path, again=self.again))  # whole, it is a book
        self.unruled = Again()
        """For copies whose rules are those of the whole book."""

    def hit(self, numbers: Iterable[int]) -> Torture:
        """Read each of these damaged copies, whichever of its files is hit."""
        with _uncollected() as collect:
            self._hit(numbers, collect)
        return self

    def _hit(self, numbers: Iterable[int], collect: Callable[[], None]) -> None:
        for number in numbers:
            file, text = hit(self.home, number)
            whole = file.read_text(encoding="utf-8")
            file.write_text(text, encoding="utf-8")
            try:
                with bounded(self.longest):
                    self._read(file, number)
            except Exception:
                self.wrong.append(f"damage {number} of {file.name}: {traceback.format_exc()}")
                self.again, self.unruled = Again(), Again()
            finally:
                file.write_text(whole, encoding="utf-8")
            self.counts["copies"] += 1
            collect()

    def _read(self, file: Path, number: int) -> None:
        if file.resolve() in self.whole.looked:
            path, lines = self.path, file.read_text("utf-8").split("\n")
            may_be = self.rules[file.resolve()].issubset(lines)
            cut = self._cut(path) if may_be else None
            ruled = cut is not None and same_rules(cut, self.whole)
            if cut is not None and ruled and same_reading(cut, self.whole):
                self.counts["prose"] += 1
                if number % self.each == 0:
                    assert not self._afresh(path).errors, "prose was read"
                return
            checked = self._checked(path, number, ruled)
        else:  # a small book of its own, with examples of this one
            checked, ruled = self._afresh(file), False
        if checked.errors:
            self.counts["refused"] += 1
            assert all(str(d) for d in checked.errors)
            return
        self.counts["books"] += 1
        if ruled and number % self.each:
            self._examples(checked)
            return
        program = compile_checked(checked)
        self.counts["lowered"] += 1
        if self.counts["lowered"] % PLAYED == 1:
            self._play(program, number)

    def _examples(self, checked: Checked) -> None:
        """What is done in examples that the whole book does not have."""
        self.counts["examples"] += 1
        for example in checked.examples:
            if _lines(example) not in self.examples:
                assert all(str(d) for d in example_code(example, checked.symbols).problems)

    def _cut(self, path: Path) -> Source:
        return read_source(path, find_book)

    def _checked(self, path: Path, number: int, ruled: bool) -> Checked:
        """Checked with what is known of the whole book; now and then, or where that is lost, afresh."""
        if ruled:
            checked = check(path, again=self.unruled)
        else:
            checked, self.again = read_again(path, self.again)
        if number % self.each:
            return checked
        fresh = self._afresh(path)
        assert said(fresh) == said(checked), "read again, it says something else"
        return fresh

    def _afresh(self, path: Path) -> Checked:
        self.counts["afresh"] += 1
        return check(path)

    def _play(self, program: Program, number: int) -> None:
        self.counts["played"] += 1
        if program.rules_only:
            return
        chance = random.Random(number)
        try:
            match = Match(program, chance.randint(*program.seats), number)
            for _ in range(30):
                if match.decision is None:
                    break
                match.choose(chance.randrange(len(match.decision.options)))
        except MatchFault:
            self.counts["faults"] += 1


def read_again(path: Path, again: Again) -> tuple[Checked, Again]:
    """A changed copy, and what is known for the next one: best the trees of the whole book."""
    before = copy.copy(again)
    checked = check(path, again=again)
    return checked, again if again.digest == before.digest else before


def said(checked: Checked) -> list[str]:
    """What is said of a book, and where."""
    return [f"{d.span} {d} {d.help}" for d in checked.diagnostics]


def rule_lines(source: Source, text: str) -> set[str]:
    """Lines of a file that definitions are made of: a copy that lacks one has more than its prose damaged."""
    file = next((name for name, held in source.texts.items() if held == text), "")
    parts = [d for d in (*source.definitions, *source.maps) if d.line.file == file]
    numbers = {number for d in parts for number in (*d.lines, *(row.line.number for row in d.rows))}
    lines = text.split("\n")
    return {lines[number - 1] for number in numbers if 0 < number <= len(lines)}


def same_rules(one: Source, other: Source) -> bool:
    """Whether two texts declare and say the same, wherever it stands."""
    if len(one.definitions) != len(other.definitions) or len(one.maps) != len(other.maps):
        return False
    pairs = zip([*one.definitions, *one.maps], [*other.definitions, *other.maps], strict=True)
    return _others(one) == _others(other) and all(
        a == b or _definition(a) == _definition(b) for a, b in pairs
    )


def same_reading(one: Source, other: Source) -> bool:
    """Whether their examples are the same too, and what was found wrong while they were cut up."""
    problems = ([(d.code, d.message, d.help) for d in x.diagnostics] for x in (one, other))
    return next(problems) == next(problems) and [*map(_lines, one.examples)] == [*map(_lines, other.examples)]


def _others(source: Source) -> tuple[Any, ...]:
    return source.front, source.own_front, source.lost, source.kinds, source.unread


def _lines(example: Example) -> tuple[tuple[int, str], ...]:
    return tuple((line.column, line.text) for line in example.lines)


def _definition(d: Definition) -> tuple[Any, ...]:
    rows = [[(heading, cell.text) for heading, cell in row.cells] for row in d.rows]
    fields, lines = (_fields(d.fields), _fields(d.steps)), list(d.lines.values())
    return d.title, d.kind, d.extra, d.cites, d.part, d.is_table, d.columns, rows, fields, lines


def _fields(fields: list[FieldText]) -> list[tuple[str, list[tuple[int, str]]]]:
    return [(f.key, [(line.column, line.text) for line in f.lines]) for f in fields]


@contextmanager
def bounded(seconds: float) -> Generator[None]:
    """Whatever takes more processor time than this is stopped, where it stands."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _uncollected() -> Generator[Callable[[], None]]:
    """Nobody looks for cycles among all trees of a book but now and then between two copies: it took more
    time than reading them. What is given counts copies."""
    counted = count(1)

    def collect() -> None:
        if next(counted) % 16 == 0:
            gc.collect()

    gc.disable()
    try:
        yield collect
    finally:
        gc.enable()


def at_length(source: Path, folder: Path, copies: int, of: int = 100, kept: Path | None = None) -> Torture:
    """Many of them, with a line about each few. What was done is kept in a file, and gone on with next time;
    those that went wrong then are tried once more."""
    made = Torture(source, folder, each=SELDOM)
    edition = hashlib.sha256(repr(sorted(made.whole.texts.items())).encode()).hexdigest()
    again, spent = _gone_on(made, kept, edition)
    gc.collect()
    gc.freeze()  # what is known of the whole book stays: nobody looks for cycles in it again
    while again or made.counts["copies"] < copies:
        first, begun = made.counts["copies"] + len(again), time.process_time()
        made.hit([*again, *range(first, min(copies, first + of))])
        spent += time.process_time() - begun
        again = []
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            row = {"edition": edition, "counts": made.counts, "wrong": made.wrong, "seconds": spent}
            kept.write_text(json.dumps(row, indent=1), encoding="utf-8")
        pace = spent / made.counts["copies"]
        told = f"{dict(made.counts)}, {len(made.wrong)} wrong, {spent:.0f} s, {pace:.3f} s a copy"
        print(f"{source.stem}: {told}", flush=True)
    gc.unfreeze()
    return made


def _gone_on(made: Torture, kept: Path | None, edition: str) -> tuple[list[int], float]:
    """Go on from what a file says was done with this edition: which are tried again, and seconds so far."""
    if kept is None or not kept.is_file():
        return [], 0.0
    was: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    if was["edition"] != edition:
        return [], 0.0
    again = [int(line.split()[1]) for line in was["wrong"]]
    made.counts.update(was["counts"])
    made.counts["copies"] -= len(again)
    return again, float(was["seconds"])
