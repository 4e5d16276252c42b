"""Dice that were promised: the page that checks it, and a seed that somebody chose."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.kit import Visitor, call, sit, state, wait

pytestmark = pytest.mark.browser
TWO = [{"kind": "you", "name": "Ada"}, {"kind": "invite", "name": "Bo"}]
BOTS = [{"kind": "bot"}, {"kind": "bot"}]


def test_the_seed_at_the_end_is_checked_against_the_promise(visitor: Visitor, address: str) -> None:
    made = call(address, "/api/tables", {"book": "everything", "seats": BOTS})
    page = visitor()
    page.goto(f"{address}{made['watch']}")
    page.wait_for_selector("main .strip")
    wait(page, lambda: state(address, made, None)["result"] is not None)
    page.locator("#tools").get_by_role("button", name="Share").click()
    expect(page.locator("code.promise")).to_contain_text(made["commitment"][:16])
    expect(page.get_by_text("The seed is the one that was promised.")).to_be_visible()
    checking = page.get_by_role("link", name="Check it").get_attribute("href")
    page.goto(f"{address}{checking}")
    expect(page.locator("#verdict")).to_have_text("The seed is the one that was promised.")
    page.locator("#seed").fill("1234")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verdict")).to_have_text("The seed is NOT the one that was promised.")


def test_a_chosen_seed_is_told_to_everybody(visitor: Visitor, address: str) -> None:
    made = call(address, "/api/tables", {"book": "everything", "seats": TWO, "seed": 7})
    page = visitor()
    sit(page, address, made, 1)
    expect(page.locator("span.chosen-seed")).to_be_visible()
