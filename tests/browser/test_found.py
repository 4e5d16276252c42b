"""What players stumbled over, each kept mended."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.kit import (
    BUTTONS,
    Visitor,
    against_bots,
    call,
    click_on,
    mine,
    open_table,
    reached,
    sit,
    state,
    version,
    wait,
)

pytestmark = pytest.mark.browser

HUES = """[...document.querySelectorAll('.token')].map((t) =>
  [t.dataset.key, t.style.getPropertyValue('--hue')])"""


def test_your_tables_are_found_however_many_there_are(page: Page, address: str) -> None:
    made = against_bots(address, "everything")
    sit(page, address, made)
    for seed in range(55):
        open_table(address, "everything", [{"kind": "you"}, {"kind": "you"}], seed=seed)
    assert made["table"] not in [t["table"] for t in call(address, "/api/tables")]
    page.goto(f"{address}/#/")
    page.get_by_role("link", name="Resume Kitchen sink").first.click()
    page.wait_for_selector(f"main.table[data-table='{made['table']}']")


def test_a_secret_leaves_the_address_and_the_seat_stays(page: Page, address: str) -> None:
    made = against_bots(address, "everything")
    sit(page, address, made)
    assert "token" not in page.url
    page.reload()
    page.wait_for_selector("main.table .prompt")
    assert state(address, made)["seat"] == 0
    expect(page.locator(".decision")).not_to_contain_text("You are watching")


def test_two_people_at_one_screen_hand_it_over(page: Page, address: str) -> None:
    page.goto(f"{address}/#/new/everything")
    page.get_by_label("Who plays seat 2").select_option("you")
    page.get_by_label("Name of seat 1").fill("Ada")
    page.get_by_label("Name of seat 2").fill("Bo")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("main.table .prompt")
    handed = 0
    for turn in range(40):
        page.wait_for_selector("main.mine .decision:not(.busy):not(.fresh), .handover, main.over")
        if page.locator(".handover").count():
            name = page.locator(".handover h2").inner_text().split(" ")[0]
            page.get_by_role("button", name=f"I am {name}").click()
            page.wait_for_selector("main.mine .decision")
            handed += 1
        elif page.locator("main.over").count() or handed > 2:
            break
        else:
            click_on(page, turn, 1, BUTTONS, ".handover")
    assert handed > 1


def test_an_invitation_can_be_found_again(page: Page, address: str) -> None:
    page.goto(f"{address}/#/new/everything")
    page.get_by_label("Who plays seat 2").select_option("invite")
    page.get_by_label("Name of seat 2").fill("Bo")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("main.table .prompt")
    again = page.context.new_page()
    again.goto(page.url)
    again.wait_for_selector("main.table .prompt")
    again.get_by_role("button", name="Share").click()
    assert "token=" in again.get_by_label("For Bo").input_value()
    again.get_by_role("button", name="Code").first.click()
    expect(again.locator(".qr")).to_be_visible()


def test_the_skip_link_leads_to_the_table(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "everything"))
    url = page.url
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.url == url
    assert page.evaluate("document.activeElement.id") == "main"
    expect(page.locator("main.table")).to_have_count(1)


def test_sides_keep_their_colours(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "vigil", seed=2))
    mine(page)
    before = dict(page.evaluate(HUES))
    click_on(page, 3, 60, BUTTONS)
    after = dict(page.evaluate(HUES))
    assert after
    assert all(before[key] == hue for key, hue in after.items() if key in before)


def test_no_control_lies_over_a_space(page: Page, address: str) -> None:
    for name in ("penance-2", "raven-road"):
        sit(page, address, against_bots(address, name))
        mine(page)
        camera, board = page.locator(".camera").bounding_box(), page.locator(".map").bounding_box()
        assert camera is not None
        assert board is not None
        assert camera["y"] + camera["height"] <= board["y"] + 1, name


def test_why_not_leaves_out_what_is_on_offer(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "raven-road", seed=5))
    click_on(page, 1, 1, BUTTONS)
    wait(page, lambda: version(page) >= 1)
    mine(page)
    offered = {re.sub(r"^\d+\s*", "", t).split("\n")[0] for t in page.locator(BUTTONS).all_inner_texts()}
    page.locator(".missing summary").click()
    asked = set(page.locator(".missing .chip").all_inner_texts())
    assert asked
    assert not asked & offered
    assert not any(text.startswith(name) for name in asked for text in offered)


def test_a_deed_of_which_nothing_comes_says_so_and_is_dimmed(page: Page, address: str) -> None:
    made = open_table(address, "vain", [{"kind": "you"}], seed=5)
    sit(page, address, made)
    for _ in range(2):  # the second time the well is dry
        mine(page)
        page.locator(BUTTONS, has_text="Pump").first.click()
    mine(page)
    expect(page.locator(BUTTONS, has_text="Pump").first).to_have_class(re.compile("idle"))
    expect(page.locator(".deed-now")).to_contain_text("Nothing comes of it")


def test_the_reconnect_notice_goes_when_the_line_is_back(page: Page, address: str) -> None:
    page.add_init_script(
        "window.sockets = []; const Real = WebSocket; window.WebSocket = class extends Real {"
        " constructor(...a) { super(...a); window.sockets.push(this); } };"
    )
    sit(page, address, against_bots(address, "everything"))
    wait(page, lambda: page.evaluate("window.sockets.length === 1 && window.sockets[0].readyState === 1"))
    page.evaluate("window.sockets.at(-1).close()")
    expect(page.locator("#notice.shown")).to_contain_text("The connection is gone")
    expect(page.locator("#notice.shown")).to_have_count(0)


def test_a_book_opened_by_name_is_a_table_at_once(page: Page, address: str) -> None:
    page.goto(f"{address}/#/play/raven-road")
    page.wait_for_selector("main.table .options button")
    assert "/table/" in page.url


def test_a_stranger_is_told_how_it_goes(visitor: Visitor, address: str) -> None:
    page = visitor(stranger=True)
    sit(page, address, against_bots(address, "raven-road"))
    card = page.locator(".welcome-card")
    expect(card).to_contain_text("You lead")
    expect(card).to_contain_text("Endings")
    card.get_by_role("button", name="Begin").last.click()
    expect(page.locator(".welcome-card")).to_have_count(0)
    page.reload()
    page.wait_for_selector("main.table .prompt")
    expect(page.locator(".welcome-card")).to_have_count(0)


def test_words_between_players(visitor: Visitor, address: str) -> None:
    made = open_table(
        address, "everything", [{"kind": "you", "name": "Ada"}, {"kind": "invite", "name": "Bo"}]
    )
    ada, bo = visitor(), visitor()
    sit(ada, address, made, 0)
    sit(bo, address, made, 1)
    for page in (ada, bo):
        page.get_by_role("button", name="Talk").click()
    expect(ada.locator(".players li.yes")).to_have_count(2)
    bo.get_by_label("Say something").fill("<b>hello</b>")
    bo.get_by_role("button", name="Say", exact=True).click()
    expect(ada.locator(".said p")).to_have_text("Bo <b>hello</b>")
    expect(ada.locator(".said p b")).to_have_count(1)  # the name: words are never markup


def test_a_replay_goes_on_as_a_new_table(page: Page, address: str) -> None:
    made = open_table(address, "everything", [{"kind": "you", "name": "Ada"}, {"kind": "bot"}], seed=8)
    sit(page, address, made)
    click_on(page, 3, 600)
    page.goto(f"{address}/#/replay/{made['table']}")
    page.get_by_label("Choice").fill("4")
    expect(page.locator("output")).to_have_text(re.compile(r"^4 of"))
    page.get_by_role("button", name="Go on from here").click()
    page.wait_for_selector("main.table.playing .prompt")
    assert made["table"] not in page.url
    wait(page, lambda: version(page) >= 4)
    click_on(page, 3, 1, BUTTONS)


CONTRASTS = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const parts = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => parts(colour).slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  return [...document.querySelectorAll('.map text')].filter((t) => t.textContent.trim()).map((t) => {
    // Every text of the map stands on a rim of its own, whatever lies under it.
    const { fill, stroke, strokeWidth } = getComputedStyle(t);
    const under = stroke !== 'none' && parseFloat(strokeWidth) > 0 ? stroke
      : getComputedStyle(t.closest('.token')?.querySelector('.disc') || t.ownerSVGElement).fill;
    const [a, b] = [light(fill), light(under)].sort((x, y) => y - x);
    return [t.textContent, (a + 0.05) / (b + 0.05)];
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["vigil", "raven-road", "penance-2", "p52"])
def test_words_on_the_map_can_be_read(visitor: Visitor, address: str, name: str, scheme: Any) -> None:
    page = visitor(reduced_motion="reduce", color_scheme=scheme)
    sit(page, address, against_bots(address, name, seed=5))
    click_on(page, 5, 12, BUTTONS, ".token")
    mine(page)
    found = page.evaluate(CONTRASTS)
    assert found
    assert not [text for text, contrast in found if contrast < 4.5], found


def test_a_phone_stays_at_its_tab_and_the_log_at_its_newest_line(visitor: Visitor, address: str) -> None:
    page = visitor(viewport={"width": 360, "height": 560}, has_touch=True, reduced_motion="reduce")
    made = open_table(address, "everything", [{"kind": "you"}, {"kind": "you"}], seed=5)
    sit(page, address, made)
    page.locator(".tabs").get_by_role("button", name="Log").tap()
    for _ in range(20):  # whoever's turn it is: the page only looks on
        now = next(one for one in (state(address, made, seat) for seat in (0, 1)) if one["decision"]["mine"])
        wish = {"token": made["seats"][now["seat"]]["token"], "version": now["version"], "option": 0}
        call(address, f"/api/tables/{made['table']}/choices", wish)
    reached(page, 20)
    expect(page.locator("main")).to_have_attribute("data-tab", "log")
    lines = page.locator(".lines")
    assert lines.evaluate("l => l.scrollHeight > l.clientHeight + 40")  # there is something to scroll
    wait(page, lambda: lines.evaluate("l => l.scrollHeight - l.scrollTop - l.clientHeight < 4"))


def test_a_stranger_has_a_name_of_their_own(page: Page, address: str) -> None:
    """Two who gave no name are told apart, and nobody is called You by others."""
    page.goto(f"{address}/#/new/everything")
    page.get_by_label("Who plays seat 2").select_option("invite")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("main.table .prompt")
    table = page.locator("main").get_attribute("data-table")
    names = [player["name"] for player in call(address, f"/api/tables/{table}")["players"]]
    assert len(set(names)) == 2
    assert "You" not in names


def test_the_corner_of_a_card_has_one_meaning(visitor: Visitor, address: str) -> None:
    for name in ("penance-1", "penance-2", "p52"):
        page = visitor(reduced_motion="reduce")
        sit(page, address, against_bots(address, name, seed=5))
        click_on(page, 5, 12, BUTTONS)
        mine(page)
        named = page.locator(".hand .corner small").all_text_contents()
        assert len(set(named)) <= 1, (name, named)
        if not named:
            assert name == "p52"
