"""Pictures of each book's table, for the README and the docs.

In:  the books of the shelf; chromium.
Out: docs/shots: shelf.png, rulebook.png, and for each book that can be played NAME.png, NAME-phone.png and,
     in the dark, NAME-tablet.png. With `--all` build/shots has every book at every size, light and dark,
     and its welcome: to be gone through by eye.

Run by `make shots`, `make shots ARGS=--all`, `make shots ARGS=vigil`. The matches are the same each time:
same seeds, same wishes. A picture is taken in the middle of a match, at a decision with something to look at.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "shots"
EVERY = ROOT / "build" / "shots"
PORT = 8377
ADDRESS = f"http://127.0.0.1:{PORT}"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
WIDE, MIDDLE, NARROW = (1440, 900), (1024, 768), (390, 844)
LEAST, MOST = 14, 90
"""Choices before a picture may be taken, and before it must be."""
ROLL, CARD, STATUS, CHOSEN = 3, 4, 6, 10
"""Kinds of events that are worth a picture; see rulewright.ir.events."""
LEAVING = ("pass", "flee", "concede", "done", "decline")
PATIENCE, BUSY = 900, 503
MET: list[str] = []
"""Books whose beginning is known: the pictures are of the table itself."""


def call(path: str, body: object | None = None) -> Any:
    """One request to the server, again as long as it is too busy."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ADDRESS + path, data=data, headers={"content-type": "application/json"})
    limit = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            # "Too slow, nothing was changed": a machine with other things to do is asked again.
            if error.code != BUSY or time.monotonic() > limit:
                raise
            time.sleep(1)


def lively(state: dict[str, Any], least: int, kinds: set[int]) -> bool:
    """Whether there is something to look at: options, so many on the map, such events just before."""
    options = state["decision"]["options"]
    lit = {thing["kind"] for option in options for thing in option["things"]}
    recent = state["log"][-40:]
    deeds = [n for n, line in enumerate(recent) if line["kind"] == CHOSEN]
    just_now = {line["kind"] for line in recent[deeds[-1] if deeds else 0 :]}
    placed = [actor for actor in state["view"]["actors"] if actor["in_play"] and actor["place"] >= 0]
    return (
        len(options) >= 3
        and len(placed) >= least
        and bool(lit & {"Space", "Actor", "Card"})
        and bool(just_now & kinds)
    )


def played(book: dict[str, Any], seed: int, least: int, kinds: set[int]) -> tuple[str, bool]:
    """Open a table and play until it is lively; the link of the first seat, and whether it came to that."""
    table, token, link = opened(book, seed)
    chance = random.Random(f"{book['name']} {seed}")
    done, limit = 0, time.monotonic() + PATIENCE
    while done < MOST and time.monotonic() < limit:
        state = call(f"/api/tables/{table}?token={token}")
        if state["result"] is not None:
            return link, False
        if not state["decision"]["mine"]:
            time.sleep(0.02)
            continue
        if done >= LEAST and lively(state, least, kinds):
            return link, True
        options = state["decision"]["options"]
        bold = [option for option in options if option["text"].casefold() not in LEAVING] or options
        option = chance.choice(bold)["index"]
        call(f"/api/tables/{table}/choices", {"token": token, "version": state["version"], "option": option})
        done += 1
    return link, False


def shoot(
    browser: Browser,
    link: str,
    name: str,
    size: tuple[int, int],
    dark: bool = False,
    key: str = "",
    stranger: bool = False,
    folder: Path = OUT,
) -> None:
    """One picture, when everything that moves has come to rest."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    if not stranger:
        context.add_init_script(f"localStorage.setItem('rulewright-met', {json.dumps(json.dumps(MET))})")
    page = context.new_page()
    page.goto(ADDRESS + link)
    page.wait_for_selector(".spine, main.table .options button", timeout=PATIENCE * 1000)
    if key:
        page.keyboard.press(key)
    page.wait_for_timeout(1200)  # odds come a little later
    page.screenshot(path=folder / name)
    context.close()
    print(folder.relative_to(ROOT) / name)


def every(browser: Browser, book: dict[str, Any], link: str) -> None:
    """One book at every size, light and dark; and its beginning, as a stranger sees it."""
    sizes = {"wide": WIDE, "tablet": MIDDLE, "phone": NARROW}
    for name, size in sizes.items():
        for dark in (False, True):
            light = "dark" if dark else "light"
            shoot(browser, link, f"{book['name']}-{name}-{light}.png", size, dark, folder=EVERY)
    fresh = opened(book, 7)[2]
    for name, size in sizes.items():
        shoot(browser, fresh, f"{book['name']}-welcome-{name}.png", size, stranger=True, folder=EVERY)


def opened(book: dict[str, Any], seed: int) -> tuple[str, str, str]:
    """A table with bots: its id, the token and the link of the first seat."""
    bots = [{"kind": "bot", "bot": book["bots"][-1]}] * (book["seats"][0] - 1)
    seats = [{"kind": "you", "name": "You"}, *bots]
    made = call("/api/tables", {"book": book["name"], "seats": seats, "seed": seed})
    return made["table"], made["seats"][0]["token"], str(made["seats"][0]["link"])


@contextmanager
def server() -> Generator[None]:
    """A server with a database of its own, until every book is there."""
    database = ROOT / "build" / "shots.db"
    database.parent.mkdir(exist_ok=True)
    database.unlink(missing_ok=True)
    where = ["--port", str(PORT), "--db", f"sqlite:///{database}"]
    process = subprocess.Popen([sys.executable, "-m", "rulewright", "serve", *where], cwd=ROOT)
    try:
        for _ in range(300):
            try:
                call("/healthz")
                break
            except OSError:
                time.sleep(0.2)
        call("/api/books")
        yield
    finally:
        process.terminate()
        process.wait(10)


def main(wanted: list[str]) -> int:
    """Take the pictures: of every book, or of those that are named."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is needed for pictures", file=sys.stderr)
        return 1
    whole = "--all" in wanted
    wanted = [name for name in wanted if not name.startswith("-")]
    OUT.mkdir(parents=True, exist_ok=True)
    EVERY.mkdir(parents=True, exist_ok=True)
    with server(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        shoot(browser, "/", "shelf.png", WIDE)
        MET.extend(book["name"] for book in call("/api/books"))
        for book in call("/api/books"):
            if book["rules_only"] or (wanted and book["name"] not in wanted):
                continue
            # Dice and somebody to fight are best, but a walk alone with cards will do.
            wishes = ((2, {ROLL, STATUS}), (2, {CARD}), (1, {CARD}))
            tries = (played(book, seed, *wish) for wish in wishes for seed in range(7, 12))
            link = next((link for link, good in tries if good), None)
            if link is None:
                print(f"no lively match of {book['name']}", file=sys.stderr)
                return 1
            if whole:
                every(browser, book, link)
                continue
            shoot(browser, link, f"{book['name']}.png", WIDE)
            shoot(browser, link, f"{book['name']}-tablet.png", MIDDLE, dark=True)
            shoot(browser, link, f"{book['name']}-phone.png", NARROW)
            if book["name"] == "vigil" or wanted:
                shoot(browser, link, "rulebook.png", WIDE, dark=True, key="r")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
