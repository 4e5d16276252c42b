"""Said aloud: whoever falls and how it ends, in a sentence each; and the end comes behind the last deeds."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.kit import Visitor, call, open_table, sit, state

pytestmark = pytest.mark.browser
ALONE = [{"kind": "you", "name": "Ada"}]
LISTEN = """() => {
  // What a screen reader is given: whatever is added, in that order.
  window.heard = [];
  const all = new Map();
  const look = () => {
    for (const p of document.querySelectorAll('.told-aloud p')) {
      if (!all.has(p)) window.heard.push(p.textContent);
      all.set(p, true);
    }
  };
  look();
  new MutationObserver(look).observe(document.querySelector('.told-aloud'), { childList: true });
}"""
OUT = re.compile(
    r"(?:^|[.!?] )([A-Z][^.!?]*?) loses the last [^.!?]*\b and (?:is out of play|leaves the fight)[.!?]"
)


def to_the_end(address: str, made: dict[str, Any], seed: int) -> dict[str, Any]:
    """Any match: the first of the options that strike, or one by chance."""
    chance, token = random.Random(seed), made["seats"][0]["token"]
    while not (now := state(address, made))["result"]:
        options = now["decision"]["options"]
        bold = [o for o in options if any(word in o["text"] for word in ("Strike", "Shot", "Attack", "A)"))]
        option = chance.choice(bold or options)["index"]
        choice = {"token": token, "version": now["version"], "option": option}
        call(address, f"/api/tables/{made['table']}/choices", choice)
    return now


def gone(address: str, made: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Everybody who left play with nothing left of their life, in that order."""
    log, life = list[dict[str, Any]](), dict[str, int]()
    while more := call(address, f"/api/tables/{made['table']}/log?after={len(log)}"):
        log += more
    found = list[str]()
    for line in log:
        if changed := re.match(r"(.+): (?:HP|Health) -?\d+ -> (-?\d+)$", line["text"]):
            life[changed[1]] = int(changed[2])
        left = re.match(r"(.+) leaves play$", line["text"])
        if left and life.get(left[1], 1) <= 0:
            life[left[1]] = 1
            found.append(left[1])
    return found


@pytest.mark.parametrize(("book", "seed"), [("vigil", 9), ("raven-road", 3)])
def test_falls_and_the_end_are_said_in_one_sentence_each(
    visitor: Visitor, address: str, book: str, seed: int
) -> None:
    page = visitor(reduced_motion="reduce")
    made = open_table(address, book, ALONE, seed=seed)
    sit(page, address, made)
    page.evaluate(LISTEN)
    now = to_the_end(address, made, seed)
    page.wait_for_selector("main.over .ending")
    heard: list[str] = page.evaluate("window.heard")
    fallen = gone(address, made, now)
    assert fallen
    assert [name for text in heard for name in OUT.findall(text)] == fallen
    fate = "You won" if now["result"]["scores"][0] == 1 else "You lost"
    end = f"{fate}, and the match ends: {now['result']['ending']}."
    assert [text for text in heard if "match ends" in text] == [end]
    assert heard[-1] == end  # nothing comes behind it


def test_the_end_waits_until_the_last_deeds_were_shown(visitor: Visitor, address: str) -> None:
    for motion in ("no-preference", "reduce"):
        page = visitor(reduced_motion=motion)
        made = open_table(address, "raven-road", ALONE, seed=3)
        sit(page, address, made)
        page.get_by_label("Speed of the show").select_option("0.5")
        now = to_the_end(address, made, 3)
        page.wait_for_selector("main.over")
        if motion == "no-preference":
            page.wait_for_selector(".caption.playing")
            expect(page.locator(".prompt")).to_have_text("The last deeds")
            assert not page.locator(".ending, .finale, .lines .k-end").count()
            page.get_by_role("button", name="To the end").click()
        page.wait_for_selector(".ending")
        expect(page.locator(".lines .k-end")).to_contain_text(now["result"]["ending"])
        expect(page.locator(".finale .deed-now")).to_have_text(re.compile("^You (won|lost)$"))
        expect(page.locator(".caption.playing")).to_have_count(0)
