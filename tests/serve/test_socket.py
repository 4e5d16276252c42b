"""The live line: states as they change, choices, errors, reconnecting, watching."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from rulewright.serve import squeeze
from rulewright.serve.settings import Settings
from serve.tables_kit import Seats, Web, client, make_app, on_loop, sqlite_url


def line(http: Web, table: Seats, seat: int | None = 0, **kwargs: Any) -> ClientConnection:
    token = None if seat is None else table.tokens[seat]
    return http.live(f"/api/tables/{table.id}/live" + (f"?token={token}" if token else ""), **kwargs)


_told: dict[int, list[Any]] = {}


def hear(socket: ClientConnection) -> dict[str, Any]:
    """What is said next. A state says only what is new of the log; it is put together here."""
    said = json.loads(socket.recv(timeout=60))
    if "state" in said:
        state = said["state"]
        first = state["log"][0]["n"] if state["log"] else state["lines"]
        before = [line for line in _told.get(id(socket), []) if line["n"] < first]
        state["log"] = _told[id(socket)] = [*before, *state["log"]][-100:]
    return said


def heard_version(socket: ClientConnection, version: int) -> dict[str, Any]:
    """The state of a version; older ones may come before it, newer ones may not."""
    while True:
        said = hear(socket)
        assert "state" in said, said
        if said["state"]["version"] == version:
            return said["state"]
        assert said["state"]["version"] < version


def say(socket: ClientConnection, **message: Any) -> None:
    socket.send(json.dumps(message))


def test_everybody_hears_of_a_choice(http: Web, table: Seats) -> None:
    with line(http, table, 0) as ada, line(http, table, 1) as bo, line(http, table, None) as guest:
        sockets = {0: ada, 1: bo, None: guest}
        for seat, socket in sockets.items():
            assert hear(socket)["state"] == table.state(seat)
        for version in range(1, 9):
            now = table.state(None)
            say(sockets[now["decision"]["seat"]], choose=0, version=now["version"])
            for seat, socket in sockets.items():
                assert heard_version(socket, version) == table.state(seat)


def test_the_log_is_told_piece_by_piece(http: Web, table: Seats) -> None:
    with line(http, table) as ada:
        first = json.loads(ada.recv(timeout=60))["state"]
        assert [one["n"] for one in first["log"]] == list(range(first["lines"]))
        save = next(o["index"] for o in first["decision"]["options"] if o["text"] == "Save")
        say(ada, choose=save, version=0)
        then = json.loads(ada.recv(timeout=60))["state"]
        assert [one["n"] for one in then["log"]] == list(range(first["lines"], then["lines"]))
        assert then["log"]
        say(ada, undo=True, version=1)
        back = json.loads(ada.recv(timeout=60))["state"]
        assert back["log"] == first["log"]  # what was taken back is told anew


def test_lines_taken_back_while_nobody_listened(http: Web, table: Seats) -> None:
    """An undo and another choice, which only make one message for a slow reader: nothing old remains."""
    with line(http, table, 1) as bo:
        hear(bo)
        table.take("Save")
        heard_version(bo, 1)
        assert table.undo(0, 1).status_code == 200
        table.take("Draw")
        assert heard_version(bo, 3) == table.state(1)


def test_undo_through_the_socket(http: Web, table: Seats) -> None:
    with line(http, table) as ada:
        start = hear(ada)["state"]
        save = next(o["index"] for o in start["decision"]["options"] if o["text"] == "Save")
        say(ada, choose=save, version=0)
        assert heard_version(ada, 1)["can_undo"] is True
        say(ada, undo=True, version=1)
        assert heard_version(ada, 2)["view"] == start["view"]
        say(ada, undo=True, version=2)
        assert hear(ada)["error"] == "undo/refused"


WRONG = [
    ('{"choose": 0, "version": 1}', "choice/stale"),
    ('{"choose": 99, "version": 0}', "choice/unknown"),
    ('{"choose": -1, "version": 0}', "choice/unknown"),
    ('{"choose": true, "version": 0}', "request/invalid"),
    ('{"choose": "0", "version": 0}', "request/invalid"),
    ('{"choose": 0}', "request/invalid"),
    ('{"choose": 0, "version": 1e3}', "request/invalid"),
    ('{"choose": 99999999999, "version": 0}', "request/invalid"),
    ('{"undo": true}', "request/invalid"),
    ('{"undo": 1, "version": 0}', "request/invalid"),
    ('{"undo": true, "version": 0}', "undo/refused"),
    ("[]", "request/invalid"),
    ("{", "request/invalid"),
    ("", "request/invalid"),
    ("[" * 3000, "request/invalid"),
    ("null", "request/invalid"),
    (" " * 5000, "request/too-large"),
    (b"\x00\xff", "request/invalid"),
    (b'{"choose": 0, "version": 0}', "request/invalid"),
]


def test_wrong_messages_get_one_error_and_change_nothing(http: Web, table: Seats) -> None:
    with line(http, table, 0) as ada, line(http, table, 1) as bo:
        now = hear(ada)["state"]
        for message, code in WRONG:
            ada.send(message)
            assert (hear(ada)["error"], message) == (code, message)
        assert hear(bo)["state"]["version"] == 0
        say(bo, choose=0, version=0)
        assert hear(bo)["error"] == "choice/foreign"
        say(ada, ping={"a": [1, "\ud83d\ude00"]})
        assert hear(ada) == {"pong": {"a": [1, "\U0001f600"]}}
    assert table.state(0) == now


def test_spectators_only_watch(http: Web, table: Seats) -> None:
    with line(http, table, None) as guest:
        assert hear(guest)["state"]["seat"] is None
        say(guest, choose=0, version=0)
        assert hear(guest)["error"] == "token/unknown"
        say(guest, undo=True, version=0)
        assert hear(guest)["error"] == "token/unknown"
    assert table.state()["version"] == 0


def test_wrong_tables_and_tokens(http: Web, table: Seats) -> None:
    other = Seats(http, seed=3)
    for path, code, close in (
        ("/api/tables/AAAAAAAAAAAA/live", "table/unknown", 4404),
        (f"/api/tables/{table.id}/live?token=wrong", "token/unknown", 4403),
        (f"/api/tables/{table.id}/live?token={other.tokens[0]}", "token/unknown", 4403),
    ):
        with http.live(path) as socket:
            assert hear(socket)["error"] == code
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=60)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == close


def test_reconnecting_goes_on_where_the_table_is(http: Web, table: Seats) -> None:
    with line(http, table) as ada:
        hear(ada)
        say(ada, choose=0, version=0)
        heard_version(ada, 1)
    table.play(most=5)
    with line(http, table) as again:
        state = hear(again)["state"]
        assert state == table.state(0)
        assert state["version"] == 6
        assert state["since"] > 0


def test_a_line_that_breaks_right_after_a_choice_loses_nothing(http: Web, table: Seats) -> None:
    with line(http, table) as socket:
        hear(socket)
        say(socket, choose=0, version=0)
        socket.socket.shutdown(2)  # no farewell
    with line(http, table) as again:
        heard_version(again, 1)


def test_pages_from_elsewhere_get_no_line(http: Web, table: Seats) -> None:
    with pytest.raises(InvalidStatus) as refused:
        line(http, table, origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403
    with line(http, table, origin=http.url) as ours:
        assert "state" in hear(ours)


def test_chatter_is_limited(tmp_path: Path) -> None:
    """Who says more than anybody may is told so, and the line is closed: come back later."""
    with client(make_app(sqlite_url(tmp_path), Settings(rate=10))) as http:
        table = Seats(http)
        with line(http, table) as socket:
            hear(socket)
            answers: list[Any] = []

            def chat() -> None:
                for _ in range(300):
                    say(socket, ping=1)
                while True:
                    answers.append(hear(socket))

            with pytest.raises(ConnectionClosed) as closed:
                chat()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
            assert not answers or answers[0] == {"pong": 1}


def test_a_slow_reader_gets_the_newest(tmp_path: Path) -> None:
    """Whoever does not read holds up nobody, and later hears how things stand, without the steps between."""
    app = make_app(sqlite_url(tmp_path))
    with client(app) as http:
        table = Seats(http)
        with line(http, table, None) as guest:
            assert hear(guest)["state"]["version"] == 0
            (watcher,) = app.state.tables.live[table.id].watchers
            on_loop(app, watcher.wire.pause_writing)
            last = table.play()
            assert last["version"] > 2
            on_loop(app, watcher.wire.resume_writing)
            assert hear(guest)["state"] == last


def test_many_messages_at_once_are_answered_in_order(http: Web, table: Seats) -> None:
    """More than may wait: reading stops meanwhile, and goes on."""
    with line(http, table) as ada:
        hear(ada)
        for number in range(200):
            say(ada, ping=number)
        assert [hear(ada) for _ in range(200)] == [{"pong": number} for number in range(200)]


def test_a_broken_table_closes_the_line(http: Web) -> None:
    with http.live("/api/tables/%00/live") as socket:
        assert hear(socket)["error"] == "table/unknown"


def patched(known: Any, change: Any) -> Any:
    """What a client makes of a difference; as in docs/http.md."""
    if not isinstance(change, dict) or "~" not in change:
        return change
    some, length = change["~"], change.get("#")
    if isinstance(known, list):
        made = [*known, *([None] * len(some))][: len(known) if length is None else length]
        for at, value in some.items():
            made[int(at)] = patched(made[int(at)], value)
        return made
    return {**known, **{key: patched(known.get(key), value) for key, value in some.items()}}


def test_differences_make_up_the_whole_state_and_are_far_smaller(http: Web, table: Seats) -> None:
    at = f"/api/tables/{table.id}/live?changes=1"
    ada, bo = (f"{at}&token={table.tokens[seat]}" for seat in (0, 1))
    with http.live(ada) as first, http.live(bo) as second, http.live(at) as guest:
        sockets: dict[int | None, ClientConnection] = {0: first, 1: second, None: guest}
        states = {seat: json.loads(socket.recv(timeout=60))["state"] for seat, socket in sockets.items()}
        sizes = list[tuple[int, int]]()
        for version in range(1, 9):
            now = table.state(None)
            say(sockets[now["decision"]["seat"]], choose=0, version=now["version"])
            for seat, socket in sockets.items():
                while "change" not in json.loads(text := socket.recv(timeout=60)):
                    pass  # who is here
                states[seat] = patched(states[seat], json.loads(text)["change"])
                whole = table.state(seat)
                assert states[seat]["version"] == version
                assert {**states[seat], "log": []} == {**whole, "log": []}
                fresh = states[seat]["log"]
                assert fresh == whole["log"][len(whole["log"]) - len(fresh) :]
                sizes.append((len(text), len(json.dumps(whole))))
    assert sum(told for told, _ in sizes) * 3 < sum(whole for _, whole in sizes)


def test_words_reach_everybody_and_are_limited(http: Web, table: Seats) -> None:
    at = f"/api/tables/{table.id}/live?changes=1"
    ada, bo = (f"{at}&token={table.tokens[seat]}" for seat in (0, 1))

    def next_of(socket: ClientConnection, key: str) -> Any:
        while key not in (said := json.loads(socket.recv(timeout=60))):
            assert "error" not in said, said  # unless it is what we wait for
        return said[key]

    with http.live(ada) as first:
        assert next_of(first, "here") == [0]
        with http.live(bo) as second, http.live(at) as guest:
            assert next_of(first, "here") == [0, 1]
            say(first, talk="  hello\n<b>Bo</b> ")
            for socket in (first, second, guest):
                assert next_of(socket, "talk") == [{"seat": 0, "text": "hello <b>Bo</b>"}]
            say(guest, talk="me too")
            assert next_of(guest, "error") == "token/unknown"
            say(second, talk="x" * 201)
            assert next_of(second, "error") == "request/invalid"
            for _ in range(8):
                say(first, talk="again")
            while "error" not in (said := json.loads(first.recv(timeout=60))):
                pass
            assert said["error"] == "request/too-many"
            with http.live(at) as late:
                assert next_of(late, "talk")[0] == {"seat": 0, "text": "hello <b>Bo</b>"}
        while json.loads(first.recv(timeout=60)).get("here") != [0]:
            pass


def test_messages_are_deflated_for_who_can_read_that(http: Web, table: Seats) -> None:
    """The same text, in a third of the bytes, and nothing kept between two messages."""
    with line(http, table, compression="deflate") as squeezed:
        (agreed,) = squeezed.protocol.extensions
        assert "remote_no_context_takeover=True, local_no_context_takeover=True" in repr(agreed)
        first = squeezed.recv()
    with line(http, table) as plain:
        assert not plain.protocol.extensions
        assert plain.recv() == first
    assert len(squeeze.squeezed(str(first).encode())) * 3 < len(first)


def test_a_bomb_does_not_go_off(http: Web, table: Seats) -> None:
    """A message that would unfold to megabytes closes its line; the table stays."""
    with line(http, table, compression="deflate") as sent:
        sent.recv()
        sent.send("x" * 4_000_000)  # deflated by the client to a few kilobytes
        with pytest.raises(ConnectionClosed):
            sent.recv(timeout=10)
    assert table.state(0)["version"] == 0
