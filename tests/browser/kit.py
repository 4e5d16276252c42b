"""What the browser tests share: opening tables over HTTP, sitting down, playing by clicks."""

from __future__ import annotations

import contextlib
import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, TimeoutError, WebSocket

PATIENCE = 120
"""Seconds after which what did not happen never will: far more than it takes on a busy machine."""
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""The server is on this machine, whatever proxies the environment names."""
Visitor = Callable[..., Page]
_SMALL = (Path(__file__).parent / "books").glob("*.md")
_CLASSICS = (Path(__file__).parents[1] / "classics").glob("*-*-toe.md")
OWN = {path.stem: path for path in sorted([*_SMALL, *_CLASSICS])}
"""Small books that are there for a test or two each."""
BUTTONS = ".decision .options button:not(.cite)"
LIT = f"{BUTTONS}, .space.lit, .token.lit, .card.lit"

CLICKS = """async ({ seed, limit, list, lit, stop }) => {
  // Clicks whatever is lit until the match is over: options, spaces, actors, cards. Same seed, same wishes.
  const next = () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed / 2 ** 32; };
  const main = document.querySelector('main');
  const over = () => main.classList.contains('over');
  const settled = () => over() || (main.classList.contains('mine') && !document.querySelector('.busy'));
  const wait = () => new Promise((done) => setTimeout(done, 2));
  let clicks = 0;
  const end = Date.now() + 600000;
  while (clicks < limit) {
    // Two numbers for each click, however long it takes until there is something to click.
    const [where, which] = [next(), next()];
    let found = [];
    while (!over() && !found.length) {
      if (Date.now() > end) throw new Error(`nothing to click after ${clicks} clicks`);
      // Mostly from the list, for a click on something lit may only narrow it.
      if (settled()) found = [...document.querySelectorAll(where < 0.75 ? list : lit)];
      if (!found.length) await wait();
    }
    if (over() || (stop && document.querySelector(stop))) break;
    const click = new MouseEvent('click', { bubbles: true, cancelable: true });
    found[Math.floor(which * found.length)].dispatchEvent(click);
    clicks += 1;
  }
  return clicks;
}"""


def call(address: str, path: str, body: object | None = None) -> Any:
    """One request to the server."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data=data, headers={"content-type": "application/json"})
    with DIRECT.open(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def open_table(
    address: str, book: str, seats: list[dict[str, str]], seed: int = 5, options: dict[str, str] | None = None
) -> dict[str, Any]:
    """A new table, with its secrets."""
    return call(
        address, "/api/tables", {"book": book, "seats": seats, "seed": seed, "options": options or {}}
    )


def against_bots(
    address: str, name: str, seed: int = 5, options: dict[str, str] | None = None
) -> dict[str, Any]:
    """A table with you in the first seat, and the book's own bot in one more where there is one."""
    book = next(b for b in call(address, "/api/books") if b["name"] == name)
    count = min(book["seats"][1], max(2, book["seats"][0]))
    seats = [{"kind": "you"}] + [{"kind": "bot", "bot": book["bots"][-1]}] * (count - 1)
    return open_table(address, name, seats, seed, options)


def playable(address: str) -> list[dict[str, Any]]:
    """The books of the shelf that can be played; small ones are there for one test each."""
    return [b for b in call(address, "/api/books") if not b["rules_only"] and b["name"] not in OWN]


def sit(page: Page, address: str, made: dict[str, Any], seat: int = 0) -> None:
    """Open a seat's link and wait for the table; that of another table may still be there."""
    page.goto(address + made["seats"][seat]["link"])
    page.wait_for_selector(f"main.table[data-table='{made['table']}'] .decision .prompt")


def state(address: str, made: dict[str, Any], seat: int | None = 0) -> dict[str, Any]:
    """The table as a seat or a spectator gets it."""
    token = "" if seat is None else f"?token={made['seats'][seat]['token']}"
    return call(address, f"/api/tables/{made['table']}{token}")


def click_on(page: Page, seed: int, limit: int, lit: str = LIT, stop: str = "") -> int:
    """Click lit things, in the page, until there is what `stop` selects; gives the number of clicks."""
    return page.evaluate(CLICKS, {"seed": seed, "limit": limit, "list": BUTTONS, "lit": lit, "stop": stop})


def mine(page: Page) -> None:
    """Wait until this page is to decide, or the match is over."""
    page.wait_for_selector("main.mine .decision:not(.busy):not(.fresh), main.over")


def answer(page: Page, button: str) -> None:
    """Click until the table goes on: one on options that have just changed places does not count."""
    before, end = version(page), time.monotonic() + PATIENCE
    ready = page.locator(f".decision:not(.fresh):not(.busy) {button}").first
    while version(page) == before and not page.locator("main.over").count():
        assert time.monotonic() < end, f"the table does not go on from version {before}"
        if ready.is_visible():
            with contextlib.suppress(TimeoutError):  # it has gone meanwhile: the table went on
                ready.click(timeout=2000)
        page.wait_for_timeout(100)


def version(page: Page) -> int:
    """The version of the table that the page shows."""
    return int(page.locator("main").get_attribute("data-version") or -1)


def reached(page: Page, wanted: int) -> None:
    """Wait until the page shows this version, or a later one."""
    wait(page, lambda: version(page) >= wanted)


def wait(page: Page, test: Callable[[], object]) -> None:
    """Wait until something is true; the page's policy forbids `wait_for_function`."""
    end = time.monotonic() + PATIENCE
    while not test():
        assert time.monotonic() < end, f"it does not happen; the page shows version {version(page)}"
        page.wait_for_timeout(15)


def overhear(page: Page) -> list[str]:
    """Everything that the server sends to this page over its socket, from now on."""
    frames: list[str] = []

    def note(frame: str | bytes) -> None:
        frames.append(frame if isinstance(frame, str) else frame.decode())

    def connected(socket: WebSocket) -> None:
        socket.on("framereceived", note)

    page.on("websocket", connected)
    return frames
