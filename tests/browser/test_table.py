"""The table in a real browser, as people use it."""

from __future__ import annotations

import json
import random
import urllib.request
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser
BUTTONS = ".decision .options button"


def call(address: str, path: str, body: object | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data=data, headers={"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def open_table(address: str, book: str, seats: list[dict[str, str]], seed: int = 5) -> dict[str, Any]:
    return call(address, "/api/tables", {"book": book, "seats": seats, "seed": seed})


def shelf_books(address: str) -> list[dict[str, Any]]:
    """The books that can be played; a framework is rules only."""
    return [book for book in call(address, "/api/books") if not book["rules_only"]]


def sit(page: Page, address: str, made: dict[str, Any], seat: int = 0) -> None:
    page.goto(address + made["seats"][seat]["link"])
    page.wait_for_selector(".decision")


def play_on(page: Page, chance: random.Random, limit: int) -> int:
    """Click options until the match is over; gives the number of clicks."""
    clicks = 0
    while clicks < limit:
        if page.evaluate("!document.querySelector('main.mine') && !!document.querySelector('.line.k14')"):
            return clicks
        shown = page.locator(BUTTONS)
        count = shown.count()
        if count == 0 or page.locator(".decision.busy").count():
            page.wait_for_timeout(15)
            if page.locator(".line.k14").count():
                return clicks
            continue
        page.evaluate(
            "i => { const b = document.querySelectorAll('.decision .options button')[i]; if (b) b.click(); }",
            chance.randrange(count),
        )
        clicks += 1
    return clicks


def test_the_shelf_shows_every_book_and_a_match_is_two_clicks_away(page: Page, address: str) -> None:
    page.goto(address)
    titles = [book["title"] for book in shelf_books(address)]
    expect(page.locator(".spine h3")).to_have_text(titles)
    page.locator(".spine .primary").first.click()
    expect(page.locator(".decision .prompt")).to_be_visible()


def test_every_book_opens(page: Page, address: str) -> None:
    for book in shelf_books(address):
        seats = [{"kind": "you"}] + [{"kind": "bot"}] * (book["seats"][0] - 1)
        sit(page, address, open_table(address, book["name"], seats))
        expect(page.locator("#where")).to_have_text(book["title"])
        expect(page.locator(".decide")).to_be_visible()


@pytest.mark.parametrize("grid", ["hex", "square", "spots"])
def test_a_full_match_by_clicking(page: Page, address: str, grid: str) -> None:
    books = [b for b in shelf_books(address) if grid in b["maps"]]
    if not books:
        pytest.skip(f"no book on the shelf has a {grid} map")
    quick = {"hex": "everything", "square": "raven-road", "spots": "p52"}[grid]
    book = next((b for b in books if b["name"] == quick), books[-1])
    seats = [{"kind": "you"}] + [{"kind": "bot"}] * (book["seats"][0] - 1)
    made = open_table(address, book["name"], seats, seed=11)
    sit(page, address, made)
    clicks = play_on(page, random.Random(1), 4000)
    assert clicks > 3
    state = call(address, f"/api/tables/{made['table']}")
    assert state["result"] is not None, f"still going after {clicks} clicks"


def test_two_browsers_with_hidden_hands(browser: Browser, address: str) -> None:
    made = open_table(
        address, "everything", [{"kind": "you", "name": "Ada"}, {"kind": "invite", "name": "Bo"}]
    )
    first, second = browser.new_context(), browser.new_context()
    try:
        one, two = first.new_page(), second.new_page()
        sit(one, address, made, 0)
        received: list[str] = []
        two.on("websocket", lambda ws: ws.on("framereceived", lambda frame: received.append(str(frame))))
        sit(two, address, made, 1)
        chance = random.Random(3)
        for _ in range(40):
            for page in (one, two):
                if page.locator("main.mine").count() and page.locator(BUTTONS).count():
                    page.locator(BUTTONS).nth(chance.randrange(page.locator(BUTTONS).count())).click()
                    page.wait_for_timeout(40)
        assert received
        for frame in received:
            state = json.loads(frame).get("state")
            if state is None:
                continue
            zones = state["view"]["zones"]
            theirs = [z for z in zones if z["owner"] == 0 and z["name"] in ("Hand", "Deck")]
            assert theirs
            assert all(z["name"] != "Deck" or not z["cards"] for z in zones)
            assert all(not z["cards"] for z in theirs if z["name"] == "Hand")
    finally:
        first.close()
        second.close()


def test_reconnecting_resumes(page: Page, address: str) -> None:
    made = open_table(address, "everything", [{"kind": "you"}, {"kind": "bot"}])
    sit(page, address, made)
    play_on(page, random.Random(2), 5)
    page.reload()
    page.wait_for_selector(".decision")
    play_on(page, random.Random(2), 5)
    token = made["seats"][0]["token"]
    assert call(address, f"/api/tables/{made['table']}?token={token}")["version"] >= 8


def test_a_spectator_only_watches(browser: Browser, address: str) -> None:
    made = open_table(address, "everything", [{"kind": "you"}, {"kind": "bot"}])
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/#/table/{made['table']}")
    page.wait_for_selector(".decision .prompt")
    assert page.locator(BUTTONS).count() == 0
    assert page.locator(".hand").count() == 0
    context.close()


def test_keyboard_only(page: Page, address: str) -> None:
    made = open_table(address, "everything", [{"kind": "you"}, {"kind": "bot"}])
    sit(page, address, made)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    for _ in range(6):
        page.keyboard.press("1")
        page.wait_for_timeout(120)
    token = made["seats"][0]["token"]
    assert call(address, f"/api/tables/{made['table']}?token={token}")["version"] >= 3


def test_a_replay_can_be_scrubbed(page: Page, address: str) -> None:
    made = open_table(address, "everything", [{"kind": "bot"}, {"kind": "bot"}], seed=4)
    for _ in range(400):
        if call(address, f"/api/tables/{made['table']}")["result"] is not None:
            break
        page.wait_for_timeout(100)
    page.goto(f"{address}/#/replay/{made['table']}")
    page.wait_for_selector(".scrub")
    before = page.locator("output").inner_text()
    page.get_by_role("button", name="Back").click()
    expect(page.locator("output")).not_to_have_text(before)


def test_phone_width_has_no_sideways_scroll(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 780})
    page = context.new_page()
    made = open_table(address, "everything", [{"kind": "you"}, {"kind": "bot"}])
    for where in ("", made["seats"][0]["link"]):
        page.goto(address + where)
        page.wait_for_timeout(600)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_accessibility_findings(browser: Browser, address: str, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1280, "height": 860})
    page = context.new_page()
    made = open_table(address, "everything", [{"kind": "you"}, {"kind": "bot"}])
    for where in ("", "/#/new/everything", made["seats"][0]["link"]):
        page.goto(address + where)
        page.wait_for_timeout(800)
        found = [v for v in Axe().run(page).response["violations"] if v["impact"] in ("serious", "critical")]
        told = [(v["id"], [node["html"][:120] for node in v["nodes"]][:3]) for v in found]
        assert not told, f"{where or 'the shelf'}: {told}"
    context.close()
