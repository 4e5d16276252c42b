"""At a table all who choose at the same time are asked at once, and whoever is ready waits for the rest."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from rulewright.cli.pages import render
from rulewright.compiler import compile_book
from rulewright.serve.api import build
from rulewright.serve.library import Library, Volume
from rulewright.serve.store import Store
from serve.tables_kit import OPEN, Seats, client, problem, sqlite_url

BOOK = Path(__file__).parents[1] / "bluff" / "signs.md"
PEOPLE = [{"kind": "you", "name": "Ada"}, {"kind": "invite", "name": "Bo"}, {"kind": "invite", "name": "Cy"}]


def app(folder: Path) -> Any:
    volume = Volume("signs", compile_book(BOOK), render({"signs.md": BOOK.read_text("utf-8")}))
    shelf = Library(("signs",), lambda _: volume, equip=lambda _: "reference")
    return build(Store(sqlite_url(folder)), shelf, OPEN)


def test_all_are_asked_at_once_and_answer_in_any_order(tmp_path: Path) -> None:
    with client(app(tmp_path)) as http:
        table = Seats(http, "signs", PEOPLE)
        for seat in range(3):
            state = table.state(seat)
            assert (state["waiting"], state["together"]) == ([0, 1, 2], [0, 1, 2])
            assert (state["decision"]["seat"], state["decision"]["mine"]) == (seat, True)
            assert len(state["decision"]["options"]) == 3
        assert table.state(None)["decision"]["options"] == []
        # Two have seen version 0; that the first has chosen meanwhile makes neither stale.
        assert table.choose(2, 0, 1).json() == {"version": 1}
        assert table.choose(0, 0, 0).json() == {"version": 2}
        assert problem(table.choose(2, 0, 1)) == "choice/stale"
        assert problem(table.choose(2, 2, 1)) == "choice/foreign"
        ready = table.state(2)
        assert (ready["waiting"], ready["together"], ready["can_undo"]) == ([1], [0, 1, 2], True)
        assert ready["decision"]["mine"] is False
        assert ready["decision"]["options"] == []
        assert [line["kind"] for line in ready["log"]][-2:] == [19, 19]
        # Somebody changes his mind, which nobody else's choice minds.
        assert table.undo(0, 2).json() == {"version": 3}
        assert problem(table.choose(0, 0, 0)) == "choice/stale"
        assert table.choose(1, 0, 2).json() == {"version": 4}
        assert table.choose(0, 4, 2).json() == {"version": 5}
        assert problem(table.undo(0, 5)) == "undo/refused"
        shown = [actor["fields"]["Shown"]["name"] for actor in table.state(None)["view"]["actors"][:3]]
        assert shown == ["Shears", "Shears", "Sheet"]
        before = table.state(1)
    with client(app(tmp_path)) as http:  # read again from the store
        table.http = http
        after = table.state(1)
        assert (after["view"], after["log"]) == (before["view"], before["log"])
        assert table.play()["result"] is not None


def test_what_others_are_told_on_the_line_does_not_depend_on_the_answer(tmp_path: Path) -> None:
    told: list[Any] = []
    with client(app(tmp_path)) as http:
        for option in range(3):
            table = Seats(http, "signs", PEOPLE)
            with http.live(f"/api/tables/{table.id}/live?token={table.tokens[1]}") as bo:
                bo.recv(timeout=60)
                assert table.choose(0, 0, option).status_code == 200
                state = json.loads(bo.recv(timeout=60))["state"]
            told.append({key: value for key, value in state.items() if key not in ("table", "dice")})
    assert told[0] == told[1] == told[2]
    assert told[0]["waiting"] == [1, 2]


def test_bots_do_not_wait_for_people(tmp_path: Path) -> None:
    seats = [PEOPLE[0], {"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"}]
    with client(app(tmp_path)) as http:
        table = Seats(http, "signs", seats)
        for _ in range(200):
            if table.state(0)["waiting"] == [0]:
                break
            time.sleep(0.1)
        state = table.state(0)
        assert state["waiting"] == [0]
        assert table.choose(0, state["version"], 0).status_code == 200
