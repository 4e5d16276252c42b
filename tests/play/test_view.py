"""A seat sees what it may see, and nothing changes when only hidden things change."""

from __future__ import annotations

import json
import math
import random
import struct

import pytest

from rulewright import load
from rulewright.ir.events import EVERYBODY
from rulewright.ir.link import blank
from rulewright.ir.program import SP, STATUS, Program
from rulewright.ir.sheet import Field, Sheet, Zone
from rulewright.play.knowledge import Knowledge, find_field
from rulewright.play.match import Match, MatchError
from rulewright.play.view import Rows, seen, view
from small_programs import CONTROLLER, DECK, HANDS, KNOWN, PURSE, cards

MADE = cards()


def after(choices: int, seed: int) -> Match:
    match, chance = Match(MADE, seed=seed), random.Random(seed)
    for _ in range(choices):
        if match.decision:
            match.choose(chance.randrange(len(match.decision.options)))
    return match


def slots(match: Match) -> list[int]:
    state = match.engine.state()
    return list(struct.unpack(f"<{len(state) // 4}i", state))


def pile(seen: dict[str, object], name: str, owner: int = -1) -> dict[str, object]:
    zones: list[dict[str, object]] = seen["zones"]  # type: ignore[assignment]
    return next(zone for zone in zones if (zone["name"], zone["owner"]) == (name, owner))


def test_views_are_json():
    match = after(4, 2)
    for seat in (None, 0, 1):
        assert json.loads(json.dumps(match.view(seat))) == match.view(seat)


def test_own_and_other_hands():
    match = after(0, 3)
    own, other = match.view(0), match.view(1)
    assert pile(own, "Hand", 0)["unknown"] == 0
    assert len(pile(own, "Hand", 0)["cards"]) == 1  # type: ignore[arg-type]
    assert pile(other, "Hand", 0) | {"cards": [], "unknown": 1, "count": 1} == pile(other, "Hand", 0)
    assert pile(own, "Deck")["cards"] == []
    assert pile(own, "Deck")["unknown"] == 7


def test_fields_statuses_and_orders():
    match = after(0, 3)
    match.engine.poke(PURSE, 9)
    own, other, anyone = match.view(0), match.view(1), match.view()
    assert own["actors"][0]["fields"] == {"Purse": 9}
    assert other["actors"][0]["fields"] == {}
    assert anyone["actors"][0]["fields"] == {}
    assert own["actors"][0]["seat"] == 0
    assert own["orders"] == [{"name": "Turns", "members": [0, 1], "cursor": 0, "now": 0}]
    assert own["actors"][0]["statuses"] == []
    match.choose(0)
    wet = {"name": "Wet", "stacks": 1, "turns": 0, "power": 0, "source": -1}
    assert match.view(1)["actors"][0]["statuses"] == [wet]


def test_options_are_only_for_the_seat_that_decides():
    match = after(0, 3)
    assert "options" in match.view(0)
    assert "options" not in match.view(1)
    assert "options" not in match.view(None)
    with pytest.raises(MatchError, match="no seat 2"):
        match.view(2)


def test_an_unknown_card_in_an_option_has_no_number():
    match = after(0, 3)
    assert match.decision
    take = match.decision.options[-1]
    assert take.text == "take a hidden card"
    assert take.things[0].id == -1


def test_a_card_that_was_shown_is_known():
    match = after(0, 3)
    card = match.engine.peek(DECK + 2)
    match.engine.poke(KNOWN + card, 0b10)
    assert [c["id"] for c in pile(match.view(1), "Deck")["cards"]] == [card]  # type: ignore[union-attr]
    assert pile(match.view(0), "Deck")["cards"] == []
    assert pile(match.view(None), "Deck")["cards"] == []
    match.engine.poke(KNOWN + card, 0b11)
    assert pile(match.view(None), "Deck")["cards"] == []  # both players know it, those who watch do not
    match.engine.poke(KNOWN + card, EVERYBODY)
    assert len(pile(match.view(None), "Deck")["cards"]) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_hidden_changes_do_not_change_a_view(seed: int):
    """Exchange cards among the places a seat cannot see: its view must stay equal, byte for byte."""
    match = after(seed, seed)
    chance = random.Random(seed)
    now = slots(match)
    for seat, hidden in ((0, [DECK, HANDS + 9]), (1, [DECK, HANDS]), (None, [DECK, HANDS, HANDS + 9])):
        places = [base + 1 + i for base in hidden for i in range(now[base])]
        held = [now[place] for place in places]
        chance.shuffle(held)
        other = list(now)
        for place, card in zip(places, held, strict=True):
            other[place] = card
        other[PURSE + (0 if seat == 1 else 1)] += 5
        assert json.dumps(view(MADE, other, seat)) == json.dumps(view(MADE, now, seat))
        # The control: a change the seat may see does change its view.
        other[CONTROLLER] += 1
        assert view(MADE, other, seat) != view(MADE, now, seat)


@pytest.mark.parametrize("seed", range(8))
def test_logs_hide_cards_that_a_seat_cannot_see(seed: int):
    match = after(20, seed)
    taken = {event.a for event in match.log(0) if event.kind == 4 and event.c == 3}
    shown = {card["id"] for card in pile(match.view(0), "Table")["cards"]}  # type: ignore[union-attr]
    assert -1 in taken
    assert taken <= {-1, *shown}
    assert len(match.log(0)) <= len(match.events)
    assert all(event.a != 1 or event.b == 0 for event in match.log(0) if event.kind == 2)
    assert any(match.describe(event).startswith("a hidden card moves") for event in match.log(None))


def test_faces_given_out_in_play():
    """A book may keep each card's face, and who knows it, in fields: then the state names the cards."""
    sheet = Sheet(
        things={"Actor": ("Ada",), "Card": ("card 0", "card 1"), "Face": ("Sun", "Moon")},
        fields=(
            Field("face", ("Card",), 24, (2,), holds="Face", seen="owner"),
            Field("known", ("Card",), 26, (2,), seen="nobody"),
            Field("zone", ("Card",), 28, (2,)),
            Field("Charge", ("Card",), 30, (2,)),
            Field("pointed at", (), 32, holds="Card"),
        ),
        zones=(Zone("Pile", None, 33, 3, 2, seen="nobody"),),
    )
    made = blank("faces", (1, 0, 0b1, 0, 1, 1, 7, 8, 1, 2, 1, 0), sheet=sheet)
    seen = view(made, made.initial, 0)
    assert pile(seen, "Pile")["cards"] == [{"id": 0, "face": 1, "name": "Moon", "fields": {"Charge": 7}}]
    assert pile(seen, "Pile")["unknown"] == 1
    assert seen["fields"] == {"pointed at": {"kind": "Card", "name": "a hidden card"}}
    assert pile(view(made, made.initial, 1), "Pile")["cards"] == []


def test_the_status_word():
    match = after(0, 0)
    assert match.view()["status"] == "decision"
    assert match.view()["decides"] == 0
    assert match.engine.peek(STATUS) == 1
    assert match.engine.peek(SP) > 0


@pytest.fixture(scope="module")
def book() -> Program:
    """A book with spaces that have open numbers, cards, and what is hidden from some."""
    return load("penance-2")


def test_things_that_everybody_sees_are_made_once_for_all_seats(book: Program):
    match = Match(book, seed=4)
    fields = find_field(book, "Space", "Smoke")
    assert fields is not None
    first, second = (seen(Knowledge(book, match.slots(), seat)) for seat in (0, 1))
    assert isinstance(first["spaces"], Rows)
    assert first["spaces"] is second["spaces"]
    match.engine.poke(fields.base + 5, 2)
    changed = seen(Knowledge(book, match.slots(), 0))["spaces"]
    assert [row["id"] for row, old in zip(changed, first["spaces"], strict=True) if row != old] == [5]
    assert changed[5]["fields"]["Smoke"] == 2


def test_whoever_asks_for_a_view_may_change_it(book: Program):
    match = Match(book, seed=4)
    given, wanted = match.view(0), match.view(0)
    given["spaces"][0]["fields"].clear()
    given["spaces"].pop()
    assert match.view(0) == wanted


@pytest.mark.parametrize("name", ["penance-1", "penance-2", "p52", "vigil"])
def test_what_is_unseen_in_one_go_is_what_is_unseen_one_by_one(name: str):
    program = load(name)
    match, chance = Match(program, seed=6), random.Random(6)
    for _ in range(12):
        if match.decision:
            match.choose(chance.randrange(len(match.decision.options)))
    for seat in (None, *range(len(match.players))):
        know = Knowledge(program, match.slots(), seat)
        for field in program.sheet.fields:
            together = [index for part in know.unseen(field) for index in part]
            alone = [index for index in range(math.prod(field.counts)) if not know.sees_field(field, index)]
            assert together == alone, (field.name, seat)
