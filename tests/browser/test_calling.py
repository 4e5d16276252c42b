"""Your turn, told to whoever looks elsewhere: a sound, a message of the browser. Links to share."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.kit import Visitor, call, click_on, mine, open_table, sit, state, wait

pytestmark = pytest.mark.browser

EARS = """
window.sounds = 0; window.asked = 0; window.messages = []; window.shared = [];
window.AudioContext = class {
  constructor() { this.currentTime = 0; this.destination = {}; window.sounds += 1; }
  createOscillator() { return { frequency: {}, connect: (to) => to, start() {}, stop() {} }; }
  createGain() {
    return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to };
  }
  close() {}
};
window.Notification = class {
  static permission = "default";
  static async requestPermission() { window.asked += 1; return (this.permission = "granted"); }
  constructor(text) { window.messages.push(text); }
};
navigator.share = async (what) => { window.shared.push(what); };
"""
"""Everything that makes a noise or leaves the page, counted."""
HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => true })"


def two(visitor: Visitor, address: str) -> tuple[Page, dict[str, Any]]:
    """A table of two, and the page of the first."""
    made = open_table(
        address, "everything", [{"kind": "you", "name": "Ada"}, {"kind": "invite", "name": "Bo"}], seed=5
    )
    page = visitor(reduced_motion="reduce")
    page.add_init_script(EARS)
    sit(page, address, made)
    return page, made


def others_turn(page: Page, address: str, made: dict[str, Any]) -> None:
    """Until it is the other's turn; and until it comes back."""
    chosen(address, made, 0)
    page.wait_for_selector("main:not(.mine)")
    chosen(address, made, 1)
    mine(page)


def chosen(address: str, made: dict[str, Any], seat: int) -> None:
    """Let a seat choose as long as it is asked."""
    while (now := state(address, made, seat))["decision"] and now["decision"]["mine"]:
        options = {option["text"]: option["index"] for option in now["decision"]["options"]}
        option = options.get("pass", next(iter(options.values())))
        wish = {"token": made["seats"][seat]["token"], "version": now["version"], "option": option}
        call(address, f"/api/tables/{made['table']}/choices", wish)


def test_nothing_is_heard_or_asked_unless_wished_for(visitor: Visitor, address: str) -> None:
    page, made = two(visitor, address)
    others_turn(page, address, made)
    assert page.title().startswith("● Your turn")
    assert page.evaluate("[window.sounds, window.asked, window.messages.length]") == [0, 0, 0]


def test_a_sound_once_for_each_turn(visitor: Visitor, address: str) -> None:
    page, made = two(visitor, address)
    page.get_by_role("button", name="Share").click()
    box = page.get_by_label("a sound")
    expect(box).not_to_be_checked()
    box.check()
    page.locator(".sheet-dialog[open]").get_by_role("button", name="Close").click()
    others_turn(page, address, made)
    assert page.evaluate("window.sounds") == 1


def test_a_message_of_the_browser_is_asked_for_once_and_sent_to_who_looks_elsewhere(
    visitor: Visitor, address: str
) -> None:
    page, made = two(visitor, address)
    page.get_by_role("button", name="Share").click()
    page.get_by_label("a message of the browser").check()
    wait(page, lambda: page.evaluate("window.asked") == 1)
    page.locator(".sheet-dialog[open]").get_by_role("button", name="Close").click()
    others_turn(page, address, made)
    assert page.evaluate("window.messages") == []  # the page is looked at
    page.evaluate(HIDDEN)
    others_turn(page, address, made)
    assert page.evaluate("window.messages") == ["Kitchen sink: your turn"]
    assert page.evaluate("window.asked") == 1


def test_the_end_is_shared_by_the_means_of_the_device(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    page.add_init_script(EARS)
    made = open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=4)
    sit(page, address, made)
    click_on(page, 7, 2000)
    page.wait_for_selector("main.over .ending")
    page.locator(".ending").get_by_role("button", name="Share").click()
    wait(page, lambda: page.evaluate("window.shared.length") == 1)
    assert page.evaluate("window.shared[0].url").endswith(f"/#/replay/{made['table']}")
    page.locator("header").get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the replay").click()
    assert download.value.suggested_filename == "raven-road.replay.json"
