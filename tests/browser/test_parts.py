"""The parts of the table on every screen: drawers, a phone, fingers; and a page that does not grow."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.kit import (
    BUTTONS,
    Visitor,
    against_bots,
    call,
    click_on,
    mine,
    playable,
    reached,
    sit,
    state,
    version,
)

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
MOVES = 300
SEEN = """(selector) => {
  const r = document.querySelector(selector).getBoundingClientRect();
  const inside = r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth;
  return inside && r.width > 40 && r.height > 20;
}"""
FINGERS = """() => [...document.querySelectorAll('.decide, .tabs, .camera, .show, header')]
  .flatMap((part) => [...part.querySelectorAll('button, select')])
  .filter((b) => b.offsetWidth && !b.matches('.cite'))
  .map((b) => [b.textContent.slice(0, 30), b.offsetHeight]).filter(([, tall]) => tall < 44)"""


def test_panels_are_drawers_below_1200(visitor: Visitor, address: str) -> None:
    for book in playable(address):
        page = visitor(viewport={"width": 1024, "height": 768}, reduced_motion="reduce")
        sit(page, address, against_bots(address, book["name"], seed=7))
        mine(page)
        expect(page.locator(".sheets")).to_be_hidden()
        expect(page.locator(".decide")).to_be_visible()
        page.locator(".tabs [data-tab=actors]").click()
        expect(page.locator(".sheets")).to_be_visible()
        expect(page.locator(".decide")).to_be_visible()  # one can look at actors and decide
        cards = page.locator(".tabs [data-tab=cards]")
        if cards.is_visible():
            cards.click()
            expect(page.locator(".piles")).to_be_visible()
            expect(page.locator(".sheets")).to_be_hidden()
        page.locator(".tabs [data-tab=play]").click()
        expect(page.locator(".sheets")).to_be_hidden()
        page.keyboard.press("r")
        expect(page.locator(".drawer")).to_be_visible()
        page.context.close()


def test_a_phone_shows_board_last_deed_and_question_at_once(visitor: Visitor, address: str) -> None:
    for book in playable(address):
        page = visitor(viewport=PHONE, reduced_motion="reduce", has_touch=True, is_mobile=True)
        for seed in range(7, 12):  # some matches are over after six clicks
            sit(page, address, against_bots(address, book["name"], seed=seed))
            click_on(page, 3, 6)
            mine(page)
            if not page.locator("main.over").count():
                break
        # Before anything is laid the options have the room of the map.
        bare = page.locator(".frame.bare").count()
        board = [] if bare else [".board" if book["maps"] else ".piles"]
        for part in (*board, ".deed-now", ".prompt", BUTTONS):
            page.wait_for_selector(part, state="attached")
            shown = page.evaluate(SEEN, part) if part != ".deed-now" else page.locator(part).is_visible()
            assert shown, (book["name"], part)
        assert page.evaluate(FINGERS) == [], book["name"]
        page.context.close()


def test_nothing_grows_over_three_hundred_moves(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    made = against_bots(address, "pace", seed=3)
    sit(page, address, made)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")

    def counted() -> dict[str, float]:
        mine(page)
        cdp.send("HeapProfiler.collectGarbage")
        page.wait_for_timeout(400)
        cdp.send("HeapProfiler.collectGarbage")
        told = cdp.send("Performance.getMetrics")["metrics"]
        return {row["name"]: row["value"] for row in told if row["name"] in ("Nodes", "JSEventListeners")}

    click_on(page, 3, 130, BUTTONS)  # by now the log has as many rows as it ever draws
    before = counted()
    click_on(page, 4, MOVES, BUTTONS)
    after = counted()
    assert state(address, made)["version"] >= MOVES
    for name, count in before.items():
        assert after[name] < count * 1.15 + 40, (name, before, after)


def test_two_quick_clicks_answer_one_decision(page: Page, address: str) -> None:
    """Wherever they fall: an option, a space, a card, a key."""
    chosen = next(kind["kind"] for kind in call(address, "/api/events") if kind["name"] == "CHOSEN")
    for seed, lit in enumerate([BUTTONS, ".space.lit", ".fan .card.lit", "key"]):
        made = against_bots(address, "pace", seed=seed)
        sit(page, address, made)
        mine(page)
        if lit == "key":
            page.keyboard.press("1")
            page.keyboard.press("1")
        else:
            page.locator(lit).last.dblclick(position={"x": 12, "y": 20}, force=True)
        page.wait_for_timeout(700)
        mine(page)
        log = state(address, made)["log"]
        own = [line["text"] for line in log if line["kind"] == chosen and line["by"] == 0]
        assert len(own) == 1, (lit, own)


def test_focus_stays_with_the_options(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "pace", seed=3))
    mine(page)
    before = version(page)
    page.locator(BUTTONS).first.focus()
    page.keyboard.press("Enter")
    reached(page, before + 1)
    mine(page)
    assert page.evaluate("Boolean(document.activeElement.closest('.options'))")


def test_undo_says_why_not(page: Page, address: str) -> None:
    made = against_bots(address, "vigil", seed=2)
    sit(page, address, made)
    mine(page)
    page.keyboard.press("u")
    expect(page.locator("#notice .said")).to_contain_text("You have not chosen anything yet.")
    click_on(page, 1, 40, BUTTONS, ".stage .die")
    mine(page)
    assert not state(address, made)["can_undo"]
    page.keyboard.press("u")
    expect(page.locator("#notice .said")).to_contain_text(re.compile("cannot be taken back"))


def test_a_turn_that_passes_by_itself_is_told_and_acknowledged(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "idle"))
    mine(page)
    page.locator(BUTTONS, has_text="Dig").click()
    expect(page.locator(".passed")).to_contain_text("Digger 1 could do nothing but pass")
    expect(page.locator(".lines")).to_contain_text("Nothing else can be done: Digger")
    page.get_by_role("button", name="I see").click()
    expect(page.locator(".passed")).to_have_count(0)
