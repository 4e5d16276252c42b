"""Changing places while a match goes on: open seats, a person for a bot, a bot for who left; whose turn."""

from __future__ import annotations

import json
import time
from typing import Any

from serve.tables_kit import Seats, Web, problem


def opened(http: Web, **more: Any) -> dict[str, Any]:
    return http.post("/api/tables", json={"book": "hands", **more}).json()


def at(table: str, seat: int, more: str = "") -> str:
    return f"/api/tables/{table}/seats/{seat}{more}"


def bots_of(http: Web, table: str) -> list[tuple[str, str]]:
    return [(p["kind"], p["name"]) for p in http.get(f"/api/tables/{table}").json()["players"]]


def test_an_open_seat_goes_to_whoever_comes_first(http: Web) -> None:
    made = opened(http, seats=[{"kind": "you", "name": "Ada"}, {"kind": "open"}])
    table = made["table"]
    assert "token" not in made["seats"][1]
    listed = next(one for one in http.get("/api/tables").json() if one["table"] == table)
    assert [seat["kind"] for seat in listed["seats"]] == ["you", "open"]
    with http.live(f"/api/tables/{table}/live?changes=1&token={made['seats'][0]['token']}") as line:
        assert json.loads(line.recv(timeout=20))["state"]["players"][1]["kind"] == "open"
        taken = http.post(at(table, 1, "/take"), json={"name": "Bo"}).json()
        # Whoever sits there already hears who has come.
        told: dict[str, Any] = {}
        while "state" not in told:
            told = json.loads(line.recv(timeout=20))
        assert [player["name"] for player in told["state"]["players"]] == ["Ada", "Bo"]
    assert http.get(f"/api/tables/{table}?token={taken['token']}").json()["seat"] == 1
    assert problem(http.post(at(table, 1, "/take"), json={})) == "seats/wrong"
    assert problem(http.post(at(table, 0, "/take"), json={})) == "seats/wrong"


def test_a_person_replaces_a_bot_and_a_bot_a_person(http: Web) -> None:
    made = opened(http, seats=[{"kind": "you", "name": "Ada"}, {"kind": "bot", "bot": "random"}])
    table, mine = made["table"], made["seats"][0]["token"]
    given = http.post(at(table, 1), json={"token": mine, "kind": "invite", "name": "Bo"}).json()
    assert (given["kind"], given["name"]) == ("invite", "Bo")
    assert bots_of(http, table) == [("you", "Ada"), ("invite", "Bo")]
    # Bo may leave the seat to a bot, but not give away Ada's; then nobody's token opens it.
    away = {"token": given["token"], "kind": "bot", "bot": "random"}
    assert problem(http.post(at(table, 0), json=away)) == "token/unknown"
    assert http.post(at(table, 1), json=away).status_code == 200
    assert problem(http.get(f"/api/tables/{table}?token={given['token']}")) == "token/unknown"
    assert bots_of(http, table)[1] == ("bot", "random")
    # It plays at once: whenever Ada has chosen, the bot goes on by itself.
    state: dict[str, Any] = {}
    for _ in range(200):
        state = http.get(f"/api/tables/{table}?token={mine}").json()
        if state["result"] is not None:
            break
        if state["decision"]["mine"]:
            wish = {"token": mine, "version": state["version"], "option": 0}
            http.post(f"/api/tables/{table}/choices", json=wish)
        else:
            time.sleep(0.05)
    assert state["result"] is not None
    assert problem(http.post(at(table, 1), json={"token": mine, "kind": "open"})) == "choice/over"


def test_wishes_that_do_not_fit(http: Web, table: Seats) -> None:
    mine = table.tokens[0]
    for seat, wish, code in (
        (9, {"token": mine, "kind": "open"}, "seats/wrong"),
        (1, {"token": mine, "kind": "bot", "bot": "nobody"}, "seats/wrong"),
        (1, {"token": mine, "kind": "king"}, "seats/wrong"),
        (1, {"token": "no", "kind": "open"}, "token/unknown"),
        (1, {"kind": "open"}, "request/invalid"),
    ):
        assert problem(http.post(at(table.id, seat), json=wish)) == code
    assert table.state(1)["seat"] == 1


def test_whose_turn_it_is_and_since_when(http: Web, table: Seats) -> None:
    before: dict[str, Any] = http.get(f"/api/tables/{table.id}/turn").json()
    assert before["waiting"] == table.state(None)["waiting"]
    began = time.time()
    seat: int = before["waiting"][0]
    wish: dict[str, Any] = {"token": table.tokens[seat], "version": before["version"], "option": 0}
    http.post(f"/api/tables/{table.id}/choices", json=wish)
    after = http.get(f"/api/tables/{table.id}/turn").json()
    assert after["version"] == before["version"] + 1
    assert after["since"] >= began - 1
    assert before["since"] <= after["since"]
    assert problem(http.get("/api/tables/none/turn")) == "table/unknown"
