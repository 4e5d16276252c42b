"""A place to meet: seats that change hands, play over days, choosing at once, words, several seats."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.kit import BUTTONS, Visitor, call, click_on, mine, open_table, reached, sit, state, version, wait

pytestmark = pytest.mark.browser

TWO = [{"kind": "you", "name": "Ada"}, {"kind": "invite", "name": "Bo"}]


def calm(visitor: Visitor) -> Page:
    return visitor(reduced_motion="reduce")


def test_a_free_seat_is_taken_from_the_shelf(visitor: Visitor, address: str) -> None:
    ada, bo = calm(visitor), calm(visitor)
    ada.goto(f"{address}/#/new/everything")
    ada.get_by_label("Name of seat 1").fill("Ada")
    ada.get_by_label("Who plays seat 2").select_option("open")
    ada.get_by_role("button", name="Open the table").click()
    ada.wait_for_selector("main.table .prompt")
    table = ada.url.split("/table/")[1]
    bo.goto(address)
    bo.get_by_label("Your name").fill("Bo")
    row = bo.locator("#open ~ .rows li").first
    expect(row).to_contain_text("a free seat")
    row.get_by_role("button", name="Join Kitchen sink").click()
    bo.wait_for_selector(f"main.table[data-table='{table}'] .prompt")
    assert "token" not in bo.url
    # Whoever sat there already sees who has come, and the match goes on between them.
    ada.get_by_role("button", name="Talk").click()
    expect(ada.locator(".players li", has_text="Bo")).to_have_class(re.compile("yes"))
    made = {"table": table}
    for _ in range(6):
        now = state(address, made, None)
        if now["result"]:
            break
        page = (ada, bo)[int(now["waiting"][0])]
        reached(page, now["version"])
        click_on(page, 3, 1, BUTTONS)
        wait(ada, lambda now=now: state(address, made, None)["version"] > now["version"])
    assert state(address, made, None)["version"] >= 4


def test_whoever_watches_may_take_a_free_seat(visitor: Visitor, address: str) -> None:
    made = open_table(address, "everything", [{"kind": "you", "name": "Ada"}, {"kind": "open"}])
    page = calm(visitor)
    page.goto(f"{address}/#/watch/{made['table']}")
    page.get_by_role("button", name="Take seat 2").click()
    wait(page, lambda: "/table/" in page.url)
    page.wait_for_selector("main.table .prompt")
    expect(page.locator(".decision")).not_to_contain_text("You are watching")


def test_a_person_takes_the_place_of_a_bot_and_a_bot_that_of_a_person(visitor: Visitor, address: str) -> None:
    ada, bo = calm(visitor), calm(visitor)
    made = open_table(address, "everything", [{"kind": "you", "name": "Ada"}, {"kind": "bot"}], seed=8)
    sit(ada, address, made)
    click_on(ada, 3, 3, BUTTONS)
    mine(ada)
    before = version(ada)
    ada.get_by_role("button", name="Share").click()
    ada.get_by_label("Who has seat 2").select_option("invite")
    link = ada.locator("dialog[open] .link", has_text="For Seat 2").locator("input")
    bo.goto(link.input_value())
    bo.wait_for_selector("main.table .prompt")
    assert version(bo) == before  # the match goes on where it was
    expect(bo.locator(".decision")).not_to_contain_text("You are watching")
    ada.get_by_label("Who has seat 2").select_option("bot:random")
    ada.get_by_role("button", name="Close", exact=True).click()
    wait(ada, lambda: state(address, made, None)["players"][1]["kind"] == "bot")
    click_on(ada, 3, 6, BUTTONS)
    mine(ada)
    assert version(ada) > before + 3  # the bot plays again


def test_a_match_over_days(visitor: Visitor, address: str) -> None:
    """Nobody stays: whoever comes back is told on the shelf that a table waits, and since when."""
    made = open_table(address, "everything", TWO, seed=8)
    ada = calm(visitor)
    sit(ada, address, made)
    while state(address, made, None)["waiting"] == [0]:
        mine(ada)
        click_on(ada, 1, 1, BUTTONS)
        reached(ada, state(address, made, None)["version"])
    ada.goto(f"{address}/#/")
    waits = ada.locator("#mine ~ .rows li").first
    expect(waits).to_contain_text("waits for Bo since")
    ada.goto("about:blank")
    bo = calm(visitor)
    bo.goto(address + made["seats"][1]["link"])
    bo.wait_for_selector("main.mine .options")
    bo.goto(f"{address}/#/")
    due = bo.locator("#mine ~ .rows li.due")
    expect(due).to_contain_text("your turn")
    wait(bo, lambda: bo.title().startswith("● A table waits for you"))
    due.get_by_role("link", name="Resume").click()
    bo.wait_for_selector("main.mine .options")
    mine(bo)
    was = version(bo)
    click_on(bo, 1, 1, BUTTONS)
    reached(bo, was + 1)


def test_waiting_for_some_of_several_is_drawn(visitor: Visitor, address: str) -> None:
    people = [{"kind": "you" if n == 0 else "invite", "name": name} for n, name in enumerate("ABCD")]
    made = open_table(address, "atonce", people)
    pages = [calm(visitor) for _ in range(2)]
    for seat, page in enumerate(pages):
        sit(page, address, made, seat)
        expect(page.locator(".together li.late")).to_have_count(4)
    for page in pages:
        mine(page)
        page.locator(BUTTONS).first.click()
    for page in pages:
        expect(page.locator(".prompt")).to_contain_text("Waiting for 2 of 4")
        expect(page.locator(".together li.done")).to_have_count(2)
        expect(page.locator(".together li.late")).to_have_text([re.compile("C"), re.compile("D")])
    assert "dig" not in pages[0].locator(".log").inner_text()  # what the others chose stays theirs
    for seat in (2, 3):
        now = state(address, made, seat)
        body = {"token": made["seats"][seat]["token"], "version": now["version"], "option": 1}
        call(address, f"/api/tables/{made['table']}/choices", body)
    expect(pages[0].locator(".together li.late")).to_have_count(4)


def test_quick_words_and_silence(visitor: Visitor, address: str) -> None:
    made = open_table(address, "everything", TWO)
    ada, bo = calm(visitor), calm(visitor)
    sit(ada, address, made, 0)
    sit(bo, address, made, 1)
    bo.get_by_role("button", name="Talk").click()
    bo.get_by_role("button", name="Well played!").click()
    expect(ada.get_by_role("button", name="Talk").locator(".count")).to_have_text("1")
    ada.get_by_role("button", name="Talk").click()
    expect(ada.locator(".said p")).to_have_text("Bo Well played!")
    ada.get_by_label("no words, please").check()
    expect(ada.locator(".said")).to_have_count(0)
    bo.get_by_role("button", name="Good game!").click()
    expect(bo.locator(".said p")).to_have_count(2)
    expect(ada.locator(".talk")).to_contain_text("Words are switched off")
    ada.reload()  # it stays so
    ada.wait_for_selector("main.table .prompt")
    ada.get_by_role("button", name="Talk").click()
    expect(ada.get_by_label("no words, please")).to_be_checked()
    for _ in range(8):  # nobody is flooded with words
        bo.get_by_role("button", name="Hello!").click()
    expect(bo.locator("#notice.shown")).to_contain_text("wait a little")


def test_three_seats_on_one_device(page: Page, address: str) -> None:
    people = [{"kind": "you", "name": name} for name in ("Ada", "Bo", "Cy", "Di")]
    page.goto(f"{address}/#/new/thirteen")
    for number, one in enumerate(people, 1):
        page.get_by_label(f"Who plays seat {number}").select_option("you")
        page.get_by_label(f"Name of seat {number}").fill(one["name"])
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("main.table .prompt")
    sat = set[str]()
    for turn in range(12):
        page.wait_for_selector("main.mine .decision:not(.busy):not(.fresh), .handover, main.over")
        if page.locator("main.over").count():
            break
        if page.locator(".handover").count():
            name = page.locator(".handover h2").inner_text().split(" ")[0]
            sat.add(name)
            assert not page.locator(".handover ~ .hand").count()
            page.get_by_role("button", name=f"I am {name}").click()
            page.wait_for_selector("main.mine .decision")
        else:
            click_on(page, turn, 1, BUTTONS, ".handover")
    assert len(sat) >= 3
