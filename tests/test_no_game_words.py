"""The engine contains no game: no word in src/ belongs to one of the books.

A word counts as a game's if a reader of the engine would have to know that game to understand it. Words
that every tabletop game shares (card, attack, damage, health, status, stun) are not listed: examples in
docstrings may use them. The names of the folders under books/ are added by themselves.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

WORDS = """
    methuen, raven, raven road, goblin, orc, wren, sera, tonic, renown, ford ambush, hollow hunt, far
    bank, war cry, precise shot, careful shot, bow shot, morale break, inspiring presence, slipped past,
    light feet, chief guard, nightfall, skirmisher, warlord, archer, goblin kind, strict costs, trade
    places, gold, arrows

    vigil, vigilance, rune, rust, brynja, ketill, grima, eir, sigrun, whelp, servitor, war frame, scrap
    hound, ruin warden, rust witch, test subject, forlorn, sturdiness, finesse, hasted, corroded,
    bloodied, taunted, disoriented, stamina, soak, psychic, aether, aetheric, blight, hlekkr, berserk,
    berserker, bone setter, riposte, parry, stance, longsword, greatblade, halberd, poultice, draught,
    mead, custodian, breaking point, shield wall, burning ground, toxic haze, venom bite, ruin cleave,
    guardian protocol, mental resolve

    penance, absolution, casket, heat, taint, tainted, strain, chassis, soul point, soulstone, soulvein,
    danger zone, safe zone, meltdown, aberrant, abomination, bulwark, buckler, faithful thrust, engine
    strain, hydraulic, gyro, servo, reality slip, reality fracture, fae, elf, elven, elves, dwarf,
    dwarves, dwarven, warp flux, jump jet, coolant, reactor spike, outrider, ironclad, confessor,
    warden, rally cry, feint, thorn barrier, flesh wound, major wound, pilot, mulligan, emergency vent,
    capsule breach, ptsd, trauma, martyrdom, execution blow, death blow, neural feedback, blood
    offering, quick slash, internal bleeding, grappling hook

    p52, calico, wizard, miowethian, wufanthian, avg lv, healing potion, potion, elixir, fire ball,
    fireball, ice storm, tidal wave, meteor strike, lock pick, flute, chest key, phoenix, queen,
    sapphire, amulet, caltrops, smoke bomb, grapple, shield block, ace, dodge, apprentice, ninja,
    scimitar, pike, hearts, spades, training manual, compound bow, leather cap, invisibility cloak
"""

RULE_NUMBER = re.compile(r"\b(?:MT|RR|P1|P2|P52)-[A-Z]{2,6}-\d{1,3}\b")
TOKEN = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|[A-Z]")


def tokens(text: str) -> list[str]:
    """The words of a line, those inside identifiers too, in the singular and in small letters."""
    plain = re.sub(
        r"['\u2019]s\b|\bArrow(?:Up|Down|Left|Right)\b", "", text
    )  # keys of a keyboard are no weapons
    return [singular(word.lower()) for word in TOKEN.findall(plain)]


def singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def phrases(books: Path) -> set[tuple[str, ...]]:
    listed = {tuple(tokens(word)) for word in re.split(r",|\n\n", WORDS) if word.strip()}
    return listed | {tuple(tokens(folder.name)) for folder in books.glob("*/")}


PHRASES = phrases(ROOT / "books")


def leaks(text: str) -> list[tuple[int, str]]:
    """Each game word of a text, with its line."""
    longest = max(len(phrase) for phrase in PHRASES)
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = tokens(line)
        found += [(number, match) for match in RULE_NUMBER.findall(line)]
        for i in range(len(words)):
            for size in range(1, longest + 1):
                phrase = tuple(words[i : i + size])
                if len(phrase) == size and phrase in PHRASES:
                    found.append((number, " ".join(phrase)))
    return found


def leaks_in(src: Path) -> list[str]:
    problems: list[str] = []
    # What others wrote and the page only brings along (vendor) names what it likes.
    apart = {"__pycache__", "vendor"}
    for path in sorted(p for p in src.rglob("*") if p.is_file() and not apart & set(p.parts)):
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:  # a font or a picture
            text = ""
        name = path.relative_to(src).as_posix()
        problems += [f"{name}: its name holds {word!r}" for _, word in leaks(name)]
        problems += [f"{name}:{line}: {word!r}" for line, word in leaks(text)]
    return problems


def test_no_game_word_in_the_source() -> None:
    assert leaks_in(ROOT / "src") == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("if name == 'Goblin':", "goblin"),
        ("heat_level = 3", "heat"),
        ("class HeatTrack:", "heat"),
        ("MAX_HEAT = 6", "heat"),
        ("# as in The Raven Road", "raven road"),
        ("def raven_road():", "raven road"),
        ("the goblins' turn", "goblin"),
        ("a Casket's hand", "casket"),
        ("book = 'p52'", "p52"),
        ("loadP52()", "p52"),
        ("# see P1-HEAT-02", "P1-HEAT-02"),
        ("AvgLv = 2", "avglv"),
    ],
)
def test_control_a_game_word_is_caught(text: str, word: str) -> None:
    # Two tokens may be one word of the game, so compare without spaces.
    assert word.replace(" ", "") in {found.replace(" ", "") for _, found in leaks(text)}


@pytest.mark.parametrize(
    "text",
    [
        "health",
        "cheat, wheat, theatre",
        "golden file",
        "a card, a deck, a die",
        "race condition",
        "RFC-2119-1",
    ],
)
def test_control_ordinary_words_pass(text: str) -> None:
    assert leaks(text) == []


def test_control_a_leaking_tree_is_caught(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "table.js").write_text("const ok = 1\nlet stamina = 4\n")
    (tmp_path / "goblin.py").write_text("")
    assert leaks_in(tmp_path) == ["goblin.py: its name holds 'goblin'", "web/table.js:2: 'stamina'"]


def test_a_new_folder_under_books_is_a_game_word(tmp_path: Path) -> None:
    (tmp_path / "lighthouse-keeper").mkdir()
    assert ("lighthouse", "keeper") in phrases(tmp_path)
