"""The commands `serve`, and `play` in the browser: a server over the shelf.

In:  an address, a database, perhaps a book to begin with.
Out: a server that runs until it is stopped.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from rulewright.cli.console import Problem, console

# The web server and the database take half a second to load, so only the commands that need them do.
if TYPE_CHECKING:
    import uvicorn

    from rulewright.serve.store import Store

PORT = 8765
M_MMAP_THRESHOLD, LARGE = -3, 1 << 20
"""A number of the GNU C library's `mallopt`; bytes."""


def serve_tables(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any free port.")] = PORT,
    host: Annotated[
        str,
        typer.Option("--host", help="The address to listen at; by default only this machine can connect."),
    ] = "127.0.0.1",
    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="URL",
            envvar="RULEWRIGHT_DB",
            help="`sqlite:///FILE` or `postgresql://...`; default: a SQLite file among your own data.",
        ),
    ] = None,
) -> None:
    """Serve tables in the browser: the books that ship, for you, friends by link, and bots.

    Matches are kept in the database, choice by choice, and go on after a restart. With PostgreSQL several
    servers can share one database.

    Examples: `rulewright serve`, `rulewright serve --host 0.0.0.0 --db postgresql://localhost/tables`
    """
    from rulewright.cli.volumes import shelved

    books, _ = shelved()
    run(books, store_at(db), listen(host, port), lambda address: _say(f"Rulewright is at {address}"))


def play_in_browser(book: Path | None, wish: Mapping[str, Any] | None, open_page: bool) -> None:
    """Start a server for this one sitting and open its page at a table, a book or the shelf."""
    from rulewright.cli.volumes import shelved

    books, name = shelved(book)
    sock = listen("127.0.0.1", PORT, or_any=True)

    def ready(address: str) -> None:
        page = address
        if name is not None:
            page = f"{address}#/play/{quote(name)}"
            if wish is not None:
                page = address + _open_table(address, {"book": name, **wish})
        _say(f"The table is at {page}")
        _say("Stop with Ctrl-C; matches are kept.")
        if open_page and has_screen():
            webbrowser.open(page)

    run(books, free_store(), sock, ready, name)


def _open_table(address: str, wish: Mapping[str, Any]) -> str:
    """Open a table and give the link of the first seat that a person takes."""
    request = urllib.request.Request(
        f"{address}api/tables", json.dumps(wish).encode(), {"content-type": "application/json"}
    )
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
        made: dict[str, Any] = json.load(answer)
    links: Sequence[str] = [seat["link"] for seat in made["seats"] if "link" in seat]
    return (links[0] if links else str(made["watch"])).lstrip("/")


def run(
    books: Mapping[str, Path],
    store: Store,
    sock: socket.socket,
    ready: Callable[[str], None],
    first: str | None = None,
) -> None:
    """Serve until stopped; `first` is the book that will be asked for first."""
    import uvicorn

    from rulewright.cli.volumes import make_library
    from rulewright.serve.api import build
    from rulewright.serve.store import StoreBusy
    from rulewright.serve.wire import configured
    from rulewright.serve.writers import FAILURES

    try:
        asyncio.run(_prepare(store.given))
        store.claim()
    except StoreBusy as error:
        raise Problem(f"{error}; name another with --db, or share a PostgreSQL database") from None
    except (*FAILURES, RuntimeError, TypeError, ValueError) as error:  # the last two: odd words in the URL
        raise Problem(f"the database cannot be used: {str(error).splitlines()[0]}") from None
    # Threads (bots, the database) must not wait long for the busy loop to hand the interpreter over.
    sys.setswitchinterval(0.001)
    # What a server keeps (books, matches) holds no circles, and looking through it all for some took a fifth
    # of its time.
    gc.set_threshold(50_000, 50, 100)
    give_back()
    server = uvicorn.Server(configured(build(store, make_library(books, first))))
    threading.Thread(target=_when_up, args=(server, sock, ready), daemon=True).start()
    server.run(sockets=[sock])
    if not server.started:
        raise Problem("the server could not start")


def give_back() -> None:
    """Blocks as large as a thought needs go back to the system at once. The GNU C library would keep them,
    after the first one, for each thread that ever thought."""
    with suppress(AttributeError, OSError, TypeError):  # another C library sees to it by itself
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)


def _when_up(server: uvicorn.Server, sock: socket.socket, ready: Callable[[str], None]) -> None:
    while not server.started:
        time.sleep(0.02)
        if server.should_exit:
            return
    host, port = sock.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    try:
        ready(f"http://{shown}:{port}/")
    except OSError as error:
        _say(f"rulewright: {error}")
        server.should_exit = True


async def _prepare(url: str) -> None:
    """Find out now, with one clear line, whether the database can be used."""
    from rulewright.serve.store import Store

    store = Store(url)
    try:
        await store.open()
    finally:
        await store.close()


def listen(host: str, port: int, or_any: bool = False) -> socket.socket:
    """A socket at this port; at any free one if it is taken and that is allowed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        if or_any:
            return listen(host, 0)
        raise Problem(f"cannot listen at {host} port {port}: {(error.strerror or '').lower()}") from None
    return sock


def store_at(db: str | None) -> Store:
    """The database asked for, or the usual file."""
    from rulewright.serve.store import Store

    try:
        return Store(f"sqlite:///{data_folder() / 'tables.db'}" if db is None else db)
    except ValueError as error:
        raise Problem(f"'{db}' is no database: {error}") from None


def free_store() -> Store:
    """The usual file; beside it another one for every further server that runs at the same time."""
    from rulewright.serve.store import Store, StoreBusy

    chosen = os.environ.get("RULEWRIGHT_DB")
    if chosen:
        return store_at(chosen)
    for number in range(1, 100):
        name = "tables.db" if number == 1 else f"tables-{number}.db"
        store = Store(f"sqlite:///{data_folder() / name}")
        try:
            store.claim()
        except StoreBusy:
            continue
        store.release()
        return store
    raise Problem("too many servers run at the same time")


def data_folder() -> Path:
    """Where a user's own data belongs on this machine."""
    try:
        return _data_folder()
    except RuntimeError:  # neither HOME nor an entry for this user
        raise Problem("there is no home folder to keep matches in; name a database with --db") from None


def _data_folder() -> Path:
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home()) / "rulewright"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rulewright"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "rulewright"


def has_screen() -> bool:
    """Whether a browser would have somewhere to open: otherwise the address is all we can give."""
    if os.name == "nt" or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _say(text: str) -> None:
    console().print(text, markup=False, soft_wrap=True)
    sys.stdout.flush()
