"""Books that would take all the memory or all the time there is: one clear diagnostic each, and soon."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import check

HEAD = "---\ntitle: T\nseats: 1\n{}\n---\n# T\n```rules\nGold (Resource)\n\n{}\n```\n"
DEEP = "".join("  " * n + "if [Gold] > 1:\n" for n in range(1, 1500)) + "  " * 1500 + "[Gold] += 1"
WORDS = ", ".join(f"W{n}" for n in range(5000))
CHAIN = (
    "\n\n".join(f"E{n} (Effect)\ndo: #E{n + 1}" for n in range(1000)) + "\n\nE1000 (Effect)\ndo: [Gold] += 1"
)
MANY = "\n".join(f"R{n} (Resource)" for n in range(10_000))
CROWD = "Crowd (Template) box: 10000"


@pytest.mark.parametrize(
    ("front", "rules", "code"),
    [
        ("cards: 999999999", "", "bad-front-matter"),
        ("", f"{CROWD}\nWord (List) words: {WORDS[:19000]}\nHuge (Resource) of: Actor, Word", "too-large"),
        ("", f"{CROWD}\nPile (Zone) holds: 10000", "too-large"),
        ("", "\n".join(CROWD.replace("Crowd", f"Crowd{n}") for n in range(3)), "too-large"),
        ("", MANY, "too-large"),
        ("", f"Fall (Effect)\ndo:\n{DEEP}", "too-large"),
        ("", f"Sum (Effect)\ndo: [Gold] = {'(' * 300}1{')' * 300}", "too-large"),
        ("", f"Sum (Effect)\ndo: [Gold] = {' + '.join(['[Gold]'] * 1000)}", "too-large"),
        (
            "",
            "Else (Effect)\ndo: if [Gold] = 0: stop\n" + "    else if [Gold] = 1: stop\n" * 150,
            "too-large",
        ),
        ("", CHAIN, "too-large"),
        ("", f"Long (Effect)\ndo: {'[Gold] += 1, ' * 2000}", "too-large"),
    ],
    ids=["cards", "owners", "zone", "boxes", "definitions", "if", "brackets", "sum", "else", "chain", "line"],
)
def test_what_is_too_large_is_said_once(front: str, rules: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "book.md"
    path.write_text(HEAD.format(front or "bound: 100", rules))
    found = check(path).errors
    assert [d.code for d in found] == [code], found
