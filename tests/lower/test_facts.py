"""What is found out of a whole book before any code is made."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from rulewright.compiler import check
from rulewright.lower.facts import Facts, find, is_plain, moment_key
from rulewright.lower.layout import Layout

BOOK = """---
title: Small
seats: 1
---

```rules
Health (Resource) starts: 5
Anger (Resource)

Hero (Template) box: 2; seat: each

Rage (Feature)
modify: [Health] +1
when [Health] falls: [Anger] += 1

Match (Sequence)
1. Begin     put Hero 1 in play
2. Rounds    for each actor: #Turn on it

Turn (Sequence)
1. Brace     [Health] += 2 until end of own Turn
```
"""


@pytest.fixture
def facts(tmp_path: Path) -> tuple[Facts, Layout]:
    path = tmp_path / "small.md"
    path.write_text(BOOK, "utf-8")
    checked = check(path)
    assert not checked.errors, checked.errors
    layout = Layout(checked.symbols).build()
    return find(checked.symbols, layout, ()), layout


def test_rules_are_sorted_by_what_they_wait_for_and_modify(facts: tuple[Facts, Layout]) -> None:
    found, layout = facts
    [(rules, hook)] = found.hooks[("change", "Health")]
    assert rules.name == "Rage"
    assert moment_key(layout, hook.moment) == ("change", "Health")
    assert found.modified == {"Health"}


def test_moments_at_which_something_ends_have_numbers(facts: tuple[Facts, Layout]) -> None:
    found, _ = facts
    assert list(found.deadlines.values()) == [0]
    assert found.timed == ("Health",)


def test_first_values_are_known_by_owner(facts: tuple[Facts, Layout]) -> None:
    found, layout = facts
    assert [is_plain(e) for e in found.firsts["Health"]] == [True] * layout.actors
    assert found.firsts["Anger"] == (None,) * layout.actors
    assert not found.lazy


def test_control_facts_do_not_change(facts: tuple[Facts, Layout]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        facts[0].together = True  # type: ignore[misc]
