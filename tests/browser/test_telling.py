"""The table explains itself: dice, what changed, why, why not, reactions, the rulebook, replays."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.kit import BUTTONS, against_bots, call, click_on, mine, open_table, sit, state, version, wait

pytestmark = pytest.mark.browser


def until(page: Page, wanted: str, seed: int, limit: int = 120) -> None:
    """Play until something can be seen, at a decision of this page."""
    click_on(page, seed, limit, BUTTONS, wanted)
    assert page.locator(wanted).count(), f"no {wanted}"


def test_dice_are_drawn_and_changes_summed_up(page: Page, address: str) -> None:
    made = against_bots(address, "vigil", seed=2)
    sit(page, address, made)
    until(page, ".stage .die", 1)
    assert page.locator(".stage .die").count() <= sum(
        line["kind"] == 3 for line in state(address, made)["log"]
    )
    label = page.locator(".stage .die").first.get_attribute("aria-label") or ""
    assert re.fullmatch(r"\d+ on a d\d+(, (counts|does not count|takes away))?", label)
    until(page, ".stage .delta.up, .stage .delta.down", 2)
    expect(page.locator(".stage .delta", has_text=re.compile(r"\d+ → \d+")).first).to_be_visible()
    expect(page.locator(".lines .die").first).to_be_attached()


def test_bookkeeping_is_not_shown_and_bars_have_their_maximum(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "vigil"))
    mine(page)
    sheet = page.locator(".sheet.own").first
    expect(sheet.get_by_role("img", name=re.compile(r"^HP \d+ of \d+$"))).to_be_visible()
    expect(page.locator(".sheets")).not_to_contain_text("Tie Roll")
    expect(page.locator(".sheets")).not_to_contain_text("999")


def test_equal_options_are_one_with_a_count(page: Page, address: str) -> None:
    made = against_bots(address, "everything", seed=1)
    sit(page, address, made)
    until(page, ".options .times", 4)
    texts = [option["text"] for option in state(address, made)["decision"]["options"]]
    assert len(texts) > len(set(texts))
    assert page.locator(f"{BUTTONS}[data-index]").count() == len(set(texts))


def test_why_opens_the_rulebook_at_the_rule(page: Page, address: str) -> None:
    made = against_bots(address, "vigil")
    sit(page, address, made)
    until(page, ".lines .deed.k-choice > .cite", 3)
    cite = page.locator(".lines .deed.k-choice > .cite").last
    number = cite.inner_text()
    cite.click()
    expect(page.locator(".drawer .fired")).to_be_in_viewport()
    expect(page.locator("#notice")).to_contain_text(number)
    expect(page.locator(".drawer .because")).to_contain_text("Why?")
    page.get_by_role("button", name="Close the rulebook").click()
    expect(page.locator(".drawer")).to_be_hidden()


def test_the_rulebook_follows_what_fires(page: Page, address: str) -> None:
    made = against_bots(address, "everything")
    sit(page, address, made)
    page.keyboard.press("r")
    seen = set[str]()
    for turn in range(12):
        mine(page)
        expect(page.locator(".drawer .fired")).to_be_in_viewport()
        seen.add(page.locator(".drawer .fired").get_attribute("data-line") or "")
        click_on(page, turn, 1, BUTTONS)
    assert len(seen) > 1


def test_why_not_gives_a_reason_for_cards_and_actions(page: Page, address: str) -> None:
    made = against_bots(address, "penance-2", seed=4)
    sit(page, address, made)
    until(page, ".hand .card:not(.lit)", 2)
    card = page.locator(".hand .card:not(.lit)").first
    name = card.locator(".title").inner_text()
    card.click()
    expect(page.locator("#notice .said")).to_have_text(
        re.compile(rf"^{re.escape(name)}: (?!looking).{{12,}}")
    )
    until(page, ".missing", 3)
    page.locator(".missing summary").click()
    action = page.locator(".missing .chip").first
    asked = action.inner_text()
    action.click()
    expect(page.locator("#notice .said")).to_have_text(
        re.compile(rf"^{re.escape(asked)}: (?!looking).{{12,}}")
    )
    page.get_by_role("button", name="Open the rule").click()
    expect(page.locator(".drawer .fired")).to_be_in_viewport()


def test_a_reaction_says_what_is_about_to_happen(page: Page, address: str) -> None:
    for seed in range(8):
        made = against_bots(address, "everything", seed=seed)
        sit(page, address, made)
        click_on(page, seed, 80, BUTTONS, '[data-prompt="react"]')
        if page.locator('[data-prompt="react"]').count():
            expect(page.locator(".prompt")).to_have_text("You may react")
            about = re.compile(r"About to happen: .*(Thrust|Slash|target)")
            expect(page.locator(".about")).to_contain_text(about)
            return
    pytest.fail("no reaction was possible")


def test_maps_pan_and_zoom(page: Page, address: str) -> None:
    sit(page, address, against_bots(address, "penance-2"))
    mine(page)

    def box() -> list[float]:
        return [float(n) for n in (page.locator(".map").get_attribute("viewBox") or "").split()]

    whole, before = box(), version(page)
    page.get_by_role("button", name="Zoom in").click()
    near = box()
    assert near[2] < whole[2]
    where = page.locator(".map").bounding_box()
    assert where is not None
    page.mouse.move(where["x"] + 200, where["y"] + 200)
    page.mouse.down()
    page.mouse.move(where["x"] + 120, where["y"] + 150, steps=4)
    page.mouse.up()
    wait(page, lambda: box()[0] > near[0])
    assert version(page) == before  # a drag chooses nothing
    page.mouse.wheel(0, -300)
    wait(page, lambda: box()[2] < near[2])
    page.locator(".map").focus()
    page.keyboard.press("0")
    wait(page, lambda: box() == whole)  # it glides back


def test_a_replay_can_be_scrubbed_and_downloaded(page: Page, address: str, tmp_path: Path) -> None:
    made = open_table(address, "everything", [{"kind": "bot"}, {"kind": "bot"}], seed=4)
    wait(page, lambda: state(address, made, None)["result"] is not None)
    page.goto(f"{address}/#/replay/{made['table']}")
    slider = page.get_by_label("Choice")
    total = int(slider.get_attribute("max") or 0)
    assert total > 5
    expect(page.locator("output")).to_contain_text(f"{total} of {total}")
    last = page.locator(".lines").inner_text()
    slider.fill(str(total - 1))
    expect(page.locator("output")).to_contain_text(f"{total - 1} of {total}")
    expect(page.locator(".lines")).not_to_have_text(last, use_inner_text=True)
    slider.fill("0")
    expect(page.locator(".about").first).to_have_text("The beginning.")
    page.locator("h2.prompt").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_contain_text(f"1 of {total}")
    page.get_by_role("button", name="Play", exact=False).first.click()
    # It goes on while we look, so that any later step will do.
    expect(page.locator("output")).to_have_text(re.compile(rf"^([3-9]|\d\d+) of {total}"))
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    kept = tmp_path / "replay.json"
    download.value.save_as(kept)
    assert json.loads(kept.read_text()) == call(address, f"/api/tables/{made['table']}/replay")
    expect(page.locator(".lit")).to_have_count(0)


def test_a_replay_steps_by_deed_and_back(page: Page, address: str) -> None:
    made = open_table(address, "raven-road", [{"kind": "bot", "bot": "Old Scout"}], seed=4)
    wait(page, lambda: state(address, made, None)["result"] is not None)
    page.goto(f"{address}/#/replay/{made['table']}")
    slider, place = page.get_by_label("Choice"), page.locator("output small")
    total = int(slider.get_attribute("max") or 0)
    for choice in range(total, 0, -1):  # a choice after which the others do several things
        slider.fill(str(choice))
        page.wait_for_selector(f"output:has-text('{choice} of {total}')")
        page.wait_for_timeout(60)
        found = re.fullmatch(r", deed (\d+) of \1", place.inner_text())
        if found and int(found[1]) >= 3:
            break
    else:
        pytest.fail("no choice with three deeds")
    many = int(place.inner_text().split()[-1])
    told = [page.locator(".deed-now").inner_text()]
    for deed in range(many - 1, 0, -1):
        page.get_by_role("button", name="Back").click()
        expect(place).to_have_text(f", deed {deed} of {many}")
        told.append(page.locator(".deed-now").inner_text())
    assert len(set(told)) > 1
    again = [told[-1]]
    for deed in range(2, many + 1):
        page.get_by_role("button", name="Next").click()
        expect(place).to_have_text(f", deed {deed} of {many}")
        again.append(page.locator(".deed-now").inner_text())
    assert again == told[::-1]


def test_the_log_of_one_actor_is_the_same_for_spectators_and_in_replays(page: Page, address: str) -> None:
    made = open_table(address, "raven-road", [{"kind": "bot", "bot": "Old Scout"}], seed=4)
    wait(page, lambda: state(address, made, None)["result"] is not None)
    told = list[list[str]]()
    for where in ("watch", "replay"):
        page.goto("about:blank")  # so that nothing of the page before is still there
        page.goto(f"{address}/#/{where}/{made['table']}")
        page.wait_for_selector(".lines .deed")
        # At an end the page may have asked for everything by itself.
        page.evaluate("document.querySelector('.earlier')?.click()")
        page.get_by_label("Whose deeds").select_option(label="Goblin 1")
        expect(page.locator(".earlier")).to_have_count(0)
        told.append(page.locator(".lines .deed .what").all_text_contents())
        assert all("Goblin 1" in text for text in told[-1])
    assert told[0] == told[1]
    assert len(told[0]) > 3
