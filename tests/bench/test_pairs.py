"""Books that say the same in two ways play the same, so that their speeds can be compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Program, load
from rulewright.compiler import compile_book
from rulewright.native import play_batch

BENCH = Path(__file__).parents[2] / "bench"
COLUMNS = ("decisions", "status", "ending", "score 0", "score 1")


def figures(program: Program) -> list[float]:
    played = play_batch(program, 300, seed=5, workers=1)
    return [played.mean(column) for column in COLUMNS]


def test_pieces_and_spaces_are_one_game(tmp_path: Path) -> None:
    pieces, spaces = load(BENCH / "pieces.md"), load(BENCH / "spaces.md")
    assert figures(pieces) == figures(spaces)
    other = tmp_path / "pieces.md"
    other.write_text(
        (BENCH / "pieces.md").read_text("utf-8").replace("Owner of it is self", "some Disc"), "utf-8"
    )
    assert figures(compile_book(other)) != figures(
        spaces
    )  # a control: a wrong look at who stands there shows


@pytest.mark.parametrize("speed", [3, 10, 12])
def test_a_long_way_is_no_fault(tmp_path: Path, speed: int) -> None:
    book = tmp_path / "paths.md"
    text = (BENCH / "paths.md").read_text("utf-8").replace("starts: 10", f"starts: {speed}")
    book.write_text(text, "utf-8")
    program = compile_book(book)
    assert play_batch(program, 300, seed=5, workers=1).mean("fault") == 0
