"""A rulebook as HTML: what is shown where."""

from __future__ import annotations

from rulewright.cli.pages import render
from rulewright.serve.rules import rule_at

TEXTS = {
    "game.md": "# Game\n\nProse of the game.\n",
    "cases.md": "# Cases\n\nTried out.\n\n```example\nA title\nexpect Ada: Wits 3\n```\n",
    "end.md": "# The end\n\nLast words.\n",
}


def test_trials_are_folded_behind_the_book() -> None:
    shown = render(TEXTS, {"cases.md"})
    assert shown.index("Last words.") < shown.index('<details class="trials">') < shown.index("Tried out.")
    assert "<summary>Cases (1 worked example)</summary>" in shown
    assert '<details class="trials">' not in render(TEXTS)


def test_a_rule_in_a_trial_is_found_by_its_line() -> None:
    shown = render(TEXTS, {"cases.md"})
    assert "Tried out." in rule_at(shown, "cases.md", 3)
    assert "Last words." not in rule_at(shown, "cases.md", 3)
    assert "Last words." in rule_at(shown, "end.md", 3)
