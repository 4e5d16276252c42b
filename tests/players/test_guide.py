"""Guided first matches: those of shipped books can be played as they stand; mistakes have their line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright import load
from rulewright.native import NativeEngine
from rulewright.players.guide import Guide, played, read_guide
from rulewright.shelf import shelf

DUEL = Path(__file__).parents[2] / "bench" / "duel.md"
GUIDED = ["raven-road", "vigil", "penance-1", "penance-2", "p52"]


def guide_of(name: str) -> Guide:
    entry = next(entry for entry in shelf() if entry.name == name)
    texts = {path.name: path.read_text("utf-8") for path in sorted(entry.path.parent.glob("*.md"))}
    guide, wrong = read_guide(texts)
    assert wrong == []
    assert guide is not None
    return guide


@pytest.mark.parametrize("name", GUIDED)
def test_shipped_guides_can_be_played(name: str) -> None:
    guide = guide_of(name)
    assert played(load(name), guide, NativeEngine) == []
    assert len(guide.steps) >= 10
    assert sum(bool(step.says) for step in guide.steps) >= 8
    assert guide.closing


def test_the_first_match_of_a_book_is_the_guided_one() -> None:
    """Whoever reads the book and whoever is shown around lead the same people."""
    entry = next(entry for entry in shelf() if entry.name == "vigil")
    (said,) = re.findall(r"\*\*A first match\.\*\* .*? with ([^:]*):", entry.path.read_text("utf-8"), re.S)
    led = [step.choose.removeprefix("lead ") for step in guide_of("vigil").steps if "lead " in step.choose]
    assert re.split(r", | and ", said) == led


def fenced(*lines: str) -> tuple[Guide | None, list[str]]:
    guide, wrong = read_guide({"duel.md": "\n".join(["# Duel", "", "```guide", *lines, "```", ""])})
    return guide, [str(one) for one in wrong]


def test_a_guide_is_read() -> None:
    lines = ("seed 4", "seats you, random", "say One.", "say Two.", "choose Attack: Fighter 2", "say End.")
    guide, wrong = fenced(*lines)
    assert wrong == []
    assert guide is not None
    assert (guide.seed, guide.seats, guide.closing) == (4, ("you", "random"), "End.")
    (step,) = guide.steps
    assert (step.says, step.choose, step.line) == ("One. Two.", "Attack: Fighter 2", 8)
    assert played(load(DUEL), guide) == []


def test_mistakes_have_their_line() -> None:
    _, wrong = fenced("seed four", "choose Defend")
    assert wrong[0].startswith("duel.md:4: a guide says")
    _, wrong = fenced("say Nothing.")
    assert wrong == ["duel.md:3: a guide that advises nothing"]
    assert read_guide({"duel.md": "# Duel\n"}) == (None, [])


def test_a_stale_guide_is_told() -> None:
    duel = load(DUEL)
    guide, _ = fenced("seats you, random", "choose Defend", "choose Sing")
    assert guide is not None
    assert "duel.md:6: 'Sing' is not on offer, but: " in str(played(duel, guide)[0])
    guide, _ = fenced("seats you, Nobody", "choose Defend")
    assert guide is not None
    assert "not Nobody" in str(played(duel, guide)[0])
    guide, _ = fenced("seats you", "choose Defend")
    assert guide is not None
    assert "2 seats" in str(played(duel, guide)[0])
