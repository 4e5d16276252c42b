"""A server with every book of the shelf and the everything book, and a real browser."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from browser.kit import DIRECT, OWN, PATIENCE, Visitor
from rulewright.cli.serve import listen
from rulewright.cli.volumes import make_library
from rulewright.serve.api import build
from rulewright.serve.settings import Settings
from rulewright.serve.store import Store
from rulewright.serve.wire import configured
from rulewright.shelf import shelf

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
expect.set_options(timeout=PATIENCE * 1000)
MET = """if (location.protocol === 'http:') localStorage.setItem('rulewright-met', JSON.stringify(%s));"""
"""Somebody who has seen how each book begins; test_host.py tries the others."""
EVERYTHING = Path(__file__).parents[1] / "language" / "everything.md"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the server is. RULEWRIGHT_TEST_ADDRESS names one that runs already, for work on the page."""
    if running := os.environ.get("RULEWRIGHT_TEST_ADDRESS"):
        yield running
        return
    wanted = os.environ.get("RULEWRIGHT_TEST_BOOKS")
    found = [entry for entry in shelf() if wanted is None or entry.name in wanted.split(",")]
    own = {"everything": EVERYTHING, **OWN}
    library = make_library({**own, **{entry.name: entry.path for entry in found}})
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('db')}/tables.db")
    sock = listen("127.0.0.1", 0)
    # All visitors come from one address here, so nothing is counted by address.
    server = uvicorn.Server(configured(build(store, library, Settings(rate=0))))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.05)
    address = f"http://127.0.0.1:{sock.getsockname()[1]}"
    with DIRECT.open(f"{address}/api/books", timeout=900) as answer:  # compiles every book once
        answer.read()
    yield address
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for each file of tests. Playwright keeps an event loop running in the main thread for as
    long as it is open, and no test that starts a loop of its own could follow it."""
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=PATIENCE * 1000)
        yield made
        made.close()


def told(message: ConsoleMessage) -> str:
    """An error with the address it is about, where there is one."""
    return f"{message.text} {message.location['url']}"


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    """Call it for a page of somebody who has not been here before; none of them may report an error."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def visit(stranger: bool = False, **options: Any) -> Page:
        options.setdefault("viewport", {"width": 1280, "height": 860})
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE * 1000)
        if not stranger:
            names = ["everything", *OWN, *(entry.name for entry in shelf())]
            context.add_init_script(MET % json.dumps(names))
        contexts.append(context)
        made = context.new_page()
        made.on("pageerror", lambda error: wrong.append(str(error)))
        made.on("console", lambda message: wrong.append(told(message)) if message.type == "error" else None)
        return made

    yield visit
    for context in contexts:
        context.close()
    assert not wrong, f"the page reported: {wrong}"


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor()
