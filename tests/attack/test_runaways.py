"""Books whose rules take all the time there is: their own tables wait, nobody else does, and a server still
stops."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from attack.floods import Bystander
from attack.test_floods import LIMIT, p99, port_of
from rulewright.compiler import compile_book
from rulewright.ir import program
from rulewright.serve.api import build
from rulewright.serve.library import Library, Volume
from rulewright.serve.store import Store
from serve.tables_kit import OPEN, Process, Seats, client, sqlite_url, until, volume

BOOK = Path(__file__).parent / "books" / "endless.md"
SOLO = [{"kind": "you"}]
PATHS = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
RUN, ROLL, WALK, REST = range(4)


def serve() -> None:
    """A server with that book, in a process of its own: `python -c ... URL ENGINE`."""
    from rulewright.cli.serve import listen, run
    from serve import tables_kit

    books = {name: tables_kit.BOOKS / f"{name}.md" for name in tables_kit.NAMES}
    if sys.argv[2] == "reference":
        from rulewright.cli import volumes

        volumes.best_engine = lambda _: "reference"  # type: ignore[assignment]
    store = Store(sys.argv[1])
    run({**books, "endless": BOOK}, store, listen("127.0.0.1", 0), lambda a: print(a, flush=True))


@pytest.fixture(params=["native", "reference"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Process]:
    url = sqlite_url(tmp_path)
    command = [sys.executable, "-c", "from attack.test_runaways import serve; serve()", url, request.param]
    with Process(url, command, RULEWRIGHT_RATE="200") as made:
        yield made


def hammer(url: str) -> None:
    """Somebody who makes the rules run away again and again; says what is answered."""
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as http:
        table = Seats(http, "endless", SOLO)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for option in (RUN, ROLL):
                print(table.choose(0, 0, option).json()["error"], flush=True)


def test_others_play_on_and_the_server_stops(server: Process) -> None:
    process = server
    Seats(process.http, "endless", SOLO)
    bystander = Bystander(port_of(process.url), Seats(process.http).id)
    if "reference" not in str(process.popen.args):
        until(lambda: "books_native 3" in process.http.get("/metrics").text, 120)
    quiet = p99(bystander.watch(2))
    bearable = max(LIMIT, 5 * quiet)  # on a machine that is busy with other things, too
    # In processes of their own, which have an interpreter lock of their own.
    code = "import sys; from attack.test_runaways import hammer; hammer(sys.argv[1])"
    command = [sys.executable, "-c", code, process.url]
    hammers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=PATHS, text=True)
        for _ in range(3)
    ]
    best = 9.9
    try:
        for child in hammers:
            assert child.stdout is not None
            assert child.stdout.readline().strip() in ("match/fault", "match/slow")
        for _ in range(4):
            best = min(best, p99(bystander.watch(3)))
            if best < bearable:
                break
        began = time.monotonic()
        assert process.http.get("/healthz").status_code == 200
        assert time.monotonic() - began < 5
        process.popen.send_signal(signal.SIGTERM)
        began = time.monotonic()
        process.popen.wait(30)
        took = time.monotonic() - began
        print(f"p99 {best * 1000:.0f} ms, without it {quiet * 1000:.0f} ms; stopped in {took:.1f} s")
    finally:
        for child in hammers:
            child.kill()
            child.communicate()  # waits, and closes its pipe
    assert best < bearable
    assert "Traceback" not in process.complaints()


def _library(engine: str) -> Library:
    def opened(name: str) -> Volume:
        return Volume(name, compile_book(BOOK), "", engine, True) if name == "endless" else volume(name)

    return Library(("hands", "endless"), opened, equip=lambda book: book.engine)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_what_takes_too_long_is_refused_and_the_table_goes_on(tmp_path: Path, engine: str) -> None:
    app = build(Store(sqlite_url(tmp_path)), _library(engine), OPEN)
    with client(app) as http:
        table = Seats(http, "endless", SOLO)
        app.state.tables.workers.budget = 0.01
        assert table.choose(0, 0, RUN).json()["error"] == "match/slow"
        app.state.tables.workers.budget = 60
        assert table.state()["version"] == 0
        assert table.choose(0, 0, REST).status_code == 200
        assert "calls_abandoned 1" in http.get("/metrics").text


@pytest.mark.parametrize(("first", "second"), [("native", "reference"), ("reference", "native")])
def test_an_accepted_move_is_never_refused_after_a_restart(tmp_path: Path, first: str, second: str) -> None:
    """Whatever engine runs then, and however long it takes: only what is new has a limit of time."""
    with client(build(Store(sqlite_url(tmp_path)), _library(first), OPEN)) as http:
        table = Seats(http, "endless", SOLO)
        assert table.choose(0, 0, WALK).status_code == 200
        assert table.choose(0, 1, REST).status_code == 200
        before = table.state()
    app = build(Store(sqlite_url(tmp_path)), _library(second), OPEN)
    app.state.tables.workers.budget = 0.0001
    with client(app) as http:
        table.http = http
        assert len(table.get("/log").json()) > 100  # it was read, and every row followed
        app.state.tables.workers.budget = 60
        assert table.state() == before


def test_limits_may_rise_but_never_fall() -> None:
    """Stored matches are played again by later versions: what was within a limit then must be so for ever."""
    assert program.STEP_LIMIT >= 2**24
    assert program.OPTION_ROOM >= 2**15
    assert program.EVENT_LIMIT >= 2**19
