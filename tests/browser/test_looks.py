"""How books look: what they bring themselves, what they get without that; maps, marks, dice, facing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.kit import BUTTONS, Visitor, against_bots, click_on, mine, open_table, playable, sit, state, wait

pytestmark = pytest.mark.browser
GROUND = """() => [...document.querySelectorAll('.space')].map((s) => ({
  tint: s.getAttribute('class').split(' ').find((c) => /^t\\d|^plain/.test(c)) || '',
  texture: (s.querySelector('.grain') || { style: { fill: '' } }).style.fill }))"""
TURNED = """() => [...document.querySelectorAll('.token')].filter((t) => t.querySelector('.nose')).map((t) =>
  [+t.dataset.key.slice(1), +t.querySelector('.nose').style.transform.replace(/[^-\\d.]/g, '')])"""
SHAPES = """() => [...document.querySelectorAll('.stage .die')].map((d) =>
  [d.getAttribute('aria-label') || d.title, (d.querySelector('.body') || d).outerHTML])"""


def test_every_shipped_book_brings_its_looks(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".spine")
    for book in playable(address):
        looks = book["looks"]
        if book["name"] == "everything":
            continue
        spine = page.locator(".spine", has=page.get_by_role("heading", name=book["title"], exact=True))
        assert spine.locator(".cover-icon").count() == len(looks["cover"]) >= 3, book["name"]
        assert looks["accent"]
        assert looks["icons"]
        assert looks["tints"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_table_has_the_colour_of_its_book(visitor: Visitor, address: str, scheme: Any) -> None:
    page = visitor(color_scheme=scheme)
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--accent')"
    page.goto(address)
    page.wait_for_selector(".spine")
    usual = page.evaluate(colour)
    sit(page, address, against_bots(address, "pace"))
    assert page.evaluate(colour) != usual
    assert page.evaluate("document.documentElement.style.getPropertyValue('--book')") == "#20608a"
    page.goto(f"{address}/#/")
    page.wait_for_selector(".spine")
    assert page.evaluate(colour) == usual


def test_icons_glyphs_and_pictures_of_a_book(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "pace"))
    mine(page)
    expect(page.locator(".token[data-key=a0] .sign")).to_have_text("♞")
    lamp = page.locator(".token[data-key=a1] .token-icon path")
    expect(lamp).to_have_attribute("d", "M9 3h6l3 9H6zM12 12v8M8 20h8")
    bog = page.locator(".space.t3")
    expect(bog).to_have_count(2)
    assert "tx-ripples" in (bog.first.locator(".grain").get_attribute("style") or "")
    expect(page.locator(".legend li")).to_have_text(["Bog"])
    expect(page.locator(".part text")).to_have_text(["Start"])


def test_kinds_of_ground_differ_and_stand_in_the_legend(visitor: Visitor, address: str) -> None:
    for book in [b["name"] for b in playable(address) if b["maps"]] + ["yard"]:
        page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        sit(page, address, against_bots(address, book, seed=7))
        click_on(page, 3, 20, BUTTONS, ".space .grain")
        mine(page)
        ground: list[dict[str, str]] = page.evaluate(GROUND)
        drawn = {(g["tint"], g["texture"]) for g in ground if g["tint"] and g["tint"] != "plain"}
        assert all(texture for _, texture in drawn), (book, drawn)
        legend = page.locator(".legend li").all_text_contents()
        assert len(legend) == min(8, len(set(legend))) == min(8, len(drawn)), (book, legend, drawn)
        page.context.close()


def test_a_wedge_shows_where_somebody_looks(visitor: Visitor, address: str) -> None:
    for book, angle in (("penance-1", 60), ("penance-2", 60), ("raven-road", 45)):
        page = visitor(reduced_motion="reduce")
        made = against_bots(address, book, seed=5)
        sit(page, address, made)
        click_on(page, 5, 12, BUTTONS, ".nose")
        mine(page)
        turned: list[tuple[int, float]] = page.evaluate(TURNED)
        actors = state(address, made)["view"]["actors"]
        assert turned, book
        assert all(at == actors[actor]["facing"] * angle for actor, at in turned), (book, turned)
        page.context.close()


def test_dice_look_like_themselves(visitor: Visitor, address: str) -> None:
    page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    sit(page, address, against_bots(address, "yard", seed=3))
    mine(page)
    page.locator(BUTTONS, has_text="Roll Everything").click()
    shapes = dict[str, str]()

    def rolled() -> bool:
        for label, body in page.evaluate(SHAPES):
            if found := re.match(r"\d+ on a (d\d+)\b", label):
                shapes[found[1]] = body
        return {"d4", "d6", "d8", "d10", "d12", "d20", "d100"} <= set(shapes)

    for turn in range(12):
        if rolled() or page.locator("main.over").count():
            break
        mine(page)
        click_on(page, turn, 1, BUTTONS)
        page.wait_for_timeout(100)
    if not rolled():
        page.locator(".lines .deed", has_text="Roll Everything").last.click()
        page.wait_for_timeout(50)
        for die in page.locator(".lines .die").all():
            label = die.get_attribute("aria-label") or ""
            if found := re.match(r"\d+ on a (d\d+)\b", label):
                shapes[found[1]] = die.locator(".body").evaluate("e => e.outerHTML")
    assert {"d4", "d6", "d8", "d10", "d12", "d20", "d100"} <= set(shapes)
    assert len(set(shapes.values())) == len(shapes)


def test_symbol_dice_show_their_symbols(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    sit(page, address, against_bots(address, "yard", seed=3))
    mine(page)
    page.locator(".options .group", has_text="Shove").locator(".chip").first.click()
    wait(page, lambda: page.locator(".lines .die.symbol").count() >= 2)
    label = page.locator(".lines .die.symbol").first.get_attribute("aria-label") or ""
    assert re.match(r"(STAR|MOON|CLOUD), a die with 3 faces", label)


def test_marks_are_pieces_in_the_colours_of_their_owners(visitor: Visitor, address: str) -> None:
    page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    seats = [{"kind": "you", "name": "Ada"}, {"kind": "bot", "bot": "easy"}]
    sit(page, address, open_table(address, "tic-tac-toe", seats, seed=2))
    for _ in range(2):
        mine(page)
        page.locator(".space.lit").first.click()
    mine(page)
    pieces = page.locator(".mark-piece.piece")
    count = pieces.count()
    assert count >= 3
    colours = set(pieces.evaluate_all("all => all.map((p) => p.style.getPropertyValue('--mark'))"))
    assert len(colours) == 2
    boxes = [box for piece in pieces.all() if (box := piece.bounding_box())]
    assert all(box["width"] >= 36 for box in boxes)
    for n, a in enumerate(boxes):
        for b in boxes[n + 1 :]:
            apart = abs(a["x"] - b["x"]) >= a["width"] - 2 or abs(a["y"] - b["y"]) >= a["height"] - 2
            assert apart, (a, b)
    assert page.locator(".token").count() == 0  # nobody stands anywhere
