"""As many seats as the docs allow: thirty at one table, each with a secret of its own, to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.pages import render
from rulewright.compiler import compile_book
from rulewright.serve.api import build
from rulewright.serve.library import Library, Volume
from rulewright.serve.store import Store
from serve.tables_kit import OPEN, Seats, client, sqlite_url

BOOK = Path(__file__).parents[1] / "browser" / "books" / "crowd.md"
PEOPLE = [{"kind": "you" if n == 0 else "invite", "name": f"Guest of {n + 1}"} for n in range(30)]


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_thirty_sit_down_and_play(engine: str, tmp_path: Path) -> None:
    volume = Volume("crowd", compile_book(BOOK), render({"crowd.md": BOOK.read_text("utf-8")}))
    shelf = Library(("crowd",), lambda _: volume, equip=lambda _: engine)
    with client(build(Store(sqlite_url(tmp_path)), shelf, OPEN)) as http:
        table = Seats(http, "crowd", PEOPLE)
        for seat in (0, 7, 8, 29):
            purses = [actor["fields"].get("Purse") for actor in table.state(seat)["view"]["actors"]]
            assert [n for n, purse in enumerate(purses) if purse is not None] == [seat]
        points: list[int] = []
        for seat in range(30):
            mine = table.state(seat)
            assert mine["decision"]["mine"] is True
            assert table.state((seat + 9) % 30)["decision"]["mine"] is False
            points.append(mine["view"]["actors"][seat]["fields"]["Purse"] if seat % 3 else 1)
            assert table.choose(seat, seat, 0 if seat % 3 else 1).json() == {"version": seat + 1}
        result = table.state(None)["result"]
    assert result["ending"] == "Evening"
    assert list(result["points"]) == points
    assert list(result["ranks"]) == [1 + sum(other > mine for other in points) for mine in points]
