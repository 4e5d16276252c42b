"""Hints: for the seat that decides, about what it may know, and not where other people play."""

from __future__ import annotations

from typing import Any

from serve.tables_kit import Web


def opened(http: Web, *seats: dict[str, str]) -> tuple[str, list[str]]:
    made = http.post("/api/tables", json={"book": "hands", "seats": list(seats), "seed": 7}).json()
    return f"/api/tables/{made['table']}", [seat.get("token", "") for seat in made["seats"]]


def test_a_hint_is_an_option_with_its_reasons(http: Web) -> None:
    table, (token, _) = opened(http, {"kind": "you"}, {"kind": "bot", "bot": "random"})
    state: dict[str, Any] = http.get(table, params={"token": token}).json()
    hint: dict[str, Any] = http.get(f"{table}/hint", params={"token": token}).json()
    texts = {option["index"]: option["text"] for option in state["decision"]["options"]}
    assert texts[hint["option"]] == hint["text"]
    assert hint["version"] == state["version"]
    assert hint["reasons"]
    for reason in hint["reasons"]:
        assert texts[reason["option"]] == reason["text"]
        assert 0 <= reason["low"] <= reason["estimate"] <= reason["high"] <= 1
    assert http.get(table, params={"token": token}).json() == state, "nothing was changed"


def test_who_may_ask(http: Web) -> None:
    table, (ada, bo) = opened(http, {"kind": "you"}, {"kind": "you"})
    assert http.get(f"{table}/hint", params={"token": ada}).status_code == 200
    assert http.get(f"{table}/hint", params={"token": bo}).json()["error"] == "choice/foreign"
    assert http.get(f"{table}/hint").json()["error"] == "choice/foreign", "a spectator"
    table, (ada, bo) = opened(http, {"kind": "you"}, {"kind": "invite"})
    assert http.get(f"{table}/hint", params={"token": ada}).json()["error"] == "hint/refused"
