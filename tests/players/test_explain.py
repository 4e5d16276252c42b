"""A player says why: its estimate, the best options, what it expects; in words that the table offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Match, MatchError, load
from rulewright.players.explain import explain

CLASSICS = Path(__file__).parents[1] / "classics"


def test_it_sees_the_win_and_says_so() -> None:
    """Three in a column: the fourth disc wins, and whoever looks on is told why."""
    match = Match(load(CLASSICS / "connect-four.md"), seed=1, engine="native")
    for column in "DADADA":
        match.choose(f"drop into {column}")
    said = explain(match)
    assert said.text == "drop into D"
    assert said.estimate > 0.95
    first, *others = said.reasons
    assert first.text == said.text
    assert first.then == (), "the match is over then"
    assert first.low <= first.estimate <= first.high
    assert all(other.estimate < first.estimate for other in others)
    assert "drop into D" in str(said)
    assert said.to_json()["reasons"][0]["option"] == said.option


def test_what_it_expects_are_choices_of_the_others() -> None:
    match = Match(load(CLASSICS / "tic-tac-toe.md"), seed=1, engine="native")
    match.choose("mark (0,0)")
    said = explain(match, "search-5000")  # no clock: a busy machine would cut it short
    assert said.text == "mark (1,1)", "anything else loses"
    assert said.reasons[0].then[0][0] == 0
    assert said.reasons[0].then[0][1].startswith("mark (")


def test_cards_are_told_by_their_faces() -> None:
    match = Match(load(CLASSICS / "love-letter.md"), seed=4, engine="native")
    said = explain(match)
    words = {text for reason in said.reasons for _, text in reason.then}
    assert words
    assert not any("card" in text.lower() for text in words), words


def test_there_is_nothing_to_say_when_it_is_over() -> None:
    match = Match(load(CLASSICS / "kuhn-poker.md"), seed=1, engine="native")
    while match.decision is not None:
        match.choose(0)
    with pytest.raises(MatchError, match="ended"):
        explain(match)


def test_it_does_not_give_up_a_card_that_nobody_has_seen() -> None:
    """Others do not know what it holds: throwing the princess away loses the round, keeping her need not."""
    match = Match(load(CLASSICS / "love-letter.md"), seed=4, engine="native")
    for _ in range(6):
        match.choose(0)
    assert match.decision is not None
    assert {option.text for option in match.decision.options} == {"Play: Princess", "Play: Countess"}
    assert explain(match, "search-1000").text == "Play: Countess"
