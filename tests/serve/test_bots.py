"""Bots at tables: they play, they do not hold anybody up, they do not break a table when they fail."""

from __future__ import annotations

import threading
from pathlib import Path

from rulewright.play.faults import MatchError
from rulewright.players.bots import Position, decide, names
from rulewright.serve.settings import Settings
from serve.tables_kit import Seats, client, make_app, program, sqlite_url, until

AGAINST_BOT = [{"kind": "you", "name": "Ada"}, {"kind": "bot", "bot": "Greedy"}]
ALL_BOTS = [{"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "Greedy"}]


def test_a_match_against_a_bot(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http:
        table = Seats(http, seats=AGAINST_BOT)

        def over() -> bool:
            state = table.state(0)
            if state["decision"] is not None and state["decision"]["mine"]:
                table.choose(0, state["version"], 0)
            return state["result"] is not None

        until(over)
        chosen = [line["text"] for line in table.get("/log").json() if line["text"].startswith("chosen")]
        assert len(chosen) > 6


def test_bots_alone_play_the_same_match_again(tmp_path: Path) -> None:
    assert names(program("hands")) == ("random", "Greedy")
    replays: list[dict[str, object]] = []
    for run in range(2):
        (tmp_path / str(run)).mkdir()
        with client(make_app(sqlite_url(tmp_path / str(run)))) as http:
            table = Seats(http, seats=ALL_BOTS, seed=11)
            until(lambda table=table: table.state(None)["result"] is not None)
            replays.append(table.get("/replay", None).json())
    assert replays[0] == replays[1]


def test_a_slow_bot_delays_nobody_else(tmp_path: Path) -> None:
    thinking, go = threading.Event(), threading.Event()

    def slow(now: Position, bot: str) -> int:
        if bot == "Greedy":
            thinking.set()
            assert go.wait(600)
        return decide(now, bot)

    with client(make_app(sqlite_url(tmp_path), Settings(rate=0, bots=4), think=slow)) as http:
        stuck = Seats(http, seats=AGAINST_BOT)
        stuck.take("pass")
        assert thinking.wait(60)
        others = [Seats(http, seed=seed) for seed in range(3)]
        bots = Seats(http, seats=[{"kind": "bot", "bot": "random"}] * 2)
        for other in others:
            other.play()
        until(lambda: bots.state(None)["result"] is not None)
        assert stuck.state()["decision"]["seat"] == 1
        go.set()
        until(lambda: stuck.state()["result"] is not None or stuck.state()["decision"]["mine"])


def test_a_person_waits_behind_a_few_bots_only(tmp_path: Path) -> None:
    app = make_app(sqlite_url(tmp_path), Settings(rate=0, bots=4))  # half of them where only bots sit
    append, storing, most, made = app.state.tables.store.append, 0, 0, 0

    async def counted(*row: object) -> None:
        nonlocal storing, most, made
        storing, made = storing + 1, made + 1
        most = max(most, storing)
        try:
            await append(*row)
        finally:
            storing -= 1

    app.state.tables.store.append = counted
    with client(app) as http:
        tables = [Seats(http, seats=ALL_BOTS, seed=seed) for seed in range(8)]
        until(lambda: all(table.state(None)["result"] is not None for table in tables))
    assert made > 8 * 10
    assert most == 2


def test_a_bot_that_fails_plays_on_somehow(tmp_path: Path) -> None:
    calls: list[int] = []

    def failing(now: Position, bot: str) -> int:
        calls.append(1)
        if len(calls) % 3 == 0:
            raise MatchError("out of ideas")
        return 10**6 if len(calls) % 3 == 1 else decide(now, bot)

    with client(make_app(sqlite_url(tmp_path), think=failing)) as http:
        table = Seats(http, seats=ALL_BOTS)
        until(lambda: table.state(None)["result"] is not None)


def test_people_cannot_play_for_a_bot(tmp_path: Path) -> None:
    go = threading.Event()

    def waiting(now: Position, bot: str) -> int:
        go.wait(60)
        return decide(now, bot)

    with client(make_app(sqlite_url(tmp_path), think=waiting)) as http:
        table = Seats(http, seats=AGAINST_BOT)
        now = table.take("pass")
        assert now["decision"]["seat"] == 1
        answer = table.choose(0, now["version"], 0)
        assert answer.json()["error"] == "choice/foreign"
        assert table.undo(0, now["version"]).json()["error"] == "undo/refused"
        go.set()
        until(lambda: table.state()["version"] > now["version"])


def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    go = threading.Event()

    def waiting(now: Position, bot: str) -> int:
        go.wait(1)
        raise MatchError("never mind") if not go.is_set() else MatchError("late")

    url = sqlite_url(tmp_path)
    with client(make_app(url, think=waiting)) as http:
        table = Seats(http, seats=AGAINST_BOT)
        table.take("pass")
        go.set()
    with client(make_app(url)) as http:
        until(lambda: table.state(0, http)["result"] is not None or table.state(0, http)["decision"]["mine"])
