"""The shelf and the form for a new table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.kit import Visitor, against_bots, call, click_on, open_table, playable, reached, sit, state

pytestmark = pytest.mark.browser


def test_the_shelf_tells_of_every_book(page: Page, address: str) -> None:
    page.goto(address)
    books = call(address, "/api/books")
    expect(page.locator(".spine")).to_have_count(len(books))
    expect(page.locator(".spine").first.locator(".good-start")).to_have_text("good to begin with")
    for book in books:
        spine = page.locator(".spine", has=page.get_by_role("heading", name=book["title"], exact=True))
        expect(spine.locator(".summary")).to_have_text(book["summary"])
        facts = spine.locator(".facts").inner_text()
        if book["rules_only"]:
            expect(spine.get_by_role("button")).to_have_count(0)
        else:
            assert "player" in facts
            assert book["length"] in facts
            expect(spine.get_by_role("button", name="Play")).to_be_visible()


def test_covers_stand_while_books_are_read(page: Page, address: str) -> None:
    """What the server still reads is shown with its cover, and can be played as soon as it is read."""
    books = call(address, "/api/books")
    name = next(b["name"] for b in books if not b["rules_only"])
    empty = {key: [] for key in ("seats", "bots", "maps", "options")}
    unread = {**empty, "digest": "", "guided": False, "reading": True}
    half = [{**b, **unread} if b["name"] == name else b for b in books]
    answers = [half, half, books]
    page.route("**/api/books?wait=*", lambda route: route.fulfill(json=answers.pop(0)))
    page.goto(address)
    expect(page.locator(".spine")).to_have_count(len(books))
    expect(page.get_by_text("This book is being read")).to_have_count(1)
    expect(page.get_by_text("This book is being read")).to_have_count(0)
    expect(page.get_by_role("button", name="Play")).to_have_count(sum(not b["rules_only"] for b in books))
    assert answers == []


def test_a_match_against_a_bot_is_two_clicks_away(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".spine", has_text="edition 1").get_by_role("button", name="Play").click()
    page.wait_for_selector("main.mine .options button")
    page.locator(".options button").first.click()
    reached(page, 1)
    table = page.url.split("/table/")[1].split("?")[0]
    assert [s["kind"] for s in state(address, {"table": table}, None)["players"]] == ["you", "bot"]


def test_a_table_is_set_up_as_wished(page: Page, address: str, visitor: Visitor) -> None:
    book = next(b for b in playable(address) if b["name"] == "penance-1")
    page.goto(f"{address}/#/new/{book['name']}")
    page.get_by_label("Players").select_option("3")
    offered = page.get_by_label("Who plays seat 3").locator("option").all_inner_texts()
    assert [text for text in offered if text.startswith("Bot: ")] == [f"Bot: {bot}" for bot in book["bots"]]
    page.get_by_label("Name of seat 1").fill("Ada")
    page.get_by_label("Who plays seat 2").select_option("invite")
    page.get_by_label("Name of seat 2").fill("Bo")
    page.get_by_label("Who plays seat 3").select_option("bot:random")
    page.get_by_label("Basic Actions").select_option("on")
    page.get_by_label("Seed").fill("4711")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("main.table")
    table = page.url.split("/table/")[1].split("?")[0]
    players = state(address, {"table": table}, None)["players"]
    assert [(p["kind"], p["name"]) for p in players][:2] == [("you", "Ada"), ("invite", "Bo")]
    assert (players[2]["kind"], players[2]["bot"]) == ("bot", "random")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("For Bo").input_value()
    guest = visitor()
    guest.goto(link)
    guest.wait_for_selector("main.table .prompt")
    expect(guest.locator(".decision")).not_to_contain_text("You are watching")


def test_tables_can_be_come_back_to_watched_and_replayed(page: Page, address: str, visitor: Visitor) -> None:
    made = against_bots(address, "everything")
    sit(page, address, made)
    over = open_table(address, "everything", [{"kind": "you"}, {"kind": "bot"}], seed=8)
    sit(page, address, over)
    click_on(page, 3, 600)
    page.goto(f"{address}/#/")
    page.get_by_role("link", name="Resume Kitchen sink").first.click()
    page.wait_for_selector("main.table .options, main.table .prompt")
    page.goto(f"{address}/#/")
    expect(page.get_by_role("link", name="Replay of Kitchen sink").first).to_be_visible()
    stranger = visitor()
    stranger.goto(address)
    stranger.get_by_role("link", name="Watch Kitchen sink").first.click()
    expect(stranger.locator(".decision")).to_be_visible()
    assert "token" not in stranger.url


def test_a_book_can_be_read(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Read Vigil").click()
    expect(page.locator(".rulebook h1").first).to_be_visible()
    assert page.locator(".rulebook pre.rules").count() > 20
