"""Nothing hidden leaves for the wrong seat.

A property, over many positions of matches played at random: exchange everything that a reader cannot see
(cards among hidden places, hidden numbers). What the server says to that reader must stay equal, byte for
byte: its state, its log, and what it hears of the next choice unless that choice shows something.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.play.knowledge import Knowledge, find_field
from rulewright.play.reference import ReferenceEngine
from rulewright.players import bots
from rulewright.players.bots import Position, decide, position
from rulewright.players.fair import imagine
from rulewright.serve.lines import Reader
from rulewright.serve.schema import ChoiceRow, SeatRow, TableRow
from rulewright.serve.table import Table
from serve.tables_kit import program, volume

ROW = TableRow(
    "table", program("hands").digest, "hands", 1, {}, time.time(), None, None,
    (SeatRow(0, "you", "", "Ada", None), SeatRow(1, "you", "", "Bo", None)),
)  # fmt: skip


def at(seed: int, steps: int) -> Table:
    """A table after some choices at random."""
    table = Table(replace(ROW, seed=seed), volume("hands"))
    chance = random.Random(seed)
    for _ in range(steps):
        decision = table.match.decision
        if decision is None:
            break
        table.play(ChoiceRow(table.version, chance.randrange(len(decision.options)), decision.seat))
    return table


def exchange(table: Table, reader: Reader, chance: random.Random) -> bool:
    """Permute what the reader cannot see, in place. False when there was nothing to exchange."""
    match = table.match
    know = Knowledge(match.program, match.slots(), reader)
    face = find_field(match.program, "Card", "face")
    assert face is not None
    hidden = [c for c in range(face.counts[0]) if know.slots[face.base + c] >= 0 and not know.knows(c)]
    faces = [know.slots[face.base + card] for card in hidden]
    mixed = chance.sample(faces, len(faces))
    for card, value in zip(hidden, mixed, strict=True):
        match.engine.poke(face.base + card, value)
    purse = find_field(match.program, "Actor", "Purse")
    assert purse is not None
    for actor in range(2):
        if not know.sees_field(purse, actor):
            match.engine.poke(purse.base + actor, chance.randrange(90))
    match.course.decision = None
    table._changed()  # pyright: ignore[reportPrivateUsage]
    return mixed != faces


positions = st.tuples(
    st.integers(0, 10**6), st.integers(0, 24), st.integers(0, 10**6), st.sampled_from([0, 1, None])
)
modest = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])


@modest
@given(positions)
def test_a_reader_cannot_tell_hidden_things_apart(drawn: tuple[int, int, int, Reader]) -> None:
    seed, steps, mixing, reader = drawn
    table = at(seed, steps)
    before = table.state(reader)
    exchange(table, reader, random.Random(mixing))
    assert table.state(reader) == before


@modest
@given(positions)
def test_nor_from_what_happens_next(drawn: tuple[int, int, int, Reader]) -> None:
    """The same choice on both sides of an exchange reads the same, unless it showed the reader a card."""
    seed, steps, mixing, reader = drawn
    one, other = at(seed, steps), at(seed, steps)
    exchange(other, reader, random.Random(mixing))
    decision = one.match.decision
    if decision is None or (reader is not None and decision.seat == reader):
        return  # its own choices show it its own cards
    saw = Knowledge(one.match.program, one.match.slots(), reader).cards
    quiet = [o.index for o in decision.options if not any(thing.kind == "Card" for thing in o.things)]
    for table in (one, other):
        table.play(ChoiceRow(table.version, quiet[mixing % len(quiet)], decision.seat))
    if Knowledge(one.match.program, one.match.slots(), reader).cards <= saw:
        assert other.state(reader) == one.state(reader)
        assert other.lines.after(reader, 0) == one.lines.after(reader, 0)


def test_control_the_exchange_exchanges() -> None:
    """The property would hold for an exchange of nothing, so see that the other seat does notice."""
    noticed = 0
    for seed in range(10):
        table = at(seed, 4)
        before = table.state(1)
        if exchange(table, 0, random.Random(seed)):
            noticed += table.state(1) != before
    assert noticed >= 8


def test_control_a_leak_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows every pile to everybody does not pass."""

    def everything(*_: object) -> bool:
        return True

    monkeypatch.setattr(Knowledge, "sees_zone", everything)
    leaks = 0
    for seed in range(10):
        table = at(seed, 4)
        before = table.state(None)
        face = find_field(table.match.program, "Card", "face")
        assert face is not None
        slots = table.match.slots()
        values = [slots[face.base + card] for card in range(face.counts[0])]
        for card, value in enumerate(random.Random(seed).sample(values, len(values))):
            table.match.engine.poke(face.base + card, value)
        table._changed()  # pyright: ignore[reportPrivateUsage]
        leaks += table.state(None) != before
    assert leaks >= 8


def test_hands_are_told_to_their_owners_only() -> None:
    table = at(5, 6)
    for reader in (0, 1, None):
        state: dict[str, Any] = json.loads(table.state(reader))
        for zone in state["view"]["zones"]:
            if zone["name"] == "Hand":
                own = zone["owner"] == reader
                assert len(zone["cards"]) == (zone["count"] if own else 0)
                assert zone["unknown"] == (0 if own else zone["count"])
            if zone["name"] == "Deck":
                assert zone["cards"] == []
        purses = [actor["fields"].get("Purse") for actor in state["view"]["actors"]]
        assert [purse is not None for purse in purses] == [reader == 0, reader == 1]
        if reader != 1:
            assert not any("Purse" in line["text"] and "Player 2" in line["text"] for line in state["log"])


def test_a_log_line_keeps_the_name_it_was_written_with() -> None:
    """A card that was seen and goes back into hiding may become another; an old line must not say which."""
    table = at(3, 6)
    before = table.lines.after(None, 0)
    exchange(table, None, random.Random(1))
    face = find_field(table.match.program, "Card", "face")
    assert face is not None
    for card in range(face.counts[0]):
        table.match.engine.poke(face.base + card, 0)
    assert table.lines.after(None, 0) == before


# bots


def seen_by_bot(now: Position, chance: int) -> list[int]:
    return imagine(now.program, now.slots, now.seat, random.Random(chance))


def given_to_bot(now: Position) -> bytes:
    """The state that a bot's engine is really handed."""
    given: list[bytes] = []

    class Watched(ReferenceEngine):
        def load(self, state: bytes) -> None:
            given.append(state)
            super().load(state)

    engine = Watched(now.program)
    with patch.object(bots, "_engine", return_value=engine):
        decide(now, "Greedy")
    return given[-1]


@modest
@given(positions)
def test_a_bot_thinks_only_about_what_its_seat_sees(drawn: tuple[int, int, int, Reader]) -> None:
    seed, steps, mixing, _ = drawn
    one, other = at(seed, steps), at(seed, steps)
    decision = one.match.decision
    if decision is None:
        return
    exchange(other, decision.seat, random.Random(mixing))
    assert given_to_bot(position(one.match)) == given_to_bot(position(other.match))
    for bot in ("random", "Greedy"):
        assert decide(position(one.match), bot) == decide(position(other.match), bot)


def test_control_what_is_imagined_differs_from_what_is() -> None:
    differing = 0
    for seed in range(10):
        now = position(at(seed, 2).match)
        made = seen_by_bot(now, seed)
        know = Knowledge(now.program, now.slots, now.seat)
        differing += made != list(now.slots)
        again = Knowledge(now.program, made, now.seat)
        assert again.cards == know.cards
        assert all(made[slot] == now.slots[slot] for slot in range(len(made)) if slot < 3)
    assert differing == 10


def test_greedy_plays_its_best_card() -> None:
    table = at(1, 0)
    now = position(table.match)
    decision = table.match.decision
    assert decision is not None
    worth = {"One": 1, "Two": 2, "Five": 5, "Seven": 7}
    plays = {o.index: worth[o.things[0].name] for o in decision.options if o.text.startswith("Play")}
    assert plays[decide(now, "Greedy")] == max(plays.values())
