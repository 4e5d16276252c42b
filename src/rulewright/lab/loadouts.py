"""What seats play with, against each other: a matrix of points.

In:  a Setting whose players are the book's own, what seats can play with (see `counting`), how many matches.
Out: `Matrix` for each such thing: for each pair the matches in which they met, points, and one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulewright.ir.program import ENDED, STATUS
from rulewright.lab.counting import Counting
from rulewright.lab.simulate import Setting, Worker
from rulewright.native.engine import NativeEngine
from rulewright.play.knowledge import find_field

POINTS = {1: 1.0, 2: 0.5}


@dataclass(slots=True)
class Cell:
    """Two that met: how often, what the first made of it, and a match to look at."""

    matches: int = 0
    points: float = 0.0
    match: int = -1


@dataclass(slots=True)
class Matrix:
    """What is compared, its words, and a cell for each pair of words that met."""

    name: str
    words: tuple[str, ...]
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict[tuple[int, int], Cell])


def matrices(
    table: Setting, counts: Counting, matches: int, progress: Callable[[int, int], None] | None = None
) -> list[Matrix]:
    """Play so many matches and see who met whom with what. Only for tables where not all win together."""
    program = table.program
    made = [
        (Matrix(counts.items[first].kind, tuple(counts.items[first + k].name for k in range(many))), base)
        for base, first, many in counts.loads
    ]
    control = find_field(program, "Actor", "controller")
    score = program.sheet.result.get("score", -1)
    if not made or control is None or score < 0:
        return []
    worker = Worker(table, counts, listen=False)
    engine = worker.engine
    for match in range(matches):
        worker.play(match, 1)
        if engine.peek(STATUS) != ENDED:
            continue
        scores = [POINTS.get(engine.peek(score + seat), 0.0) for seat in range(len(table.names))]
        leads = [engine.peek(control.base + actor) for actor in range(control.counts[0])]
        for matrix, base in made:
            _meet(matrix, engine, base, leads, scores, match)
        if progress is not None and match % 50 == 49:
            progress(match + 1, matches)
    return [matrix for matrix, _ in made if len(matrix.cells) > 1]


def _meet(
    matrix: Matrix, engine: NativeEngine, base: int, leads: list[int], scores: list[float], match: int
) -> None:
    held: dict[int, set[int]] = {}
    for actor, seat in enumerate(leads):
        word = engine.peek(base + actor)
        if 0 <= seat < len(scores) and 0 <= word < len(matrix.words):
            held.setdefault(seat, set()).add(word)
    for seat, own in held.items():
        for other, theirs in held.items():
            if seat == other:
                continue
            for mine in own:
                for foe in theirs:
                    cell = matrix.cells.setdefault((mine, foe), Cell(match=match))
                    cell.matches += 1
                    cell.points += (
                        0.5 if scores[seat] == scores[other] else float(scores[seat] > scores[other])
                    )
