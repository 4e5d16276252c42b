"""Pictures of each book's table, for the README and the docs.

In:  the books of the shelf; chromium.
Out: docs/shots/NAME.png, NAME-phone.png and shelf.png. Run by `make shots`.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "shots"
PORT = 8377
ADDRESS = f"http://127.0.0.1:{PORT}"
MOVES = 60
"""Choices made by bots before the picture is taken, so that something has happened."""


def call(path: str, body: object | None = None) -> Any:
    """One request to the server."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ADDRESS + path, data=data, headers={"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def played(book: dict[str, Any]) -> str:
    """Open a table, make some choices at random, and give the link of the first seat."""
    seats = [{"kind": "you", "name": "You"}] + [{"kind": "bot", "bot": book["bots"][-1]}] * (
        book["seats"][0] - 1
    )
    made = call("/api/tables", {"book": book["name"], "seats": seats, "seed": 7})
    token = made["seats"][0]["token"]
    chance = random.Random(book["name"])
    done, limit = 0, time.monotonic() + 60
    while done < MOVES and time.monotonic() < limit:
        state = call(f"/api/tables/{made['table']}?token={token}")
        if state["result"] is not None:
            break
        if not state["decision"]["mine"]:
            time.sleep(0.02)
            continue
        mild = [o for o in state["decision"]["options"] if o["text"] not in ("pass", "flee")]
        option = chance.choice(mild or state["decision"]["options"])["index"]
        call(
            f"/api/tables/{made['table']}/choices",
            {"token": token, "version": state["version"], "option": option},
        )
        done += 1
    return str(made["seats"][0]["link"])


def shoot(page: Page, link: str, path: Path) -> None:
    """One picture."""
    page.goto("about:blank")
    page.goto(ADDRESS + link)
    page.wait_for_timeout(1200)
    page.screenshot(path=path)
    print(path.relative_to(ROOT))


def main() -> int:
    """Start a server, take the pictures, stop the server."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is needed for pictures", file=sys.stderr)
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    database = ROOT / "build" / "shots.db"
    database.parent.mkdir(exist_ok=True)
    database.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "rulewright",
        "serve",
        "--port",
        str(PORT),
        "--db",
        f"sqlite:///{database}",
    ]
    server = subprocess.Popen(command, cwd=ROOT)
    try:
        for _ in range(300):
            try:
                call("/healthz")
                break
            except OSError:
                time.sleep(0.2)
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=flags)
            wide = browser.new_page(viewport={"width": 1360, "height": 860})
            narrow = browser.new_page(viewport={"width": 390, "height": 844})
            shoot(wide, "/", OUT / "shelf.png")
            for book in call("/api/books"):
                link = played(book)
                shoot(wide, link, OUT / f"{book['name']}.png")
                shoot(narrow, link, OUT / f"{book['name']}-phone.png")
            browser.close()
    finally:
        server.terminate()
        server.wait(10)
    return 0


if __name__ == "__main__":
    sys.exit(main())
