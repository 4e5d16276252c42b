"""Whole matches by clicking, in one book for each kind of map; every shipped book opens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.kit import BUTTONS, against_bots, click_on, mine, playable, reached, sit, state, version

pytestmark = pytest.mark.browser

MAPS = {"square": "raven-road", "hex": "penance-1", "spots": "p52", "sectors": "vigil"}
"""A shipped book for each kind of map. Sectors are squares with words for names."""


def test_every_book_opens_with_its_parts(page: Page, address: str) -> None:
    for book in playable(address):
        made = against_bots(address, book["name"])
        sit(page, address, made)
        mine(page)
        expect(page.locator("#where")).to_have_text(book["title"])
        shown = state(address, made)
        assert version(page) == shown["version"]
        expect(page.locator(".options button").first).to_be_visible()
        present = [actor for actor in shown["view"]["actors"] if actor["in_play"]]
        assert page.locator(".sheet:not(.gone)").count() == len(present)
        placed = [actor for actor in present if actor["place"] >= 0]
        assert page.locator(".token").count() == len(placed)
        if book["maps"]:
            assert page.locator(".map").count() == 1


@pytest.mark.parametrize("grid", MAPS)
def test_a_full_match_by_clicking(page: Page, address: str, grid: str) -> None:
    name = MAPS[grid]
    book = next(b for b in playable(address) if b["name"] == name)
    assert ("square" if grid == "sectors" else grid) in book["maps"]
    made = against_bots(address, name, seed=11)
    sit(page, address, made)
    for _ in range(4):  # with a real mouse first: what is clicked must not lie under something else
        mine(page)
        before = version(page)
        page.locator(BUTTONS).first.click()
        reached(page, before + 1)
    if grid == "sectors":
        assert page.locator(".map.sectors").count() == 1
    clicks = click_on(page, 7, 6000)
    expect(page.locator("main.over")).to_have_count(1)
    shown = state(address, made)
    assert shown["result"] is not None, f"still going after {clicks} clicks"
    expect(page.locator(".prompt")).to_contain_text(shown["result"]["ending"])
    assert shown["version"] > 4
