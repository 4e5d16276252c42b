"""A zone that is open while something holds: seen as a pile then, known as cards afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.compiler import check, compile_book
from rulewright.ir import events as kinds
from rulewright.native.engine import NativeEngine
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine

BLUFF = Path(__file__).parent.parent / "bluff"
Maker = type[ReferenceEngine] | type[NativeEngine]
ENGINES: tuple[Maker, ...] = (ReferenceEngine, NativeEngine)


def pile(match: Match, reader: int | None, name: str, owner: int = -1) -> dict[str, Any]:
    zones = match.view(reader)["zones"]
    return next(zone for zone in zones if zone["name"] == name and zone["owner"] == owner)


@pytest.mark.parametrize("engine", ENGINES)
def test_open_as_a_pile_then_known_as_cards(engine: Maker):
    match = Match(compile_book(BLUFF / "lantern.md"), seed=5, engine=engine)
    for reader in (None, 0, 1):
        assert (pile(match, reader, "Deck")["ordered"], pile(match, reader, "Deck")["cards"]) == (False, [])
    match.choose("Light")
    lies = [card["id"] for card in pile(match, None, "Deck")["cards"]]
    for reader in (None, 0, 1):
        assert pile(match, reader, "Deck")["ordered"]
        assert len(pile(match, reader, "Deck")["cards"]) == 6
        assert sum(event.kind == kinds.REVEAL for event in match.log(reader)) == 6
    match.choose("Snuff")
    for reader in (None, 0, 1):
        closed = pile(match, reader, "Deck")
        assert not closed["ordered"]
        assert [card["id"] for card in closed["cards"]] == sorted(lies)
    match.choose("Mix")
    assert pile(match, 0, "Deck")["cards"] == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_hand_is_open_while_its_owner_is_bold(engine: Maker):
    match = Match(compile_book(BLUFF / "lantern.md"), seed=5, engine=engine)
    match.choose("Dare")
    assert pile(match, 1, "Hand", 0)["ordered"]
    assert not pile(match, 0, "Hand", 1)["ordered"]
    match.choose("Draw")
    match.choose("Draw")
    # What came to the hand while it was open was seen by all, and is known when it closes again.
    match.choose("Draw")
    assert len(pile(match, 1, "Hand", 0)["cards"]) == 2
    match.choose("Dare")
    hand = pile(match, 1, "Hand", 0)
    assert (hand["ordered"], len(hand["cards"]), hand["unknown"]) == (False, 2, 0)
    assert pile(match, 0, "Hand", 1)["cards"] == []


def test_a_check_that_is_missing_or_wrong_is_reported_at_its_place(tmp_path: Path):
    text = (BLUFF / "lantern.md").read_text()
    path = tmp_path / "lantern.md"
    for wrong, said in (("all while", "missing-part"), ("all while [Oli] > 0", "unknown-name")):
        path.write_text(text.replace("seen by: all while [Oil] > 0", f"seen by: {wrong}"))
        found = check(path).diagnostics
        assert [(d.code, d.span.line) for d in found] == [(said, 22)]
