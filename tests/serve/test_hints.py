"""Hints: for the seat that decides, about what it may know, and not where other people play."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright import Match, load
from rulewright.players.bots import think
from rulewright.players.estimate import estimate
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


def test_who_is_ahead(http: Web) -> None:
    table, tokens = opened(http, {"kind": "you"}, {"kind": "you"})
    assert http.get(f"{table}/estimate").json()["seats"] == [], "nothing was learned of this book"
    assert http.get(f"{table}/estimates").json()["error"] == "replay/hidden"
    made = 0
    while (state := http.get(table, params={"token": tokens[0]}).json())["decision"] is not None:
        token = tokens[state["decision"]["seat"]]
        http.post(f"{table}/choices", json={"token": token, "version": state["version"], "option": 0})
        made += 1
    rows = http.get(f"{table}/estimates").json()
    assert len(rows) == made + 1
    assert rows[-1] == http.get(f"{table}/estimate").json()["seats"]
    assert set(rows[-1]) <= {0.0, 0.5, 1.0}
    assert len(rows[-1]) == 2


def test_an_estimate_follows_the_match() -> None:
    match = Match(load("penance-1"), seed=5, engine="native")
    first = estimate(match.program, match.slots())
    assert sum(first) == pytest.approx(1)
    rows: list[tuple[float, ...]] = []
    while match.decision is not None:
        match.choose(think(match, "Warden"))
        rows.append(estimate(match.program, match.slots()))
    assert rows[-1] in ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))
    assert len(set(rows)) > 10
