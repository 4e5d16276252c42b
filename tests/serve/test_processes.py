"""Servers as processes: killed in the middle of load, and two of them on one PostgreSQL."""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from rulewright.play.match import Match
from rulewright.serve.schema import ChoiceRow
from rulewright.serve.store import Store
from serve.tables_kit import Process, Seats, Web, awaited, problem, program, sqlite_url, until

WORKERS, TABLES, ROUNDS = 4, 4, 2


class Load:
    """Players who choose at random as fast as they can, and remember what was acknowledged."""

    def __init__(self, seats: Seats, seed: int) -> None:
        self.seats = seats
        self.chance = random.Random(seed)
        self.acknowledged: list[int] = []
        self.sent: int | None = None
        """A choice that nobody has answered yet."""

    def step(self, http: httpx.Client) -> None:
        state = self.seats.state(None, http)
        if state["decision"] is None:
            return
        version, seat = state["version"], state["decision"]["seat"]
        options = self.seats.state(seat, http)["decision"]["options"]
        if not options:
            return
        # The first choice that was not answered may have been stored all the same.
        while len(self.acknowledged) < version:
            assert self.sent is not None
            self.acknowledged.append(self.sent)
            self.sent = None
        self.sent = self.chance.randrange(len(options))
        answer = self.seats.choose(seat, version, self.sent, http)
        assert answer.status_code == 200, answer.text
        self.acknowledged.append(self.sent)
        self.sent = None


def run_load(url: str, loads: list[Load], rounds: int = 10**6) -> Callable[[], None]:
    """Start the players; what is returned waits for them. They stop by themselves when the server is gone."""
    pool = ThreadPoolExecutor(WORKERS)

    def work(mine: list[Load]) -> None:
        with Web(url) as http:
            try:
                for _ in range(rounds):
                    for load in mine:
                        load.step(http)
            except httpx.TransportError:
                return

    jobs = [pool.submit(work, loads[index::WORKERS]) for index in range(WORKERS)]

    def wait() -> None:
        for job in jobs:
            job.result(60)
        pool.shutdown()

    return wait


def stored(url: str, table: str) -> list[ChoiceRow]:
    async def read() -> list[ChoiceRow]:
        store = Store(url)
        try:
            return await store.choices(table)
        finally:
            await store.close()

    return awaited(read())


def compare(url: str, http: Web, loads: list[Load]) -> int:
    """Every acknowledged choice is there, at most one more, and the table is what they make of it."""
    total = 0
    for load in loads:
        rows = [row.choice for row in stored(url, load.seats.id)]
        assert rows[: len(load.acknowledged)] == load.acknowledged
        beyond = rows[len(load.acknowledged) :]
        assert beyond in ([], [load.sent])
        match = Match(program("hands"), ["Ada", "Bo"], seed=int(load.seats.made["seed"]))
        for choice in rows:
            match.choose(choice)
        for seat in (0, 1, None):
            state = load.seats.state(seat, http)
            assert state["version"] == len(rows)
            view = match.view(seat)
            view.pop("options", None)
            assert state["view"] == json.loads(json.dumps(view))
        total += len(rows)
    return total


def test_killed_in_the_middle_of_load(database: str) -> None:
    loads: list[Load] = []
    moves = 0
    for turn in range(ROUNDS):
        with Process(database) as server:
            if loads:
                assert compare(database, server.http, loads) >= moves
            moves = sum(len(load.acknowledged) for load in loads)
            fresh = [Load(seats(server, 100 * turn + n), n) for n in range(WORKERS * TABLES)]
            loads += fresh
            wait = run_load(server.url, fresh)
            until(lambda fresh=fresh: sum(len(load.acknowledged) for load in fresh) >= 150)
            server.kill()
            wait()
    with Process(database) as server:
        assert compare(database, server.http, loads) >= 150 * ROUNDS
        for load in loads[:3]:
            assert load.seats.state(None, server.http)["log"]
            load.seats.http = server.http
            assert load.seats.play()["result"] is not None


def test_control_a_lost_choice_is_noticed(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    with Process(url) as server:
        load = Load(seats(server, 1), 1)
        for _ in range(3):
            load.step(server.http)
        assert compare(url, server.http, [load]) == 3
        load.acknowledged.append(0)
        with pytest.raises(AssertionError):
            compare(url, server.http, [load])
        load.acknowledged = [*load.acknowledged[:2]]
        with pytest.raises(AssertionError):
            compare(url, server.http, [load])


def seats(server: Process, seed: int) -> Seats:
    made = Seats(server.http, seed=seed)
    made.made["seed"] = seed
    return made


# two processes on one database


@pytest.fixture
def pair(postgres: Callable[[str], str]):
    url = postgres(f"pair{os.getpid()}_{time.monotonic_ns()}")
    with Process(url) as one, Process(url) as two:
        yield one, two


@pytest.mark.postgres
def test_two_servers_play_one_match(pair: tuple[Process, Process]) -> None:
    one, two = pair
    table = Seats(one.http)
    token = table.tokens[1]
    with two.http.live(f"/api/tables/{table.id}/live?token={token}") as socket:
        assert json.loads(socket.recv(timeout=60))["state"]["version"] == 0
        chance = random.Random(5)
        for version in range(30):
            state = table.state(None, (one, two)[version % 2].http)
            assert state["version"] == version
            if state["result"] is not None:
                break
            seat = state["decision"]["seat"]
            server = (one, two)[seat]
            options = table.state(seat, server.http)["decision"]["options"]
            answer = table.choose(seat, version, chance.randrange(len(options)), server.http)
            assert answer.status_code == 200, answer.text
            while json.loads(socket.recv(timeout=60))["state"]["version"] < version + 1:
                pass
            for reader in (0, 1, None):
                assert table.state(reader, one.http) == table.state(reader, two.http)


@pytest.mark.postgres
def test_two_servers_asked_at_once_agree_on_one(pair: tuple[Process, Process]) -> None:
    one, two = pair
    table = Seats(one.http, seed=2)
    table.state(0, two.http)
    with ThreadPoolExecutor(2) as pool:
        for version in range(20):
            seat = table.state(None, one.http)["decision"]["seat"]
            save = [o["index"] for o in table.state(seat, one.http)["decision"]["options"]][-1]
            barrier = threading.Barrier(2)

            def ask(server: Process, option: int, version: int = version, seat: int = seat, barrier=barrier):
                barrier.wait(30)
                return table.choose(seat, version, option, server.http)

            answers = [job.result(60) for job in (pool.submit(ask, one, save), pool.submit(ask, two, 0))]
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            assert problem(next(a for a in answers if a.status_code == 409)) == "choice/stale"
            if table.state(None, one.http)["result"] is not None:
                break
    for reader in (0, 1, None):
        assert table.state(reader, one.http) == table.state(reader, two.http)


@pytest.mark.postgres
def test_another_server_takes_over_the_bots(pair: tuple[Process, Process]) -> None:
    one, two = pair
    bots = [{"kind": "bot", "bot": "random"}, {"kind": "you"}]
    tables = [Seats(one.http, seats=bots, seed=seed) for seed in range(4)]
    for table in tables:
        until(lambda table=table: table.state(1, two.http)["decision"]["mine"])
    # They pass, so that the bots of the first server are to move, which is killed.
    for table in tables:
        state = table.state(1, two.http)
        option = next(o["index"] for o in state["decision"]["options"] if o["text"] == "pass")
        assert table.choose(1, state["version"], option, two.http).status_code == 200
    one.kill()
    for table in tables:

        def moved(table: Seats = table) -> bool:
            state = table.state(1, two.http)
            return state["result"] is not None or state["decision"]["mine"]

        until(moved)


@pytest.mark.postgres
def test_one_of_two_servers_is_killed_under_load(pair: tuple[Process, Process], postgres: object) -> None:
    one, two = pair
    loads = [Load(seats(one, n), n) for n in range(WORKERS * 2)]
    wait = run_load(one.url, loads)
    until(lambda: sum(len(load.acknowledged) for load in loads) >= 80)
    one.kill()
    wait()
    run_load(two.url, loads, 20)()
    url = two.popen.args[-1]  # type: ignore[index]
    assert compare(str(url), two.http, loads) >= 80


@pytest.mark.postgres
def test_a_lost_database_connection_is_made_anew(pair: tuple[Process, Process]) -> None:
    """Every connection is cut by the database; both servers go on, and still hear each other."""
    one, two = pair
    table = Seats(one.http)
    table.state(0, two.http)
    url = str(two.popen.args[-1])  # type: ignore[index]

    async def cut() -> None:
        import asyncpg

        connection = await asyncpg.connect(url)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
        await connection.close()

    awaited(cut())
    until(lambda: table.get("", 0, one.http).status_code == 200)
    until(lambda: table.get("", 0, two.http).status_code == 200)
    with two.http.live(f"/api/tables/{table.id}/live") as socket:
        socket.recv(timeout=60)

        def heard() -> bool:
            now = table.state(None, one.http)
            seat = now["decision"]["seat"]
            table.choose(seat, now["version"], 0, one.http)
            try:
                while json.loads(socket.recv(timeout=5))["state"]["version"] <= now["version"]:
                    pass  # of a choice before, of which we had heard nothing for so long
            except TimeoutError:
                return False
            return True

        until(heard)
