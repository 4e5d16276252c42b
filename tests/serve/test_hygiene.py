"""Small things that add up: secrets, private tables, damage, databases that hang, odd numbers and letters."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from attack.floods import _socket, frame  # pyright: ignore[reportPrivateUsage]
from rulewright.serve import api
from rulewright.serve import store as store_module
from rulewright.serve.guard import OPENING, _cost  # pyright: ignore[reportPrivateUsage]
from rulewright.serve.settings import Settings
from serve.tables_kit import TWO, Seats, Web, client, make_app, problem, sqlite_url, until


def opened(http: Web, **wish: Any) -> dict[str, Any]:
    answer = http.post("/api/tables", json={"book": "hands", "seats": TWO, **wish})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_token_need_not_stand_in_the_address(http: Web, table: Seats) -> None:
    head = {"Authorization": f"Bearer {table.tokens[1]}"}
    assert http.get(f"/api/tables/{table.id}", headers=head).json() == table.state(1)
    wrong = {"Authorization": "Bearer no"}
    assert problem(http.get(f"/api/tables/{table.id}", headers=wrong)) == "token/unknown"
    shown = ["rulewright", f"token.{table.tokens[1]}"]
    with http.live(f"/api/tables/{table.id}/live", subprotocols=shown) as line:
        assert line.subprotocol == "rulewright"
        assert json.loads(line.recv(timeout=20))["state"]["seat"] == 1


def test_a_seat_can_be_given_a_new_token(http: Web, table: Seats) -> None:
    path = f"/api/tables/{table.id}/seats"
    old = table.tokens[1]
    with http.live(f"/api/tables/{table.id}/live?token={old}") as line:
        line.recv(timeout=20)
        assert problem(http.post(f"{path}/0/token", json={"token": old})) == "token/unknown"
        assert problem(http.post(f"{path}/5/token", json={"token": table.tokens[0]})) == "seats/wrong"
        made = http.post(f"{path}/1/token", json={"token": table.tokens[0]}).json()

        def listen_on() -> None:
            for _ in range(5):
                line.recv(timeout=20)

        with pytest.raises(ConnectionClosed) as closed:
            listen_on()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
    assert problem(table.get(seat=1)) == "token/unknown"
    table.tokens[1] = made["token"]
    assert table.state(1)["seat"] == 1
    assert http.post(f"{path}/1/token", json={"token": made["token"]}).status_code == 200


def test_a_private_table_is_not_listed(http: Web) -> None:
    private, public = opened(http, private=True)["table"], opened(http)["table"]
    listed = [one["table"] for one in http.get("/api/tables").json()]
    assert public in listed
    assert private not in listed
    assert http.get(f"/api/tables/{private}").status_code == 200


def test_dice_are_promised_and_told_at_the_end(http: Web) -> None:
    made = opened(http)
    table = Seats.__new__(Seats)
    table.http, table.id, table.tokens = http, made["table"], [seat["token"] for seat in made["seats"]]
    start = table.state(None)["dice"]
    assert start == {"commitment": made["commitment"], "chosen": False, "seed": None}
    end = table.play()["dice"]
    seed = int(end["seed"], 16)
    assert seed >= 2**128
    assert hashlib.sha256(b"rulewright seed " + seed.to_bytes(32, "big")).hexdigest() == made["commitment"]
    replay = http.get(f"/api/tables/{table.id}/replay").json()
    assert replay["seed"] == seed


def test_who_chose_the_seed_is_told(http: Web, table: Seats) -> None:
    for seat in (0, 1, None):
        assert table.state(seat)["dice"] == {"commitment": "", "chosen": True, "seed": None}


def test_a_match_goes_on_after_a_restart_with_the_same_dice(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http:
        made = opened(http)
        path, tokens = f"/api/tables/{made['table']}", [seat["token"] for seat in made["seats"]]
        for version in range(4):
            seat = http.get(path).json()["decision"]["seat"]
            body = {"token": tokens[seat], "version": version, "option": 0}
            assert http.post(f"{path}/choices", json=body).status_code == 200
        before = http.get(path).json()
    with client(make_app(sqlite_url(tmp_path))) as http:
        assert http.get(path).json() == before


def test_silent_damage_is_found(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http:
        table = Seats(http)
        for _ in range(3):
            now = table.state(None)
            assert table.choose(now["decision"]["seat"], now["version"], 0).status_code == 200
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as database:
        assert database.execute("SELECT count(*) FROM choices WHERE mark IS NULL").fetchone() == (0,)
        database.execute("UPDATE choices SET mark = mark + 1 WHERE number = 1")
        database.commit()
    with client(make_app(sqlite_url(tmp_path))) as http:
        assert problem(http.get(f"/api/tables/{table.id}")) == "table/broken"
        assert http.get("/api/tables").status_code == 200


def test_one_bad_row_does_not_break_the_list(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http:
        bad, good = Seats(http).id, Seats(http).id
        with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as database:
            database.execute("UPDATE tables SET created = 'yesterday', book = x'00ff' WHERE id = ?", (bad,))
            database.commit()
        listed = http.get("/api/tables")
        assert listed.status_code == 200
        assert [one["table"] for one in listed.json()] == [good]


def test_turning_back_and_forth_has_an_end(http: Web, table: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.serve.choosing.UNDOS", 5)
    version = 0
    for _ in range(40):
        options = table.state(0)["decision"]["options"]
        save = next(o["index"] for o in options if o["text"] == "Save")
        assert table.choose(0, version, save).status_code == 200
        answer = table.undo(0, version + 1)
        if answer.status_code != 200:
            assert problem(answer) == "undo/refused"
            return
        version += 2
    raise AssertionError("it goes on for ever")


def test_a_match_that_was_turned_back_and_forth_is_read_in_no_time(tmp_path: Path) -> None:
    """300,000 rows, from before there was an end to it, once took 94 seconds; a tenth of that here."""
    with client(make_app(sqlite_url(tmp_path))) as http:
        table = Seats(http)
        table.take("Save")
        assert table.undo(0, 1).status_code == 200
        after = table.take("Save")
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as database:
        twice = "INSERT INTO choices SELECT table_id, number + ?, choice, seat, at, mark "
        twice += "FROM choices WHERE number < ?"
        database.execute("UPDATE choices SET number = 32768 WHERE number = 2")
        rows = 2
        while rows < 32768:
            database.execute(twice, (rows, rows))
            rows *= 2
        database.commit()
    with client(make_app(sqlite_url(tmp_path))) as http:
        began = time.process_time()
        now = table.state(0, http)
        assert time.process_time() - began < 4
        assert now["version"] == 32769
        assert now["view"] == after["view"]


def test_a_database_that_hangs_is_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "STATEMENT", 0.5)
    app = make_app(sqlite_url(tmp_path))
    with client(app) as http:
        table = Seats(http)
        with contextlib.closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")  # the file can be read, and nobody else can write
            began = time.monotonic()
            assert problem(http.get("/healthz")) == "store/unavailable"
            assert problem(table.choose(0, 0, 0)) == "store/unavailable"
            assert time.monotonic() - began < 10
            other.execute("ROLLBACK")
        until(lambda: http.get("/healthz").status_code == 200, 20)
        assert table.state()["version"] in (0, 1)


def test_what_is_no_number_is_refused(http: Web, table: Seats) -> None:
    with http.live(f"/api/tables/{table.id}/live") as line:
        line.recv(timeout=20)
        for word in ("NaN", "Infinity", "-Infinity"):
            line.send(f'{{"ping": {word}}}')
            assert json.loads(line.recv(timeout=20))["error"] == "request/invalid"


def test_letters_that_turn_the_line_are_refused(http: Web) -> None:
    for name in ("\u202eAda", "\u2066Ada", "\x1b[31mAda", "\x9bAda"):
        wish = {"book": "hands", "seats": [{"kind": "you", "name": name}, {"kind": "invite"}]}
        assert problem(http.post("/api/tables", json=wish)) == "request/invalid"


def test_bytes_that_are_no_text_close_the_line(
    http: Web, table: Seats, caplog: pytest.LogCaptureFixture
) -> None:
    port = int(http.url.rsplit(":", 1)[1])
    with _socket(port, table.id) as sock:
        sock.settimeout(20)
        sock.sendall(frame(1, b"\xff\xfe"))
        while sock.recv(65536):
            pass
    assert not [record for record in caplog.records if record.exc_info]
    assert table.state(None)["version"] == 0


def test_a_stranger_s_name_for_this_machine_is_refused(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http:
        assert problem(http.get("/api/books", headers={"host": "evil.example"})) == "request/host"
        for host in ("localhost:1", "127.0.0.1", "[::1]:80", "10.1.2.3", "a.localhost"):
            assert http.get("/api/books", headers={"host": host}).status_code == 200
    listed = Settings(rate=0, hosts=("Play.Example",))
    with client(make_app(sqlite_url(tmp_path), listed)) as http:
        assert http.get("/api/books", headers={"host": "play.example:443"}).status_code == 200
        assert problem(http.get("/api/books", headers={"host": "10.1.2.3"})) == "request/host"


def test_only_proxies_are_believed_about_who_asks(tmp_path: Path) -> None:
    """Without one an address cannot pretend to be many."""
    with client(make_app(sqlite_url(tmp_path), Settings(rate=1))) as http:
        heads = [{"x-forwarded-for": f"10.0.0.{n}"} for n in range(40)]
        assert 429 in {http.get("/page/main.js", headers=head).status_code for head in heads}
    with client(make_app(sqlite_url(tmp_path), Settings(rate=1, proxies=("127.0.0.1",)))) as http:
        for n in range(40):
            head = {"x-forwarded-for": f"1.2.3.4, 10.0.0.{n}"}  # what came first anybody can say
            assert http.get("/page/main.js", headers=head).status_code == 200
        head = {"x-forwarded-for": "5.6.7.8"}
        assert 429 in {http.get("/page/main.js", headers=head).status_code for _ in range(40)}


def test_going_on_with_a_match_is_opening_a_table(tmp_path: Path) -> None:
    """It costs as much, counts as one of the opener's, and is written in a few transactions."""
    app = make_app(sqlite_url(tmp_path), Settings(rate=200, tables_per_address=3))
    written: list[int] = []
    with client(app) as http:
        table = Seats(http)
        over = table.play()
        real = app.state.tables.store.appender.write

        async def counted(group: Any) -> Any:
            written.append(len(group))
            return await real(group)

        app.state.tables.store.appender.write = counted
        path = f"/api/tables/{table.id}/continue"
        answers = [http.post(path, json={"at": over["version"] - 1}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
        assert "You have opened 3 tables" in answers[-1].json()["message"]
        assert sum(written) == 3 * (over["version"] - 1)
        assert len(written) <= 6
        opened = [app.state.tables.live[answer.json()["table"]].opener for answer in answers[:3]]
        assert opened == ["127.0.0.1"] * 3
    assert _cost({"type": "http", "method": "POST", "path": path}) == OPENING


def test_other_pages_send_us_no_forms(http: Web) -> None:
    """A browser sends them along from any page; what it asks for without acting is for everybody."""
    wish = {"book": "hands", "seats": [{"kind": "you"}, {"kind": "invite"}]}
    own = http.url.partition("://")[2]
    for origin, status in ((f"http://{own}", 201), ("http://evil.example", 422), ("null", 422)):
        assert http.post("/api/tables", json=wish, headers={"origin": origin}).status_code == status
        assert http.get("/api/tables", headers={"origin": origin}).status_code == 200


@pytest.mark.parametrize("id_", ["a%00b", "x" * 5000, "..", "%ff", "a%20b"])
def test_a_line_to_what_is_no_name(http: Web, id_: str) -> None:
    with http.live(f"/api/tables/{id_}/live") as line:
        assert json.loads(line.recv(timeout=20))["error"] == "table/unknown"


def test_looking_back_has_a_limit_of_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(sqlite_url(tmp_path))
    with client(app) as http:
        table = Seats(http)
        number = table.take("Throw")["lines"] - 1
        monkeypatch.setattr(api, "reckoned", lambda *_: time.sleep(1))
        monkeypatch.setattr(api, "ahead_then", lambda *_: time.sleep(1))
        table.play()
        app.state.tables.workers.budget = 0.1
        told = table.get(f"/why/{number}")
        assert told.status_code == 200  # the rule is told all the same, only its arithmetic is not
        assert told.json()["title"]
        assert (told.json()["late"], told.json()["sums"]) == (True, [])
        assert table.get("/estimates").json() == []
        assert "calls_abandoned 2" in http.get("/metrics").text


def test_one_question_about_the_past_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each holds the interpreter lock: a dozen at once made everybody wait for seconds."""
    at_work: list[int] = []
    seen: list[int] = []

    def slow(*_: object) -> list[object]:
        at_work.append(1)
        seen.append(len(at_work))
        time.sleep(0.05)
        at_work.pop()
        return []

    monkeypatch.setattr(api, "reckoned", slow)
    with client(make_app(sqlite_url(tmp_path))) as http, ThreadPoolExecutor(6) as pool:
        table = Seats(http)
        number = table.take("Throw")["lines"] - 1
        answers = list(pool.map(lambda _: table.get(f"/why/{number}"), range(12)))
        assert {answer.status_code for answer in answers} == {200}
    assert seen == [1] * 12
