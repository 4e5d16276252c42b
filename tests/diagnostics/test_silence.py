"""What once was read in silence or answered wrongly, one by one: each is one message, at its own line.

A case is a piece of a small book that is right, what is written instead, and words of the message.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import check, compile_book
from rulewright.ir.text import show

BOOK = """---
title: Right
summary: A small book without a mistake.
length: 5 minutes
seats: 1-2
bound: 200
---
# Right

Prose, which nobody but people reads.

```rules
Red (Side)
Blue (Side)
Element (List) words: Fire, Water
Health (Resource) range: 0 to 10; starts: 10
Soul (Resource) holds: Element
Ground (Resource) holds: Terrain
Luck (Resource) of: Match; range: 0 to 9
Deck (Zone) of: Match; seen by: nobody
Hand (Zone) seen by: owner
Marked (Status)
Clear (Terrain) glyph: .
Mire (Terrain) glyph: ~

Ways (Strategy)
do: say "{self} waits"

Fighter (Template) box: 2; seat: each; side: Red
Goblin (Actor) seat: none; side: Blue; strategy: Ways; Health: 3

Won (Ending)

Strike (Action)
declare: target = an enemy
requires: [Target Health] > 0
do: if 1d6 >= 4: [Target Health] -= 1
    window Parry: target
    say "{self} strikes {target}"

Duck (Reaction)
Trigger: Parry
do: [Health] += 1

Fall (Effect)
do: if [Health] = 0: take self out of play

Match (Sequence)
1. Start    put every Fighter where it has a seat in play at (0,0)
            put Goblin in play at (1,0)
            build Deck from Sparks
            shuffle Deck
            for each Fighter: move the top card of Deck to Hand of it
2. Rounds   repeat 5 times: for each actor: #Turn on it
3. Close    end the match with Won won by every actor where [Health] > 0

Turn (Sequence)
1. Act      act once
2. Luck     [Luck] = 1d6
            if self is at (0,0): self becomes Marked, set Soul to Fire, set Ground to terrain of space of self
            if some card in Hand: say "{self} still has a card"
            remove Marked from self
            #Fall
```

**Sparks (Card)**

| Card  | Heat | Copies |
|-------|------|--------|
| Ember | 1    | 2      |
| Flare | 2    | 2      |

```map
Yard (Map)
grid: square
names: (x,y)
picture:
  . ~
```
"""

CASES: list[tuple[str, str, str, str]] = [
    ("seats in words", "seats: 1-2", "seats: two", "seats"),
    ("more seats than actors", "seats: 1-2", "seats: 1-5", "seat 3 leads nobody"),
    ("another front matter key", "seats: 1-2", "seat: 1-2", "'seat'"),
    ("a bound in words", "bound: 200", "bound: many", "bound"),
    ("a misspelt front matter key", "length: 5", "lenght: 5", "did you mean 'length'"),
    (
        "a side that is none",
        "seat: each; side: Red",
        "seat: each; side: Nowhere",
        "no side is called 'Nowhere'",
    ),
    ("a box in words", "box: 2", "box: lots", "`box:` is a number"),
    ("a seat in words", "seat: each", "seat: first", "`seat:` is a number"),
    ("a seat that there is not", "seat: each", "seat: 9", "there is no seat 9"),
    (
        "a template that is none",
        "seat: none; side",
        "seat: none; is: Fightre; side",
        "no template is called 'Fightre'",
    ),
    (
        "a strategy that is none",
        "strategy: Ways",
        "strategy: Goblin Wayz",
        "no strategy is called 'Goblin Wayz'",
    ),
    ("a trigger that is none", "Trigger: Parry", "Trigger: Parrry", "Parrry"),
    ("who sees a zone", "seen by: owner", "seen by: owners", "did you mean 'owner'"),
    ("a misspelt kind", "Mire (Terrain)", "Mire (Trerain)", "there is no kind 'Trerain'"),
    ("a misspelt field", "; side: Blue", "; sdie: Blue", "did you mean 'side'"),
    ("a glyph without a legend", "  . ~", "  . ?", "no terrain has the glyph '?'"),
    ("no sequence called Match", "Match (Sequence)", "Mathc (Sequence)", "no sequence is called 'Match'"),
    ("a fence called rule", "```rules", "```rule", "nothing reads a fence called 'rule'"),
    (
        "a definition outside",
        "Prose, which",
        "Pluck (Resource) of: Match\n\nProse, which",
        "stands in no `rules` fence",
    ),
    (
        "more cells than the line under it",
        "| Card  | Heat | Copies |\n|-------|------|--------|",
        "| Card  | Heat | Copies |\n|-------|------|",
        "and the line under it 2",
    ),
    ("dice where nothing may be rolled", "requires: [Target Health] > 0", "requires: 1d6 > 3", "dice"),
    (
        "faces up to nothing",
        "[Luck] = 1d6\n",
        "let dice = roll 2 d6\n            [Luck] = [5 to of dice]\n",
        "a face is a number",
    ),
    ("dice as a thing", "set Soul to Fire", "set Soul to 1d6", "1d6"),
    ("a resource that is not a status", "self becomes Marked", "self becomes Ground", "Ground"),
    ("a zone that is empty", "if some card in Hand:", "if Hand is empty:", "no card in Hand"),
    ("each where one is wanted", "set Soul to Fire", "let x = each Fighter", "one"),
    (
        "ending without a name",
        "end the match with Won won by every actor where [Health] > 0",
        "end the match",
        "end the match with",
    ),
    ("an else without a name", "[Luck] = 1d6\n", "[Luck] = 1d6\n            else: [Luck] = 2\n", "else"),
    ("a brace without a name", '"{self} still has a card"', '"{Slef} still has a card"', "Slef"),
    (
        "a fourth value in braces",
        '"{self} still has a card"',
        '"{self} {[Health]} {[Luck]} {[Health]}"',
        "at most 3 values",
    ),
    (
        "a condition behind what it is for",
        "[Luck] = 1d6\n",
        "[Luck] = 1 if [Health] > 2 else 3\n",
        "one of two values in brackets",
    ),
    ("an unclosed fence", BOOK[BOOK.index("```map") :], BOOK[BOOK.index("```map") : -4], "never closed"),
    (
        "a field of a card",
        "Fall (Effect)",
        "Flare (Card) works ni: Hand\n\nFall (Effect)",
        "has no field 'works ni'",
    ),
    (
        "declarations of another card",
        "declare: target = an enemy\n",
        "declare: target = an enemy; what trget declares\n",
        "called 'trget'",
    ),
    ("a bare line", "Fall (Effect)", "Fallen\n\nFall (Effect)", "neither a kind nor fields"),
    (
        "a pasted block",
        "Prose, which",
        "```\nActor: Orc\nHealth: 3\n```\n\nProse, which",
        "nothing reads a fence without a word",
    ),
    (
        "nobody can do it",
        "Duck (Reaction)",
        "Flee (Action)\nrequires: 1 = 2\ndo: [Health] += 1\n\nDuck (Reaction)",
        "ever",
    ),
    ("a window that never opens", "Trigger: Parry", "Trigger: Leaving", "Leaving"),
    (
        "nobody to put in play",
        "put Goblin in play at (1,0)",
        "put every Goblin out of play in play at (1,0), put every Marked Goblin in play",
        "",
    ),
    (
        "a card in no deck",
        "Fall (Effect)",
        "Ash (Card)\ndo: [Health] += 1\n\nFall (Effect)",
        "'Ash' is in no deck",
    ),
    (
        "more than a table gives",
        "```map",
        "**Lot (Table)** rolls 1d2\n\n| d2 | Gives |\n|---|---|\n| 1 | Fire |\n| 2 | Water Frie |\n\n```map",
        "'Frie' does not fit here",
    ),
    (
        "an attribute of a card",
        "Fall (Effect)",
        "Flare (Card) Haet: 2\ndo: [Luck] = 1\n\nFall (Effect)",
        "did you mean 'Heat'",
    ),
    ("more than a resource holds", "holds: Element", "holds: Element; starts: Fire Wtaer", "'Wtaer'"),
    ("more than an actor starts with", "; Health: 3", "; Health: 3; Soul: Fire Wtaer", "'Wtaer'"),
    (
        "more than a limit",
        "requires: [Target Health] > 0",
        "requires: [Target Health] > 0\nlimit: once per Turn Trun",
        "a limit is `once per SEQUENCE`",
    ),
    ("more than a target", "declare: target = an enemy", "Target: Single enemy Globin", "Globin"),
    ("a status that is gained", "self becomes Marked", "self gains Marked", "write `becomes Marked`"),
    ("a status that is lost", "remove Marked from self", "self loses Marked", "write `remove Marked from"),
    (
        "a strategy with another key",
        "Won (Ending)",
        'Sly (Strategy)\nplays: a seat\npreefr: Strike\n    "pass"\n\nWon (Ending)',
        "did you mean 'prefer:'",
    ),
    (
        "an allowance that is no number of it",
        "Fall (Effect)",
        "Stroll (Effect)\nwith: [N]\nallowance: [N], striaght\ndo: [Luck] = [N]\n\nFall (Effect)",
        "did you mean '[N], straight'",
    ),
    (
        "a range that is none",
        "declare: target = an enemy\n",
        "Target: Single enemy\nRange: Adjacnet\n",
        "'Adjacnet' is no range",
    ),
    (
        "a range in something else",
        "declare: target = an enemy\n",
        "Target: Single enemy\nRange: 3 spacs\n",
        "'3 spacs' is no range",
    ),
]


def said(text: str, folder: Path) -> list[tuple[int, str]]:
    path = folder / "small.md"
    path.write_text(text)
    return [(d.span.line, f"{d.message} {d.help or ''}") for d in check(path).diagnostics]


def test_the_book_is_right(tmp_path: Path) -> None:
    assert said(BOOK, tmp_path) == []


@pytest.mark.parametrize(("right", "wrong", "words"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_it_is_one_message_at_its_line(right: str, wrong: str, words: str, tmp_path: Path) -> None:
    assert BOOK.count(right) >= 1
    text = BOOK.replace(right, wrong, 1)
    at = 1 + BOOK[: BOOK.index(right)].count("\n")
    found = said(text, tmp_path)
    assert len(found) == 1, found
    line, message = found[0]
    assert words in message
    assert at <= line <= at + wrong.count("\n"), found


def test_a_role_in_small_letters_is_understood(tmp_path: Path) -> None:
    assert said(BOOK.replace("[Target Health] > 0", "[target Health] > 0"), tmp_path) == []
    programs: list[str] = []
    for text in (BOOK, BOOK.replace("[Target Health] > 0", "[target Health] > 0")):
        (tmp_path / "small.md").write_text(text)
        programs.append(show(compile_book(tmp_path / "small.md")))
    assert programs[0].casefold() == programs[1].casefold()  # why not says it as the book writes it


def test_a_strategy_that_plays_a_seat_has_no_other_lines_in_a_campaign(tmp_path: Path) -> None:
    text = 'Actor: Ash\n\nStrategy: Sly\nplays: a seat\npreefr: "A) Go"\n        "pass"\n'
    found = [x for x in said(text, tmp_path) if "preefr" in x[1]]
    assert [line for line, _ in found] == [5]
    assert "did you mean 'prefer:'" in found[0][1]
