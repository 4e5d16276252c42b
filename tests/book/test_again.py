"""A book that is checked again while it is edited: only what changed is read, and the same is said."""

from __future__ import annotations

import random
import re
from pathlib import Path
from shutil import copytree

import pytest

from rulewright.book.bodies.again import Again
from rulewright.compiler import Checked, check, compile_checked
from rulewright.ir.text import show
from rulewright.shelf import shelf

BOOKS = {entry.name: entry.path for entry in shelf()}
FENCE = re.compile(r"^```rules.*?\n(.*?)^```", re.M | re.S)

BOOK = """---
title: Small
seats: 1
---
```rules
Gold (Resource) of: Match; range: 0 to 99
Hero (Actor) seat: 1
Rich (Check)
[Gold] >= 5
Pay (Effect)
do: [Gold] -= 1
Dig (Action)
do: [Gold] += 2
Match (Sequence)
1. Begin   put Hero in play, if #Rich: #Pay
2. End     end the match with Home won by everyone
Home (Ending)
```
"""


def said(checked: Checked) -> list[str]:
    return [f"{d.span} {d} {d.help}" for d in checked.diagnostics]


def code(checked: Checked) -> str:
    return "" if checked.errors else show(compile_checked(checked))


@pytest.mark.parametrize(
    ("old", "new", "read"),
    [
        ("+= 2", "+= 3", ["Dig"]),
        ("[Gold] -= 1", "[Gald] -= 1", ["Pay"]),
        (">= 5", "> 5", ["Rich"]),
        ("if #Rich: #Pay", "if #Rich: #Rich", ["Match"]),
        ("Home won", "Home lost", ["Match"]),
        ("[Gold] += 2", "[Gold] += 2  GO-DIG-01", ["Dig"]),
        ("prose", "prose", []),
    ],
)
def test_only_what_changed_is_read(old: str, new: str, read: list[str], tmp_path: Path) -> None:
    path, again = tmp_path / "small.md", Again()
    path.write_text(BOOK)
    check(path, again=again)
    assert sorted(again.read) == ["Dig", "Gold", "Hero", "Match", "Pay", "Rich"]
    path.write_text(BOOK.replace(old, new))
    checked = check(path, again=again)
    assert again.read == read
    assert said(checked) == said(check(path))
    assert code(checked) == code(check(path))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("range: 0 to 99", "range: 0 to 9"),
        ("Dig (Action)", "Delve (Action)"),
        ("do: [Gold] -= 1", "do: [Gold] -= 1, give Hero"),
        ("[Gold] >= 5", "[Gold] >= 5 AND target is Hero"),
        ("Home (Ending)", "Home (Ending)\nAway (Ending)"),
        ("put Hero in play, if", "put Hero in play, window Dusk: Hero, if"),
    ],
)
def test_what_others_are_told_makes_all_of_it_new(old: str, new: str, tmp_path: Path) -> None:
    path, again = tmp_path / "small.md", Again()
    path.write_text(BOOK)
    check(path, again=again)
    path.write_text(BOOK.replace(old, new))
    checked = check(path, again=again)
    assert len(again.read) == 6
    assert said(checked) == said(check(path))
    assert code(checked) == code(check(path))


def edited(text: str, dice: random.Random) -> str:
    """The text with one small change in a line of its rules, such as people make while they type."""
    fences = [m.span(1) for m in FENCE.finditer(text)]
    lines = [
        (start + m.start(), start + m.end())
        for start, end in fences
        for m in re.finditer(r"[^\n]+", text[start:end])
    ]
    start, end = dice.choice(lines)
    line = text[start:end]
    match dice.randrange(5):
        case 0:
            line = re.sub(r"\d+", lambda m: str(int(m.group()) + 1), line, count=1)
        case 1:
            words = line.split(" ")
            del words[dice.randrange(len(words))]
            line = " ".join(words)
        case 2:
            at = dice.randrange(len(line))
            line = line[:at] + dice.choice("aeX1 ,") + line[at:]
        case 3:
            line = line.replace(" = ", " >= ") if " = " in line else line.replace("+=", "-=")
        case _:
            line = line + "\n" + line if dice.random() < 0.2 else line.replace("self", "target")
    return text[:start] + line + text[end:]


@pytest.mark.parametrize(
    ("name", "edits", "compiled"),
    [("vigil", 12, 3), ("penance-2", 8, 1), ("p52", 4, 0), ("raven-road", 2, 0)],
)
def test_a_book_read_again_is_as_if_read_for_the_first_time(
    name: str, edits: int, compiled: int, tmp_path: Path
) -> None:
    folder = tmp_path / "books"
    copytree(BOOKS[name].parent.parent, folder)
    main = folder / name / f"{name}.md"
    files = sorted(f for f in (folder / name).glob("*.md") if FENCE.search(f.read_text()))
    dice, again, few = random.Random(name), Again(), 0
    whole = len(check(main, again=again).symbols.components)
    for n in range(edits):
        file = dice.choice(files)
        before = file.read_text()
        file.write_text(edited(before, dice))
        checked, fresh = check(main, again=again), check(main)
        few += len(again.read) < whole
        assert said(checked) == said(fresh)
        if n % 5 == 0 and compiled > 0:
            compiled -= 1
            assert code(checked) == code(fresh)
        if checked.errors or dice.random() < 0.5:
            file.write_text(before)
    assert few >= edits // 3 or name == "raven-road"
