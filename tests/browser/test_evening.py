"""An evening at one table: what is shown, what options cost, how far the keyboard must go, how it ends."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.kit import (
    BUTTONS,
    Visitor,
    against_bots,
    answer,
    call,
    click_on,
    mine,
    open_table,
    sit,
    state,
    wait,
)

pytestmark = pytest.mark.browser
ALONE = [{"kind": "you", "name": "Ada"}]

WATCH = """() => {
  // Notes what was ever on the board, however short; and where tokens were drawn.
  window.seen = new Set(); window.ways = {};
  const kinds = ['.token.acts', '.token.hurt', '.aimed', '.float.down', '.token.falls', '.caption.playing'];
  const look = () => {
    for (const kind of kinds) if (document.querySelector(kind)) window.seen.add(kind);
    for (const t of document.querySelectorAll('.token')) {
      (window.ways[t.dataset.key] ||= new Set()).add(t.style.transform);
    }
  };
  new MutationObserver(look).observe(document.querySelector('main'),
    { subtree: true, childList: true, attributes: true, attributeFilter: ['class', 'style'] });
}"""
STOPS = """() => document.activeElement.closest('.options') !== null
  && document.activeElement.matches('button:not(.cite)')"""


def shows_over(page: Page) -> None:
    """Wait until nothing is played any more."""
    wait(page, lambda: not page.locator(".caption.playing").count())


def test_a_fight_is_seen_and_its_end_has_a_moment(visitor: Visitor, address: str) -> None:
    page = visitor(viewport={"width": 1440, "height": 900})
    made = open_table(address, "raven-road", ALONE, seed=4)
    sit(page, address, made)
    page.get_by_label("Speed of the show").select_option("4")
    page.evaluate(WATCH)
    wanted = {".token.acts", ".token.hurt", ".aimed", ".float.down", ".token.falls", ".caption.playing"}
    for turn in range(40):
        mine(page)
        shows_over(page)
        if page.locator("main.over").count() or wanted <= set(page.evaluate("[...window.seen]")):
            break
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the page scrolls"
        strike = page.locator(f"{BUTTONS}:visible", has_text="Goblin").first
        if strike.count() and turn % 4:
            strike.click()
        else:
            click_on(page, turn, 1, BUTTONS)
    assert wanted <= set(page.evaluate("[...window.seen]"))
    ways = page.evaluate("Object.values(window.ways).map((w) => w.size)")
    assert max(ways) >= 3  # somebody was drawn on the way
    click_on(page, 7, 2000)
    page.wait_for_selector("main.over")
    page.keyboard.press("s")
    won = state(address, made)["result"]["scores"][0] == 1
    expect(page.locator(".finale .deed-now")).to_have_text("You won" if won else "You lost")
    size = page.locator(".finale .deed-now").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 20
    deeds = page.locator(".key-deeds li").all_inner_texts()
    assert all(len(text) < 90 for text in deeds), deeds


def test_a_scene_that_asks_is_no_part_of_the_blow_before_it(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    made = open_table(address, "raven-road", ALONE, seed=4)
    for seed in range(5, 20):
        if play(address, made, "B) Rest under the willows"):
            break
        made = open_table(address, "raven-road", ALONE, seed=seed)
    sit(page, address, made)
    answer(page, ".options button:has-text('Rest under')")
    wait(page, lambda: page.locator(".lines .deed", has_text="Rest under the willows").count())
    deeds = page.locator(".lines .deed .what").all_inner_texts()
    assert [text for text in deeds if "healer" in text]
    assert not [text for text in deeds if "healer" in text and "loses" in text]
    assert not [text for text in deeds if "Rest under" in text and ("loses" in text or "healer" in text)]


def play(address: str, made: dict[str, Any], wanted: str) -> bool:
    """Strike whoever can be struck, until an option is offered; False when the match ends before."""
    token = made["seats"][0]["token"]
    while not (now := state(address, made))["result"]:
        options = {option["text"]: option["index"] for option in now["decision"]["options"]}
        if wanted in options:
            return True
        best = next((text for word in ("Shot", "Strike", "A)") for text in options if word in text), None)
        wish = {"token": token, "version": now["version"], "option": options[best or next(iter(options))]}
        call(address, f"/api/tables/{made['table']}/choices", wish)
    return False


@pytest.mark.parametrize(
    ("book", "action", "price"),
    [
        ("raven-road", "Strike", "costs 1 Action Points"),
        ("raven-road", "Move", "costs 1 Action Points"),
        ("penance-1", "Rotate", "costs 1 SP"),
        ("penance-2", "Move", "SP"),
        ("vigil", "Change Stance", "costs your Free Action"),
    ],
)
def test_what_an_option_costs(visitor: Visitor, address: str, book: str, action: str, price: str) -> None:
    page = visitor(reduced_motion="reduce")
    made = against_bots(address, book, seed=7)
    sit(page, address, made)
    named = page.locator(f"b:text-is('{action}'), .verb:has-text('{action}')")
    row = page.locator(".options > li", has=named)
    for turn in range(80):
        mine(page)
        if page.locator(".decision[data-prompt=act]").count() and row.count():
            break
        click_on(page, turn, 1, BUTTONS)
    expect(row.first).to_contain_text(price)


def test_ten_stops_to_the_options_and_one_key_to_each(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    made = against_bots(address, "raven-road", seed=3)
    sit(page, address, made)
    mine(page)
    stops = 0
    while stops < 12 and not page.evaluate(STOPS):
        page.keyboard.press("Tab")
        stops += 1
    assert stops <= 10
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(STOPS)  # one key from the table itself
    page.keyboard.press("Enter")
    wait(page, lambda: state(address, made)["version"] >= 1)


def test_many_options_can_be_searched(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, against_bots(address, "penance-2", seed=7))
    for turn in range(90):
        mine(page)
        if page.locator(".search").count():
            break
        click_on(page, turn, 1, BUTTONS)
    field = page.get_by_label("Search the options")
    assert int(re.sub(r"\D", "", field.get_attribute("placeholder") or "0")) > 14
    word = page.locator(f"{BUTTONS} b").last.inner_text()
    before = page.locator(BUTTONS).count()
    field.fill(word)
    wait(page, lambda: 0 < page.locator(BUTTONS).count() < before)
    assert all(word.lower() in text.lower() for text in page.locator(".options > li").all_inner_texts())
    field.press("1")  # a digit is what is searched for, not a choice
    expect(field).to_have_value(f"{word}1")


def test_cards_that_are_a_life_are_a_bar(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    made = against_bots(address, "penance-2", seed=7)
    sit(page, address, made)
    click_on(page, 3, 40, BUTTONS, ".token .left")
    mine(page)
    view: dict[str, Any] = state(address, made)["view"]
    piles = [z for z in view["zones"] if z["name"] in ("Hand", "Deck", "Discard")]
    for actor in view["actors"]:
        if actor["in_play"] and actor["place"] >= 0:
            count = sum(z["count"] for z in piles if z["owner"] == actor["id"])
            token = page.locator(f".token[data-key=a{actor['id']}]")
            expect(token).to_have_attribute("aria-label", re.compile(f"Cards {count} of \\d+"))
            expect(token.locator(".left")).to_have_count(1)


def test_what_comes_to_lie_under_a_resting_pointer_opens_nothing(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, open_table(address, "raven-road", ALONE, seed=3))
    mine(page)
    page.locator(BUTTONS, has_text="Walk straight in").click()
    mine(page)
    page.wait_for_timeout(900)
    expect(page.locator("#explains, .closely")).to_have_count(0)
    box = page.locator(".options .chip").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    expect(page.locator(".closely")).to_have_count(1)


def test_a_link_is_copied_and_a_place_is_called_the_same_everywhere(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    made = open_table(address, "vigil", ALONE, seed=9)
    sit(page, address, made)
    answer(page, ".options button:has-text('Brynja')")
    for hero in ("Eir", "Ketill"):
        answer(page, f".options button:has-text('{hero}')")
    mine(page)
    space = page.locator(".space.lit").first
    name = (space.get_attribute("aria-label") or "").split(",")[0]
    expect(page.locator(BUTTONS, has_text=name).first).to_be_visible()
    expect(space.locator(".name")).to_have_text(name)
    answer(page, f".options button:has-text('{name}')")
    expect(page.locator(".lines .deed .what", has_text=name).first).to_be_attached()
    page.get_by_role("button", name="Share").click()
    page.locator(".link", has_text="For spectators").get_by_role("button", name="Copy").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith(f"/#/watch/{made['table']}")
