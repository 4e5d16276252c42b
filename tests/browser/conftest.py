"""A server with every book of the shelf and the everything book, and a real browser."""

from __future__ import annotations

import os
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from rulewright.cli.volumes import make_library
from rulewright.serve.api import build
from rulewright.serve.store import Store
from rulewright.shelf import shelf

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
EVERYTHING = Path(__file__).parents[1] / "language" / "everything.md"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the server is. RULEWRIGHT_TEST_ADDRESS names one that runs already, for work on the page."""
    if running := os.environ.get("RULEWRIGHT_TEST_ADDRESS"):
        yield running
        return
    wanted = os.environ.get("RULEWRIGHT_TEST_BOOKS")
    found = [entry for entry in shelf() if wanted is None or entry.name in wanted.split(",")]
    library = make_library({"everything": EVERYTHING, **{entry.name: entry.path for entry in found}})
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('db')}/tables.db")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(build(store, library), host="127.0.0.1", port=port, log_level="warning")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    address = f"http://127.0.0.1:{port}"
    with urllib.request.urlopen(f"{address}/api/books", timeout=900) as answer:  # compiles every book once
        answer.read()
    yield address
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for each file of tests. Playwright keeps an event loop running in the main thread for as
    long as it is open, and no test that starts a loop of its own could follow it."""
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 860})
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    made = context.new_page()
    wrong: list[str] = []
    made.on("pageerror", lambda error: wrong.append(str(error)))
    made.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield made
    assert not wrong, f"the page reported: {wrong}"
