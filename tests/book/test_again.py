"""A book that is checked again while it is edited: only what changed is read, and the same is said."""

from __future__ import annotations

import random
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from rulewright.book.bodies.again import Again
from rulewright.book.forest import Forest, Tree
from rulewright.book.text.source import Definition
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


def met(forest: Forest) -> list[Any]:
    """All that a Forest found, tree by tree; nodes by what they say."""
    return [
        (tree.definition.title, [(kind, repr(found)) for kind, found in tree.kinds.items()], len(tree.blocks))
        for tree in forest.trees
    ]


def walks(again: Again) -> int:
    assert again.last is not None
    return again.last.forest.walked


def test_only_what_was_read_is_walked(tmp_path: Path) -> None:
    path, again = tmp_path / "small.md", Again()
    path.write_text(BOOK)
    check(path, again=again)
    every = walks(again)
    for old, new in (("+= 2", "+= 3"), ("```rules\n", "\n```rules\n")):
        path.write_text(BOOK.replace(old, new))
        check(path, again=again)
        assert walks(again) < every / 2
        assert again.last is not None
        assert met(again.last.forest) == met(Forest(again.last.symbols))


def test_control_a_tree_that_is_taken_over_wrongly_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tree, "key", property(lambda tree: (id(tree.definition), id(tree.owner), tree.runs)))
    path, again = tmp_path / "small.md", Again()
    path.write_text(BOOK)
    check(path, again=again)
    path.write_text(BOOK.replace("+= 2", "+= 3"))
    check(path, again=again)
    assert again.last is not None
    monkeypatch.undo()
    assert met(again.last.forest) != met(Forest(again.last.symbols))


STORY = (
    BOOK.replace("title: Small", "title: Small\nroles: {next: Pay, ending: Home}")
    .replace("Pay (Effect)\n", "Pay (Effect) with: phase (Phase)\n")
    .replace("if #Rich: #Pay", "#Opening")
    + """
```rules
Scene: The Gate
Lead: Hero
It is shut.

Options:
A) Dig
   Effect: [Gold] += 2
B) Knock
Transition: End
```
"""
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[Gold] += 2\nB", "[Gold] += 3\nB"),
        ("[Gold] += 2\nB", "[Gald] += 2\nB"),
        ("Transition: End", 'Text: "No"'),
    ],
)
def test_what_a_scene_says_is_read_anew(old: str, new: str, tmp_path: Path) -> None:
    path, again = tmp_path / "small.md", Again()
    path.write_text(STORY)
    before = code(check(path, again=again))
    path.write_text(STORY.replace(old, new))
    checked = check(path, again=again)
    assert said(checked) == said(check(path))
    assert code(checked) == code(check(path)) != before


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


CAMPAIGN = """Campaign: Small
Starting Encounter: The Yard
Resources: Health, Stamina
Initialization: Stamina: 2
Common Actions: Rest, Feint

Actor: Fighter
Resources: Health: 9
Actions: Swing
Features: Thick Skin

Actor: Rat
Strategy: Bite Back
Resources: Health: 3
Actions: Gnaw

Swing
do: [Target Health] -= 1d6
then: [Stamina] -= 1

Gnaw
do: #Bite

Rest
do: [Stamina] += 1

Feint
if: #Weak
do: [Stamina] += 2

Bite (Effect)
[Target Health] -= 1

Weak (Check)
[Health] <= 3

Feature: Thick Skin (Actor)
Stamina cannot exceed 5.

Strategy: Bite Back
Behavior: Gnaw at them
do: Perform Gnaw

Map: Yard
Dimensions: 4 x 4

Cast: Heroes
Controller: Player
Members: Fighter

Cast: Vermin
Controller: Strategy (Bite Back)
Members: Rat

Encounter: The Yard
Map: Yard
Player Cast: Heroes
Enemy Cast: Vermin
Deployment:
  Fighter at 0N 0E
  Rat at 0N 1E
Completion:
  Victory: All enemies defeated
Transitions:
  Victory: End
"""


@pytest.mark.parametrize(
    ("old", "new", "read"),
    [
        ("1d6", "1d8", {"Swing"}),
        ("-= 1d6", "-= [Helth]", {"Swing"}),
        ("[Stamina] += 1\n\nFeint", "[Stamina] += 3\n\nFeint", {"Rest"}),
        ("[Target Health] -= 1\n", "[Target Health] -= 2\n", {"Bite"}),
        ("<= 3", "< 3", {"Weak"}),
        ("exceed 5", "exceed 6", {"Thick Skin"}),
    ],
)
def test_of_a_campaign_only_what_changed_is_read(old: str, new: str, read: set[str], tmp_path: Path) -> None:
    """And what its blocks become: scenes, encounters and casts are code of their framework."""
    path, again = tmp_path / "small.md", Again()
    path.write_text(CAMPAIGN)
    assert check(path, again=again).errors == ()
    others = {"Swing", "Gnaw", "Rest", "Feint", "Bite", "Weak", "Thick Skin", "Bite Back"} - read
    assert others <= set(again.read)
    for text in (CAMPAIGN.replace(old, new), CAMPAIGN, CAMPAIGN.replace(old, new)):
        path.write_text(text)
        checked = check(path, again=again)
        assert read <= set(again.read)
        assert not others & set(again.read)
        assert len(again.read) < 30
        assert said(checked) == said(check(path))
        assert placed(checked) == placed(check(path))
    assert code(checked) == code(check(path))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[Target Health] -= 1\n", "[Stamina] -= 1\n"),  # whoever gnaws has no target any more
        ("Members: Rat", "Members: Rat x2"),
        ("Resources: Health: 3", "Resources: Health: 4"),
        ("\nRest\n", "\n\nRest\n"),
    ],
)
def test_of_a_campaign_all_is_read_where_others_were_told(old: str, new: str, tmp_path: Path) -> None:
    path, again = tmp_path / "small.md", Again()
    path.write_text(CAMPAIGN)
    check(path, again=again)
    path.write_text(CAMPAIGN.replace(old, new))
    checked, fresh = check(path, again=again), check(path)
    assert said(checked) == said(fresh)
    assert placed(checked) == placed(fresh)
    assert code(checked) == code(fresh)


EXAMPLE = """
```example
covers AB-CD-01
expect that [Gold] = 2
expectorate
```
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A hill.", "A hill of {[Gold]}."),
        ("A hill.", "Many hills of {[Gald]}."),
        ("expectorate", "expect that 1 = 1"),
        ("covers", "choose Hero: Dig\n# covers"),
        ("[Gold] = 2\n", "[Gold] = 2\n  and more\nexpectorate\n"),
    ],
)
def test_prose_and_examples_leave_the_rules_as_they_were(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, again, whole = tmp_path / "small.md", Again(), BOOK + "A hill.\n" + EXAMPLE
    path.write_text(whole)
    check(path, again=again)
    for text in (whole.replace(old, new), whole):
        path.write_text(text)
        fresh = check(path)
        with monkeypatch.context() as patch:
            patch.setattr(Again, "read_bodies", None)  # nobody asks it
            checked = check(path, again=again)
        assert said(checked) == said(fresh)
        assert again.read == []
        assert code(checked) == code(fresh)
        assert [e.lines for e in checked.examples] == [e.lines for e in fresh.examples]


PLACES = ("line", "step_lines", "span", "opening", "end")


def placed(checked: Checked) -> list[tuple[Any, ...]]:
    """Every node of every tree, with all that it knows of where it is written, and its definition."""
    nodes = [
        (tree.definition.title, tree.definition.heading, type(node).__name__, *places(node))
        for tree in Forest(checked.symbols).trees
        for kind in tree.kinds
        for node in tree.of(kind)
    ]
    return [*nodes, *((d.title, d.heading, d.cites) for d in definitions(checked))]


def places(node: object) -> tuple[Any, ...]:
    """What a node knows of where it stands."""
    return tuple(getattr(node, name, None) for name in PLACES)


def definitions(checked: Checked) -> list[Definition]:
    """Where everything that has a definition stands."""
    s = checked.symbols
    tables = (s.components, s.actions, s.resources, s.statuses, s.zones, s.templates, s.walks, s.lists)
    found = [made.definition for table in tables for made in table.values()]
    return [d for d in found if d is not None]


@pytest.mark.parametrize(
    ("old", "new", "read"),
    [
        ("```rules\n", "Some prose.\n\n```rules\n", []),
        ("Rich (Check)", "\nRich (Check)", []),
        ("[Gold] >= 5\n", "[Gold] >= 5\n\n\n", []),
        ("2. End", "\n2. End", ["Match"]),
        ("do: [Gold] += 2", "do:\n  [Gold] += 2", ["Dig"]),
    ],
)
def test_what_only_stands_elsewhere_is_not_read(old: str, new: str, read: list[str], tmp_path: Path) -> None:
    path, again = tmp_path / "small.md", Again()
    path.write_text(BOOK)
    check(path, again=again)
    for text in (BOOK.replace(old, new), BOOK, BOOK.replace(old, new)):
        path.write_text(text)
        checked = check(path, again=again)
        assert again.read == read
        assert placed(checked) == placed(check(path))
        assert code(checked) == code(check(path))


PREFERRED = BOOK.replace("Rich (Check)", "Best (Preference)\nhighest [Gold]\n\nRich (Check)").replace(
    "do: [Gold] += 2", "do: for each actor by Best: [Gold] += 2"
)


@pytest.mark.parametrize("line", ["Gold (Res", "Best (Pref", "Rich (Ch", "Dig (Act", "Match (Seq"])
def test_a_preference_stands_where_it_is_written(line: str, tmp_path: Path) -> None:
    """And not where it is named, although it is read there."""
    path, again = tmp_path / "small.md", Again()
    path.write_text(PREFERRED)
    assert check(path, again=again).errors == ()
    path.write_text(PREFERRED.replace(line, f"\n{line}"))
    assert placed(check(path, again=again)) == placed(check(path))


def test_control_what_was_not_moved_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stays(symbol: object, by: int, was: object) -> None:
        pass

    monkeypatch.setattr("rulewright.book.bodies.again.move", stays)
    path, again = tmp_path / "small.md", Again()
    path.write_text(BOOK)
    check(path, again=again)
    path.write_text(BOOK.replace("```rules", "\n```rules"))
    checked = check(path, again=again)
    assert again.read == []
    assert placed(checked) != placed(check(path))


def test_control_a_stale_tree_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A definition that is taken for unchanged although it says something else."""

    def same(old: Definition, new: Definition) -> int:
        return 0

    monkeypatch.setattr("rulewright.book.bodies.again.moved_by", same)
    path, again = tmp_path / "small.md", Again()
    path.write_text(BOOK)
    check(path, again=again)
    path.write_text(BOOK.replace("+= 2", "+= 3"))
    checked = check(path, again=again)
    assert again.read == []
    assert code(checked) != code(check(path))


def edited(text: str, dice: random.Random) -> str:
    """The text with one small change, such as people make while they type: in a line of its rules, or a line
    more, less, or twice."""
    if dice.random() < 0.4:
        rows = text.split("\n")
        at = dice.randrange(len(rows))
        row = rows[at]
        rows[at : at + 1] = dice.choice(([], ["", row], [row, "", "Some prose.", ""], [row, row]))
        return "\n".join(rows)
    fences = [m.span(1) for m in FENCE.finditer(text)]
    lines = [
        (start + m.start(), start + m.end())
        for start, end in fences
        for m in re.finditer(r"[^\n]+", text[start:end])
    ]
    start, end = dice.choice(lines)
    line = text[start:end]
    match dice.randrange(6):
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
            line = line[: dice.randrange(len(line)) + 1]
        case 4:
            line = line.replace(" = ", " >= ") if " = " in line else line.replace("+=", "-=")
        case _:
            line = line + "\n" + line if dice.random() < 0.2 else line.replace("self", "target")
    return text[:start] + line + text[end:]


EDITS = {"vigil": 12, "penance-2": 8, "penance-1": 6, "p52": 5, "raven-road": 2, "methuen": 2}


@pytest.mark.parametrize("name", BOOKS)
def test_a_book_read_again_is_as_if_read_for_the_first_time(name: str, tmp_path: Path) -> None:
    folder, edits = tmp_path / "books", EDITS[name]
    copytree(BOOKS[name].parent.parent, folder)
    main = folder / name / f"{name}.md"
    files = sorted(f for f in (folder / name).glob("*.md") if FENCE.search(f.read_text()))
    dice, again, few, compiled = random.Random(name), Again(), 0, name != "vigil"
    first = check(main, again=again)
    whole = len(first.symbols.components)
    for n in range(edits):
        file = dice.choice(files)
        before = file.read_text()
        file.write_text(edited(before, dice))
        checked, fresh = check(main, again=again), check(main)
        few += len(again.read) < whole / 4
        assert said(checked) == said(fresh)
        assert placed(checked) == placed(fresh)
        if n >= edits // 2 and not compiled and not checked.errors:
            compiled = True
            assert code(checked) == code(fresh)
        if checked.errors or dice.random() < 0.5:
            file.write_text(before)
    assert few >= edits // 3 or first.symbols.bases
