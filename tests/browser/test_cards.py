"""Cards: hands that are whole, piles that open, cards that fly, numbers that are current."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.kit import BUTTONS, Visitor, against_bots, click_on, mine, playable, sit, state, wait

pytestmark = pytest.mark.browser
SIZES = [(1440, 900), (1024, 768), (390, 844)]
HAND = """() => [...document.querySelectorAll('.fan .card:not(.back-side)')].map((c) => {
  const top = c.querySelector('.title, .index'), t = top.getBoundingClientRect();
  const r = c.getBoundingClientRect();
  // The middle of what the card is called can be seen: nothing lies over it, nor is it cut off.
  const at = document.elementFromPoint(t.left + Math.min(t.width / 2, 20), t.top + 6);
  const inside = r.left >= -4 && r.right <= innerWidth + 4;
  // No word of the name stands in two lines.
  const text = top.firstChild, range = document.createRange(), broken = [];
  for (const word of top.matches('.title') ? top.textContent.matchAll(/[^\\s-]+/g) : []) {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    if (range.getClientRects().length > 1) broken.push(word[0]);
  }
  return { name: top.textContent, broken, inside, seen: Boolean(at && at.closest('.card') === c) };
})"""
PILES = """() => [...document.querySelectorAll('.pile')].filter((p) => p.offsetWidth).map((pile) => {
  const name = pile.querySelector('.pile-name'), count = pile.querySelector('.times').getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(name);
  const words = [...range.getClientRects()];
  const over = words.some((w) => w.left < count.right - 1 && w.right > count.left + 1
    && w.top < count.bottom - 3 && w.bottom > count.top + 3);
  const cut = name.scrollHeight > name.clientHeight + 2 || name.scrollWidth > name.clientWidth + 1;
  return { name: name.textContent, over, cut };
})"""
"""Names of piles that their count lies over, or that are cut."""
WATCH = """() => {
  window.flown = [];
  const note = (node) => {
    const flies = node.classList && node.classList.contains('flight');
    if (flies) window.flown.push([node.dataset.from, node.dataset.to]);
  };
  new MutationObserver((all) => all.forEach((m) => m.addedNodes.forEach(note)))
    .observe(document.body, { subtree: true, childList: true });
}"""


def seated(visitor: Visitor, address: str, book: str, size: tuple[int, int], moves: int) -> Page:
    page = visitor(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    sit(page, address, against_bots(address, book, seed=7))
    click_on(page, 3, moves, BUTTONS)
    mine(page)
    return page


@pytest.mark.parametrize("size", SIZES)
def test_every_card_of_a_hand_can_be_read_in_every_book(
    visitor: Visitor, address: str, size: tuple[int, int]
) -> None:
    shown = 0
    for book in playable(address):
        page = seated(visitor, address, book["name"], size, 12)
        if size[0] < 821 and page.locator(".tabs [data-tab=cards]:visible").count():
            page.locator(".tabs [data-tab=cards]").click()
        cards: list[dict[str, Any]] = page.evaluate(HAND)
        wrong = [c for c in cards if not c["inside"] or (size[0] > 820 and not c["seen"])]
        assert not wrong, (book["name"], size, wrong)
        assert not [card for card in cards if card["broken"]], (book["name"], size, cards)
        shown += len(cards)
        page.context.close()
    assert shown > 10


def test_piles_can_be_opened_in_every_book_with_cards(visitor: Visitor, address: str) -> None:
    opened = 0
    for book in playable(address):
        page = seated(visitor, address, book["name"], (1440, 900), 9)
        bad = [pile for pile in page.evaluate(PILES) if pile["over"] or pile["cut"]]
        assert not bad, (book["name"], bad)
        for pile in page.locator(".pile").all()[:3]:
            name = pile.locator(".pile-name").inner_text()
            pile.click()
            expect(page.locator("dialog.laid[open] h2")).to_contain_text(name)
            page.keyboard.press("Escape")
            expect(page.locator("dialog.laid")).to_have_count(0)
            opened += 1
        page.context.close()
    assert opened >= 9


@pytest.mark.parametrize("book", ["thirteen", "penance-1", "pace"])
def test_cards_fly_from_pile_to_pile(visitor: Visitor, address: str, book: str) -> None:
    page = visitor()
    sit(page, address, against_bots(address, book, seed=3))
    page.evaluate(WATCH)
    for turn in range(12):
        mine(page)
        click_on(page, turn, 1, BUTTONS)
        mine(page)
        wait(page, lambda: not page.locator(".caption.playing").count())  # whoever chooses early skips it
        if page.locator("main.over").count() or len(page.evaluate("window.flown")) > 1:
            break
    flown = page.evaluate("window.flown")
    assert len(flown) > 1
    assert all(one != other for one, other in flown)
    wait(page, lambda: not page.locator(".flight").count())  # and they land
    wait(page, lambda: not page.locator(".card.arriving").count())


def test_nothing_flies_for_whoever_wants_it_calm(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, against_bots(address, "thirteen", seed=3))
    page.evaluate(WATCH)
    click_on(page, 3, 3, BUTTONS)
    mine(page)
    assert page.evaluate("window.flown") == []


def do(page: Page, action: str) -> None:
    """The first option of an action, by itself or in its group."""
    page.locator(".decision .options li", has_text=action).first.locator("button:not(.cite)").first.click()


def test_cards_in_play_show_what_they_are_worth_now(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    made = against_bots(address, "pace", seed=3)
    sit(page, address, made)
    do(page, "Light")
    mine(page)
    do(page, "Light")
    mine(page)
    assert any("Oil" in str(z["cards"]) for z in state(address, made)["view"]["zones"])
    page.locator(".fan .card", has_text="Oil 7").first.wait_for()
    do(page, "Put Back")
    mine(page)
    page.locator(".fan .fact.current", has_text="Oil 5").first.wait_for()


def test_a_long_press_shows_a_card_and_plays_nothing(visitor: Visitor, address: str) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    made = against_bots(address, "pace", seed=3)
    sit(page, address, made)
    mine(page)
    page.locator(".tabs [data-tab=cards]").click()
    box = page.locator(".fan .card.lit").first.bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    spot = {"x": box["x"] + 30, "y": box["y"] + 30}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    page.locator(".card.large").wait_for()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".card.large")).to_have_count(0)
    page.wait_for_timeout(300)
    assert state(address, made)["version"] == 0
