"""Dice on the stage and in the log: which of them count, what they came to, and against what."""

from __future__ import annotations

import contextlib
import re

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from browser.kit import BUTTONS, Visitor, against_bots, click_on, mine, open_table, sit

pytestmark = pytest.mark.browser

SOON = 30_000
"""Milliseconds in which a server that is asked up to four times has answered."""
SEEN = """() => [...document.querySelectorAll('.lines .roll')].map((roll) => [
  (roll.querySelector('.made') || {}).textContent || '',
  [...roll.querySelectorAll('.die, .flip')].map((die) => [
    die.getAttribute('aria-label'), die.parentElement.className, die.getBoundingClientRect().top])])"""
"""Each roll of the log: what it came to, and its dice with their marks and height."""


def played(page: Page, address: str, book: str, seed: int, least: int) -> list[list[object]]:
    """Play until so many rolls have come to something."""
    for more in range(4):
        sit(page, address, against_bots(address, book, seed=seed + more))
        click_on(page, seed, 60, BUTTONS, f".lines .roll:nth-child({least}) .made")
        mine(page)
        if not page.locator(".lines .roll").count():
            continue
        # How dice counted is asked for, again where the server is busy: it comes when it can.
        with contextlib.suppress(TimeoutError):
            page.locator(".lines .roll .made").nth(least - 1).wait_for(state="attached", timeout=SOON)
        rolls = [roll for roll in page.evaluate(SEEN) if roll[0]]
        if len(rolls) >= least:
            return rolls
    pytest.fail(f"{book}: no roll came to anything")


def test_successes_are_raised_and_counted(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion="reduce")
    pools = [r for r in played(page, address, "vigil", 2, 2) if str(r[0]).startswith("Successes")]
    assert pools
    for text, dice in pools:
        counted = [label for label, mark, _ in dice if mark == "counted"]  # type: ignore[attr-defined]
        assert all(int(label.split()[0]) >= 8 and label.endswith(", counts") for label in counted)
        assert str(text).startswith(f"Successes {len(counted)}")
        idle = [label for label, mark, _ in dice if mark == "uncounted"]  # type: ignore[attr-defined]
        assert all(int(label.split()[0]) < 8 for label in idle)
    made = page.locator(".telling .made, .lines .made").all_text_contents()
    assert any(re.search(r"\d+ against \d+", text) for text in made), made


@pytest.mark.parametrize(
    ("book", "told"),
    [
        ("raven-road", r"\d+ \+ \d+ = \d+ against \d+"),
        ("penance-1", r"\d+ against \d+"),
        ("p52", r"\d+.* against \d+"),
    ],
)
def test_a_sum_stands_against_its_number(visitor: Visitor, address: str, book: str, told: str) -> None:
    page = visitor(reduced_motion="reduce")
    rolls = played(page, address, book, 5, 1)
    assert any(re.search(told, str(text)) for text, _ in rolls), rolls


def test_an_older_roll_is_counted_when_it_is_opened(visitor: Visitor, address: str) -> None:
    made = open_table(address, "raven-road", [{"kind": "bot", "bot": "Old Scout"}], seed=4)
    page = visitor(reduced_motion="reduce")
    page.goto(f"{address}/#/watch/{made['table']}")
    page.wait_for_selector("main.over .lines .deed .die")
    expect(page.locator(".earlier")).to_have_count(0)  # else the first row may yet become another
    row = page.locator(
        ".lines .deed", has=page.locator(".die"), has_text="Stab"
    ).first  # initiative tests nothing
    row.locator("summary .what, summary .quiet").first.click()
    expect(row.locator(".made").first).to_contain_text(re.compile(r"\d"))


CUT = """() => {
  const box = document.querySelector('.telling').getBoundingClientRect();
  return [...document.querySelectorAll('.telling .die')].filter((die) => {
    const r = die.getBoundingClientRect();
    return r.bottom > box.bottom + 1 || r.right > box.right + 1;
  }).length;
}"""


def test_the_dice_of_attack_and_defence_are_whole_on_the_stage(visitor: Visitor, address: str) -> None:
    page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    sit(page, address, against_bots(address, "vigil", seed=2))
    seen = 0
    for turn in range(40):
        mine(page)
        if page.locator("main.over").count() or seen == 3:
            break
        if page.locator(".telling .roll").count() == 2:
            seen += 1
            assert page.evaluate(CUT) == 0, page.locator(".telling").inner_text()
        click_on(page, turn, 1, BUTTONS)
    assert seen
