"""What somebody who never read the rules stumbled over: prompts, prices, gifts, lines that were lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.kit import BUTTONS, Visitor, against_bots, click_on, mine, open_table, sit, state, wait

pytestmark = pytest.mark.browser

NUMBERS = "[...document.querySelectorAll('.told-aloud p')].map((p) => [+p.dataset.n, +p.dataset.end])"


def test_nothing_of_a_long_turn_is_lost(visitor: Visitor, address: str) -> None:
    """A choice and the turns after it may make more lines than a first state carries."""
    page = visitor(reduced_motion="reduce")
    made = against_bots(address, "vigil", seed=2)
    sit(page, address, made)
    mine(page)
    for turn in range(30):
        before = state(address, made)["lines"]
        click_on(page, turn, 1, BUTTONS)
        mine(page)
        if state(address, made)["lines"] - before > 100 or page.locator("main.over").count():
            break
    else:
        pytest.fail("no turn was long")
    after = [number for number, _ in page.evaluate(NUMBERS) if number >= before]
    assert after == sorted(after)
    assert after[0] <= before + 1  # the choice itself is told, and first


def test_prompts_and_prices_in_words(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, open_table(address, "penance-2", [{"kind": "you"}, {"kind": "bot"}], seed=3))
    expect(page.locator(".prompt")).to_contain_text("hoose a frame")
    sit(page, address, open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=3))
    expect(page.locator(".prompt")).to_have_text("Smoke at the Ford: choose one")
    page.locator(BUTTONS, has_text="Walk straight in").click()
    mine(page)
    brace = page.locator("li", has=page.locator(".option", has_text="Brace"))
    expect(brace.locator(".odds .price")).to_have_text("costs 1 Action Points")
    expect(brace.locator(".odds .sure")).to_have_text(re.compile("^Defense"))
    expect(brace.locator(".told")).to_contain_text("2 higher until your next turn")
    page.locator(BUTTONS, has_text="Move").first.click()
    expect(page.locator(".prompt")).to_have_text("Move: choose a space to step to")
    expect(page.locator(".deed-now")).not_to_contain_text("Nothing comes of it")


def test_gifts_stand_last(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=3))
    page.locator(BUTTONS, has_text="Walk straight in").click()
    page.mouse.move(2, 2)
    mine(page)
    page.locator(BUTTONS, has_text="pass").click()  # a gift needs a neighbour, so let them come
    mine(page)
    gift = page.locator(".chip.given", has_text="Goblin").first
    expect(gift).to_have_attribute("title", "It would help the others.")
    groups = page.locator(".options > li")
    wait(page, lambda: "Give Gold" in groups.nth(groups.count() - 2).inner_text())
    assert "pass" in groups.last.inner_text()


def test_friends_stand_behind_foes_before_any_odds(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    page.route("**/odds?*", lambda route: route.fulfill(json={"version": -1, "options": []}))
    made = open_table(address, "friends", [{"kind": "you"}])
    sit(page, address, made)
    mine(page)
    offered = [option["text"] for option in state(address, made)["decision"]["options"]]
    assert offered[0].endswith("Hit: Friend 2")
    chips = page.locator(".options .chip b").all_inner_texts()
    assert chips[:3] == ["Foe 1", "Foe 2", "Friend 2"]


def test_a_stranger_leads_people_not_companies(visitor: Visitor, address: str) -> None:
    page = visitor(stranger=True)
    sit(page, address, open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=3))
    led = page.locator(".welcome-card dt", has_text="You lead").locator("+ dd")
    expect(led).to_have_text("Raven")
