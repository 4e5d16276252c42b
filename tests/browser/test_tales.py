"""Every shipped book told: what others do on the stage, in order; whole matches in sentences."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.kit import (
    BUTTONS,
    PATIENCE,
    against_bots,
    call,
    click_on,
    mine,
    open_table,
    playable,
    sit,
    state,
    wait,
)

pytestmark = pytest.mark.browser

WATCH = """() => {
  // Every deed that stood on the stage while it was played, in the order in which they stood there.
  window.shown = [];
  const look = () => {
    const now = document.querySelector('.caption.playing .deed-now');
    if (!now) return;
    const last = window.shown.at(-1), row = [Number(now.dataset.n), now.textContent];
    if (last && last[0] === row[0]) last[1] = row[1];
    else window.shown.push(row);
  };
  new MutationObserver(look).observe(document.querySelector('main'),
    { subtree: true, childList: true, attributes: true, characterData: true });
}"""
LOGGED = """() => [...document.querySelectorAll('.lines .deed:not(.k-quiet)')].map((row) =>
  [Number(row.dataset.n), Number(row.dataset.who), row.querySelector('.what').textContent])"""
TALE = """async ([table, lines]) => {
  // The whole log of a match, as the page puts it into words.
  const [{ ask, bookOf }, { deedsOf }, { ledger, sentence }] =
    await Promise.all(['api', 'tell', 'sentence'].map((name) => import(`/page/${name}.js`)));
  const state = await ask('GET', `/api/tables/${table}`), b = await bookOf(table, state.book, state.digest);
  const found = [], view = { ...state.view, players: state.players.map((player) => player.name) };
  for (let after = 0; after < lines; after += 1000) {
    found.push(...await ask('GET', `/api/tables/${table}/log?after=${after}`));
  }
  const deeds = deedsOf(found.filter((line) => line.n < lines), b, view);
  return deeds.map((deed) => ({ kind: deed.kind, who: deed.who, told: sentence(deed, b, view),
    ledger: deed.lines.map((line) => ledger(line, b, view)) }));
}"""

RAW = re.compile(r"\b(card|actor|space|spot|zone|field|event|seat|row|slot|option|kind) \d+\b(?!:)", re.I)
BRACES = re.compile(r"[{}\[\]<>]|\bundefined\b|\bnull\b|\bNaN\b|\bobject\b|\d{7}|\w_\w")
DOUBLED = re.compile(r"\b(\w+) \1\b", re.I)
GAPS = re.compile(
    r"\b(to|at|from|of|with|by|and|or|for)\s*[.,:;](\s|$)|: *[.,]|\.\.|  |^[:.,]|\(\)|:\s*:|--|−-"
)
SUBJECTS = re.compile(r"(^|[.] )(moves?|gets?|loses|gains|appears|is|are|takes|ends for) ")
LEAST = {"turns": 10, "deeds": 60}
"""What a tale must have, or it says nothing about the rest."""


def tale(page: Page, address: str, name: str, seed: int) -> list[dict[str, Any]]:
    """A match of bots to its end, or as far as it comes, told."""
    book = next(b for b in playable(address) if b["name"] == name)
    count = max(book["seats"][0], min(2, book["seats"][1]))
    made = open_table(address, name, [{"kind": "bot", "bot": book["bots"][-1]}] * count, seed)
    end = time.monotonic() + PATIENCE
    while (now := state(address, made, None))["result"] is None and now["lines"] < 6000:
        assert time.monotonic() < end or now["lines"] > 500, f"{name}: {now['lines']} lines"
        if time.monotonic() > end:
            break
        page.wait_for_timeout(200)
    return page.evaluate(TALE, [made["table"], now["lines"]])


@pytest.mark.parametrize("name", ["raven-road", "vigil", "penance-1", "penance-2", "p52"])
def test_whole_matches_are_told_in_sentences(page: Page, address: str, name: str) -> None:
    page.goto(address)
    page.wait_for_selector(".spine")
    deeds = [deed for seed in (1, 2) for deed in tale(page, address, name, seed)]
    turns = sum(deed["kind"] == "turn" for deed in deeds)
    told = [deed["told"] for deed in deeds if deed["kind"] != "turn" and deed["told"]]
    assert turns >= LEAST["turns"], turns
    assert len(told) >= LEAST["deeds"], len(told)
    ledger = [line for deed in deeds for line in deed["ledger"] if line]
    for wrong in (RAW, BRACES, DOUBLED, GAPS):
        assert not [text for text in [*told, *ledger] if wrong.search(text)][:5], wrong.pattern
    assert not [text for text in told if SUBJECTS.search(text)][:5]
    assert all(text[0].isupper() or not text[0].isalpha() for text in told)
    assert all(text[-1] in ".!?" for text in told)


@pytest.mark.parametrize("name", ["raven-road", "vigil", "penance-1", "penance-2", "p52"])
def test_each_deed_of_the_others_stands_on_the_stage(page: Page, address: str, name: str) -> None:
    best = list[str]()
    for seed in range(5, 9):
        sit(page, address, against_bots(address, name, seed=seed))
        page.get_by_label("Speed of the show").select_option("4")
        page.evaluate(WATCH)
        for turn in range(12):
            mine(page)
            if page.locator("main.over").count():
                break
            page.evaluate("window.shown = []")
            before = {row[0] for row in page.evaluate(LOGGED)}
            click_on(page, turn, 1, BUTTONS)
            mine(page)
            wait(page, lambda: not page.locator(".caption.playing").count())
            rows = [row for row in page.evaluate(LOGGED) if row[0] not in before]
            shown = page.evaluate("window.shown")
            assert [n for n, _ in shown] == sorted({n for n, _ in shown}), (name, shown)
            missing = [row for row in rows if row[0] not in {n for n, _ in shown}]
            assert not missing, (name, missing, shown)
            own = {a["id"] for a in state_of(page, address)["actors"] if a["seat"] == 0}
            others = [text for _, who, text in rows if who >= 0 and who not in own]
            best = max(best, others, key=len)
            if len(best) >= 3:
                return
    pytest.fail(f"{name}: no turn of others with three deeds; {best}")


def state_of(page: Page, address: str) -> dict[str, Any]:
    """What everybody may see of the table that the page shows."""
    table = page.locator("main").get_attribute("data-table")
    return call(address, f"/api/tables/{table}")["view"]


def test_a_replay_goes_on_from_any_point_as_a_new_table(page: Page, address: str) -> None:
    made = open_table(address, "raven-road", [{"kind": "you", "name": "Ada"}], seed=4)
    sit(page, address, made)
    click_on(page, 7, 2000)
    page.wait_for_selector("main.over")
    page.goto(f"{address}/#/replay/{made['table']}")
    slider = page.get_by_label("Choice")
    total = int(slider.get_attribute("max") or 0)
    for choice in (total // 2, total - 1):
        slider.fill(str(choice))
        expect(page.locator("output")).to_contain_text(f"{choice} of {total}")
        there = call(address, f"/api/tables/{made['table']}/at/{choice}")["view"]
        page.get_by_role("button", name="Go on from here").click()
        page.wait_for_selector("main.table.playing .decision .prompt")
        table = page.locator("main").get_attribute("data-table")
        assert table != made["table"]
        mine(page)
        now = call(address, f"/api/tables/{table}")
        assert now["view"]["actors"] == there["actors"]
        click_on(page, 3, 1, BUTTONS)
        wait(
            page,
            lambda now=now, table=table: call(address, f"/api/tables/{table}")["version"] > now["version"],
        )
        page.goto("about:blank")
        page.goto(f"{address}/#/replay/{made['table']}")
        page.wait_for_selector(".scrub")
