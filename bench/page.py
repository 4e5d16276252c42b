"""The page in figures: bytes a move, how long a click takes to reach the screen, frames while tokens glide.

In:  the books of the shelf; chromium. `--against REV` also measures the page as it was at a git revision.
Out: a table, and with `--json` the numbers.

Bytes are counted on the wire of one and the same match, told in three ways: every state whole, as
differences, and as differences that are deflated. Clicks are made with the processor slowed down four times;
frames are counted while the stage plays. On a busy machine only the ratios within one run mean anything.

    make page-bench [ARGS="--against HEAD~20"]
"""

from __future__ import annotations

import argparse
import json
import mimetypes
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright
from websockets.sync.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parent))
from load_servers import free_port

ROOT = Path(__file__).parents[1]
PAGE = "src/rulewright/serve/page"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
MOVES, CLICKS, GLIDES, THROTTLE = 30, 24, 8, 4
PATIENCE = 300_000
"""Milliseconds that a page on a busy machine is waited for."""
LEAVING = ("pass", "flee", "concede")

CLICK = """async () => {
  // From the click to the frame after the one that has the new state.
  const main = document.querySelector('main'), before = main.dataset.version;
  const buttons = [...document.querySelectorAll('.decision .options button:not(.cite)')];
  const began = performance.now();
  buttons[Math.floor(buttons.length / 2)].dispatchEvent(new MouseEvent('click', { bubbles: true }));
  while (main.dataset.version === before) {
    if (performance.now() - began > 20000) return null;
    await new Promise((done) => requestAnimationFrame(done));
  }
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - began;
}"""
READY = "main.over, main.mine:not(:has(.busy)):not(:has(.fresh))"
GLIDE = """async () => {
  // Frames a second while a deed is on the stage: counted, and the longest gap between two.
  const times = [];
  const end = performance.now() + 1500;
  while (performance.now() < end) times.push(await new Promise((done) => requestAnimationFrame(done)));
  const gaps = times.slice(1).map((t, i) => t - times[i]);
  return { rate: 1000 * gaps.length / (times.at(-1) - times[0]), longest: Math.max(...gaps) };
}"""


def ask(address: str, path: str, body: object | None = None) -> Any:
    """One request to the server."""
    import urllib.request

    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data, {"content-type": "application/json"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=300) as answer:
        return json.load(answer)


@contextmanager
def server() -> Iterator[str]:
    """A server with a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [
            sys.executable,
            "-m",
            "rulewright",
            "serve",
            "--port",
            str(port),
            "--db",
            f"sqlite:///{folder}/t.db",
        ]
        process = subprocess.Popen(command, cwd=ROOT)
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                try:
                    ask(address, "/api/books")
                    break
                except OSError:
                    time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait(20)


def opened(address: str, book: dict[str, Any], seed: int) -> tuple[str, str, str]:
    """A table with bots: its id, the token of the first seat, its link."""
    bots = [{"kind": "bot", "bot": book["bots"][-1]}] * (book["seats"][0] - 1)
    made = ask(
        address,
        "/api/tables",
        {"book": book["name"], "seats": [{"kind": "you", "name": "Ada"}, *bots], "seed": seed},
    )
    return made["table"], made["seats"][0]["token"], made["seats"][0]["link"]


class Counted:
    """A line, and the bytes that came over it."""

    def __init__(self, address: str, table: str, token: str, changes: bool, deflated: bool) -> None:
        more = "&changes=1" if changes else ""
        url = f"{address.replace('http', 'ws')}/api/tables/{table}/live?token={token}{more}"
        self.line: ClientConnection = connect(
            url, max_size=2**24, compression="deflate" if deflated else None
        )
        self.bytes = 0
        self.told = 0
        receive = self.line.protocol.receive_data

        def counting(data: bytes) -> None:
            self.bytes += len(data)
            receive(data)

        self.line.protocol.receive_data = counting  # pyright: ignore[reportAttributeAccessIssue]
        self.line.recv(timeout=60)
        self.bytes = 0

    def drain(self) -> None:
        """Take what has come."""
        try:
            while True:
                self.line.recv(timeout=0.15)
                self.told += 1
        except TimeoutError:
            return


def bytes_a_move(address: str, book: dict[str, Any]) -> dict[str, float]:
    """The same match, told whole, as differences, and deflated."""
    table, token, _ = opened(address, book, 7)
    ways = {"whole": (False, False), "differences": (True, False), "deflated": (True, True)}
    lines = {name: Counted(address, table, token, *way) for name, way in ways.items()}
    chance, moves = random.Random(7), 0
    while moves < MOVES:
        state = ask(address, f"/api/tables/{table}?token={token}")
        if state["result"] is not None:
            break
        if not state["decision"]["mine"]:
            time.sleep(0.02)
            continue
        options = state["decision"]["options"]
        bold = [option for option in options if option["text"].casefold() not in LEAVING] or options
        choice = {"token": token, "version": state["version"], "option": chance.choice(bold)["index"]}
        ask(address, f"/api/tables/{table}/choices", choice)
        moves += 1
        for line in lines.values():
            line.drain()
    found = {name: line.bytes / max(1, moves) for name, line in lines.items()}
    for line in lines.values():
        line.line.close()
    return found


def as_it_was(revision: str) -> Any:
    """A route that answers with the page of a revision."""

    def answer(route: Route) -> None:
        name = route.request.url.split("/page/", 1)[1].split("?")[0]
        shown = subprocess.run(
            ["git", "show", f"{revision}:{PAGE}/{name}"], cwd=ROOT, capture_output=True, check=False
        )
        if shown.returncode:
            route.continue_()
        else:
            kind = mimetypes.guess_type(name)[0] or "text/plain"
            route.fulfill(body=shown.stdout, content_type=kind)

    return answer


def visit(browser: Browser, address: str, link: str, book: str, old: str | None) -> Page:
    """A page at a table, of now or of a revision."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(f"localStorage.setItem('rulewright-met', '{json.dumps([book])}')")
    if old is not None:
        context.route("**/page/**", as_it_was(old))
    page = context.new_page()
    page.goto(address + link)
    page.wait_for_selector("main.table .options button", timeout=PATIENCE)
    return page


def clicks(browser: Browser, address: str, book: dict[str, Any], old: str | None) -> dict[str, float]:
    """Click to screen, slowed down; then frames while the stage plays, at full speed."""
    _, _, link = opened(address, book, 5)
    page = visit(browser, address, link, book["name"], old)
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    took: list[float] = []
    while len(took) < CLICKS and not page.query_selector("main.over"):
        page.wait_for_selector(READY, timeout=PATIENCE)
        if page.query_selector("main.over"):
            break
        found = page.evaluate(CLICK)
        if found is not None:
            took.append(found)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    page.context.close()
    took.sort()
    return {"p50": statistics.median(took), "p95": took[int(0.95 * (len(took) - 1))], "clicks": len(took)}


def frames(browser: Browser, address: str, book: dict[str, Any], old: str | None) -> dict[str, float]:
    """Frames a second while what others do is played."""
    _, _, link = opened(address, book, 5)
    page = visit(browser, address, link, book["name"], old)
    rates: list[float] = []
    longest: list[float] = []
    while len(rates) < GLIDES and not page.query_selector("main.over"):
        page.wait_for_selector(READY, timeout=PATIENCE)
        if page.query_selector("main.over"):
            break
        page.evaluate("[...document.querySelectorAll('.decision .options button:not(.cite)')].at(-1).click()")
        found = page.evaluate(GLIDE)
        rates.append(found["rate"])
        longest.append(found["longest"])
    page.context.close()
    return {
        "median": statistics.median(rates),
        "least": min(rates),
        "longest gap ms": statistics.median(longest),
    }


def main() -> int:
    """Measure and show."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", help="a git revision whose page is measured too")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", help="one book")
    wanted = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is needed", file=sys.stderr)
        return 1
    found: dict[str, Any] = {"bytes": {}, "page": {}}
    with server() as address, sync_playwright() as playwright:
        books = [book for book in ask(address, "/api/books") if not book["rules_only"]]
        if wanted.only:
            books = [book for book in books if book["name"] == wanted.only]
        print(f"{'bytes a move':16}{'whole':>10}{'differences':>14}{'deflated':>11}{'of whole':>10}")
        for book in books:
            row = found["bytes"][book["name"]] = bytes_a_move(address, book)
            share = row["deflated"] / max(1, row["whole"])
            print(
                f"{book['name']:16}{row['whole']:10.0f}{row['differences']:14.0f}{row['deflated']:11.0f}{share:10.3f}"
            )
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        vigil = next((book for book in books if book["name"] == "vigil"), books[0])
        for name, old in (("now", None), *((("before", wanted.against),) if wanted.against else ())):
            row = {**clicks(browser, address, vigil, old), **frames(browser, address, vigil, old)}
            found["page"][name] = row
            print(f"{name}: " + ", ".join(f"{key} {value:.1f}" for key, value in row.items()))
        browser.close()
    if wanted.json is not None:
        wanted.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
