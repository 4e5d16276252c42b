"""Who sees what: two browsers in one match, a spectator, a line that breaks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.kit import (
    BUTTONS,
    Visitor,
    against_bots,
    click_on,
    mine,
    open_table,
    overhear,
    reached,
    sit,
    state,
    version,
    wait,
)

pytestmark = pytest.mark.browser

SOCKETS = """window.sockets = []; const Real = WebSocket;
window.WebSocket = class extends Real { constructor(...a) { super(...a); window.sockets.push(this); } };"""


def hidden_stays_hidden(frames: list[str], reader: int | None) -> int:
    """How many hidden cards of others were counted in these states; fails if one of them was told."""
    counted = 0
    for frame in frames:
        told: dict[str, Any] | None = json.loads(frame).get("state")
        for zone in told["view"]["zones"] if told else ():
            if zone["name"] == "Deck" or (zone["name"] == "Hand" and zone["owner"] != reader):
                assert zone["cards"] == []
                counted += zone["count"]
    return counted


def test_two_browsers_with_hidden_hands(visitor: Visitor, address: str) -> None:
    made = open_table(
        address, "everything", [{"kind": "you", "name": "Ada"}, {"kind": "invite", "name": "Bo"}]
    )
    pages = [visitor() for _ in range(2)]
    frames = [overhear(page) for page in pages]
    for seat, page in enumerate(pages):
        sit(page, address, made, seat)
    for turn in range(26):
        now = state(address, made, None)
        if now["result"]:
            break
        page = pages[int(now["waiting"][0])]
        reached(page, now["version"])
        mine(page)
        click_on(page, turn, 1, BUTTONS)
        for each in pages:  # whoever is behind is told only the newest state
            reached(each, now["version"] + 1)
    for seat, page in enumerate(pages):
        assert len(frames[seat]) > 15
        assert hidden_stays_hidden(frames[seat], seat) > 20
        hand = next(
            z
            for z in state(address, made, seat)["view"]["zones"]
            if (z["name"], z["owner"]) == ("Hand", seat)
        )
        shown = page.locator(".hand .card .title").all_inner_texts()
        assert set(shown) == {card["name"] for card in hand["cards"]}


def test_a_spectator_watches_live_and_sees_only_what_is_public(
    visitor: Visitor, page: Page, address: str
) -> None:
    made = against_bots(address, "everything")
    watcher = visitor()
    frames = overhear(watcher)
    watcher.goto(f"{address}/#/table/{made['table']}")
    watcher.wait_for_selector("main.table .prompt")
    sit(page, address, made)
    click_on(page, 5, 6)
    mine(page)
    reached(watcher, version(page))
    expect(watcher.locator(BUTTONS)).to_have_count(0)
    expect(watcher.locator(".hand")).to_have_count(0)
    expect(watcher.locator(".lit")).to_have_count(0)
    expect(watcher.locator(".decision")).to_contain_text("You are watching")
    assert hidden_stays_hidden(frames, None) > 20


def test_a_broken_line_is_mended(page: Page, address: str) -> None:
    page.add_init_script(SOCKETS)
    made = against_bots(address, "everything")
    sit(page, address, made)
    click_on(page, 2, 3)
    mine(page)
    before = version(page)
    page.evaluate("window.sockets.at(-1).close()")
    wait(page, lambda: page.evaluate("window.sockets.length > 1 && window.sockets.at(-1).readyState === 1"))
    page.wait_for_selector("body:not(.offline)")
    assert version(page) == before
    click_on(page, 3, 3, BUTTONS)
    mine(page)
    assert version(page) > before
    page.reload()
    page.wait_for_selector("main.table .prompt")
    assert version(page) == state(address, made)["version"]


def test_undo_takes_a_choice_back(page: Page, address: str) -> None:
    made = against_bots(address, "penance-2", seed=3)
    sit(page, address, made)
    undo = page.get_by_role("button", name="Undo")
    for turn in range(60):
        mine(page)
        before = page.locator(".options").inner_text(), version(page)
        click_on(page, turn, 1, BUTTONS)
        reached(page, before[1] + 1)
        if undo.is_enabled():
            undo.click()
            reached(page, before[1] + 2)
            expect(page.locator(".options")).to_have_text(before[0], use_inner_text=True)
            return
    pytest.fail("nothing could be taken back")
