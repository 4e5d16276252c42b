"""What a shipped book says in words and tables, its rules do: number by number.

Where a sentence can read its figure from a definition (`{[Hand Size]}`) it does. These tests hold the rest:
tables that people read beside tables and formulas that are played.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BOOKS = Path(__file__).parent.parent / "books"
NUMBER = re.compile(r"\d+d\d+|\d+")


def text(name: str) -> str:
    return (BOOKS / name).read_text(encoding="utf-8")


def rows(page: str, first: str) -> list[list[str]]:
    """The cells of the table whose head begins with this cell."""
    lines = page.splitlines()
    start = next(n for n, line in enumerate(lines) if re.match(rf"\|\s*{re.escape(first)}\s*\|", line))
    found: list[list[str]] = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return [found[0], *found[2:]]


def records(page: str, first: str) -> dict[str, dict[str, str]]:
    """The rows of that table by their first cell, each cell by its column."""
    head, *body = rows(page, first)
    return {row[0]: dict(zip(head, row, strict=True)) for row in body}


SUITS = {"hearts": "Hearts", "diamonds": "Diamonds", "spades": "Spades", "clubs": "Clubs"}
COURT = {"J": "Jack", "Q": "Queen", "K": "King"}


def enemy_in_words(row: dict[str, str]) -> dict[str, str]:
    """A row of the played table as the people's table writes it; without the names of attacks."""
    levels, over, plus = row["Blow Levels"], row["Blow Over"], int(row["Blow Plus"])
    times = "" if levels == "1" else levels
    harm = f"{over} x O + L" if over != "1" else f"{times}L+O" + (f"+{plus}" if plus else "")
    blow = f"{row['Blow T']}-L; {harm}"
    fades = "-R" if row["Shot Fades"] == "1" else ""
    shot = f"{row['Shot T']}-L+R; {row['Shot Levels']}L+O{fades}"
    base = row["Initiative Base"]
    return {
        "HP": f"L x {row['HP per Level']}",
        "Melee: T; damage": "-" if row["Blow"] == "-" else blow,
        "Ranged: T; damage": "-" if row["Shot"] == "-" else shot,
        "Initiative": f"L+{base}" if base != "0" else "first",
        "Move": row["Stride"],
        "D-Me": signed(row["Guard Melee"]),
        "D-Rg": signed(row["Guard Shots"]),
    }


def signed(cell: str) -> str:
    return f"+{cell}" if int(cell) > 0 else cell


def test_enemies_of_p52_are_what_their_table_says() -> None:
    page = text("p52/foes.md")
    head, *told = rows(page, "Card")
    played = records(page, "Enemy")
    assert len(told) == len(played) == 14
    for cells in told:
        row = dict(zip(head, cells, strict=True))
        rank, _, suit = row["Card"].partition(" ")
        name = f"{COURT[rank]} of {SUITS[suit]}" if suit else rank
        words = enemy_in_words(played[name])
        for column in ("Melee: T; damage", "Ranged: T; damage"):  # the name of the attack stands first
            row[column] = row[column].partition("; ")[2] or row[column]
        assert {column: row[column] for column in words} == words, name
        assert row["D-Mg"].split(",")[0] == signed(played[name]["Guard Magic"]), name


LETTERS = (
    (r"\[Skill In of [^\]]*\]", "aLv"),
    (r"\[distance from [^\]]*\]", "R"),
    (r"\[number of [^\]]*\]", "#"),
    (r"\[F\] \* 2", "(F x 2)"),
)


def test_knacks_of_p52_need_what_their_table_says() -> None:
    page = text("p52/magic.md")
    told = {name: row["T"] for name, row in records(page, "Ability").items()}
    tried: dict[str, str] = {}
    for name, formula in re.findall(r"#Try with ([A-Z][\w ]*), (.+)", page):
        for code, letter in LETTERS:
            formula = re.sub(code, letter, formula)
        tried[name] = formula
    assert tried == told


def test_defences_of_p52_need_what_their_table_says() -> None:
    page = text("p52/combat.md")
    code = page[page.index("## 15. Defending") :]
    played = {name: row["Gives"] for name, row in records(page, "Ability").items()}
    for name, row in records(code, "Defence").items():
        base = int(NUMBER.findall(row["T"])[0])
        assert re.search(rf"\b{base} - ", row["T"]), name
        assert defence_base(code, name) == base, name
        assert name not in played


def defence_base(code: str, name: str) -> int:
    """What T of a defence begins with: 10 for those that are named so, 8 for the others."""
    high = re.search(r"\(10 if ability is ([^)]*?) else 8\)", code)
    assert high is not None
    return 10 if name in re.split(r", | or ", high[1]) else 8


def test_remedies_of_p52_heal_what_their_text_says() -> None:
    for name, row in records(text("p52/items.md"), "Item").items():
        said = re.search(r"heal (\d+) x Lv", row["Special"])
        assert row["Heals"] == (said[1] if said else "0"), name


PRICES = r"\[Action ?Points\] (?:>=|-=) 1|\[(?:Arrows|Tonics)\] (?:>=|-=) 1|\[Attacks Made\] \+= 1"
"""What every action pays and counts, which its line does not repeat."""


def test_actions_of_raven_road_do_what_their_lines_say() -> None:
    page = text("raven-road/raven-road.md")
    actions = page[page.index("## What anybody can do") : page.index("**Health** is")]
    told = dict(re.findall(r"^- \*\*([^*]+)\*\*: (.+)$", actions, re.M))
    blocks: dict[str, str] = {}
    for fence in re.findall(r"```rules\n(.*?)```", page, re.S):
        title = ""
        for line in fence.splitlines():
            name = re.sub(r"^Feature: | \((?:Actor|Check|Effect)\)$", "", line)
            if name != line or name in told:
                title, blocks[name] = name, ""
            elif title:
                blocks[title] += f"{line}\n"
    assert len(told) >= 14
    for name, line in told.items():
        body = re.sub(PRICES, "", blocks[name].replace("#Hits", "1d20"))
        assert set(NUMBER.findall(line)) == set(NUMBER.findall(body)), name


@pytest.mark.parametrize("name", ["p52", "penance-1", "penance-2", "vigil"])
def test_sentences_read_their_figures(name: str) -> None:
    """At least some do: whoever turns them back into plain numbers is told."""
    pages = [p.read_text(encoding="utf-8") for p in sorted((BOOKS / name).glob("*.md"))]
    prose = "\n".join(re.sub(r"```.*?```", "", page, flags=re.S) for page in pages)
    assert len(re.findall(r"\{\[[^\]]+\]\}", prose)) >= 4


def test_people_of_raven_road_are_what_their_table_says() -> None:
    page = text("raven-road/raven-road.md")
    kind = re.search(r"^Template: Goblin Kind\nResources: (.+)$", page, re.M)
    assert kind is not None
    for name, row in records(page, "Who").items():
        block = re.search(rf"^Actor: {name}(?: (\(uses.*\)))?\n((?:\w.*\n)+)", page, re.M)
        assert block is not None, name
        lines = dict(line.split(": ", 1) for line in block[2].splitlines())
        numbers = figures(kind[1]) | figures(lines["Resources"]) if block[1] else figures(lines["Resources"])
        said = figures(row["Other numbers"]) | {"Health": row["Health"], "Defense": row["Defense"]}
        assert said == numbers, name
        can = "; ".join(lines[key] for key in ("Actions", "Features") if key in lines)
        assert row["Can do"] == can, name


def figures(line: str) -> dict[str, str]:
    """`Health: 20, Gold: 6`, with or without colons."""
    return dict(re.findall(r"(\w+):? (\d+)", line))


def test_sides_of_penance_2_count_what_the_list_of_factors_says() -> None:
    page = text("penance-2/penance-2.md")
    facing = {side: row["T"] for side, row in records(page, "Side").items()}
    told = {row[0]: row[1] for row in rows(page, "Factor")[1:]}
    sides = next(name for name in told if name.startswith("the side of the defender"))
    assert dict(zip(re.findall(r"\d", sides), told[sides].split(" / "), strict=True)) == {
        side: number for side, number in facing.items() if side != "6"
    }


SAID_AND_DONE = (
    (r"Defense \+(\d)", r"(?:#Raise Guard with|\[Guard(?: of \w+)?\] \+=) (\d)"),
    (r"[Dd]raws? (\d)", r"#Draw(?: on target)? with (\d)"),
    (r"Push (\d)", r"#Shove with Struck of self, (\d)"),
    (r"(\d) Taint for you", r"(?:#Gain Taint with|\[Own Taint of Attack\] \+=) (\d)"),
    (r"damage:? -(\d)", r"\[Reduction of (?:Attack|Direct Damage)\] \+= (\d)"),
    (r"([Mm]ove) up to (\d)", r"\[Stride with (\d)\] steps"),
    (r"([Ff]ly) up to (\d)", r"\[Stride with (\d)\] of self"),
)
"""What the text of a card promises, and the code that keeps it."""


def test_cards_of_penance_1_do_what_their_text_says() -> None:
    page = text("penance-1/cards.md")
    code: dict[str, str] = {}
    for fence in re.findall(r"```rules\n(.*?)```", page, re.S):
        for names, body in re.findall(r"^(\S[^\n]*?) \(Card\)([^\n]*\n(?:[^\n]+\n)*)", fence, re.M):
            code |= dict.fromkeys(names.split(" / "), body)
    told = re.findall(r"^\| ([A-Z][^|]*?) *\| (?:Action|Reactive) *\|.*\| *([^|]*?) *\|$", page, re.M)
    assert len(told) >= 60
    checked = 0
    for name, effect in told:
        if name == "Emergency Patch" or not effect:
            continue
        for say, do in SAID_AND_DONE:
            said = {found[-1] for found in re.findall(say, effect.split(". (")[0]) if found[-1]}
            if said:
                checked += 1
                assert said == set(re.findall(do, code[name])), (name, effect)
    assert checked >= 35
