"""The board, the hand and the piles, looked at in Chromium: sizes, overlaps, names, what can be opened."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.kit import (
    BUTTONS,
    Visitor,
    against_bots,
    call,
    click_on,
    mine,
    open_table,
    playable,
    sit,
    state,
    wait,
)

pytestmark = pytest.mark.browser
SIZES = [(1440, 900), (1024, 768), (390, 844)]
TOKENS = """() => {
  const map = document.querySelector('svg.map').getBoundingClientRect();
  const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const found = [...document.querySelectorAll('.token')].map((t) => ({
    disc: box(t.querySelector('.disc')), name: t.querySelector('.called').textContent,
    told: t.getAttribute('aria-label') }));
  return found.filter(({ disc: [l, t, r, b] }) =>
    r > map.left && l < map.right && b > map.top && t < map.bottom);
}"""
CARDS = """() => [...document.querySelectorAll('.fan .card')].map((c) => {
  const r = c.getBoundingClientRect(), home = document.querySelector('.piles').getBoundingClientRect();
  const at = document.elementFromPoint(r.left + 12, r.top + 16);
  const inside = r.left >= home.left - 14 && r.right <= home.right + 14 && r.bottom <= innerHeight + 16;
  return { key: c.dataset.key, inside, seen: Boolean(at && at.closest('.card') === c) };
})"""

OVER = """() => {
  const m = document.querySelector('svg.map').getBoundingClientRect();
  const over = (r) => r.width && r.left < m.right - 1 && r.right > m.left + 1
    && r.top < m.bottom - 1 && r.bottom > m.top + 1;
  const controls = [...document.querySelectorAll('.camera button, .show button, .tabs button')];
  return controls.filter((e) => over(e.getBoundingClientRect())).length;
}"""


def seated(visitor: Visitor, address: str, book: str, size: tuple[int, int], moves: int = 8) -> Page:
    """A page of this size in the middle of a match."""
    page = visitor(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    sit(page, address, against_bots(address, book, seed=7))
    click_on(page, 3, moves)
    mine(page)
    return page


def overlap(a: list[float], b: list[float]) -> bool:
    """Whether two discs lie over each other by more than a hair."""
    far = ((a[0] + a[2] - b[0] - b[2]) ** 2 + (a[1] + a[3] - b[1] - b[3]) ** 2) ** 0.5 / 2
    return far < (a[2] - a[0] + b[2] - b[0]) / 2 - 1


@pytest.mark.parametrize("size", SIZES)
def test_tokens_can_be_hit_and_do_not_cover_each_other(
    address: str, visitor: Visitor, size: tuple[int, int]
) -> None:
    for book in playable(address):
        if not book["maps"]:
            continue
        page = seated(visitor, address, book["name"], size)
        tokens: list[dict[str, Any]] = page.evaluate(TOKENS)
        for n, token in enumerate(tokens):
            assert token["disc"][2] - token["disc"][0] >= 35.5, (book["name"], token)
            assert token["name"], (book["name"], token)
            for other in tokens[n + 1 :]:
                assert not overlap(token["disc"], other["disc"]), (book["name"], token, other)
        page.close()


def test_a_hand_of_thirteen_is_whole_and_sorted(address: str, visitor: Visitor) -> None:
    for size in SIZES:
        page = seated(visitor, address, "thirteen", size, moves=0)
        cards: list[dict[str, Any]] = page.evaluate(CARDS)
        assert len(cards) == 13
        assert all(card["inside"] and card["seen"] for card in cards), (size, cards)
        assert page.locator(".fan .suit-face").count() == 13
        page.close()


def test_a_pile_opens_and_closes(address: str, visitor: Visitor) -> None:
    page = seated(visitor, address, "thirteen", (1440, 900), moves=3)
    page.locator(".pile", has_text="Stack").click()
    laid = page.locator("dialog.laid[open] .card")
    laid.nth(2).wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog.laid").wait_for(state="detached")


def test_a_card_grows_under_the_pointer(address: str, visitor: Visitor) -> None:
    page = seated(visitor, address, "thirteen", (1440, 900), moves=0)
    page.locator(".fan .card").first.hover(position={"x": 12, "y": 30})
    page.locator(".card.large").wait_for()
    page.mouse.move(5, 5)
    page.locator(".card.large").wait_for(state="detached")


def test_parts_and_goals_of_a_map_are_named(address: str, visitor: Visitor) -> None:
    page = seated(visitor, address, "yard", (1440, 900), moves=0)
    assert page.locator(".part text").all_text_contents() == ["Gate", "Far Side"]
    assert page.locator(".goal").text_content() == "⚑ Goal"
    assert page.locator(".token").count() == 5
    assert page.locator(".mark-piece.counter text").text_content() == "3"


LIT = """() => {
  const map = document.querySelector('svg.map').getBoundingClientRect();
  return [...document.querySelectorAll('.space.lit')].map((space) => {
    const r = space.querySelector('.ground').getBoundingClientRect();
    const [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
    const seen = x > map.left && x < map.right && y > map.top && y < map.bottom;
    const at = document.elementFromPoint(x, y);
    const name = space.querySelector('.name');
    return { seen, free: !seen || Boolean(at && at.closest('.space, .token')),
      name: name ? name.textContent : '', label: space.getAttribute('aria-label') };
  });
}"""
"""Spaces that can be chosen: whether the middle of each is in view, and nothing but the map is there."""


@pytest.mark.parametrize("size", SIZES)
def test_a_space_that_can_be_chosen_lies_free_and_has_its_name(
    address: str, visitor: Visitor, size: tuple[int, int]
) -> None:
    found = 0
    for book in playable(address):
        if not book["maps"]:
            continue
        page = visitor(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
        sit(page, address, against_bots(address, book["name"], seed=7))
        click_on(page, 3, 60, BUTTONS, ".space.lit")
        mine(page)
        spaces = page.evaluate(LIT)
        found += sum(space["seen"] for space in spaces)
        assert not [space for space in spaces if not space["free"]], (book["name"], spaces)
        page.context.close()
    assert found > 10


def test_spaces_laid_in_play_are_called_the_same_on_the_map_in_options_and_log(
    address: str, visitor: Visitor
) -> None:
    made = against_bots(address, "p52", seed=3)
    for _ in range(120):
        now = state(address, made)
        if not now["decision"]["mine"]:
            time.sleep(0.02)
            continue
        options = now["decision"]["options"]
        if any(thing["kind"] == "Space" for option in options for thing in option["things"]):
            break
        go = next((o for o in options if o["text"].startswith("Move")), None)
        done = next((o for o in options if o["text"] == "done"), None)
        wish = {"version": now["version"], "option": (go or done or options[0])["index"]}
        choose = {"token": made["seats"][0]["token"], **wish}
        call(address, f"/api/tables/{made['table']}/choices", choose)
    page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    sit(page, address, made)
    spaces = {s["id"]: s["name"] for s in state(address, made)["view"]["spaces"]}
    lit = page.locator(".space.lit")
    assert lit.count()
    for space in lit.all():
        name = spaces[int(space.get_attribute("data-space") or -1)]
        assert re.fullmatch(r"\(-?\d+,-?\d+\)", name), name
        assert (space.get_attribute("aria-label") or "").startswith(name)
        assert page.locator(BUTTONS, has_text=name).count(), name
        if space.locator(".name").count():
            assert space.locator(".name").text_content() == name
    assert page.locator(".space .name").count() >= 3
    name = page.locator(".space.lit .name").first.text_content() or ""
    page.locator(BUTTONS, has_text=name).first.click()
    page.locator(".lines .deed .what", has_text=name).first.wait_for(state="attached")


def test_no_control_lies_over_the_map(address: str, visitor: Visitor) -> None:
    for size in SIZES:
        page = seated(visitor, address, "yard", size, moves=0)
        found = page.evaluate(OVER)
        assert found == 0, size
        page.close()


CUT = """() => {
  const map = document.querySelector('svg.map').getBoundingClientRect(), found = { cut: 0, out: 0 };
  for (const disc of document.querySelectorAll('.token .disc')) {
    const r = disc.getBoundingClientRect();
    const beside = r.left >= map.left - 2 && r.right <= map.right + 2;
    const whole = beside && r.top >= map.top - 2 && r.bottom <= map.bottom + 2;
    const out = r.left > map.right || r.right < map.left || r.top > map.bottom || r.bottom < map.top;
    if (out) found.out += 1;
    else if (!whole) found.cut += 1;
  }
  const signs = [...document.querySelectorAll('.away')].filter((s) => s.getAttribute('display') === 'inline');
  return { ...found, signs: signs.length };
}"""
"""Tokens that an edge of the map cuts, those beyond it, and the signs that point at them."""


def test_a_small_map_cuts_nobody_and_points_at_who_is_beyond_it(address: str, visitor: Visitor) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    sit(page, address, open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=4))
    click_on(page, 7, 120, BUTTONS, ".token:nth-child(5)")
    mine(page)
    assert page.locator(".token").count() >= 5
    wait(page, lambda: page.evaluate(CUT)["cut"] == 0)
    found = page.evaluate(CUT)
    assert found["signs"] == found["out"]
    page.get_by_role("button", name="Zoom in").click(click_count=3)
    wait(page, lambda: page.evaluate(CUT)["signs"] > found["signs"])


def test_every_kind_of_ground_can_be_read_in_the_legend_of_a_phone(address: str, visitor: Visitor) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    sit(page, address, against_bots(address, "penance-2", seed=4))
    click_on(page, 4, 40, BUTTONS, ".legend li:nth-child(4)")
    kinds = page.locator(".legend li")
    assert kinds.count() >= 4
    for kind in kinds.all():
        kind.scroll_into_view_if_needed()
        whole = kind.evaluate("""(li) => {
          const [own, all] = [li, li.parentElement].map((e) => e.getBoundingClientRect());
          return own.left >= all.left - 1 && own.right <= all.right + 1 && own.bottom <= all.bottom + 1
            && li.scrollWidth <= li.clientWidth + 1;
        }""")
        assert whole, kind.inner_text()
