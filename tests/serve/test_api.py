"""Every address of the HTTP API, and what each wrong request gets."""

from __future__ import annotations

import gzip
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from rulewright.play.replay import Replay
from rulewright.serve.api import build
from rulewright.serve.library import Library, Volume, cover
from rulewright.serve.settings import Settings
from rulewright.serve.store import Store
from serve.tables_kit import (
    NAMES,
    OPEN,
    TWO,
    Seats,
    Web,
    client,
    make_app,
    problem,
    program,
    same_but,
    sqlite_url,
    volume,
)  # fmt: skip


def test_the_shelf(http: Web) -> None:
    books = http.get("/api/books").json()
    assert [book["name"] for book in books] == ["hands", "coin"]
    hands = books[0]
    assert hands["title"] == "Hands"
    assert hands["seats"] == [2, 2]
    assert hands["bots"] == ["random", "greedy", "hard", "medium", "easy", "Greedy"]
    assert hands["summary"].startswith("Two players")
    assert (hands["designer"], hands["licence"], hands["length"]) == ("the tests", "MIT", "2 minutes")


def test_a_book_with_its_rules(http: Web) -> None:
    answer = http.get("/api/books/hands", headers={"accept-encoding": "identity"})
    book = answer.json()
    assert "&lt;b&gt;Markup is text here.&lt;/b&gt;" in book["html"]
    assert {"verbs", "sites", "things", "columns", "maps", "fields", "zones", "prompts"} <= set(book["sheet"])
    packed = http.get("/api/books/hands", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.json() == book
    assert len(gzip.compress(answer.content)) < len(answer.content) / 2
    again = http.get("/api/books/hands", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert problem(http.get("/api/books/nothing")) == "book/unknown"


def test_opening_a_table(http: Web) -> None:
    seats = [{"kind": "you", "name": "Ada"}, {"kind": "bot", "bot": "Greedy"}]
    made = Seats(http, seats=seats).made
    assert [seat["kind"] for seat in made["seats"]] == ["you", "bot"]
    assert [seat["name"] for seat in made["seats"]] == ["Ada", "Greedy"]
    assert made["seats"][0]["link"] == f"/#/table/{made['table']}?token={made['seats'][0]['token']}"
    assert "token" not in made["seats"][1]
    listed = http.get("/api/tables").json()
    assert [one["table"] for one in listed] == [made["table"]]
    assert made["seats"][0]["token"] not in json.dumps(listed)


def test_secrets_are_long_and_never_the_same(http: Web) -> None:
    made = [Seats(http) for _ in range(5)]
    tokens = {token for one in made for token in one.tokens}
    assert len(tokens) == 10
    assert all(token and len(token) >= 20 for token in tokens)
    assert all(len(one.id) >= 12 for one in made)


WRONG_TABLES = [
    ({"book": "nothing", "seats": TWO}, "book/unknown"),
    ({"book": "hands", "seats": TWO[:1]}, "seats/wrong"),
    ({"book": "hands", "seats": [*TWO, *TWO]}, "seats/wrong"),
    ({"book": "hands", "seats": [{"kind": "ghost"}, {"kind": "you"}]}, "seats/wrong"),
    ({"book": "hands", "seats": [{"kind": "bot", "bot": "Nobody"}, {"kind": "you"}]}, "seats/wrong"),
    ({"book": "hands", "seats": TWO, "options": {"Weather": "foul"}}, "setting/unknown"),
    ({"book": "hands", "seats": TWO, "seed": -1}, "request/invalid"),
    ({"book": "hands", "seats": TWO, "seed": 2**63}, "request/invalid"),
    ({"book": "hands", "seats": TWO, "seed": 1.5}, "request/invalid"),
    ({"book": "hands", "seats": TWO, "seed": "7"}, "request/invalid"),
    ({"book": "hands", "seats": TWO, "colour": "red"}, "request/invalid"),
    ({"book": "hands", "seats": [{"kind": "you", "name": "x" * 61}, {"kind": "you"}]}, "request/invalid"),
    ({"book": "hands", "seats": [{"kind": "you", "name": "a\x00b"}, {"kind": "you"}]}, "request/invalid"),
    ({"book": "hands", "seats": []}, "request/invalid"),
    ({"book": "hands", "seats": [{"kind": "you"}] * 31}, "request/invalid"),
    ({"book": "hands"}, "request/invalid"),
    ([], "request/invalid"),
    ("hands", "request/invalid"),
]


@pytest.mark.parametrize(("wish", "code"), WRONG_TABLES)
def test_a_wrong_table_is_refused(http: Web, wish: object, code: str) -> None:
    assert problem(http.post("/api/tables", json=wish)) == code
    assert http.get("/api/tables").json() == []


def test_half_a_character_is_refused(http: Web) -> None:
    body = b'{"book": "hands", "seats": [{"kind": "you", "name": "\\ud800"}, {"kind": "you"}]}'
    answer = http.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert problem(answer) == "request/invalid"
    assert problem(http.post("/api/tables", content=b"{", headers={"content-type": "application/json"})) == (
        "request/invalid"
    )


def test_a_state(table: Seats) -> None:
    mine, theirs, anyone = table.state(0), table.state(1), table.state(None)
    assert (mine["seat"], theirs["seat"], anyone["seat"]) == (0, 1, None)
    assert mine["version"] == 0
    assert mine["decision"]["mine"] is True
    assert [option["index"] for option in mine["decision"]["options"]] == list(
        range(len(mine["decision"]["options"]))
    )
    assert theirs["decision"] == {
        "seat": 0,
        "actor": mine["decision"]["actor"],
        "prompt": mine["decision"]["prompt"],
        "mine": False,
        "options": [],
    }
    assert anyone["decision"] == theirs["decision"]
    assert mine["waiting"] == [0]
    assert mine["result"] is None
    assert {"view", "board", "log", "players", "since", "can_undo", "digest", "book"} <= set(mine)
    assert all(
        set(line) >= {"n", "text", "kind", "args", "cites", "title", "file", "line"} for line in mine["log"]
    )


def test_choosing(table: Seats) -> None:
    before = table.state(0)
    after = table.take("Play")
    assert after["version"] == before["version"] + 1
    assert len(after["log"]) > len(before["log"])
    assert any("HA-PLAY-01" in line["cites"] for line in after["log"])
    assert after["since"] == len(after["log"])
    assert table.state(1)["since"] == 0


def test_wrong_choices_change_nothing(http: Web, table: Seats) -> None:
    table.take("Save")
    table.take("Save")
    other = Seats(http, seed=8)
    now = [table.state(seat) for seat in (0, 1, None)]
    version, count = now[0]["version"], len(now[0]["decision"]["options"])
    path = f"/api/tables/{table.id}/choices"
    body = {"token": table.tokens[0], "version": version, "option": 0}
    wrong: list[tuple[object, str]] = [
        ({**body, "version": version - 1}, "choice/stale"),
        ({**body, "version": version + 1}, "choice/stale"),
        ({**body, "version": 0}, "choice/stale"),
        ({**body, "token": table.tokens[1]}, "choice/foreign"),
        ({**body, "token": other.tokens[0]}, "token/unknown"),
        ({**body, "token": ""}, "token/unknown"),
        ({**body, "token": "ä\ud83d\ude00"}, "token/unknown"),
        ({**body, "option": count}, "choice/unknown"),
        ({**body, "option": 2**31 - 1}, "choice/unknown"),
        ({**body, "option": -1}, "request/invalid"),
        ({**body, "option": "0"}, "request/invalid"),
        ({**body, "option": True}, "request/invalid"),
        ({**body, "option": 0.0}, "request/invalid"),
        ({**body, "option": None}, "request/invalid"),
        ({**body, "version": 2**31}, "request/invalid"),
        ({**body, "more": 1}, "request/invalid"),
        ({"token": table.tokens[0]}, "request/invalid"),
        ({}, "request/invalid"),
        (None, "request/invalid"),
    ]
    for wish, code in wrong:
        answer = http.post(path, content=json.dumps(wish), headers={"content-type": "application/json"})
        assert (problem(answer), wish) == (code, wish)
    assert problem(http.post("/api/tables/AAAAAAAAAAAA/choices", json=body)) == "table/unknown"
    assert problem(http.post("/api/tables/%20/choices", json=body)) == "request/invalid"
    assert [table.state(seat) for seat in (0, 1, None)] == now


def test_a_choice_sent_twice_counts_once(table: Seats) -> None:
    now = table.state(0)
    assert table.choose(0, now["version"], 0).status_code == 200
    after = [table.state(seat) for seat in (0, 1)]
    assert problem(table.choose(0, now["version"], 0)) == "choice/stale"
    assert [table.state(seat) for seat in (0, 1)] == after


def test_undo(table: Seats) -> None:
    start = table.state(0)
    assert problem(table.undo(0, 0)) == "undo/refused"
    saved = table.take("Save")
    assert saved["can_undo"] is True
    assert problem(table.undo(1, saved["version"])) == "undo/refused"
    assert problem(table.undo(0, saved["version"] - 1)) == "choice/stale"
    assert table.undo(0, saved["version"]).json() == {"version": saved["version"] + 1}
    back = table.state(0)
    assert same_but(back, "version", "since") == same_but(start, "version", "since")
    assert back["version"] == 2
    assert table.take("Draw")["can_undo"] is False  # a card was seen
    assert problem(table.undo(0, 3)) == "undo/refused"


def test_a_whole_match_and_its_replay(http: Web, table: Seats) -> None:
    assert problem(table.get("/replay")) == "replay/hidden"
    assert problem(table.get("/at/0")) == "replay/hidden"
    table.take("Save")
    assert table.undo(0, 1).status_code == 200
    last = table.play()
    assert last["result"]["ending"] == "Settled"
    assert last["decision"] is None
    assert sorted(last["result"]["scores"]) in ([0, 1], [2, 2])
    assert problem(table.choose(0, last["version"], 0)) == "choice/over"
    assert problem(table.undo(0, last["version"])) == "undo/refused"
    replay = Replay.from_json(table.get("/replay").content)
    assert replay.players == ("Ada", "Bo")
    replay.verify(program("hands"))
    total = len(replay.choices)
    assert total == last["version"] - 2  # the undo and what it took back are no part of it
    ahead = [table.get(f"/at/{n}", seat=None).json() for n in range(total + 1)]
    assert [state["version"] for state in ahead] == list(range(total + 1))
    assert all(state["total"] == total for state in ahead)
    assert ahead[-1]["view"] == last["view"]
    assert table.get(f"/at/{total + 99}", seat=None).json() == ahead[-1]
    for n in (total - 1, total // 2, 1, 0, total // 3):
        back = table.get(f"/at/{n}", seat=None).json()
        assert same_but(back, "since") == same_but(ahead[n], "since")
    hand = next(zone for zone in table.get("/at/0", seat=1).json()["view"]["zones"] if zone["owner"] == 1)
    assert hand["unknown"] == 0
    listed = http.get("/api/tables").json()[0]
    assert listed["ending"] == "Settled"
    assert listed["finished"] > listed["created"]


def test_the_log_and_why(table: Seats) -> None:
    table.take("Play")
    log = table.state(0)["log"]
    whole = table.get("/log").json()
    assert whole[-len(log) :] == log
    assert [line["n"] for line in whole] == list(range(len(whole)))
    assert table.get("/log", after=3).json() == whole[3:]
    assert table.get("/log", after=10**6).json() == []
    line = next(line for line in log if "HA-PLAY-01" in line["cites"])
    why = table.get(f"/why/{line['n']}").json()
    assert (why["text"], why["file"], why["line"]) == (line["text"], line["file"], line["line"])
    assert "Play" in why["rule"]
    assert f'data-line="{why["line"]}"' in why["rule"]
    assert problem(table.get(f"/why/{10**6}")) == "why/unknown"
    assert problem(table.get("/why/-1")) == "request/invalid"
    assert problem(table.get("/log", after=-1)) == "request/invalid"


def test_why_not(table: Seats) -> None:
    for _ in range(3):
        table.take("Save")
    assert table.state(None)["decision"]["seat"] == 1  # the turn passed, for want of effort
    assert table.get("/whynot", name="Save").json()["reasons"] == ["It is not your decision."]
    assert "on offer" in table.get("/whynot", seat=1, name="Save").json()["reasons"][0]
    table.take("Play: ")
    table.take("Play: ")
    table.take("Play: ")
    told = table.get("/whynot", seat=0, name="Play: Nothing").json()
    assert told["reasons"]
    assert told["file"] == "hands.md"
    assert "requires" in told["rule"]
    assert "No action" in table.get("/whynot", seat=0, name="Sing").json()["reasons"][0]


def test_odds_of_the_seat_that_decides(table: Seats) -> None:
    state = table.state(0)
    found = table.get("/odds", seat=0).json()
    assert found["version"] == state["version"]
    assert [one["option"] for one in found["options"]] == [o["index"] for o in state["decision"]["options"]]
    saved = next(o["index"] for o in state["decision"]["options"] if o["text"] == "Save")
    (one,) = table.get("/odds", seat=0, option=saved).json()["options"]
    assert one["option"] == saved
    assert one["sure"]
    assert one["lines"] > 0
    assert problem(table.get("/odds", seat=0, option=10**6)) == "choice/unknown"
    now = found["version"]
    assert table.get("/odds", seat=0, option=saved, version=now).json()["options"]
    for other in (now + 1, now + 7):  # the number of an option belongs to a decision, which this is not
        late = table.get("/odds", seat=0, option=10**6, version=other).json()
        assert late == {"version": now, "options": []}
    assert table.get("/odds", seat=1).json()["options"] == []


def test_the_edition_of_a_table(http: Web, table: Seats) -> None:
    edition = table.get("/book").json()
    assert edition == http.get("/api/books/hands").json()
    assert edition["digest"] == table.state()["digest"]


def test_wrong_addresses_and_methods(http: Web) -> None:
    assert problem(http.get("/nothing")) == "request/unknown"
    assert problem(http.get("/page/nothing.js")) == "request/unknown"
    assert problem(http.delete("/api/tables")) == "request/method"
    assert problem(http.get("/api/tables/AAAAAAAAAAAA")) == "table/unknown"
    assert problem(http.get("/api/tables/AAAAAAAAAAAA/at/0")) == "table/unknown"
    assert problem(http.get("/api/tables/AAAAAAAAAAAA/replay")) == "table/unknown"


def test_a_wrong_token_opens_nothing(http: Web, table: Seats) -> None:
    for path in ("", "/log", "/why/0", "/whynot", "/odds", "/at/0"):
        answer = http.get(f"/api/tables/{table.id}{path}", params={"token": "wrong"})
        assert problem(answer) in ("token/unknown", "replay/hidden")


def test_the_page_and_headers(http: Web) -> None:
    page = http.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "<title>Rulewright</title>" in page.text
    for answer in (page, http.get("/api/books"), http.get("/nothing"), http.get("/page/main.js")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"]
    assert "javascript" in http.get("/page/main.js").headers["content-type"]


def test_health_and_metrics(http: Web, table: Seats) -> None:
    assert http.get("/healthz").json() == {"ok": True}
    table.take("Save")
    table.choose(0, 0, 0)
    metrics = http.get("/metrics")
    assert metrics.headers["content-type"].startswith("text/plain")
    samples = dict(re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", metrics.text, re.M))
    assert samples["rulewright_moves_total"] == "1"
    assert samples["rulewright_tables_live"] == "1"
    assert samples['rulewright_errors_total{code="choice/stale"}'] == "1"
    assert samples['rulewright_move_seconds_bucket{le="+Inf"}'] == samples["rulewright_move_seconds_count"]
    for line in metrics.text.splitlines():
        assert line.startswith("# ") or re.fullmatch(r'rulewright_\w+(\{\w+="[^"]*"\})? [0-9.e+-]+', line), (
            line
        )


def test_large_requests_are_refused(http: Web) -> None:
    big = b'{"book": "' + b"x" * OPEN.largest + b'"}'
    assert problem(http.post("/api/tables", content=big)) == "request/too-large"

    def pieces():
        for _ in range(OPEN.largest // 1000 + 2):
            yield b" " * 1000

    answer = http.post("/api/tables", content=pieces(), headers={"content-type": "application/json"})
    assert problem(answer) == "request/too-large"
    assert http.get("/healthz").status_code == 200


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path), Settings(rate=1))) as http:
        codes = [http.get("/api/tables").status_code for _ in range(60)]
        assert codes[:8] == [200] * 8
        assert codes[-1] == 429
        assert problem(http.get("/api/tables")) == "request/too-many"


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("RATE", "12.5"), ("IDLE", "30"), ("BOTS", "0")):
        monkeypatch.setenv(f"RULEWRIGHT_{name}", value)
    assert Settings.from_environment() == Settings(rate=12.5, idle=30, bots=1)
    monkeypatch.setenv("RULEWRIGHT_RATE", "a lot")
    assert Settings.from_environment().rate == Settings().rate


def test_the_shelf_does_not_wait_for_books_that_are_still_read(tmp_path: Path) -> None:
    """A machine that is new to its books takes seconds to read them; who asks with a limit gets covers."""
    read = threading.Event()

    def slowly(name: str) -> Volume:
        if name == "hands":
            assert read.wait(30)
        return volume(name)

    def covered(name: str) -> dict[str, Any]:
        return cover(name, {"title": "Hands!", "accent": "#123"}, False)

    shelf = Library(NAMES, slowly, equip=lambda _: "reference", cover=covered)
    with client(build(Store(sqlite_url(tmp_path)), shelf, OPEN)) as web:
        hands, coin = web.get("/api/books", params={"wait": 0.3}).json()
        told = (hands["title"], hands["reading"], hands["bots"], hands["looks"])
        assert told == ("Hands!", True, [], {"accent": "#123"})
        assert (coin["reading"], coin["digest"]) in ((False, program("coin").digest), (True, ""))
        read.set()
        cards = web.get("/api/books").json()
        assert [card["reading"] for card in cards] == [False, False]
        assert cards[0]["digest"] == program("hands").digest
        assert problem(web.get("/api/books", params={"wait": -1})) == "request/invalid"


def test_a_book_that_breaks_while_it_is_read_leaves_the_shelf(tmp_path: Path) -> None:
    def broken(name: str) -> Volume:
        raise ValueError(name)

    with client(build(Store(sqlite_url(tmp_path)), Library(("hands",), broken), OPEN)) as web:
        assert web.get("/api/books", params={"wait": 5}).json() == []
