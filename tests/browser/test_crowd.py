"""Thirty at one table, on the page: who sees what, whose turn it is, and how it ends."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.kit import BUTTONS, Visitor, call, mine, open_table, reached, sit, state

pytestmark = pytest.mark.browser

PEOPLE = [{"kind": "you" if n == 0 else "invite", "name": f"Guest of {n + 1}"} for n in range(30)]


def test_thirty_at_one_table(page: Page, address: str) -> None:
    made = open_table(address, "crowd", PEOPLE)
    for seat in range(29):
        if seat == 12:
            sit(page, address, made, seat)
            mine(page)
            expect(page.locator(BUTTONS)).to_have_count(2)
            page.locator(BUTTONS).first.click()
            reached(page, 13)
        else:
            body = {"token": made["seats"][seat]["token"], "version": seat, "option": seat % 2}
            call(address, f"/api/tables/{made['table']}/choices", body)
    sit(page, address, made, 29)
    mine(page)
    told = state(address, made, 29)
    assert [a["id"] for a in told["view"]["actors"] if "Purse" in a["fields"]] == [29]
    page.locator(BUTTONS).last.click()
    page.wait_for_selector("main.over")
    result = state(address, made, None)["result"]
    best = max(result["points"])
    for seat, name in enumerate(seat["name"] for seat in PEOPLE):
        if result["points"][seat] == best:
            expect(page.locator("main")).to_contain_text(name)


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
def test_where_nothing_else_is_the_actors_are_the_table(
    address: str, visitor: Visitor, size: tuple[int, int]
) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    sit(page, address, open_table(address, "crowd", PEOPLE))
    mine(page)
    parts = {name: page.locator(name).bounding_box() for name in (".sheets", ".stage", ".decide")}
    for name, box in parts.items():
        assert box is not None, name
        assert box["width"] > 0.4 * min(size[0], 800), (name, box)
        assert box["x"] >= 0, (name, box)
        assert box["y"] >= 0, (name, box)
        assert box["x"] + box["width"] <= size[0], (name, box)
        assert box["y"] + box["height"] <= size[1], (name, box)
    across, whole = parts[".sheets"], size[0] * size[1]
    assert across["width"] * across["height"] > 0.25 * whole, across
    hues = page.locator(".sheet").evaluate_all("all => all.map((s) => s.style.getPropertyValue('--hue'))")
    assert len(set(hues)) == 30
