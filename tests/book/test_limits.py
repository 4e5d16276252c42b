"""Books that would take all the memory or all the time there is: one clear diagnostic each, and soon. What is
just within the limits compiles and plays, alike on both engines."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from rulewright.compiler import check, compile_book
from rulewright.play.faults import MatchFault
from rulewright.play.match import Match

T = TypeVar("T")
SOON = 10
"""Seconds of processor time; each takes less than one."""

HEAD = "---\ntitle: T\nseats: 1\n{}\n---\n# T\n```rules\nGold (Resource)\n\n{}\n```\n"
DEEP = "".join("  " * n + "if [Gold] > 1:\n" for n in range(1, 1500)) + "  " * 1500 + "[Gold] += 1"
WORDS = ", ".join(f"W{n}" for n in range(5000))
CHAIN = (
    "\n\n".join(f"E{n} (Effect)\ndo: #E{n + 1}" for n in range(1000)) + "\n\nE1000 (Effect)\ndo: [Gold] += 1"
)
MANY = "\n".join(f"R{n} (Resource)" for n in range(10_000))
CROWD = "Crowd (Template) box: 10000"
LAUGHS = "a0: &a0 [x]\n" + "\n".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]" for n in range(9))
"""Aliases of aliases: written out they would be a thousand million words."""
ROWS = "".join(f"| W{n} |\n" for n in range(10_000))
ROWS = f"```\n\n**Word (List)**\n\n| Word |\n|--|\n{ROWS}\n```rules"


@pytest.mark.parametrize(
    ("front", "rules", "code"),
    [
        ("cards: 999999999", "", "bad-front-matter"),
        (LAUGHS, "", "bad-front-matter"),
        ("", f"{CROWD}\nWord (List) words: {WORDS[:19000]}\nHuge (Resource) of: Actor, Word", "too-large"),
        ("", f"{CROWD}\n{ROWS}\nHuge (Resource) of: Actor, Word", "too-large"),
        ("", f"Word (List) words: {', '.join(f'W{n}' for n in range(10_000))}", "too-large"),
        ("cards: 10000", "Pair (Resource) of: Card, Card", "too-large"),
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
    ids="cards alias owners rows words pairs zone boxes definitions if brackets sum else chain line".split(),
)
def test_what_is_too_large_is_said_once(front: str, rules: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "book.md"
    path.write_text(HEAD.format(front or "bound: 100", rules))
    began = time.process_time()
    found = check(path).errors
    assert [d.code for d in found] == [code], found
    assert time.process_time() - began < SOON


PLAYED = """---
title: T
seats: 1
bound: 50
---
# T
```rules
Gold (Resource) of: Match
Player (Template) box: 1; seat: each

Match (Sequence)
1. Set up    put every actor out of play in play
             #Go
             end the match with Done won by every Player

Done (Ending)

{}

Go (Effect)
do: {}
```
"""
LINKS = "\n\n".join(f"E{n} (Effect)\ndo: #E{n + 1}\n    [Gold] += 1" for n in range(97))
TWICE = "\n\n".join(f"E{n} (Effect)\ndo: #E{n + 1}\n    #E{n + 1}" for n in range(12))
ELSE = [f"    else if [Gold] = {n}: [Gold] = 0" for n in range(2, 102)]
LAST = "\n\nE{} (Effect)\ndo: [Gold] += 1"


def deeper(frames: int, work: Callable[[], T]) -> T:
    """As if whoever calls had much under way already."""
    return work() if frames == 0 else deeper(frames - 1, work)


@pytest.mark.parametrize(
    ("rules", "body"),
    [
        (LINKS + LAST.format(97), "#E0"),
        (TWICE + LAST.format(12), "#E0"),
        ("", "if [Gold] = 1: [Gold] = 2\n" + "\n".join(ELSE)),
        ("", f"[Gold] = {'(' * 40}1{')' * 40}"),
        ("", f"[Gold] = {' + '.join(['[Gold]'] * 121)}"),
        ("", "".join("\n" + "  " * n + "if [Gold] < 5:" for n in range(2, 25)) + f"\n{'  ' * 25}[Gold] += 1"),
    ],
    ids=["chain", "twice", "else", "brackets", "sum", "if"],
)
def test_what_is_just_not_too_large_plays(rules: str, body: str, tmp_path: Path) -> None:
    path = tmp_path / "book.md"
    path.write_text(PLAYED.format(rules, body))
    began = time.process_time()
    assert deeper(150, lambda: check(path)).errors == ()
    program = deeper(150, lambda: compile_book(path))
    ends = [Match(program, ["Ada"], seed=1, engine=engine) for engine in ("reference", "native")]
    assert ends[0].result is not None
    assert ends[0].result == ends[1].result
    assert ends[0].engine.state() == ends[1].engine.state()
    assert time.process_time() - began < 6 * SOON


def test_values_that_need_the_next_twice_are_a_fault_on_both_engines(tmp_path: Path) -> None:
    """Thirty levels are a thousand million steps: the same fault on both, and soon."""
    levels = "\n\n".join(f"V{n} (Value)\n[V{n + 1}] + [V{n + 1}]" for n in range(30))
    path = tmp_path / "book.md"
    path.write_text(PLAYED.format(f"{levels}\n\nV30 (Value)\n[Gold]", "[Gold] = [V0]"))
    assert check(path).errors == ()
    program = compile_book(path)
    faults: list[int] = []
    for engine in ("reference", "native"):
        with pytest.raises(MatchFault) as found:
            Match(program, ["Ada"], seed=1, engine=engine)
        faults.append(found.value.fault.code)
        assert "or search through too much" in str(found.value), "it need not be a circle"
    assert faults[0] == faults[1] != 0


def test_thousands_of_unknown_names_are_reported_soon(tmp_path: Path) -> None:
    """What was meant is guessed for the first ones only: each guess looks at every name there is."""
    path = tmp_path / "book.md"
    lines = "\n\n".join(f"Effect{n} (Effect)\ndo: #Efect{n}" for n in range(2500))
    path.write_text(HEAD.format("bound: 100", lines))
    began = time.process_time()
    found = check(path).errors
    assert [d.code for d in found] == ["unknown-name"] * 2500
    assert found[0].help == "did you mean 'Effect0'?"
    assert not found[-1].help
    assert time.process_time() - began < 6 * SOON
