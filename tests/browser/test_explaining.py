"""Options that explain themselves, why in figures, the welcome and the guided first match."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.kit import Visitor, answer, call, open_table, sit

pytestmark = pytest.mark.browser


def heroes(address: str, page: Page) -> None:
    """A table of Vigil at the first act of a hero."""
    made = open_table(address, "vigil", [{"kind": "you", "name": "Ada"}], 5, {"Encounter": "Scrapyard Gate"})
    token, table = made["seats"][0]["token"], made["table"]
    for wanted in ("lead Brynja", "lead Ketill", "lead Grima", "stand at Player Front 1"):
        choose(address, table, token, wanted)
    choose(address, table, token, "stand at Player Back 1")
    choose(address, table, token, "stand at Player Back 2")
    sit(page, address, made)


def choose(address: str, table: str, token: str, words: str) -> None:
    state = call(address, f"/api/tables/{table}?token={token}")
    option = next(o["index"] for o in state["decision"]["options"] if o["text"] == words)
    wish = {"token": token, "version": state["version"], "option": option}
    call(address, f"/api/tables/{table}/choices", wish)


def test_chances_stand_beside_options_and_on_the_map(visitor: Visitor, address: str) -> None:
    page = visitor()
    heroes(address, page)
    dart = page.locator(".group", has_text="Aether Dart").locator(".chip", has_text="Scrap-Hound 1")
    expect(dart.locator(".likely-word")).to_have_text(re.compile(r"^\d+ %$"))
    stance = page.locator(".group", has_text="Change Stance").first
    expect(stance.locator(".verb .price")).to_have_text("costs your Free Action")
    dart.hover()
    closely = page.locator(".closely")
    expect(closely.locator("li").first).to_contain_text(re.compile(r"\d+ %: Scrap-Hound 1 loses \d+"))
    expect(page.locator(".foreseen text").first).to_contain_text("HP")
    page.mouse.move(2, 2)
    expect(closely).to_have_count(0)


def test_why_is_a_sum_first(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    heroes(address, page)
    answer(page, ".group:has-text('Aether Dart') .chip:has-text('Scrap-Hound 1')")
    expect(page.locator(".caption .reckoned").first).to_contain_text(re.compile(r"\d"))
    page.locator(".log .deed", has_text="Aether Dart").locator(".cite:visible").first.click()
    first = page.locator(".because .sums dd").first
    expect(first.locator("b")).to_contain_text(re.compile(r"\d"))
    expect(first.locator("span")).not_to_be_empty()


def test_a_stranger_is_told_the_goal_without_notation(visitor: Visitor, address: str) -> None:
    page = visitor(stranger=True)
    sit(page, address, open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], 3))
    card = page.locator(".welcome-card")
    expect(card).to_contain_text("You lead Raven, a scout")
    endings = card.locator("dt", has_text="Endings").locator("+ dd")
    named = endings.locator("li b").all_inner_texts()
    assert named == ["The Road Is Free", "Slipped Past", "The Raven Falls"]
    expect(endings).to_contain_text("The Raven Falls: Both of you are down")
    assert "`" not in card.inner_text()
    assert "what must be true" not in card.inner_text()


GUIDED = {"The Raven Road": 15, "Vigil": 15}
"""Guides that lead to the end, and the least number of choices."""
BEGUN = {"edition 1": 21, "second edition": 27, "P52": 35}
"""Guides for the first rounds; after them the match is the player's own."""


def guided(page: Page, address: str, title: str, most: int) -> int:
    """Follow a guide from the shelf; the number of choices."""
    page.goto(address)
    page.get_by_role("button", name=re.compile(f"^A guided first match of .*{title}$")).click()
    expect(page.locator(".advice")).to_be_visible()
    steps = 0
    while steps < most and not page.locator("main.over").count():
        page.wait_for_selector(".decision:not(.fresh) .options button.advised:not(.busy *), main.over")
        if page.locator("main.over").count():
            break
        answer(page, ".options button.advised")
        steps += 1
    return steps


@pytest.mark.parametrize("title", GUIDED)
def test_a_guided_match_from_the_shelf_to_its_end(visitor: Visitor, address: str, title: str) -> None:
    page = visitor(reduced_motion="reduce")
    steps = guided(page, address, title, 60)
    assert GUIDED[title] <= steps < 60
    expect(page.locator("h2.prompt")).to_contain_text("You won")
    expect(page.locator(".advice")).to_be_visible()  # the last words


@pytest.mark.parametrize("title", BEGUN)
def test_a_guided_beginning_from_the_shelf(visitor: Visitor, address: str, title: str) -> None:
    page = visitor(reduced_motion="reduce")
    assert guided(page, address, title, BEGUN[title]) == BEGUN[title]
    page.wait_for_selector("main.mine .decision:not(.busy):not(.fresh)")
    expect(page.locator(".advice")).to_contain_text("yours")
    expect(page.locator(".options button.advised")).to_have_count(0)


def test_whoever_strays_goes_on_alone(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    page.goto(address)
    page.get_by_role("button", name="A guided first match of The Raven Road").click()
    expect(page.locator(".options button.advised")).to_have_count(1)
    answer(page, ".options button:has-text('B) Creep')")
    expect(page.locator(".advice")).to_contain_text("your own way")
    page.locator(".advice button").click()
    expect(page.locator(".advice")).to_have_count(0)


def test_a_deed_is_told_by_what_is_about_it(page: Page, address: str) -> None:
    """Move and Balance are among a hero's numbers, Move is something to do as well: of that the list of
    actions tells. A sentence that only names Balance explains the number, and is no help to whoever acts."""
    page.goto(address)
    page.wait_for_selector(".spine")
    move, balance, deed = page.evaluate(
        """async () => {
          const { book } = await import('/page/api.js');
          const { explain, explainDeed } = await import('/page/explain.js');
          const b = await book('p52');
          const says = (told) => (told || {}).says || '';
          return [says(explainDeed(b, 'Move')), says(explain(b, 'Balance')), says(explainDeed(b, 'Balance'))];
        }"""
    )
    assert move.startswith("Walk up to your Movement")
    assert balance.startswith("Five numbers")
    assert not deed
