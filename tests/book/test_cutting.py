"""A rules fence is cut into definitions by shape: titles, fields, steps."""

from __future__ import annotations

import pytest

from rulewright.book.text.cutting import cut_map, cut_rules
from rulewright.book.text.source import Definition, Line

KEYS = frozenset({"with", "requires", "do"})
HEADERS = frozenset({"Check", "Effect", "Action"})


def cut(text: str) -> list[Definition]:
    lines = [Line("b.md", n, 0, line) for n, line in enumerate(text.split("\n"), 1)]
    return cut_rules(lines)


@pytest.mark.parametrize("word", ["At", "Before", "After", "When", "While", "Until", "End of", "Start of"])
def test_a_title_may_begin_with_the_word_of_a_hook(word: str) -> None:
    made = cut(f"Walk (Action)\ndo: go\n\n{word} the Door (Check) with: spot (Space)\nspot is Door")
    assert [(d.title, d.kind) for d in made] == [("Walk", "Action"), (f"{word} the Door", "Check")]


def test_a_hook_is_a_field_of_the_definition_above() -> None:
    (made,) = cut("Watch (Effect)\nat end of Turn: go\nbefore Strike: stop")
    assert [field.key for field in made.fields] == ["at end of Turn", "before Strike"]


@pytest.mark.parametrize("inside", [[], [""], ["", "   ", "\t"]])
def test_an_empty_map_is_no_accident(inside: list[str]) -> None:
    (made,) = cut_map([Line("b.md", n, 0, text) for n, text in enumerate(inside, 8)], 7, "b.md")
    assert (made.title, made.fields) == ("", [])
