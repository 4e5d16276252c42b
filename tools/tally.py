"""Rows of the ladder as they grow: what was played of each, on which seeds, by which players.

In:  a file of lines of JSON, `{"row": .., "version": .., "seeds": [first, last], "won": .., ..}`.
Out: `Piece`s of rows and their sums; the file again, with pieces joined whose seeds follow each other.

A row takes more hours than anybody has at once, so it is played a few seeds at a time and gone on with later,
perhaps on another day. Only matches of the same version belong together: `version` is a digest of the book's
Program, of what is learned of the book, and of the code that decides (comments and docstrings aside). Older
matches of a row stay in the file until as many of the new version are played.
"""

from __future__ import annotations

import ast
import fcntl
import hashlib
import json
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from rulewright import shelf
from rulewright.ir.program import Program
from rulewright.lab import Run
from rulewright.lab.intervals import USUAL, Interval, mean, share
from rulewright.native.outer import map as at
from rulewright.players.bots import is_native
from rulewright.players.values import FILE

SRC = Path(__file__).resolve().parents[1] / "src"
DECIDING = ("rulewright.players", "rulewright.native.outer")
"""Packages whose code decides what players take; what else they stand on is the same for every player."""
FIRST_MODULE = "rulewright.players.levels"
DIGITS = 12


@dataclass(frozen=True, slots=True)
class Piece:
    """Matches of one row on seeds from `first` to `last`: of the first name won, drawn and lost; `squares`:
    of a seed's half points, added up; `seconds` of processor time."""

    row: str
    version: str
    first: int
    last: int
    won: int
    drawn: int
    lost: int
    squares: int
    seconds: float
    date: str

    @property
    def matches(self) -> int:
        """How many were played."""
        return self.won + self.drawn + self.lost

    @property
    def groups(self) -> int:
        """How many seeds; each is played once with everybody at each seat."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Sum:
    """All that was played of a row by one version."""

    version: str = ""
    matches: int = 0
    halves: int = 0
    groups: int = 0
    squares: int = 0
    seconds: float = 0.0

    @property
    def part(self) -> float:
        """Share of points of the first name."""
        return self.halves / 2 / self.matches

    def interval(self, z: float = USUAL) -> Interval:
        """Of that share: from groups of one seed; Wilson's where matches are alone, few or all won."""
        rotations = self.matches // max(1, self.groups)
        if rotations <= 1 or self.part in (0.0, 1.0) or self.groups < 3:
            return share(self.halves / 2, self.matches, z)
        low, high = mean(self.halves, self.squares, self.groups, z)
        return max(0.0, low / 2 / rotations), min(1.0, high / 2 / rotations)


def piece(row: str, version: str, run: Run, seconds: float) -> Piece:
    """What a run adds to a row."""
    last = run.setting.seed + run.matches // run.setting.rotations - 1
    won, drawn, squares = run.wins[0], run.draws, run.sums[at.GROUP_SQUARES]
    today = datetime.now(UTC).date().isoformat()
    lost = run.matches - won - drawn
    return Piece(row, version, run.setting.seed, last, won, drawn, lost, squares, seconds, today)


def added(pieces: Iterable[Piece]) -> Sum:
    """Pieces of one row and version together."""
    found = Sum()
    for some in pieces:
        found = Sum(
            some.version,
            found.matches + some.matches,
            found.halves + 2 * some.won + some.drawn,
            found.groups + some.groups,
            found.squares + some.squares,
            found.seconds + some.seconds,
        )
    return found


def joined(pieces: Iterable[Piece]) -> list[Piece]:
    """The same in order, those that follow each other as one. Raises ValueError where a seed stands twice."""
    found: list[Piece] = []
    for some in sorted(pieces, key=lambda p: (p.row, p.version, p.first)):
        before = found[-1] if found else None
        same = before is not None and (before.row, before.version) == (some.row, some.version)
        if before is not None and same and some.first <= before.last:
            raise ValueError(f"{some.row}: seed {some.first} was played twice by the same players")
        if before is not None and same and some.first == before.last + 1:
            found[-1] = replace(
                before,
                last=some.last,
                won=before.won + some.won,
                drawn=before.drawn + some.drawn,
                lost=before.lost + some.lost,
                squares=before.squares + some.squares,
                seconds=round(before.seconds + some.seconds, 1),
                date=max(before.date, some.date),
            )
        else:
            found.append(some)
    return found


class Kept:
    """The pieces in a file; whoever plays holds it, so that no seed is played twice at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.read_text("utf-8") if path.exists() else ""
        self.pieces = joined(_read(json.loads(line)) for line in text.splitlines() if line.strip())

    def of(self, row: str, version: str) -> Sum:
        """What this version has played of a row."""
        return added(p for p in self.pieces if (p.row, p.version) == (row, version))

    def other(self, row: str, version: str) -> Sum:
        """The most that another version has played of it."""
        versions = {p.version for p in self.pieces if p.row == row} - {version}
        sums = [self.of(row, other) for other in sorted(versions)]
        return max(sums, key=lambda some: some.matches, default=Sum())

    def next_seed(self, row: str, version: str, fresh: int) -> int:
        """The seed to go on with; `fresh` where nothing was played yet."""
        return max((p.last + 1 for p in self.pieces if (p.row, p.version) == (row, version)), default=fresh)

    def add(self, new: Piece) -> None:
        """Write a piece down, and leave out what it replaces."""
        self.pieces = joined([*self.pieces, new])
        own, old = self.of(new.row, new.version), self.other(new.row, new.version)
        best = old.version if old.matches > own.matches else new.version
        self.pieces = [p for p in self.pieces if p.row != new.row or p.version in (new.version, best)]
        lines = [json.dumps(_written(some), ensure_ascii=False) for some in self.pieces]
        fresh = self.path.with_suffix(".new")
        fresh.write_text("\n".join(lines) + "\n", "utf-8")
        fresh.replace(self.path)  # whoever ends it here loses one piece, not the file

    @contextmanager
    def held(self) -> Generator[None]:
        """Nobody else plays into this file meanwhile. Raises BlockingIOError where somebody does."""
        lock = self.path.with_suffix(".lock")
        with lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield


def _read(row: dict[str, Any]) -> Piece:
    first, last = row.pop("seeds")
    return Piece(first=first, last=last, **row)


def _written(some: Piece) -> dict[str, Any]:
    row = asdict(some)
    seeds = [row.pop("first"), row.pop("last")]
    return {"row": row.pop("row"), "version": row.pop("version"), "seeds": seeds, **row}


def version(program: Program, players: Iterable[str], options: object) -> str:
    """What a match of these players depends on, as a short digest."""
    made = hashlib.sha256(f"{program.digest} {options}".encode())
    if not all(is_native(program, name) for name in players):
        made.update(deciding().encode())
        learned = [entry.path.parent / FILE for entry in shelf() if entry.name == program.name]
        made.update(b"".join(path.read_bytes() for path in learned if path.exists()))
    return made.hexdigest()[:DIGITS]


@cache
def deciding() -> str:
    """A digest of all code that the levels think with."""
    texts = [meaning(path.read_text("utf-8")) for _, path in sorted(modules(FIRST_MODULE).items())]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def meaning(text: str) -> str:
    """Code without what nobody runs: comments, docstrings, how it is laid out."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [x for x in node.body if not _only_says(x)]
    return ast.unparse(tree)


def _only_says(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def modules(first: str) -> dict[str, Path]:
    """A module and all of DECIDING that it imports, also by way of others."""
    found: dict[str, Path] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if path is None or name in found:
            continue
        found[name] = path
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(DECIDING):
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def _path(name: str) -> Path | None:
    stem = SRC.joinpath(*name.split("."))
    return next((p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.exists()), None)
