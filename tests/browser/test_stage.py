"""The stage: deeds are played and told in order; it can be skipped, paused, repeated and switched off."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
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

RAW = re.compile(r"\b(card|actor|space|spot|zone|field|event) \d+\b", re.IGNORECASE)
"""What a log must not say: a kind and a number instead of a name."""


def told(page: Page) -> list[str]:
    return page.locator(".told-aloud p").all_text_contents()


def test_what_others_do_is_told_in_order_in_every_book(page: Page, address: str) -> None:
    for book in playable(address):
        made = against_bots(address, book["name"], seed=6)
        sit(page, address, made)
        before = len(told(page))
        click_on(page, 5, 14, BUTTONS)
        mine(page)
        page.keyboard.press("s")
        wait(page, lambda before=before: len(told(page)) > before)
        lines = page.locator(".lines .deed .what").all_text_contents()
        spoken = [text for text in told(page) if text in lines]
        assert len(spoken) >= 3, f"{book['name']}: {told(page)} of {lines}"
        aloud = page.locator(".told-aloud p")
        rows = aloud.evaluate_all("all => all.map((p) => [+p.dataset.n, p.textContent])")
        places = [place for place, _ in rows]
        assert places == sorted(places), book["name"]
        again = [a for a, b in pairwise(rows) if a == b]
        assert not again, f"{book['name']}: told twice: {again}"
        raw = [text for text in [*lines, *told(page)] if RAW.search(text)]
        assert not raw, f"{book['name']}: {raw[:3]}"


def test_an_enemys_turn_is_played_and_can_be_skipped_and_repeated(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "raven-road", seed=5))
    page.get_by_label("Speed of the show").select_option("0.5")
    page.locator(BUTTONS).first.click()
    page.wait_for_selector(".caption.playing")
    seen = page.locator(".deed-now").inner_text()
    page.get_by_role("button", name="Pause").click()
    kept = page.locator(".deed-now").get_attribute("data-n")
    page.wait_for_timeout(1500)
    assert page.locator(".deed-now").get_attribute("data-n") == kept  # it stands still
    page.get_by_role("button", name="Skip the show").click()
    expect(page.locator(".caption.playing")).to_have_count(0)
    assert len(told(page)) >= 3
    assert seen in told(page)
    page.get_by_role("button", name="Show me that again").click()
    expect(page.locator(".caption.playing")).to_have_count(1)
    page.get_by_label("Speed of the show").select_option("0")
    expect(page.locator(".caption.playing")).to_have_count(0)


def test_choosing_early_skips_the_show(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "raven-road", seed=5))
    page.get_by_label("Speed of the show").select_option("0.5")
    page.locator(BUTTONS).first.click()
    page.wait_for_selector(".caption.playing")
    mine(page)
    before = version(page)
    page.locator(BUTTONS, has_text="pass").click()
    wait(page, lambda: version(page) > before)


def test_without_motion_everything_is_told_at_once(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, against_bots(address, "raven-road", seed=5))
    page.locator(BUTTONS).first.click()
    wait(page, lambda: len(told(page)) >= 3)
    expect(page.locator(".caption.playing")).to_have_count(0)


def test_tokens_are_large_enough_and_glide(page: Page, address: str) -> None:
    for name in ("raven-road", "vigil", "penance-2"):
        sit(page, address, against_bots(address, name, seed=5))
        click_on(page, 5, 12, BUTTONS, ".token")
        mine(page)
        for disc in page.locator(".token .disc").all()[:6]:
            box = disc.bounding_box()
            assert box is not None
            assert box["width"] >= 30, (name, box)
    assert "transform" in page.evaluate(
        "getComputedStyle(document.querySelector('.token')).transitionProperty"
    )


def test_a_double_click_answers_one_decision(page: Page, address: str) -> None:
    made = against_bots(address, "raven-road", seed=5)
    sit(page, address, made)
    mine(page)  # a click on what is too new to have been read counts for nothing
    page.locator(BUTTONS).first.dblclick()
    reached(page, 1)
    mine(page)
    assert state(address, made)["version"] == 1
    assert version(page) == 1


CUT = """() => {
  const box = document.querySelector('.caption .telling').getBoundingClientRect();
  const parts = document.querySelectorAll('.caption :is(.delta, .reckoned, .roll)');
  return [...parts].flatMap((e) => {
    const at = e.getBoundingClientRect();
    const across = at.left >= box.left - 1 && at.right <= box.right + 1;
    const whole = across && at.top >= box.top - 1 && at.bottom <= box.bottom + 1;
    return e.checkVisibility() && !whole ? [`${e.className}: ${e.textContent}`] : [];
  });
}"""
"""Dice, sums and changes under the sentence of a deed that are seen in part only."""


def test_what_stands_under_a_caption_is_whole(visitor: Visitor, address: str) -> None:
    page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    for book in playable(address):
        sit(page, address, against_bots(address, book["name"], seed=9))
        some = 0
        for turn in range(12):
            mine(page)
            page.wait_for_timeout(60)  # sums come a moment later
            assert page.evaluate(CUT) == [], (book["name"], turn)
            some += page.locator(".caption .delta:visible, .caption .roll:visible").count()
            if page.locator("main.over").count():
                break
            click_on(page, turn, 1, BUTTONS)
        assert some, book["name"]
