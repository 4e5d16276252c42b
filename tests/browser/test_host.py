"""A host: every word explains itself, an ending tells how and why, the rulebook opens where it is needed."""

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
    click_on,
    mine,
    open_table,
    playable,
    sit,
    state,
    wait,
)

pytestmark = pytest.mark.browser

SILENT = """async (name) => {
  const { book } = await import('/page/api.js'), { explain } = await import('/page/explain.js');
  const b = await book(name), { fields, statuses, zones, endings, things } = b.sheet;
  const words = [...b.actions, ...fields.filter((f) => f.shown).map((f) => f.name), ...endings,
    ...statuses.map((s) => s.name), ...zones.filter((z) => z.shown).map((z) => z.name),
    ...(things.Area || []), ...(things.Terrain || []).flatMap((t) => t.split(/ and |, /))];
  return words.filter((w) => w && !(explain(b, w) || {}).says);
}"""
"""Names on the tables of a book that nothing is said of."""
TIP = "#explains"


PARTS = {"goal": 40, "side": 3, "turn": 80, "end": 30, "terms": 60}
"""What a welcome tells, and the least number of letters that say it."""


def test_every_welcome_tells_goal_side_turn_end_and_three_terms(visitor: Visitor, address: str) -> None:
    page = visitor(stranger=True, reduced_motion="reduce")
    for book in playable(address):
        if book["name"] == "everything":  # a book without any prose
            continue
        sit(page, address, against_bots(address, book["name"]))
        card = page.locator(".welcome-card")
        expect(card).to_be_visible()
        for part, least in PARTS.items():
            told = card.locator(f"dt[data-part={part}] + dd")
            said = " ".join(told.all_inner_texts())
            assert len(said) >= least, (book["name"], part, said)
            assert not re.search(r"[`\\[\]{}_]|undefined", said), (book["name"], part, said)
        assert card.locator("dt[data-part=terms] + dd li").count() >= 3, book["name"]
        ends = card.locator("dt[data-part=end] + dd li").all_inner_texts()
        assert any(len(one) > 25 for one in ends), (book["name"], ends)  # an ending is more than its name


def test_every_word_of_every_book_is_explained(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".spine")
    for book in playable(address):
        if book["name"] != "everything":  # a book without any prose
            assert page.evaluate(SILENT, book["name"]) == [], book["name"]


def test_numbers_statuses_places_and_people_explain_themselves(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=3))
    page.locator(BUTTONS, has_text="Walk straight in").click()
    mine(page)
    for what, says in (
        (".barline >> text=Health", "at 0 you are out"),
        (".num >> text=Defense", "roll has to reach"),
        (".legend li", "takes two steps to enter"),
        (".told >> text=/Defense/", "Defense"),
    ):
        page.locator(what).first.hover()
        expect(page.locator(TIP)).to_contain_text(says)
        page.mouse.move(3, 3)
        expect(page.locator(TIP)).to_have_count(0)
    page.locator(".token", has_text="Goblin 1").hover()
    expect(page.locator(TIP)).to_contain_text(re.compile(r"Goblin 1: Health \d+ of \d+"))
    page.locator(".space[data-space]").nth(24).hover(force=True)
    expect(page.locator(TIP)).to_contain_text(re.compile(r"\dN \dE"))


def test_words_on_cards_are_explained_to_pointer_and_focus(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, against_bots(address, "penance-2", seed=4))
    click_on(page, 2, 60, BUTTONS, ".hand .card .text")
    mine(page)
    page.locator(".hand .card", has_text=re.compile("damage|Heat|SP")).first.hover()
    expect(page.locator(TIP)).to_be_visible()
    page.mouse.move(3, 3)
    pile = page.locator("button.pile").first
    page.keyboard.press("Tab")
    pile.focus()
    expect(page.locator(TIP)).to_be_visible()
    assert pile.get_attribute("aria-describedby") == "explains"
    page.keyboard.press("Escape")
    expect(page.locator(TIP)).to_have_count(0)


def test_a_long_press_explains_and_chooses_nothing(visitor: Visitor, address: str) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    made = open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=3)
    sit(page, address, made)
    page.locator(BUTTONS, has_text="Walk straight in").tap()
    mine(page)
    token = page.locator(".token", has_text="Goblin 1")
    box = token.locator(".disc").bounding_box()
    assert box is not None
    touch: Any = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    before = state(address, made)["version"]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator(TIP)).to_contain_text("Goblin 1")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(400)
    assert state(address, made)["version"] == before


def test_all_words_of_a_table_by_keyboard(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, against_bots(address, "vigil", seed=2))
    click_on(page, 2, 12, BUTTONS)
    mine(page)
    page.keyboard.press("?")
    words = page.get_by_role("dialog", name="Words of this table")
    expect(words.locator("dt", has_text=re.compile("^HP$"))).to_have_count(1)
    assert words.locator("dd").count() > 15
    words.get_by_role("button", name=re.compile("^Read the rule of")).first.click()
    expect(page.locator(".drawer .fired")).to_be_in_viewport()


def test_what_nothing_would_come_of_says_so(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, open_table(address, "vain", [{"kind": "you"}], seed=5))
    pump = page.locator(BUTTONS, has_text="Pump").first
    pump.click()
    page.mouse.move(3, 3)
    mine(page)
    expect(pump).to_have_attribute("title", "Nothing would come of it now.")  # the well is dry
    expect(page.locator(".decision .idle-why").first).to_have_text("Nothing would come of it now.")


def test_what_would_only_cost_is_dimmed_with_its_reason(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, open_table(address, "vigil", [{"kind": "you"}], seed=9))
    for wanted in ("Brynja", "Eir", "Ketill", "Player Front 1", "Player Back 1", "Player Back 2"):
        answer(page, f".options button:has-text('{wanted}')")
    expect(page.locator(".prompt")).to_have_text("Ketill: choose an action")
    page.mouse.move(3, 3)
    poultice = page.locator(".chip", has_text="Standard Healing Poultice")
    expect(poultice).to_have_attribute("title", "Nothing would come of it now but its price.")
    expect(poultice).to_have_class(re.compile("idle"))
    expect(page.locator(".chip", has_text="Frenzy-Brew")).not_to_have_class(re.compile("idle"))


def test_what_helps_most_stands_first(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=3))
    page.locator(BUTTONS, has_text="Walk straight in").click()
    page.mouse.move(3, 3)
    mine(page)
    heads = page.locator(".options > li")
    wait(page, lambda: "Precise Shot" in heads.first.inner_text())
    texts = heads.all_inner_texts()
    assert [n for n, text in enumerate(texts) if "Strike" in text] < [
        n for n, text in enumerate(texts) if "Move" in text
    ]


def test_an_ending_tells_how_why_and_what_next(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    made = open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=4)
    # Odds put options in order whenever they come: without them the same clicks make the same match.
    page.route("**/odds?*", lambda route: route.fulfill(json={"version": -1, "options": []}))
    sit(page, address, made)
    click_on(page, 7, 2000)
    page.wait_for_selector("main.over .ending")
    result = state(address, made)["result"]
    won = result["scores"][0] == 1
    expect(page.locator(".prompt")).to_contain_text("You won" if won else "You lost")
    assert "You lost: Victory" not in page.locator(".decision").inner_text()
    expect(page.locator(".ending .how")).not_to_be_empty()
    expect(page.locator(".key-deeds li").first).to_be_visible()
    expect(page.locator(".ending .chart path.curve").first).to_be_attached()
    expect(page.locator(".ending .luck")).to_contain_text("is to be expected")
    turning = page.locator(".turning")
    expect(turning).to_contain_text(re.compile(r"Your chance to win went from \d+ % to \d+ %"))
    expect(turning.locator("b")).not_to_be_empty()
    with page.expect_download():
        page.locator(".ending").get_by_role("link", name="Download").click()
    turning.get_by_role("link", name="See it").click()
    expect(page.locator("output")).to_have_text(re.compile(r"^\d+ of \d+$"))
    page.go_back()
    page.get_by_role("button", name="Play again").click()
    wait(page, lambda: made["table"] not in page.url and "/table/" in page.url)
    page.wait_for_selector("main.mine .options button")


def test_the_rulebook_has_contents_search_and_the_rule_of_the_decision(
    visitor: Visitor, address: str
) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, against_bots(address, "vigil", seed=2))
    mine(page)
    page.keyboard.press("r")
    drawer = page.locator(".drawer")
    expect(drawer.locator(".fired")).to_be_in_viewport()
    expect(drawer.locator(".rulebook.folded")).to_have_count(1)  # code is folded away
    rule, tools, pages = (drawer.locator(x).first.bounding_box() for x in (".fired", ".book-tools", ".pages"))
    assert rule
    assert tools
    assert pages
    assert rule["y"] >= tools["y"] + tools["height"]  # the rule is seen whole, below what stays at the top,
    assert tools["width"] >= pages["width"]  # and nothing shows at the side of that
    chapters = drawer.get_by_label("Chapter").locator("option")
    assert chapters.count() > 5
    drawer.get_by_label("Chapter").select_option(index=3)
    expect(drawer.locator(".fired")).to_be_in_viewport()
    drawer.get_by_label("Search the rules").fill("Parry")
    expect(drawer.locator("small[role=status]")).to_have_text(re.compile(r"^1 of \d+$"))
    expect(drawer.locator(".fired")).to_contain_text(re.compile("parry", re.I))
    drawer.get_by_label("Search the rules").press("Enter")
    expect(drawer.locator("small[role=status]")).to_have_text(re.compile(r"^2 of \d+$"))
    drawer.get_by_label("as the machine reads it").check()
    expect(drawer.locator(".rulebook.folded")).to_have_count(0)


def test_no_prompt_and_no_option_shows_a_variable(page: Page, address: str) -> None:
    """What a rule calls that which is chosen (`target`, `goal`, `part`) is no word for people."""
    for book in playable(address):
        if book["name"] == "everything":
            continue
        made = against_bots(address, book["name"], seed=3)
        sit(page, address, made)
        for turn in range(14):
            mine(page)
            if page.locator("main.over").count():
                break
            prompt = state(address, made)["decision"]["prompt"]
            shown = page.locator(".prompt").inner_text()
            assert "{" not in shown, shown
            assert not re.search(r"choose list|: choose \w+$(?<!one)(?<!who)", shown), shown
            verbs = page.locator(".options .verb").all_inner_texts()
            assert prompt not in verbs, (book["name"], prompt, verbs)
            click_on(page, turn + 5, 1, BUTTONS)
