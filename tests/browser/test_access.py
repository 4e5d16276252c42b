"""For everybody: keyboard only, phone width, no layout shift, screen readers, no serious findings of axe."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.kit import (
    BUTTONS,
    Visitor,
    against_bots,
    click_on,
    mine,
    playable,
    reached,
    sit,
    state,
    version,
    wait,
)

pytestmark = pytest.mark.browser

BOXES = """() => ['.strip', '.board', '.decide', '.stage', '.log', '.sheets', '.piles'].map((part) => {
  const r = document.querySelector(part).getBoundingClientRect();
  return [part, r.x, r.y, r.width, r.height].join(' ');
})"""
"""Where each part of the table is."""


STILL = """() => Promise.all(document.getAnimations().filter((a) => a.effect.getTiming().iterations < 100)
  .map((a) => a.finished.catch(() => null)))"""
"""Until colours that fade in have arrived."""


def test_keyboard_only(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".spine")
    for _ in range(60):  # to the first button that plays, by tabbing
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play now":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("main.mine .options button")
    made = against_bots(address, "everything")
    sit(page, address, made)
    for turn in range(14):
        mine(page)
        if page.locator("main.over").count():
            break
        before = version(page)
        if turn % 2:
            page.keyboard.press("1")
        else:
            page.keyboard.press("ArrowDown")
            assert page.evaluate("document.activeElement.closest('.options') !== null")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("ArrowUp")
            page.keyboard.press("Enter")
        reached(page, before + 1)
    assert state(address, made)["version"] >= 10
    page.keyboard.press("r")
    expect(page.locator(".drawer")).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator(".drawer")).to_be_hidden()


def test_a_lit_space_can_be_chosen_by_keyboard(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "penance-2"))
    click_on(page, 4, 80, BUTTONS, ".space.lit")
    mine(page)
    space = page.locator(".space.lit").first
    assert "can be chosen" in (space.get_attribute("aria-label") or "")
    before, options = version(page), page.locator(BUTTONS).count()
    space.focus()
    page.keyboard.press("Enter")
    # It is taken, or the list is narrowed to what can be done there.
    wait(page, lambda: version(page) > before or page.locator(BUTTONS).count() < options)


def test_nothing_moves_when_something_happens(page: Page, address: str) -> None:
    for name in ("everything", "vigil"):
        sit(page, address, against_bots(address, name))
        mine(page)
        before = page.evaluate(BOXES)
        for turn in range(10):
            mine(page)
            click_on(page, turn, 1)
            assert page.evaluate(BOXES) == before


def test_a_phone_shows_one_part_at_a_time_and_never_scrolls_sideways(visitor: Visitor, address: str) -> None:
    width = 360
    page = visitor(viewport={"width": width, "height": 780}, has_touch=True, is_mobile=True)
    for where in ("", "/#/new/vigil", "/#/book/vigil"):
        page.goto("about:blank")
        page.goto(address + where)
        page.wait_for_selector(".spine, .card-form, .rulebook")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
    for book in playable(address):
        sit(page, address, against_bots(address, book["name"]))
        mine(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, book["name"]
        for tab, part in (("Actors", ".sheets"), ("Log", ".log"), ("Table", ".decide")):
            page.locator(".tabs").get_by_role("button", name=tab).tap()
            expect(page.locator(part)).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (book["name"], tab)
        before = version(page)
        page.locator(BUTTONS).first.tap()
        reached(page, before + 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_accessibility_findings(visitor: Visitor, address: str, scheme: Any) -> None:
    page = visitor(color_scheme=scheme)
    for where, part in (("", ".spine"), ("/#/new/vigil", ".card-form")):
        page.goto(address + where)
        page.wait_for_selector(part)
        judge(page, where or "the shelf")
    for book in playable(address):
        if scheme == "dark" and book["name"] not in ("vigil", "penance-2"):
            continue  # the colours are the same everywhere; these two have most of them
        sit(page, address, against_bots(address, book["name"], seed=3))
        click_on(page, 1, 12, BUTTONS)
        mine(page)
        judge(page, book["name"])
    page.keyboard.press("r")
    page.set_viewport_size({"width": 390, "height": 800})
    judge(page, "a phone")


def judge(page: Page, where: str) -> None:
    page.evaluate(STILL)
    axe: Any = Axe()
    found = [v for v in axe.run(page).response["violations"] if v["impact"] in ("serious", "critical")]
    told = [(v["id"], [node["html"][:160] for node in v["nodes"]][:3]) for v in found]
    assert not told, f"{where}: {told}"


TOO_SMALL = """(least) => [...document.querySelectorAll('button, a[href], select, summary, input')].flatMap(
(e) => {
  const target = e.matches('[type=checkbox]') && e.closest('label') || e;
  const box = target.getBoundingClientRect();
  const seen = target.checkVisibility({ visibilityProperty: true }) && !e.closest('.hush, .skip');
  // A card in a fan, and a space of a map, is as large as there is room; the map can be enlarged.
  const free = e.closest('svg, .fan, .small-piles');
  if (!seen || free || (box.width >= least && box.height >= least)) return [];
  const name = `${e.tagName} ${e.className} ${e.textContent.trim().slice(0, 20)}`;
  return [`${name} ${box.width | 0} x ${box.height | 0}`];
})"""
"""Controls that are smaller than a fingertip, with their sizes."""


def test_a_finger_hits_every_control_on_a_phone(visitor: Visitor, address: str) -> None:
    page = visitor(
        stranger=True, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True,
        reduced_motion="reduce",
    )  # fmt: skip
    page.goto(address)
    page.wait_for_selector(".spine .primary")
    assert page.evaluate(TOO_SMALL, 43.5) == [], "the shelf"
    for book in playable(address):
        sit(page, address, against_bots(address, book["name"], seed=3))
        assert page.evaluate(TOO_SMALL, 43.5) == [], (book["name"], "the welcome")
        page.locator(".welcome .primary").tap()
        click_on(page, 1, 12, BUTTONS)
        mine(page)
        for tab in ("Actors", "Log", "Table"):
            page.locator(".tabs").get_by_role("button", name=tab).tap()
            assert page.evaluate(TOO_SMALL, 43.5) == [], (book["name"], tab)
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (book["name"], tab)
        for opens, opened, shut in (
            ("Share", "dialog[open]", "dialog[open] [method=dialog] button"),
            ("Talk", ".talk", ".talk [aria-label=Close]"),
        ):
            page.locator("header").first.get_by_role("button", name=opens).tap()
            page.wait_for_selector(opened)
            assert page.evaluate(TOO_SMALL, 43.5) == [], (book["name"], opens)
            page.locator(shut).tap()
